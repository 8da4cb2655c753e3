// What a motion estimator assumes of sensors and motion.

extension MotionEstimator {
  /// What is assumed of sensors and motion.
  ///
  /// Bias, rest and the time constant are those of VQF (Laidig and Seel, Information Fusion 91, 2023).
  /// What is not positive and finite counts as the usual value.
  public struct Settings: Hashable, Sendable {
    /// Whether the gyroscope's readings are points of its rate or means.
    ///
    /// A Sphero picks every n-th reading, so they are points.
    public var readings = RateIntegrator.Readings.points
    /// The time constant in seconds of the accelerometer's low pass.
    public var accelerationTimeConstant = 3.0
    /// What counts as rest.
    ///
    /// Its `bias` is also a promise: where motion shows a larger one, nothing is known of the heading.
    public var rest = RestDetector.Limits()
    /// The standard deviation of the bias at the start, in rad/s: 0.5 deg/s.
    public var initialBiasError = 0.5 * Double.pi / 180
    /// The time in seconds in which the bias may wander by 0.1 deg/s.
    public var biasMemory = 100.0
    /// The standard deviation of the bias, in rad/s, to which long rest leads: 0.03 deg/s.
    public var restBiasError = 0.03 * Double.pi / 180
    /// The standard deviation of the gyroscope's scale factors, and of the angles in rad between its axes
    /// and those of the accelerometer: 0.01, which data sheets promise.
    public var sensitivityError = 0.01
    /// The random walk of the gyroscope's angle in rad per root of a second: 0.03 deg.
    public var angleRandomWalk = 0.03 * Double.pi / 180
    /// The standard deviation in rad, about each horizontal axis, of the vertical that the smoothed acceleration shows
    /// while nothing better is known: 0.7 degrees, what a body does that sways at 0.3 m/s.
    ///
    /// The estimator measures it as it goes.
    public var tiltError = 0.7 * Double.pi / 180
    /// The standard deviation in rad of a magnetometer's heading where the field is undisturbed: 3 degrees.
    public var magneticError = 3 * Double.pi / 180
    /// The time in seconds over which errors of the magnetometer's heading are alike.
    public var magneticMemory = 5.0

    /// Makes the usual settings.
    public init() {}

    /// The same with the usual value for what is not positive and finite, or absurdly large or small.
    var sane: Settings {
      let usual = Settings()
      var settings = self
      func sane(_ value: Double, _ usual: Double) -> Double { (1e-9...1e9).contains(value) ? value : usual }
      settings.accelerationTimeConstant = sane(accelerationTimeConstant, usual.accelerationTimeConstant)
      settings.initialBiasError = sane(initialBiasError, usual.initialBiasError)
      settings.biasMemory = sane(biasMemory, usual.biasMemory)
      settings.restBiasError = sane(restBiasError, usual.restBiasError)
      settings.sensitivityError = sane(sensitivityError, usual.sensitivityError)
      settings.angleRandomWalk = sane(angleRandomWalk, usual.angleRandomWalk)
      settings.tiltError = sane(tiltError, usual.tiltError)
      settings.magneticError = sane(magneticError, usual.magneticError)
      settings.magneticMemory = sane(magneticMemory, usual.magneticMemory)
      settings.rest.bias = sane(rest.bias, usual.rest.bias)
      return settings
    }
  }
}
