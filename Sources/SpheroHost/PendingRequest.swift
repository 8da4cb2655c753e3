// A request between the program and the wire: its bytes, its owner, and the check of its answer.

public import SpheroProtocol

/// Identifies a request of a conversation; never reused.
public struct RequestID: Hashable, Sendable {
  let number: UInt64
}

/// A request as bytes, with the delivery rules of its type.
public struct EncodedRequest: Sendable {
  /// DID and CID.
  public let command: CommandID
  /// The name in the catalogue.
  public let name: String
  /// The bytes between DLEN and CHK.
  public let payload: [UInt8]
  /// Whether the session may send it again after a loss.
  public let delivery: Delivery
  /// The group of commands of which only the newest counts; nil if it replaces none.
  public let lane: Lane?
  /// The effect that the session must undo or guard against; nil without one.
  public let effect: RequestEffect?
  /// The reason why a payload cannot be the successful answer; nil if it can.
  let mismatch: @Sendable ([UInt8]) -> WireError?

  /// Encodes a request.
  ///
  /// - Throws: `WireError` if a value is out of range.
  public init<R: Request>(_ request: R) throws(WireError) {
    (command, name, payload) = (R.id, R.name, try request.payload())
    (delivery, lane, effect) = (R.delivery, R.lane, request.effect)
    mismatch = { R.misfit(ofResponse: $0) }
  }

  /// Wraps the bytes of any command. It is sent once, and every answer is accepted.
  ///
  /// - Parameters:
  ///   - command: DID and CID.
  ///   - name: The name in error messages.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Throws: `WireError` if the payload does not fit a packet.
  public init(_ command: CommandID, name: String, payload: [UInt8]) throws(WireError) {
    _ = try Packet.command(CommandPacket(id: command, sequence: 0, payload: payload)).encoded()
    (self.command, self.name, self.payload) = (command, name, payload)
    (delivery, lane, effect) = (.once, nil, RequestEffect(of: command, payload: payload))
    mismatch = { _ in nil }
  }

  /// Whether it stops the ball.
  var isStop: Bool { if case .stop = effect { true } else { false } }

  /// Whether it may set the ball in motion.
  var moves: Bool { effect?.moves ?? false }
}

/// A request that waits to be sent or answered.
struct PendingRequest: Sendable {
  /// The owner of the request, which determines how its end is handled.
  enum Purpose: Hashable, Sendable {
    /// A request of the program.
    case program(RequestID)
    /// A command of the program that requests no answer.
    case posted(RequestID)
    /// A ping of the handshake.
    case handshake
    /// The start or renewal of the stream of an epoch.
    case stream(epoch: Int)
    /// A request of the session whose end has no consequence.
    case housekeeping
    /// A command that stops, in order, what a lost line left moving.
    case stopping
    /// The newest set-point of a drive.
    case setPoint
    /// A ping that keeps the robot awake.
    case keepAlive
    /// The query whether the robot's motion timeouts are enabled.
    case motionOptions
    /// A cleanup command of the shutdown.
    case shutdown
  }

  let purpose: Purpose
  let encoded: EncodedRequest
  /// Whether it precedes ordinary requests and ignores the rate limit.
  var isUrgent = false
  let timeout: Duration
  let maximumAttempts: Int
  /// The number of times it was sent.
  var attempts = 0
  /// Whether a newer command of its lane has replaced it, which ends its retries.
  var wasSuperseded = false

  var lane: Lane? { encoded.lane }

  /// Whether it is sent again after a loss.
  var mayRepeat: Bool { attempts < maximumAttempts && !wasSuperseded && encoded.delivery == .repeatable }
}
