// Core commands (DID 00h): identity and clock.

/// What every Orbotix robot understands: identity, power and sleep (DID 00h).
public enum Core {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(Ping.self, "Core.Ping")
    catalogue.command(GetVersioning.self, "Core.GetVersioning")
    catalogue.command(SetDeviceName.self, "Core.SetDeviceName")
    catalogue.command(GetBluetoothInfo.self, "Core.GetBluetoothInfo")
    catalogue.command(SetAutoReconnect.self, "Core.SetAutoReconnect")
    catalogue.command(GetAutoReconnect.self, "Core.GetAutoReconnect")
    catalogue.command(AssignTime.self, "Core.AssignTime")
    catalogue.command(PollPacketTimes.self, "Core.PollPacketTimes")
  }
}

extension Core {
  /// Asks whether the robot is awake and listening.
  ///
  /// Sphero API 1.50, "Ping" (DID 00h, CID 01h).
  public struct Ping: Command {
    public static let id = CommandID(0x00, 0x01)
    public init() {}
  }

  /// Reads the versions of the hardware and of each software component.
  ///
  /// Sphero API 1.50, "Get Versioning" (DID 00h, CID 02h).
  public struct GetVersioning: Command {
    public static let id = CommandID(0x00, 0x02)
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
      /// Main application, the number after the point: 3.73 is 3 and 73.
      public var mainAppRevision: UInt8 = 0
      /// Bootloader, a nibble for each number: 33h is 3.3.
      public var bootloader: UInt8 = 0
      /// orbBasic, a nibble for each number.
      public var orbBasic: UInt8 = 0
      /// Macro executive, a nibble for each number.
      public var macroExecutive: UInt8 = 0
      /// API, the number before the point; nil in an 8-byte record.
      public var apiMajor: UInt8?
      /// API, the number after the point; nil in an 8-byte record.
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
    public struct Model: WireCode {
      /// The byte on the wire.
      public var rawValue: UInt8
      /// Takes the byte of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Sphero 1.0.
      public static let s1 = Model(rawValue: 0x00)
      /// A prototype of Ollie.
      public static let olliePrototype = Model(rawValue: 0x01)
      /// Sphero 2.0.
      public static let s2 = Model(rawValue: 0x02)
      /// Sphero 2.0 or SPRK, third generation.
      public static let s3 = Model(rawValue: 0x03)
      /// Ollie.
      public static let ollie = Model(rawValue: 0x0A)
      /// BB-8.
      public static let bb8 = Model(rawValue: 0x1E)
      /// WeBall.
      public static let weBall = Model(rawValue: 0x28)

      /// The kinds that have a name.
      public static let names: KeyValuePairs<Model, String> = [
        .s1: "Sphero S1", .olliePrototype: "Ollie prototype", .s2: "Sphero S2", .s3: "Sphero S3",
        .ollie: "Ollie", .bb8: "BB-8", .weBall: "WeBall",
      ]
    }
  }

  /// Names the robot, as ``GetBluetoothInfo`` gives it back; the advertised Bluetooth name stays on later firmware.
  ///
  /// 48 bytes are kept by the document, 16 are seen in the answer: at most 15 bytes survive everywhere.
  /// Sphero API 1.50, "Set Device Name" (DID 00h, CID 10h).
  public struct SetDeviceName: Command {
    public static let id = CommandID(0x00, 0x10)
    /// The name in UTF-8, without a terminator.
    public var name = WireText("")
    /// Makes the command; no name.
    public init() {}
    public init(name: String) { self.name = WireText(name) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("name", &name, count: 0...48)
    }
  }

  /// Reads the Bluetooth name, address and identity colours.
  ///
  /// Sphero API 1.50, "Get Bluetooth Info" (DID 00h, CID 11h).
  public struct GetBluetoothInfo: Command {
    public static let id = CommandID(0x00, 0x11)
    public init() {}

    /// The record: 32 bytes, or 64 with a longer name on some firmware; what lies after 32 bytes of 33...63 is ignored.
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
        let nameCount = (wire.remaining ?? name.bytes.count + 16) < 64 ? 16 : 48
        try wire.field("name", &name, count: nameCount)
        try wire.field("address", &address, count: 12)
        try wire.field("zero", &zero)
        try wire.field("colors", &colors, count: 3)
      }
    }
  }

  /// Makes the robot connect by itself, some time after power-up.
  ///
  /// Sphero API 1.50, "Set Auto Reconnect" (DID 00h, CID 12h).
  public struct SetAutoReconnect: Command {
    public static let id = CommandID(0x00, 0x12)
    /// Whether it does.
    public var isOn = false
    /// Seconds after power-up.
    public var seconds: UInt8 = 0
    /// Makes the command; off.
    public init() {}
    public init(isOn: Bool, seconds: UInt8 = 0) { (self.isOn, self.seconds) = (isOn, seconds) }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("isOn", &isOn)
      try wire.field("seconds", &seconds, .seconds)
    }
  }

  /// Reads whether the robot connects by itself.
  ///
  /// Sphero API 1.50, "Get Auto Reconnect" (DID 00h, CID 13h).
  public struct GetAutoReconnect: Command {
    public static let id = CommandID(0x00, 0x13)
    public init() {}

    /// The setting.
    public struct Response: Message {
      /// Whether it does.
      public var isOn = false
      /// Seconds after power-up.
      public var seconds: UInt8 = 0
      /// Makes a response; off.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("isOn", &isOn)
        try wire.field("seconds", &seconds, .seconds)
      }
    }
  }

  /// Sets the robot's clock, which otherwise counts from waking; collisions are stamped with it.
  ///
  /// Sphero API 1.50, "Assign Time" (DID 00h, CID 50h).
  public struct AssignTime: Command {
    public static let id = CommandID(0x00, 0x50)
    /// Milliseconds.
    public var time: UInt32 = 0
    /// Makes the command; the clock starts anew.
    public init() {}
    public init(time: UInt32) { self.time = time }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("time", &time, .milliseconds)
    }
  }

  /// Exchanges time stamps, by which both clocks are compared.
  ///
  /// Sphero API 1.50, "Poll Packet Times" (DID 00h, CID 51h).
  public struct PollPacketTimes: Command {
    public static let id = CommandID(0x00, 0x51)
    /// T1: when the request is sent, in milliseconds of the host's clock.
    public var clientTx: UInt32 = 0
    public init() {}
    public init(clientTx: UInt32) { self.clientTx = clientTx }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("clientTx", &clientTx, .milliseconds)
    }

    /// The time stamps of the request's way there and of the answer's start.
    public struct Response: Message {
      /// T1: the request's own time stamp.
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

      /// Compares the robot's clock with the host's: ((T2 - T1) + (T3 - T4)) / 2.
      ///
      /// - Parameter clientRx: T4, when this response was received, on the clock of T1; that may have wrapped.
      /// - Returns: The robot's clock minus the host's, in milliseconds.
      public func offset(clientRx: UInt32) -> Double {
        let there = Double(Int32(bitPattern: robotRx &- clientTx))
        let back = Double(Int32(bitPattern: robotTx &- clientRx))
        return (there + back) / 2
      }

      /// Measures how long both ways took together: (T4 - T1) - (T3 - T2).
      ///
      /// - Parameter clientRx: T4, when this response was received, on the clock of T1; that may have wrapped.
      /// - Returns: Milliseconds.
      public func delay(clientRx: UInt32) -> Double {
        Double(Int32(bitPattern: (clientRx &- clientTx) &- (robotTx &- robotRx)))
      }
    }
  }
}
