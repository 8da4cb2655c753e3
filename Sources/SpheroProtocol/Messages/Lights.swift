// Light messages (DID 02h): the RGB LED and the tail light.

/// The lights (DID 02h).
public enum Lights {
  /// Sets the colour of the robot (Sphero API 1.50, "Set RGB LED").
  ///
  /// The colour is not shown while a macro or orbBasic program controls the LED.
  public struct SetRGBLED: Command {
    public static let id = CommandID(0x02, 0x20)
    /// Red component, 0...255.
    public var red: UInt8 = 0
    /// Green component, 0...255.
    public var green: UInt8 = 0
    /// Blue component, 0...255.
    public var blue: UInt8 = 0
    /// Whether the robot also stores the colour in flash as the user colour, which it shows on connecting and keeps over
    /// power cycles; do not set it for animations. Nil in the 3-byte form that newer programs send.
    public var persist: Bool? = false
    public static var coalescingKey: CoalescingKey? { .color }
    public init() {}
    public init(red: UInt8, green: UInt8, blue: UInt8, persist: Bool = false) {
      (self.red, self.green, self.blue, self.persist) = (red, green, blue, persist)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      var isPersistent = persist ?? false
      let isPresent = wire.follows(persist != nil)
      if isPresent { try wire.field("persist", &isPersistent) }
      persist = isPresent ? isPersistent : nil
    }
  }

  /// Sets the brightness of the blue tail light, which marks the back during aiming
  /// (Sphero API 1.50, "Set Back LED").
  public struct SetBackLED: Command {
    public static let id = CommandID(0x02, 0x21)
    /// Brightness, 0...255.
    public var brightness: UInt8 = 0
    public static var coalescingKey: CoalescingKey? { .tailLight }
    public init() {}
    public init(brightness: UInt8) { self.brightness = brightness }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("brightness", &brightness)
    }
  }

  /// Reads the stored user colour, which may differ from the colour shown (Sphero API 1.50, "Get RGB LED").
  public struct GetRGBLED: Command {
    public static let id = CommandID(0x02, 0x22)
    public init() {}

    public struct Response: Message {
      /// Red component, 0...255.
      public var red: UInt8 = 0
      /// Green component, 0...255.
      public var green: UInt8 = 0
      /// Blue component, 0...255.
      public var blue: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("red", &red)
        try wire.field("green", &green)
        try wire.field("blue", &blue)
      }
    }
  }
}
