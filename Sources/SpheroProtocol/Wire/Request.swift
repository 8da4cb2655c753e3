// Requests: messages to the robot with a typed response, and what a session must know about each.

/// A message to the robot with a typed response: a ``Command`` or a ``HazardousCommand``.
public protocol Request: Message {
  /// The payload of a successful response.
  associatedtype Response: Message = Acknowledgement
  /// The device and command bytes: DID and CID.
  static var id: CommandID { get }
  /// The name in output and errors; a message of your own declares it.
  static var name: String { get }
  /// Whether the request may be sent again after a timeout; `.atLeastOnce` by default.
  static var delivery: Delivery { get }
  /// The key of the state that the request sets: a newer request with the same key replaces an older one; nil by default.
  static var coalescingKey: CoalescingKey? { get }
  /// The effect on the robot that a session must track; nil by default.
  var effect: RequestEffect? { get }
  /// The ``HazardousCommand/hazard``; nil for a ``Command``.
  static var optionalHazard: String? { get }
}

/// A request whose changes are visible and reversible.
public protocol Command: Request {}

/// A request that can change the robot permanently; the sender must accept the hazard.
///
/// A session does not accept it in place of a ``Command``.
public protocol HazardousCommand: Request {
  /// The damage that the request can do, in one sentence.
  static var hazard: String { get }
}

/// A request that must not be repeated, since a second execution has a second effect.
public protocol NonIdempotentRequest: Request {}

/// Whether a request may be sent again if its response does not arrive.
public enum Delivery: Hashable, Sendable {
  /// Executing the request twice has the same effect as executing it once.
  case atLeastOnce
  /// A second execution appends data again, restarts a program, or spends cores (points of a game) again.
  case atMostOnce
}

/// A key of requests that set the same state, of which only the newest counts: it replaces a queued one with its key,
/// and stops the retransmission of one that was sent.
public struct CoalescingKey: Hashable, Sendable {
  private let name: String
  /// Creates the key with this name; equal names are the same key.
  public init(_ name: String) { self.name = name }
  /// Requests that move or stop the ball.
  public static let motion = CoalescingKey("motion")
  /// The colour of the ball.
  public static let color = CoalescingKey("color")
  /// The tail light.
  public static let tailLight = CoalescingKey("tailLight")
  /// The sensor stream.
  public static let stream = CoalescingKey("stream")
}

/// The effect of a request that a session tracks; it undoes most effects when it closes.
///
/// A session sends an abort or a stop before all other requests, and discards the motion that is queued.
public enum RequestEffect: Hashable, Sendable {
  /// The ball rolls on a heading, in degrees.
  case roll(heading: UInt16)
  /// The ball stops on a heading, in degrees.
  case stop(heading: UInt16)
  /// The motors run without a heading; the control system is on if `isStabilized`.
  case drive(isStabilized: Bool)
  /// A program starts inside the robot, and may move the ball; some programs stop the ball when the link drops.
  case runProgram(stopsOnDisconnect: Bool = false)
  /// A program inside the robot ends.
  case abortProgram
  /// The present orientation becomes a heading, in degrees.
  case aim(heading: UInt16)
  case stabilization(Motion.SetStabilization.Mode)
  case collisionDetection(isOn: Bool)
  case powerNotification(isOn: Bool)

  package var moves: Bool {
    switch self {
    case .roll, .drive, .runProgram: true
    default: false
    }
  }

  /// The command "Move" (Sphero API 1.50 lists its name, and no layout).
  private static let moveID = CommandID(0x02, 0x32)

  /// The effect of a command that is known only as bytes, or nil. A malformed roll counts as a program: it may move the ball.
  package init?(of command: CommandID, payload: [UInt8]) {
    let effect: RequestEffect? =
      switch command {
      case Motion.Roll.id: (try? Motion.Roll(payload: payload))?.effect ?? .runProgram()
      case Motion.Boost.id: Motion.Boost().effect
      case Motion.SetRawMotors.id: Motion.SetRawMotors().effect
      case Macros.RunMacro.id, OrbBasic.Execute.id, Self.moveID: .runProgram()
      case Macros.SaveMacro.id: Macros.SaveMacro(macro: payload).effect
      case Macros.AbortMacro.id, OrbBasic.Abort.id: .abortProgram
      case Motion.SetHeading.id: (try? Motion.SetHeading(payload: payload))?.effect
      case Motion.SetStabilization.id: (try? Motion.SetStabilization(payload: payload))?.effect
      case Motion.SelfLevel.id: (try? Motion.SelfLevel(payload: payload))?.effect
      case Sensing.ConfigureCollisionDetection.id:
        (try? Sensing.ConfigureCollisionDetection(payload: payload))?.effect
      case Core.SetPowerNotification.id: (try? Core.SetPowerNotification(payload: payload))?.effect
      default: nil
      }
    guard let effect else { return nil }
    self = effect
  }
}

extension Request {
  /// The name in the catalogue, like `Motion.Roll`; the ID if the catalogue does not list the request.
  public static var name: String { Catalogue.name(of: id) ?? "command \(id)" }
  public static var delivery: Delivery { .atLeastOnce }
  public static var coalescingKey: CoalescingKey? { nil }
  public var effect: RequestEffect? { nil }
  public static var optionalHazard: String? { nil }

  /// Name and fields: `Motion.Roll speed=128 heading=90° state=drive`.
  public var description: String { named(Self.name) }

  /// Decodes the bytes between DLEN and CHK as a robot does; throws also for bytes after the last field.
  public init(request payload: [UInt8]) throws(WireError) { try self.init(exactly: payload) }

  /// The packet with SEQ, which the response repeats, and the options of SOP2; throws if a value is out of range.
  public func packet(
    sequence: UInt8, options: CommandPacket.Options = .standard
  ) throws(WireError) -> CommandPacket {
    CommandPacket(id: Self.id, options: options, sequence: sequence, payload: try payload())
  }

  /// The reason why a payload cannot be the successful response to this request, or nil if it can. A record may be longer
  /// than its layout, since later firmware appends fields; a response without a layout must be empty.
  public static func mismatch(ofResponse payload: [UInt8]) -> WireError? {
    var reader = Reader(payload)
    do throws(WireError) { _ = try Response(from: &reader) } catch { return error }
    return reader.offset > 0 || payload.isEmpty ? nil : .excess(offset: 0, count: payload.count)
  }
}

extension HazardousCommand {
  public static var optionalHazard: String? { hazard }
}

extension NonIdempotentRequest {
  public static var delivery: Delivery { .atMostOnce }
}

/// The empty payload of a response that reports only that a command was executed.
public struct Acknowledgement: Message {
  public init() {}

  public var description: String { "executed" }
}

package protocol CommandVisitor {
  mutating func visit(_ command: some Command)
}

// Embedded Swift has no array of commands of several types.
#if !hasFeature(Embedded)
  struct CommandList: CommandVisitor {
    var commands: [any Command] = []

    mutating func visit(_ command: some Command) { commands.append(command) }
  }
#endif
