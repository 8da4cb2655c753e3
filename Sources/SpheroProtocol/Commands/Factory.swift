// Factory commands (DID 00h and 02h): what the works need; some of it is best left alone.

/// Commands for the factory; some are best left unused.
public enum Factory {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(ControlUARTTransmit.self, "Factory.ControlUARTTransmit")
    catalogue.command(GetFactoryConfigurationCRC.self, "Factory.GetFactoryConfigurationCRC")
    catalogue.command(SetCreationDate.self, "Factory.SetCreationDate")
    catalogue.command(GetApplicationConfigurationBlock.self, "Factory.GetApplicationConfigurationBlock")
    catalogue.command(ReenableDemoMode.self, "Factory.ReenableDemoMode")
    catalogue.command(GetChassisID.self, "Factory.GetChassisID")
    catalogue.command(SetChassisID.self, "Factory.SetChassisID")
    catalogue.command(GetSKU.self, "Factory.GetSKU")
  }
}

extension Factory {
  /// Switches the robot's sending line on or off.
  ///
  /// Sphero API 1.50, "Control UART Tx Line" (DID 00h, CID 03h).
  public struct ControlUARTTransmit: HazardousCommand {
    public static let id = CommandID(0x00, 0x03)
    /// What can go wrong.
    public static let hazard = "When off, the robot sends nothing until it restarts."
    /// Whether the robot can send.
    public var isOn = true
    /// Makes the command; on.
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Reads the checksum of the factory's configuration block.
  ///
  /// Not in Sphero API 1.50; named by the vendor's iOS header (DID 00h, CID 27h).
  public struct GetFactoryConfigurationCRC: Command {
    public static let id = CommandID(0x00, 0x27)
    public init() {}

    /// The checksum.
    public struct Response: Message {
      /// The bytes of the checksum; how many is not documented.
      public var crc: [UInt8] = []
      /// Makes an empty response.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("crc", &crc, count: 0...254)
      }
    }
  }

  /// Stores when the robot was made.
  ///
  /// Sphero API 1.50, "Set Creation Date" (DID 02h, CID 04h); in API 1.20, "Set Application Configuration Block".
  public struct SetCreationDate: HazardousCommand {
    public static let id = CommandID(0x02, 0x04)
    /// What can go wrong.
    public static let hazard =
      "Overwrites the factory's record, or on old firmware the settings of an app, in flash."
    /// The record, 32 bytes; there is no default that could be sent.
    public var block = FlashImage(bytes: [])
    /// Makes the command without a record, which cannot be encoded.
    public init() {}
    public init(block: FlashImage) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 32)
    }
  }

  /// Reads 32 bytes that an app may have stored; gone from firmware 3.33 on.
  ///
  /// Sphero API 1.20, "Get Application Configuration Block" (DID 02h, CID 05h).
  public struct GetApplicationConfigurationBlock: Command {
    public static let id = CommandID(0x02, 0x05)
    public init() {}

    /// The bytes.
    public struct Response: Message {
      /// The bytes of the app.
      public var block = FlashImage(erased: 32)
      /// Makes an erased block.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("block", &block, count: 32)
      }
    }
  }

  /// Did show the demonstration again; without effect from firmware 0.99 on.
  ///
  /// Sphero API 1.50, "Re-enable Demo Mode" (DID 02h, CID 06h).
  public struct ReenableDemoMode: Command {
    public static let id = CommandID(0x02, 0x06)
    public init() {}
  }

  /// Reads the number of the chassis.
  ///
  /// Sphero API 1.50, "Get Chassis ID" (DID 02h, CID 07h).
  public struct GetChassisID: Command {
    public static let id = CommandID(0x02, 0x07)
    public init() {}

    /// The number.
    public struct Response: Message {
      /// Number of the chassis.
      public var chassis: UInt16 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("chassis", &chassis)
      }
    }
  }

  /// Stores the number of the chassis.
  ///
  /// Sphero API 1.50, "Set Chassis ID" (DID 02h, CID 08h).
  public struct SetChassisID: HazardousCommand {
    public static let id = CommandID(0x02, 0x08)
    /// What can go wrong.
    public static let hazard = "Overwrites the factory's number in flash."
    /// Number of the chassis.
    public var chassis: UInt16 = 0
    /// Makes the command; zero.
    public init() {}
    public init(chassis: UInt16) { self.chassis = chassis }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("chassis", &chassis)
    }
  }

  /// Reads the article number (newer firmware).
  ///
  /// Not in Sphero API 1.50; named by one library made from a vendor's app (DID 02h, CID 3Ah).
  public struct GetSKU: Command {
    public static let id = CommandID(0x02, 0x3A)
    public init() {}

    /// The article number.
    public struct Response: Message {
      /// The article number as it is sent: back to front.
      public var text: WireText = ""
      /// Makes an empty response.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("text", &text, count: 0...254)
      }
      /// The article number from front to back.
      public var sku: String { String(text.description.reversed()) }
    }
  }
}
