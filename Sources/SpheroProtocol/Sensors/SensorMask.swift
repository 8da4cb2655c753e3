// The sensor fields that a robot can stream, and masks: sets of fields, groups, and texts of masks.

/// A sensor field that the robot can stream.
///
/// The raw value is the field's bit in the concatenation of MASK and MASK2: 63 is bit 31 of MASK, 31 is bit 31 of MASK2.
/// A frame has the fields from the highest bit to the lowest, in the order of the cases, as signed 16-bit integers.
/// Pitch is the rotation about the right axis, roll about the forward axis, yaw about the upward axis
/// (Sphero API 1.50, "Set Data Streaming"; orbBasic 1.07).
/// The Z axis of the sensors points up. According to the likely reading of the recordings, their X and Y axes point
/// left and back; according to another reading, right and forward. `Docs/Orientation.md` compares both,
/// and a `Convention` converts the values.
public enum SensorField: UInt8, CaseIterable, Sendable, CustomStringConvertible {
  /// Unfiltered acceleration along the sensor's X axis.
  case accelRawX = 63
  /// Unfiltered acceleration along the sensor's Y axis.
  case accelRawY = 62
  /// Unfiltered upward acceleration; about 1 g at rest.
  case accelRawZ = 61
  /// Unfiltered turning rate about the sensor's X axis.
  case gyroRawX = 60
  /// Unfiltered turning rate about the sensor's Y axis.
  case gyroRawY = 59
  /// Unfiltered turning rate about the sensor's Z axis.
  case gyroRawZ = 58
  /// Unfiltered back EMF of the right motor, in counts; the unit "22.5 cm" of the document is unproven.
  case emfRawRight = 54
  /// Unfiltered back EMF of the left motor, in counts.
  case emfRawLeft = 53
  /// Duty cycle of the left motor in counts, -2048...2047; 2048 would be full power.
  case pwmLeft = 52
  /// Duty cycle of the right motor in counts, -2048...2047; 2048 would be full power.
  case pwmRight = 51
  /// Pitch of the IMU: rotation about the right axis, nose up positive.
  case pitch = 50
  /// Roll of the IMU: rotation about the forward axis, right side down positive.
  case roll = 49
  /// Yaw of the IMU: rotation about the upward axis, counter-clockwise positive, unlike headings.
  case yaw = 48
  /// Filtered acceleration along the sensor's X axis.
  case accelX = 47
  /// Filtered acceleration along the sensor's Y axis.
  case accelY = 46
  /// Filtered upward acceleration; about 1 g at rest.
  case accelZ = 45
  /// Filtered turning rate about the sensor's X axis.
  case gyroX = 44
  /// Filtered turning rate about the sensor's Y axis.
  case gyroY = 43
  /// Filtered turning rate about the sensor's Z axis.
  case gyroZ = 42
  /// Filtered back EMF of the right motor, in counts.
  case emfRight = 38
  /// Filtered back EMF of the left motor, in counts.
  case emfLeft = 37
  /// First component of the orientation quaternion: the scalar, according to a recorded frame.
  case q0 = 31
  /// Second component of the orientation quaternion.
  case q1 = 30
  /// Third component of the orientation quaternion.
  case q2 = 29
  /// Fourth component of the orientation quaternion.
  case q3 = 28
  /// Position to the right of the locator's origin.
  case odometerX = 27
  /// Position forward of the locator's origin.
  case odometerY = 26
  /// Magnitude of the acceleration; 1 g, which is 100 counts, at rest.
  case accelOne = 25
  /// Velocity to the right.
  case velocityX = 24
  /// Forward velocity.
  case velocityY = 23
  /// Speed over ground (not in API 1.50; seen as the last value of a frame with all bits set).
  case speed = 22

  /// The unit, and the amount of it in one count on the wire.
  public var scale: Quantity {
    switch self {
    case .accelRawX, .accelRawY, .accelRawZ: Scale.accelerationRaw
    case .gyroRawX, .gyroRawY, .gyroRawZ: Scale.turningRateRaw
    case .emfRawRight, .emfRawLeft, .emfRight, .emfLeft, .pwmLeft, .pwmRight: .count
    case .pitch, .roll, .yaw: .degrees
    case .accelX, .accelY, .accelZ: Scale.acceleration
    case .gyroX, .gyroY, .gyroZ: Scale.turningRate
    case .q0, .q1, .q2, .q3: Scale.quaternion
    case .odometerX, .odometerY: .centimetres
    case .accelOne: Scale.magnitude
    case .velocityX, .velocityY, .speed: .millimetresPerSecond
    }
  }

  /// The amount of the unit in one count, from a table, since it is read for each value of a stream.
  var perCount: Double { Self.perCounts[Int(rawValue)] }

  private static let perCounts = (0..<64 as Range<UInt8>).map { Self(rawValue: $0)?.scale.perCount ?? 1 }

  private enum Scale {
    static let accelerationRaw = Quantity(.g, perCount: 0.004)
    static let turningRateRaw = Quantity(.degreesPerSecond, perCount: 0.068)
    static let acceleration = Quantity(.g, perCount: 1.0 / 4096)
    static let turningRate = Quantity(.degreesPerSecond, perCount: 0.1)
    static let quaternion = Quantity(.one, perCount: 1e-4)
    static let magnitude = Quantity(.g, perCount: 0.01)
  }

  /// The name in JSON and CSV: the case's name in snake case, like `accel_x`.
  public var name: String { Self.names[self] ?? "" }

  private static let names: [SensorField: String] = [
    .accelRawX: "accel_raw_x", .accelRawY: "accel_raw_y", .accelRawZ: "accel_raw_z",
    .gyroRawX: "gyro_raw_x", .gyroRawY: "gyro_raw_y", .gyroRawZ: "gyro_raw_z",
    .emfRawRight: "emf_raw_right", .emfRawLeft: "emf_raw_left", .pwmLeft: "pwm_left", .pwmRight: "pwm_right",
    .pitch: "pitch", .roll: "roll", .yaw: "yaw", .accelX: "accel_x", .accelY: "accel_y", .accelZ: "accel_z",
    .gyroX: "gyro_x", .gyroY: "gyro_y", .gyroZ: "gyro_z", .emfRight: "emf_right", .emfLeft: "emf_left",
    .q0: "q0", .q1: "q1", .q2: "q2", .q3: "q3", .odometerX: "odometer_x", .odometerY: "odometer_y",
    .accelOne: "accel_one", .velocityX: "velocity_x", .velocityY: "velocity_y", .speed: "speed",
  ]

  /// The field's name as an option, like `accel-x`.
  public var optionName: String { String(name.map { $0 == "_" ? "-" : $0 }) }

  /// The field's bit in the concatenation of MASK and MASK2.
  public var bit: UInt64 { 1 << UInt64(rawValue) }

  /// The name in Swift, like `accelX`; ``name`` is the name in JSON and CSV.
  public var description: String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words.first ?? "")) { joined, word in
      joined + word.prefix(1).uppercased() + word.dropFirst()
    }
  }
}

/// A set of sensor fields: the concatenation of MASK and MASK2.
public struct SensorMask: OptionSet, Hashable, Sendable, CustomStringConvertible {
  /// MASK in the upper half, MASK2 in the lower.
  public var rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Creates a mask from the two words of Set Data Streaming.
  public init(mask: UInt32, mask2: UInt32) { rawValue = UInt64(mask) << 32 | UInt64(mask2) }
  /// Creates a mask of fields.
  public init(_ fields: SensorField...) { rawValue = fields.reduce(0) { $0 | $1.bit } }

  /// MASK: the first set of fields.
  public var mask: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
  /// MASK2: the second set of fields (firmware 1.15 and newer).
  public var mask2: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

  /// Filtered acceleration.
  public static let accel = SensorMask(.accelX, .accelY, .accelZ)
  /// The same fields as ``accel``, by the name of the sensor.
  public static let accelerometer = accel
  /// Filtered turning rate.
  public static let gyro = SensorMask(.gyroX, .gyroY, .gyroZ)
  /// The same fields as ``gyro``, by the name of the sensor.
  public static let gyroscope = gyro
  /// Pitch, roll and yaw.
  public static let imu = SensorMask(.pitch, .roll, .yaw)
  /// The orientation quaternion (firmware 1.20 and newer; zeros before).
  public static let quat = SensorMask(.q0, .q1, .q2, .q3)
  /// The same fields as ``quat``, in full.
  public static let quaternion = quat
  /// Filtered back EMF of both motors.
  public static let emf = SensorMask(.emfRight, .emfLeft)
  /// Duty cycle of both motors.
  public static let pwm = SensorMask(.pwmLeft, .pwmRight)
  /// Unfiltered acceleration.
  public static let accelRaw = SensorMask(.accelRawX, .accelRawY, .accelRawZ)
  /// Unfiltered turning rate.
  public static let gyroRaw = SensorMask(.gyroRawX, .gyroRawY, .gyroRawZ)
  /// Unfiltered back EMF of both motors.
  public static let emfRaw = SensorMask(.emfRawRight, .emfRawLeft)
  /// Position on the floor (firmware 1.17 and newer).
  public static let odometer = SensorMask(.odometerX, .odometerY)
  /// Velocity over the floor (firmware 1.17 and newer).
  public static let velocity = SensorMask(.velocityX, .velocityY)
  /// Position and velocity on the floor.
  public static let locator: SensorMask = [.odometer, .velocity]
  /// Magnitude of the acceleration.
  public static let accelOne = SensorMask(.accelOne)
  /// Every field of API 1.50, which lacks ``SensorField/speed``.
  public static let all = SensorMask(mask: 0xFC7F_FC60, mask2: 0xFF80_0000)

  /// The groups of fields by name, in the order of the help page.
  public static let groups: KeyValuePairs<String, SensorMask> = [
    "accel": .accel, "gyro": .gyro, "imu": .imu, "quat": .quat, "emf": .emf, "pwm": .pwm,
    "accel-raw": .accelRaw, "gyro-raw": .gyroRaw, "emf-raw": .emfRaw, "odometer": .odometer,
    "velocity": .velocity, "locator": .locator, "accel-one": .accelOne, "all": .all,
  ]

  /// Parses names of groups and fields, and hexadecimal masks `0xMASK[:MASK2]`, separated by commas, like
  /// `accel,q0,0x00070000`.
  ///
  /// Case and spaces around commas are ignored, and `_` is accepted for `-`.
  /// Only with `allowsReservedBits` may a mask have reserved bits, like that of a recording.
  ///
  /// - Throws: ``MaskError`` with the unknown word, or with reserved bits that are not allowed.
  public init(parsing text: some StringProtocol, allowsReservedBits: Bool = false) throws(MaskError) {
    self.init()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: " ")
      guard parts.count == 1 else { throw .unknownName(String(word)) }
      let name = String(parts[0].lowercased().map { $0 == "_" ? "-" : $0 })
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
    guard isDocumented || allowsReservedBits else { throw .reservedBits(reservedBits) }
  }

  private static func hexadecimal(_ name: String, of word: String) throws(MaskError) -> SensorMask {
    let halves = name.split(separator: ":", omittingEmptySubsequences: false).map { half -> UInt32? in
      Hexadecimal.number(half.hasPrefix("0x") ? half.dropFirst(2) : half)
    }
    guard (1...2).contains(halves.count), let mask = halves[0], let mask2 = halves.count == 2 ? halves[1] : 0
    else { throw .unknownName(word) }
    return SensorMask(mask: mask, mask2: mask2)
  }

  private static let known = SensorField.allCases.reduce(0 as UInt64) { $0 | $1.bit }

  /// Whether each bit is that of a ``SensorField``; reserved bits, whose effect depends on the firmware, are never sent.
  public var isDocumented: Bool { reservedBits == 0 }

  /// The reserved bits, MASK in the upper half.
  package var reservedBits: UInt64 { rawValue & ~Self.known }

  /// The known fields, in wire order.
  public var fields: [SensorField] { SensorField.allCases.filter { rawValue & $0.bit != 0 } }

  /// The number of words in a frame: one for each bit of MASK and of the ten upper bits of MASK2, reserved ones included.
  ///
  /// A Sphero with all bits set sends 32 + 10 words; other firmware omits some reserved ones.
  public var wordCount: Int { (rawValue & 0xFFFF_FFFF_FFC0_0000).nonzeroBitCount }

  /// The index of a field's word in a frame, or nil if the mask does not contain the field.
  public func index(of field: SensorField) -> Int? {
    guard rawValue & field.bit != 0 else { return nil }
    return (rawValue & ~(field.bit | (field.bit - 1))).nonzeroBitCount
  }

  /// The names of groups and fields, like `accel,gyro,q0`, and reserved bits in hexadecimal, in the form that
  /// ``init(parsing:allowsReservedBits:)`` reads back; an empty mask is `none`, which is not read back.
  public var description: String {
    var rest = self
    var names: Set<String> = []
    let largestFirst = Self.groups.sorted {
      $0.value.rawValue.nonzeroBitCount > $1.value.rawValue.nonzeroBitCount
    }
    for (name, group) in largestFirst where rest.isSuperset(of: group) {
      names.insert(name)
      rest.subtract(group)
    }
    var words = Self.groups.map { $0.key }.filter { names.contains($0) } + rest.fields.map { $0.optionName }
    let reserved = SensorMask(rawValue: reservedBits)
    if !reserved.isEmpty {
      words.append("0x\(Hexadecimal.text(reserved.mask)):0x\(Hexadecimal.text(reserved.mask2))")
    }
    return words.isEmpty ? "none" : words.joined(separator: ",")
  }
}

/// An error in the text of a ``SensorMask``.
@nonexhaustive public enum MaskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The word is neither a group nor a field.
  case unknownName(String)
  /// These bits are reserved, MASK in the upper half: their effect depends on the firmware.
  case reservedBits(UInt64)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .unknownName(let word): "'\(word)' names no sensor field"
    case .reservedBits(let bits): "the bits \(SensorMask(rawValue: bits)) of the masks are reserved"
    }
  }

  public var advice: String {
    switch self {
    case .unknownName:
      "Write a group (\(SensorMask.groups.map { $0.key }.joined(separator: ", "))), a field like accel-x, "
        + "or masks like 0x00070000:0xF0000000."
    case .reservedBits: "Leave them out."
    }
  }
}
