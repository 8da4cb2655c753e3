// Collects what a robot streams while it lies still in one pose after another, and while it turns between them.

public import SpheroOrientation
import SpheroProtocol

/// Collects poses and turns of a robot that somebody lays down in various ways, for a `ConventionProbe`.
///
/// No hand is needed for anything but the robot: a pose counts once the robot has lain still for a while
/// and is turned far enough from every pose before.
/// Where none such comes in ``wait``, the robot is taken as it lies.
/// The stream needs accelerometer, gyroscope, quaternion and, for the meaning of the angles, pitch, roll and yaw.
public struct PoseCollector: StreamProcessor {
  /// How a sample was taken.
  @nonexhaustive public enum Step: Hashable, Sendable {
    /// The sample has no quaternion, or lacks a sensor: no pose will come of it.
    case unusable
    /// The robot moves, or has not lain still for long enough.
    case moving
    /// The robot lies still in a pose that was taken before.
    case known
    /// The robot lies still in the pose that is being taken.
    case still
    /// The pose is complete, and turned far enough from those before.
    case taken
    /// The pose is complete, but like one before.
    case takenAgain
    /// The robot has not lain still for twice the ``PoseCollector/wait``, and 5 s at least.
    case restless
  }

  /// How long a new pose may take before the robot is taken as it lies.
  public let wait: Duration
  /// How far a new pose must be turned from each before.
  public let turn: Angle
  /// The poses that are asked for, in turn; those beyond are any.
  public let asked: [LaidPose]
  /// Streamed samples that make a pose.
  public static let samplesPerPose = 10
  /// The poses taken so far: the words of the last streamed sample, the mean of the accelerometer.
  ///
  /// A pose that is not new was not laid as asked, and is reported without a name.
  public private(set) var samples: [ConventionSample] = []
  /// The turns between poses that were followed without a gap.
  public private(set) var turns: [ConventionTurn] = []
  /// The poses taken so far.
  public var count: Int { attitudes.count }

  private static let shortestLimit = Duration.seconds(5)
  /// How far a robot at rest may seem to turn between two samples.
  private static let stillness = Angle.degrees(1)
  private var attitudes: [Rotation] = []
  private var last: Rotation?
  private var pose: [ConventionSample] = []
  private var rates: [Vector3] = []
  private var path = TurnPath()
  private var detector = RestDetector()
  private var start: Duration?

  /// Makes a collector.
  ///
  /// - Parameters:
  ///   - wait: How long a new pose may take before the robot is taken as it lies.
  ///   - turn: How far a new pose must be turned from each before.
  ///   - asked: The poses that are asked for, in turn.
  public init(wait: Duration, turn: Angle = .degrees(20), asking asked: [LaidPose] = []) {
    (self.wait, self.turn, self.asked) = (wait, turn, asked)
  }

  /// Takes the next sample and returns how it was taken.
  public mutating func callAsFunction(_ timed: TimedSample) -> Step {
    let sample = timed.sample
    let time = timed.time / .seconds(1)
    // The turn between two poses is the same by every layout, so any will do; so is rest on any axes.
    guard let words = sample.quaternionWords, let attitude = QuaternionLayout.all[0].rotation(of: words),
      let accelerometer = sample.accelerometer, let gyroscope = sample.gyroscope,
      let reading = sample.inertialSample(at: time, by: .sphero)
    else { return .unusable }
    let elapsed = timed.time - (start ?? timed.time)
    start = start ?? timed.time
    path.add(gyroscope, at: time)
    // A turn that is over is no reason to wait until the detector has forgotten it.
    if let last, last.angle(to: attitude) > Self.stillness { detector.reset() }
    last = attitude
    guard detector(reading) else {
      (pose, rates) = ([], [])
      return elapsed >= max(wait * 2, Self.shortestLimit) ? .restless : .moving
    }
    let isNew = attitudes.allSatisfy { $0.angle(to: attitude) >= turn }
    guard isNew || elapsed >= wait else {
      (pose, rates) = ([], [])
      return .known
    }
    pose.append(ConventionSample(words: words, accelerometer: accelerometer, angles: sample.pitchRollYaw))
    rates.append(gyroscope)
    guard pose.count >= Self.samplesPerPose else { return .still }
    if let last = samples.last, let turn = path.turn {
      turns.append(ConventionTurn(from: last.words, to: words, gyroscope: turn))
    }
    let asked = isNew && samples.count < asked.count ? asked[samples.count] : nil
    samples.append(
      ConventionSample(
        words: words, accelerometer: Self.mean(pose.map(\.accelerometer)), angles: sample.pitchRollYaw,
        pose: asked))
    attitudes.append(attitude)
    path = TurnPath(bias: Self.mean(rates), rate: gyroscope, time: time)
    (pose, rates, start) = ([], [], timed.time)
    detector.reset()
    return isNew ? .taken : .takenAgain
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = PoseCollector(wait: wait, turn: turn, asking: asked) }

  private static func mean(_ vectors: [Vector3]) -> Vector3 {
    vectors.reduce(.zero, +) / Double(max(vectors.count, 1))
  }
}

/// What the readings of a gyroscope add up to, on its own axes, since the last pose.
package struct TurnPath: Sendable {
  /// A longer pause between two samples hides a part of the turn.
  private static let longestStep = 0.25
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
    guard let before = turn, (0...Self.longestStep).contains(step),
      let part = Rotation(rotationVector: mean * step)
    else {
      turn = nil
      return
    }
    turn = before * part
  }
}
