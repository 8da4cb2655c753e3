// The lines of the small texts that describe a floor, a path or a hand's script, and the error for a wrong line.

/// Why a text describes no floor, path or script: the line, counted from 1, what stands there, and what would do.
public struct TextLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  @nonexhaustive public enum Code: Hashable, Sendable {
    /// The line has none of the forms that the text can have.
    case unknownLine
    /// The number in front is not a robot's.
    case unknownRobot
    /// The time lies before that of the line above.
    case earlierTime
    /// The place is farther away than the locator counts.
    case tooFar
    /// The text has too many lines or places.
    case tooLong
    /// The text has no place at all.
    case empty
  }

  /// What is wrong.
  public let code: Code
  /// What the text describes: `floor`, `path` or `script`.
  public let subject: String
  /// The line, counted from 1.
  public let line: Int
  /// What stands there: at most 80 characters, with `?` for control characters.
  public let text: String
  /// What would do.
  public let expected: String

  /// Makes an error; control characters of a text never reach a terminal.
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

  /// One sentence for people.
  public var description: String {
    code == .empty
      ? "the \(subject) is empty: \(expected)" : "line \(line) of the \(subject) says '\(text)': \(expected)"
  }
}

/// A line that is not empty.
package struct TextLine {
  private let subject: String
  private let number: Int
  private let text: String
  /// The words; blanks, tabs and commas are between them, and `#` begins a comment.
  package let words: [String]

  /// Calls a closure for each line that is not empty.
  ///
  /// - Parameters:
  ///   - text: The text; a line of Windows ends with CR and LF, which are one character.
  ///   - subject: What the text describes.
  ///   - limit: The number of the last line that may have words.
  ///   - body: Takes a line.
  /// - Returns: The number of lines, empty ones too.
  /// - Throws: ``TextLineError/Code/tooLong`` at a line beyond the limit; what `body` throws.
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

  /// The error that points at the line.
  package func error(_ code: TextLineError.Code, _ expected: String) -> TextLineError {
    TextLineError(code, subject: subject, line: number, text: text, expected: expected)
  }
}
