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
  /// - Throws: ``CaptureError`` with the column of what is not a capture; its line is 1.
  public init(parsing text: String) throws(CaptureError) {
    var scanner = LineScanner(Array(text.utf8)[...], line: 1)
    var bytes: [UInt8] = []
    let (time, sender) = try scanner.captureLine(into: &bytes)
    self.init(time: time, from: sender, bytes: bytes)
  }
}

extension CaptureLine: CustomStringConvertible {
  /// The line as text; the time is rounded to microseconds.
  public var description: String {
    let start = time.map { $0.text(digits: 6) + " " } ?? ""
    return "\(start)\(sender.mark) \(Hexadecimal.text(bytes))"
  }
}
