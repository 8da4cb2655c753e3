// Core events: the battery and the sleep that is near.

extension Core {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(PowerNotification.self, "Core.PowerNotification")
    catalogue.event(PreSleepWarning.self, "Core.PreSleepWarning")
    catalogue.event(DidSleep.self, "Core.DidSleep")
  }

  /// Tells how full the battery is, every 10 s and on changes, after ``SetPowerNotification``.
  ///
  /// Sphero API 1.50, asynchronous ID 01h.
  public struct PowerNotification: Event {
    /// 01.
    public static let id = EventID(0x01)
    /// How full the battery is.
    public var state = PowerState.ok
    /// Makes a notification that all is well.
    public init() {}
    /// Makes a notification.
    public init(state: PowerState) { self.state = state }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("state", &state) }
  }

  /// Warns, 10 s ahead, that the robot will sleep for inactivity; any command that resets the timer keeps it awake.
  ///
  /// Sphero API 1.50, asynchronous ID 05h.
  public struct PreSleepWarning: Event {
    /// 05.
    public static let id = EventID(0x05)
    /// Whatever some firmware sends along; empty by the document.
    public var data: [UInt8] = []
    /// Makes a warning.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("data", &data, count: 0...0xFFFE)
    }
  }

  /// Tells that the robot goes to sleep now (newer firmware).
  ///
  /// Not in Sphero API 1.50; named by one library made from a vendor's app (asynchronous ID 14h).
  public struct DidSleep: Event {
    /// 14.
    public static let id = EventID(0x14)
    /// Whatever some firmware sends along.
    public var data: [UInt8] = []
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("data", &data, count: 0...0xFFFE)
    }
  }
}
