// Block commands (DID 02h): images of flash with what the robot is tuned to and what it has earned.

/// The block of flash with what the robot is tuned to (DID 02h).
public enum Configuration {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(GetConfigurationBlock.self, "Configuration.GetConfigurationBlock")
    catalogue.command(SetConfigurationBlock.self, "Configuration.SetConfigurationBlock")
  }
}

extension Configuration {
  /// Asks for a configuration block, which ``ConfigurationBlock`` brings, after the response or before it.
  ///
  /// Refused with ``Status/failedToExecute`` while another is on its way.
  /// Sphero API 1.50, "Get Configuration Block" (DID 02h, CID 40h).
  public struct GetConfigurationBlock: Command {
    public static let id = CommandID(0x02, 0x40)
    /// A block of flash.
    public enum Block: UInt8, WireNamed, CaseIterable {
      /// As the factory tuned the robot.
      case factory
      /// As the robot is tuned now.
      case user
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [.factory: "factory", .user: "user"]
    }
    /// Which block.
    public var block = Block.user
    /// Makes the command; the user's block.
    public init() {}
    public init(block: Block) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("block", &block) }
  }

  /// Replaces the user's configuration block.
  ///
  /// DLEN is FFh whatever the length; that the checksum follows the block is inferred, since nobody has recorded one.
  /// Sphero API 1.50, "Set Configuration Block" (DID 02h, CID 43h).
  public struct SetConfigurationBlock: HazardousCommand {
    public static let id = CommandID(0x02, 0x43)
    /// What can go wrong.
    public static let hazard =
      "Overwrites calibration and tuning in flash; a wrong block leaves a robot that cannot drive."
    /// The block, 1024 bytes as ``ConfigurationBlock`` brought them; there is no default that could be sent.
    public var block = FlashImage(bytes: [])
    /// Makes the command without a block, which cannot be encoded.
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 0x400)
    }
  }
}

extension Soul {
  static func blockCommands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(SetSSBModifier.self, "Soul.SetSSBModifier")
    catalogue.command(GetSSB.self, "Soul.GetSSB")
    catalogue.command(SetSSB.self, "Soul.SetSSB")
  }

  /// Replaces the rules by which the soul block changes; for the vendor's development.
  ///
  /// Sphero API 1.50, "Set SSB Modifier Block" (DID 02h, CID 41h).
  public struct SetSSBModifier: HazardousCommand {
    public static let id = CommandID(0x02, 0x41)
    /// What can go wrong.
    public static let hazard =
      "Overwrites the rules of the game in flash with values that nobody has published."
    /// Made from the seed of ``GetPasswordSeed``; how is not documented.
    public var password: UInt32 = 0
    /// The rules, 272 bytes; there is no default that could be sent.
    public var block = FlashImage(bytes: [])
    /// Makes the command without a block, which cannot be encoded.
    public init() {}
    public init(password: UInt32, block: FlashImage) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 272)
    }
  }

  /// Asks for the soul block, which ``SoulBlock`` brings.
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
    /// What can go wrong.
    public static let hazard = "Overwrites all that the robot has earned, in flash."
    /// Made from the seed of ``GetPasswordSeed``; how is not documented.
    public var password: UInt32 = 0
    /// The block, 1024 bytes as ``SoulBlock`` brought them; there is no default that could be sent.
    public var block = FlashImage(bytes: [])
    /// Makes the command without a block, which cannot be encoded.
    public init() {}
    public init(password: UInt32, block: FlashImage) { (self.password, self.block) = (password, block) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("block", &block, count: 0x400)
    }
  }
}
