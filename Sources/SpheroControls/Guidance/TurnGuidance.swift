// The control law for rotations in place, by the heading that the robot reports.

public import SpheroOrientation

/// A control law that rotates a robot in place, by the heading that it reports.
///
///     command = start + clamped(goal + correction, rotated ± 120°)
///     correction += goal - rotated                 each time the robot has come to rest close to the goal
///
/// A standing robot rotates to a commanded heading by itself; the remaining error is added to the command.
/// The rotation so far, `rotated`, is the sum of the shortest turns between readings. A command is at most 120° ahead
/// of it, so that the robot does not rotate by more than half a turn between two readings.
public struct TurnGuidance: Guide {
  /// The largest lead of a command over the rotation so far, in degrees.
  private static let maximumLead = 120.0
  /// The time without rotation that counts as rest, in seconds, beyond the round trip.
  private static let restTime = 0.25
  /// The largest rotation during a rest, in degrees.
  private static let restTolerance = 1.0
  /// The largest error in degrees that is corrected; a robot with a larger one has not turned yet, or is held.
  private static let maximumShortfall = 30.0
  /// The largest correction in degrees.
  private static let maximumCorrection = 90.0

  private let tolerance: Double
  private let roundTrip: Double
  private var watchdog: Watchdog
  private var start: Heading?
  private var last: Odometry?
  /// The requested rotation and the rotation so far, in degrees clockwise.
  private let requested: Double
  private var rotated = 0.0
  private var correction = 0.0
  /// The time and the rotation since which the robot has been at rest.
  private var (restStart, restRotation) = (0.0, 0.0)

  /// Creates the guidance for a clockwise rotation by an angle, which may exceed a turn; 0 if it is not finite.
  ///
  /// The tolerance at the goal is at least 1 degree, because robots report whole degrees.
  /// The time limit and the round-trip time of the link are in seconds.
  public init(
    by angle: Angle, tolerance: Angle = .degrees(1), timeLimit: Double = 10, roundTrip: Double = 0.1
  ) {
    requested = angle.isFinite ? angle.degrees : 0
    self.tolerance = clamped(tolerance.degrees, 1...180)
    self.roundTrip = clamped(roundTrip, 0...2)
    watchdog = Watchdog(limit: timeLimit, step: 2)
  }

  /// The remaining rotation, clockwise.
  public var remaining: Angle { .degrees(requested - rotated) }

  public mutating func step(_ reading: Odometry, at now: Double) -> Guidance {
    guard reading.time.isFinite, now.isFinite else { return .stop }
    update(reading, at: now)
    let error = requested - rotated
    if let verdict = watchdog.verdict(
      error: abs(error), age: now - reading.time, roundTrip: roundTrip, at: now)
    {
      return verdict
    }
    // A robot that has passed the goal needs no further lead.
    if correction * error < 0 { correction = 0 }
    if reading.time - restStart >= Self.restTime + roundTrip {
      if abs(error) <= tolerance { return .arrived }
      if abs(error) <= Self.maximumShortfall {
        correction = clamped(correction + error, -Self.maximumCorrection...Self.maximumCorrection)
      }
      restStart = now
    }
    let command = clamped(
      requested + correction, (rotated - Self.maximumLead)...(rotated + Self.maximumLead))
    return .drive(Drive(heading: start?.turned(by: .degrees(command)), speed: 0))
  }

  private mutating func update(_ reading: Odometry, at now: Double) {
    guard let last else {
      self.start = reading.heading
      last = reading
      // The robot has not received a command yet.
      restStart = now
      return
    }
    guard reading.time > last.time else { return }
    rotated += last.heading.turn(to: reading.heading).degrees
    self.last = reading
    if abs(rotated - restRotation) > Self.restTolerance {
      (restStart, restRotation) = (reading.time, rotated)
    }
  }
}
