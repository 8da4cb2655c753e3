// The words of a line.

import SpheroProcess
import Testing

@Suite struct LineTests {
  @Test(
    arguments: [
      ("", []), ("  \t ", []), ("led red", ["led", "red"]), (" led\tred ", ["led", "red"]),
      ("led '#ff8800'", ["led", "#ff8800"]), ("led red # a comment", ["led", "red"]), ("# all of it", []),
      ("led a#b", ["led", "a#b"]), (#"a "b c" d"#, ["a", "b c", "d"]), (#"a "" '' b"#, ["a", "", "", "b"]),
      (#"x"y z"'w'"#, ["xy zw"]), (#"a\ b c"#, ["a b", "c"]), (#""a\"b\\c""#, [#"a"b\c"#]),
      (#"'a\b'"#, [#"a\b"#]), ("über 90°", ["über", "90°"]),
    ] as [(String, [String])])
  func haveWords(_ line: String, _ words: [String]) throws {
    #expect(try ShellWords.split(line).words == words)
  }

  @Test(
    arguments: [
      ("led red; stop", true), ("led red && stop", true), ("led red;", true), ("raw a 'b=c;'", false),
      (#"raw a b=c\;"#, false), (#"a "&"& b"#, false), ("a ;b", false), ("a ; b", true),
      ("raw a 'b;c'", false), ("led '&&'", false), ("led red # a; b", false),
    ] as [(String, Bool)])
  func separatorsAreFound(_ line: String, _ isFound: Bool) throws {
    #expect(try ShellWords.split(line).hasSeparator == isFound)
  }

  @Test(
    arguments: [("led 'red", "'", 5), (#"a "b"#, "\"", 3), (#"a\"#, "\\", 2), (#""a\"#, "\"", 1)]
      as [(String, Character, Int)])
  func openEndsAreTold(_ line: String, _ mark: Character, _ column: Int) {
    let error = #expect(throws: ShellWords.UnterminatedQuote.self) { try ShellWords.split(line) }
    #expect(error?.mark == mark && error?.column == column)
  }
}
