// Why a text is not a capture: where, and what was seen.

/// Why a text is not a capture: where, and what was seen.
public struct CaptureError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `unexpected`.
    public let description: String
    private init(_ name: String) { description = name }

    /// Something else was due: ``CaptureError/expected``.
    public static let unexpected = Code("unexpected")
    /// A byte has two hexadecimal digits.
    public static let oddDigits = Code("oddDigits")
    /// The row of a dump does not follow the one before.
    public static let wrongOffset = Code("wrongOffset")
    /// The line is longer than ``CaptureReader/longestLine``.
    public static let lineTooLong = Code("lineTooLong")
  }

  /// What is wrong.
  public let code: Code
  /// The line, counted from 1.
  public let line: Int
  /// The byte within the line, counted from 1.
  public let column: Int
  /// One sentence for people, without a full stop: the place, and what is wrong there.
  public let description: String
  /// What stands there, in words for people; nil for a line that is too long.
  public private(set) var seen: String?
  /// What would do, in words for people; nil where that is clear.
  public private(set) var expected: String?

  private init(_ code: Code, line: Int, column: Int, _ sentence: String) {
    (self.code, self.line, self.column) = (code, line, column)
    description = "line \(line), column \(column): \(sentence)"
  }

  /// Something else was due.
  public static func unexpected(
    _ seen: String, expected: String, line: Int, column: Int
  ) -> CaptureError {
    var error = CaptureError(.unexpected, line: line, column: column, "expected \(expected), saw \(seen)")
    (error.seen, error.expected) = (seen, expected)
    return error
  }

  /// A byte has two hexadecimal digits.
  public static func oddDigits(_ digits: String, line: Int, column: Int) -> CaptureError {
    var error = CaptureError(
      .oddDigits, line: line, column: column, "'\(digits)' has an odd number of hexadecimal digits")
    error.seen = digits
    return error
  }

  /// The row of a dump does not follow the one before.
  public static func wrongOffset(_ offset: Int, expected: Int, line: Int, column: Int) -> CaptureError {
    let (seen, due) = (String(offset, radix: 16), String(expected, radix: 16))
    var error = CaptureError(
      .wrongOffset, line: line, column: column, "the row begins at \(seen), but \(due) is due")
    (error.seen, error.expected) = (seen, due)
    return error
  }

  /// The line is longer than ``CaptureReader/longestLine``.
  public static func lineTooLong(line: Int) -> CaptureError {
    CaptureError(
      .lineTooLong, line: line, column: CaptureReader.longestLine + 1,
      "the line is longer than \(CaptureReader.longestLine) bytes")
  }
}

extension CaptureError: CustomStringConvertible {}
