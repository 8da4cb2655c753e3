// Turns in place until the robot itself says that it has turned so far.

public import SpheroOrientation

/// Turns a robot in place, by the heading that it reports.
///
///     command = start + way + correction          the way held to 120° ahead of what was turned
///     correction += what is missing               each time the robot has come to rest elsewhere
///
/// A robot that stands is told a heading, and turns to it by itself; what it does not turn is asked for once more.
/// What was turned is the sum of the shortest turns between readings: a command is never so far ahead
/// that the robot can turn by half a turn unseen.
public struct TurnGuidance: Guide {
  /// What to turn.
  private enum Goal: Hashable, Sendable {
    case by(Double)
    case to(Heading)
  }

  /// How far ahead of the robot a command may be, in degrees.
  private static let lead = 120.0
  /// How long a robot rests before that counts, in seconds, beside what the link takes.
  private static let rest = 0.25
  /// The most that is added to what is asked for, in degrees.
  private static let mostCorrection = 90.0

  private let goal: Goal
  private let tolerance: Double
  private let roundTrip: Double
  private var patience: Patience
  private var start: Heading?
  private var last: Odometry?
  /// What is to be turned, and was turned so far: degrees clockwise.
  private var (way, turned) = (0.0, 0.0)
  private var correction = 0.0
  /// Since when the robot has not turned, and where.
  private var (restStart, restPlace) = (0.0, 0.0)

  /// Creates the guidance of a turn by an angle.
  ///
  /// - Parameters:
  ///   - angle: Clockwise; more than a turn is possible. One that is not finite counts as none.
  ///   - tolerance: How far from the goal the robot may end; at least 1 degree, since robots report whole degrees.
  ///   - timeLimit: How long it may take, in seconds.
  ///   - roundTrip: How long the robot takes to answer, in seconds.
  public init(
    by angle: Angle, tolerance: Angle = .degrees(1), timeLimit: Double = 10, roundTrip: Double = 0.1
  ) {
    self.init(.by(angle.isFinite ? angle.degrees : 0), tolerance, timeLimit, roundTrip)
  }

  /// Creates the guidance of a turn to a heading, the shorter way round.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the aim.
  ///   - tolerance: How far from the goal the robot may end; at least 1 degree, since robots report whole degrees.
  ///   - timeLimit: How long it may take, in seconds.
  ///   - roundTrip: How long the robot takes to answer, in seconds.
  public init(
    to heading: Heading, tolerance: Angle = .degrees(1), timeLimit: Double = 10, roundTrip: Double = 0.1
  ) {
    self.init(.to(heading), tolerance, timeLimit, roundTrip)
  }

  private init(_ goal: Goal, _ tolerance: Angle, _ timeLimit: Double, _ roundTrip: Double) {
    self.goal = goal
    self.tolerance = clamped(tolerance.degrees, 1...180)
    self.roundTrip = clamped(roundTrip, 0...2)
    patience = Patience(limit: timeLimit, step: 2)
  }

  /// How far the robot has turned so far, in degrees clockwise.
  public var turn: Angle { .degrees(turned) }

  /// How far it has still to turn, in degrees clockwise.
  public var remaining: Angle { .degrees(way - turned) }

  /// Decides where the robot is to look.
  public mutating func step(_ reading: Odometry, at now: Double) -> Guidance {
    guard reading.time.isFinite, now.isFinite else { return .stop }
    note(reading, at: now)
    let missing = way - turned
    if let verdict = patience.verdict(
      error: abs(missing), age: now - reading.time, roundTrip: roundTrip, at: now)
    {
      return verdict
    }
    if reading.time - restStart >= Self.rest + roundTrip {
      if abs(missing) <= tolerance { return .arrived }
      correction = clamped(correction + missing, -Self.mostCorrection...Self.mostCorrection)
      restStart = now
    }
    let asked = clamped(way, (turned - Self.lead)...(turned + Self.lead)) + correction
    return .drive(Drive(heading: start?.turned(by: .degrees(asked)), speed: 0))
  }

  private mutating func note(_ reading: Odometry, at now: Double) {
    guard let last else {
      self.start = reading.heading
      last = reading
      switch goal {
      case .by(let angle): way = angle
      case .to(let heading): way = reading.heading.turn(to: heading).degrees
      }
      // What rests now has not been told to turn yet.
      restStart = now
      return
    }
    guard reading.time > last.time else { return }
    turned += last.heading.turn(to: reading.heading).degrees
    self.last = reading
    if abs(turned - restPlace) > 1 { (restStart, restPlace) = (reading.time, turned) }
  }
}
