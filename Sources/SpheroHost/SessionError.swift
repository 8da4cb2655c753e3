// Errors of requests and streams, and what the line delivered before a timeout.

public import SpheroProtocol

/// An error of a request or a stream.
///
/// A payload that cannot be encoded is a `WireError`; an error of the line itself has the transport's own type.
/// The `command` of a case is the name of the request, like `Core.Ping`.
@nonexhaustive public enum SessionError: Error, Hashable, Sendable {
  /// The robot answered with an error status.
  case refused(command: String, status: Status)
  /// The robot did not answer in time.
  ///
  /// `attempts` is the number of times it was sent; nil for the request of a stream, which is repeated without a limit.
  /// `hasEverAnswered` distinguishes a robot that became silent from a line on which no robot ever answered.
  /// `received` is what arrived instead of the answer; nil for the request of a stream.
  case timedOut(command: String, attempts: Int? = nil, hasEverAnswered: Bool, received: LineActivity? = nil)
  /// The robot did not answer a command that must not be sent twice. It may or may not have executed it.
  case unconfirmed(command: String)
  /// The robot answered in time, but the answer does not decode as the response of this command.
  case malformed(command: String, WireError)
  /// A newer command replaced this one before it was sent or answered.
  case superseded(command: String)
  /// The session is closing, and sends nothing more from the program.
  case leaving
  /// The line was lost before the answer arrived.
  case disconnected(command: String)
  /// The command can do harm, which `hazard` describes, and the program did not accept that.
  case hazardous(command: String, hazard: String)
  /// The queue of requests is full.
  case tooManyRequests
  /// The other end of the line does not answer like a robot.
  case notConnected(Handshake.Finding)
  /// The robot accepted the stream but has never sent a sample, or the line was reopened several times without one.
  case silentStream
  /// The sensor packets have `payloadCount` bytes, but the requested fields need `expected`.
  case mismatchedStream(payloadCount: Int, expected: Int)
  /// No robot can send the requested stream; the text is a sentence without a full stop.
  case invalidStream(String)
}

extension SessionError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { advice.map { "\(message). \($0)" } ?? message }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .refused(let command, let status): "the robot refused \(command): \(status.name)"
    case .timedOut(let command, let attempts, let hasEverAnswered, let received):
      Self.timeoutMessage(command, attempts, hasEverAnswered) + (received.map { "; \($0)" } ?? "")
    case .unconfirmed(let command):
      "the robot did not answer \(command), so it is not known whether it was executed; it was sent once"
    case .malformed(let command, let error): "the robot's answer to \(command) is malformed: \(error)"
    case .superseded(let command): "\(command) was replaced by a newer command"
    case .leaving: "the session is closed; nothing more is sent"
    case .disconnected(let command): "the link was lost before the robot answered \(command)"
    case .hazardous(let command, let hazard):
      // `description` adds the full stop.
      "\(command) can do harm: \(Substring(hazard.utf8.dropLast(hazard.utf8.last == 0x2E ? 1 : 0)))"
    case .tooManyRequests: "too many requests wait to be sent"
    case .notConnected(let finding): finding.description
    case .silentStream: "the robot accepted the stream, but sends no samples"
    case .mismatchedStream(let count, let expected):
      "the robot's sensor packets have \(count) bytes of values instead of the requested \(expected)"
    case .invalidStream(let reason): reason
    }
  }

  private static func timeoutMessage(_ command: String, _ attempts: Int?, _ hasEverAnswered: Bool) -> String {
    let count = attempts.map { $0 == 1 ? " once" : " \($0) times" }
    guard hasEverAnswered else { return "no robot answers (\(command) was sent\(count ?? ""))" }
    return "the robot did not answer \(command) in time" + (count.map { "; it was sent\($0)" } ?? "")
  }

  /// The next step; nil if there is none.
  public var advice: String? {
    switch self {
    case .refused(Macros.SaveMacro.name, .failedToExecute):
      "It has a macro with this number, or no room: use another number, or erase all with Macros.ReinitMacroExecutive."
    case .refused(Sensing.SetDataStreaming.name, .badParameter):
      "Check divisor, frames and mask; a replay has only the streams of its recording."
    case .refused(_, let status): status.advice
    case .timedOut(_, _, let hasEverAnswered, _):
      hasEverAnswered ? "Move closer to the robot, or allow more time." : Handshake.Finding.wake
    case .unconfirmed: "See what the robot did before you send it again."
    case .malformed: "Its firmware may be older or newer than the documents."
    case .superseded, .invalidStream: nil
    case .leaving: "Connect again."
    case .disconnected: "Wake the robot and try again."
    case .hazardous: "Accept the hazard to send it anyway."
    case .tooManyRequests: "Await answers before you send more."
    case .notConnected(let finding): finding.advice
    case .silentStream: "Move closer and wake it, or request fewer fields."
    case .mismatchedStream:
      "Request fields that its firmware knows, of a recording the recorded ones, and end other programs that stream."
    }
  }

  /// Whether the answer was lost or damaged on a link that may still be open: another attempt may succeed.
  package var isLinkError: Bool {
    switch self {
    case .timedOut, .unconfirmed: true
    case .refused(_, let status): status.isLinkError
    default: false
    }
  }

  /// Whether the robot has answered with a payload that the command does not have.
  package var isMalformed: Bool { if case .malformed = self { true } else { false } }
}

/// What a line delivered while a request waited for its answer, for the error of its timeout.
public struct LineActivity: Hashable, Sendable {
  /// The kind of a received packet.
  public enum PacketKind: String, Hashable, Sendable {
    case response = "an answer"
    case sensorData = "sensor data"
    /// Another packet that the robot sends by itself.
    case event = "an event"
  }

  /// The last packet with a correct checksum.
  public struct LastPacket: Hashable, Sendable {
    /// The kind of the packet.
    public let kind: PacketKind
    /// The time since its arrival.
    public let age: Duration
  }

  /// The number of bytes received since the request was sent for the first time.
  public let bytes: Int
  /// The last intact packet, which may have arrived before the request was sent; nil if there was none on this line.
  public let lastPacket: LastPacket?
}

extension LineActivity: CustomStringConvertible {
  /// A clause like `48 bytes arrived meanwhile, and the last intact packet, sensor data, 0.02 s ago`.
  public var description: String {
    let count = bytes == 0 ? "no byte" : "\(bytes) byte\(bytes == 1 ? "" : "s")"
    guard let lastPacket else { return "\(count) arrived meanwhile" }
    let (kind, age) = (lastPacket.kind.rawValue, lastPacket.age.secondsText)
    return "\(count) arrived meanwhile, and the last intact packet, \(kind), \(age) ago"
  }
}
