// Detection of rest.

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
  }

  public var limits: Limits
  /// The time for which the readings have been within the limits, in seconds.
  public private(set) var calmTime = 0.0
  private var meanRate = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  private var meanAcceleration = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  private var lastTimestamp: Double?

  /// Creates a detector whose body is initially in motion.
  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  public var isAtRest: Bool { calmTime > 0 && calmTime >= limits.duration }

  /// Processes a reading and returns whether the body is at rest.
  ///
  /// Ignores a reading that is not plausible or is older than the last by up to a second.
  /// Restarts after a gap of more than a second and after a backward jump of the clock.
  public mutating func callAsFunction(_ sample: InertialSample) -> Bool {
    guard sample.isPlausible else { return isAtRest }
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
    let isCalm =
      (rate - centerRate).length < limits.rotationRate
      && (acceleration - centerAcceleration).length < limits.acceleration
      && max(abs(centerRate.x), abs(centerRate.y), abs(centerRate.z)) < limits.bias
    calmTime = isCalm ? calmTime + interval : 0
    return isAtRest
  }

  public mutating func reset() { self = RestDetector(limits: limits) }
}
