// Why a text is not a capture.

/// An error in the text of a capture; lines and columns count from 1, columns in bytes.
@nonexhaustive public enum CaptureError: Error, Hashable, Sendable {
  /// The text at this place is `seen` instead of `expected`, both described in words.
  case unexpected(_ seen: String, expected: String, line: Int, column: Int)
  /// A run of hexadecimal digits is odd, but each byte has two.
  case oddDigits(_ digits: String, line: Int, column: Int)
  /// A row of a dump begins at the offset `seen`, but `expected` follows the row before.
  case wrongOffset(_ seen: Int, expected: Int, line: Int, column: Int)
  /// The line is longer than ``CaptureReader/longestLine``.
  case lineTooLong(line: Int)
}

extension CaptureError: CustomStringConvertible {
  /// One sentence without a full stop: the place, and what is wrong there.
  public var description: String { "line \(line), column \(column): \(message)" }

  private var message: String {
    switch self {
    case .unexpected(let seen, let expected, _, _): "expected \(expected), saw \(seen)"
    case .oddDigits(let digits, _, _): "'\(digits)' has an odd number of hexadecimal digits"
    case .wrongOffset(let seen, let expected, _, _):
      "the row begins at \(String(seen, radix: 16)), but \(String(expected, radix: 16)) is due"
    case .lineTooLong: "the line is longer than \(CaptureReader.longestLine) bytes"
    }
  }

  /// The line, from 1.
  public var line: Int {
    switch self {
    case .unexpected(_, _, let line, _), .oddDigits(_, let line, _), .wrongOffset(_, _, let line, _),
      .lineTooLong(let line):
      line
    }
  }

  /// The byte within the line, from 1.
  public var column: Int {
    switch self {
    case .unexpected(_, _, _, let column), .oddDigits(_, _, let column), .wrongOffset(_, _, _, let column):
      column
    case .lineTooLong: CaptureReader.longestLine + 1
    }
  }
}
