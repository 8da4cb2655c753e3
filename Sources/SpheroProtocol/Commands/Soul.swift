// Soul commands (DID 02h): the game in which the robot earns cores and experience.

/// The game in which the robot earns cores and experience, kept in its soul block (DID 02h; firmware 3.37 and newer).
public enum Soul {
  static func commands(_ catalogue: inout some CatalogueVisitor) {
    catalogue.command(RefillBank.self, "Soul.RefillBank")
    catalogue.command(BuyConsumable.self, "Soul.BuyConsumable")
    catalogue.command(UseConsumable.self, "Soul.UseConsumable")
    catalogue.command(GrantCores.self, "Soul.GrantCores")
    catalogue.command(AddXP.self, "Soul.AddXP")
    catalogue.command(LevelUpAttribute.self, "Soul.LevelUpAttribute")
    catalogue.command(GetPasswordSeed.self, "Soul.GetPasswordSeed")
    catalogue.command(EnableSSBEvents.self, "Soul.EnableSSBEvents")
  }
}

extension Soul {
  /// Pays cores to refill a bank; ``Status/failedToExecute`` where there are too few.
  ///
  /// Sphero API 1.50, "Refill Bank" (DID 02h, CID 48h).
  public struct RefillBank: HazardousCommand {
    public static let id = CommandID(0x02, 0x48)
    /// What can go wrong.
    public static let hazard =
      "Spends cores that cannot be earned back: the app with which they were earned is gone."
    /// What is used up by playing.
    public enum Bank: UInt8, WireNamed, CaseIterable {
      /// Boost.
      case boost
      /// Shield.
      case shield
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [.boost: "boost", .shield: "shield"]
    }
    /// Which bank.
    public var bank = Bank.boost
    /// Makes the command; the boost bank.
    public init() {}
    public init(bank: Bank) { self.bank = bank }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("bank", &bank) }

    /// What is left.
    public struct Response: Message {
      /// Cores left.
      public var cores: UInt32 = 0
      /// Makes a response without cores.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("cores", &cores)
      }
    }
  }

  /// Pays cores for consumables; ``Status/failedToExecute`` where there are too few.
  ///
  /// Sphero API 1.50, "Buy Consumable" (DID 02h, CID 49h).
  public struct BuyConsumable: HazardousCommand {
    public static let id = CommandID(0x02, 0x49)
    /// What can go wrong.
    public static let hazard =
      "Spends cores that cannot be earned back: the app with which they were earned is gone."
    /// Which one, 0...7.
    public var consumable: UInt8 = 0
    /// How many.
    public var quantity: UInt8 = 1
    /// Makes the command; one of the first.
    public init() {}
    public init(consumable: UInt8, quantity: UInt8) {
      (self.consumable, self.quantity) = (consumable, quantity)
    }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("consumable", &consumable, in: 0...7)
      try wire.field("quantity", &quantity)
    }

    /// What is there now.
    public struct Response: Message {
      /// How many of them.
      public var quantity: UInt8 = 0
      /// Cores left.
      public var cores: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("quantity", &quantity)
        try wire.field("cores", &cores)
      }
    }
  }

  /// Uses a consumable; ``Status/failedToExecute`` where there is none.
  ///
  /// Sphero API 1.50, "Use Consumable" (DID 02h, CID 4Ah).
  public struct UseConsumable: HazardousCommand {
    public static let id = CommandID(0x02, 0x4A)
    /// What can go wrong.
    public static let hazard =
      "Uses up what cannot be earned back: the app with which it was earned is gone."
    /// Which one, 0...7.
    public var consumable: UInt8 = 0
    /// Makes the command; the first.
    public init() {}
    public init(consumable: UInt8) { self.consumable = consumable }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("consumable", &consumable, in: 0...7)
    }

    /// What is left.
    public struct Response: Message {
      /// Which one.
      public var consumable: UInt8 = 0
      /// How many are left.
      public var remaining: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("consumable", &consumable)
        try wire.field("remaining", &remaining)
      }
    }
  }

  /// Gives cores.
  ///
  /// The document prints DLEN 09h; the fields count to 0Ah.
  /// Sphero API 1.50, "Grant Cores" (DID 02h, CID 4Bh).
  public struct GrantCores: HazardousCommand {
    public static let id = CommandID(0x02, 0x4B)
    /// What can go wrong.
    public static let hazard = "Changes what the robot has earned, in flash, and cannot be taken back."
    /// How cores are given.
    public struct Flags: WireFlags {
      /// The bits on the wire.
      public var rawValue: UInt8
      /// Takes the bits of the wire.
      public init(rawValue: UInt8) { self.rawValue = rawValue }
      /// Writes to flash at once.
      public static let commit = Flags(rawValue: 1 << 0)

      /// The bits that have a name.
      public static let bits: [(flag: Self, name: String)] = [
        (.commit, "commit")
      ]
    }
    /// Made from the seed of ``GetPasswordSeed``; how is not documented.
    public var password: UInt32 = 0
    /// How many.
    public var quantity: UInt32 = 0
    /// How they are given.
    public var flags: Flags = []
    /// Makes the command; no cores.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("quantity", &quantity)
      try wire.field("flags", &flags)
    }

    /// What is there now.
    public struct Response: Message {
      /// Cores.
      public var cores: UInt32 = 0
      /// Makes a response without cores.
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("cores", &cores)
      }
    }
  }

  /// Gives experience as if the robot had been driven.
  ///
  /// Sphero API 1.50, "Add XP" (DID 02h, CID 4Ch).
  public struct AddXP: HazardousCommand {
    public static let id = CommandID(0x02, 0x4C)
    /// What can go wrong.
    public static let hazard = "Changes what the robot has earned, in flash, and cannot be taken back."
    /// Made from the seed of ``GetPasswordSeed``; how is not documented.
    public var password: UInt32 = 0
    /// Minutes of driving.
    public var quantity: UInt8 = 0
    /// Makes the command; no minutes.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("quantity", &quantity)
    }

    /// The way to the next level.
    public struct Response: Message {
      /// Percent.
      public var percent: UInt8 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("percent", &percent)
      }
    }
  }

  /// Spends a point on an attribute.
  ///
  /// Sphero API 1.50, "Level Up Attribute" (DID 02h, CID 4Dh).
  public struct LevelUpAttribute: HazardousCommand {
    public static let id = CommandID(0x02, 0x4D)
    /// What can go wrong.
    public static let hazard = "Changes what the robot has earned, in flash, and cannot be taken back."
    /// What grows.
    public enum Attribute: UInt8, WireNamed, CaseIterable {
      /// Speed.
      case speed
      /// Boost.
      case boost
      /// Brightness.
      case brightness
      /// Shield.
      case shield
      /// The names of the cases.
      public static let names: KeyValuePairs<Self, String> = [
        .speed: "speed", .boost: "boost", .brightness: "brightness", .shield: "shield",
      ]
    }
    /// Made from the seed of ``GetPasswordSeed``; how is not documented.
    public var password: UInt32 = 0
    /// Which attribute.
    public var attribute = Attribute.speed
    /// Makes the command; speed.
    public init() {}
    public mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("password", &password)
      try wire.field("attribute", &attribute)
    }

    /// What is there now.
    public struct Response: Message {
      /// Which attribute.
      public var attribute: UInt8 = 0
      /// Its level.
      public var level: UInt8 = 0
      /// Points left to spend.
      public var points: UInt16 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) {
        try wire.field("attribute", &attribute)
        try wire.field("level", &level)
        try wire.field("points", &points)
      }
    }
  }

  /// Reads the number from which the next password is made.
  ///
  /// Sphero API 1.50, "Get Password Seed" (DID 02h, CID 4Eh).
  public struct GetPasswordSeed: Command {
    public static let id = CommandID(0x02, 0x4E)
    public init() {}

    /// The seed.
    public struct Response: Message {
      /// The seed.
      public var seed: UInt32 = 0
      public init() {}
      public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("seed", &seed) }
    }
  }

  /// Switches the events of the game on or off: ``LevelUp``, ``ShieldDamage``, ``XPUpdate``, ``BoostUpdate``.
  ///
  /// Sphero API 1.50, "Enable SSB Async Messages" (DID 02h, CID 4Fh).
  public struct EnableSSBEvents: Command {
    public static let id = CommandID(0x02, 0x4F)
    /// Whether they come.
    public var isOn = true
    /// Makes the command; on.
    public init() {}
    public init(isOn: Bool) { self.isOn = isOn }
    public mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("isOn", &isOn) }
  }
}
