// The known steps of macros: motion, sensing and lights.
// `MacroStep` explains the system delays SD1 and SD2, and the system speeds SPD1 and SPD2.

extension Macro {
  /// Switches the control system, as ``Motion/SetStabilization`` does.
  public struct Stabilization: MacroStep {
    public static let opcode: UInt8 = 0x03
    /// The mode, as in ``Motion/SetStabilization``.
    public var mode: Motion.SetStabilization.Mode = .on
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

  /// Assigns a heading to the present orientation, as ``Motion/SetHeading`` does.
  public struct SetHeading: MacroStep {
    public static let opcode: UInt8 = 0x04
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    public var delay: UInt8 = 0
    public init() {}
    public init(heading: UInt16, delay: UInt8 = 0) { (self.heading, self.delay) = (heading, delay) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Rolls on a heading.
  public struct Roll: MacroStep {
    public static let opcode: UInt8 = 0x05
    /// 0...255 of full speed.
    public var speed: UInt8 = 0
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
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

  /// Rolls on a heading and waits for SD1; not recommended.
  ///
  /// The order of its bytes is uncertain: the document corrected the same order in ``Roll``.
  public struct RollSystemDelay1: MacroStep {
    public static let opcode: UInt8 = 0x06
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// 0...255 of full speed.
    public var speed: UInt8 = 0
    public init() {}
    public init(heading: UInt16, speed: UInt8) { (self.heading, self.speed) = (heading, speed) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
      try wire.field("speed", &speed)
    }
  }

  /// Drives each motor directly, as ``Motion/SetRawMotors`` does.
  public struct RawMotors: MacroStep {
    public static let opcode: UInt8 = 0x0A
    /// Mode and power of both motors.
    public var motors = Motion.SetRawMotors()
    public var delay: UInt8 = 0
    public init() {}
    public init(motors: Motion.SetRawMotors, delay: UInt8 = 0) { (self.motors, self.delay) = (motors, delay) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try motors.layout(&wire)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Rolls on a heading at SPD1 and waits for SD1.
  public struct RollSystemSpeed1: MacroStep {
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
    public static let opcode: UInt8 = 0x12
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    public init() {}
    public init(heading: UInt16) { self.heading = heading }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("heading", &heading, .degrees, in: 0...359)
    }
  }

  /// Sets the turn rate, as ``Motion/SetRotationRate`` does.
  public struct RotationRate: MacroStep {
    public static let opcode: UInt8 = 0x13
    /// Steps of 0.784 °/s.
    public var rate: UInt8 = 0
    public init() {}
    public init(rate: UInt8) { self.rate = rate }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("rate", &rate, .rotationSteps)
    }
  }

  /// Turns by an angle while the macro continues.
  public struct Rotate: MacroStep {
    public static let opcode: UInt8 = 0x1A
    /// Degrees clockwise; may exceed a full turn.
    public var angle: Int16 = 0
    /// Duration in milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(angle: Int16, time: UInt16) { (self.angle, self.time) = (angle, time) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Rolls on a heading and waits up to 65 s.
  public struct RollLong: MacroStep {
    public static let opcode: UInt8 = 0x1D
    /// 0...255 of full speed.
    public var speed: UInt8 = 0
    /// Degrees clockwise, 0...359.
    public var heading: UInt16 = 0
    /// Delay before the next step, in milliseconds.
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
    public static let opcode: UInt8 = 0x21
    /// Degrees clockwise; may exceed a full turn.
    public var angle: Int16 = 0
    public init() {}
    public init(angle: Int16) { self.angle = angle }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
    }
  }

  /// Turns by an angle in the time SD2.
  public struct RotateSystemDelay2: MacroStep {
    public static let opcode: UInt8 = 0x22
    /// Degrees clockwise; may exceed a full turn.
    public var angle: Int16 = 0
    public init() {}
    public init(angle: Int16) { self.angle = angle }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("angle", &angle, .degrees)
    }
  }

  /// Sets the speed and keeps the heading.
  public struct SetSpeed: MacroStep {
    public static let opcode: UInt8 = 0x25
    /// 0...255 of full speed.
    public var speed: UInt8 = 0
    public var delay: UInt8 = 0
    public init() {}
    public init(speed: UInt8, delay: UInt8 = 0) { (self.speed, self.delay) = (speed, delay) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Configures collision detection, as ``Sensing/ConfigureCollisionDetection`` does.
  public struct ConfigureCollision: MacroStep {
    public static let opcode: UInt8 = 0x27
    /// The thresholds, as in ``Sensing/ConfigureCollisionDetection``.
    public var detection = Sensing.ConfigureCollisionDetection()
    public init() {}
    public init(detection: Sensing.ConfigureCollisionDetection) { self.detection = detection }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try detection.layout(&wire)
    }
  }

  /// Sets the colour.
  public struct RGB: MacroStep {
    public static let opcode: UInt8 = 0x07
    /// 0...255.
    public var red: UInt8 = 0
    /// 0...255.
    public var green: UInt8 = 0
    /// 0...255.
    public var blue: UInt8 = 0
    public var delay: UInt8 = 0
    public init() {}
    public init(red: UInt8, green: UInt8, blue: UInt8, delay: UInt8 = 0) {
      (self.red, self.green, self.blue, self.delay) = (red, green, blue, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Sets the colour and waits for SD2.
  public struct RGBSystemDelay2: MacroStep {
    public static let opcode: UInt8 = 0x08
    /// 0...255.
    public var red: UInt8 = 0
    /// 0...255.
    public var green: UInt8 = 0
    /// 0...255.
    public var blue: UInt8 = 0
    public init() {}
    public init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
    }
  }

  /// Sets the brightness of the tail light.
  public struct BackLED: MacroStep {
    public static let opcode: UInt8 = 0x09
    /// 0...255.
    public var brightness: UInt8 = 0
    public var delay: UInt8 = 0
    public init() {}
    public init(brightness: UInt8, delay: UInt8 = 0) { (self.brightness, self.delay) = (brightness, delay) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("brightness", &brightness)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Fades to a colour while the macro continues.
  public struct Fade: MacroStep {
    public static let opcode: UInt8 = 0x14
    /// 0...255, at the end of the fade.
    public var red: UInt8 = 0
    /// 0...255, at the end of the fade.
    public var green: UInt8 = 0
    /// 0...255, at the end of the fade.
    public var blue: UInt8 = 0
    /// Duration in milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(red: UInt8, green: UInt8, blue: UInt8, time: UInt16) {
      (self.red, self.green, self.blue, self.time) = (red, green, blue, time)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      try wire.field("time", &time, .milliseconds)
    }
  }
}
