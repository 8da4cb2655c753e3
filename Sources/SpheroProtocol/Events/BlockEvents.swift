// Block events: the images of flash, and what is known of their inside.

extension Configuration {
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
    public var block = FlashImage(bytes: [])
    /// Makes an empty block.
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }

    /// Voltage at which the battery counts as low, in hundredths of a volt (offset 02h).
    public var lowTripPoint: UInt16? { block.integer(at: Place.lowTripPoint) }
    /// Voltage at which the battery counts as critical, in hundredths of a volt (offset 04h).
    public var criticalTripPoint: UInt16? { block.integer(at: Place.criticalTripPoint) }
    /// Number of the chassis (offset 0Ah).
    public var chassis: UInt16? { block.integer(at: Place.chassis) }
    /// Stored user colour, the one of ``Lights/GetRGBLED`` (offset 0Ch).
    public var userColor: (red: UInt8, green: UInt8, blue: UInt8)? {
      block.slice(Place.userColor..<(Place.userColor + 3)).map { ($0[0], $0[1], $0[2]) }
    }
    /// Seconds without a command until it sleeps (offset 3Ch).
    public var inactivityTimeout: UInt16? { block.integer(at: Place.inactivityTimeout) }
    /// Gains of the yaw controller (offset 4Ch).
    public var yawGains: Gains? { Gains(in: block, at: Place.yawGains) }
    /// Gains of the roll controller (offset 64h).
    public var rollGains: Gains? { Gains(in: block, at: Place.rollGains) }

    /// The offsets of what is known.
    private enum Place {
      static let lowTripPoint = 0x02
      static let criticalTripPoint = 0x04
      static let chassis = 0x0A
      static let userColor = 0x0C
      static let inactivityTimeout = 0x3C
      static let yawGains = 0x4C
      static let rollGains = 0x64
    }

    /// The known places of a block, as far as it reaches.
    public static func parts(of payload: [UInt8]) -> [FieldDescription] {
      let block = FlashImage(bytes: payload)
      var parts: [FieldDescription] = []
      func add(_ name: String, _ place: Int, _ quantity: Quantity = .count) {
        guard let value = block.integer(at: place, as: UInt16.self) else { return }
        parts.append(
          FieldDescription(name: name, value: .integer(Int64(value), quantity), range: place..<(place + 2)))
      }
      func addGains(_ name: String, _ place: Int) {
        for (index, kind) in ["P", "I", "D"].enumerated() {
          let start = place + 4 * index
          guard let value = block.float(at: start) else { continue }
          parts.append(
            FieldDescription(name: "\(name)\(kind)", value: .number(value), range: start..<(start + 4)))
        }
      }
      add("lowTripPoint", Place.lowTripPoint, .centivolts)
      add("criticalTripPoint", Place.criticalTripPoint, .centivolts)
      add("chassis", Place.chassis)
      let colors = Place.userColor..<(Place.userColor + 3)
      if let color = block.slice(colors) {
        parts.append(FieldDescription(name: "userColor", value: .bytes(color), range: colors))
      }
      add("inactivityTimeout", Place.inactivityTimeout, .seconds)
      addGains("yaw", Place.yawGains)
      addGains("roll", Place.rollGains)
      return parts
    }

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
    public var block = FlashImage(bytes: [])
    /// Makes an empty block.
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }
  }
}
