// A guided motion of the page: the commands that bring the ball to its goal, by its own readings.

import SpheroControls
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A guided motion as a value: the owner passes readings and the time, and sends the commands.
struct GuidedRun: Sendable {
  enum Goal: Sendable {
    /// A rotation in place, clockwise.
    case turn(Angle)
    /// A rotation in place towards a position.
    case turnTowards(Position)
    /// A path on the axes of the locator, at a fraction of full speed.
    case path(FloorPath, speed: Double)

    /// The name in the view.
    var name: String {
      switch self {
      case .turn, .turnTowards: "turn"
      case .path: "path"
      }
    }
  }

  /// The next action of the owner.
  enum Action: Sendable {
    case wait
    case send(Motion.Roll)
    /// The ball is at rest at its goal.
    case arrived
    case failed(MotionError)
  }

  /// The guide of a goal; Embedded Swift has no existentials.
  private enum Law: Sendable {
    case turn(TurnGuidance)
    case path(PathGuidance)
  }

  /// The control period on a fast link: the vendor advises at most 10 rolls per second.
  private static let period = Duration.milliseconds(100)
  /// The interval at which the same command is sent again while the ball is at rest.
  private static let refreshInterval = Duration.milliseconds(300)
  /// How long the guidance waits for the first reading, and then for the ball to rest.
  private static let startTimeout = Duration.seconds(3)

  let goal: Goal
  /// The newest reading since the beginning.
  var reading: Odometry?
  /// When ``step(roundTrip:at:)`` is due.
  private(set) var nextStep: Duration
  private let start: Duration
  private var law: Law?
  /// The time of the first reading of a rolling ball, which is stopped first.
  private var stopStart: Duration?
  private var heading: UInt16 = 0
  private var last: (command: Motion.Roll, time: Duration)?

  init(_ goal: Goal, at now: Duration) { (self.goal, nextStep, start) = (goal, now, now) }

  /// Whether a command was sent: the first one must reach the robot, and later ones replace each other.
  var hasSent: Bool { last != nil }

  /// The remaining distance; nil before the first reading.
  var remaining: (value: Double, unit: String)? {
    switch law {
    case .turn(let turn): (abs(turn.remaining.degrees), "degrees")
    case .path(let path): (path.distance, "cm")
    case nil: nil
    }
  }

  /// Returns the next action.
  mutating func step(roundTrip: Duration, at now: Duration) -> Action {
    nextStep = now + max(Self.period, roundTrip / 3)
    guard let reading else {
      return now - start < Self.startTimeout ? .wait : .failed(.noReadings)
    }
    if law == nil {
      if let action = waitForRest(reading, at: now) { return action }
      heading = reading.heading.wholeDegrees
      guard let law = makeLaw(from: reading, roundTrip: roundTrip / .seconds(1)) else {
        return .failed(.unusablePath)
      }
      self.law = law
    }
    var command = Motion.Roll(speed: 0, heading: heading, state: .stop)
    switch stepLaw(reading, at: now / .seconds(1)) {
    case .drive(let drive):
      heading = drive.heading?.wholeDegrees ?? heading
      command = Motion.Roll(speed: drive.speedByte, heading: heading)
    case .stop: break
    case .arrived: return .arrived
    case .failed(let failure):
      return .failed(
        MotionError(failure, remaining: remaining.map { "\(Int($0.value.rounded())) \($0.unit)" } ?? ""))
    }
    if let last {
      let isDue =
        command.speed > 0 || reading.speed >= 2 || now - last.time >= Self.refreshInterval
        || last.command != command
      guard isDue else { return .wait }
    }
    last = (command, now)
    return .send(command)
  }

  /// Stops a rolling ball first; nil once the guidance can begin.
  private mutating func waitForRest(_ reading: Odometry, at now: Duration) -> Action? {
    guard reading.speed >= 2 else { return nil }
    guard let stopStart else {
      stopStart = now
      return .send(Motion.Roll(speed: 0, heading: reading.heading.wholeDegrees, state: .stop))
    }
    return now - stopStart < Self.startTimeout ? .wait : nil
  }

  /// Returns nil for a path that cannot begin at the position of the ball.
  private func makeLaw(from start: Odometry, roundTrip: Double) -> Law? {
    switch goal {
    case .turn(let angle):
      // Enough for a robot that turns at 90 degrees per second.
      return .turn(
        TurnGuidance(by: angle, timeLimit: 10 + abs(angle.degrees) / 90, roundTrip: roundTrip))
    case .turnTowards(let target):
      let way = Position(x: target.x - start.position.x, y: target.y - start.position.y)
      return .turn(
        TurnGuidance(
          to: Heading(towardX: way.x, y: way.y) ?? start.heading, timeLimit: 12, roundTrip: roundTrip))
    case .path(let path, let speed):
      guard let path = path.beginning(at: start.position, isRelative: false) else { return nil }
      // Enough for a ball that rolls at a quarter of the commanded speed, as on a thick carpet.
      let slowest = PathGuidance.fullSpeed * max(min(speed, 0.4), 0.02) / 4
      return .path(
        PathGuidance(
          along: path, topSpeed: speed, timeLimit: 10 + path.length / slowest, roundTrip: roundTrip))
    }
  }

  private mutating func stepLaw(_ reading: Odometry, at seconds: Double) -> Guidance {
    switch law {
    case .turn(var turn):
      defer { law = .turn(turn) }
      return turn.step(reading, at: seconds)
    case .path(var path):
      defer { law = .path(path) }
      return path.step(reading, at: seconds)
    case nil: return .stop
    }
  }
}
