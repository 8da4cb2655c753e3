// Core messages (DID 00h): identity, clock, battery, charger and sleep.

/// Messages that every Orbotix robot supports: identity, power and sleep (DID 00h).
public enum Core {
  /// Checks whether the robot is awake and responds (Sphero API 1.50, "Ping").
  public struct Ping: Command {
    public static let id = CommandID(0x00, 0x01)
    public init() {}
  }

  /// Reads the versions of the hardware and of each software component (Sphero API 1.50, "Get Versioning").
  public struct GetVersioning: Command {
    public static let id = CommandID(0x00, 0x02)
    public init() {}

    /// The versions: robots send 8 bytes with record version 1; the document specifies 10 with record version 2.
    public struct Response: Message {
      /// Record version: 1 or 2.
      public var recordVersion: UInt8 = 1
      /// Kind of robot.
      public var model = Model.s2
      /// Hardware version.
      public var hardware: UInt8 = 0
      /// Main application, major version.
      public var mainAppVersion: UInt8 = 0
      /// Main application, minor version: 3.73 is 3 and 73.
      public var mainAppRevision: UInt8 = 0
      /// Bootloader, one nibble per number: 33h is 3.3.
      public var bootloader: UInt8 = 0
      /// orbBasic, one nibble per number.
      public var orbBasic: UInt8 = 0
      /// Macro executive, one nibble per number.
      public var macroExecutive: UInt8 = 0
      /// API, major version; nil in an 8-byte record.
      public var apiMajor: UInt8?
      /// API, minor version; nil in an 8-byte record.
      public var apiMinor: UInt8?
      public init() {}
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

    /// Kind of robot; unknown kinds are kept as their numbers.
    public struct Model: WireCode {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Sphero 1.0.
      public static let s1 = Model(rawValue: 0x00)
      /// Ollie before its release.
      public static let olliePrototype = Model(rawValue: 0x01)
      /// Sphero 2.0.
      public static let s2 = Model(rawValue: 0x02)
      /// Sphero 2.0 or SPRK, third generation.
      public static let s3 = Model(rawValue: 0x03)
      /// Ollie, a robot with two wheels.
      public static let ollie = Model(rawValue: 0x0A)
      /// BB-8, a ball with a head.
      public static let bb8 = Model(rawValue: 0x1E)
      /// WeBall, whose Bluetooth name begins with 1C-.
      public static let weBall = Model(rawValue: 0x28)
      /// SPRK+, a number from Sphero's Swift classes, because the document is older than the robot.
      public static let sprkPlus = Model(rawValue: 0x32)

      public static let names: KeyValuePairs<Model, String> = [
        .s1: "Sphero 1.0 (S1)", .olliePrototype: "Ollie prototype", .s2: "Sphero 2.0 (S2)",
        .s3: "Sphero 2.0 (S3)",
        .ollie: "Ollie", .bb8: "BB-8", .weBall: "WeBall", .sprkPlus: "SPRK+",
      ]
    }
  }

  /// Sets the name that ``GetBluetoothInfo`` returns; later firmware does not change the advertised name
  /// (Sphero API 1.50, "Set Device Name").
  ///
  /// The document allows 48 bytes. The responses of many robots have 16, so only a name of up to 15 bytes is kept by every robot.
  public struct SetDeviceName: Command {
    public static let id = CommandID(0x00, 0x10)
    /// The name in UTF-8, without a terminator.
    public var name = WireText("")
    public init() {}
    public init(name: String) { self.name = WireText(name) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("name", &name, count: 0...48)
    }
  }

  /// Reads the Bluetooth name, address and identity colours (Sphero API 1.50, "Get Bluetooth Info").
  public struct GetBluetoothInfo: Command {
    public static let id = CommandID(0x00, 0x11)
    public init() {}

    /// The record: 32 bytes, or 64 with a longer name on some firmware; of 33...63 bytes, the first 32 are decoded.
    public struct Response: Message {
      /// The name, padded with NUL to 16 or 48 bytes.
      public var name = WireText("", paddedTo: 16)
      /// The Bluetooth address: 12 hexadecimal digits without separators.
      public var address = WireText("", paddedTo: 12)
      /// Always 0.
      public var zero: UInt8 = 0
      /// The colours that the robot blinks while it is not connected: three letters of RGBYOPW, NUL on Bluetooth LE robots.
      public var colors = WireText("", paddedTo: 3)
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        let nameCount = (wire.remaining ?? name.bytes.count + 16) < 64 ? 16 : 48
        try wire.field("name", &name, count: nameCount)
        try wire.field("address", &address, count: 12)
        try wire.field("zero", &zero)
        try wire.field("colors", &colors, count: 3)
      }
    }
  }

  /// Sets whether the robot connects on its own after power-up (Sphero API 1.50, "Set Auto Reconnect").
  public struct SetAutoReconnect: Command {
    public static let id = CommandID(0x00, 0x12)
    /// Whether the robot connects on its own.
    public var isOn = false
    /// Seconds from power-up to the connection.
    public var seconds: UInt8 = 0
    public init() {}
    public init(isOn: Bool, seconds: UInt8 = 0) { (self.isOn, self.seconds) = (isOn, seconds) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("isOn", &isOn)
      try wire.field("seconds", &seconds, .seconds)
    }
  }

  /// Reads whether the robot connects on its own after power-up (Sphero API 1.50, "Get Auto Reconnect").
  public struct GetAutoReconnect: Command {
    public static let id = CommandID(0x00, 0x13)
    public init() {}

    public struct Response: Message {
      /// Whether the robot connects on its own.
      public var isOn = false
      /// Seconds from power-up to the connection.
      public var seconds: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("isOn", &isOn)
        try wire.field("seconds", &seconds, .seconds)
      }
    }
  }

  /// Sets the robot's clock, which starts at zero on waking and stamps collisions
  /// (Sphero API 1.50, "Assign Time").
  public struct AssignTime: Command, NonIdempotentRequest {
    public static let id = CommandID(0x00, 0x50)
    /// New time of the clock, in milliseconds.
    public var time: UInt32 = 0
    public init() {}
    public init(time: UInt32) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Exchanges timestamps to compare the clocks of host and robot (Sphero API 1.50, "Poll Packet Times").
  public struct PollPacketTimes: Command, NonIdempotentRequest {
    public static let id = CommandID(0x00, 0x51)
    /// T1: when the host sends the request, in milliseconds of its clock.
    public var clientTx: UInt32 = 0
    public init() {}
    public init(clientTx: UInt32) { self.clientTx = clientTx }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("clientTx", &clientTx, .milliseconds)
    }

    /// The timestamps of the request and of the response.
    public struct Response: Message {
      /// T1: the timestamp of the request.
      public var clientTx: UInt32 = 0
      /// T2: when the robot received the request, in milliseconds of its clock.
      public var robotRx: UInt32 = 0
      /// T3: when the robot sent this response, in milliseconds of its clock.
      public var robotTx: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("clientTx", &clientTx, .milliseconds)
        try wire.field("robotRx", &robotRx, .milliseconds)
        try wire.field("robotTx", &robotTx, .milliseconds)
      }
    }
  }

  /// Reads the battery's state, voltage and use (Sphero API 1.50, "Get Power State").
  public struct GetPowerState: Command {
    public static let id = CommandID(0x00, 0x20)
    public init() {}

    /// The battery record, 8 bytes.
    public struct Response: Message {
      /// Record version: 1.
      public var recordVersion: UInt8 = 1
      /// State of charge.
      public var state = PowerState.ok
      /// Battery voltage in hundredths of a volt, the count of the wire; ``voltage`` is in volts.
      public var centivolts: UInt16 = 0
      /// Number of times the battery was charged.
      public var charges: UInt16 = 0
      /// Seconds awake since the last charge.
      public var secondsSinceCharge: UInt16 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("recordVersion", &recordVersion)
        try wire.field("state", &state)
        try wire.field("voltage", &centivolts, .centivolts)
        try wire.field("charges", &charges)
        try wire.field("secondsSinceCharge", &secondsSinceCharge, .seconds)
      }

      /// Battery voltage in volts, in steps of 0.01 V.
      public var voltage: Double { Double(centivolts) * Quantity.centivolts.perCount }
    }
  }

  /// The battery's state of charge; unknown states are kept as their numbers.
  public struct PowerState: WireCode {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// In the charger.
    public static let charging = PowerState(rawValue: 1)
    /// At or above the low trip point.
    public static let ok = PowerState(rawValue: 2)
    /// Below the low trip point, 7.00 V by default.
    public static let low = PowerState(rawValue: 3)
    /// Below the critical trip point, 6.50 V by default; the robot goes to sleep.
    public static let critical = PowerState(rawValue: 4)

    public static let names: KeyValuePairs<PowerState, String> = [
      .charging: "charging", .ok: "ok", .low: "low", .critical: "critical",
    ]
  }

  /// Switches ``PowerNotification`` on or off: every 10 s and on changes, until the robot sleeps
  /// (Sphero API 1.50, "Set Power Notification").
  public struct SetPowerNotification: Command {
    public static let id = CommandID(0x00, 0x21)
    /// Whether the robot sends notifications.
    public var isOn = true
    public var effect: RequestEffect? { .powerNotification(isOn: isOn) }
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Puts the robot to sleep; the link drops right after the response (Sphero API 1.50, "Sleep").
  public struct Sleep: Command, NonIdempotentRequest {
    public static let id = CommandID(0x00, 0x22)
    /// Seconds until the robot wakes; 0 until it is shaken, FFFFh for deep sleep if the hardware supports it.
    public var wakeup: UInt16 = 0
    /// ID of the macro to run on waking; 0 for none.
    public var macro: UInt8 = 0
    /// Line of the orbBasic program in flash to start on waking; 0 for none, nil in the 3-byte form of old programs.
    public var orbBasicLine: UInt16? = 0
    public init() {}
    /// Creates the command for a sleep of a duration, 1...65,534 s; zero or less lasts until the robot is shaken.
    public init(wakingAfter delay: Duration) {
      wakeup = delay > .zero ? min(0xFFFE, max(1, delay.clampedSeconds)) : 0
    }
    public init(wakeup: UInt16, macro: UInt8 = 0, orbBasicLine: UInt16 = 0) {
      (self.wakeup, self.macro, self.orbBasicLine) = (wakeup, macro, orbBasicLine)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("wakeup", &wakeup, .seconds)
      try wire.field("macro", &macro)
      try wire.trailing("orbBasicLine", &orbBasicLine)
    }
  }

  /// Reads the voltages below which the battery is low and critical
  /// (Sphero API 1.50, "Get Voltage Trip Points").
  public struct GetVoltageTripPoints: Command {
    public static let id = CommandID(0x00, 0x23)
    public init() {}

    public struct Response: Message {
      /// The battery is low below this voltage, in hundredths of a volt.
      public var low: UInt16 = 700
      /// The battery is critical below this voltage, in hundredths of a volt.
      public var critical: UInt16 = 650
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("low", &low, .centivolts)
        try wire.field("critical", &critical, .centivolts)
      }
    }
  }

  /// Sets the voltages, at least 0.25 V apart, below which the battery is low and critical
  /// (Sphero API 1.50, "Set Voltage Trip Points").
  public struct SetVoltageTripPoints: HazardousCommand {
    public static let id = CommandID(0x00, 0x24)
    public static let hazard = "A low value allows a deep discharge that damages the battery."
    /// The battery is low below this voltage, 675...725 hundredths of a volt.
    public var low: UInt16 = 700
    /// The battery is critical below this voltage, 625...675 hundredths of a volt.
    public var critical: UInt16 = 650
    public init() {}
    public init(low: UInt16, critical: UInt16) { (self.low, self.critical) = (low, critical) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("low", &low, .centivolts, in: 675...725)
      try wire.field("critical", &critical, .centivolts, in: 625...675)
    }
  }

  /// Sets how long the robot stays awake without a command; it sends ``PreSleepWarning`` 10 s before it sleeps
  /// (Sphero API 1.50, "Set Inactivity Timeout").
  ///
  /// In firmware 1.26 and newer, only commands whose SOP2 requests it restart the timer.
  /// A macro or orbBasic program also keeps the robot awake, except a stealth macro.
  public struct SetInactivityTimeout: Command {
    public static let id = CommandID(0x00, 0x25)
    /// Seconds without a command until the robot sleeps, 60 or more.
    public var seconds: UInt16 = 600
    public init() {}
    public init(seconds: UInt16) { self.seconds = seconds }
    /// Creates the command for a duration, at most 65,535 s; encoding refuses less than a minute.
    public init(inactivityTimeout: Duration) { seconds = inactivityTimeout.clampedSeconds }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("seconds", &seconds, .seconds, in: 60...UInt16.max)
    }
  }

  /// Reads whether the robot is in its charger (newer firmware; not in Sphero API 1.50, named in one library
  /// that was derived from an app of the vendor).
  public struct GetChargerState: Command {
    public static let id = CommandID(0x00, 0x26)
    public init() {}

    /// Whether the robot is in its charger; unknown states are kept as their numbers.
    public struct State: WireCode {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Not in the charger.
      public static let out = State(rawValue: 0)
      /// In the charger.
      public static let charging = State(rawValue: 1)
      /// Not known to the robot.
      public static let unclear = State(rawValue: 2)

      public static let names: KeyValuePairs<State, String> = [
        .out: "out", .charging: "charging", .unclear: "unclear",
      ]
    }

    public struct Response: Message {
      /// Whether the robot is in its charger.
      public var state = State.out
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("state", &state)
      }
    }
  }

  /// Reports the battery's state of charge, every 10 s and on changes, after ``SetPowerNotification``
  /// (Sphero API 1.50).
  public struct PowerNotification: Event {
    public static let id = EventID(0x01)
    /// State of charge.
    public var state = PowerState.ok
    public init() {}
    public init(state: PowerState) { self.state = state }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("state", &state) }
  }

  /// Announces, 10 s ahead, that the robot will sleep; any command that restarts the inactivity timer keeps
  /// it awake (Sphero API 1.50).
  public struct PreSleepWarning: Event {
    public static let id = EventID(0x05)
    /// Bytes that some firmware appends; empty in the document.
    public var data: [UInt8] = []
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("data", &data, count: 0...0xFFFE)
    }
  }

  /// Reports that the robot goes to sleep now (newer firmware; not in Sphero API 1.50, named in one library
  /// that was derived from an app of the vendor).
  public struct DidSleep: Event {
    public static let id = EventID(0x14)
    /// Bytes that some firmware appends.
    public var data: [UInt8] = []
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("data", &data, count: 0...0xFFFE)
    }
  }
}
