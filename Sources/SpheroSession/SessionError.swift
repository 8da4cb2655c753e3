// Why a robot did not do what it was asked: three families, told apart.

public import SpheroProtocol

/// Why a request failed.
///
/// What goes wrong with the line itself is a `LinkError`, what does not fit the wire a `WireError`.
public enum SessionError: Error, Hashable, Sendable {
  /// The robot refused the command.
  case refused(command: String, status: Status)
  /// No answer came in time; `hasEverAnswered` tells a robot that went silent from one that was never there.
  case timedOut(command: String, hasEverAnswered: Bool)
  /// The answer does not fit the command.
  case malformed(command: String, WireError)
  /// The request can do harm, and that was not accepted.
  case hazardous(command: String, hazard: String)
  /// 255 requests wait for an answer already.
  case tooManyRequests
  /// The stream was asked for again and again, but no samples come.
  case silentStream
  /// The stream asks for what no robot can send.
  case invalidStream(String)
}

extension SessionError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .refused(let command, let status): "the robot refused \(command): \(status.name)"
    case .timedOut(let command, true): "the robot did not answer \(command) in time"
    case .timedOut(let command, false): "no robot answers (\(command) was sent)"
    case .malformed(let command, let error): "the robot's answer to \(command) makes no sense: \(error)"
    case .hazardous(let command, let hazard): "\(command) can do harm: \(hazard)"
    case .tooManyRequests: "too many requests wait for an answer"
    case .silentStream: "the robot accepted the stream, but sends no samples"
    case .invalidStream(let reason): reason
    }
  }
}
