// Why a robot did not do what it was asked.

public import SpheroProtocol

/// Why a request or a stream failed.
///
/// What does not fit the wire is a `WireError`; what goes wrong with the line itself, the transport's own error.
public enum SessionError: Error, Hashable, Sendable {
  /// The robot refused the command.
  case refused(command: String, status: Status)
  /// No answer came in time; `hasEverAnswered` tells a robot that went silent from one that was never there.
  case timedOut(command: String, hasEverAnswered: Bool)
  /// No answer came to a command that must not be repeated, so it is not known whether it was executed.
  case unconfirmed(command: String)
  /// An answer came in time, but it does not fit the command.
  case malformed(command: String, WireError)
  /// A newer command of the same lane took its place before it was sent or answered.
  case superseded(command: String)
  /// The program is leaving: nothing more is sent.
  case leaving
  /// The line was lost before the answer came.
  case disconnected(command: String)
  /// The request can do harm, and that was not accepted.
  case hazardous(command: String, hazard: String)
  /// Too many requests wait to be sent.
  case tooManyRequests
  /// What is at the other end of the line does not answer as a robot does.
  case notConnected(Handshake.Finding)
  /// The stream was accepted, but no samples come, or they stopped coming.
  case silentStream
  /// The stream asks for what no robot can send.
  case invalidStream(String)
}

extension SessionError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .refused(let command, let status):
      "the robot refused \(command): \(status.name)"
    case .timedOut(let command, true): "the robot did not answer \(command) in time"
    case .timedOut(let command, false): "no robot answers (\(command) was sent)"
    case .unconfirmed(let command):
      "the robot did not answer \(command), so it is not known whether it was executed; it was sent once"
    case .malformed(let command, let error): "the robot's answer to \(command) makes no sense: \(error)"
    case .superseded(let command): "\(command) was replaced by a newer command"
    case .leaving: "the program is leaving; nothing more is sent"
    case .disconnected(let command): "the link was lost before the robot answered \(command)"
    case .hazardous(let command, let hazard): "\(command) can do harm: \(hazard)"
    case .tooManyRequests: "too many requests wait to be sent"
    case .notConnected(let finding): finding.description
    case .silentStream: "the robot accepted the stream, but sends no samples"
    case .invalidStream(let reason): reason
    }
  }
}
