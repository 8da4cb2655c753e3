// A Kalman filter for what the gyroscope reads at rest.

/// Tracks the bias of a gyroscope: a slow random walk, measured well at rest and a little in motion.
///
/// The state is the bias in rad/s with its covariance.
/// Each measurement is one number, the scalar product of a known direction with the bias;
/// taking the numbers one by one is the same as taking them at once, since their errors are independent.
/// Idea: VQF (Laidig and Seel, Information Fusion 91, 2023).
struct BiasEstimator: Sendable {
  /// The bias in rad/s.
  private(set) var bias = Vector3.zero
  /// The columns of the covariance in (rad/s)^2; it is symmetric.
  private var covariance: (x: Vector3, y: Vector3, z: Vector3)
  private let settings: MotionEstimator.Settings

  init(settings: MotionEstimator.Settings) {
    self.settings = settings
    let variance = settings.initialBiasError * settings.initialBiasError
    covariance = (Vector3(variance, 0, 0), Vector3(0, variance, 0), Vector3(0, 0, variance))
  }

  /// One measurement: `direction` . bias differs from what was assumed by `error`, known to `variance`.
  struct Measurement {
    var direction: Vector3
    var error: Double
    var variance: Double
  }

  /// Lets `seconds` go by: the bias may have wandered.
  ///
  /// Its variance grows by (0.1 deg/s)^2 in ``MotionEstimator/Settings/biasMemory``,
  /// but not above the initial one.
  mutating func advance(by seconds: Double) {
    let growth = wander * max(seconds, 0)
    let limit = settings.initialBiasError * settings.initialBiasError
    func grown(_ variance: Double) -> Double { max(variance, min(variance + growth, limit)) }
    covariance.x.x = grown(covariance.x.x)
    covariance.y.y = grown(covariance.y.y)
    covariance.z.z = grown(covariance.z.z)
  }

  /// The variance that makes a measurement every `seconds` settle at a standard deviation of `error`.
  ///
  /// Where p = error^2 is steady, each step adds v and the measurement takes it back: w = p^2 / v + p.
  func variance(settlingAt error: Double, every seconds: Double) -> Double {
    let steady = error * error
    return steady * steady / (wander * seconds) + steady
  }

  /// Takes measurements whose errors were all found with the bias as it is; larger ones are cut to `limit`.
  mutating func correct(_ measurements: [Measurement], limit: Double) {
    var change = Vector3.zero
    for measurement in measurements {
      let h = measurement.direction
      let spread = covariance.x * h.x + covariance.y * h.y + covariance.z * h.z
      let variance = h.dot(spread) + measurement.variance
      guard variance > 0, variance.isFinite else { continue }
      let gain = spread * (1 / variance)
      let error = min(max(measurement.error, -limit), limit)
      change = change + gain * (error - h.dot(change))
      covariance.x = covariance.x - gain * spread.x
      covariance.y = covariance.y - gain * spread.y
      covariance.z = covariance.z - gain * spread.z
    }
    let largest = settings.rest.bias
    func clipped(_ value: Double) -> Double { min(max(value, -largest), largest) }
    let next = bias + change
    let bounded = Vector3(clipped(next.x), clipped(next.y), clipped(next.z))
    if bounded.isFinite { bias = bounded }
  }

  /// The growth of the variance per second.
  private var wander: Double {
    let drift = 0.1 * Double.pi / 180
    return drift * drift / settings.biasMemory
  }
}
