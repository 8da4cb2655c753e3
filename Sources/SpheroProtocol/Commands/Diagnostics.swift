// Diagnostic commands (DID 00h): what the robot reports about its health.

/// What the robot reports about its health (DID 00h).
public enum Diagnostics {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(RunLevel1Diagnostics.self, "Diagnostics.RunLevel1Diagnostics")
    catalogue.command(RunLevel2Diagnostics.self, "Diagnostics.RunLevel2Diagnostics")
    catalogue.command(ClearCounters.self, "Diagnostics.ClearCounters")
  }
}

extension Diagnostics {
  /// Asks for a report in plain text, which ``Level1Diagnostics`` brings.
  ///
  /// Sphero API 1.50, "Perform Level 1 Diagnostics" (DID 00h, CID 40h).
  public struct RunLevel1Diagnostics: Command {
    public static let id = CommandID(0x00, 0x40)
    public init() {}
  }

  /// Asks for a report of counters; all robots that were recorded refuse it as unknown.
  ///
  /// Sphero API 1.50, "Perform Level 2 Diagnostics" (DID 00h, CID 41h).
  public struct RunLevel2Diagnostics: Command {
    public static let id = CommandID(0x00, 0x41)
    public init() {}

    /// Counters of the robot's life.
    public struct Response: Message {
      /// Record version: 1.
      public var recordVersion: UInt16 = 1
      /// Reserved.
      public var reserved1: UInt8 = 0
      /// Packets received well.
      public var rxGood: UInt32 = 0
      /// Packets for an unknown device.
      public var rxBadDid: UInt32 = 0
      /// Packets with a wrong length.
      public var rxBadDlen: UInt32 = 0
      /// Packets with an unknown command.
      public var rxBadCid: UInt32 = 0
      /// Packets with a wrong checksum.
      public var rxBadChk: UInt32 = 0
      /// Times that more was received than kept.
      public var rxOverrun: UInt32 = 0
      /// Messages sent.
      public var txMessages: UInt32 = 0
      /// Times that more was to be sent than could.
      public var txOverrun: UInt32 = 0
      /// Why the robot last started.
      public var lastBoot: UInt8 = 0
      /// 16 counters of starts, two bytes each.
      public var bootCounters = [UInt8](repeating: 0, count: 32)
      /// Reserved.
      public var reserved2: UInt16 = 0
      /// Charges in the battery's life.
      public var charges: UInt16 = 0
      /// Seconds awake since the last charge.
      public var secondsSinceCharge: UInt16 = 0
      /// Seconds awake in the robot's life.
      public var secondsOn: UInt32 = 0
      /// Way rolled in the robot's life; the document gives no unit.
      public var distanceRolled: UInt32 = 0
      /// Failures of the sensor bus.
      public var sensorFailures: UInt16 = 0
      /// Times that the gyro was adjusted.
      public var gyroAdjusts: UInt32 = 0
      /// Makes a record of version 1 with zeros.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("recordVersion", &recordVersion)
        try wire.field("reserved1", &reserved1)
        try wire.field("rxGood", &rxGood)
        try wire.field("rxBadDid", &rxBadDid)
        try wire.field("rxBadDlen", &rxBadDlen)
        try wire.field("rxBadCid", &rxBadCid)
        try wire.field("rxBadChk", &rxBadChk)
        try wire.field("rxOverrun", &rxOverrun)
        try wire.field("txMessages", &txMessages)
        try wire.field("txOverrun", &txOverrun)
        try wire.field("lastBoot", &lastBoot)
        try wire.field("bootCounters", &bootCounters, count: 32)
        try wire.field("reserved2", &reserved2)
        try wire.field("charges", &charges)
        try wire.field("secondsSinceCharge", &secondsSinceCharge, .seconds)
        try wire.field("secondsOn", &secondsOn, .seconds)
        try wire.field("distanceRolled", &distanceRolled)
        try wire.field("sensorFailures", &sensorFailures)
        try wire.field("gyroAdjusts", &gyroAdjusts)
      }
    }
  }

  /// Sets the diagnostic counters to zero; refused in normal mode.
  ///
  /// Sphero API 1.50, "Clear Counters" (DID 00h, CID 42h).
  public struct ClearCounters: Command {
    public static let id = CommandID(0x00, 0x42)
    public init() {}
  }
}
