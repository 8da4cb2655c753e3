// Device motion from streamed samples: by the robot's own quaternion, or by fusion where there is none.

public import SpheroOrientation
import SpheroProtocol

/// Turns the samples of a stream into device motion, one by one.
///
/// Where the robot streams its quaternion, that is the attitude: the robot fuses at its full rate and knows better.
/// Where it does not, or sends zeros (firmware before 1.20),
/// a `MotionEstimator` works the attitude out from accelerometer and gyroscope;
/// heading 0 is then where the robot looked at the first sample.
///
/// `DeviceMotion.timestamp` counts seconds from the first sample, at the rate that a `SampleClock` measures
/// by the arrival times: a robot that samples 5 % too fast would otherwise seem to turn 5 % too far.
public struct MotionTracker: StreamProcessor {
  /// What the robot means by its words and axes.
  public let convention: Convention
  /// Whether the last motion comes from fusion, for want of a quaternion.
  public private(set) var isFused = false
  private let request: StreamRequest
  private var estimator: MotionEstimator
  private var clock: SampleClock?
  private var last: TimedSample?

  /// Makes a tracker for the samples of one stream.
  ///
  /// - Parameters:
  ///   - request: What was asked for; a mask with `SensorMask.motion` has everything.
  ///   - convention: What the robot means by its words and axes; `ConventionProbe` finds it out.
  ///   - settings: What fusion assumes of sensors and motion.
  public init(
    _ request: StreamRequest, by convention: Convention = .sphero,
    settings: MotionEstimator.Settings = MotionEstimator.Settings()
  ) {
    (self.request, self.convention) = (request, convention)
    estimator = MotionEstimator(settings: settings)
    clock = Self.clock(for: request)
  }

  /// Takes the next sample and gives the motion at it.
  ///
  /// Nil where acceleration or turning rate was not asked for,
  /// and before fusion, where it is needed, has felt where up is.
  public mutating func callAsFunction(_ sample: TimedSample) -> DeviceMotion? {
    let time = seconds(of: sample)
    guard let reading = sample.sample.inertialSample(at: time, by: convention) else { return nil }
    let attitude = sample.sample.rotation(by: convention)
    isFused = attitude == nil
    return attitude.map { DeviceMotion(attitude: $0, sample: reading) } ?? estimator(reading)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    self = MotionTracker(request, by: convention, settings: estimator.settings)
  }

  private static func clock(for request: StreamRequest) -> SampleClock? {
    SampleClock(nominalRate: .seconds(1) / request.framePeriod)
  }

  /// When the sample was taken, in seconds since the first one.
  private mutating func seconds(of sample: TimedSample) -> Double {
    defer { last = sample }
    if let last {
      let count = missing(between: last, and: sample)
      clock?.skip(count)
    }
    return clock?(sample.arrival / .seconds(1)) ?? sample.time / .seconds(1)
  }

  /// The samples that stayed away.
  ///
  /// Both clocks must have jumped: nominal time alone also jumps where a robot samples more slowly than it says.
  private func missing(between last: TimedSample, and next: TimedSample) -> Int {
    let expected = (next.time - last.time) / request.framePeriod - 1
    let arrived = (next.arrival - last.arrival) / request.framePeriod - Double(request.frames)
    let missing = min(expected, arrived).rounded()
    // A robot that was gone for days is a new stream, whatever the count.
    return missing >= 1 ? Int(min(missing, 1e9)) : 0
  }
}
