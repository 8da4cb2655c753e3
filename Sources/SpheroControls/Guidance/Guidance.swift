// What guidance reads, what it tells the robot to do, and when it gives up.

public import SpheroOrientation

/// Where a robot is and how it moves, as it reports it.
///
/// Frame: that of the locator for place and velocity (x to the right, y ahead); the heading counts from the aim.
public struct Odometry: Hashable, Sendable {
  /// When it was measured, in seconds of the clock that ``Guide/step(_:at:)`` is given.
  public var time: Double
  /// The place, in centimetres.
  public var position: Position
  /// The velocity along the same axes, in centimetres a second.
  public var velocity: Position
  /// Where the nose points, clockwise from the aim.
  public var heading: Heading

  /// Creates a reading.
  ///
  /// - Parameters:
  ///   - time: When it was measured, in seconds.
  ///   - position: The place, in centimetres.
  ///   - velocity: The velocity along the same axes, in centimetres a second.
  ///   - heading: Where the nose points.
  public init(
    time: Double, position: Position, velocity: Position = Position(x: 0, y: 0), heading: Heading
  ) {
    (self.time, self.position, self.velocity, self.heading) = (time, position, velocity, heading)
  }

  /// How fast it moves, in centimetres a second.
  public var speed: Double { length(velocity.x, velocity.y) }

  var isFinite: Bool {
    time.isFinite && position.isFinite && velocity.isFinite && speed.isFinite
  }
}

/// What the robot is to do next.
///
/// These are all, and the owner of a ``Guide`` acts on each.
public enum Guidance: Hashable, Sendable {
  /// Roll, or turn in place where the speed is 0.
  case drive(Drive)
  /// Brake, and hold the heading.
  case stop
  /// The goal is reached, and the robot is at rest.
  case arrived
  /// The goal is not reached; the robot is to be stopped.
  case gaveUp(GuidanceFailure)
}

/// Why guidance gave up.
@nonexhaustive public enum GuidanceFailure: Hashable, Sendable {
  /// The time limit was reached first.
  case outOfTime
  /// The robot was told to move and came no nearer.
  case noProgress
  /// The robot stopped telling where it is.
  case noReadings
}

/// A control law: readings and the time go in, what the robot is to do comes out.
///
/// It is called about ten times a second, with the newest reading, whether or not that is new.
public protocol Guide: Sendable {
  /// Decides what the robot is to do.
  ///
  /// - Parameters:
  ///   - reading: The newest reading.
  ///   - now: The time in seconds; it never runs backwards.
  /// - Returns: What to tell the robot until the next step.
  mutating func step(_ reading: Odometry, at now: Double) -> Guidance
}

/// How long guidance goes on: a limit for all of it, for coming no nearer, and for a robot that reports nothing.
struct Patience: Hashable, Sendable {
  /// How long a robot may come no nearer, in seconds.
  static let withoutProgress = 4.0
  /// How long a robot may report nothing before it is stopped, beside what the link takes, and before that is the end.
  private static let (blind, silent) = (0.4, 3.0)

  private let limit: Double
  /// The least way that counts as nearer.
  private let step: Double
  private var start: Double?
  private var best = Double.infinity
  private var improved = 0.0

  init(limit: Double, step: Double) { (self.limit, self.step) = (limit, step) }

  /// Lets the robot take as long again to come nearer.
  mutating func beginAnew() { best = .infinity }

  /// Decides whether to go on.
  ///
  /// - Parameters:
  ///   - error: How far the goal is.
  ///   - age: How old the newest reading is, in seconds.
  ///   - roundTrip: How long an answer takes, in seconds.
  ///   - now: The time in seconds.
  /// - Returns: What to do instead of going on; nil to go on.
  mutating func verdict(error: Double, age: Double, roundTrip: Double, at now: Double) -> Guidance? {
    let start = start ?? now
    if self.start == nil { (self.start, improved) = (now, now) }
    guard now - start < limit else { return .gaveUp(.outOfTime) }
    guard age < Self.silent else { return .gaveUp(.noReadings) }
    if age > Self.blind + roundTrip { return .stop }
    if error <= best - step { (best, improved) = (error, now) }
    return now - improved > Self.withoutProgress ? .gaveUp(.noProgress) : nil
  }
}

extension Position {
  var isFinite: Bool { x.isFinite && y.isFinite }

  func distance(to other: Position) -> Double { length(other.x - x, other.y - y) }

  func moved(along velocity: Position, for time: Double) -> Position {
    Position(x: x + velocity.x * time, y: y + velocity.y * time)
  }
}

/// Returns a number held to a range; not a number counts as its lower end.
func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
  value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
}
