// Soul events: the block, and what changes in the game.

extension Soul {
  static func events(_ catalogue: inout some CatalogueVisitor) {
    catalogue.event(LevelUp.self, "Soul.LevelUp")
    catalogue.event(ShieldDamage.self, "Soul.ShieldDamage")
    catalogue.event(XPUpdate.self, "Soul.XPUpdate")
    catalogue.event(BoostUpdate.self, "Soul.BoostUpdate")
  }

  /// Tells that the robot has reached a level.
  ///
  /// Sphero API 1.50, asynchronous ID 0Eh.
  public struct LevelUp: Event {
    /// 0E.
    public static let id = EventID(0x0E)
    /// The level.
    public var level: UInt16 = 0
    /// Points to spend.
    public var points: UInt16 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("level", &level)
      try wire.field("points", &points)
    }
  }

  /// Tells what is left of the shield.
  ///
  /// Sphero API 1.50, asynchronous ID 0Fh.
  public struct ShieldDamage: Event {
    /// 0F.
    public static let id = EventID(0x0F)
    /// 0...255; 255 is all.
    public var remaining: UInt8 = 255
    /// Makes an event of a whole shield.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("remaining", &remaining)
    }
  }

  /// Tells how far the next level is.
  ///
  /// Sphero API 1.50, asynchronous ID 10h.
  public struct XPUpdate: Event {
    /// 10.
    public static let id = EventID(0x10)
    /// 0...255; 255 is there.
    public var progress: UInt8 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("progress", &progress)
    }
  }

  /// Tells what is left of the boost.
  ///
  /// Sphero API 1.50, asynchronous ID 11h.
  public struct BoostUpdate: Event {
    /// 11.
    public static let id = EventID(0x11)
    /// 0...255; 255 is all.
    public var remaining: UInt8 = 255
    /// Makes an event of a whole boost.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("remaining", &remaining)
    }
  }
}
