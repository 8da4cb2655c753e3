// A guided motion: the commands that bring the ball to its goal, by its own readings.

package import SpheroControls
package import SpheroOrientation
package import SpheroProtocol

/// A guided motion as a value: the owner passes readings and the time, and sends the commands.
package struct GuidedRun: Sendable {
  package enum Goal: Sendable {
    /// A rotation in place, clockwise.
    case turn(Angle)
    /// A rotation in place to a heading, in the shorter direction.
    case turnTo(Heading)
    /// A rotation in place towards a position.
    case turnTowards(Position)
    /// A path on the axes of the locator, or relative to the ball, at a fraction of full speed.
    case path(FloorPath, isRelative: Bool = false, speed: Double)

    /// The name in the view of the page.
    package var name: String { if case .path = self { "path" } else { "turn" } }
  }

  /// The next action of the owner.
  package enum Action: Sendable {
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
  /// How long the guidance waits for the ball to rest.
  private static let restTimeout = Duration.seconds(3)

  package let goal: Goal
  /// The newest reading since the beginning.
  package var reading: Odometry?
  /// When ``step(roundTrip:at:)`` is due.
  package private(set) var nextStep: Duration
  package let begun: Duration
  /// The reading from which the guidance began.
  package private(set) var start: Odometry?
  /// In degrees or centimetres; nil for the usual one.
  private let tolerance: Double?
  /// In seconds; nil for one in proportion to the motion.
  private let timeLimit: Double?
  private var law: Law?
  /// The time of the first reading of a rolling ball, which is stopped first.
  private var stopStart: Duration?
  private var heading: UInt16 = 0
  private var last: (command: Motion.Roll, time: Duration)?

  package init(_ goal: Goal, tolerance: Double? = nil, timeLimit: Duration? = nil, at now: Duration) {
    (self.goal, self.tolerance, self.timeLimit) = (goal, tolerance, timeLimit.map { $0 / .seconds(1) })
    (begun, nextStep) = (now, now)
  }

  /// Whether a command was sent; later ones replace earlier ones.
  package var hasSent: Bool { last != nil }

  /// The stop on the present heading.
  package var stop: Motion.Roll { .stop(on: heading) }

  /// The remaining distance; nil before the first reading.
  package var remaining: (value: Double, unit: String)? {
    switch law {
    case .turn(let turn): (abs(turn.remaining.degrees), "degrees")
    case .path(let path): (path.distance, "cm")
    case nil: nil
    }
  }

  /// Returns the next action.
  package mutating func step(roundTrip: Duration, at now: Duration) -> Action {
    guard let reading, law != nil || isAtRest(reading, at: now) else {
      nextStep = now + .milliseconds(10)
      guard let reading, stopStart == nil else { return .wait }
      (stopStart, heading) = (now, reading.heading.wholeDegrees)
      return .send(stop)
    }
    nextStep = now + max(Self.period, roundTrip / 3)
    if law == nil {
      (start, heading) = (reading, reading.heading.wholeDegrees)
      law = makeLaw(from: reading, roundTrip: roundTrip / .seconds(1))
    }
    var command = stop
    switch stepLaw(reading, at: now / .seconds(1)) {
    case .drive(let drive):
      heading = drive.heading?.wholeDegrees ?? heading
      command = Motion.Roll(speed: drive.speedByte, heading: heading)
    case .stop: break
    case .arrived: return .arrived
    case .failed(let failure):
      // A ball at its goal that is not at rest has less than 1 cm left, which would not explain the failure.
      return .failed(
        MotionError(
          failure, remaining: remaining.map { "\(max(1, $0.value.rounded()).numeral) \($0.unit)" } ?? ""))
    case nil: return .failed(.unusablePath)
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

  private func isAtRest(_ reading: Odometry, at now: Duration) -> Bool {
    reading.speed < 2 || stopStart.map { now - $0 >= Self.restTimeout } ?? false
  }

  /// Returns nil for a path that cannot begin at the position of the ball.
  private func makeLaw(from start: Odometry, roundTrip: Double) -> Law? {
    switch goal {
    case .turn(let angle):
      // Enough for a robot that turns at 90 degrees per second.
      let usual = 10 + (angle.isFinite ? min(abs(angle.degrees) / 90, 3_600) : 0)
      return .turn(
        TurnGuidance(
          by: angle, tolerance: .degrees(tolerance ?? 1), timeLimit: timeLimit ?? usual, roundTrip: roundTrip)
      )
    case .turnTo(let heading): return turn(to: heading, roundTrip)
    case .turnTowards(let target):
      let way = Position(x: target.x - start.position.x, y: target.y - start.position.y)
      return turn(to: Heading(towardX: way.x, y: way.y) ?? start.heading, roundTrip)
    case .path(let path, let isRelative, let speed):
      guard let path = path.beginning(at: start.position, isRelative: isRelative) else { return nil }
      // Enough for a ball that rolls at a quarter of the commanded speed, as on a thick carpet.
      let usual = 10 + path.length / (PathGuidance.fullSpeed * max(0.02, min(speed, 0.4)) / 4)
      return .path(
        PathGuidance(
          along: path, tolerance: tolerance ?? 3, topSpeed: speed, timeLimit: timeLimit ?? usual,
          roundTrip: roundTrip))
    }
  }

  private func turn(to heading: Heading, _ roundTrip: Double) -> Law {
    .turn(
      TurnGuidance(
        to: heading, tolerance: .degrees(tolerance ?? 1), timeLimit: timeLimit ?? 12, roundTrip: roundTrip))
  }

  /// Returns nil without a usable path.
  private mutating func stepLaw(_ reading: Odometry, at seconds: Double) -> Guidance? {
    switch law {
    case .turn(var turn):
      defer { law = .turn(turn) }
      return turn.step(reading, at: seconds)
    case .path(var path):
      defer { law = .path(path) }
      return path.step(reading, at: seconds)
    case nil: return nil
    }
  }
}
