// Why a robot did not do what it was asked.

public import SpheroProtocol

/// Why a request or a stream failed.
///
/// What does not fit the wire is a `WireError`; what goes wrong with the line itself, the transport's own error.
/// `catch let error as SessionError where error.code == .refused` tells one kind from the others.
public struct SessionError: Error, Hashable, Sendable {
  /// What went wrong; later versions of the library may have more codes, so a switch has a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `timedOut`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The robot refused the command; ``SessionError/status`` says why.
    public static let refused = Code("refused")
    /// No answer came in time; ``SessionError/hasEverAnswered`` tells a robot that went silent from none.
    public static let timedOut = Code("timedOut")
    /// No answer came to a command that must not be repeated, so it is not known whether it was executed.
    public static let unconfirmed = Code("unconfirmed")
    /// An answer came in time, but it does not fit the command; ``SessionError/misfit`` says where.
    public static let malformed = Code("malformed")
    /// A newer command of the same lane took its place before it was sent or answered.
    public static let superseded = Code("superseded")
    /// The program is leaving: nothing more is sent.
    public static let leaving = Code("leaving")
    /// The line was lost before the answer came.
    public static let disconnected = Code("disconnected")
    /// The request can do harm, and that was not accepted.
    public static let hazardous = Code("hazardous")
    /// Too many requests wait to be sent.
    public static let tooManyRequests = Code("tooManyRequests")
    /// What is at the other end of the line does not answer as a robot does; ``SessionError/finding`` says what it does.
    public static let notConnected = Code("notConnected")
    /// The stream was accepted, but no samples come, and none ever came; or a line comes back again and again without any.
    public static let silentStream = Code("silentStream")
    /// The stream was accepted, but its packets have another length than those that were asked for.
    public static let misfitStream = Code("misfitStream")
    /// The stream asks for what no robot can send.
    public static let invalidStream = Code("invalidStream")
  }

  /// What went wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step; nil where there is none.
  public let advice: String?
  /// The name of the request; nil where none is concerned.
  public let command: String?
  /// What the robot answered, where it refused.
  public private(set) var status: Status?
  /// How often the request was sent, where it timed out; nil for a stream, whose request is repeated all the time.
  public private(set) var attempts: Int?
  /// Whether a robot has ever answered on this line, where a request timed out.
  public private(set) var hasEverAnswered: Bool?
  /// Why the answer does not fit, where it is malformed.
  public private(set) var misfit: WireError?
  /// What was found at the other end, where no robot answers.
  public private(set) var finding: Handshake.Finding?

  private init(_ code: Code, _ message: String, advice: String? = nil, command: String? = nil) {
    (self.code, self.message, self.advice, self.command) = (code, message, advice, command)
  }
}

extension SessionError: CustomStringConvertible {
  /// What went wrong, and the next step.
  public var description: String { advice.map { "\(message). \($0)" } ?? message }
}

extension SessionError {
  /// Whether no answer came, or one that the robot got something else: the link is to blame, and another try may do.
  package var isOfLink: Bool {
    switch code {
    case .timedOut, .unconfirmed: true
    case .refused: status?.isOfLink ?? false
    default: false
    }
  }

  /// The robot refused the command.
  public static func refused(command: String, status: Status) -> SessionError {
    var error = SessionError(
      .refused, "the robot refused \(command): \(status.name)",
      advice: status.advice, command: command)
    error.status = status
    return error
  }

  /// No answer came in time.
  ///
  /// - Parameters:
  ///   - command: The name of the request.
  ///   - attempts: How often it was sent; nil where nobody counts.
  ///   - hasEverAnswered: Tells a robot that went silent from one that was never there.
  /// - Returns: The error.
  public static func timedOut(
    command: String, attempts: Int? = nil, hasEverAnswered: Bool
  ) -> SessionError {
    let count = attempts.map { $0 == 1 ? " once" : " \($0) times" }
    var error =
      hasEverAnswered
      ? SessionError(
        .timedOut, "the robot did not answer \(command) in time" + (count.map { "; it was sent\($0)" } ?? ""),
        advice: "Move closer to the robot, or allow more time.", command: command)
      : SessionError(
        .timedOut, "no robot answers (\(command) was sent\(count ?? ""))", advice: Handshake.Finding.wake,
        command: command)
    (error.attempts, error.hasEverAnswered) = (attempts, hasEverAnswered)
    return error
  }

  /// No answer came to a command that must not be repeated, so it is not known whether it was executed.
  public static func unconfirmed(command: String) -> SessionError {
    SessionError(
      .unconfirmed,
      "the robot did not answer \(command), so it is not known whether it was executed; it was sent once",
      advice: "See what the robot did before you send it again.", command: command)
  }

  /// An answer came in time, but it does not fit the command.
  public static func malformed(command: String, _ misfit: WireError) -> SessionError {
    var error = SessionError(
      .malformed, "the robot's answer to \(command) is malformed: \(misfit)",
      advice: "Its firmware may be older or newer than the documents.", command: command)
    error.misfit = misfit
    return error
  }

  /// A newer command of the same lane took its place before it was sent or answered.
  public static func superseded(command: String) -> SessionError {
    SessionError(.superseded, "\(command) was replaced by a newer command", command: command)
  }

  /// The program is leaving: nothing more is sent.
  public static let leaving = SessionError(
    .leaving, "the program is leaving; nothing more is sent", advice: "Connect again.")

  /// The line was lost before the answer came.
  public static func disconnected(command: String) -> SessionError {
    SessionError(
      .disconnected, "the link was lost before the robot answered \(command)",
      advice: "Wake the robot and try again.", command: command)
  }

  /// The request can do harm, and that was not accepted.
  public static func hazardous(command: String, hazard: String) -> SessionError {
    SessionError(
      .hazardous, "\(command) can do harm: \(hazard)", advice: "Accept the hazard to send it anyway.",
      command: command)
  }

  /// Too many requests wait to be sent.
  public static let tooManyRequests = SessionError(
    .tooManyRequests, "too many requests wait to be sent", advice: "Await answers before you send more.")

  /// What is at the other end of the line does not answer as a robot does.
  public static func notConnected(_ finding: Handshake.Finding) -> SessionError {
    var error = SessionError(.notConnected, finding.description, advice: finding.advice)
    error.finding = finding
    return error
  }

  /// The stream was accepted, but no samples come, and none ever came; or a line comes back again and again without any.
  public static let silentStream = SessionError(
    .silentStream, "the robot accepted the stream, but sends no samples",
    advice: "Move closer and wake it, or request fewer fields.")

  /// The stream was accepted, but its packets have another length than those that were asked for.
  ///
  /// - Parameters:
  ///   - count: The payload bytes of the packets that come.
  ///   - expected: Those of the packets that were asked for.
  /// - Returns: The error.
  public static func misfitStream(payloadCount count: Int, expected: Int) -> SessionError {
    SessionError(
      .misfitStream,
      "the robot's sensor packets have \(count) bytes of values instead of the requested \(expected)",
      advice:
        "Its firmware may not know all of the fields: request fewer, and end other programs that stream."
    )
  }

  /// The stream asks for what no robot can send; the reason is a sentence without its full stop.
  public static func invalidStream(_ reason: String) -> SessionError { SessionError(.invalidStream, reason) }
}
