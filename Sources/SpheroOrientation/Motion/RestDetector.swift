// Detection of rest, and the offsets of gyroscope and accelerometer measured at rest.

/// Detects rest: both sensors stay close to their own recent mean for a while.
///
/// The mean is a second-order low pass.
/// The defaults are those of VQF (Laidig and Seel, Information Fusion 91, 2023), with the acceleration in g.
public struct RestDetector: StreamProcessor {
  /// The criteria of rest.
  public struct Limits: Hashable, Sendable {
    /// The largest deviation of the rotation rate from its mean, in rad/s: 2 deg/s.
    public var rotationRate = 2 * Double.pi / 180
    /// The largest deviation of the acceleration from its mean, in g: 0.5 m/s².
    public var acceleration = 0.5 / 9.81
    /// The largest component of the mean rotation rate, and thus of the gyroscope's bias, in rad/s: 2 deg/s.
    public var bias = 2 * Double.pi / 180
    /// The time for which all these must hold, in seconds.
    public var duration = 1.5

    public init() {}

    /// The limits for the measurement of a robot's offsets: a bias of up to 10 deg/s, or an even turn, is rest.
    package static var offsetMeasurement: Limits {
      var limits = Limits()
      limits.bias = 10 * Double.pi / 180
      return limits
    }
  }

  /// The criteria of rest.
  public var limits: Limits
  /// The time for which the readings have been within the limits, in seconds.
  public private(set) var calmTime = 0.0
  /// The time in seconds for which both sensors have stayed close to their mean, with any mean rate.
  private var steadyTime = 0.0
  private var meanRate = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  private var meanAcceleration = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  fileprivate private(set) var lastTimestamp: Double?

  /// Creates a detector whose body is initially in motion.
  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the readings have been within the limits for the required time.
  public var isAtRest: Bool { calmTime > 0 && calmTime >= limits.duration }
  /// Whether the body is at rest or turns steadily: the gyroscope's bias and a turn give the same readings.
  var isSteady: Bool { steadyTime > 0 && steadyTime >= limits.duration }

  /// Processes a reading and returns whether the body is at rest.
  ///
  /// Ignores a reading that is not plausible or is older than the last by up to a second.
  /// Restarts after a gap of more than a second and after a backward jump of the clock.
  public mutating func callAsFunction(_ sample: InertialSample) -> Bool {
    var interval = 0.0
    switch sample.succession(after: lastTimestamp) {
    case .stale: return isAtRest
    case .start: reset()
    case .step(let step): interval = step
    }
    lastTimestamp = sample.timestamp
    return update(sample.rotationRate, sample.acceleration, after: interval)
  }

  /// Processes a plausible reading `interval` seconds after the previous one.
  mutating func update(_ rate: Vector3, _ acceleration: Vector3, after interval: Double) -> Bool {
    let centerRate = meanRate(rate, after: interval)
    let centerAcceleration = meanAcceleration(acceleration, after: interval)
    let isSteady =
      (rate - centerRate).length < limits.rotationRate
      && (acceleration - centerAcceleration).length < limits.acceleration
    let isCalm = isSteady && max(abs(centerRate.x), abs(centerRate.y), abs(centerRate.z)) < limits.bias
    steadyTime = isSteady ? steadyTime + interval : 0
    calmTime = isCalm ? calmTime + interval : 0
    return isAtRest
  }

  public mutating func reset() { self = RestDetector(limits: limits) }
}

/// The offsets of a body's sensors, measured at rest.
public struct RestCalibration: Hashable, Sendable, CustomStringConvertible {
  /// The reading of the gyroscope at rest, in rad/s.
  public var rotationRateOffset: Vector3
  /// The excess of the accelerometer's reading over 1 g, in g, parallel to the reading: a single position at rest
  /// shows the length of gravity but not its direction.
  public var accelerationOffset: Vector3
  /// The number of averaged readings.
  public var sampleCount: Int

  /// Creates a calibration from the mean readings at rest; nil if they are not finite or lack gravity.
  ///
  /// The gyroscope's offset is the mean rate, the accelerometer's is mean - mean / |mean|.
  public init?(meanRotationRate: Vector3, meanAcceleration: Vector3, sampleCount: Int) {
    guard meanRotationRate.isFinite, meanAcceleration.isFinite else { return nil }
    guard let up = meanAcceleration.normalized, meanAcceleration.length > InertialSample.minimumGravity
    else { return nil }
    rotationRateOffset = meanRotationRate
    accelerationOffset = meanAcceleration - up
    self.sampleCount = sampleCount
  }

  /// Creates a calibration from known offsets in rad/s and g, such as stored ones, and the number of readings.
  public init(rotationRateOffset: Vector3, accelerationOffset: Vector3, sampleCount: Int) {
    (self.rotationRateOffset, self.accelerationOffset) = (rotationRateOffset, accelerationOffset)
    self.sampleCount = sampleCount
  }

  /// Returns the reading without both offsets.
  public func callAsFunction(_ sample: InertialSample) -> InertialSample {
    InertialSample(
      timestamp: sample.timestamp,
      rotationRate: sample.rotationRate - rotationRateOffset,
      acceleration: sample.acceleration - accelerationOffset, magneticField: sample.magneticField)
  }

  public var description: String {
    "\(rotationRateOffset) rad/s and \(accelerationOffset) g of \(sampleCount) readings"
  }
}

/// Measures a ``RestCalibration`` while the body is at rest, and restarts when it moves.
///
/// The error of each offset decreases with the square root of the number of readings.
public struct RestCalibrator: StreamProcessor {
  /// The number of readings at rest that a calibration requires.
  public let sampleCount: Int
  /// The detector of rest, which decides which readings count.
  public private(set) var detector: RestDetector
  private var rateSum = Vector3.zero
  private var accelerationSum = Vector3.zero
  private var count = 0

  /// Creates a calibrator for a number of readings at rest, at least one.
  public init(sampleCount: Int, limits: RestDetector.Limits = RestDetector.Limits()) {
    self.sampleCount = max(sampleCount, 1)
    detector = RestDetector(limits: limits)
  }

  /// The progress of the measurement, 0...1.
  public var progress: Double { min(Double(count) / Double(sampleCount), 1) }

  /// Processes a reading; returns the calibration once there are enough; restarts with the ``RestDetector``.
  public mutating func callAsFunction(_ sample: InertialSample) -> RestCalibration? {
    if case .stale = sample.succession(after: detector.lastTimestamp) { return calibration }
    guard detector(sample) else {
      (rateSum, accelerationSum, count) = (.zero, .zero, 0)
      return nil
    }
    rateSum = rateSum + sample.rotationRate
    accelerationSum = accelerationSum + sample.acceleration
    count += 1
    return calibration
  }

  /// The calibration, once there are enough readings of uninterrupted rest.
  public var calibration: RestCalibration? {
    guard count >= sampleCount else { return nil }
    let share = 1 / Double(count)
    return RestCalibration(
      meanRotationRate: rateSum * share, meanAcceleration: accelerationSum * share, sampleCount: count)
  }

  public mutating func reset() {
    self = RestCalibrator(sampleCount: sampleCount, limits: detector.limits)
  }
}

#if !hasFeature(Embedded)
  extension RestCalibration: Codable {
    /// - Throws: `DecodingError` for offsets that are not finite and counts below 1.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      rotationRateOffset = try values.decode(Vector3.self, forKey: .rotationRateOffset)
      accelerationOffset = try values.decode(Vector3.self, forKey: .accelerationOffset)
      sampleCount = try values.decode(Int.self, forKey: .sampleCount)
      guard rotationRateOffset.isFinite, accelerationOffset.isFinite else {
        throw decoder.refusal(
          "the offsets of a calibration are finite, not \(rotationRateOffset) and \(accelerationOffset)")
      }
      guard sampleCount >= 1 else {
        throw decoder.refusal("a calibration has at least one reading, not \(sampleCount)")
      }
    }
  }
#endif
