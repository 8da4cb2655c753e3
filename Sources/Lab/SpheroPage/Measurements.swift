// The values that the page computes from samples: offsets at rest and device motion.

import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// The measurement of the offsets of a ball at rest.
struct RestMeasurement: Sendable {
  /// The time of rest whose readings are averaged, in seconds; it begins when rest is detected.
  static let averagedTime = 2.0
  /// The maximum duration of the measurement.
  static let timeout = Duration.seconds(15)

  var calibrator: RestCalibrator
  /// When the measurement ends without a result.
  let deadline: Duration

  /// Starts a measurement of a stream of `rate` samples per second.
  init(rate: Double, at now: Duration) {
    // At least 10 readings at a low rate, at most those of two seconds at 400 Hz.
    calibrator = RestCalibrator(
      sampleCount: Int(min(max(rate * Self.averagedTime, 10), 800)), limits: .offsetMeasurement)
    deadline = now + Self.timeout
  }
}

/// The readings of the motion screen.
struct MotionScreen: Sendable {
  /// The unit of angles.
  enum Unit: String, Sendable {
    case degrees, radians
  }

  var unit: Unit
  private var tracker: MotionTracker
  /// The unfiltered readings on the axes of the sensors, in g and rad/s; nil if they are not streamed.
  private(set) var accelerometer: Vector3?
  private(set) var gyroscope: Vector3?
  private(set) var motion: DeviceMotion?

  /// The fields that the screen needs.
  static let mask = SensorMask.motion.union([.accelRaw, .gyroRaw])

  /// Creates a screen; the offsets of `calibration` are subtracted from the readings of the motion, nil for none.
  init(unit: Unit, calibration: RestCalibration?) {
    (self.unit, tracker) = (unit, MotionTracker(calibration: calibration))
  }

  mutating func append(_ sample: TimedSample) {
    (accelerometer, gyroscope) = (sample.sample.unfilteredAccelerometer, sample.sample.unfilteredGyroscope)
    motion = tracker(sample) ?? motion
  }

  /// Discards the readings and sets another calibration; keeps the unit.
  mutating func restart(calibration: RestCalibration?) {
    self = MotionScreen(unit: unit, calibration: calibration)
  }

  /// The groups of bars, each with its name, unit, limit of a bar, decimals, and the names and values of the bars.
  var view: FieldValue {
    let isDegrees = unit == .degrees
    let turn = isDegrees ? 180 / Double.pi : 1
    func group(
      _ name: String, _ unit: String, limit: Double, _ value: Vector3?, digits: Int,
      names: [String] = ["x", "y", "z"]
    ) -> FieldValue {
      let values: [FieldValue] = Axis.allCases.map { .decimal(value?[$0], digits: digits) }
      return .record([
        Field("name", .text(name)), Field("unit", .text(unit)), Field("limit", .decimal(limit, digits: 4)),
        Field("digits", .count(digits)), Field("names", .list(names.map { .text($0) })),
        Field("values", .list(values)),
      ])
    }
    let angles = motion.map { Convention.sphero.pitchRollYaw(of: $0.attitude) }
    let attitude = angles.map { Vector3($0.pitch.radians, $0.roll.radians, $0.yaw.radians) * turn }
    let digits = isDegrees ? 1 : 3
    let rateUnit = isDegrees ? "°/s" : "rad/s"
    // Half a turn per second.
    let rateLimit = Double.pi * turn
    return .list([
      group("Raw accelerometer", "g", limit: 2, accelerometer, digits: 3),
      group("Raw gyroscope", rateUnit, limit: rateLimit, gyroscope.map { $0 * turn }, digits: digits),
      group(
        "Attitude", isDegrees ? "°" : "rad", limit: Double.pi * turn, attitude, digits: digits,
        names: ["pitch", "roll", "yaw"]),
      group("Gravity", "g", limit: 1, motion?.gravity, digits: 3),
      group("User acceleration", "g", limit: 2, motion?.userAcceleration, digits: 3),
      group(
        "Rotation rate", rateUnit, limit: rateLimit, motion.map { $0.rotationRate * turn }, digits: digits),
    ])
  }
}
