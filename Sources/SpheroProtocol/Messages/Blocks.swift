// Block messages (DID 02h): flash images of the configuration and of the soul.

/// The configuration block in flash (DID 02h).
public enum Configuration {
  /// Requests a configuration block, which arrives as ``ConfigurationBlock``, before or after the response.
  ///
  /// Refused with ``Status/failedToExecute`` while another block is sent.
  /// Sphero API 1.50, "Get Configuration Block" (DID 02h, CID 40h).
  public struct GetConfigurationBlock: Command {
    public static let id = CommandID(0x02, 0x40)
    /// A block in flash memory.
    public enum Block: UInt8, WireNamed, CaseIterable {
      /// The configuration at manufacture.
      case factory
      /// The present configuration.
      case user
      public static let names: KeyValuePairs<Self, String> = [.factory: "factory", .user: "user"]
    }
    /// The requested block.
    public var block = Block.user
    public init() {}
    public init(block: Block) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("block", &block) }
  }

  /// Replaces the user's configuration block.
  ///
  /// DLEN is FFh for any length; that the checksum follows the block is inferred, since no recording exists.
  /// Sphero API 1.50, "Set Configuration Block" (DID 02h, CID 43h).
  public struct SetConfigurationBlock: HazardousCommand {
    public static let id = CommandID(0x02, 0x43)
    public static let hazard =
      "Overwrites calibration and tuning in flash; a wrong block leaves a robot that cannot drive."
    /// The block, 1024 bytes as in ``ConfigurationBlock``; the default is empty and cannot be encoded.
    public var block = FlashImage(bytes: [])
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0x400)
    }
  }

  /// The block that ``GetConfigurationBlock`` requested.
  ///
  /// The vendor published no layout.
  /// The properties below were found by comparing the recorded block of a Sphero S3 with the report of the same robot;
  /// other models and firmware may differ. For reading only.
  /// Sphero API 1.50, asynchronous ID 04h.
  public struct ConfigurationBlock: Event {
    public static let id = EventID(0x04)
    /// The block: 1024 bytes in recordings; other lengths are kept.
    public var block = FlashImage(bytes: [])
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }

    /// Voltage below which the battery is low, in hundredths of a volt (offset 02h).
    public var lowTripPoint: UInt16? { block.integer(at: Offset.lowTripPoint) }
    /// Voltage below which the battery is critical, in hundredths of a volt (offset 04h).
    public var criticalTripPoint: UInt16? { block.integer(at: Offset.criticalTripPoint) }
    /// Chassis ID (offset 0Ah).
    public var chassis: UInt16? { block.integer(at: Offset.chassis) }
    /// Stored user colour, as in ``Lights/GetRGBLED`` (offset 0Ch).
    public var userColor: (red: UInt8, green: UInt8, blue: UInt8)? {
      block.slice(Offset.userColor).map { ($0[0], $0[1], $0[2]) }
    }
    /// Seconds without a command until the robot sleeps (offset 3Ch).
    public var inactivityTimeout: UInt16? { block.integer(at: Offset.inactivityTimeout) }
    /// Gains of the yaw controller (offset 4Ch).
    public var yawGains: Gains? { Gains(in: block, at: Offset.yawGains) }
    /// Gains of the roll controller (offset 64h).
    public var rollGains: Gains? { Gains(in: block, at: Offset.rollGains) }

    private enum Offset {
      static let lowTripPoint = 0x02
      static let criticalTripPoint = 0x04
      static let chassis = 0x0A
      static let userColor = 0x0C..<0x0F
      static let inactivityTimeout = 0x3C
      static let yawGains = 0x4C
      static let rollGains = 0x64
    }

    /// The known fields of a block that may be truncated.
    public static func parts(of payload: [UInt8]) -> [FieldDescription] {
      let block = FlashImage(bytes: payload)
      var parts: [FieldDescription] = []
      func add(_ name: String, _ value: FieldValue?, _ range: Range<Int>) {
        if let value { parts.append(FieldDescription(name: name, value: value, range: range)) }
      }
      func addInteger(_ name: String, _ offset: Int, _ quantity: Quantity = .count) {
        let value = block.integer(at: offset, as: UInt16.self)
        add(name, value.map { .integer(Int64($0), quantity) }, offset..<(offset + 2))
      }
      func addGains(_ name: String, _ offset: Int) {
        for (index, term) in ["P", "I", "D"].enumerated() {
          let start = offset + 4 * index
          add(name + term, block.float(at: start).map { .number($0) }, start..<(start + 4))
        }
      }
      addInteger("lowTripPoint", Offset.lowTripPoint, .centivolts)
      addInteger("criticalTripPoint", Offset.criticalTripPoint, .centivolts)
      addInteger("chassis", Offset.chassis)
      add("userColor", block.slice(Offset.userColor).map { .bytes($0) }, Offset.userColor)
      addInteger("inactivityTimeout", Offset.inactivityTimeout, .seconds)
      addGains("yaw", Offset.yawGains)
      addGains("roll", Offset.rollGains)
      return parts
    }

    /// The gains of a PID controller.
    public struct Gains: Hashable, Sendable {
      /// The gain of the error.
      public var proportional: Float
      /// The gain of the integral of the error.
      public var integral: Float
      /// The gain of the rate of the error.
      public var derivative: Float

      /// Reads three numbers from an offset on; nil if they are not within the block.
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
  /// Replaces the rules by which the soul block changes; for development by the vendor.
  ///
  /// Sphero API 1.50, "Set SSB Modifier Block" (DID 02h, CID 41h).
  public struct SetSSBModifier: HazardousCommand {
    public static let id = CommandID(0x02, 0x41)
    public static let hazard = "Overwrites the rules of the game in flash with unpublished values."
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// The rules, 272 bytes; the default is empty and cannot be encoded.
    public var block = FlashImage(bytes: [])
    public init() {}
    public init(password: UInt32, block: FlashImage) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 272)
    }
  }

  /// Requests the soul block, which arrives as ``SoulBlock``.
  ///
  /// Sphero API 1.50, "Get SSB" (DID 02h, CID 46h).
  public struct GetSSB: Command {
    public static let id = CommandID(0x02, 0x46)
    public init() {}
  }

  /// Replaces the soul block.
  ///
  /// Sphero API 1.50, "Set SSB" (DID 02h, CID 47h).
  public struct SetSSB: HazardousCommand {
    public static let id = CommandID(0x02, 0x47)
    public static let hazard = "Overwrites everything that the robot has earned, in flash."
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// The block, 1024 bytes as in ``SoulBlock``; the default is empty and cannot be encoded.
    public var block = FlashImage(bytes: [])
    public init() {}
    public init(password: UInt32, block: FlashImage) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 0x400)
    }
  }

  /// The block that ``GetSSB`` requested; its layout is not known.
  ///
  /// Sphero API 1.50, asynchronous ID 0Dh.
  public struct SoulBlock: Event {
    public static let id = EventID(0x0D)
    /// The block: 1024 bytes in recordings; other lengths are kept.
    public var block = FlashImage(bytes: [])
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }
  }
}
