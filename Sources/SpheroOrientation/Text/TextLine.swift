// Decimal numerals, and the lines of the text formats for floors, paths and hand scripts.

extension Double {
  /// The decimal numeral with at most six decimals and without trailing zeros: `0.5`, `-1`.
  package var numeral: String {
    guard magnitude < 1e9 else { return "\(self)" }
    let millionths = Int64((self * 1e6).rounded())
    let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    var text = (millionths < 0 ? "-" : "") + "\(whole)"
    guard rest > 0 else { return text }
    // The 1 in front keeps leading zeros of the decimals, and is dropped.
    text += "." + "\(1_000_000 + rest)".dropFirst()
    while text.last == "0" { text.removeLast() }
    return text
  }

  /// Parses decimal digits with or without a minus sign and a decimal point; nil for any other text.
  package init?(decimal text: some StringProtocol) {
    // `Double` also reads "nan", "1e3" and "0x1p3".
    let digits = text.first == "-" ? text.dropFirst() : text[...]
    guard digits.allSatisfy({ "0123456789.".contains($0) }) else { return nil }
    self.init(String(text))
  }
}

/// An invalid line in the text of a floor, a path or a hand script.
public struct TextLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// The line has none of the valid forms.
    case unknownLine
    /// No robot has the number at the start of the line.
    case unknownRobot
    /// The time is before that of the previous line.
    case earlierTime
    /// The position is outside the range of the locator, or outside the room.
    case tooFar
    /// The position is so close to that of another line that the balls overlap.
    case tooClose
    /// The text has too many lines or positions.
    case tooLong
    /// The text has no position.
    case empty
  }

  /// The kind of the error.
  public let code: Code
  /// The kind of the text: `floor`, `path` or `script`.
  public let subject: String
  /// The number of the line, from 1.
  public let line: Int
  /// The first 80 characters of the line, with `?` for all but letters and printable ASCII.
  public let text: String
  /// The valid forms, or what is missing, as a phrase.
  public let expected: String

  /// Creates an error; `?` replaces all but letters and printable ASCII, because the text may reach a terminal.
  package init(
    _ code: Code, subject: String, line: Int, text: String = "", expected: String
  ) {
    (self.code, self.subject, self.line, self.expected) = (code, subject, line, expected)
    self.text = String(
      text.prefix(80).map { character in
        let isPrintable = character.asciiValue.map { (0x20..<0x7F).contains($0) } ?? character.isLetter
        return isPrintable ? character : "?"
      })
  }

  public var description: String {
    code == .empty
      ? "the \(subject) is empty: \(expected)" : "line \(line) of the \(subject) says '\(text)': \(expected)"
  }
}

/// A line with at least one word.
package struct TextLine {
  private let subject: String
  package let number: Int
  private let text: String
  /// The words, separated by spaces, tabs and commas; `#` starts a comment.
  package let words: [String]

  /// Calls a closure for each line with at least one word; returns the number of lines, including empty ones.
  ///
  /// Accepts line ends of any system. Throws ``TextLineError`` if a line with words follows the first `limit` lines.
  @discardableResult
  package static func forEach(
    of text: some StringProtocol, subject: String, atMost limit: Int,
    _ body: (TextLine) throws(TextLineError) -> Void
  ) throws(TextLineError) -> Int {
    var number = 0
    for whole in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
      number += 1
      let words = whole.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard !words.isEmpty else { continue }
      let line = TextLine(
        subject: subject, number: number, text: String(whole), words: words.map { String($0) })
      guard number <= limit else { throw line.error(.tooLong, "a \(subject) has at most \(limit) lines") }
      try body(line)
    }
    return number
  }

  package func error(_ code: TextLineError.Code, _ expected: String) -> TextLineError {
    TextLineError(code, subject: subject, line: number, text: text, expected: expected)
  }
}
