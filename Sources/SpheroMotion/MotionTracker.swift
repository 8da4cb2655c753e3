// Device motion from streamed samples: the attitude is the robot's quaternion or, if it is not streamed, a fusion of the inertial sensors.

public import SpheroHost
public import SpheroOrientation
import SpheroProtocol

/// Converts the samples of a stream to device motion, one at a time.
///
/// The attitude is the quaternion that the robot streams. Without it, or if it is zero (firmware before 1.20), a
/// `MotionEstimator` computes the attitude from accelerometer and gyroscope; heading 0 is then that of the first sample.
///
/// The gyroscope's bias is subtracted from the rotation rate. A `RateBiasEstimator` estimates the bias from the quaternion
/// and at rest; without a quaternion, the fusion estimates it.
/// `DeviceMotion.timestamp` is `TimedSample.time` in seconds.
public struct MotionTracker: StreamProcessor {
  /// The convention of the samples.
  public let convention: Convention
  /// The offsets that are subtracted from the readings, on the body axes of `Convention.sphero`; nil for none.
  public let calibration: RestCalibration?
  /// Whether the fusion computed the last attitude: the sample has no quaternion, or the tracker ignores it.
  public private(set) var isFused = false
  private var estimator: MotionEstimator
  private var bias: RateBiasEstimator
  /// ``calibration`` on the body axes of ``convention``.
  private let offsets: RestCalibration?
  private let ignoresQuaternion: Bool

  /// Creates a tracker for the samples of one stream; a `ConventionProbe` determines the convention of another robot.
  ///
  /// - Parameters:
  ///   - convention: The axes, signs and units of the sensors.
  ///   - calibration: The offsets that are subtracted; see ``calibration``.
  ///   - settings: The settings of the fusion.
  ///   - ignoresQuaternion: Whether the fusion computes the attitude even if the robot streams its quaternion.
  public init(
    by convention: Convention = .sphero, calibration: RestCalibration? = nil,
    settings: MotionEstimator.Settings = MotionEstimator.Settings(), ignoresQuaternion: Bool = false
  ) {
    (self.convention, self.ignoresQuaternion, self.calibration) = (convention, ignoresQuaternion, calibration)
    offsets = calibration?.converted(to: convention)
    estimator = MotionEstimator(settings: settings)
    bias = RateBiasEstimator(settings: settings)
  }

  /// Processes the next sample and returns the motion at its time.
  ///
  /// Returns nil if acceleration or rotation rate is not streamed, or if the fusion has not yet determined the vertical.
  public mutating func callAsFunction(_ sample: TimedSample) -> DeviceMotion? {
    guard var reading = sample.sample.inertialSample(at: sample.time / .seconds(1), by: convention) else {
      return nil
    }
    if let offsets { reading = offsets(reading) }
    let attitude = ignoresQuaternion ? nil : sample.sample.rotation(by: convention)
    isFused = attitude == nil
    guard let attitude else { return estimator(reading) }
    bias.update(reading, attitude: attitude)
    return DeviceMotion(
      attitude: attitude, sample: reading, rotationRateBias: bias.bias, rotationRateBiasError: bias.error)
  }

  /// Discards the state; keeps the convention, the calibration and the settings.
  public mutating func reset() {
    self = MotionTracker(
      by: convention, calibration: calibration, settings: estimator.settings,
      ignoresQuaternion: ignoresQuaternion)
  }
}
