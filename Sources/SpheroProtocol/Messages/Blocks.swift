// Block messages (DID 02h): flash images of the configuration and of the soul.

/// The configuration block in flash (DID 02h).
public enum Configuration {
  /// Requests a configuration block, which arrives as ``ConfigurationBlock``, before or after the response
  /// (Sphero API 1.50, "Get Configuration Block").
  ///
  /// Refused with ``Status/failedToExecute`` while another block is sent.
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

  /// Replaces the user's configuration block (Sphero API 1.50, "Set Configuration Block").
  ///
  /// DLEN is FFh, which stands for the 1024 bytes; that the checksum follows the block is inferred, since no recording exists.
  public struct SetConfigurationBlock: HazardousCommand {
    public static let id = CommandID(0x02, 0x43)
    public static let hazard =
      "Overwrites calibration and tuning in flash; a wrong block leaves a robot that cannot drive."
    /// The block, 1024 bytes as in ``ConfigurationBlock``; the default is empty and cannot be encoded.
    public var block: [UInt8] = []
    public init() {}
    public init(block: [UInt8]) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0x400)
    }
  }

  /// The block that ``GetConfigurationBlock`` requested (Sphero API 1.50).
  ///
  /// The vendor published no layout. The known fields were found by comparing the recorded block of a Sphero S3 with the
  /// report of the same robot; other models and firmware may differ. For reading only.
  public struct ConfigurationBlock: Event {
    public static let id = EventID(0x04)
    /// The block: 1024 bytes in recordings; other lengths are kept.
    public var block: [UInt8] = []
    public init() {}
    public init(block: [UInt8]) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }

    /// The known fields of a block that may be truncated: voltages of the trip points, chassis ID, stored user colour,
    /// seconds without a command until the robot sleeps, and the gains of the yaw and roll controllers.
    public static func parts(of payload: [UInt8]) -> [FieldDescription] {
      var parts: [FieldDescription] = []
      func add(_ name: String, _ range: Range<Int>, _ value: ([UInt8]) -> FieldValue?) {
        guard range.upperBound <= payload.count, let value = value(Array(payload[range])) else { return }
        parts.append(FieldDescription(name: name, value: value, range: range))
      }
      // Integers in flash are little-endian, unlike all others on the wire.
      func integer(_ bytes: [UInt8]) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
      add("lowTripPoint", 0x02..<0x04) { .integer(Int64(integer($0)), .centivolts) }
      add("criticalTripPoint", 0x04..<0x06) { .integer(Int64(integer($0)), .centivolts) }
      add("chassis", 0x0A..<0x0C) { .count(integer($0)) }
      add("userColor", 0x0C..<0x0F) { .bytes($0) }
      add("inactivityTimeout", 0x3C..<0x3E) { .integer(Int64(integer($0)), .seconds) }
      for (name, start) in [("yaw", 0x4C), ("roll", 0x64)] {
        for (term, offset) in [("P", start), ("I", start + 4), ("D", start + 8)] {
          add(name + term, offset..<(offset + 4)) {
            let gain = Float(bitPattern: integer($0))
            return gain.isFinite ? .number(gain) : nil
          }
        }
      }
      return parts
    }
  }
}

extension Soul {
  /// Replaces the rules by which the soul block changes; for development by the vendor
  /// (Sphero API 1.50, "Set SSB Modifier Block").
  public struct SetSSBModifier: HazardousCommand {
    public static let id = CommandID(0x02, 0x41)
    public static let hazard = "Overwrites the rules of the game in flash with unpublished values."
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// The rules, 272 bytes; the default is empty and cannot be encoded.
    public var block: [UInt8] = []
    public init() {}
    public init(password: UInt32, block: [UInt8]) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 272)
    }
  }

  /// Requests the soul block, which arrives as ``SoulBlock`` (Sphero API 1.50, "Get SSB").
  public struct GetSSB: Command {
    public static let id = CommandID(0x02, 0x46)
    public init() {}
  }

  /// Replaces the soul block (Sphero API 1.50, "Set SSB").
  public struct SetSSB: HazardousCommand {
    public static let id = CommandID(0x02, 0x47)
    public static let hazard = "Overwrites everything that the robot has earned, in flash."
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// The block, 1024 bytes as in ``SoulBlock``; the default is empty and cannot be encoded.
    public var block: [UInt8] = []
    public init() {}
    public init(password: UInt32, block: [UInt8]) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 0x400)
    }
  }

  /// The block that ``GetSSB`` requested; its layout is not known (Sphero API 1.50).
  public struct SoulBlock: Event {
    public static let id = EventID(0x0D)
    /// The block: 1024 bytes in recordings; other lengths are kept.
    public var block: [UInt8] = []
    public init() {}
    public init(block: [UInt8]) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0...0xFFFE)
    }
  }
}
