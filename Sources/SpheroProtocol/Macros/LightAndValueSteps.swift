// Steps of macros that shine, and those that set the values that others use.

extension Macro {
  /// Sets SD1.
  public struct SetSystemDelay1: MacroStep {
    /// 01.
    public static let opcode: UInt8 = 0x01
    /// Milliseconds.
    public var time: UInt16 = 0
    public init() {}
    public init(time: UInt16) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Sets SD2.
  public struct SetSystemDelay2: MacroStep {
    /// 02.
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
    /// 07.
    public static let opcode: UInt8 = 0x07
    /// 0...255.
    public var red: UInt8 = 0
    /// 0...255.
    public var green: UInt8 = 0
    /// 0...255.
    public var blue: UInt8 = 0
    /// How long the macro waits after it, in milliseconds.
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
    /// 08.
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

  /// Sets the tail light.
  public struct BackLED: MacroStep {
    /// 09.
    public static let opcode: UInt8 = 0x09
    /// 0...255.
    public var brightness: UInt8 = 0
    /// How long the macro waits after it, in milliseconds.
    public var delay: UInt8 = 0
    public init() {}
    public init(brightness: UInt8, delay: UInt8 = 0) {
      (self.brightness, self.delay) = (brightness, delay)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("brightness", &brightness)
      try wire.field("delay", &delay, .milliseconds)
    }
  }

  /// Sets SPD1.
  public struct SetSystemSpeed1: MacroStep {
    /// 0F.
    public static let opcode: UInt8 = 0x0F
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
    }
  }

  /// Sets SPD2.
  public struct SetSystemSpeed2: MacroStep {
    /// 10.
    public static let opcode: UInt8 = 0x10
    /// 0...255.
    public var speed: UInt16 = 0
    public init() {}
    public init(speed: UInt16) { self.speed = speed }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("speed", &speed)
    }
  }

  /// Fades to a colour while the macro goes on.
  public struct Fade: MacroStep {
    /// 14.
    public static let opcode: UInt8 = 0x14
    /// 0...255.
    public var red: UInt8 = 0
    /// 0...255.
    public var green: UInt8 = 0
    /// 0...255.
    public var blue: UInt8 = 0
    /// Milliseconds.
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
