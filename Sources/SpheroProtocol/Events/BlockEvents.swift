// Block events: the images of flash, and what is known of their inside.

extension Configuration {
  /// Visits the events of this file, in the order of their IDs.
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(ConfigurationBlock.self, "Configuration.ConfigurationBlock")
  }

  /// The block that ``GetConfigurationBlock`` asked for.
  ///
  /// The vendor published no layout.
  /// The properties below were found by matching the recorded block of a Sphero S3 with the report of the same robot;
  /// other models and firmware may differ. For reading only.
  /// Sphero API 1.50, asynchronous ID 04h.
  public struct ConfigurationBlock: Event {
    /// 04.
    public static let id = EventID(0x04)
    /// The block: 1024 bytes where recorded; other lengths are kept.
    public var block = FlashImage(erased: 0x400)
    /// Makes an erased block.
    public init() {}
    /// Makes an event.
    public init(block: FlashImage) { self.block = block }
    /// Visits all bytes.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }

    /// Voltage at which the battery counts as low, in hundredths of a volt (offset 02h).
    public var lowTripPoint: UInt16? { block.integer(at: 0x02) }
    /// Voltage at which the battery counts as critical, in hundredths of a volt (offset 04h).
    public var criticalTripPoint: UInt16? { block.integer(at: 0x04) }
    /// Number of the chassis (offset 0Ah).
    public var chassis: UInt16? { block.integer(at: 0x0A) }
    /// Stored user colour, the one of ``Lights/GetRGBLED`` (offset 0Ch).
    public var userColor: (red: UInt8, green: UInt8, blue: UInt8)? {
      block.slice(0x0C..<0x0F).map { ($0[0], $0[1], $0[2]) }
    }
    /// Seconds without a command until it sleeps (offset 3Ch).
    public var inactivityTimeout: UInt16? { block.integer(at: 0x3C) }
    /// Gains of the yaw controller (offset 4Ch).
    public var yawGains: Gains? { Gains(in: block, at: 0x4C) }
    /// Gains of the roll controller (offset 64h).
    public var rollGains: Gains? { Gains(in: block, at: 0x64) }

    /// What a controller makes of an error, its sum and its change.
    public struct Gains: Hashable, Sendable {
      /// Proportional.
      public var proportional: Float
      /// Integral.
      public var integral: Float
      /// Derivative.
      public var derivative: Float

      /// Reads three numbers, or is nil where the block ends before.
      public init?(in block: FlashImage, at offset: Int) {
        guard let first = block.float(at: offset), let second = block.float(at: offset + 4),
          let third = block.float(at: offset + 8)
        else { return nil }
        (proportional, integral, derivative) = (first, second, third)
      }
    }
  }
}

extension Soul {
  /// Visits the events of this file, in the order of their IDs.
  static func blockEvents(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(SoulBlock.self, "Soul.SoulBlock")
  }

  /// The block that ``GetSSB`` asked for; nothing is known of its inside.
  ///
  /// Sphero API 1.50, asynchronous ID 0Dh.
  public struct SoulBlock: Event {
    /// 0D.
    public static let id = EventID(0x0D)
    /// The block: 1024 bytes where recorded; other lengths are kept.
    public var block = FlashImage(erased: 0x400)
    /// Makes an erased block.
    public init() {}
    /// Makes an event.
    public init(block: FlashImage) { self.block = block }
    /// Visits all bytes.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }
  }
}
