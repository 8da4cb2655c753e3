// Diagnostic messages (DID 00h): reports and counters.

/// Diagnostic reports and counters (DID 00h).
public enum Diagnostics {
  /// Requests a report in plain text, which arrives as ``Level1Diagnostics``
  /// (Sphero API 1.50, "Perform Level 1 Diagnostics").
  public struct RunLevel1Diagnostics: Command {
    public static let id = CommandID(0x00, 0x40)
    public init() {}
  }

  /// Reads diagnostic counters; all recorded robots refuse this command as unknown
  /// (Sphero API 1.50, "Perform Level 2 Diagnostics").
  public struct RunLevel2Diagnostics: Command {
    public static let id = CommandID(0x00, 0x41)
    public init() {}

    /// Counters since manufacture.
    public struct Response: Message {
      /// Record version: 1.
      public var recordVersion: UInt16 = 1
      /// Reserved.
      public var reserved1: UInt8 = 0
      /// Valid packets received.
      public var rxGood: UInt32 = 0
      /// Packets received with an unknown DID.
      public var rxBadDid: UInt32 = 0
      /// Packets received with a wrong DLEN.
      public var rxBadDlen: UInt32 = 0
      /// Packets received with an unknown CID.
      public var rxBadCid: UInt32 = 0
      /// Packets received with a wrong checksum.
      public var rxBadChk: UInt32 = 0
      /// Overruns of the receive buffer.
      public var rxOverrun: UInt32 = 0
      /// Messages sent.
      public var txMessages: UInt32 = 0
      /// Overruns of the transmit buffer.
      public var txOverrun: UInt32 = 0
      /// Reason of the last boot.
      public var lastBoot: UInt8 = 0
      /// 16 boot counters of two bytes each.
      public var bootCounters = [UInt8](repeating: 0, count: 32)
      /// Reserved.
      public var reserved2: UInt16 = 0
      /// Number of times the battery was charged.
      public var charges: UInt16 = 0
      /// Seconds awake since the last charge.
      public var secondsSinceCharge: UInt16 = 0
      /// Seconds awake since manufacture.
      public var secondsOn: UInt32 = 0
      /// Distance rolled since manufacture; the document gives no unit.
      public var distanceRolled: UInt32 = 0
      /// Failures of the sensor bus.
      public var sensorFailures: UInt16 = 0
      /// Number of gyro adjustments.
      public var gyroAdjusts: UInt32 = 0
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

  /// Resets the diagnostic counters; refused in normal mode (Sphero API 1.50, "Clear Counters").
  public struct ClearCounters: Command {
    public static let id = CommandID(0x00, 0x42)
    public init() {}
  }

  /// The report of ``RunLevel1Diagnostics``: lines under headings in brackets (Sphero API 1.50).
  public struct Level1Diagnostics: Event {
    public static let id = EventID(0x02)
    /// The report, including the NUL bytes that end it.
    public var text: WireText = ""
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("text", &text, count: 0...0xFFFE)
    }
  }
}
