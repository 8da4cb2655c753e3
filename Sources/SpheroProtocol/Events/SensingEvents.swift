// Sensing events: sensor frames and collisions.

extension Sensing {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(SensorData.self, "Sensing.SensorData")
    catalogue.event(Collision.self, "Sensing.Collision")
    catalogue.event(GyroLimit.self, "Sensing.GyroLimit")
  }

  /// The frames of a stream: big-endian 16-bit words, cut into samples by ``Sample/samples(in:mask:frames:)``.
  ///
  /// Sphero API 1.50, asynchronous ID 03h.
  public struct SensorData: Event {
    /// 03; inlinable, since each packet of a stream is compared with it.
    @inlinable public static var id: EventID { EventID(0x03) }
    /// The words of all frames.
    public var frames: [UInt8] = []
    /// Makes an empty packet.
    public init() {}
    /// Makes a packet of samples.
    public init(_ samples: some Sequence<Sample>) {
      for sample in samples {
        for word in sample.rawWords {
          let bits = UInt16(bitPattern: word)
          frames.append(UInt8(bits >> 8))
          frames.append(UInt8(bits & 0xFF))
        }
      }
    }
    /// The same of an array, for other modules, in which the generic one would not be specialised.
    package init(_ samples: [Sample]) { self.init(samples[...]) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("frames", &frames, count: 0...0xFFFE)
    }
  }

  /// Tells of an impact, after collision detection has been configured.
  ///
  /// Sphero API 1.50, asynchronous ID 07h; Collision detection 1.2.
  public struct Collision: Event {
    /// 07.
    public static let id = EventID(0x07)
    /// The axes whose thresholds were exceeded.
    public struct Axes: WireFlags {
      /// The bits on the wire.
      public var rawValue: UInt8
      /// Takes the bits of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Left and right.
      public static let x = Axes(rawValue: 1)
      /// Front and back.
      public static let y = Axes(rawValue: 2)
      /// Both axes.
      public static let bits: [(flag: Self, name: String)] = [(.x, "x"), (.y, "y")]
    }
    /// Acceleration peak, positive from the right side; the document gives no unit.
    public var x: Int16 = 0
    /// Acceleration peak, positive from the front.
    public var y: Int16 = 0
    /// Always 0.
    public var z: Int16 = 0
    /// The axes whose thresholds were exceeded.
    public var axis: Axes = []
    /// Filtered power across, in the unit of the X threshold.
    public var xMagnitude: Int16 = 0
    /// Filtered power along, in the unit of the Y threshold.
    public var yMagnitude: Int16 = 0
    /// Speed at the impact, 0...255.
    public var speed: UInt8 = 0
    /// Milliseconds on the robot's clock.
    public var timestamp: UInt32 = 0
    /// Makes an impact of zeros.
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

  /// Tells that the robot has turned faster than the gyro measures; ``Motion/SetHeading`` re-arms it.
  ///
  /// Firmware 3.10 and newer; later only with ``Settings/PermanentOptions/gyroLimitEvents``.
  /// Sphero API 1.50, asynchronous ID 0Ch.
  public struct GyroLimit: Event {
    /// 0C.
    public static let id = EventID(0x0C)
    /// Directions of turning.
    public struct Axes: WireFlags {
      /// The bits on the wire.
      public var rawValue: UInt8
      /// Takes the bits of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// About X, positive.
      public static let xPositive = Axes(rawValue: 1 << 0)
      /// About X, negative.
      public static let xNegative = Axes(rawValue: 1 << 1)
      /// About Y, positive.
      public static let yPositive = Axes(rawValue: 1 << 2)
      /// About Y, negative.
      public static let yNegative = Axes(rawValue: 1 << 3)
      /// About Z, positive.
      public static let zPositive = Axes(rawValue: 1 << 4)
      /// About Z, negative.
      public static let zNegative = Axes(rawValue: 1 << 5)

      /// The bits that have a name.
      public static let bits: [(flag: Self, name: String)] = [
        (.xPositive, "xPositive"),
        (.xNegative, "xNegative"),
        (.yPositive, "yPositive"),
        (.yNegative, "yNegative"),
        (.zPositive, "zPositive"),
        (.zNegative, "zNegative"),
      ]
    }
    /// The directions in which it was exceeded.
    public var axes: Axes = []
    /// Makes an event without axes.
    public init() {}
    public init(axes: Axes) { self.axes = axes }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("axes", &axes) }
  }
}
