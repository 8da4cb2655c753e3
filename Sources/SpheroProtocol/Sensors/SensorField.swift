// The sensor fields that a robot can stream.

/// A sensor field that the robot can stream.
///
/// The raw value is the field's bit in the concatenation of MASK and MASK2:
/// bit 63 is bit 31 of MASK, bit 31 is bit 31 of MASK2.
/// A frame contains the fields from the highest bit to the lowest, each as a signed 16-bit integer.
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
  /// Magnitude of the acceleration; 100 counts at rest are 1 g.
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

  /// The number of decimals that distinguish all counts of the field.
  public var decimals: Int { scale.digits }

  /// The field's name in JSON and CSV: the case's name in snake case, like `accel_x`.
  public var name: String {
    switch self {
    case .accelRawX: "accel_raw_x"
    case .accelRawY: "accel_raw_y"
    case .accelRawZ: "accel_raw_z"
    case .gyroRawX: "gyro_raw_x"
    case .gyroRawY: "gyro_raw_y"
    case .gyroRawZ: "gyro_raw_z"
    case .emfRawRight: "emf_raw_right"
    case .emfRawLeft: "emf_raw_left"
    case .pwmLeft: "pwm_left"
    case .pwmRight: "pwm_right"
    case .pitch: "pitch"
    case .roll: "roll"
    case .yaw: "yaw"
    case .accelX: "accel_x"
    case .accelY: "accel_y"
    case .accelZ: "accel_z"
    case .gyroX: "gyro_x"
    case .gyroY: "gyro_y"
    case .gyroZ: "gyro_z"
    case .emfRight: "emf_right"
    case .emfLeft: "emf_left"
    case .q0: "q0"
    case .q1: "q1"
    case .q2: "q2"
    case .q3: "q3"
    case .odometerX: "odometer_x"
    case .odometerY: "odometer_y"
    case .accelOne: "accel_one"
    case .velocityX: "velocity_x"
    case .velocityY: "velocity_y"
    case .speed: "speed"
    }
  }

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
