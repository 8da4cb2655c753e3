// Sensing messages (DID 02h): streaming, locator, collisions and other measurements.

/// Messages about the sensors (DID 02h).
public enum Sensing {
  /// Starts, replaces or stops the stream of ``SensorData`` (Sphero API 1.50, "Set Data Streaming").
  ///
  /// A request replaces the previous one and restarts the packet count; the robot reports no end of the stream.
  /// Two masks of zero stop the stream.
  public struct SetDataStreaming: Command {
    public static let id = CommandID(0x02, 0x11)
    /// N: the robot samples a frame every N/400 s.
    public var divisor: UInt16 = 0
    /// The time from one frame to the next, in steps of 2.5 ms; see ``divisor``.
    public var framePeriod: Duration { .microseconds(2_500) * Int(divisor) }
    /// M: frames per packet.
    public var frames: UInt16 = 0
    /// MASK: the first set of sensor fields.
    public var mask: UInt32 = 0
    /// PCNT: number of packets, 1...255; 0 for unlimited.
    public var packetCount: UInt8 = 0
    /// MASK2: the second set of sensor fields; nil in the 9-byte form for firmware before 1.15.
    public var mask2: UInt32? = 0
    public static var coalescingKey: CoalescingKey? { .stream }
    public init() {}
    public init(divisor: UInt16, frames: UInt16 = 1, mask: SensorMask, packetCount: UInt8) {
      (self.divisor, self.frames, self.packetCount) = (divisor, frames, packetCount)
      (self.mask, self.mask2) = (mask.mask, mask.mask2)
    }
    /// Both masks.
    public var sensorMask: SensorMask { SensorMask(mask: mask, mask2: mask2 ?? 0) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("divisor", &divisor)
      try wire.field("frames", &frames)
      try wire.field("mask", &mask, .mask)
      try wire.field("packetCount", &packetCount)
      try wire.trailing("mask2", &mask2, .mask)
    }
  }

  /// Switches ``Collision`` events on or off, and sets their thresholds
  /// (Sphero API 1.50, "Configure Collision Detection"; Collision detection 1.2).
  ///
  /// The threshold grows with speed: the speed value is added in full at full speed.
  /// Typical thresholds are 100...140; the robot exceeds lower ones when it starts and stops.
  /// Requires the default accelerometer range of 8 g.
  public struct ConfigureCollisionDetection: Command {
    public static let id = CommandID(0x02, 0x12)
    /// A method of detection.
    public enum Method: UInt8, WireNamed, CaseIterable {
      /// No detection.
      case off
      /// Filtered power, the documented method.
      case on
      /// Undocumented variant (firmware 1.42 and newer).
      case variant2
      /// Undocumented variant.
      case variant3
      public static let names: KeyValuePairs<Self, String> = [
        .off: "off", .on: "on", .variant2: "variant2", .variant3: "variant3",
      ]
    }
    /// Method of detection.
    public var method = Method.on
    /// Xt: threshold of the lateral axis at rest; 0 disables the axis.
    public var xThreshold: UInt8 = 100
    /// Xspd: added to Xt at full speed.
    public var xSpeed: UInt8 = 100
    /// Yt: threshold of the longitudinal axis at rest; 0 disables the axis.
    public var yThreshold: UInt8 = 100
    /// Yspd: added to Yt at full speed.
    public var ySpeed: UInt8 = 100
    /// Time after a collision without further events, in hundredths of a second.
    public var deadTime: UInt8 = 100
    public var effect: RequestEffect? { .collisionDetection(isOn: method != .off) }
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

  /// Sets the position of the robot and the orientation of the locator's axes
  /// (Sphero API 1.50, "Configure Locator"; Locator 1.0).
  ///
  /// +Y is ahead at heading 0, +X to the right; on an Ollie, +X is ahead and +Y to the left. Firmware 1.17 and newer.
  public struct ConfigureLocator: Command {
    public static let id = CommandID(0x02, 0x13)
    /// The options of the command.
    public struct Flags: WireFlags {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// ``Motion/SetHeading`` keeps the axes fixed in the room.
      public static let correctYawTare = Flags(rawValue: 1 << 0)

      public static let bits: [(flag: Self, name: String)] = [(.correctYawTare, "correctYawTare")]
    }
    /// Options of the locator.
    public var flags = Flags.correctYawTare
    /// Present position along +X (right), in centimetres.
    public var x: Int16 = 0
    /// Present position along +Y (ahead), in centimetres.
    public var y: Int16 = 0
    /// Rotation of the axes relative to headings, 0...359 degrees: at 90, heading 0 is along +X.
    public var yawTare: Int16 = 0
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

  /// Sets the range of the accelerometer; any other than the default of 8 g impairs driving and collision detection
  /// (Sphero API 1.50, "Set Accelerometer Range").
  ///
  /// The simulator assumes that a raw count is a fixed fraction of the range: raw values in g are correct only at 8 g.
  public struct SetAccelerometerRange: Command {
    public static let id = CommandID(0x02, 0x14)
    /// The largest measurable acceleration: ±2, 4, 8 or 16 g.
    public enum Range: UInt8, WireNamed, CaseIterable {
      /// The range in g, in both directions.
      case g2, g4, g8, g16
      public static let names: KeyValuePairs<Self, String> = [.g2: "g2", .g4: "g4", .g8: "g8", .g16: "g16"]
    }
    /// The largest acceleration that is measured.
    public var range = Range.g8
    public init() {}
    public init(range: Range) { self.range = range }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("range", &range) }
  }

  /// Reads position and velocity once; a stream is more reliable (Sphero API 1.50, "Read Locator").
  ///
  /// +X points to the right and +Y ahead at heading 0; on an Ollie, +X is ahead and +Y to the left.
  /// The session converts an Ollie's streamed position and velocity to the first axes, but not this response.
  /// Some firmware (3.71) refuses it; responses have been observed to disagree with the stream.
  public struct ReadLocator: Command {
    public static let id = CommandID(0x02, 0x15)
    public init() {}

    public struct Response: Message {
      /// Position along +X, in centimetres.
      public var x: Int16 = 0
      /// Position along +Y, in centimetres.
      public var y: Int16 = 0
      /// Velocity along +X, in cm/s.
      public var xVelocity: Int16 = 0
      /// Velocity along +Y, in cm/s.
      public var yVelocity: Int16 = 0
      /// Speed over ground, in cm/s.
      public var speed: UInt16 = 0
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

  /// Reads the temperature inside the robot (newer firmware; not in Sphero API 1.50, named in one library
  /// that was derived from an app of the vendor).
  public struct GetTemperature: Command {
    public static let id = CommandID(0x02, 0x16)
    public init() {}

    public struct Response: Message {
      /// Whole degrees Celsius.
      public var degrees: UInt8 = 0
      /// Tenths of a degree.
      public var tenths: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("degrees", &degrees, .degreesCelsius)
        try wire.field("tenths", &tenths)
      }
    }
  }

  /// Reads the distance that the robot has rolled since manufacture (newer firmware; not in Sphero API 1.50,
  /// named in the vendor's iOS header).
  public struct ReadOdometer: Command {
    public static let id = CommandID(0x02, 0x75)
    public init() {}

    public struct Response: Message {
      /// Distance in centimetres, according to the name of the vendor's field.
      public var centimetres: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("centimetres", &centimetres, .centimetres)
      }
    }
  }

  /// The frames of a stream: big-endian 16-bit words, which ``Sample/samples(in:mask:frames:)`` splits into
  /// samples (Sphero API 1.50).
  public struct SensorData: Event {
    // Inlinable, since each packet of a stream is compared with it.
    @inlinable public static var id: EventID { EventID(0x03) }
    /// The words of all frames.
    public var frames: [UInt8] = []
    public init() {}
    /// Creates a packet of samples, which have one mask.
    public init(_ samples: some Sequence<Sample>) {
      for sample in samples {
        for word in sample.rawWords {
          let bits = UInt16(bitPattern: word)
          frames.append(UInt8(bits >> 8))
          frames.append(UInt8(bits & 0xFF))
        }
      }
    }
    /// Specialization for arrays; a generic initializer is not specialized in other modules.
    package init(_ samples: [Sample]) { self.init(samples[...]) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("frames", &frames, count: 0...0xFFFE)
    }
  }

  /// Reports an impact, after ``ConfigureCollisionDetection`` (Sphero API 1.50; Collision detection 1.2).
  public struct Collision: Event {
    public static let id = EventID(0x07)
    /// The axes on which the threshold was exceeded.
    public struct Axes: WireFlags {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Lateral.
      public static let x = Axes(rawValue: 1)
      /// Longitudinal.
      public static let y = Axes(rawValue: 2)
      public static let bits: [(flag: Self, name: String)] = [(.x, "x"), (.y, "y")]
    }
    /// Peak acceleration, positive for an impact from the right; the document gives no unit.
    public var x: Int16 = 0
    /// Peak acceleration, positive for an impact from the front.
    public var y: Int16 = 0
    /// Always 0.
    public var z: Int16 = 0
    /// The axes whose thresholds were exceeded.
    public var axis: Axes = []
    /// Filtered power on the lateral axis, in the unit of the X threshold.
    public var xMagnitude: Int16 = 0
    /// Filtered power on the longitudinal axis, in the unit of the Y threshold.
    public var yMagnitude: Int16 = 0
    /// Speed at the impact, 0...255.
    public var speed: UInt8 = 0
    /// Milliseconds on the robot's clock.
    public var timestamp: UInt32 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("x", &x)
      try wire.field("y", &y)
      try wire.field("z", &z)
      try wire.field("axis", &axis)
      try wire.field("xMagnitude", &xMagnitude)
      try wire.field("yMagnitude", &yMagnitude)
      try wire.field("speed", &speed)
      try wire.field("timestamp", &timestamp, .milliseconds)
    }
  }

  /// Reports that the robot has turned faster than the gyro can measure; ``Motion/SetHeading`` re-arms the event
  /// (Sphero API 1.50).
  ///
  /// Firmware 3.10 and newer; later firmware sends it only if ``Settings/PermanentOptions/gyroLimitEvents`` is set.
  public struct GyroLimit: Event {
    public static let id = EventID(0x0C)
    /// The axes and signs on which the limit was exceeded.
    public struct Axes: WireFlags {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// A positive rate about x.
      public static let xPositive = Axes(rawValue: 1 << 0)
      /// A negative rate about x.
      public static let xNegative = Axes(rawValue: 1 << 1)
      /// A positive rate about y.
      public static let yPositive = Axes(rawValue: 1 << 2)
      /// A negative rate about y.
      public static let yNegative = Axes(rawValue: 1 << 3)
      /// A positive rate about z.
      public static let zPositive = Axes(rawValue: 1 << 4)
      /// A negative rate about z.
      public static let zNegative = Axes(rawValue: 1 << 5)

      public static let bits: [(flag: Self, name: String)] = [
        (.xPositive, "xPositive"), (.xNegative, "xNegative"), (.yPositive, "yPositive"),
        (.yNegative, "yNegative"), (.zPositive, "zPositive"), (.zNegative, "zNegative"),
      ]
    }
    /// The axes and directions in which the limit was exceeded.
    public var axes: Axes = []
    public init() {}
    public init(axes: Axes) { self.axes = axes }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("axes", &axes) }
  }
}
