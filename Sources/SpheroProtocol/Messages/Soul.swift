// Soul messages (DID 02h): the game in which the robot earns cores and experience.

/// The game in which the robot earns cores and experience, which its soul block stores (DID 02h; firmware 3.37 and newer).
public enum Soul {
  /// Pays cores to refill a bank; ``Status/failedToExecute`` if there are too few
  /// (Sphero API 1.50, "Refill Bank").
  public struct RefillBank: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x48)
    public static let hazard =
      "Spends cores that cannot be earned again: the app that grants them is discontinued."
    /// A resource that the game consumes.
    public enum Bank: UInt8, WireNamed, CaseIterable {
      /// A bank of the game.
      case boost, shield
      public static let names: KeyValuePairs<Self, String> = [.boost: "boost", .shield: "shield"]
    }
    /// The bank to refill.
    public var bank = Bank.boost
    public init() {}
    public init(bank: Bank) { self.bank = bank }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("bank", &bank) }

    public struct Response: Message {
      /// Remaining cores.
      public var cores: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("cores", &cores)
      }
    }
  }

  /// Pays cores for consumables; ``Status/failedToExecute`` if there are too few
  /// (Sphero API 1.50, "Buy Consumable").
  public struct BuyConsumable: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x49)
    public static let hazard =
      "Spends cores that cannot be earned again: the app that grants them is discontinued."
    /// Kind of consumable, 0...7.
    public var consumable: UInt8 = 0
    /// Number of consumables to buy.
    public var quantity: UInt8 = 1
    public init() {}
    public init(consumable: UInt8, quantity: UInt8) {
      (self.consumable, self.quantity) = (consumable, quantity)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("consumable", &consumable, in: 0...7)
      try wire.field("quantity", &quantity)
    }

    public struct Response: Message {
      /// Number of consumables of this kind.
      public var quantity: UInt8 = 0
      /// Remaining cores.
      public var cores: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("quantity", &quantity)
        try wire.field("cores", &cores)
      }
    }
  }

  /// Uses a consumable; ``Status/failedToExecute`` if there is none (Sphero API 1.50, "Use Consumable").
  public struct UseConsumable: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x4A)
    public static let hazard =
      "Uses up an item that cannot be earned again: the app that grants it is discontinued."
    /// Kind of consumable, 0...7.
    public var consumable: UInt8 = 0
    public init() {}
    public init(consumable: UInt8) { self.consumable = consumable }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("consumable", &consumable, in: 0...7)
    }

    public struct Response: Message {
      /// Kind of consumable.
      public var consumable: UInt8 = 0
      /// Number of remaining consumables of this kind.
      public var remaining: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("consumable", &consumable)
        try wire.field("remaining", &remaining)
      }
    }
  }

  /// Grants cores (Sphero API 1.50, "Grant Cores", which states DLEN 09h, but the fields add up to 0Ah).
  public struct GrantCores: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x4B)
    public static let hazard = "Irreversibly changes what the robot has earned, in flash."
    /// The options of the command.
    public struct Flags: WireFlags {
      public var rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Writes to flash at once.
      public static let commit = Flags(rawValue: 1 << 0)

      public static let bits: [(flag: Self, name: String)] = [(.commit, "commit")]
    }
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// Number of cores.
    public var quantity: UInt32 = 0
    /// Options of the grant.
    public var flags: Flags = []
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("quantity", &quantity)
      try wire.field("flags", &flags)
    }

    public struct Response: Message {
      /// Total cores.
      public var cores: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("cores", &cores)
      }
    }
  }

  /// Grants the experience points of a driving time (Sphero API 1.50, "Add XP").
  public struct AddXP: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x4C)
    public static let hazard = "Irreversibly changes what the robot has earned, in flash."
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// Experience to grant, in minutes of driving.
    public var quantity: UInt8 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("quantity", &quantity)
    }

    /// Progress towards the next level.
    public struct Response: Message {
      /// Progress towards the next level, in percent.
      public var percent: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("percent", &percent)
      }
    }
  }

  /// Spends a point on an attribute (Sphero API 1.50, "Level Up Attribute").
  public struct LevelUpAttribute: HazardousCommand, NonIdempotentRequest {
    public static let id = CommandID(0x02, 0x4D)
    public static let hazard = "Irreversibly changes what the robot has earned, in flash."
    /// A property that levels improve.
    public enum Attribute: UInt8, WireNamed, CaseIterable {
      /// An attribute of the game.
      case speed, boost, brightness, shield
      public static let names: KeyValuePairs<Self, String> = [
        .speed: "speed", .boost: "boost", .brightness: "brightness", .shield: "shield",
      ]
    }
    /// The password, which is derived from the seed of ``GetPasswordSeed`` by an undocumented algorithm.
    public var password: UInt32 = 0
    /// The attribute to level up.
    public var attribute = Attribute.speed
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("attribute", &attribute)
    }

    public struct Response: Message {
      /// Raw value of the attribute.
      public var attribute: UInt8 = 0
      /// Level of the attribute.
      public var level: UInt8 = 0
      /// Remaining points.
      public var points: UInt16 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("attribute", &attribute)
        try wire.field("level", &level)
        try wire.field("points", &points)
      }
    }
  }

  /// Reads the number from which the next password is derived (Sphero API 1.50, "Get Password Seed").
  public struct GetPasswordSeed: Command {
    public static let id = CommandID(0x02, 0x4E)
    public init() {}

    public struct Response: Message {
      /// Number from which the next password is derived.
      public var seed: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("seed", &seed) }
    }
  }

  /// Switches the game's events on or off: ``LevelUp``, ``ShieldDamage``, ``XPUpdate``, ``BoostUpdate``
  /// (Sphero API 1.50, "Enable SSB Async Messages").
  public struct EnableSSBEvents: Command {
    public static let id = CommandID(0x02, 0x4F)
    /// Whether the robot sends the events.
    public var isOn = true
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }

  /// Reports that the robot has reached a level (Sphero API 1.50).
  public struct LevelUp: Event {
    public static let id = EventID(0x0E)
    /// The new level.
    public var level: UInt16 = 0
    /// Points available to spend.
    public var points: UInt16 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("level", &level)
      try wire.field("points", &points)
    }
  }

  /// Reports the remaining shield (Sphero API 1.50).
  public struct ShieldDamage: Event {
    public static let id = EventID(0x0F)
    /// Remaining shield, 0...255; 255 is full.
    public var remaining: UInt8 = 255
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("remaining", &remaining)
    }
  }

  /// Reports the progress towards the next level (Sphero API 1.50).
  public struct XPUpdate: Event {
    public static let id = EventID(0x10)
    /// Progress, 0...255; 255 is the next level.
    public var progress: UInt8 = 0
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("progress", &progress)
    }
  }

  /// Reports the remaining boost (Sphero API 1.50).
  public struct BoostUpdate: Event {
    public static let id = EventID(0x11)
    /// Remaining boost, 0...255; 255 is full.
    public var remaining: UInt8 = 255
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("remaining", &remaining)
    }
  }
}
