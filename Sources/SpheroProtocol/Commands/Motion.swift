// Motion commands (DID 02h): heading, stabilisation, rolling, motors.

/// What moves the robot (DID 02h).
public enum Motion {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(SetHeading.self, "Motion.SetHeading")
    catalogue.command(SetStabilization.self, "Motion.SetStabilization")
    catalogue.command(SetRotationRate.self, "Motion.SetRotationRate")
    catalogue.command(SelfLevel.self, "Motion.SelfLevel")
    catalogue.command(SetVectorDriveLimit.self, "Motion.SetVectorDriveLimit")
    catalogue.command(Roll.self, "Motion.Roll")
    catalogue.command(Boost.self, "Motion.Boost")
    catalogue.command(SetRawMotors.self, "Motion.SetRawMotors")
    catalogue.command(SetMotionTimeout.self, "Motion.SetMotionTimeout")
  }
}

extension Motion {
  /// Makes the present orientation the given heading: the everyday use is 0 after aiming ("calibrate").
  ///
  /// With the control system on, the robot reacts at once.
  /// From firmware 3.10 on it also re-arms ``Sensing/GyroLimit``.
  /// Sphero API 1.50, "Set Heading" (DID 02h, CID 01h).
  public struct SetHeading: Command {
    public static let id = CommandID(0x02, 0x01)
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// Makes the command; ahead is where the robot looks now.
    public init() {}
    public init(heading: UInt16) { self.heading = heading }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Switches the control system that keeps the robot upright and on its heading.
  ///
  /// On at power-up; off makes the ball an input device. Fails where the sensors are dead.
  /// Sphero API 1.50, "Set Stabilization" (DID 02h, CID 02h).
  public struct SetStabilization: Command {
    public static let id = CommandID(0x02, 0x02)
    /// What the control system does.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// Motors are free.
      case off
      /// Upright, and the heading begins anew.
      case on
      /// Upright, on the heading held before (firmware 0.95 and newer).
      case onWithoutReset
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .on: "on", .onWithoutReset: "onWithoutReset",
      ]
    }
    /// What the control system shall do.
    public var mode = Mode.on
    /// Makes the command; on.
    public init() {}
    public init(mode: Mode) { self.mode = mode }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
  }

  /// Rolls on a heading, at a speed, until told otherwise.
  ///
  /// There is no automatic stop unless motion timeouts are enabled in the permanent option flags.
  /// Sphero API 1.50, "Roll" (DID 02h, CID 30h).
  public struct Roll: Command {
    public static let id = CommandID(0x02, 0x30)
    /// How the robot takes the command.
    public enum State: UInt8, WireNamed, CaseIterable {
      /// Brakes in control, whatever the speed.
      case stop
      /// Drives; at speed 0, turns on the spot.
      case drive
      /// Turns to the heading fast, whatever the speed (firmware 1.21 and newer).
      case fastRotate
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .stop: "stop", .drive: "drive", .fastRotate: "fastRotate",
      ]
    }
    /// 0...255; 255 is full speed, about 2 m/s.
    public var speed: UInt8 = 0
    /// Degrees clockwise from the aim, 0...359: 90 is to the right.
    public var heading: UInt16 = 0
    /// How the robot takes the command.
    public var state = State.drive
    /// Drive backwards; nil in API 1.50, where the byte does not exist.
    public var reverse: UInt8?
    /// Makes the command; ahead at speed 0.
    public init() {}
    public init(speed: UInt8, heading: UInt16, state: State = .drive) {
      (self.speed, self.heading, self.state) = (speed, heading, state)
    }
    /// Visits 4 bytes, or 5 of newer programs.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("state", &state)
      try wire.trailing("reverse", &reverse)
    }
  }

  /// Sets how fast the robot turns to a new heading while it drives.
  ///
  /// Turning on the spot has a rate of its own, 1000 °/s by default (firmware 1.16 and newer).
  /// Sphero API 1.50, "Set Rotation Rate" (DID 02h, CID 03h).
  public struct SetRotationRate: Command {
    public static let id = CommandID(0x02, 0x03)
    /// Steps of 0.784 °/s: 200 is 157 °/s; 255 is full speed, 400 °/s; 0 counts as 1.
    public var rate: UInt8 = 200
    /// Makes the command; 157 °/s.
    public init() {}
    public init(rate: UInt8) { self.rate = rate }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("rate", &rate, .rotationSteps)
    }
  }

  /// Brings the robot upright and still; ``SelfLevelResult`` reports how that ended.
  ///
  /// Firmware 1.16 and newer.
  /// Sphero API 1.50, "Self Level" (DID 02h, CID 09h).
  public struct SelfLevel: Command {
    public static let id = CommandID(0x02, 0x09)
    /// What is done, and what comes after.
    public struct Options: WireFlags {
      /// The bits on the wire.
      public var rawValue: UInt8
      /// Takes the bits of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Levels; without it, a levelling that runs is aborted.
      public static let start = Options(rawValue: 1 << 0)
      /// Returns to the heading it began with.
      public static let keepHeading = Options(rawValue: 1 << 1)
      /// Sleeps afterwards.
      public static let sleep = Options(rawValue: 1 << 2)
      /// Leaves the control system on.
      public static let controlSystemOn = Options(rawValue: 1 << 3)

      /// The bits that have a name.
      public static let bits: [(flag: Self, name: String)] = [
        (.start, "start"),
        (.keepHeading, "keepHeading"),
        (.sleep, "sleep"),
        (.controlSystemOn, "controlSystemOn"),
      ]
    }
    /// What is done, and what comes after.
    public var options: Options = [.start, .keepHeading, .controlSystemOn]
    /// How upright is upright: 1...90 degrees; 0 is 3.
    public var angleLimit: UInt8 = 0
    /// When to give up, in seconds; 0 is 15.
    public var timeout: UInt8 = 0
    /// How long it must be upright, in hundredths of a second; 0 is 0.3 s.
    public var trueTime: UInt8 = 0
    /// Makes the command; levels with the factory's limits.
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

  /// Sets the speed limit of vector drive; the document says no more about it.
  ///
  /// Sphero API 1.50, "Set Vector Drive Limit" (DID 02h, CID 0Ah).
  public struct SetVectorDriveLimit: Command {
    public static let id = CommandID(0x02, 0x0A)
    /// 0...255.
    public var speed: UInt8 = 50
    /// Makes the command; the factory's 50.
    public init() {}
    public init(speed: UInt8) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
  }

  /// Drives at full power, or ends that.
  ///
  /// One byte from firmware 1.46 (S2) and 3.25 (S3) on; before, a duration and a heading (API 1.20).
  /// Sphero API 1.50, "Boost" (DID 02h, CID 31h).
  public struct Boost: Command {
    public static let id = CommandID(0x02, 0x31)
    /// 1 begins, 0 ends; in the old form, tenths of a second, 0 until ``SetStabilization``.
    public var state: UInt8 = 1
    /// Degrees clockwise from the aim; nil in the form of one byte.
    public var legacyHeading: UInt16?
    /// Makes the command; begins.
    public init() {}
    /// Makes the command for present firmware.
    public init(state: UInt8) { self.state = state }
    /// Visits 1 byte, or 3 of the old form.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("state", &state)
      try wire.trailing("legacyHeading", &legacyHeading, .degrees)
    }
    /// Begins or ends a boost on present firmware.
    public init(isOn: Bool) { state = isOn ? 1 : 0 }
    /// Boosts for a while on old firmware.
    public init(tenthsOfSecond: UInt8, heading: UInt16) {
      (state, legacyHeading) = (tenthsOfSecond, heading)
    }
  }

  /// Drives each motor by itself, without the control system.
  ///
  /// Switches stabilisation off, unless both are left as they are: send ``SetStabilization`` afterwards.
  /// Sphero API 1.50, "Set Raw Motor Values" (DID 02h, CID 33h).
  public struct SetRawMotors: Command {
    public static let id = CommandID(0x02, 0x33)
    /// What a motor does.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// Runs free.
      case off
      /// Drives forward.
      case forward
      /// Drives backward.
      case reverse
      /// Brakes: shorted.
      case brake
      /// Goes on as it is.
      case unchanged
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .forward: "forward", .reverse: "reverse", .brake: "brake", .unchanged: "unchanged",
      ]
    }
    /// What the left motor does.
    public var leftMode = Mode.off
    /// 0...255.
    public var leftPower: UInt8 = 0
    /// What the right motor does.
    public var rightMode = Mode.off
    /// 0...255.
    public var rightPower: UInt8 = 0
    /// Makes the command; both motors are free.
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

  /// Sets after how long without a motion command the robot stops.
  ///
  /// Works only with ``Settings/PermanentOptions/motionTimeouts``, and not while a macro or an orbBasic program drives alone.
  /// Sphero API 1.50, "Set Motion Timeout" (DID 02h, CID 34h).
  public struct SetMotionTimeout: Command {
    public static let id = CommandID(0x02, 0x34)
    /// Milliseconds.
    public var time: UInt16 = 2000
    /// Makes the command; the factory's 2 s.
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }
}
