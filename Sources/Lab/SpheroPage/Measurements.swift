// What the page computes from the samples beside their fields: filters, offsets at rest, device motion.

import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// The filter of the sensor lanes.
enum LaneFilter: Hashable, Sendable {
  enum Pass: String, Sendable {
    case low, high
  }

  /// The weight of the newest sample, whatever the rate of the stream.
  case factor(Pass, SmoothingFactor)
  /// The time constant of a cut-off.
  case cutoff(Pass, TimeConstant)
}

/// The filter of one value, with its state.
struct LaneFilterState: Sendable {
  private enum State: Sendable {
    case lowFactor(LowPassFilter<Double>)
    case highFactor(HighPassFilter<Double>)
    case lowCutoff(TimedLowPassFilter<Double>)
    case highCutoff(TimedHighPassFilter<Double>)
  }

  private var state: State

  init(_ filter: LaneFilter) {
    switch filter {
    case .factor(.low, let factor): state = .lowFactor(LowPassFilter(factor: factor))
    case .factor(.high, let factor): state = .highFactor(HighPassFilter(factor: factor))
    case .cutoff(.low, let time): state = .lowCutoff(TimedFilter(timeConstant: time))
    case .cutoff(.high, let time): state = .highCutoff(TimedFilter(timeConstant: time))
    }
  }

  /// Filters a value measured `interval` seconds after the previous one.
  mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
    switch state {
    case .lowFactor(var filter):
      defer { state = .lowFactor(filter) }
      return filter(value)
    case .highFactor(var filter):
      defer { state = .highFactor(filter) }
      return filter(value)
    case .lowCutoff(var filter):
      defer { state = .lowCutoff(filter) }
      return filter(value, after: interval)
    case .highCutoff(var filter):
      defer { state = .highCutoff(filter) }
      return filter(value, after: interval)
    }
  }
}

/// The measurement of the offsets of a ball at rest.
struct RestMeasurement: Sendable {
  /// The period of rest that is averaged, beyond that which the detection of rest takes, in seconds.
  static let averagedTime = 2.0
  /// How long the measurement may take.
  static let timeout = Duration.seconds(15)

  var calibrator: RestCalibrator
  let start: Duration

  init(rate: Double, at now: Duration) {
    calibrator = RestCalibrator(sampleCount: Int(min(max(rate * Self.averagedTime, 10), 800)))
    start = now
  }
}

/// The readings of the motion screen.
struct MotionScreen: Sendable {
  /// The unit of angles.
  enum Unit: String, Sendable {
    case degrees, radians
  }

  var unit: Unit
  private var estimator = MotionEstimator()
  private var bias = RateBiasEstimator()
  /// The raw words of the sensors on their own axes, in g and rad/s; nil where they are not streamed.
  private(set) var accelerometer: Vector3?
  private(set) var gyroscope: Vector3?
  private(set) var motion: DeviceMotion?

  /// The fields that the screen needs.
  static let mask = SensorMask.motion.union([.accelRaw, .gyroRaw])

  init(unit: Unit) { self.unit = unit }

  /// Handles the readings of a sample, from which the offsets at rest are subtracted.
  mutating func append(_ sample: Sample, _ reading: InertialSample?, attitude: Rotation?) {
    (accelerometer, gyroscope) = (sample.unfilteredAccelerometer, sample.unfilteredGyroscope)
    guard let reading else { return }
    // The robot's own attitude, or that of the estimator for firmware without a quaternion.
    guard let attitude else {
      motion = estimator(reading)
      return
    }
    bias.update(reading, attitude: attitude)
    motion = DeviceMotion(
      attitude: attitude, sample: reading, rotationRateBias: bias.bias, rotationRateBiasError: bias.error)
  }

  /// Discards the state, since other readings follow, and keeps the unit.
  mutating func restart() { self = MotionScreen(unit: unit) }

  /// The groups of bars: name, unit, the limit of a bar, the names and the values.
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
        Field("names", .list(names.map { .text($0) })), Field("values", .list(values)),
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
