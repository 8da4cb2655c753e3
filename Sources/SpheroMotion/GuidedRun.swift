// A guided motion: the commands that move the ball to a goal, by the position that it reports, and its errors.

package import SpheroControls
package import SpheroOrientation
package import SpheroProtocol

/// A guided motion; the owner sets ``reading``, calls ``step(roundTrip:at:)`` at ``nextStep``, and performs its result.
package struct GuidedRun: Sendable {
  package enum Goal: Sendable {
    /// A rotation in place by an angle, clockwise if it is positive.
    case turn(Angle)
    /// A rotation in place to a heading, in the shorter direction.
    case turnTo(Heading)
    /// A rotation in place towards a position.
    case turnTowards(Position)
    /// A path on the axes of the locator, or relative to the position of the ball; the speed is a fraction of full speed.
    case path(FloorPath, isRelative: Bool = false, speed: Double)

    package var name: String { if case .path = self { "path" } else { "turn" } }
  }

  package enum Action: Sendable {
    case wait
    case send(Motion.Roll)
    /// The ball is at rest at its goal.
    case arrived
    case failed(MotionError)
  }

  /// The control law of a goal; an enum, because Embedded Swift has no existentials.
  private enum ControlLaw: Sendable {
    case turn(TurnGuidance)
    case path(PathGuidance)
  }

  /// The control period on a fast link: the vendor advises at most 10 rolls per second.
  private static let period = Duration.milliseconds(100)
  /// The interval at which an unchanged command is repeated while the ball is at rest.
  private static let refreshInterval = Duration.milliseconds(300)
  /// How long the run waits for the ball to rest before it begins anyway.
  private static let restTimeout = Duration.seconds(3)
  private static let firstReadingTimeout = Duration.seconds(3)
  /// A slower ball is at rest, in cm/s.
  private static let restSpeed = 2.0

  package let goal: Goal
  /// The newest reading since ``begun``.
  package var reading: Odometry?
  /// The time at which ``step(roundTrip:at:)`` is due.
  package private(set) var nextStep: Duration
  package let begun: Duration
  /// The reading at which the control law began, when the ball was at rest.
  package private(set) var start: Odometry?
  /// In degrees or centimetres; nil for 1° or 3 cm.
  private let tolerance: Double?
  /// In seconds; nil for a limit that depends on the goal.
  private let timeLimit: Double?
  /// Nil until the ball is at rest.
  private var law: ControlLaw?
  /// The time at which the run has stopped a ball that was rolling at first.
  private var stopTime: Duration?
  private var firstStep: Duration?
  /// The heading of the next command, in degrees.
  private var heading: UInt16 = 0
  /// The last command of the control law.
  private var last: (command: Motion.Roll, time: Duration)?

  package init(_ goal: Goal, tolerance: Double? = nil, timeLimit: Duration? = nil, at now: Duration) {
    (self.goal, self.tolerance, self.timeLimit) = (goal, tolerance, timeLimit.map { $0 / .seconds(1) })
    (begun, nextStep) = (now, now)
  }

  /// Whether the control law has sent a command; the stop of a ball that was rolling does not count.
  package var hasSentGuidance: Bool { last != nil }

  /// A stop on the current heading.
  package var stop: Motion.Roll { .stop(on: heading) }

  /// Nil before the control law has begun.
  package var remaining: (value: Double, unit: String)? {
    switch law {
    case .turn(let turn): (abs(turn.remaining.degrees), "degrees")
    case .path(let path): (path.distance, "cm")
    case nil: nil
    }
  }

  /// ``remaining`` as a whole number, at least `minimum`, and its unit.
  package func remainingText(minimum: Double = 0) -> String? {
    remaining.map { remaining in
      let number = max(minimum, remaining.value.rounded())
      return "\(number.numeral) \(number == 1 && remaining.unit == "degrees" ? "degree" : remaining.unit)"
    }
  }

  /// Performs a step: waits for a reading, stops a rolling ball, waits until it is at rest, then follows the control law.
  package mutating func step(roundTrip: Duration, at now: Duration) -> Action {
    guard let reading, law != nil || isAtRest(reading, at: now) else {
      nextStep = now + .milliseconds(10)
      guard let reading else { return isLate(roundTrip: roundTrip, at: now) ? .failed(.noReadings) : .wait }
      guard stopTime == nil else { return .wait }
      (stopTime, heading) = (now, reading.heading.wholeDegrees)
      return .send(stop)
    }
    // On a slow link, at most three rolls await their responses.
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
      // A ball that rolls at its goal has less than 1 cm left; 0 cm would not explain the failure.
      return .failed(MotionError(failure, remaining: remainingText(minimum: 1) ?? ""))
    case nil: return .failed(.unusablePath)
    }
    if let last {
      let isDue =
        command.speed > 0 || reading.speed >= Self.restSpeed || now - last.time >= Self.refreshInterval
        || last.command != command
      guard isDue else { return .wait }
    }
    last = (command, now)
    return .send(command)
  }

  /// Whether the first reading is late, counted from the first step.
  private mutating func isLate(roundTrip: Duration, at now: Duration) -> Bool {
    let start = firstStep ?? now
    firstStep = start
    return now - start - roundTrip * 2 >= Self.firstReadingTimeout
  }

  private func isAtRest(_ reading: Odometry, at now: Duration) -> Bool {
    reading.speed < Self.restSpeed || stopTime.map { now - $0 >= Self.restTimeout } ?? false
  }

  /// Creates the control law of the goal; returns nil for a path that cannot begin at the position of the ball.
  private func makeLaw(from start: Odometry, roundTrip: Double) -> ControlLaw? {
    switch goal {
    case .turn(let angle): return turn(by: angle, roundTrip)
    case .turnTo(let heading): return turn(by: start.heading.turn(to: heading), roundTrip)
    case .turnTowards(let target):
      let heading = start.position.heading(to: target) ?? start.heading
      return turn(by: start.heading.turn(to: heading), roundTrip)
    case .path(let path, let isRelative, let speed):
      guard let path = path.beginning(at: start.position, isRelative: isRelative) else { return nil }
      // 10 s, and the time of a ball that rolls at a quarter of the commanded speed, as on a thick carpet. A fast ball
      // slows down for corners and the goal, so the speed counts as 0.4 at most; the minimum prevents a division by 0.
      let usual = 10 + path.length / (PathGuidance.fullSpeed * max(0.02, min(speed, 0.4)) / 4)
      return .path(
        PathGuidance(
          along: path, tolerance: tolerance ?? 3, topSpeed: speed, timeLimit: timeLimit ?? usual,
          roundTrip: roundTrip))
    }
  }

  private func turn(by angle: Angle, _ roundTrip: Double) -> ControlLaw {
    // 10 s, and the time of a rotation at 90 degrees per second.
    let usual = 10 + (angle.isFinite ? min(abs(angle.degrees) / 90, 3_600) : 0)
    return .turn(
      TurnGuidance(
        by: angle, tolerance: .degrees(tolerance ?? 1), timeLimit: timeLimit ?? usual, roundTrip: roundTrip))
  }

  /// Returns the next request of the control law; nil without a usable path.
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

/// An error that ends a guided motion; a ball that has moved has received a stop.
@nonexhaustive public enum MotionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time limit was reached first; `remaining` is the rest of the way, like `12 cm`.
  case timeout(remaining: String)
  /// The ball was sent commands to move but came no closer to its goal; `remaining` is the rest of the way.
  case noProgress(remaining: String)
  /// The robot does not report its position.
  case noReadings
  /// The path leaves the range that the locator can count.
  case unusablePath

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .timeout(let remaining): "the ball did not reach its goal in time: \(remaining) left"
    case .noProgress(let remaining): "the ball does not get closer to its goal: \(remaining) left"
    case .noReadings: "the robot does not report its position, so it was stopped"
    case .unusablePath:
      "a path has 1 to \(FloorPath.maximumPointCount - 1) places, none beyond \(Int(FloorPath.maximumCoordinate)) cm of the locator's origin"
    }
  }

  public var advice: String {
    switch self {
    case .timeout: "Allow more time or speed."
    case .noProgress: "Check whether it is blocked, held or in its charger."
    case .noReadings: "Move closer to the robot, and try again."
    case .unusablePath: "Make the path shorter, or reset the origin with Sensing.ConfigureLocator."
    }
  }

  package init(_ failure: GuidanceFailure, remaining: String) {
    switch failure {
    case .noProgress: self = .noProgress(remaining: remaining)
    case .noReadings: self = .noReadings
    case .timeout: self = .timeout(remaining: remaining)
    }
  }
}
