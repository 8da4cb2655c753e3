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
  /// The known fields were found by comparing the recorded block of a Sphero S3 with the report of the same robot;
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

    /// The known fields of a block that may be truncated: voltages of the trip points, chassis ID, stored user colour,
    /// seconds without a command until the robot sleeps, and the gains of the yaw and roll controllers.
    public static func parts(of payload: [UInt8]) -> [FieldDescription] {
      let block = FlashImage(bytes: payload)
      func integer(_ name: String, at offset: Int, _ quantity: Quantity) -> FieldDescription? {
        block.integer(at: offset, as: UInt16.self).map {
          FieldDescription(name: name, value: .integer(Int64($0), quantity), range: offset..<(offset + 2))
        }
      }
      func gains(_ name: String, at offset: Int) -> [FieldDescription?] {
        zip(["P", "I", "D"], stride(from: offset, to: offset + 12, by: 4)).map { term, start in
          block.float(at: start).map {
            FieldDescription(name: name + term, value: .number($0), range: start..<(start + 4))
          }
        }
      }
      let color = block.slice(0x0C..<0x0F).map {
        FieldDescription(name: "userColor", value: .bytes($0), range: 0x0C..<0x0F)
      }
      let parts = [
        integer("lowTripPoint", at: 0x02, .centivolts), integer("criticalTripPoint", at: 0x04, .centivolts),
        integer("chassis", at: 0x0A, .count), color, integer("inactivityTimeout", at: 0x3C, .seconds),
      ]
      return (parts + gains("yaw", at: 0x4C) + gains("roll", at: 0x64)).compactMap { $0 }
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
