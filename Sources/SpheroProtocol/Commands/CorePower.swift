// Core commands (DID 00h): battery, charger and sleep.

extension Core {
  static func powerCommands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(GetPowerState.self, "Core.GetPowerState")
    catalogue.command(SetPowerNotification.self, "Core.SetPowerNotification")
    catalogue.command(Sleep.self, "Core.Sleep")
    catalogue.command(GetVoltageTripPoints.self, "Core.GetVoltageTripPoints")
    catalogue.command(SetVoltageTripPoints.self, "Core.SetVoltageTripPoints")
    catalogue.command(SetInactivityTimeout.self, "Core.SetInactivityTimeout")
    catalogue.command(GetChargerState.self, "Core.GetChargerState")
  }
}

extension Core {
  /// Reads the battery: its state, its voltage, and how it has been used.
  ///
  /// Sphero API 1.50, "Get Power State" (DID 00h, CID 20h).
  public struct GetPowerState: Command {
    public static let id = CommandID(0x00, 0x20)
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
  public struct PowerState: WireCode {
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

    /// The states that have a name.
    public static let names: KeyValuePairs<PowerState, String> = [
      .charging: "charging", .ok: "ok", .low: "low", .critical: "critical",
    ]
  }

  /// Switches the power notification on or off: ``PowerNotification`` every 10 s and on changes.
  ///
  /// Not kept over sleep.
  /// Sphero API 1.50, "Set Power Notification" (DID 00h, CID 21h).
  public struct SetPowerNotification: Command {
    public static let id = CommandID(0x00, 0x21)
    /// Whether notifications come.
    public var isOn = true
    /// Makes the command; on.
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Puts the robot to sleep; the link goes down right after the response.
  ///
  /// Sphero API 1.50, "Sleep" (DID 00h, CID 22h).
  public struct Sleep: Command {
    public static let id = CommandID(0x00, 0x22)
    /// Seconds until it wakes; 0 is until it is shaken, FFFFh is deep sleep where the hardware can.
    public var wakeup: UInt16 = 0
    /// Macro to run on waking; 0 is none.
    public var macro: UInt8 = 0
    /// Line of the orbBasic program in flash to start on waking; 0 is none, nil in the 3-byte form of old programs.
    public var orbBasicLine: UInt16? = 0
    /// Makes the command; asleep until shaken.
    public init() {}
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

  /// Reads the voltages at which the battery counts as low and as critical.
  ///
  /// Sphero API 1.50, "Get Voltage Trip Points" (DID 00h, CID 23h).
  public struct GetVoltageTripPoints: Command {
    public static let id = CommandID(0x00, 0x23)
    public init() {}

    /// The two voltages.
    public struct Response: Message {
      /// Below this, the battery is low; hundredths of a volt.
      public var low: UInt16 = 700
      /// Below this, it is critical; hundredths of a volt.
      public var critical: UInt16 = 650
      /// Makes a response with the factory's values.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("low", &low, .centivolts)
        try wire.field("critical", &critical, .centivolts)
      }
    }
  }

  /// Sets the voltages at which the battery counts as low and as critical.
  ///
  /// The two must be 0.25 V apart, or the robot refuses.
  /// Sphero API 1.50, "Set Voltage Trip Points" (DID 00h, CID 24h).
  public struct SetVoltageTripPoints: HazardousCommand {
    public static let id = CommandID(0x00, 0x24)
    /// What can go wrong.
    public static let hazard = "Too low a value lets the battery drain deeper than it can bear."
    /// 675...725 hundredths of a volt.
    public var low: UInt16 = 700
    /// 625...675 hundredths of a volt.
    public var critical: UInt16 = 650
    /// Makes the command; the factory's values.
    public init() {}
    public init(low: UInt16, critical: UInt16) { (self.low, self.critical) = (low, critical) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("low", &low, .centivolts, in: 675...725)
      try wire.field("critical", &critical, .centivolts, in: 625...675)
    }
  }

  /// Sets how long the robot stays awake without a command; ``PreSleepWarning`` comes 10 s before.
  ///
  /// Firmware 1.26 and newer count only commands whose SOP2 asks for it.
  /// A macro or an orbBasic program keeps the robot awake too, unless it runs in stealth.
  /// Sphero API 1.50, "Set Inactivity Timeout" (DID 00h, CID 25h).
  public struct SetInactivityTimeout: Command {
    public static let id = CommandID(0x00, 0x25)
    /// Seconds, 60 or more.
    public var seconds: UInt16 = 600
    /// Makes the command; the factory's 10 minutes.
    public init() {}
    public init(seconds: UInt16) { self.seconds = seconds }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("seconds", &seconds, .seconds, in: 60...UInt16.max)
    }
  }

  /// Reads whether the robot sits in its charger (newer firmware).
  ///
  /// Not in Sphero API 1.50; named by one library made from a vendor's app (DID 00h, CID 26h).
  public struct GetChargerState: Command {
    public static let id = CommandID(0x00, 0x26)
    public init() {}

    /// Where the robot is; an unknown state is kept as its number.
    public struct State: WireCode {
      /// The byte on the wire.
      public var rawValue: UInt8
      /// Takes the byte of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Out of the charger.
      public static let out = State(rawValue: 0)
      /// In the charger.
      public static let charging = State(rawValue: 1)
      /// The robot cannot tell.
      public static let unclear = State(rawValue: 2)

      /// The states that have a name.
      public static let names: KeyValuePairs<State, String> = [
        .out: "out", .charging: "charging", .unclear: "unclear",
      ]
    }

    /// Where the robot is.
    public struct Response: Message {
      /// Where the robot is.
      public var state = State.out
      /// Makes a response; out of the charger.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("state", &state)
      }
    }
  }
}
