// Device motion from streamed samples: the attitude is the robot's quaternion, or a fusion of the inertial sensors without one.

public import SpheroHost
public import SpheroOrientation
import SpheroProtocol

/// Converts the samples of a stream to device motion, one at a time.
///
/// If the robot streams its quaternion, the attitude is that quaternion, which the robot computes at its full rate.
/// If it does not, or streams zeros (firmware before 1.20), a `MotionEstimator` computes the attitude
/// from accelerometer and gyroscope; heading 0 is then the orientation at the first sample.
///
/// The rotation rate is without the gyroscope's bias, which a `RateBiasEstimator` estimates from the quaternion and at rest,
/// or the fusion without a quaternion.
///
/// Quaternion, accelerometer and gyroscope are first converted to body axes by ``convention``.
///
/// `DeviceMotion.timestamp` is `TimedSample.time` in seconds, which is reconstructed from the arrivals:
/// by the nominal rate, the rotation of a robot that samples 5 % too fast would be 5 % too large.
public struct MotionTracker: StreamProcessor {
  /// The convention of the samples.
  public let convention: Convention
  /// The offsets that are subtracted from the readings, measured by `Convention.sphero`; nil for none.
  public let calibration: RestCalibration?
  /// Whether the attitude of the last motion comes from the fusion, since the sample has no quaternion.
  public private(set) var isFused = false
  private var estimator: MotionEstimator
  private var bias: RateBiasEstimator
  /// ``calibration`` on the body axes of ``convention``.
  private let offsets: RestCalibration?

  /// Whether the attitude is always computed by the fusion.
  private let ignoresQuaternion: Bool

  /// Creates a tracker for the samples of one stream; a `ConventionProbe` determines the convention of another robot.
  ///
  /// - Parameters:
  ///   - convention: The convention of the samples.
  ///   - calibration: The offsets that are subtracted from the readings; nil for none.
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
  /// Nil if acceleration or rotation rate is not streamed, or if the fusion has not yet determined the vertical.
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

  /// Discards the state, and keeps convention and settings.
  public mutating func reset() {
    self = MotionTracker(
      by: convention, calibration: calibration, settings: estimator.settings,
      ignoresQuaternion: ignoresQuaternion)
  }
}
