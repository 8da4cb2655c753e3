// The samples of a robot at rest in several poses, and the turns between them.

public import SpheroOrientation
import SpheroProtocol

/// Collects poses and turns of a robot that a person places in various ways, for a `ConventionProbe`.
///
/// A pose counts once the robot has been at rest for a while and is turned far enough from every earlier pose.
/// After ``wait`` without such a pose, any pose at rest counts.
/// The stream needs accelerometer, gyroscope, quaternion and, for the meaning of the angles, pitch, roll and yaw.
public struct PoseCollector: StreamProcessor {
  /// The outcome of a sample.
  @nonexhaustive public enum Outcome: Hashable, Sendable {
    /// The sample lacks the quaternion or a sensor.
    case unusable
    /// The robot moves, or has not been at rest for long enough.
    case moving
    /// The robot is at rest in a pose that is already complete.
    case duplicate
    /// The robot is at rest in the pose that is being collected.
    case collecting
    /// The pose is complete, and turned far enough from the earlier ones.
    case completed
    /// The pose is complete, but similar to an earlier one.
    case completedSimilar
    /// The robot moves, and no pose was completed for twice the ``PoseCollector/wait``, and at least 5 s.
    case timedOut
  }

  /// The time without a new pose after which any pose counts.
  public let wait: Duration
  /// The minimum angle between a new pose and each earlier one.
  public let turn: Angle
  /// The requested poses, in order; later ones are arbitrary.
  public let requested: [ProbePose]
  /// The number of samples that are averaged for a pose.
  public static let samplesPerPose = 10
  /// The complete poses: the words of the last sample, and the mean of the accelerometer.
  ///
  /// A pose that is not new has no name, because the person has not placed the robot as requested.
  public private(set) var poses: [ConventionSample] = []
  /// The turns between poses without a gap in the samples.
  public private(set) var turns: [ConventionRotation] = []
  /// The number of complete poses.
  public var count: Int { poses.count }

  private static let minimumTimeout = Duration.seconds(5)
  /// The maximum apparent turn of a robot at rest between two samples.
  private static let maximumRestTurn = Angle.degrees(1)
  private var attitudes: [Rotation] = []
  private var last: Rotation?
  private var readings: [(acceleration: Vector3, rate: Vector3)] = []
  private var turnIntegral = TurnIntegral()
  private var detector = RestDetector()
  private var waitStart: Duration?

  public init(wait: Duration, turn: Angle = .degrees(20), requesting requested: [ProbePose] = []) {
    (self.wait, self.turn, self.requested) = (wait, turn, requested)
  }

  /// Processes the next sample.
  public mutating func callAsFunction(_ timed: TimedSample) -> Outcome {
    let sample = timed.sample
    let time = timed.time / .seconds(1)
    // The turn between two poses and the detection of rest do not depend on the layout and the axes.
    guard let words = sample.quaternionWords, let attitude = QuaternionLayout.all[0].rotation(of: words),
      let accelerometer = sample.accelerometer, let gyroscope = sample.gyroscope,
      let reading = sample.inertialSample(at: time, by: .sphero)
    else { return .unusable }
    let elapsed = timed.time - (waitStart ?? timed.time)
    waitStart = waitStart ?? timed.time
    turnIntegral.add(gyroscope, at: time)
    // The turn would disturb the means of the detector for a while after its end.
    if let last, last.angle(to: attitude) > Self.maximumRestTurn { detector.reset() }
    last = attitude
    guard detector(reading) else {
      readings = []
      return elapsed >= max(wait * 2, Self.minimumTimeout) ? .timedOut : .moving
    }
    let isNew = attitudes.allSatisfy { $0.angle(to: attitude) >= turn }
    guard isNew || elapsed >= wait else {
      readings = []
      return .duplicate
    }
    readings.append((accelerometer, gyroscope))
    guard readings.count >= Self.samplesPerPose else { return .collecting }
    if let last = poses.last, let turn = turnIntegral.turn {
      turns.append(ConventionRotation(from: last.words, to: words, gyroscope: turn))
    }
    let requested = isNew && poses.count < requested.count ? requested[poses.count] : nil
    poses.append(
      ConventionSample(
        words: words, accelerometer: Self.mean(readings.map { $0.acceleration }), angles: sample.pitchRollYaw,
        pose: requested))
    attitudes.append(attitude)
    turnIntegral = TurnIntegral(bias: Self.mean(readings.map { $0.rate }), rate: gyroscope, time: time)
    (readings, waitStart) = ([], timed.time)
    detector.reset()
    return isNew ? .completed : .completedSimilar
  }

  public mutating func reset() { self = PoseCollector(wait: wait, turn: turn, requesting: requested) }

  private static func mean(_ vectors: [Vector3]) -> Vector3 {
    vectors.reduce(.zero, +) / Double(max(vectors.count, 1))
  }
}

/// The turn since the last pose: the integral of the gyroscope on its own axes.
package struct TurnIntegral: Sendable {
  /// The maximum time between two samples in seconds; a part of the turn is missing after a longer one.
  private static let maximumStep = 0.25
  private let bias: Vector3
  private var last: (rate: Vector3, time: Double)?
  /// Nil after a gap.
  package private(set) var turn: Rotation? = .identity

  package init(bias: Vector3 = .zero, rate: Vector3? = nil, time: Double = 0) {
    self.bias = bias
    last = rate.map { ($0, time) }
  }

  package mutating func add(_ rate: Vector3, at time: Double) {
    defer { last = (rate, time) }
    guard let last else { return }
    let step = time - last.time
    let mean = (last.rate + rate) * 0.5 - bias
    guard let before = turn, (0...Self.maximumStep).contains(step),
      let part = Rotation(rotationVector: mean * step)
    else {
      turn = nil
      return
    }
    turn = before * part
  }
}
