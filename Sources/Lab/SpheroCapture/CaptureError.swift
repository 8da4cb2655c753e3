// Errors in the text of a capture.

/// An error in the text of a capture; lines and columns count from 1, columns in bytes.
@nonexhaustive public enum CaptureError: Error, Hashable, Sendable {
  /// The text is `seen` instead of `expected`; both are descriptions.
  case unexpected(_ seen: String, expected: String, line: Int, column: Int)
  /// A sequence of hexadecimal digits has an odd length.
  case oddDigits(_ digits: String, line: Int, column: Int)
  /// A row of a dump begins at the offset `seen`, but `expected` follows the previous row.
  case wrongOffset(_ seen: Int, expected: Int, line: Int, column: Int)
  /// The line is longer than ``CaptureReader/longestLine``.
  case lineTooLong(line: Int)
}

extension CaptureError: CustomStringConvertible {
  /// The location and the error, without a full stop.
  public var description: String {
    let (line, column, message) = parts
    return "line \(line), column \(column): \(message)"
  }

  /// The line, from 1.
  public var line: Int { parts.line }

  /// The byte within the line, from 1.
  public var column: Int { parts.column }

  private var parts: (line: Int, column: Int, message: String) {
    switch self {
    case .unexpected(let seen, let expected, let line, let column):
      (line, column, "expected \(expected), saw \(seen)")
    case .oddDigits(let digits, let line, let column):
      (line, column, "'\(digits)' has an odd number of hexadecimal digits")
    case .wrongOffset(let seen, let expected, let line, let column):
      (
        line, column,
        "the row begins at \(String(seen, radix: 16)), but \(String(expected, radix: 16)) is due"
      )
    case .lineTooLong(let line):
      (line, CaptureReader.longestLine + 1, "the line is longer than \(CaptureReader.longestLine) bytes")
    }
  }
}
