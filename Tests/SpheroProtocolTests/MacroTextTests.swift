// Macros as text: bytes typed by hand from Sphero Macros 0.92, and the position of each error.

import SpheroProtocol
import TestSupport
import Testing

@Suite struct MacroTextTests {
  @Test func everyLineIsAStep() throws {
    let macro = try Macro(
      text: """
        # there and back
        macro id=40 flags=markEnd+stopAtEnd

        rgb 255 0 1 200        # red
        roll speed=80 heading=270 delay=3
        ROLL 80 270
        wait 500\r
        wait time=0x1F4
        rotate -90 500
        stabilization off
        marker marker=7
        comment "hi x"
        backLED 128
        loopStart 3
        loopEnd
        setSystemDelay1 300
        """)
    #expect(
      try macro.payload() == [
        40, 0x11, 0x07, 255, 0, 1, 200, 0x05, 80, 0x01, 0x0E, 3, 0x05, 80, 0x01, 0x0E, 0, 0x0B, 0x01, 0xF4,
        0x0B, 0x01, 0xF4, 0x1A, 0xFF, 0xA6, 0x01, 0xF4, 0x03, 0, 0, 0x15, 7, 0x20, 0, 4, 0x68, 0x69, 0x20,
        0x78, 0x09, 128, 0, 0x1E, 3, 0x1F, 0x01, 0x01, 0x2C, 0,
      ])
  }

  /// Invalid texts with the code, line, column and a part of the message of their errors.
  static let wrong: [(text: String, code: MacroTextError.Code, line: Int, column: Int, message: String)] = [
    ("", .empty, 1, 1, "the macro is empty"), ("# nothing\n\n", .empty, 3, 1, "the macro is empty"),
    ("macro flags=markEnd", .empty, 1, 1, "the macro is empty"),
    ("rol 80 90", .unknownStep, 1, 1, "'rol' is not a step"),
    ("wait 5\n  \u{1B}[31m", .unknownStep, 2, 3, #"'\u{1b}[31m' is not a step"#),
    ("end", .unknownStep, 1, 1, "'end' is added when the macro is sent"),
    ("end 5", .unknownStep, 1, 1, "'end' is added when the macro is sent"),
    ("marker 1\nmarker 0", .badField, 2, 1, "marker 0 reports the end of the macro; number markers from 1"),
    ("roll 80 400", .badField, 1, 9, "'heading' is 400, but must be 0...359"),
    ("roll heading=400 80", .badField, 1, 6, "'heading' is 400"),
    ("wait 5\nroll 80 90 0 1", .badField, 2, 14, "one value too many for roll; it has speed, heading, delay"),
    ("roll sped=80", .badField, 1, 6, "'sped=80' names no field of roll; it has speed, heading, delay"),
    ("roll 80 speed=81", .badField, 1, 9, "'speed' is given twice"),
    ("rgb 256 0 0", .badField, 1, 5, "'red' is 256, but must be 0...255"),
    ("wait soon", .badField, 1, 6, "'time=soon' is not valid"),
    ("loopEnd 3", .badField, 1, 9, "it has none"), ("stabilization maybe", .badField, 1, 15, "one of"),
    ("comment hi x", .badField, 1, 12, "put a text of several words"),
    ("wait 5\nmacro flags=markEnd", .misplacedHead, 2, 1, "in front of all steps"),
    ("macro\nmacro\nwait 5", .misplacedHead, 2, 1, "appear only once"),
    ("macro flags=fast\nwait 5", .badField, 1, 7, "'flags=fast' is not valid"),
    ("comment \"open", .openQuote, 1, 9, "never closed"),
    (String(repeating: "\n", count: 100_001), .tooManyLines, 100_001, 1, "at most 100000 lines"),
  ]

  @Test(arguments: wrong.indices) func errorsHavePositions(_ index: Int) throws {
    let row = Self.wrong[index]
    let error = try #require(throws: MacroTextError.self) { try Macro(text: row.text) }
    #expect(error.code == row.code && error.line == row.line && error.column == row.column, "\(error)")
    #expect(error.description.contains(row.message), "\(error)")
  }

  @Test func theLastLineBreakIsNoLine() throws {
    let text = String(repeating: "\n", count: Macro.maximumLineCount - 1) + "rgb 1 2 3\n"
    #expect(try Macro(text: text).commands.count == 1)
    #expect(throws: MacroTextError.self) { try Macro(text: text + "#") }
  }

  @Test func everyCodeHasATest() throws {
    let codes = try caseNames(of: "Code", in: "SpheroProtocol/Macros/MacroText.swift")
    #expect(Set(Self.wrong.map { "\($0.code)" }) == Set(codes))
  }

  /// Each step can be written as its name; its fields have their default values.
  @Test func everyStepHasALine() throws {
    for command in MacroCommand.all where !["end", "streamEnd", "marker"].contains(command.name) {
      #expect(try Macro(text: command.name).commands == [command], "\(command.name)")
    }
  }

  /// Random text yields a macro or an error.
  @Test func randomTextIsParsedOrRefused() {
    var generator = SeededGenerator(seed: 0x5EED_0017)
    let words = [
      "roll", "macro", "comment", "=", "\"", "#", " ", "\n", "\r\n", "0x", "-1", "999999999999",
      "é", "\0", "flags=", "rgb", "255", "text=", "id=300", "\u{2028}",
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }.joined()
      if let macro = try? Macro(text: text) { #expect((try? macro.payload()) != nil, "\(text)") }
    }
  }

  @Test func allErrorsAreFound() {
    let text =
      "rgb 300 0 0\nmacro flags=motor\nrgb 1 2 3\nmacro flags=stealth\ncomment \"open\nwait 100\n\nturn"
    let errors = Macro.errors(in: text)
    #expect(errors.map { $0.line } == [1, 2, 4, 5, 8])
    #expect(errors.map { $0.code } == [.badField, .badField, .misplacedHead, .openQuote, .unknownStep])
    #expect(Macro.errors(in: text, limit: 2).map { $0.line } == [1, 2])
    #expect(
      Macro.errors(in: "rgb 1 2 3").isEmpty && Macro.errors(in: "# no step").map { $0.code } == [.empty])
  }
}
