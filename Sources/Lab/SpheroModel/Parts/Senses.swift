// What the sensors make of the robot's motion: axes, noise, ranges and counts.

import SpheroOrientation
import SpheroProtocol

/// How a robot's quaternion and accelerometer are to be read; sources disagree, see `Docs/Orientation.md`.
///
/// The attitude is that of a body with x right, y ahead and z up, in a room with the same axes.
/// The arithmetic stands here a second time, without `Convention`, so that simulator and library prove each other.
public enum SensorReading: String, Hashable, Sendable, CaseIterable {
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

  /// The quaternion words, scalar first.
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

  /// What the accelerometer reads under a specific force.
  func accelerometer(of force: Vector3) -> Vector3 { axes(of: force) }

  /// What the gyroscope reads under a turning rate: its axes are those of the accelerometer.
  func gyroscope(of rate: Vector3) -> Vector3 { axes(of: rate) }

  private func axes(of v: Vector3) -> Vector3 {
    switch self {
    case .a, .d2: v
    case .b, .c, .d1: Vector3(-v.x, -v.y, v.z)
    }
  }
}

/// How good the sensors are; zeros make them ideal but for their counts.
public struct SensorErrors: Hashable, Sendable {
  /// The largest noise of the accelerometer, in g.
  public var accelerationNoise = 0.003
  /// The largest noise of the gyroscope, in degrees a second.
  public var rateNoise = 0.2
  /// The largest constant error of each axis of the accelerometer, in g; the seed decides how much of it there is.
  public var accelerationBias = 0.0
  /// The largest constant error of each axis of the gyroscope, in degrees a second.
  public var rateBias = 0.0
  /// Good sensors with a little noise.
  public init() {}
}

/// The true motion of a robot at one moment, on the axes that its client chose.
struct MotionState {
  /// Body to room; yaw counts from the aim.
  var attitude: Rotation
  /// In g, body axes.
  var specificForce: Vector3
  /// In degrees a second, body axes.
  var rate: Vector3
  /// In m/s.
  var wheels: Body.Wheels
  /// -1...1.
  var duties: Body.Wheels
  /// In metres.
  var place: Planar
  /// In m/s.
  var velocity: Planar
}

/// Makes words of the wire from the motion of the robot.
struct Senses: Hashable, Sendable {
  /// Full scale of the gyroscope in degrees a second (Sphero API 1.50, "Set Data Streaming").
  private static let rateRange = 2_000.0
  private var noise: SplitMix64
  private let errors: SensorErrors
  private let reading: SensorReading
  private let hasQuaternion: Bool
  private let accelerationBias: Vector3
  private let rateBias: Vector3
  /// Full scale of the accelerometer in g.
  var accelerometerRange = 8.0

  init(seed: UInt64, errors: SensorErrors, reading: SensorReading, hasQuaternion: Bool) {
    noise = SplitMix64(seed: seed)
    (self.errors, self.reading, self.hasQuaternion) = (errors, reading, hasQuaternion)
    var draw = SplitMix64(seed: ~seed)
    func vector(_ amplitude: Double) -> Vector3 {
      Vector3(draw.next(within: amplitude), draw.next(within: amplitude), draw.next(within: amplitude))
    }
    accelerationBias = vector(errors.accelerationBias)
    rateBias = vector(errors.rateBias)
  }

  /// What the sensors read, without noise: g, degrees a second and the quaternion, on the axes of the robot.
  func axes(of state: MotionState) -> (force: Vector3, rate: Vector3, words: QuaternionWords) {
    (
      reading.accelerometer(of: state.specificForce + accelerationBias),
      reading.gyroscope(of: state.rate + rateBias),
      hasQuaternion ? reading.words(of: state.attitude) : QuaternionWords(0, 0, 0, 0)
    )
  }

  /// One moment of the selected sensors; reserved bits are zero words.
  mutating func sample(_ mask: SensorMask, of state: MotionState) -> Sample {
    let (force, rate, words) = axes(of: state)
    let angles = Convention.sphero.pitchRollYaw(of: state.attitude)

    func count(_ value: Double, _ perCount: Double, limit: Double = 32_767) -> Int16 {
      Int16(min(max((value / perCount).rounded(), -limit - 1), limit))
    }
    func acceleration(_ value: Double, isRaw: Bool) -> Int16 {
      let value = value + noise.next(within: errors.accelerationNoise)
      let clipped = min(max(value, -accelerometerRange), accelerometerRange)
      // The raw word has 12 bits, whatever the range.
      return isRaw
        ? count(clipped, 0.004 * accelerometerRange / 8, limit: 2_047) : count(clipped, 1.0 / 4096)
    }
    func turning(_ value: Double, isRaw: Bool) -> Int16 {
      let value = value + noise.next(within: errors.rateNoise)
      return count(min(max(value, -Self.rateRange), Self.rateRange), isRaw ? 0.068 : 0.1)
    }
    // Whole degrees, -179...180.
    func degrees(_ angle: Angle) -> Int16 {
      let degrees = count(angle.degrees, 1)
      return degrees == -180 ? 180 : degrees
    }
    func word(_ field: SensorField) -> Int16 {
      switch field {
      case .accelRawX: acceleration(force.x, isRaw: true)
      case .accelRawY: acceleration(force.y, isRaw: true)
      case .accelRawZ: acceleration(force.z, isRaw: true)
      case .accelX: acceleration(force.x, isRaw: false)
      case .accelY: acceleration(force.y, isRaw: false)
      case .accelZ: acceleration(force.z, isRaw: false)
      case .gyroRawX: turning(rate.x, isRaw: true)
      case .gyroRawY: turning(rate.y, isRaw: true)
      case .gyroRawZ: turning(rate.z, isRaw: true)
      case .gyroX: turning(rate.x, isRaw: false)
      case .gyroY: turning(rate.y, isRaw: false)
      case .gyroZ: turning(rate.z, isRaw: false)
      // "22.5 cm" is all that the document says of this unit.
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
      case .accelOne: count(force.length, 0.01)
      case .velocityX: count(state.velocity.x, 0.001)
      case .velocityY: count(state.velocity.y, 0.001)
      case .speed: count(state.velocity.length, 0.001)
      }
    }
    let bits = (UInt8(22)...63).reversed().filter { mask.rawValue >> UInt64($0) & 1 == 1 }
    return Sample(mask: mask, words: bits.map { SensorField(rawValue: $0).map(word) ?? 0 })
  }
}
