// Tests of the static check of orbBasic: errors with their positions, and valid programs.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@Suite struct OrbBasicCheckTests {
  static let wrong: [(text: String, line: Int, column: Int, code: OrbBasic.ErrorCode)] = [
    ("10 prnt 3", 1, 4, .unknownStatement), ("10 end\n\n20  blink 3", 3, 5, .unknownStatement),
    ("10 A 3", 1, 6, .syntax), ("10 A = ", 1, 8, .syntax), ("10 A = 3 4", 1, 10, .syntax),
    ("10 A = 2 + foo", 1, 12, .syntax), ("10 yaw = 3", 1, 4, .syntax), ("10 goto 30", 1, 9, .badLineNumber),
    ("10 goto", 1, 8, .syntax), ("10 gosub 10,20", 1, 12, .syntax),
    ("10 on A goto 10, 70", 1, 18, .badLineNumber), ("10 if A then end", 1, 9, .syntax),
    ("10 if A > 2 print 3", 1, 13, .syntax), ("10 if A > 2 then end", 1, 18, .syntax),
    ("10 if A > 2 then print 3 else goto 7", 1, 36, .badLineNumber),
    ("10 if A > 2 then RGB 1,2 else print 3", 1, 26, .syntax),
    ("10 print \"open", 1, 15, .syntax), ("10 print 1; 2", 1, 13, .syntax), ("10 RGB 1,2", 1, 11, .syntax),
    ("10 RGB 1,2,3,4", 1, 13, .syntax), ("10 delay", 1, 9, .syntax), ("10 for Z = 1 to 3", 1, 8, .syntax),
    ("10 for A = 1 3", 1, 14, .syntax), ("10 next AB", 1, 9, .syntax), ("10 end now", 1, 8, .syntax),
    ("10 A = (((((1)))))", 1, 13, .expressionTooComplex), ("10 A = 99999999999", 1, 17, .badParameter),
    ("10 data 1, x", 1, 12, .syntax), ("10 read timerA", 1, 9, .syntax), ("10 input", 1, 9, .syntax),
    ("10 print \"é\", fo", 1, 15, .syntax),
  ]

  @Test(arguments: wrong.indices) func mistakesHaveAPlace(_ index: Int) {
    let row = Self.wrong[index]
    let mistake = OrbBasicProgram.firstError(in: row.text)
    #expect(
      mistake?.line == row.line && mistake?.column == row.column && mistake?.code == row.code,
      "\(row.text): \(mistake?.description ?? "none")")
  }

  @Test(arguments: [
    "10 end", "10 ' a comment", "10 print", "10 ? \"a\", A, $65;", "10 A = 1 / 0",
    "10 for A = 1 to 10 step 2\n20 next A",
    "10 if A > 2 and B < 3 or C = 4 then goto 20 else goto 10\n20 end",
    "10 on A gosub 20, 30\n20 return\n30 return", "10 input A, 500, 0-1\r\n20 input B",
    "10 Z = sqrt (abs (yaw - 3) * rnd 5) & 7", "10 timerA = 100\n20 ctrl = 0\n30 A = timerA + Vbatt",
    "10 RGB 1, 2, 3\n20 LEDC 3\n30 backLED A\n40 goroll 90, 80, 1\n50 heading 0\n60 raw 1, 2, 3, 4",
    "10 data 1, -2, 3\n20 read A, b\n30 rstr\n40 locate 1, 2\n50 sleep 1, 0, 0\n60 macrun 40\n70 mackill",
    "10 tron\n20 troff\n30 reset\n40 random\n50 basflg 1\n60 print macstat\n70 delay 5 * A",
  ]) func whatRunsHasNone(_ text: String) {
    #expect(OrbBasicProgram.firstError(in: text) == nil)
  }

  @Test(arguments: [
    ("10 goroll 90, 60", "Write 'goroll HEADING, SPEED, MODE': Rolls."),
    ("10 if A > 2 then RGB 1", "Write 'RGB RED, GREEN, BLUE': "), ("10 ? 1; 2", "Write 'print VALUE, "),
    ("10 prnt 3", "'prnt' is not a statement. The statements are if, for, next, goto, "),
    ("10 PRINT 3", "Write 'print': the case of letters matters."),
    ("10 if A = 1 then rgb 1, 2, 3", "Write 'RGB': the case of letters matters."),
    ("10 if A > 2 then end", "'end' must not follow 'then'; write 'goto' and the number of a line that "),
    ("10 if A > 2 then goto 10 else heading 3", "'heading' must not follow 'else'; "),
    ("10 A =", "Write a statement, or an assignment"),
    ("10 goto 30", "No line of the program begins with this number."),
    ("10 print \"open", "Close the quotation mark."),
    ("RGB 1,2,3", "Begin the line with a number, like 10 RGB "),
  ])
  func theAdviceHasTheFormOfTheStatement(_ text: String, _ advice: String) {
    let error = OrbBasicProgram.firstError(in: text)
    #expect(error?.advice.hasPrefix(advice) == true, "\(error?.advice ?? "none")")
  }

  @Test(arguments: [
    (
      "10 for A = 1 to 3\n20 print A", ["the loop in the line numbered 10 has no 'next', and repeats nothing"]
    ),
    ("10 for A = 1 to 3\n20 for B = 1 to 3\n30 next A", ["the loop in the line numbered 20 has no 'next'"]),
    ("10 goroll 0, 80, 1", ["the ball moves on if the link drops; 'basflg 8' before the first motion"]),
    ("10 if A = 0 then goroll 0, 80, 1", ["the ball moves on"]), ("10 raw 1, 2, 3, 4", ["the ball moves on"]),
    ("10 basflg 8\n20 goroll 0, 80, 1", []), ("10 basflg 1\n20 goroll 0, 80, 1", ["the ball moves on"]),
    ("10 basflg 9\n20 goroll 0, 80, 1", []), ("10 basflg A\n20 goroll 0, 80, 1", []),
    ("10 goroll 0, 80, 1\n20 basflg 8", ["the ball moves on"]),
    ("10 basflg 8\n20 basflg 1\n30 goroll 0, 80, 1", ["the ball moves on"]),
    ("10 basflg 1\n20 basflg 8\n30 goroll 0, 80, 1\n40 basflg 0", []),
    ("10 for A = 1 to 3\n20 next A", []), ("10 heading 3", []),
    // A stop, a turn on the spot, and motors that are off, brake or have no power.
    ("10 goroll A, B * 2, 0", []), ("10 goroll 90, 0, 1", []), ("10 goroll A, 0, 2", []),
    ("10 goroll 90, 100, 2", []),
    ("10 raw 0, 9, 3, 9", []), ("10 raw 1, 0, 4, 9", []),
    ("10 goroll 0, 0 + 80, 1", ["the ball moves on"]), ("10 goroll 0, 80, A", ["the ball moves on"]),
    ("10 raw A, 0, 0, 0", ["the ball moves on"]), ("10 raw 0, 0, 2, 9", ["the ball moves on"]),
  ]) func likelyMistakesHaveRemarks(_ text: String, _ expected: [String]) throws {
    let remarks = try OrbBasicProgram(text).remarks
    #expect(
      remarks.count == expected.count && zip(remarks, expected).allSatisfy { $0.hasPrefix($1) }, "\(remarks)")
  }

  /// The checker and the interpreter agree: what has no mistake does not end with an error of the language.
  @Test func theInterpreterAgrees() throws {
    for row in Self.wrong where row.code != .badLineNumber && !row.text.contains("if ") {
      // Up to the line, nothing runs that could end the program.
      let line = row.text.split(separator: "\n").last.map(String.init) ?? ""
      let number = try #require(UInt16(line.prefix { $0 != " " }))
      var basic = OrbBasicInterpreter()
      _ = basic.append(Array((line + "\n").utf8) + [0], to: .ram)
      _ = basic.execute(.ram, line: number, at: .zero)
      var recorder = ActionRecorder()
      basic.advance(to: .milliseconds(5), actions: &recorder)
      #expect(recorder.actions.contains { $0.contains("error") }, "\(line): \(recorder.lines)")
    }
  }

  @Test func aNULHasAPlace() {
    for (text, line, column) in [("10 print \"a\0\"\n", 1, 12), ("10 end\n\020 end", 2, 1)] {
      let errors = ProgramText.errors(in: text, .basic)
      #expect(errors.map { $0.line } == [line] && errors.map { $0.column } == [column], "\(errors)")
    }
  }

  @Test func allErrorsAreFound() {
    let text = "10 jump 10\n20 print 1\n30 goto 5\n\n40 print ("
    let errors = OrbBasicProgram.errors(in: text)
    #expect(errors.map { $0.line } == [1, 3, 5] && errors.first == OrbBasicProgram.firstError(in: text))
  }
}
