// The known steps of macros: motion and sensing, lights and values, control flow.
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

  /// Sets the delay SD1.
  public struct SetSystemDelay1: MacroStep {
    public static let opcode: UInt8 = 0x01
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Sets the delay SD2.
  public struct SetSystemDelay2: MacroStep {
    public static let opcode: UInt8 = 0x02
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
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

  /// Sets the speed SPD1.
  public struct SetSystemSpeed1: MacroStep {
    public static let opcode: UInt8 = 0x0F
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
  }

  /// Sets the speed SPD2.
  public struct SetSystemSpeed2: MacroStep {
    public static let opcode: UInt8 = 0x10
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("speed", &speed) }
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

  /// Ends the macro; ``Macro`` adds it after the last command.
  public struct End: MacroStep {
    public static let opcode: UInt8 = 0x00
    public init() {}
  }

  /// Waits.
  public struct Wait: MacroStep {
    public static let opcode: UInt8 = 0x0B
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Continues with another macro.
  public struct Goto: MacroStep {
    public static let opcode: UInt8 = 0x0C
    /// Macro ID.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Runs another macro and returns; calls cannot be nested.
  public struct Gosub: MacroStep {
    public static let opcode: UInt8 = 0x0D
    /// Macro ID.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Puts the robot to sleep.
  public struct Sleep: MacroStep {
    public static let opcode: UInt8 = 0x0E
    /// Duration in milliseconds, as the document states; 0 until the robot is shaken.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("time", &time) }
  }

  /// Sends ``Macros/Marker``.
  public struct Marker: MacroStep {
    public static let opcode: UInt8 = 0x15
    /// Marker ID; 0 is reserved for the end.
    public var marker: UInt8 = 0
    public init() {}
    public init(marker: UInt8) { self.marker = marker }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("marker", &marker)
    }
  }

  /// Waits until the robot has stopped.
  public struct WaitUntilStopped: MacroStep {
    public static let opcode: UInt8 = 0x19
    /// Timeout in milliseconds.
    public var limit: UInt16 = 0
    public init() {}
    public init(limit: UInt16) { self.limit = limit }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("limit", &limit, .milliseconds)
    }
  }

  /// Ends a streamed macro; ``Macro`` adds it to the last packet.
  public struct StreamEnd: MacroStep {
    public static let opcode: UInt8 = 0x1B
    public init() {}
  }

  /// Starts a loop.
  public struct LoopStart: MacroStep {
    public static let opcode: UInt8 = 0x1E
    /// Number of iterations.
    public var count: UInt8 = 0
    public init() {}
    public init(count: UInt8) { self.count = count }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("count", &count) }
  }

  /// Ends a loop.
  public struct LoopEnd: MacroStep {
    public static let opcode: UInt8 = 0x1F
    public init() {}
  }

  /// Does nothing, but is counted as a command.
  public struct Comment: MacroStep {
    public static let opcode: UInt8 = 0x20
    /// The text, which the robot ignores.
    public var text: WireText = ""
    public init() {}
    public init(text: WireText) { self.text = text }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      var count = UInt16(clamping: text.bytes.count)
      // A longer comment does not fit into the robot's buffer.
      try wire.field("count", &count, in: 0...2048)
      try wire.field("text", &text, count: Int(count))
    }
  }

  /// Continues with another macro at the next collision.
  public struct BranchOnCollision: MacroStep {
    public static let opcode: UInt8 = 0x23
    /// Macro ID; 0 disables the branch.
    public var macro: UInt8 = 0
    public init() {}
    public init(macro: UInt8) { self.macro = macro }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("macro", &macro) }
  }

  /// Starts a loop with the loop count of ``Macros/SetMacroParameter``.
  public struct LoopStartSystem: MacroStep {
    public static let opcode: UInt8 = 0x24
    public init() {}
  }
}
