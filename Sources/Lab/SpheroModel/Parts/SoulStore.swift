// The game that the robot keeps score of: cores, banks, consumables and attributes.

import SpheroProtocol

/// What the robot has earned.
///
/// How a password is made from its seed is not documented; this robot takes the seed itself.
struct SoulStore: Sendable {
  private static let (refillPrice, consumablePrice) = (UInt32(10), UInt32(5))
  private(set) var cores: UInt32 = 100
  private(set) var block = FlashImage(erased: SettingsStore.blockLength)
  private var consumables = [UInt8](repeating: 0, count: 8)
  private var levels = [UInt8](repeating: 1, count: 4)
  private var points: UInt16 = 2
  private var percent: UInt8 = 0
  private var banks = [UInt8](repeating: 255, count: 2)
  private var level: UInt16 = 1
  private(set) var seed: UInt32
  /// Whether changes are told.
  var notifies = false

  init(seed: UInt32) { self.seed = seed == 0 ? 1 : seed }

  /// Whether a password is right; each seed is good for one.
  mutating func admits(_ password: UInt32) -> Bool {
    guard password == seed else { return false }
    seed = seed &* 1_664_525 &+ 1_013_904_223
    if seed == 0 { seed = 1 }
    return true
  }

  mutating func refill(_ bank: Soul.RefillBank.Bank) -> UInt32? {
    guard cores >= Self.refillPrice else { return nil }
    cores -= Self.refillPrice
    banks[Int(bank.rawValue)] = 255
    return cores
  }

  mutating func buy(_ id: UInt8, _ quantity: UInt8) -> Soul.BuyConsumable.Response? {
    let price = Self.consumablePrice * UInt32(quantity)
    guard consumables.indices.contains(Int(id)), cores >= price else { return nil }
    let (count, isTooMany) = consumables[Int(id)].addingReportingOverflow(quantity)
    guard !isTooMany else { return nil }
    consumables[Int(id)] = count
    cores -= price
    var response = Soul.BuyConsumable.Response()
    (response.quantity, response.cores) = (count, cores)
    return response
  }

  mutating func use(_ id: UInt8) -> Soul.UseConsumable.Response? {
    guard consumables.indices.contains(Int(id)), consumables[Int(id)] > 0 else { return nil }
    consumables[Int(id)] -= 1
    var response = Soul.UseConsumable.Response()
    (response.consumable, response.remaining) = (id, consumables[Int(id)])
    return response
  }

  mutating func grant(_ quantity: UInt32) -> UInt32 {
    let (sum, isTooMuch) = cores.addingReportingOverflow(quantity)
    cores = isTooMuch ? .max : sum
    return cores
  }

  /// Adds minutes of experience; a level takes a hundred.
  ///
  /// - Returns: Percent of the way to the next level, and the level where one was reached.
  mutating func add(minutes: UInt8) -> (percent: UInt8, reached: Soul.LevelUp?) {
    let sum = Int(percent) + Int(minutes)
    percent = UInt8(sum % 100)
    guard sum >= 100 else { return (percent, nil) }
    level &+= UInt16(sum / 100)
    points &+= UInt16(sum / 100)
    var event = Soul.LevelUp()
    (event.level, event.points) = (level, points)
    return (percent, event)
  }

  mutating func levelUp(_ attribute: Soul.LevelUpAttribute.Attribute) -> Soul.LevelUpAttribute.Response? {
    guard points > 0 else { return nil }
    points -= 1
    levels[Int(attribute.rawValue)] &+= 1
    var response = Soul.LevelUpAttribute.Response()
    (response.attribute, response.level) = (attribute.rawValue, levels[Int(attribute.rawValue)])
    response.points = points
    return response
  }

  mutating func replace(_ block: FlashImage) { self.block = block }
}
