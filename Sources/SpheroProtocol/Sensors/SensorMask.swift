// Which values a stream holds: the two masks of the wire, and the names people use for groups of fields.

/// The fields of a stream: MASK and MASK2 laid end to end.
public struct SensorMask: OptionSet, Hashable, Sendable {
  /// MASK in the upper half, MASK2 in the lower.
  public var rawValue: UInt64

  /// Takes both masks laid end to end.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Joins the two masks of the wire.
  public init(mask: UInt32, mask2: UInt32) { rawValue = UInt64(mask) << 32 | UInt64(mask2) }
  /// Selects fields.
  public init(_ fields: SensorField...) { rawValue = fields.reduce(0) { $0 | $1.bit } }

  /// MASK: the first set of fields.
  public var mask: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
  /// MASK2: the second set of fields (firmware 1.15 and newer).
  public var mask2: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

  /// Filtered acceleration.
  public static let accel = SensorMask(.accelX, .accelY, .accelZ)
  /// Filtered turning rate.
  public static let gyro = SensorMask(.gyroX, .gyroY, .gyroZ)
  /// Pitch, roll and yaw.
  public static let imu = SensorMask(.pitch, .roll, .yaw)
  /// The orientation quaternion (firmware 1.20 and newer; zeros before).
  public static let quat = SensorMask(.q0, .q1, .q2, .q3)
  /// Filtered back EMF of both motors.
  public static let emf = SensorMask(.emfRight, .emfLeft)
  /// Duty of both motors.
  public static let pwm = SensorMask(.pwmLeft, .pwmRight)
  /// Acceleration as sensed.
  public static let accelRaw = SensorMask(.accelRawX, .accelRawY, .accelRawZ)
  /// Turning rate as sensed.
  public static let gyroRaw = SensorMask(.gyroRawX, .gyroRawY, .gyroRawZ)
  /// Back EMF of both motors as sensed.
  public static let emfRaw = SensorMask(.emfRawRight, .emfRawLeft)
  /// Place on the floor (firmware 1.17 and newer).
  public static let odometer = SensorMask(.odometerX, .odometerY)
  /// Velocity over the floor (firmware 1.17 and newer).
  public static let velocity = SensorMask(.velocityX, .velocityY)
  /// Place and velocity.
  public static let locator: SensorMask = [.odometer, .velocity]
  /// Magnitude of the acceleration.
  public static let accelOne = SensorMask(.accelOne)
  /// Every field of API 1.50.
  public static let all = SensorMask(mask: 0xFC7F_FC60, mask2: 0xFF80_0000)

  /// The groups that people name, in the order of the help page.
  public static let groups: KeyValuePairs<String, SensorMask> = [
    "accel": .accel, "gyro": .gyro, "imu": .imu, "quat": .quat, "emf": .emf, "pwm": .pwm,
    "accel-raw": .accelRaw, "gyro-raw": .gyroRaw, "emf-raw": .emfRaw, "odometer": .odometer,
    "velocity": .velocity, "locator": .locator, "accel-one": .accelOne, "all": .all,
  ]

  /// Reads the names of groups and fields, joined by commas, and hexadecimal masks as `0xMASK[:MASK2]`.
  ///
  /// - Parameter text: Like `accel,imu,q0` or `0x00070000:0xF0000000`; case and `_` for `-` are forgiven.
  /// - Throws: ``MaskError`` with the word that means nothing, or with reserved bits.
  public init(parsing text: some StringProtocol) throws(MaskError) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(word.lowercased().filter { $0 != " " }.map { $0 == "_" ? "-" : $0 })
      if let group = Self.groups.first(where: { $0.key == name })?.value {
        formUnion(group)
      } else if let field = SensorField.allCases.first(where: { $0.optionName == name }) {
        formUnion(SensorMask(field))
      } else if name.hasPrefix("0x") {
        formUnion(try Self.hexadecimal(name, of: String(word)))
      } else {
        throw .unknownName(String(word))
      }
    }
    guard !isEmpty else { throw .unknownName(String(text)) }
    guard isDocumented else { throw .reservedBits(rawValue & ~Self.known) }
  }

  private static func hexadecimal(_ name: String, of word: String) throws(MaskError) -> SensorMask {
    let halves = name.split(separator: ":", omittingEmptySubsequences: false).map { half in
      UInt32(half.hasPrefix("0x") ? half.dropFirst(2) : half, radix: 16)
    }
    guard (1...2).contains(halves.count), let mask = halves[0], let mask2 = halves.count == 2 ? halves[1] : 0
    else { throw .unknownName(word) }
    return SensorMask(mask: mask, mask2: mask2)
  }

  static let known = SensorField.allCases.reduce(0 as UInt64) { $0 | $1.bit }

  /// Whether only known fields are selected; what reserved bits do depends on the firmware, so they are never sent.
  public var isDocumented: Bool { rawValue & ~Self.known == 0 }

  /// The known fields, in the order of the wire.
  public var fields: [SensorField] { SensorField.allCases.filter { rawValue & $0.bit != 0 } }

  /// The values in a frame: one for each bit of MASK and of the ten upper bits of MASK2, reserved ones included.
  ///
  /// A Sphero with all bits set sends 32 + 10 values; other firmware leaves some reserved ones out.
  public var wordCount: Int { (rawValue & 0xFFFF_FFFF_FFC0_0000).nonzeroBitCount }

  /// Where a field's value stands in a frame, or nil where it is not selected.
  public func index(of field: SensorField) -> Int? {
    guard rawValue & field.bit != 0 else { return nil }
    return (rawValue & ~(field.bit | (field.bit - 1))).nonzeroBitCount
  }
}

extension SensorField {
  /// The field's name as an option: like `accel-x`.
  public var optionName: String { String(name.map { $0 == "_" ? "-" : $0 }) }
}
