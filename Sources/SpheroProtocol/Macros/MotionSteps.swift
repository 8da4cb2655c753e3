// Steps of macros that move the robot or set up how it senses.

extension Macro {
  /// Switches the control system, as ``Motion/SetStabilization`` does.
  public struct Stabilization: MacroStep {
    /// 03.
    public static let opcode: UInt8 = 0x03
    /// What the control system does.
    public var mode: Motion.SetStabilization.Mode = .on
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(mode: Motion.SetStabilization.Mode, delay: UInt8 = 0) {
      (self.mode, self.delay) = (mode, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("mode", &mode)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Makes the present orientation the heading, as ``Motion/SetHeading`` does.
  public struct SetHeading: MacroStep {
    /// 04.
    public static let opcode: UInt8 = 0x04
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(heading: UInt16, delay: UInt8 = 0) {
      (self.heading, self.delay) = (heading, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Rolls on a heading.
  public struct Roll: MacroStep {
    /// 05.
    public static let opcode: UInt8 = 0x05
    /// 0...255.
    public var speed: UInt8 = 0
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(speed: UInt8, heading: UInt16, delay: UInt8 = 0) {
      (self.speed, self.heading, self.delay) = (speed, heading, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Rolls on a heading and waits for SD1; to be avoided.
  ///
  /// The order of its bytes is doubtful: the document corrected the same order in ``Roll``.
  public struct RollSystemDelay1: MacroStep {
    /// 06.
    public static let opcode: UInt8 = 0x06
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// 0...255.
    public var speed: UInt8 = 0
    public init() {}
    public init(heading: UInt16, speed: UInt8) {
      (self.heading, self.speed) = (heading, speed)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("speed", &speed)
    }
  }

  /// Drives each motor by itself, as ``Motion/SetRawMotors`` does.
  public struct RawMotors: MacroStep {
    /// 0A.
    public static let opcode: UInt8 = 0x0A
    /// What each motor does.
    public var motors = Motion.SetRawMotors()
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(motors: Motion.SetRawMotors, delay: UInt8 = 0) {
      (self.motors, self.delay) = (motors, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try motors.layout(&wire)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Rolls on a heading at SPD1 and waits for SD1.
  public struct RollSystemSpeed1: MacroStep {
    /// 11.
    public static let opcode: UInt8 = 0x11
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    public init() {}
    public init(heading: UInt16) { self.heading = heading }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Rolls on a heading at SPD2 and waits for SD1.
  public struct RollSystemSpeed2: MacroStep {
    /// 12.
    public static let opcode: UInt8 = 0x12
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    public init() {}
    public init(heading: UInt16) { self.heading = heading }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Sets how fast the robot turns, as ``Motion/SetRotationRate`` does.
  public struct RotationRate: MacroStep {
    /// 13.
    public static let opcode: UInt8 = 0x13
    /// Steps of 0.784 °/s.
    public var rate: UInt8 = 0
    public init() {}
    public init(rate: UInt8) { self.rate = rate }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("rate", &rate, .rotationSteps)
    }
  }

  /// Turns by an angle while the macro goes on.
  public struct Rotate: MacroStep {
    /// 1A.
    public static let opcode: UInt8 = 0x1A
    /// Degrees clockwise; more than a turn is possible.
    public var angle: Int16 = 0
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(angle: Int16, time: UInt16) {
      (self.angle, self.time) = (angle, time)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Rolls on a heading and waits long.
  public struct RollLong: MacroStep {
    /// 1D.
    public static let opcode: UInt8 = 0x1D
    /// 0...255.
    public var speed: UInt8 = 0
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// How long the macro waits after it, in milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(speed: UInt8, heading: UInt16, time: UInt16) {
      (self.speed, self.heading, self.time) = (speed, heading, time)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Turns by an angle in the time SD1.
  public struct RotateSystemDelay1: MacroStep {
    /// 21.
    public static let opcode: UInt8 = 0x21
    /// Degrees clockwise; more than a turn is possible.
    public var angle: Int16 = 0
    public init() {}
    public init(angle: Int16) { self.angle = angle }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
    }
  }

  /// Turns by an angle in the time SD2.
  public struct RotateSystemDelay2: MacroStep {
    /// 22.
    public static let opcode: UInt8 = 0x22
    /// Degrees clockwise; more than a turn is possible.
    public var angle: Int16 = 0
    public init() {}
    public init(angle: Int16) { self.angle = angle }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
    }
  }

  /// Changes the speed and keeps the heading.
  public struct SetSpeed: MacroStep {
    /// 25.
    public static let opcode: UInt8 = 0x25
    /// 0...255.
    public var speed: UInt8 = 0
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(speed: UInt8, delay: UInt8 = 0) {
      (self.speed, self.delay) = (speed, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Configures collision detection, as ``Sensing/ConfigureCollisionDetection`` does.
  public struct ConfigureCollision: MacroStep {
    /// 27.
    public static let opcode: UInt8 = 0x27
    /// How impacts are found.
    public var detection = Sensing.ConfigureCollisionDetection()
    public init() {}
    public init(detection: Sensing.ConfigureCollisionDetection) { self.detection = detection }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try detection.layout(&wire)
    }
  }
}
