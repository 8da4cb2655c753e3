// Settings that the robot keeps in RAM or in flash.

import SpheroProtocol

/// Settings that the client can write, except those of the drive and the sensors, which have their own types.
struct SettingsStore: Sendable {
  /// The size of a flash block in bytes.
  static let blockLength = 0x400
  /// The maximum length of a name in bytes (Sphero API 1.50, "Set Device Name").
  static let maximumNameLength = 48

  // Kept in flash.
  var name: WireText
  var reconnects = (isOn: false, seconds: UInt8(0))
  /// Seconds without a command after which the robot falls asleep.
  var inactivityTimeout: UInt16 = 600
  var permanentOptions: Settings.PermanentOptions
  var chassis: UInt16 = 5
  var creationDate = FlashImage(erased: 32)
  var modifierBlock = FlashImage(erased: 272)
  var vectorDriveLimit: UInt8 = 50
  /// The configuration block that the client wrote; nil if the block is encoded from the present settings.
  var writtenBlock: FlashImage?

  // Kept in RAM.
  var temporaryOptions: Settings.TemporaryOptions = []
  var mode = Settings.SetDeviceMode.Mode.normal
  var accelerometerRange = Sensing.SetAccelerometerRange.Range.g8
  /// Milliseconds without a command after which the motors stop
  /// if `Settings.PermanentOptions.motionTimeouts` is set (Sphero API 1.50, "Set Motion Timeout").
  var motionTimeout: UInt16 = 2_000
  /// Whether the robot's transmitter is on; while it is off, the robot sends nothing.
  ///
  /// A command or a power cycle switches it on.
  var transmits = true

  init(name: String, permanentOptions: Settings.PermanentOptions) {
    (self.name, self.permanentOptions) = (WireText(name), permanentOptions)
  }

  /// Resets the settings in RAM.
  mutating func powerCycle() {
    (temporaryOptions, mode, accelerometerRange, motionTimeout) = ([], .normal, .g8, 2_000)
    transmits = true
  }

  /// Encodes the configuration block; bytes of unknown meaning are erased flash.
  ///
  /// The offsets are those of a recorded block of a Sphero S3; see ``Configuration/ConfigurationBlock``.
  func configurationBlock(battery: Battery, color: Color) -> FlashImage {
    if let writtenBlock { return writtenBlock }
    var bytes = [UInt8](repeating: 0xFF, count: Self.blockLength)
    func put(_ value: UInt32, count: Int, at offset: Int) {
      // Flash images are little-endian, unlike packets.
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
