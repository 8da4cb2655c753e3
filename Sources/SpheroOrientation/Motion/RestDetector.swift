// Tells whether a body is at rest, from its gyroscope and accelerometer.

/// Tells rest from motion: at rest both sensors stay near their own recent mean for a while.
///
/// The mean is a second-order low pass.
/// The defaults are those of VQF (Laidig and Seel, Information Fusion 91, 2023), with the acceleration in g.
public struct RestDetector: StreamProcessor {
  /// What counts as rest.
  public struct Limits: Hashable, Sendable {
    /// The largest deviation of the rotation rate from its mean, in rad/s.
    public var rotationRate = 2 * Double.pi / 180
    /// The largest deviation of the acceleration from its mean, in g.
    public var acceleration = 0.5 / 9.81
    /// The largest component of the mean rotation rate, in rad/s: no bias is larger.
    public var bias = 2 * Double.pi / 180
    /// How long all this must hold, in seconds.
    public var duration = 1.5

    /// Makes the usual limits: 2 deg/s, 0.05 g, 2 deg/s, 1.5 s.
    public init() {}
  }

  /// What counts as rest.
  public var limits: Limits
  /// For how many seconds the readings have been calm.
  public private(set) var calmTime = 0.0
  private var meanRate = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  private var meanAcceleration = TimedButterworthFilter<Vector3>(timeConstant: TimeConstant(known: 0.5))
  private var lastTimestamp: Double?

  /// Makes a detector that has seen nothing and reports motion.
  public init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether the body is at rest.
  public var isAtRest: Bool { calmTime > 0 && calmTime >= limits.duration }

  /// Takes a reading and returns whether the body is at rest.
  ///
  /// A reading that is not plausible, or that is stale by up to a second, is ignored.
  /// After a gap of more than a second, and after a jump back of the clock, the count starts anew.
  public mutating func callAsFunction(_ sample: InertialSample) -> Bool {
    guard sample.isPlausible else { return isAtRest }
    var step = 0.0
    switch sample.succession(after: lastTimestamp) {
    case .stale: return isAtRest
    case .start: forgetReadings()
    case .step(let interval): step = interval
    }
    lastTimestamp = sample.timestamp
    return update(sample.rotationRate, sample.acceleration, after: step)
  }

  /// Takes a plausible reading `interval` seconds after the one before.
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

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    forgetReadings()
    lastTimestamp = nil
  }

  private mutating func forgetReadings() {
    calmTime = 0
    meanRate.reset()
    meanAcceleration.reset()
  }
}
