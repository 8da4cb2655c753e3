// The assumptions of a motion estimator about sensors and motion.

extension MotionEstimator {
  /// The assumptions of an estimator about sensors and motion.
  ///
  /// The defaults of bias, rest and time constant are those of VQF (Laidig and Seel, Information Fusion 91, 2023).
  /// A number outside 1e-9...1e9 is replaced by its default; of ``rest``, this applies to the bias only.
  public struct Settings: Hashable, Sendable {
    /// What a reading of the gyroscope represents: by default the rate at its timestamp, as on a Sphero,
    /// which streams every n-th reading.
    public var readings = RateIntegrator.Readings.points
    /// The time constant of the accelerometer's low pass in seconds.
    public var accelerationTimeConstant = 3.0
    /// The criteria of rest.
    ///
    /// Its `bias` also bounds the bias in motion: if a larger one is estimated, the heading is unknown.
    public var rest = RestDetector.Limits()
    /// The gyroscope's errors as an earlier run estimated them; see ``MotionEstimator/calibration``.
    public var calibration: GyroscopeCalibration?
    /// The standard deviation of the bias at the start, in rad/s: 0.5 deg/s.
    public var initialBiasError = 0.5 * Double.pi / 180
    /// The time in seconds within which the bias may change by 0.1 deg/s.
    public var biasForgettingTime = 100.0
    /// The standard deviation of the bias after long rest, in rad/s: 0.03 deg/s.
    public var restBiasError = 0.03 * Double.pi / 180
    /// The standard deviation of the gyroscope's scale factors, and of the angles in rad between its axes
    /// and those of the accelerometer: 0.01, as data sheets specify.
    public var sensitivityError = 0.01
    /// The random walk of the gyroscope's angle in rad per square root of a second: 0.03 deg.
    public var angleRandomWalk = 0.03 * Double.pi / 180
    /// The standard deviation in rad, about each horizontal axis, of the vertical that the smoothed acceleration shows:
    /// 0.7 degrees, as for a body that sways at 0.3 m/s.
    public var tiltError = 0.7 * Double.pi / 180
    var tiltVariance: Double { tiltError * tiltError }
    /// The standard deviation in rad of a magnetometer's heading in an undisturbed field: 3 degrees.
    public var magneticError = 3 * Double.pi / 180
    /// The correlation time of the errors of the magnetometer's heading in seconds.
    public var magneticCorrelationTime = 5.0
    /// The standard deviation of hard iron along each body axis, as a fraction of the earth's field: 0.1,
    /// the variation of strength that an undisturbed field may have.
    ///
    /// The estimator estimates and removes hard iron as the body turns; until then ``MotionEstimator/accuracy`` includes it.
    public var hardIronError = 0.1

    public init() {}

    /// The standard deviation by which the bias changes within ``biasForgettingTime``, in rad/s: 0.1 deg/s.
    static let biasDrift = 0.1 * Double.pi / 180

    /// The growth of the variance of the bias in a time in seconds, in rad^2/s^2.
    func biasGrowth(in seconds: Double) -> Double {
      Self.biasDrift * Self.biasDrift * seconds / biasForgettingTime
    }

    /// The variance of a measurement at rest for `seconds`, in rad^2/s^2: with it, that of the bias approaches p, the
    /// square of ``restBiasError``. In the steady state of a Kalman filter, it is p^2 / growth + p.
    func restVariance(in seconds: Double) -> Double {
      let steady = restBiasError * restBiasError
      return steady * steady / biasGrowth(in: seconds) + steady
    }

    /// The settings with the default for each value outside 1e-9...1e9.
    var validated: Settings {
      let defaults = Settings()
      var settings = self
      func valid(_ value: Double, _ other: Double) -> Double { (1e-9...1e9).contains(value) ? value : other }
      settings.accelerationTimeConstant = valid(accelerationTimeConstant, defaults.accelerationTimeConstant)
      settings.initialBiasError = valid(initialBiasError, defaults.initialBiasError)
      settings.biasForgettingTime = valid(biasForgettingTime, defaults.biasForgettingTime)
      settings.restBiasError = valid(restBiasError, defaults.restBiasError)
      settings.sensitivityError = valid(sensitivityError, defaults.sensitivityError)
      settings.angleRandomWalk = valid(angleRandomWalk, defaults.angleRandomWalk)
      settings.tiltError = valid(tiltError, defaults.tiltError)
      settings.magneticError = valid(magneticError, defaults.magneticError)
      settings.magneticCorrelationTime = valid(magneticCorrelationTime, defaults.magneticCorrelationTime)
      settings.hardIronError = valid(hardIronError, defaults.hardIronError)
      settings.rest.bias = valid(rest.bias, defaults.rest.bias)
      return settings
    }
  }
}

/// The errors of a gyroscope, to be stored between runs.
///
/// For a reading r the rate is r - b - M (r - b) with the bias b and the matrix M of sensitivity errors.
public struct GyroscopeCalibration: Hashable, Sendable {
  /// The errors of one axis of the gyroscope.
  public struct Axis: Hashable, Sendable {
    /// The bias in rad/s.
    public var bias: Double
    /// The standard deviation of the bias in rad/s.
    ///
    /// It allows for a drift of 0.1 deg/s. Increase it if temperature changes the bias further between runs.
    public var biasError: Double
    /// The row of the matrix of sensitivity errors.
    public var sensitivity: Vector3
    /// The standard deviation of each element of that row.
    public var sensitivityError: Vector3

    var values: SIMD4<Double> { SIMD4(sensitivity.x, sensitivity.y, sensitivity.z, bias) }
    var errors: SIMD4<Double> { SIMD4(sensitivityError.x, sensitivityError.y, sensitivityError.z, biasError) }
  }

  /// The errors of the sensor's three axes.
  public var x, y, z: Axis

  var axes: [Axis] { [x, y, z] }
}

extension GyroscopeCalibration {
  /// The calibration of an unknown gyroscope, with the standard deviations of the settings.
  init(settings: MotionEstimator.Settings) {
    let error = settings.sensitivityError
    let axis = Axis(
      bias: 0, biasError: settings.initialBiasError, sensitivity: .zero,
      sensitivityError: Vector3(error, error, error))
    self.init(x: axis, y: axis, z: axis)
  }
}

extension DriftEstimator {
  /// The estimated errors of the gyroscope, with the accuracy that they have one `biasForgettingTime` later.
  var calibration: GyroscopeCalibration {
    func axis(_ axis: Int) -> GyroscopeCalibration.Axis {
      func error(_ component: Int, drift: Double = 0) -> Double {
        let index = 4 * axis + component
        return (max(covariance[index][index], 0) + drift * drift).squareRoot()
      }
      return GyroscopeCalibration.Axis(
        bias: errors[4 * axis + 3], biasError: error(3, drift: MotionEstimator.Settings.biasDrift),
        sensitivity: sensitivity(axis), sensitivityError: Vector3(error(0), error(1), error(2)))
    }
    return GyroscopeCalibration(x: axis(0), y: axis(1), z: axis(2))
  }
}

#if !hasFeature(Embedded)
  extension GyroscopeCalibration: Codable {}
  extension GyroscopeCalibration.Axis: Codable {}
#endif
