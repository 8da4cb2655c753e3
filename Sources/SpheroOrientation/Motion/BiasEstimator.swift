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

  /// Takes three measurements, one along each row of `directions`:
  /// the bias along it differs from the one assumed by a component of `error`, known to one of `variance`.
  ///
  /// Errors beyond `limit` are cut.
  mutating func correct(
    along directions: RotationMatrix, by error: Vector3, variance: Vector3, limit: Double
  ) {
    var change = Vector3.zero
    func take(_ h: Vector3, _ error: Double, _ variance: Double) {
      let spread = covariance.x * h.x + covariance.y * h.y + covariance.z * h.z
      let sum = h.dot(spread) + variance
      guard sum > 0, sum.isFinite else { return }
      let gain = spread * (1 / sum)
      let bounded = min(max(error, -limit), limit)
      change = change + gain * (bounded - h.dot(change))
      covariance.x = covariance.x - gain * spread.x
      covariance.y = covariance.y - gain * spread.y
      covariance.z = covariance.z - gain * spread.z
    }
    take(directions.row1, error.x, variance.x)
    take(directions.row2, error.y, variance.y)
    take(directions.row3, error.z, variance.z)
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
