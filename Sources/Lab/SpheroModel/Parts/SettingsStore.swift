// The settings that the robot stores in RAM or in flash, and the state of its game.

import SpheroProtocol

struct SettingsStore: Sendable {
  static let blockLength = 0x400

  // Stored in flash.
  var name: WireText
  /// The setting of `Core.SetAutoReconnect`, which has no effect.
  var reconnects = (isOn: false, seconds: UInt8(0))
  /// The time without a command after which the robot falls asleep, in seconds.
  var inactivityTimeout: UInt16 = 600
  var permanentOptions: Settings.PermanentOptions
  var chassis: UInt16 = 5
  var creationDate = [UInt8](repeating: 0xFF, count: 32)
  /// The setting of `Motion.SetVectorDriveLimit`, which has no effect.
  var vectorDriveLimit: UInt8 = 50
  /// The configuration block that a client has written; nil if ``configurationBlock(battery:color:)`` encodes it.
  var writtenBlock: [UInt8]?

  // Stored in RAM.
  var temporaryOptions: Settings.TemporaryOptions = []
  var mode = Settings.SetDeviceMode.Mode.normal
  /// The time without a motion command after which the motors stop, in milliseconds (option `motionTimeouts`).
  var motionTimeout: UInt16 = 2_000
  /// Whether the transmitter is on. `Factory.ControlUARTTransmit` switches it; a power cycle switches it on.
  var transmits = true

  init(name: String, permanentOptions: Settings.PermanentOptions) {
    (self.name, self.permanentOptions) = (WireText(name), permanentOptions)
  }

  mutating func powerCycle() {
    (temporaryOptions, mode, motionTimeout, transmits) = ([], .normal, 2_000, true)
  }

  /// The configuration block, with offsets and gains recorded from a Sphero S3; unknown bytes are FFh.
  func configurationBlock(battery: Battery, color: Color) -> [UInt8] {
    if let writtenBlock { return writtenBlock }
    var bytes = [UInt8](repeating: 0xFF, count: Self.blockLength)
    func put(_ value: UInt32, count: Int, at offset: Int) {
      // Flash images are little-endian, unlike packets.
      for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    put(UInt32(battery.low), count: 2, at: 0x02)
    put(UInt32(battery.critical), count: 2, at: 0x04)
    put(UInt32(chassis), count: 2, at: 0x0A)
    bytes.replaceSubrange(0x0C..<0x0F, with: [color.red, color.green, color.blue])
    put(UInt32(inactivityTimeout), count: 2, at: 0x3C)
    let gains: [(offset: Int, Float)] = [
      (0x4C, 90), (0x50, 0.05), (0x54, 1_200), (0x64, 21), (0x68, 0.3), (0x6C, 50),
    ]
    for (offset, gain) in gains { put(gain.bitPattern, count: 4, at: offset) }
    return bytes
  }
}

/// The state of the game; start values are arbitrary.
struct SoulStore: Sendable {
  var cores: UInt32 = 100
  var block = [UInt8](repeating: 0xFF, count: SettingsStore.blockLength)
  var consumables = [UInt8: UInt8](uniqueKeysWithValues: (0..<8).map { ($0, 0) })
  var levels = [UInt8](repeating: 1, count: Soul.LevelUpAttribute.Attribute.allCases.count)
  var points: UInt16 = 2
  var percent: UInt8 = 0
  var level: UInt16 = 1
  private(set) var seed: UInt32
  var sendsEvents = false

  init(seed: UInt32) { self.seed = seed == 0 ? 1 : seed }

  /// Checks a password, here the seed itself: the documents do not define it. A correct one replaces the seed.
  mutating func checkPassword(_ password: UInt32) throws(Status) {
    guard password == seed else { throw .badPassword }
    // The linear congruential generator of Numerical Recipes.
    seed = seed &* 1_664_525 &+ 1_013_904_223
    if seed == 0 { seed = 1 }
  }
}
