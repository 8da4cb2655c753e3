// The values a robot can stream: one case each, its bit in the masks as raw value.

/// A value that the robot can stream.
///
/// The raw value is the field's bit in MASK and MASK2 laid end to end: bit 63 is bit 31 of MASK, bit 31 is bit 31 of MASK2.
/// A frame holds the fields from the highest bit to the lowest, each as a signed 16-bit integer.
/// Angles: pitch is about the axis to the right, roll about the one ahead, yaw about the one that points up
/// (Sphero API 1.50, "Set Data Streaming"; orbBasic 1.07).
/// The sensors' own Z points up; their X and Y point to the left and back by the likely reading of the recordings,
/// to the right and ahead by another one: `Docs/Orientation.md` weighs them, and a `Convention` turns them.
public enum SensorField: UInt8, CaseIterable, Sendable {
  /// Acceleration along the sensor's X as sensed, not filtered.
  case accelRawX = 63
  /// Acceleration along the sensor's Y as sensed, not filtered.
  case accelRawY = 62
  /// Acceleration upward as sensed, not filtered; about 1 g at rest.
  case accelRawZ = 61
  /// Turning rate about the sensor's X as sensed, not filtered.
  case gyroRawX = 60
  /// Turning rate about the sensor's Y as sensed, not filtered.
  case gyroRawY = 59
  /// Turning rate about Z as sensed, not filtered.
  case gyroRawZ = 58
  /// Back EMF of the right motor, not filtered; the document's unit "22.5 cm" is unproven, so counts are given.
  case emfRawRight = 54
  /// Back EMF of the left motor, not filtered, in counts.
  case emfRawLeft = 53
  /// Duty of the left motor in counts, -2048...2047; 2048 would be full power.
  case pwmLeft = 52
  /// Duty of the right motor in counts, -2048...2047; 2048 would be full power.
  case pwmRight = 51
  /// Pitch of the IMU: turn about the axis to the right, nose up positive.
  case pitch = 50
  /// Roll of the IMU: turn about the axis ahead, right side down positive.
  case roll = 49
  /// Yaw of the IMU: turn about the axis that points up, counter-clockwise positive, the opposite of headings.
  case yaw = 48
  /// Acceleration along the sensor's X, filtered.
  case accelX = 47
  /// Acceleration along the sensor's Y, filtered.
  case accelY = 46
  /// Acceleration upward, filtered; about 1 g at rest.
  case accelZ = 45
  /// Turning rate about the sensor's X, filtered.
  case gyroX = 44
  /// Turning rate about the sensor's Y, filtered.
  case gyroY = 43
  /// Turning rate about Z, filtered.
  case gyroZ = 42
  /// Back EMF of the right motor, filtered, in counts.
  case emfRight = 38
  /// Back EMF of the left motor, filtered, in counts.
  case emfLeft = 37
  /// First component of the orientation quaternion: the scalar, as a recorded frame shows.
  case q0 = 31
  /// Second component of the orientation quaternion.
  case q1 = 30
  /// Third component of the orientation quaternion.
  case q2 = 29
  /// Fourth component of the orientation quaternion.
  case q3 = 28
  /// Way to the right of the locator's origin.
  case odometerX = 27
  /// Way ahead of the locator's origin.
  case odometerY = 26
  /// Magnitude of the acceleration; 100 counts at rest are 1 g.
  case accelOne = 25
  /// Velocity to the right.
  case velocityX = 24
  /// Velocity ahead.
  case velocityY = 23
  /// Speed over ground (not in API 1.50; seen as the last value of a frame with all bits set).
  case speed = 22

  /// The unit and how much of it one count on the wire is: the one place where a field gets its scale.
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

  /// How much of the unit one count is, from a table: a stream asks for it in each sample.
  var perCount: Double { Self.perCounts[Int(rawValue)] }

  private static let perCounts = (0..<64 as Range<UInt8>).map { Self(rawValue: $0)?.scale.perCount ?? 1 }

  /// The scales that no other message has, made once.
  private enum Scale {
    static let accelerationRaw = Quantity(.g, perCount: 0.004)
    static let turningRateRaw = Quantity(.degreesPerSecond, perCount: 0.068)
    static let acceleration = Quantity(.g, perCount: 1.0 / 4096)
    static let turningRate = Quantity(.degreesPerSecond, perCount: 0.1)
    static let quaternion = Quantity(.one, perCount: 1e-4)
    static let magnitude = Quantity(.g, perCount: 0.01)
  }

  /// Decimals that show every count of the field.
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

  /// The field's bit in the two masks laid end to end.
  public var bit: UInt64 { 1 << UInt64(rawValue) }
}
