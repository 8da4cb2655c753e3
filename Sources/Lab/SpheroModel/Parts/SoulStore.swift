// What the robot has earned in its game: cores, consumables, experience and levels; and the soul block.

import SpheroProtocol

/// The state of the game.
///
/// Prices and start values are arbitrary. The documents do not define how a password is derived from its seed;
/// this robot accepts the seed itself.
struct SoulStore: Sendable {
  private static let (refillPrice, consumablePrice) = (UInt32(10), UInt32(5))
  private var cores: UInt32 = 100
  var block = [UInt8](repeating: 0xFF, count: SettingsStore.blockLength)
  private var consumables = [UInt8](repeating: 0, count: 8)
  /// The level of each attribute, by its raw value.
  private var levels = [UInt8](repeating: 1, count: Soul.LevelUpAttribute.Attribute.allCases.count)
  /// The points that raise levels of attributes.
  private var points: UInt16 = 2
  /// The progress to the next ``level``.
  private var percent: UInt8 = 0
  private var level: UInt16 = 1
  private(set) var seed: UInt32
  var sendsEvents = false

  init(seed: UInt32) { self.seed = seed == 0 ? 1 : seed }

  /// Checks a password; a correct one replaces the seed, so that each seed is valid once.
  mutating func checkPassword(_ password: UInt32) throws(Refusal) {
    guard password == seed else { throw Refusal(.badPassword) }
    // The linear congruential generator of Numerical Recipes.
    seed = seed &* 1_664_525 &+ 1_013_904_223
    if seed == 0 { seed = 1 }
  }

  /// Pays for a refill; the contents of the banks are not stored, because no command reads them.
  mutating func refill() throws(Refusal) -> Soul.RefillBank.Response {
    guard cores >= Self.refillPrice else { throw Refusal(.failedToExecute) }
    cores -= Self.refillPrice
    return Soul.RefillBank.Response { $0.cores = cores }
  }

  mutating func buy(_ id: UInt8, _ quantity: UInt8) throws(Refusal) -> Soul.BuyConsumable.Response {
    let price = Self.consumablePrice * UInt32(quantity)
    guard consumables.indices.contains(Int(id)), cores >= price else { throw Refusal(.failedToExecute) }
    let (count, overflow) = consumables[Int(id)].addingReportingOverflow(quantity)
    guard !overflow else { throw Refusal(.failedToExecute) }
    consumables[Int(id)] = count
    cores -= price
    return Soul.BuyConsumable.Response { ($0.quantity, $0.cores) = (count, cores) }
  }

  mutating func use(_ id: UInt8) throws(Refusal) -> Soul.UseConsumable.Response {
    guard consumables.indices.contains(Int(id)), consumables[Int(id)] > 0 else {
      throw Refusal(.failedToExecute)
    }
    consumables[Int(id)] -= 1
    return Soul.UseConsumable.Response { ($0.consumable, $0.remaining) = (id, consumables[Int(id)]) }
  }

  mutating func grant(_ quantity: UInt32) -> Soul.GrantCores.Response {
    let (sum, overflow) = cores.addingReportingOverflow(quantity)
    cores = overflow ? .max : sum
    return Soul.GrantCores.Response { $0.cores = cores }
  }

  /// Adds minutes of experience; 100 minutes are a level.
  mutating func add(minutes: UInt8) -> (response: Soul.AddXP.Response, levelUp: Soul.LevelUp?) {
    let sum = Int(percent) + Int(minutes)
    percent = UInt8(sum % 100)
    let response = Soul.AddXP.Response { $0.percent = percent }
    guard sum >= 100 else { return (response, nil) }
    level &+= UInt16(sum / 100)
    points &+= UInt16(sum / 100)
    return (response, Soul.LevelUp { ($0.level, $0.points) = (level, points) })
  }

  mutating func levelUp(
    _ attribute: Soul.LevelUpAttribute.Attribute
  ) throws(Refusal) -> Soul.LevelUpAttribute.Response {
    guard points > 0 else { throw Refusal(.failedToExecute) }
    points -= 1
    let index = Int(attribute.rawValue)
    levels[index] &+= 1
    return Soul.LevelUpAttribute.Response {
      ($0.attribute, $0.level, $0.points) = (attribute.rawValue, levels[index], points)
    }
  }
}
