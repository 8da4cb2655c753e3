// Light commands (DID 02h): the coloured LED and the tail light.

/// What shines (DID 02h).
public enum Lights {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(SetRGBLED.self, "Lights.SetRGBLED")
    catalogue.command(SetBackLED.self, "Lights.SetBackLED")
    catalogue.command(GetRGBLED.self, "Lights.GetRGBLED")
  }
}

extension Lights {
  /// Sets the colour of the robot.
  ///
  /// Shown unless a macro or an orbBasic program owns the LED.
  /// Sphero API 1.50, "Set RGB LED" (DID 02h, CID 20h).
  public struct SetRGBLED: Command {
    public static let id = CommandID(0x02, 0x20)
    /// 0...255.
    public var red: UInt8 = 0
    /// 0...255.
    public var green: UInt8 = 0
    /// 0...255.
    public var blue: UInt8 = 0
    /// Also store as the user colour, shown from connecting on and kept over power cycles;
    /// writes flash, so never in an animation. Nil in the 3-byte form of newer programs.
    public var persist: Bool? = false
    /// Makes the command; dark.
    public init() {}
    public init(red: UInt8, green: UInt8, blue: UInt8, persist: Bool = false) {
      (self.red, self.green, self.blue, self.persist) = (red, green, blue, persist)
    }
    /// Visits 4 bytes, or 3 of newer programs.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("red", &red)
      try wire.field("green", &green)
      try wire.field("blue", &blue)
      try wire.trailing("persist", &persist, default: false)
    }
  }

  /// Sets the brightness of the blue tail light, which marks the back while aiming.
  ///
  /// Sphero API 1.50, "Set Back LED" (DID 02h, CID 21h).
  public struct SetBackLED: Command {
    public static let id = CommandID(0x02, 0x21)
    /// 0...255.
    public var brightness: UInt8 = 0
    /// Makes the command; dark.
    public init() {}
    public init(brightness: UInt8) { self.brightness = brightness }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("brightness", &brightness)
    }
  }

  /// Reads the stored user colour, which need not be the one shown.
  ///
  /// Sphero API 1.50, "Get RGB LED" (DID 02h, CID 22h).
  public struct GetRGBLED: Command {
    public static let id = CommandID(0x02, 0x22)
    public init() {}

    /// The stored user colour.
    public struct Response: Message {
      /// 0...255.
      public var red: UInt8 = 0
      /// 0...255.
      public var green: UInt8 = 0
      /// 0...255.
      public var blue: UInt8 = 0
      /// Makes a dark colour.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("red", &red)
        try wire.field("green", &green)
        try wire.field("blue", &blue)
      }
    }
  }
}
