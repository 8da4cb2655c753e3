// Sensing commands (DID 02h): what the robot measures and reports.

/// What the robot measures (DID 02h).
public enum Sensing {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(SetDataStreaming.self, "Sensing.SetDataStreaming")
    catalogue.command(ConfigureCollisionDetection.self, "Sensing.ConfigureCollisionDetection")
    catalogue.command(ConfigureLocator.self, "Sensing.ConfigureLocator")
    catalogue.command(SetAccelerometerRange.self, "Sensing.SetAccelerometerRange")
    catalogue.command(ReadLocator.self, "Sensing.ReadLocator")
    catalogue.command(GetTemperature.self, "Sensing.GetTemperature")
    catalogue.command(ReadOdometer.self, "Sensing.ReadOdometer")
  }
}

extension Sensing {
  /// Starts, replaces or ends the stream of ``SensorData``.
  ///
  /// A second request replaces the first and its count begins anew; the robot stops silently after the last packet.
  /// Both masks zero switch off.
  /// Sphero API 1.50, "Set Data Streaming" (DID 02h, CID 11h).
  public struct SetDataStreaming: Command {
    public static let id = CommandID(0x02, 0x11)
    /// N: a frame is taken every N/400 s.
    public var divisor: UInt16 = 0
    /// M: frames in a packet.
    public var frames: UInt16 = 0
    /// MASK: the first set of values.
    public var mask: UInt32 = 0
    /// PCNT: packets to send, 1...255; 0 is without end.
    public var packetCount: UInt8 = 0
    /// MASK2: the second set of values; nil in the 9-byte form for firmware before 1.15.
    public var mask2: UInt32? = 0
    /// Makes the command that switches streaming off.
    public init() {}
    /// Asks for a stream.
    public init(divisor: UInt16, frames: UInt16 = 1, mask: SensorMask, packetCount: UInt8) {
      (self.divisor, self.frames, self.packetCount) = (divisor, frames, packetCount)
      (self.mask, self.mask2) = (mask.mask, mask.mask2)
    }
    /// Both masks laid end to end.
    public var sensorMask: SensorMask { SensorMask(mask: mask, mask2: mask2 ?? 0) }
    /// Visits 13 bytes, or 9 without the second mask.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("divisor", &divisor)
      try wire.field("frames", &frames)
      try wire.field("mask", &mask)
      try wire.field("packetCount", &packetCount)
      try wire.trailing("mask2", &mask2)
    }
  }

  /// Switches ``Collision`` events on or off, and says how hard an impact must be.
  ///
  /// The threshold grows with speed: the whole speed value is added at full speed.
  /// Typical thresholds are 100...140; low ones are reached by the robot's own start and stop.
  /// Needs the factory's range of 8 g.
  /// Sphero API 1.50, "Configure Collision Detection" (DID 02h, CID 12h); Collision detection 1.2.
  public struct ConfigureCollisionDetection: Command {
    public static let id = CommandID(0x02, 0x12)
    /// How impacts are found.
    public enum Method: UInt8, WireNamed, CaseIterable {
      /// Not at all.
      case off
      /// By filtered power: the documented way.
      case on
      /// A variant of the vendor (firmware 1.42 and newer).
      case variant2
      /// Another variant of the vendor.
      case variant3
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .on: "on", .variant2: "variant2", .variant3: "variant3",
      ]
    }
    /// How impacts are found.
    public var method = Method.on
    /// Xt: left and right, at rest; 0 switches the axis off.
    public var xThreshold: UInt8 = 100
    /// Xspd: added to it at full speed.
    public var xSpeed: UInt8 = 100
    /// Yt: front and back, at rest; 0 switches the axis off.
    public var yThreshold: UInt8 = 100
    /// Yspd: added to it at full speed.
    public var ySpeed: UInt8 = 100
    /// How long after an impact none is reported, in hundredths of a second.
    public var deadTime: UInt8 = 100
    /// Makes the command; on, with thresholds of 100 and a dead time of 1 s.
    public init() {}
    public init(
      method: Method, xThreshold: UInt8 = 100, xSpeed: UInt8 = 100, yThreshold: UInt8 = 100,
      ySpeed: UInt8 = 100, deadTime: UInt8 = 100
    ) {
      (self.method, self.xThreshold, self.xSpeed, self.yThreshold, self.ySpeed, self.deadTime) = (
        method, xThreshold, xSpeed, yThreshold, ySpeed, deadTime
      )
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("method", &method)
      try wire.field("xThreshold", &xThreshold)
      try wire.field("xSpeed", &xSpeed)
      try wire.field("yThreshold", &yThreshold)
      try wire.field("ySpeed", &ySpeed)
      try wire.field("deadTime", &deadTime, .centiseconds)
    }
  }

  /// Says where the robot is and how the floor's axes lie.
  ///
  /// +Y is ahead at heading 0, +X to the right; firmware 1.17 and newer.
  /// Sphero API 1.50, "Configure Locator" (DID 02h, CID 13h); Locator 1.0.
  public struct ConfigureLocator: Command {
    public static let id = CommandID(0x02, 0x13)
    /// How the axes behave.
    public struct Flags: WireFlags {
      /// The bits on the wire.
      public var rawValue: UInt8
      /// Takes the bits of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// ``Motion/SetHeading`` leaves the axes where they lie in the room.
      public static let correctYawTare = Flags(rawValue: 1 << 0)

      /// The bits that have a name.
      public static let bits: [(flag: Self, name: String)] = [
        (.correctYawTare, "correctYawTare")
      ]
    }
    /// How the axes behave.
    public var flags = Flags.correctYawTare
    /// Present place to the right, in centimetres.
    public var x: Int16 = 0
    /// Present place ahead, in centimetres.
    public var y: Int16 = 0
    /// Turns the axes against headings, 0...359 degrees: 90 makes heading 0 run along +X.
    public var yawTare: Int16 = 0
    /// Makes the command; the origin is here.
    public init() {}
    public init(flags: Flags = .correctYawTare, x: Int16, y: Int16, yawTare: Int16 = 0) {
      (self.flags, self.x, self.y, self.yawTare) = (flags, x, y, yawTare)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("flags", &flags)
      try wire.field("x", &x, .centimetres)
      try wire.field("y", &y, .centimetres)
      try wire.field("yawTare", &yawTare, .degrees, in: 0...359)
    }
  }

  /// Sets the greatest acceleration that is measured; anything but the factory's 8 g upsets driving and collision detection.
  ///
  /// Sphero API 1.50, "Set Accelerometer Range" (DID 02h, CID 14h).
  public struct SetAccelerometerRange: Command {
    public static let id = CommandID(0x02, 0x14)
    /// A greatest acceleration.
    public enum Range: UInt8, WireNamed, CaseIterable {
      /// 2 g.
      case g2
      /// 4 g.
      case g4
      /// 8 g.
      case g8
      /// 16 g.
      case g16
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [.g2: "g2", .g4: "g4", .g8: "g8", .g16: "g16"]
    }
    /// The greatest acceleration.
    public var range = Range.g8
    /// Makes the command; 8 g.
    public init() {}
    public init(range: Range) { self.range = range }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("range", &range) }
  }

  /// Reads the place and the velocity once; a stream is more reliable.
  ///
  /// Refused by some firmware (3.71), and seen to answer values that disagree with the stream.
  /// Sphero API 1.50, "Read Locator" (DID 02h, CID 15h).
  public struct ReadLocator: Command {
    public static let id = CommandID(0x02, 0x15)
    public init() {}

    /// The place and the velocity.
    public struct Response: Message {
      /// To the right, in centimetres.
      public var x: Int16 = 0
      /// Ahead, in centimetres.
      public var y: Int16 = 0
      /// To the right, in centimetres in a second.
      public var xVelocity: Int16 = 0
      /// Ahead, in centimetres in a second.
      public var yVelocity: Int16 = 0
      /// Over ground, in centimetres in a second.
      public var speed: UInt16 = 0
      /// Makes a response at the origin.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("x", &x, .centimetres)
        try wire.field("y", &y, .centimetres)
        try wire.field("xVelocity", &xVelocity, .centimetresPerSecond)
        try wire.field("yVelocity", &yVelocity, .centimetresPerSecond)
        try wire.field("speed", &speed, .centimetresPerSecond)
      }
    }
  }

  /// Reads the temperature inside the robot (newer firmware).
  ///
  /// Not in Sphero API 1.50; named by one library made from a vendor's app (DID 02h, CID 16h).
  public struct GetTemperature: Command {
    public static let id = CommandID(0x02, 0x16)
    public init() {}

    /// The temperature.
    public struct Response: Message {
      /// Whole degrees Celsius.
      public var degrees: UInt8 = 0
      /// Tenths of a degree.
      public var tenths: UInt8 = 0
      /// Makes a response of 0 °C.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("degrees", &degrees, .degreesCelsius)
        try wire.field("tenths", &tenths)
      }
    }
  }

  /// Reads how far the robot has rolled in its life (newer firmware).
  ///
  /// Not in Sphero API 1.50; named by the vendor's iOS header (DID 02h, CID 75h).
  public struct ReadOdometer: Command {
    public static let id = CommandID(0x02, 0x75)
    public init() {}

    /// The way.
    public struct Response: Message {
      /// Centimetres, by the name of the vendor's field.
      public var centimetres: UInt32 = 0
      /// Makes a response of no way.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("centimetres", &centimetres, .centimetres)
      }
    }
  }
}
