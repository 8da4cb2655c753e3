// What a robot keeps of what it was told, in RAM or over power cycles.

import SpheroProtocol

/// Settings that are kept and read back; what drives or senses keeps its own.
struct SettingsStore: Sendable {
  /// The bytes of a block of flash.
  static let blockLength = 0x400
  /// The bytes of a name that are kept (Sphero API 1.50, "Set Device Name").
  static let longestName = 48

  // Kept over power cycles.
  var name: WireText
  var reconnects = (isOn: false, seconds: UInt8(0))
  var inactivityTimeout: UInt16 = 600
  var permanentOptions: Settings.PermanentOptions
  var chassis: UInt16 = 5
  var creationDate = FlashImage(erased: 32)
  var modifierBlock = FlashImage(erased: 272)
  var vectorDriveLimit: UInt8 = 50
  /// The block that the user wrote, or nil for the one that the robot makes of its settings.
  var writtenBlock: FlashImage?

  // Gone with power.
  var temporaryOptions: Settings.TemporaryOptions = []
  var mode = Settings.SetDeviceMode.Mode.normal
  var accelerometerRange = Sensing.SetAccelerometerRange.Range.g8
  /// Milliseconds without a command after which the motors stop,
  /// where ``Settings/PermanentOptions/motionTimeouts`` is set (Sphero API 1.50, "Set Motion Timeout").
  var motionTimeout: UInt16 = 2_000
  /// Whether the robot's transmitter works; off, it is mute until it is started again.
  var transmits = true

  init(name: String, permanentOptions: Settings.PermanentOptions) {
    (self.name, self.permanentOptions) = (WireText(name), permanentOptions)
  }

  /// Forgets what is gone with power.
  mutating func powerCycle() {
    (temporaryOptions, mode, accelerometerRange, motionTimeout) = ([], .normal, .g8, 2_000)
    transmits = true
  }

  /// The configuration block as its known offsets say it; what is unknown is erased flash.
  ///
  /// The offsets were found in the recorded block of a Sphero S3; see ``Configuration/ConfigurationBlock``.
  func configurationBlock(battery: Battery, color: Color) -> FlashImage {
    if let writtenBlock { return writtenBlock }
    var bytes = [UInt8](repeating: 0xFF, count: Self.blockLength)
    func put(_ value: UInt32, count: Int, at offset: Int) {
      // Flash images are little-endian, unlike all else.
      for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    put(UInt32(battery.low), count: 2, at: 0x02)
    put(UInt32(battery.critical), count: 2, at: 0x04)
    put(UInt32(chassis), count: 2, at: 0x0A)
    for (index, part) in [color.red, color.green, color.blue].enumerated() { bytes[0x0C + index] = part }
    put(UInt32(inactivityTimeout), count: 2, at: 0x3C)
    let gains: [(Int, [Float])] = [(0x4C, [90, 0.05, 1_200]), (0x64, [21, 0.3, 50])]
    for (offset, values) in gains {
      for (index, value) in values.enumerated() {
        put(value.bitPattern, count: 4, at: offset + 4 * index)
      }
    }
    return FlashImage(bytes: bytes)
  }
}
