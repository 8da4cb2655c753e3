// The parser of the numbers of small JSON texts, with the texts of RFC 8259, cut and damaged texts.

import Foundation
import TestSupport
import Testing

@testable import SpheroText

@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("null", [:]), (" true\n", [:]), ("false", [:]), ("0", [[]: 0]), ("-0.5e-1", [[]: -0.05]),
      ("1E3", [[]: 1000]), ("[]", [:]), ("{ }", [:]), ("[1,[2], \"a\"]", [[""]: 1, ["", ""]: 2]),
      (#"{"a":{"b":null,"c":7},"d":[true]}"#, [["a", "c"]: 7]),
      (#"["\"\\\/\b\f\n\r\t\u0041\u00e9", 5]"#, [[""]: 5]),
      (#"["\ud83d\ude00 \ud83d x \ude00", 5]"#, [[""]: 5]),
      (String(repeating: "[", count: 16) + String(repeating: "]", count: 16), [:]),
      (#"{"é😀":3}"#, [["é😀"]: 3]), (#"{"a":1,"a":2}"#, [["a"]: 2]), (#"{"a.b":1}"#, [["a.b"]: 1]),
    ] as [(String, [[String]: Double])])
  func validTexts(text: String, numbers: [[String]: Double]) throws {
    #expect(try JSONParser.numbers(in: text) == numbers)
  }

  @Test(arguments: [
    ("", 1, 1, "a value"), ("nul", 1, 1, "a value"), ("+1", 1, 1, "a value"), (".5", 1, 1, "a value"),
    ("1.", 1, 1, "a value"), ("01", 1, 1, "a value"), ("-", 1, 1, "a value"), ("1e999", 1, 1, "a value"),
    ("NaN", 1, 1, "a value"), ("1 2", 1, 3, "the end of the text"), ("[1,\n 2", 2, 3, "',' or ']'"),
    ("[1,]", 1, 4, "a value"), ("{\"a\" 1}", 1, 6, "':'"), ("{\"a\":1,}", 1, 8, "a name in quotation marks"),
    ("{a:1}", 1, 2, "a name in quotation marks"), ("{\"a\":1", 1, 7, "',' or '}'"),
    ("\"a", 1, 3, "a closing quotation mark"), ("\"a\nb\"", 1, 3, "no control character in a string"),
    (#""\x""#, 1, 3, "an escape sequence"), (#""\u12g4""#, 1, 4, "four hexadecimal digits"),
    (#""\u-123""#, 1, 4, "four hexadecimal digits"),
    (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), 1, 17, "at most 16 levels"),
  ])
  func invalidTexts(text: String, line: Int, column: Int, expected: String) {
    #expect(throws: JSONError(line: line, column: column, expected: expected)) {
      try JSONParser.numbers(in: text)
    }
  }

  /// Foundation accepts and refuses the same texts, apart from numbers that it rounds to infinity.
  @Test func damagedTextsAreJudgedAsByFoundation() throws {
    let text = #"{"a": [1.5, -2e3, true, null, "x\u00e9\n"], "b": {"c": false}}"#
    var generator = SeededGenerator(seed: 28)
    for _ in 0..<3_000 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        if generator.isTrue(0.5) {
          bytes.remove(at: index)
        } else {
          bytes[index] = Array(#"{}[]",:\ 0e-.tfn"#.utf8).randomElement(using: &generator) ?? 0
        }
      }
      let isValid = (try? JSONParser.numbers(in: String(decoding: bytes, as: UTF8.self))) != nil
      let isValidElsewhere =
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      #expect(isValid == isValidElsewhere, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
