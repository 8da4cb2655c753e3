// Factory messages (DID 00h and 02h): production data and obsolete commands.

/// Commands of the factory. Those that store data or silence the robot are a ``HazardousCommand``.
public enum Factory {
  /// Switches the robot's transmit line on or off (Sphero API 1.50, "Control UART Tx Line").
  public struct ControlUARTTransmit: HazardousCommand {
    public static let id = CommandID(0x00, 0x03)
    public static let hazard = "When off, the robot sends nothing until it restarts."
    /// Whether the robot can transmit.
    public var isOn = true
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Reads the checksum of the factory's configuration block
  /// (not in Sphero API 1.50, named in the vendor's iOS header).
  public struct GetFactoryConfigurationCRC: Command {
    public static let id = CommandID(0x00, 0x27)
    public init() {}

    public struct Response: Message {
      /// The checksum; its length is not documented.
      public var crc: [UInt8] = []
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("crc", &crc, count: 0...254)
      }
    }
  }

  /// Stores the date of manufacture
  /// (Sphero API 1.50, "Set Creation Date"; in API 1.20, "Set Application Configuration Block").
  public struct SetCreationDate: HazardousCommand {
    public static let id = CommandID(0x02, 0x04)
    public static let hazard =
      "Overwrites the factory's record, or on old firmware the settings of an app, in flash."
    /// The record, 32 bytes; the default is empty and cannot be encoded.
    public var block: [UInt8] = []
    public init() {}
    public init(block: [UInt8]) { self.block = block }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("block", &block, count: 32)
    }
  }

  /// Reads 32 bytes that an app may have stored; removed in firmware 3.33
  /// (Sphero API 1.20, "Get Application Configuration Block").
  public struct GetApplicationConfigurationBlock: Command {
    public static let id = CommandID(0x02, 0x05)
    public init() {}

    public struct Response: Message {
      /// The stored bytes.
      public var block = [UInt8](repeating: 0xFF, count: 32)
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("block", &block, count: 32)
      }
    }
  }

  /// Re-enables the demo mode; no effect since firmware 0.99 (Sphero API 1.50, "Re-enable Demo Mode").
  public struct ReenableDemoMode: Command {
    public static let id = CommandID(0x02, 0x06)
    public init() {}
  }

  /// Reads the chassis ID (Sphero API 1.50, "Get Chassis ID").
  public struct GetChassisID: Command {
    public static let id = CommandID(0x02, 0x07)
    public init() {}

    public struct Response: Message {
      /// Chassis ID.
      public var chassis: UInt16 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("chassis", &chassis)
      }
    }
  }

  /// Stores the chassis ID (Sphero API 1.50, "Set Chassis ID").
  public struct SetChassisID: HazardousCommand {
    public static let id = CommandID(0x02, 0x08)
    public static let hazard = "Overwrites the factory's number in flash."
    /// Chassis ID.
    public var chassis: UInt16 = 0
    public init() {}
    public init(chassis: UInt16) { self.chassis = chassis }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("chassis", &chassis)
    }
  }

  /// Reads the stock-keeping unit (newer firmware; not in Sphero API 1.50, named in one library that was
  /// derived from an app of the vendor).
  public struct GetSKU: Command {
    public static let id = CommandID(0x02, 0x3A)
    public init() {}

    public struct Response: Message {
      /// The stock-keeping unit as it is sent, in reverse order.
      public var text: WireText = ""
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("text", &text, count: 0...254)
      }
    }
  }
}
