// Settings messages (DID 02h): option flags and device mode.

/// Settings of the robot's behaviour (DID 02h).
public enum Settings {
  /// Options kept in flash; bits without a name are preserved.
  public struct PermanentOptions: WireFlags {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Stays awake in the charger while connected.
    public static let awakeInCharger = PermanentOptions(rawValue: 1 << 0)
    /// Turns to the heading before it starts to move.
    public static let vectorDrive = PermanentOptions(rawValue: 1 << 1)
    /// Does not self-level in the charger.
    public static let noSelfLevelInCharger = PermanentOptions(rawValue: 1 << 2)
    /// Keeps the tail light on.
    public static let tailLightOn = PermanentOptions(rawValue: 1 << 3)
    /// Stops if no motion command arrives within the motion timeout.
    public static let motionTimeouts = PermanentOptions(rawValue: 1 << 4)
    /// Runs the retail demonstration.
    public static let retailDemo = PermanentOptions(rawValue: 1 << 5)
    /// Wakes on a light double tap.
    public static let lightDoubleTapWake = PermanentOptions(rawValue: 1 << 6)
    /// Wakes on a heavy double tap.
    public static let heavyDoubleTapWake = PermanentOptions(rawValue: 1 << 7)
    /// Sends ``Sensing/GyroLimit``.
    public static let gyroLimitEvents = PermanentOptions(rawValue: 1 << 8)

    public static let bits: [(flag: Self, name: String)] = [
      (.awakeInCharger, "awakeInCharger"), (.vectorDrive, "vectorDrive"),
      (.noSelfLevelInCharger, "noSelfLevelInCharger"), (.tailLightOn, "tailLightOn"),
      (.motionTimeouts, "motionTimeouts"), (.retailDemo, "retailDemo"),
      (.lightDoubleTapWake, "lightDoubleTapWake"), (.heavyDoubleTapWake, "heavyDoubleTapWake"),
      (.gyroLimitEvents, "gyroLimitEvents"),
    ]
  }

  /// Options kept until power-off; bits without a name are preserved.
  public struct TemporaryOptions: WireFlags {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Stops when the link drops, and clears this bit.
    public static let stopOnDisconnect = TemporaryOptions(rawValue: 1 << 0)

    public static let bits: [(flag: Self, name: String)] = [(.stopOnDisconnect, "stopOnDisconnect")]
  }

  /// Replaces the options kept in flash; to change one, read all, change it and write all back
  /// (Sphero API 1.50, "Set Permanent Option Flags").
  ///
  /// Hazardous although every bit is reversible: the options are written to flash at once, a program that omits the bits
  /// without a name clears them, and the robot behaves differently for every later program.
  public struct SetPermanentOptions: HazardousCommand {
    public static let id = CommandID(0x02, 0x35)
    public static let hazard =
      "Writes flash, and changes how the robot behaves for every program from now on."
    /// The options to set; all others are cleared.
    public var flags: PermanentOptions = []
    public init() {}
    public init(flags: PermanentOptions) { self.flags = flags }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("flags", &flags) }
  }

  /// Reads the options kept in flash (Sphero API 1.50, "Get Permanent Option Flags").
  public struct GetPermanentOptions: Command {
    public static let id = CommandID(0x02, 0x36)
    public init() {}

    public struct Response: Message {
      /// The options that are set.
      public var flags: PermanentOptions = []
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("flags", &flags)
      }
    }
  }

  /// Replaces the options kept until power-off (firmware 1.46 and newer; Sphero API 1.50, "Set Temporary
  /// Option Flags").
  public struct SetTemporaryOptions: Command {
    public static let id = CommandID(0x02, 0x37)
    /// The options to set; all others are cleared.
    public var flags: TemporaryOptions = []
    public init() {}
    public init(flags: TemporaryOptions) { self.flags = flags }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("flags", &flags) }
  }

  /// Reads the options kept until power-off (Sphero API 1.50, "Get Temporary Option Flags").
  public struct GetTemporaryOptions: Command {
    public static let id = CommandID(0x02, 0x38)
    public init() {}

    public struct Response: Message {
      /// The options that are set.
      public var flags: TemporaryOptions = []
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("flags", &flags)
      }
    }
  }

  /// The reported device mode; unknown modes are kept as their numbers.
  public struct DeviceMode: WireCode {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Packets only.
    public static let normal = DeviceMode(rawValue: 0)
    /// A text shell shares the link; its prompt `u>` appears between packets.
    public static let userHack = DeviceMode(rawValue: 1)

    public static let names: KeyValuePairs<DeviceMode, String> = [.normal: "normal", .userHack: "userHack"]
  }

  /// Opens or closes the text shell that shares the link with the packets
  /// (Sphero API 1.50, "Set Device Mode").
  public struct SetDeviceMode: Command {
    public static let id = CommandID(0x02, 0x42)
    /// The mode of the device.
    public enum Mode: UInt8, WireNamed, CaseIterable {
      /// Packets only.
      case normal
      /// Packets and a text shell.
      case userHack
      public static let names: KeyValuePairs<Self, String> = [.normal: "normal", .userHack: "userHack"]
    }
    /// Whether the text shell is open.
    public var mode = Mode.normal
    public init() {}
    public init(mode: Mode) { self.mode = mode }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
  }

  /// Reads whether the text shell is open (Sphero API 1.50, "Get Device Mode").
  public struct GetDeviceMode: Command {
    public static let id = CommandID(0x02, 0x44)
    public init() {}

    public struct Response: Message {
      /// Whether the text shell is open.
      public var mode = DeviceMode.normal
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("mode", &mode) }
    }
  }
}
