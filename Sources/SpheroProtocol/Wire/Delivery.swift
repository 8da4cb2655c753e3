// Whether a request may be sent again, and which commands replace each other.

/// Whether a request may be sent again where its answer stays away.
public enum Delivery: Hashable, Sendable {
  /// Executing it twice is the same as executing it once.
  case repeatable
  /// Executing it twice does something else: an appended chunk, a purchase, a start.
  case once
}

/// A lane of commands that set the same thing: only the newest one counts.
///
/// A newer command replaces one of its lane that still waits, and ends the repetition of one that was sent.
public struct Lane: Hashable, Sendable {
  /// The name as a number (FNV-1a), since lanes are only compared, and often.
  private let number: UInt64
  /// Names a lane; commands whose lanes have the same name replace each other.
  public init(_ name: String) {
    number = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
  /// What makes the ball move or stop.
  public static let motion = Lane("motion")
  /// The colour of the ball.
  public static let color = Lane("color")
  /// The tail light.
  public static let tailLight = Lane("tailLight")
  /// Which sensors stream.
  public static let stream = Lane("stream")
}

extension Request {
  /// A request may be repeated unless its type says otherwise.
  public static var delivery: Delivery { .repeatable }
  /// A request replaces no other unless its type says otherwise.
  public static var lane: Lane? { nil }
}

/// A request that must not be repeated: executing it twice does something else.
///
/// Sphero API 1.50 describes each as an action, not as a setting.
public protocol NonIdempotentRequest: Request {}

extension NonIdempotentRequest {
  /// It is sent once.
  public static var delivery: Delivery { .once }
}

// A heading counts from the orientation at the moment of execution.
extension Motion.SetHeading: NonIdempotentRequest {}
extension Motion.SelfLevel: NonIdempotentRequest {}
extension Core.Sleep: NonIdempotentRequest {}
// Both carry the time at which they were first sent.
extension Core.AssignTime: NonIdempotentRequest {}
extension Core.PollPacketTimes: NonIdempotentRequest {}
extension Bootloader.JumpToBootloader: NonIdempotentRequest {}
extension Bootloader.LeaveBootloader: NonIdempotentRequest {}
extension Macros.RunMacro: NonIdempotentRequest {}
extension Macros.SaveTemporaryMacro: NonIdempotentRequest {}
extension Macros.SaveMacro: NonIdempotentRequest {}
extension Macros.AppendMacroChunk: NonIdempotentRequest {}
extension OrbBasic.AppendFragment: NonIdempotentRequest {}
extension OrbBasic.Execute: NonIdempotentRequest {}
extension OrbBasic.SubmitInput: NonIdempotentRequest {}
extension Soul.RefillBank: NonIdempotentRequest {}
extension Soul.BuyConsumable: NonIdempotentRequest {}
extension Soul.UseConsumable: NonIdempotentRequest {}
extension Soul.GrantCores: NonIdempotentRequest {}
extension Soul.AddXP: NonIdempotentRequest {}
extension Soul.LevelUpAttribute: NonIdempotentRequest {}

/// A command that makes the ball move or stop: a newer one replaces it.
public protocol InMotionLane: Request {}

extension InMotionLane {
  /// The lane of motion.
  public static var lane: Lane? { .motion }
}

extension Motion.Roll: InMotionLane {}
extension Motion.Boost: InMotionLane {}
extension Motion.SetRawMotors: InMotionLane {}
extension Motion.SelfLevel: InMotionLane {}

extension Lights.SetRGBLED {
  /// The lane of the colour.
  public static var lane: Lane? { .color }
}
extension Lights.SetBackLED {
  /// The lane of the tail light.
  public static var lane: Lane? { .tailLight }
}
extension Sensing.SetDataStreaming {
  /// The lane of the stream.
  public static var lane: Lane? { .stream }
}
