// Lines of bounded length, and the words in them.

import SpheroProcess
import Testing

@Suite struct LineTests {
  private func lines(_ pieces: [String], longest: Int = 8) -> [LineSplitter.Line] {
    var splitter = LineSplitter(longest: longest)
    var lines: [LineSplitter.Line] = []
    for piece in pieces { lines += splitter.append(piece.utf8) }
    return lines + [splitter.finish()].compactMap { $0 }
  }

  @Test(
    arguments: [
      ([], []), ([""], []), (["a\nb\n"], ["a", "b"]), (["a", "b\n", "\n"], ["ab", ""]),
      (["a\r\nb\r", "\nc"], ["a", "b", "c"]), (["12345678\n"], ["12345678"]), (["a\0b\n"], ["a\0b"]),
      (["12345678\r\n"], ["12345678"]),
    ] as [([String], [String])])
  func areTakenApart(_ pieces: [String], _ wanted: [String]) {
    #expect(lines(pieces) == wanted.map { .whole(Array($0.utf8)) })
  }

  @Test func whatIsTooLongIsToldOnce() {
    let kept = LineSplitter.Line.tooLong(Array("12345678".utf8))
    #expect(lines(["123456789\nab\n"]) == [kept, .whole([0x61, 0x62])])
    #expect(lines(["123456789"]) == [kept])
    #expect(lines(["1234", "56789", "0", "\n", "a"]) == [kept, .whole([0x61])])
    #expect(
      lines([String(repeating: "12345678", count: 100_000), "\nok\n"]) == [kept, .whole([0x6F, 0x6B])])
  }

  @Test(
    arguments: [
      ("", []), ("  \t ", []), ("led red", ["led", "red"]), (" led\tred ", ["led", "red"]),
      ("led '#ff8800'", ["led", "#ff8800"]), ("led red # a comment", ["led", "red"]), ("# all of it", []),
      ("led a#b", ["led", "a#b"]), (#"a "b c" d"#, ["a", "b c", "d"]), (#"a "" '' b"#, ["a", "", "", "b"]),
      (#"x"y z"'w'"#, ["xy zw"]), (#"a\ b c"#, ["a b", "c"]), (#""a\"b\\c""#, [#"a"b\c"#]),
      (#"'a\b'"#, [#"a\b"#]), ("über 90°", ["über", "90°"]),
    ] as [(String, [String])])
  func haveWords(_ line: String, _ words: [String]) throws { #expect(try ShellWords.split(line) == words) }

  @Test(
    arguments: [("led 'red", "'", 5), (#"a "b"#, "\"", 3), (#"a\"#, "\\", 2), (#""a\"#, "\"", 1)]
      as [(String, Character, Int)])
  func openEndsAreTold(_ line: String, _ mark: Character, _ column: Int) {
    let error = #expect(throws: ShellWords.UnterminatedQuote.self) { try ShellWords.split(line) }
    #expect(error?.mark == mark && error?.column == column)
  }
}
