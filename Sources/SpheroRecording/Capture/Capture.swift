// The capture format: what crossed the line, one read or packet per line of text.

public import SpheroProtocol

/// A line of a capture: bytes of one direction, and when they were seen.
///
/// As text it is `0.031000 < FF FF 00 07 01 F7`: seconds, `>` for host to robot or `<` for robot to host, bytes.
/// The time may be missing. Lines that are empty or begin with `#` are comments.
public struct CaptureLine: Hashable, Sendable {
  /// Time since the capture began, or nil where it was not noted.
  public var time: Duration?
  /// Who sent the bytes.
  public var sender: Sender
  /// The bytes, which need not be whole packets.
  public var bytes: [UInt8]

  /// Makes a line from its parts.
  public init(time: Duration? = nil, from sender: Sender, bytes: [UInt8]) {
    (self.time, self.sender, self.bytes) = (time, sender, bytes)
  }

  /// Reads one line of a capture.
  ///
  /// - Parameter text: Like `0.031 < FF FF 00 07 01 F7`; the bytes may also be `0xFF,0xFF` or `ffff`.
  /// - Throws: ``CaptureError`` with the column of what is no capture; its line is 1.
  public init(parsing text: String) throws(CaptureError) {
    var scanner = LineScanner(Array(text.utf8)[...], line: 1)
    self = try scanner.captureLine()
  }
}

extension CaptureLine: CustomStringConvertible {
  /// The line as text; the time is rounded to microseconds.
  public var description: String {
    let start = time.map { $0.text(digits: 6) + " " } ?? ""
    return "\(start)\(sender.mark) \(Hexadecimal.text(bytes))"
  }
}

/// Why a text is no capture: where, and what was seen.
public struct CaptureError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// Something else was due.
    case expected(String, seen: String)
    /// A byte has two hexadecimal digits.
    case oddDigits(String)
    /// The row of a dump does not follow the one before.
    case wrongOffset(Int, expected: Int)
    /// The line is longer than ``CaptureReader/longestLine``.
    case lineTooLong
  }

  /// The line, counted from 1.
  public var line: Int
  /// The byte within the line, counted from 1.
  public var column: Int
  /// What is wrong.
  public var problem: Problem

  /// Makes an error from its parts.
  public init(line: Int, column: Int, problem: Problem) {
    (self.line, self.column, self.problem) = (line, column, problem)
  }
}

extension CaptureError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    let sentence =
      switch problem {
      case .expected(let what, let seen): "expected \(what), saw \(seen)"
      case .oddDigits(let digits): "'\(digits)' has an odd number of hexadecimal digits"
      case .wrongOffset(let offset, let expected):
        "the row begins at \(String(offset, radix: 16)), but \(String(expected, radix: 16)) is due"
      case .lineTooLong: "the line is longer than \(CaptureReader.longestLine) bytes"
      }
    return "line \(line), column \(column): \(sentence)"
  }
}
