// A request on its way: what to send, for whom, and how its answer is judged.

public import SpheroProtocol

/// Names a request of a conversation; never used twice.
public struct RequestID: Hashable, Sendable {
  let number: UInt64
}

/// A request as bytes, with what its type says about sending and answering.
public struct EncodedRequest: Sendable {
  /// DID and CID.
  public let command: CommandID
  /// The name in the catalogue.
  public let name: String
  /// The bytes between DLEN and CHK.
  public let payload: [UInt8]
  /// Whether it may be sent again.
  public let delivery: Delivery
  /// The commands that it replaces.
  public let lane: Lane?
  /// What it starts or ends that the session must know; nil where there is nothing.
  public let effect: RequestEffect?
  /// Why a payload cannot be the successful answer; nil where it can be.
  let misfit: @Sendable ([UInt8]) -> WireError?

  /// Encodes a request.
  ///
  /// - Throws: `WireError` where a value lies outside its range.
  public init<R: Request>(_ request: R) throws(WireError) {
    (command, name, payload) = (R.id, R.name, try request.payload())
    (delivery, lane, effect) = (R.delivery, R.lane, request.effect)
    misfit = { R.misfit(ofResponse: $0) }
  }

  /// Takes any command by its bytes; it is sent once, and every answer fits.
  ///
  /// - Parameters:
  ///   - command: DID and CID.
  ///   - name: What to call it in errors.
  ///   - payload: The bytes between DLEN and CHK.
  /// - Throws: `WireError` where the payload does not fit a packet.
  public init(_ command: CommandID, name: String, payload: [UInt8]) throws(WireError) {
    _ = try Packet.command(CommandPacket(id: command, sequence: 0, payload: payload)).encoded()
    (self.command, self.name, self.payload) = (command, name, payload)
    (delivery, lane, effect) = (.once, nil, RequestEffect(of: command, payload: payload))
    misfit = { _ in nil }
  }
}

extension EncodedRequest {
  /// Whether it stops the ball: it goes ahead of all else.
  var isStop: Bool { if case .stop = effect { true } else { false } }

  /// Whether it may set the ball in motion.
  var moves: Bool { effect?.moves ?? false }
}

/// A request that waits to be sent or answered.
struct PendingRequest: Sendable {
  /// Why the request is sent, and so who hears of its end.
  enum Purpose: Hashable, Sendable {
    /// The program asked for it.
    case program(RequestID)
    /// The program asked for it and wants no answer.
    case posted(RequestID)
    /// Connecting: is there a robot?
    case handshake
    /// The stream of an epoch is begun or renewed.
    case stream(epoch: Int)
    /// The session's own: nobody waits for the end.
    case housekeeping
    /// What a lost line left rolling is stopped, in this order.
    case stopping
    /// The newest set-point of a drive.
    case setPoint
    /// A ping that keeps the robot awake.
    case keepAlive
    /// The permanent options decide whether a motion time-out is set.
    case motionOptions
    /// Leaving undoes what was begun.
    case undoing
  }

  let purpose: Purpose
  let encoded: EncodedRequest
  /// Goes ahead of all that waits, and is not held back by the pace.
  var isUrgent = false
  let timeout: Duration
  var attemptsLeft: Int
  /// How often it was sent.
  var attempts = 0
  /// A newer command of its lane took its place, so it is not sent again.
  var wasSuperseded = false

  var lane: Lane? { encoded.lane }
}
