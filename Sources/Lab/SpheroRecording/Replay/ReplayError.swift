// Errors of replays.

public import SpheroCapture
import SpheroProtocol

@nonexhaustive public enum ReplayError: Error, Hashable, Sendable {
  /// The host sent `seen`, but the recording continues with `expected`; nil if it has no more commands.
  case unexpected(seen: [UInt8], expected: [UInt8]?)
  /// The mark states that lines are missing, so the recording cannot be replayed strictly.
  case incomplete(CaptureMark)
  case empty
  /// The file is longer than `limit` bytes.
  case tooLong(limit: Int)
}

extension ReplayError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// The error as one sentence without a full stop.
  public var message: String {
    switch self {
    case .unexpected(let seen, let expected):
      "the recording continues differently: expected "
        + (expected.map(Self.meaning) ?? "no more commands") + ", saw " + Self.meaning(of: seen)
    case .incomplete(let mark): "the recording is incomplete, so it cannot be replayed strictly: \(mark)"
    case .empty: "the recording holds nothing to replay"
    case .tooLong(let limit): "the recording is longer than \(limit) bytes"
    }
  }

  /// The next step for the user.
  public var advice: String {
    switch self {
    case .unexpected: "Send what was recorded, or replay it in the mode 'loose'."
    case .incomplete: "Replay it in the mode 'loose', or record it again."
    case .empty: "Record a conversation with a robot."
    case .tooLong: "Cut it into parts."
    }
  }

  /// The meaning and the bytes of each packet.
  private static func meaning(of bytes: [UInt8]) -> String {
    var dissector = Dissector()
    let items = dissector.append(bytes, from: .host) + dissector.finish()
    return items.map { "\($0.meaning) (\(Hexadecimal.text($0.bytes)))" }.joined(separator: ", ")
  }
}
