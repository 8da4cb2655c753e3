// Why a recording cannot be replayed, or no further.

import SpheroProtocol

/// Why a recording cannot be replayed, or no further.
public enum ReplayError: Error, Hashable, Sendable {
  /// The host sent something else than was recorded; `expected` is nil where the recording has no more commands.
  case unexpected(seen: [UInt8], expected: [UInt8]?)
  /// Lines are missing in the recording, so it cannot be replayed strictly; the mark says where.
  case incomplete(CaptureMark)
  /// The recording holds nothing that could be replayed.
  case empty
  /// The file is longer than this many bytes.
  case tooLong(limit: Int)
}

extension ReplayError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .unexpected(let seen, let expected):
      "the recording does not go on like this: expected "
        + (expected.map(Self.sentence) ?? "no more commands") + ", saw " + Self.sentence(seen)
    case .incomplete(let mark): "the recording is incomplete, so it cannot be replayed strictly: \(mark)"
    case .empty: "the recording holds nothing to replay"
    case .tooLong(let limit): "the recording is longer than \(limit) bytes"
    }
  }

  /// The packets among the bytes, with their meaning.
  private static func sentence(_ bytes: [UInt8]) -> String {
    var dissector = Dissector()
    let items = dissector.append(bytes, from: .host) + dissector.finish()
    return items.map { "\($0.meaning) (\(Hexadecimal.text($0.bytes)))" }.joined(separator: ", ")
  }
}
