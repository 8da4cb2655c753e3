// Settings (DID 02h): option flags and device mode.

/// What the robot remembers about its behaviour (DID 02h).
public enum Settings {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(SetPermanentOptions.self, "Settings.SetPermanentOptions")
    catalogue.command(GetPermanentOptions.self, "Settings.GetPermanentOptions")
    catalogue.command(SetTemporaryOptions.self, "Settings.SetTemporaryOptions")
    catalogue.command(GetTemporaryOptions.self, "Settings.GetTemporaryOptions")
    catalogue.command(SetDeviceMode.self, "Settings.SetDeviceMode")
    catalogue.command(GetDeviceMode.self, "Settings.GetDeviceMode")
  }
}

extension Settings {
  /// Options kept in flash; bits without a name are preserved.
  public struct PermanentOptions: WireFlags {
    /// The bits on the wire.
    public var rawValue: UInt32
    /// Takes the bits of the wire.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Stays awake in the charger while connected.
    public static let awakeInCharger = PermanentOptions(rawValue: 1 << 0)
    /// Turns to the heading before moving, when stopped.
    public static let vectorDrive = PermanentOptions(rawValue: 1 << 1)
    /// Does not level itself in the charger.
    public static let noSelfLevelInCharger = PermanentOptions(rawValue: 1 << 2)
    /// Keeps the tail light on.
    public static let tailLightOn = PermanentOptions(rawValue: 1 << 3)
    /// Stops when no motion command comes within the motion timeout.
    public static let motionTimeouts = PermanentOptions(rawValue: 1 << 4)
    /// Runs the demonstration of the shops.
    public static let retailDemo = PermanentOptions(rawValue: 1 << 5)
    /// Wakes at a light double tap.
    public static let lightDoubleTapWake = PermanentOptions(rawValue: 1 << 6)
    /// Wakes at a heavy double tap.
    public static let heavyDoubleTapWake = PermanentOptions(rawValue: 1 << 7)
    /// Reports when the gyro reaches its limit.
    public static let gyroLimitEvents = PermanentOptions(rawValue: 1 << 8)

    /// The bits of API 1.50.
    public static let bits: [(flag: Self, name: String)] = [
      (.awakeInCharger, "awakeInCharger"), (.vectorDrive, "vectorDrive"),
      (.noSelfLevelInCharger, "noSelfLevelInCharger"), (.tailLightOn, "tailLightOn"),
      (.motionTimeouts, "motionTimeouts"), (.retailDemo, "retailDemo"),
      (.lightDoubleTapWake, "lightDoubleTapWake"), (.heavyDoubleTapWake, "heavyDoubleTapWake"),
      (.gyroLimitEvents, "gyroLimitEvents"),
    ]
  }

  /// Options that last until power-off; bits without a name are preserved.
  public struct TemporaryOptions: WireFlags {
    /// The bits on the wire.
    public var rawValue: UInt32
    /// Takes the bits of the wire.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Stops once when the link drops; cleared when it has been obeyed.
    public static let stopOnDisconnect = TemporaryOptions(rawValue: 1 << 0)

    /// The bits of API 1.50.
    public static let bits: [(flag: Self, name: String)] = [(.stopOnDisconnect, "stopOnDisconnect")]
  }

  /// Replaces the options kept in flash; to change one, read them, change it and write them back.
  ///
  /// Hazardous although every bit can be set back: each one is written to flash at once,
  /// a program that forgets the bits without a name clears them for good,
  /// and the robot behaves otherwise for every program that comes after.
  /// Sphero API 1.50, "Set Permanent Option Flags" (DID 02h, CID 35h).
  public struct SetPermanentOptions: HazardousCommand {
    public static let id = CommandID(0x02, 0x35)
    /// What can go wrong.
    public static let hazard =
      "Writes flash, and changes how the robot behaves for every program from now on."
    /// The options to set; all others are cleared.
    public var flags: PermanentOptions = []
    /// Makes the command; clears all.
    public init() {}
    public init(flags: PermanentOptions) { self.flags = flags }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("flags", &flags) }
  }

  /// Reads the options kept in flash.
  ///
  /// Sphero API 1.50, "Get Permanent Option Flags" (DID 02h, CID 36h).
  public struct GetPermanentOptions: Command {
    public static let id = CommandID(0x02, 0x36)
    public init() {}

    /// The options.
    public struct Response: Message {
      /// The options that are set.
      public var flags: PermanentOptions = []
      /// Makes a response without options.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("flags", &flags)
      }
    }
  }

  /// Replaces the options that last until power-off (firmware 1.46 and newer).
  ///
  /// Sphero API 1.50, "Set Temporary Option Flags" (DID 02h, CID 37h).
  public struct SetTemporaryOptions: Command {
    public static let id = CommandID(0x02, 0x37)
    /// The options to set; all others are cleared.
    public var flags: TemporaryOptions = []
    /// Makes the command; clears all.
    public init() {}
    public init(flags: TemporaryOptions) { self.flags = flags }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("flags", &flags) }
  }

  /// Reads the options that last until power-off.
  ///
  /// Sphero API 1.50, "Get Temporary Option Flags" (DID 02h, CID 38h).
  public struct GetTemporaryOptions: Command {
    public static let id = CommandID(0x02, 0x38)
    public init() {}

    /// The options.
    public struct Response: Message {
      /// The options that are set.
      public var flags: TemporaryOptions = []
      /// Makes a response without options.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("flags", &flags)
      }
    }
  }

  /// Whether the robot listens to packets alone; an unknown mode is kept as its number.
  public struct DeviceMode: WireCode {
    /// The number on the wire.
    public var rawValue: UInt8
    /// Takes the number of the wire.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Packets alone.
    public static let normal = DeviceMode(rawValue: 0)
    /// A text shell shares the link; its prompt `u>` comes between packets.
    public static let userHack = DeviceMode(rawValue: 1)

    /// The codes that have a name.
    public static let names: KeyValuePairs<DeviceMode, String> = [
      .normal: "normal",
      .userHack: "userHack",
    ]
  }

  /// Opens or closes the text shell that shares the link with the packets.
  ///
  /// Sphero API 1.50, "Set Device Mode" (DID 02h, CID 42h).
  public struct SetDeviceMode: Command {
    public static let id = CommandID(0x02, 0x42)
    /// What the robot listens to.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// Packets alone.
      case normal
      /// Packets and a text shell.
      case userHack
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [.normal: "normal", .userHack: "userHack"]
    }
    /// The mode.
    public var mode = Mode.normal
    /// Makes the command; normal.
    public init() {}
    public init(mode: Mode) { self.mode = mode }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
  }

  /// Reads whether the text shell is open.
  ///
  /// Sphero API 1.50, "Get Device Mode" (DID 02h, CID 44h).
  public struct GetDeviceMode: Command {
    public static let id = CommandID(0x02, 0x44)
    public init() {}

    /// The mode.
    public struct Response: Message {
      /// The mode.
      public var mode = DeviceMode.normal
      /// Makes a response; normal.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
    }
  }
}
