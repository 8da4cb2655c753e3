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
public enum Lane: Hashable, Sendable {
  /// What makes the ball move or stop.
  case motion
  /// The colour of the ball.
  case color
  /// The tail light.
  case tailLight
  /// Which sensors stream.
  case stream
}

extension Request {
  /// A request may be repeated unless its type says otherwise.
  public static var delivery: Delivery { .repeatable }
  /// A request replaces no other unless its type says otherwise.
  public static var lane: Lane? { nil }
}

// What repeats differently. Sphero API 1.50 describes each as an action, not as a setting.

// A heading counts from the orientation at the moment of execution.
extension Motion.SetHeading { public static var delivery: Delivery { .once } }
extension Motion.SelfLevel {
  public static var delivery: Delivery { .once }
  public static var lane: Lane? { .motion }
}
extension Core.Sleep { public static var delivery: Delivery { .once } }
// Both carry the time at which they were first sent.
extension Core.AssignTime { public static var delivery: Delivery { .once } }
extension Core.PollPacketTimes { public static var delivery: Delivery { .once } }
extension Bootloader.JumpToBootloader { public static var delivery: Delivery { .once } }
extension Bootloader.LeaveBootloader { public static var delivery: Delivery { .once } }
extension Macros.RunMacro { public static var delivery: Delivery { .once } }
extension Macros.SaveTemporaryMacro { public static var delivery: Delivery { .once } }
extension Macros.SaveMacro { public static var delivery: Delivery { .once } }
extension Macros.AppendMacroChunk { public static var delivery: Delivery { .once } }
extension OrbBasic.AppendFragment { public static var delivery: Delivery { .once } }
extension OrbBasic.Execute { public static var delivery: Delivery { .once } }
extension OrbBasic.SubmitInput { public static var delivery: Delivery { .once } }
extension Soul.RefillBank { public static var delivery: Delivery { .once } }
extension Soul.BuyConsumable { public static var delivery: Delivery { .once } }
extension Soul.UseConsumable { public static var delivery: Delivery { .once } }
extension Soul.GrantCores { public static var delivery: Delivery { .once } }
extension Soul.AddXP { public static var delivery: Delivery { .once } }
extension Soul.LevelUpAttribute { public static var delivery: Delivery { .once } }

// What replaces each other.

extension Motion.Roll { public static var lane: Lane? { .motion } }
extension Motion.Boost { public static var lane: Lane? { .motion } }
extension Motion.SetRawMotors { public static var lane: Lane? { .motion } }
extension Lights.SetRGBLED { public static var lane: Lane? { .color } }
extension Lights.SetBackLED { public static var lane: Lane? { .tailLight } }
extension Sensing.SetDataStreaming { public static var lane: Lane? { .stream } }
