// Motion messages (DID 02h): heading, stabilization, rolling, motors.

/// Messages that move the robot (DID 02h).
public enum Motion {
  /// Assigns a heading to the present orientation, usually 0 at the end of aiming
  /// (Sphero API 1.50, "Set Heading").
  ///
  /// If the control system is on, the robot reacts at once. Firmware 3.10 and newer also re-arms ``Sensing/GyroLimit``.
  public struct SetHeading: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x01)
    /// New heading of the present orientation: degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    public var effect: RequestEffect? { .aim(heading: heading) }
    public init() {}
    public init(heading: UInt16) { self.heading = heading }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Switches the control system that keeps the robot upright and on its heading
  /// (Sphero API 1.50, "Set Stabilization").
  ///
  /// The system is on at power-up. While it is off, the motors are free, and the ball can serve as an input device.
  /// The command fails if the sensors do not work.
  public struct SetStabilization: Command {
    public static let id = CommandID(0x02, 0x02)
    /// The state of the control system.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// The motors are free.
      case off
      /// Stays upright; the heading is reset.
      case on
      /// Stays upright on the previous heading (firmware 0.95 and newer).
      case onWithoutReset
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .on: "on", .onWithoutReset: "onWithoutReset",
      ]
    }
    /// Mode of the control system.
    public var mode = Mode.on
    public var effect: RequestEffect? { .stabilization(mode) }
    public init() {}
    public init(mode: Mode) { self.mode = mode }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
  }

  /// Rolls on a heading at a speed, until the next motion command (Sphero API 1.50, "Roll").
  ///
  /// The robot does not stop automatically unless ``Settings/PermanentOptions/motionTimeouts`` is set.
  public struct Roll: Command {
    public static let id = CommandID(0x02, 0x30)
    /// The way in which the robot executes the command.
    public enum State: UInt8, WireNamed, CaseIterable {
      /// Brakes under control; the speed is ignored.
      case stop
      /// Drives; at speed 0, turns in place.
      case drive
      /// Turns fast to the heading; the speed is ignored (firmware 1.21 and newer).
      case fastRotate
      public static let names: KeyValuePairs<Self, String> = [
        .stop: "stop", .drive: "drive", .fastRotate: "fastRotate",
      ]
    }
    /// Speed, 0...255; 255 is full speed, about 2 m/s.
    public var speed: UInt8 = 0
    /// Degrees clockwise from the aim, 0...359: 90 is to the right.
    public var heading: UInt16 = 0
    /// How the robot executes the command.
    public var state = State.drive
    /// Drives backwards if not 0; nil in API 1.50, which does not have this byte.
    public var reverse: UInt8?
    public static var coalescingKey: CoalescingKey? { .motion }
    public var effect: RequestEffect? { state == .stop ? .stop(heading: heading) : .roll(heading: heading) }
    public init() {}
    public init(speed: UInt8, heading: UInt16, state: State = .drive) {
      (self.speed, self.heading, self.state) = (speed, heading, state)
    }
    /// The command that stops the ball on a heading in degrees; nil stands for 0.
    package static func stop(on heading: UInt16?) -> Self {
      Self(speed: 0, heading: heading ?? 0, state: .stop)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("state", &state)
      try wire.trailing("reverse", &reverse)
    }
  }

  /// Sets the turn rate to a new heading during driving (Sphero API 1.50, "Set Rotation Rate").
  ///
  /// Turning in place has a separate rate, 1000 °/s by default (firmware 1.16 and newer).
  public struct SetRotationRate: Command {
    public static let id = CommandID(0x02, 0x03)
    /// In steps of 0.784 °/s: 200 is 157 °/s. 0 counts as 1; 255 selects the maximum, 400 °/s.
    public var rate: UInt8 = 200
    public init() {}
    public init(rate: UInt8) { self.rate = rate }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("rate", &rate, .rotationSteps)
    }
  }

  /// Brings the robot to rest upright; ``SelfLevelResult`` reports the result
  /// (Sphero API 1.50, "Self Level"; firmware 1.16 and newer).
  public struct SelfLevel: Command, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x09)
    /// The options of the routine.
    public struct Options: WireFlags {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Starts self-levelling; if not set, aborts it.
      public static let start = Options(rawValue: 1 << 0)
      /// Returns to the initial heading.
      public static let keepHeading = Options(rawValue: 1 << 1)
      /// Goes to sleep afterwards.
      public static let sleep = Options(rawValue: 1 << 2)
      /// Leaves the control system on afterwards.
      public static let controlSystemOn = Options(rawValue: 1 << 3)

      public static let bits: [(flag: Self, name: String)] = [
        (.start, "start"), (.keepHeading, "keepHeading"), (.sleep, "sleep"),
        (.controlSystemOn, "controlSystemOn"),
      ]
    }
    /// Options of self-levelling.
    public var options: Options = [.start, .keepHeading, .controlSystemOn]
    /// The largest tilt that counts as level, 1...90 degrees; 0 selects 3 degrees.
    public var angleLimit: UInt8 = 0
    /// Timeout in seconds; 0 selects 15 s.
    public var timeout: UInt8 = 0
    /// How long the robot must be level, in hundredths of a second; 0 selects 0.3 s.
    public var trueTime: UInt8 = 0
    public static var coalescingKey: CoalescingKey? { .motion }
    /// Without ``Options/controlSystemOn``, the robot switches the control system off afterwards.
    public var effect: RequestEffect? {
      options.contains(.start) && !options.contains(.controlSystemOn) ? .stabilization(.off) : nil
    }
    public init() {}
    public init(options: Options, angleLimit: UInt8 = 0, timeout: UInt8 = 0, trueTime: UInt8 = 0) {
      (self.options, self.angleLimit, self.timeout, self.trueTime) = (options, angleLimit, timeout, trueTime)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("options", &options)
      try wire.field("angleLimit", &angleLimit, .degrees, in: 0...90)
      try wire.field("timeout", &timeout, .seconds)
      try wire.field("trueTime", &trueTime, .centiseconds)
    }
  }

  /// Sets the speed limit of vector drive; the document gives no details
  /// (Sphero API 1.50, "Set Vector Drive Limit").
  public struct SetVectorDriveLimit: Command {
    public static let id = CommandID(0x02, 0x0A)
    /// Speed limit, 0...255.
    public var speed: UInt8 = 50
    public init() {}
    public init(speed: UInt8) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
  }

  /// Starts or stops driving at full power (Sphero API 1.50, "Boost").
  ///
  /// Firmware since 1.46 (S2) and 3.25 (S3) expects one byte; older firmware, a duration and a heading (API 1.20).
  public struct Boost: Command {
    public static let id = CommandID(0x02, 0x31)
    /// 1 starts, 0 stops. For old firmware, the duration in tenths of a second; 0 lasts until ``SetStabilization``.
    public var state: UInt8 = 1
    /// Degrees clockwise from the aim, for old firmware; nil otherwise.
    public var legacyHeading: UInt16?
    public static var coalescingKey: CoalescingKey? { .motion }
    public var effect: RequestEffect? { .drive(isStabilized: true) }
    public init() {}
    public init(state: UInt8) { self.state = state }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("state", &state)
      try wire.trailing("legacyHeading", &legacyHeading, .degrees)
    }
    /// Starts or stops a boost on current firmware.
    public init(isOn: Bool) { state = isOn ? 1 : 0 }
  }

  /// Drives each motor directly, without the control system (Sphero API 1.50, "Set Raw Motor Values").
  ///
  /// Switches stabilization off, unless both motors are unchanged; send ``SetStabilization`` afterwards.
  public struct SetRawMotors: Command {
    public static let id = CommandID(0x02, 0x33)
    /// The drive of a motor.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// Coasts.
      case off
      /// Drives forward.
      case forward
      /// Drives backward.
      case reverse
      /// Brakes by a short circuit.
      case brake
      /// Keeps its mode and power.
      case unchanged
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .forward: "forward", .reverse: "reverse", .brake: "brake", .unchanged: "unchanged",
      ]
    }
    /// Mode of the left motor.
    public var leftMode = Mode.off
    /// Power of the left motor, 0...255.
    public var leftPower: UInt8 = 0
    /// Mode of the right motor.
    public var rightMode = Mode.off
    /// Power of the right motor, 0...255.
    public var rightPower: UInt8 = 0
    public static var coalescingKey: CoalescingKey? { .motion }
    public var effect: RequestEffect? { .drive(isStabilized: false) }
    public init() {}
    public init(leftMode: Mode, leftPower: UInt8, rightMode: Mode, rightPower: UInt8) {
      (self.leftMode, self.leftPower, self.rightMode, self.rightPower) = (
        leftMode, leftPower, rightMode, rightPower
      )
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("leftMode", &leftMode)
      try wire.field("leftPower", &leftPower)
      try wire.field("rightMode", &rightMode)
      try wire.field("rightPower", &rightPower)
    }
  }

  /// Sets the time without a motion command after which the robot stops
  /// (Sphero API 1.50, "Set Motion Timeout").
  ///
  /// Requires ``Settings/PermanentOptions/motionTimeouts``; ignored while a macro or orbBasic program drives exclusively.
  public struct SetMotionTimeout: Command {
    public static let id = CommandID(0x02, 0x34)
    /// Time without a motion command until the robot stops, in milliseconds.
    public var time: UInt16 = 2000
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Reports the result of a ``SelfLevel`` command (Sphero API 1.50).
  public struct SelfLevelResult: Event {
    public static let id = EventID(0x0B)
    /// A result of self-levelling; unknown results are kept as their numbers.
    public struct Result: WireCode {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// The robot does not know the result.
      public static let unclear = Result(rawValue: 0)
      /// Not level within the timeout.
      public static let timedOut = Result(rawValue: 1)
      /// The sensors failed.
      public static let sensorError = Result(rawValue: 2)
      /// Disabled by an option.
      public static let disabled = Result(rawValue: 3)
      /// Aborted by a command.
      public static let aborted = Result(rawValue: 4)
      /// The robot is not in its charger.
      public static let noCharger = Result(rawValue: 5)
      /// The robot is level.
      public static let success = Result(rawValue: 6)

      public static let names: KeyValuePairs<Result, String> = [
        .unclear: "unclear", .timedOut: "timed out", .sensorError: "sensor error", .disabled: "disabled",
        .aborted: "aborted", .noCharger: "no charger", .success: "success",
      ]
    }
    /// Result of self-levelling.
    public var result = Result.success
    public init() {}
    public init(result: Result) { self.result = result }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("result", &result)
    }
  }
}
