// What a page has to hear: lines of JSON, bounded.

import SpheroProtocol

/// Lines that wait for the page; where it does not take them, all that wait are dropped, and their number is reported.
struct NewsQueue: Sendable {
  /// The bytes that wait at most.
  static let capacity = 1 << 20
  private var lines: [UInt8] = []
  private var dropped = 0

  /// Adds a line, without its end.
  mutating func append(_ line: [UInt8]) {
    if lines.count + line.count >= Self.capacity {
      dropped += lines.count { $0 == UInt8(ascii: "\n") }
      lines = []
    }
    lines += line
    lines.append(UInt8(ascii: "\n"))
  }

  /// Adds an object.
  mutating func append(_ fields: [Field]) {
    var line: [UInt8] = []
    JSON.append(fields, to: &line)
    append(line)
  }

  /// Takes all lines.
  mutating func take() -> [UInt8] {
    defer { (lines, dropped) = ([], 0) }
    guard dropped > 0 else { return lines }
    var told: [UInt8] = []
    JSON.append(
      [
        Field("kind", .text("notice")), Field("notice", .text("dropped")),
        Field("message", .text("\(dropped) lines of news were dropped: the page did not take them")),
        Field("weight", .text("warning")),
      ], to: &told)
    return told + [UInt8(ascii: "\n")] + lines
  }
}
