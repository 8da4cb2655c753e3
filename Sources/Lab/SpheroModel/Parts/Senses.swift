// The sensors: the axes, noise, ranges and counts of the robot's motion.

public import SpheroOrientation
import SpheroProtocol

/// The axes of a robot's quaternion and accelerometer; sources disagree, see `Docs/Orientation.md`.
///
/// The attitude is that of a body with x right, y ahead and z up, in a room with the same axes. The code does not use
/// `Convention`, so that simulator and library verify each other.
public enum SensorAxes: String, Hashable, Sendable, CaseIterable {
  /// Room to body; sensors x right, y ahead, z up.
  case a
  /// Body to room; sensors x left, y back, z up.
  case b
  /// Room to body in a frame x left, y back, z up; sensors in the same frame. The likeliest.
  case c
  /// Body to room in a frame x right, y back, z down; sensors x left, y back, z up.
  case d1
  /// Body to room in a frame x left, y ahead, z down; sensors x right, y ahead, z up.
  case d2

  /// The quaternion of an attitude, in the order of the wire.
  func words(of attitude: Rotation) -> QuaternionWords {
    let q = attitude.quaternion
    switch self {
    case .a: return QuaternionWords(q.w, -q.x, -q.y, -q.z)
    case .b: return QuaternionWords(q.w, q.x, q.y, q.z)
    case .c: return QuaternionWords(q.w, q.x, q.y, -q.z)
    case .d1: return QuaternionWords(q.w, q.x, -q.y, -q.z)
    case .d2: return QuaternionWords(q.w, -q.x, q.y, -q.z)
    }
  }

  /// A vector in body coordinates, converted to the axes that accelerometer and gyroscope share.
  func components(of v: Vector3) -> Vector3 {
    switch self {
    case .a, .d2: v
    case .b, .c, .d1: Vector3(-v.x, -v.y, v.z)
    }
  }
}

/// The errors of the sensors, apart from quantization; clamped to ±1e6, and NaN counts as zero.
public struct SensorErrors: Hashable, Sendable {
  /// The amplitude of the accelerometer's noise, in g.
  public var accelerationNoise = 0.003
  /// The amplitude of the gyroscope's noise, in degrees per second.
  public var rateNoise = 0.2
  /// The maximum bias of each axis of the accelerometer, in g; the seed determines the value.
  public var accelerationBias = 0.0
  /// The maximum bias of each axis of the gyroscope, in degrees per second; the seed determines the value.
  public var rateBias = 0.0
  /// The errors of the gyroscope that do not depend on the seed.
  public var gyroscope = GyroscopeErrors()

  public init() {}

  fileprivate var bounded: SensorErrors {
    let range = -1e6...1e6
    var errors = SensorErrors()
    errors.accelerationNoise = accelerationNoise.bounded(by: range)
    errors.rateNoise = rateNoise.bounded(by: range)
    errors.accelerationBias = accelerationBias.bounded(by: range)
    errors.rateBias = rateBias.bounded(by: range)
    errors.gyroscope.bias = gyroscope.bias.bounded(by: range)
    errors.gyroscope.scale = gyroscope.scale.bounded(by: range)
    errors.gyroscope.misalignment = gyroscope.misalignment.bounded(by: range)
    errors.gyroscope.drift = gyroscope.drift.bounded(by: range)
    return errors
  }
}

/// The systematic errors of a gyroscope, on the axes of the stream.
///
/// A rate ω is measured as (1 + scale) · R ω + bias + drift · (T − 24.5 °C), where R turns a vector to the axes of the
/// misaligned gyroscope and T is the temperature of the robot. Clamped as ``SensorErrors``.
public struct GyroscopeErrors: Hashable, Sendable {
  /// The bias in degrees per second at 24.5 °C, the temperature at the start.
  public var bias = Vector3.zero
  /// The relative error of each axis: 0.01 measures 1 % too much.
  public var scale = Vector3.zero
  /// The rotation vector from the axes of the stream to those of the gyroscope, in degrees.
  public var misalignment = Vector3.zero
  /// The change of the bias in degrees per second for each degree Celsius.
  public var drift = Vector3.zero

  public init() {}

  /// The measured rate for a true rate, both in degrees per second.
  func measured(_ rate: Vector3, at temperature: Double) -> Vector3 {
    guard self != GyroscopeErrors() else { return rate }
    // The axes turn by the misalignment, so the components of a vector on them turn by its inverse.
    let turn = Rotation(by: misalignment * (.pi / 180))
    let turned = turn.inverse.act(on: rate)
    let offset = bias + drift * (temperature - Thermometer.air)
    return Vector3(
      turned.x * (1 + scale.x) + offset.x, turned.y * (1 + scale.y) + offset.y,
      turned.z * (1 + scale.z) + offset.z)
  }
}

/// The motion of a robot at one time without the errors of its sensors; heading 0 and the origin are those that its
/// client set. Units are metres, m/s, g, degrees per second and degrees Celsius.
struct MotionState {
  /// From body to room coordinates; yaw counts from the aim.
  var attitude: Rotation
  /// The force and the rate of rotation, on body axes.
  var specificForce: Vector3
  var rate: Vector3
  var wheels: Body.Wheels
  /// -1...1.
  var duties: Body.Wheels
  var place: Planar
  var velocity: Planar
  var temperature: Double
}

struct Senses: Hashable, Sendable {
  /// The range of the gyroscope in degrees per second (Sphero API 1.50, "Set Data Streaming").
  static let rateRange = -2_000.0...2_000.0
  private var noise: SplitMix64
  private let errors: SensorErrors
  private let sensorAxes: SensorAxes
  private let hasQuaternion: Bool
  private let accelerationBias: Vector3
  private let rateBias: Vector3
  var range = Sensing.SetAccelerometerRange.Range.g8
  /// Full scale of the accelerometer in g.
  var accelerometerScale: Int { 2 << range.rawValue }
  /// The range of the accelerometer in g.
  var accelerationRange: ClosedRange<Double> { -Double(accelerometerScale)...Double(accelerometerScale) }

  init(seed: UInt64, errors: SensorErrors, axes: SensorAxes, hasQuaternion: Bool) {
    noise = SplitMix64(seed: seed)
    let errors = errors.bounded
    (self.errors, self.sensorAxes, self.hasQuaternion) = (errors, axes, hasQuaternion)
    var draw = SplitMix64(seed: ~seed)
    func vector(_ amplitude: Double) -> Vector3 {
      Vector3(draw.next(within: amplitude), draw.next(within: amplitude), draw.next(within: amplitude))
    }
    accelerationBias = vector(errors.accelerationBias)
    rateBias = vector(errors.rateBias)
  }

  /// The readings of a program, within the ranges and without noise, on the axes of the stream: g, degrees per second and
  /// the quaternion.
  func readings(of state: MotionState) -> (force: Vector3, rate: Vector3, words: QuaternionWords) {
    let (force, rate, words) = unlimitedReadings(of: state)
    return (force.bounded(by: accelerationRange), rate.bounded(by: Self.rateRange), words)
  }

  /// The readings without noise and ranges, on the axes of the stream: g, degrees per second and the quaternion.
  private func unlimitedReadings(
    of state: MotionState
  ) -> (force: Vector3, rate: Vector3, words: QuaternionWords) {
    (
      sensorAxes.components(of: state.specificForce + accelerationBias),
      errors.gyroscope.measured(sensorAxes.components(of: state.rate + rateBias), at: state.temperature),
      hasQuaternion ? sensorAxes.words(of: state.attitude) : QuaternionWords(0, 0, 0, 0)
    )
  }

  /// Samples the selected sensors; reserved bits are zero words.
  mutating func sample(_ mask: SensorMask, of state: MotionState) -> Sample {
    let (force, rate, words) = unlimitedReadings(of: state)
    let angles = Convention.sphero.pitchRollYaw(of: state.attitude)

    func count(_ value: Double, _ perCount: Double, limit: Double = 32_767) -> Int16 {
      Int16(min(max((value / perCount).rounded(), -limit - 1), limit))
    }
    let accelerationRange = accelerationRange
    func acceleration(_ value: Double, isRaw: Bool) -> Int16 {
      let value = value + noise.next(within: errors.accelerationNoise)
      let clipped = value.bounded(by: accelerationRange)
      // The raw word has 12 bits in every range.
      return isRaw
        ? count(clipped, 0.004 * accelerationRange.upperBound / 8, limit: 2_047)
        : count(clipped, 1.0 / 4096)
    }
    func turning(_ value: Double, isRaw: Bool) -> Int16 {
      let value = value + noise.next(within: errors.rateNoise)
      return count(value.bounded(by: Self.rateRange), isRaw ? 0.068 : 0.1)
    }
    // Whole degrees, -179...180.
    func degrees(_ angle: Angle) -> Int16 {
      let degrees = count(angle.degrees, 1)
      return degrees == -180 ? 180 : degrees
    }
    func word(_ field: SensorField) -> Int16 {
      switch field {
      case .accelRawX, .accelX: acceleration(force.x, isRaw: field == .accelRawX)
      case .accelRawY, .accelY: acceleration(force.y, isRaw: field == .accelRawY)
      case .accelRawZ, .accelZ: acceleration(force.z, isRaw: field == .accelRawZ)
      case .gyroRawX, .gyroX: turning(rate.x, isRaw: field == .gyroRawX)
      case .gyroRawY, .gyroY: turning(rate.y, isRaw: field == .gyroRawY)
      case .gyroRawZ, .gyroZ: turning(rate.z, isRaw: field == .gyroRawZ)
      // Sphero API 1.50 gives "22.5 cm" as the unit of this speed; the model uses 22.5 cm/s.
      case .emfRawRight, .emfRight: count(state.wheels.right * 100, 22.5)
      case .emfRawLeft, .emfLeft: count(state.wheels.left * 100, 22.5)
      case .pwmLeft: count(state.duties.left * 2_048, 1, limit: 2_047)
      case .pwmRight: count(state.duties.right * 2_048, 1, limit: 2_047)
      case .pitch: degrees(angles.pitch)
      case .roll: degrees(angles.roll)
      case .yaw: degrees(angles.yaw)
      case .q0: count(words.q0, 1e-4)
      case .q1: count(words.q1, 1e-4)
      case .q2: count(words.q2, 1e-4)
      case .q3: count(words.q3, 1e-4)
      case .odometerX: count(state.place.x, 0.01)
      case .odometerY: count(state.place.y, 0.01)
      case .accelOne: count(force.bounded(by: accelerationRange).length, 0.01)
      case .velocityX: count(state.velocity.x, 0.001)
      case .velocityY: count(state.velocity.y, 0.001)
      case .speed: count(state.velocity.length, 0.001)
      }
    }
    let bits = (UInt8(22)...63).reversed().filter { mask.rawValue >> UInt64($0) & 1 == 1 }
    return Sample(mask: mask, words: bits.map { SensorField(rawValue: $0).map(word) ?? 0 })
  }
}
