// Core commands (DID 00h): identity, power and sleep.

/// What every Orbotix robot understands: identity, power and sleep (DID 00h).
public enum Core {
  /// The commands of this file, in the order of their IDs.
  public static let commands: [any Command.Type] = [
    Ping.self, GetVersioning.self, GetBluetoothInfo.self, GetPowerState.self, SetPowerNotification.self,
    Sleep.self,
  ]
}

extension Core {
  /// Asks whether the robot is awake and listening.
  ///
  /// Sphero API 1.50, "Ping" (DID 00h, CID 01h).
  public struct Ping: Command {
    /// 00:01.
    public static let id = CommandID(0x00, 0x01)
    /// Makes the command.
    public init() {}
  }

  /// Reads the versions of the hardware and of each software component.
  ///
  /// Sphero API 1.50, "Get Versioning" (DID 00h, CID 02h).
  public struct GetVersioning: Command {
    /// 00:02.
    public static let id = CommandID(0x00, 0x02)
    /// Makes the command.
    public init() {}

    /// The versions; robots send 8 bytes with record version 1, the document says 10 with record version 2.
    public struct Response: Message {
      /// Record version: 1 or 2.
      public var recordVersion: UInt8 = 1
      /// Kind of robot.
      public var model = Model.s2
      /// Hardware version.
      public var hardware: UInt8 = 0
      /// Main application, the number before the point.
      public var mainAppVersion: UInt8 = 0
      /// Main application, the number behind the point: 3.73 is 3 and 73.
      public var mainAppRevision: UInt8 = 0
      /// Bootloader, a nibble for each number: 33h is 3.3.
      public var bootloader: UInt8 = 0
      /// orbBasic, a nibble for each number.
      public var orbBasic: UInt8 = 0
      /// Macro executive, a nibble for each number.
      public var macroExecutive: UInt8 = 0
      /// API, the number before the point; nil in an 8-byte record.
      public var apiMajor: UInt8?
      /// API, the number behind the point; nil in an 8-byte record.
      public var apiMinor: UInt8?

      /// Makes a record of version 1 with zeros.
      public init() {}

      /// Visits 8 or 10 bytes.
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("recordVersion", &recordVersion)
        try wire.field("model", &model)
        try wire.field("hardware", &hardware)
        try wire.field("mainAppVersion", &mainAppVersion)
        try wire.field("mainAppRevision", &mainAppRevision)
        try wire.field("bootloader", &bootloader)
        try wire.field("orbBasic", &orbBasic)
        try wire.field("macroExecutive", &macroExecutive)
        try wire.trailing("apiMajor", &apiMajor)
        try wire.trailing("apiMinor", &apiMinor)
      }
    }

    /// Kind of robot; a kind of later firmware is kept as its number.
    public struct Model: WireChoice {
      /// The byte on the wire.
      public var rawValue: UInt8
      /// Takes the byte of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Sphero 1.0.
      public static let s1 = Model(rawValue: 0x00)
      /// Sphero 2.0.
      public static let s2 = Model(rawValue: 0x02)
      /// Sphero 2.0 or SPRK, third generation.
      public static let s3 = Model(rawValue: 0x03)
      /// Ollie.
      public static let ollie = Model(rawValue: 0x0A)
      /// BB-8.
      public static let bb8 = Model(rawValue: 0x1E)

      private static let names: KeyValuePairs<Model, String> = [
        .s1: "Sphero S1", .s2: "Sphero S2", .s3: "Sphero S3", .ollie: "Ollie", .bb8: "BB-8",
      ]
      /// The kinds that have a name.
      public static var named: [Model] { names.map(\.key) }
      /// The kind, or its number in hexadecimal.
      public var name: String {
        Self.names.first { $0.key == self }?.value ?? "model \(Hexadecimal.text([rawValue]))h"
      }
    }
  }

  /// Reads the Bluetooth name, address and identity colours.
  ///
  /// Sphero API 1.50, "Get Bluetooth Info" (DID 00h, CID 11h).
  public struct GetBluetoothInfo: Command {
    /// 00:11.
    public static let id = CommandID(0x00, 0x11)
    /// Makes the command.
    public init() {}

    /// The record: 32 bytes, or 64 with a longer name on some firmware.
    public struct Response: Message {
      /// The name, padded with NUL to 16 or 48 bytes.
      public var name = WireText("", paddedTo: 16)
      /// The address: 12 hexadecimal digits without separators.
      public var address = WireText("", paddedTo: 12)
      /// Always 0.
      public var zero: UInt8 = 0
      /// The colours that the robot blinks while nobody is connected: three letters of RGBYOPW, NUL on Bluetooth LE robots.
      public var colors = WireText("", paddedTo: 3)

      /// Makes an empty record of 32 bytes.
      public init() {}

      /// Visits 32 or 64 bytes.
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        let nameCount = wire.remaining.map { $0 > 32 ? 48 : 16 } ?? name.bytes.count
        try wire.field("name", &name, count: nameCount)
        try wire.field("address", &address, count: 12)
        try wire.field("zero", &zero)
        try wire.field("colors", &colors, count: 3)
      }
    }
  }

  /// Reads the battery: its state, its voltage, and how it has been used.
  ///
  /// Sphero API 1.50, "Get Power State" (DID 00h, CID 20h).
  public struct GetPowerState: Command {
    /// 00:20.
    public static let id = CommandID(0x00, 0x20)
    /// Makes the command.
    public init() {}

    /// The battery, in 8 bytes.
    public struct Response: Message {
      /// Record version: 1.
      public var recordVersion: UInt8 = 1
      /// How full the battery is.
      public var state = PowerState.ok
      /// Battery voltage in hundredths of a volt.
      public var voltage: UInt16 = 0
      /// Charges in the battery's life.
      public var charges: UInt16 = 0
      /// Seconds awake since the last charge.
      public var secondsSinceCharge: UInt16 = 0

      /// Makes a record with zeros.
      public init() {}

      /// Visits 8 bytes.
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("recordVersion", &recordVersion)
        try wire.field("state", &state)
        try wire.field("voltage", &voltage, .centivolts)
        try wire.field("charges", &charges)
        try wire.field("secondsSinceCharge", &secondsSinceCharge, .seconds)
      }
    }
  }

  /// How full the battery is; an unknown state is kept as its number.
  public struct PowerState: WireChoice {
    /// The byte on the wire.
    public var rawValue: UInt8
    /// Takes the byte of the wire.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// In the charger.
    public static let charging = PowerState(rawValue: 1)
    /// Full enough.
    public static let ok = PowerState(rawValue: 2)
    /// Below the lower trip point, 7.00 V by default.
    public static let low = PowerState(rawValue: 3)
    /// Below the critical trip point, 6.50 V by default; sleep follows.
    public static let critical = PowerState(rawValue: 4)

    private static let names: KeyValuePairs<PowerState, String> = [
      .charging: "charging", .ok: "ok", .low: "low", .critical: "critical",
    ]
    /// The states that have a name.
    public static var named: [PowerState] { names.map(\.key) }
    /// The state's name, or its number.
    public var name: String { Self.names.first { $0.key == self }?.value ?? "state \(rawValue)" }
  }

  /// Switches the power notification on or off: ``PowerNotification`` every 10 s and on changes.
  ///
  /// Not kept over sleep.
  /// Sphero API 1.50, "Set Power Notification" (DID 00h, CID 21h).
  public struct SetPowerNotification: Command {
    /// 00:21.
    public static let id = CommandID(0x00, 0x21)
    /// Whether notifications come.
    public var isOn = true
    /// Makes the command; on.
    public init() {}
    /// Makes the command.
    public init(isOn: Bool) { self.isOn = isOn }
    /// Visits 1 byte.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Puts the robot to sleep; the link goes down right after the response.
  ///
  /// Sphero API 1.50, "Sleep" (DID 00h, CID 22h).
  public struct Sleep: Command {
    /// 00:22.
    public static let id = CommandID(0x00, 0x22)
    /// Seconds until it wakes; 0 is until it is shaken, FFFFh is deep sleep where the hardware can.
    public var wakeup: UInt16 = 0
    /// Macro to run on waking; 0 is none.
    public var macro: UInt8 = 0
    /// Line of the orbBasic program in flash to start on waking; 0 is none, nil in the 3-byte form of old programs.
    public var orbBasicLine: UInt16? = 0
    /// Makes the command; asleep until shaken.
    public init() {}
    /// Makes the command.
    public init(wakeup: UInt16, macro: UInt8 = 0, orbBasicLine: UInt16 = 0) {
      (self.wakeup, self.macro, self.orbBasicLine) = (wakeup, macro, orbBasicLine)
    }
    /// Visits 5 bytes, or 3 of an old program.
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("wakeup", &wakeup, .seconds)
      try wire.field("macro", &macro)
      try wire.trailing("orbBasicLine", &orbBasicLine)
    }
  }
}
