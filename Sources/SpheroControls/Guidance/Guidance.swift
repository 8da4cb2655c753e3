// The input and output of guidance, and the watchdog that ends it.

public import SpheroOrientation

/// The position and motion that a robot reports.
///
/// Position and velocity are in the frame of the locator (x to the right, y ahead); the heading counts from heading 0.
public struct Odometry: Hashable, Sendable {
  /// The time of the measurement, in seconds on the clock of ``Guide/step(_:at:)``.
  public var time: Double
  /// In centimetres.
  public var position: Position
  /// In centimetres per second.
  public var velocity: Position
  /// The direction of the nose.
  public var heading: Heading

  public init(
    time: Double, position: Position, velocity: Position = Position(x: 0, y: 0), heading: Heading
  ) {
    (self.time, self.position, self.velocity, self.heading) = (time, position, velocity, heading)
  }

  /// In centimetres per second.
  public var speed: Double { length(velocity.x, velocity.y) }

  var isFinite: Bool {
    time.isFinite && position.isFinite && velocity.isFinite && speed.isFinite
  }
}

/// The next action of the robot.
public enum Guidance: Hashable, Sendable {
  /// Roll, or rotate in place if the speed is 0.
  case drive(Drive)
  /// Stop and keep the heading.
  case stop
  /// The robot is at rest at the goal.
  case arrived
  /// The guidance has failed, and the robot must be stopped.
  case failed(GuidanceFailure)
}

/// The reason of a failed guidance.
@nonexhaustive public enum GuidanceFailure: Hashable, Sendable {
  case timeout
  case noProgress
  case noReadings
}

/// A control law, called about ten times a second with the newest reading, which may be the same as before.
public protocol Guide: Sendable {
  /// Returns the action until the next step, from the newest reading and the time in seconds of a monotonic clock.
  mutating func step(_ reading: Odometry, at now: Double) -> Guidance
}

/// The watchdog of guidance: limits for the total time, for the time without progress, and for the age of readings.
///
/// The unit of errors is that of the guide: degrees for a rotation, centimetres for a path.
struct Watchdog: Hashable, Sendable {
  /// The longest time without progress, in seconds.
  static let progressTimeout = 4.0
  /// The age of a reading, in seconds, beyond the round trip, after which the robot is stopped.
  private static let stopAge = 0.4
  /// The age of a reading, in seconds, after which guidance fails.
  private static let failureAge = 3.0

  /// The maximum duration of the guidance, in seconds.
  private let limit: Double
  /// The minimum decrease of the error that counts as progress.
  private let step: Double
  private var start: Double?
  /// The last error that counted as progress; infinite at the start and after a restart.
  private var best = Double.infinity
  private var lastProgress = 0.0

  init(limit: Double, step: Double) { (self.limit, self.step) = (limit, step) }

  mutating func restart() { best = .infinity }

  /// Returns the action if a limit is exceeded; otherwise nil. The error is the distance or the angle to the goal;
  /// the age of the newest reading, the round trip and the time are in seconds.
  mutating func verdict(error: Double, age: Double, roundTrip: Double, at now: Double) -> Guidance? {
    let start = start ?? now
    if self.start == nil { (self.start, lastProgress) = (now, now) }
    guard now - start < limit else { return .failed(.timeout) }
    guard age < Self.failureAge else { return .failed(.noReadings) }
    if age > Self.stopAge + roundTrip { return .stop }
    if error <= best - step { (best, lastProgress) = (error, now) }
    return now - lastProgress > Self.progressTimeout ? .failed(.noProgress) : nil
  }
}
