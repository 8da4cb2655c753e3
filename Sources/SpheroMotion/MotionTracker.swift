// Device motion from streamed samples: by the robot's own quaternion, or by fusion where there is none.

public import SpheroHost
public import SpheroOrientation
import SpheroProtocol

/// Turns the samples of a stream into device motion, one by one.
///
/// Where the robot streams its quaternion, that is the attitude: the robot fuses at its full rate and knows better.
/// Where it does not, or sends zeros (firmware before 1.20),
/// a `MotionEstimator` works the attitude out from accelerometer and gyroscope;
/// heading 0 is then where the robot looked at the first sample.
///
/// Before all that, quaternion, accelerometer and gyroscope are turned to the body's axes by the one ``convention``.
///
/// `DeviceMotion.timestamp` is the reconstructed `TimedSample.time` in seconds:
/// by the robot's nominal rate, one that samples 5 % too fast would seem to turn 5 % too far.
public struct MotionTracker: StreamProcessor {
  /// What the robot means by its words and axes.
  public let convention: Convention
  /// Whether the last motion comes from fusion, for want of a quaternion.
  public private(set) var isFused = false
  private var estimator: MotionEstimator

  /// Makes a tracker for the samples of one stream.
  ///
  /// - Parameters:
  ///   - convention: What the robot means by its words and axes; `ConventionProbe` finds it out.
  ///   - settings: What fusion assumes of sensors and motion.
  public init(
    by convention: Convention = .sphero, settings: MotionEstimator.Settings = MotionEstimator.Settings()
  ) {
    self.convention = convention
    estimator = MotionEstimator(settings: settings)
  }

  /// Takes the next sample and gives the motion at it.
  ///
  /// Nil where acceleration or turning rate was not asked for,
  /// and before fusion, where it is needed, has felt where up is.
  public mutating func callAsFunction(_ sample: TimedSample) -> DeviceMotion? {
    guard let reading = sample.sample.inertialSample(at: sample.time / .seconds(1), by: convention) else {
      return nil
    }
    let attitude = sample.sample.rotation(by: convention)
    isFused = attitude == nil
    return attitude.map { DeviceMotion(attitude: $0, sample: reading) } ?? estimator(reading)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = MotionTracker(by: convention, settings: estimator.settings) }
}
