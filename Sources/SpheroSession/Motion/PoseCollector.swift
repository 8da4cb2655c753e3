// Collects what a robot streams while it lies still in one pose after another.

public import SpheroOrientation
import SpheroProtocol

/// Collects samples of a robot that somebody lays down in various poses, for a `ConventionProbe`.
///
/// No hand is needed for anything but the robot: a pose counts once the robot has lain still for a while
/// and is turned far enough from every pose before.
/// Where none such comes in ``wait``, the robot is taken as it lies.
/// The stream needs accelerometer, gyroscope, quaternion and, for the meaning of the angles, pitch, roll and yaw.
public struct PoseCollector: StreamProcessor {
  /// How a sample was taken.
  public enum Step: Hashable, Sendable {
    /// The sample has no quaternion, or lacks a sensor: no pose will come of it.
    case unusable
    /// The robot moves, or has not lain still for long enough.
    case moving
    /// The robot lies still in a pose that was taken before.
    case known
    /// The robot lies still in the pose that is being taken.
    case still
    /// The pose is complete; `isNew` tells whether it is turned far enough from those before.
    case taken(isNew: Bool)
    /// The robot has not lain still for twice the ``PoseCollector/wait``, and 5 s at least.
    case restless
  }

  /// How long a new pose may take before the robot is taken as it lies.
  public let wait: Duration
  /// How far a new pose must be turned from each before.
  public let turn: Angle
  /// Samples that make a pose.
  public static let samplesPerPose = 10
  /// The samples of all poses so far.
  public private(set) var samples: [ConventionSample] = []
  /// The poses taken so far.
  public var count: Int { attitudes.count }

  private static let shortestLimit = Duration.seconds(5)
  private var attitudes: [Rotation] = []
  private var pose: [ConventionSample] = []
  private var detector = RestDetector()
  private var start: Duration?

  /// Makes a collector.
  ///
  /// - Parameters:
  ///   - wait: How long a new pose may take before the robot is taken as it lies.
  ///   - turn: How far a new pose must be turned from each before.
  public init(wait: Duration, turn: Angle = .degrees(20)) { (self.wait, self.turn) = (wait, turn) }

  /// Takes the next sample and tells how.
  public mutating func callAsFunction(_ timed: TimedSample) -> Step {
    let sample = timed.sample
    // The turn between two poses is the same by every layout, so any will do.
    guard let words = sample.quaternionWords, let attitude = QuaternionLayout.all[0].rotation(of: words),
      let accelerometer = sample.accelerometer,
      let reading = sample.inertialSample(at: timed.time / .seconds(1), by: .sphero)
    else { return .unusable }
    let elapsed = timed.time - (start ?? timed.time)
    start = start ?? timed.time
    guard detector(reading) else {
      pose = []
      return elapsed >= max(wait * 2, Self.shortestLimit) ? .restless : .moving
    }
    let isNew = attitudes.allSatisfy { $0.angle(to: attitude) >= turn }
    guard isNew || elapsed >= wait else {
      pose = []
      return .known
    }
    pose.append(
      ConventionSample(words: words, accelerometer: accelerometer, angles: sample.pitchRollYaw))
    guard pose.count >= Self.samplesPerPose else { return .still }
    samples += pose
    attitudes.append(attitude)
    (pose, start) = ([], timed.time)
    detector.reset()
    return .taken(isNew: isNew)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = PoseCollector(wait: wait, turn: turn) }
}
