// Closed-loop motion: a guide computes commands from the robot's position, and the session sends them.

public import SpheroControls
import SpheroHost
import SpheroMotion
public import SpheroOrientation
import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// A motion that reached its goal.
public struct GuidedMotion: Hashable, Sendable {
  /// The first reading.
  public let start: Odometry
  /// The final position, at rest.
  public let end: Odometry
  /// The time from the first command to the end.
  public let duration: Duration
  /// The distance from the goal by the robot's own readings: centimetres, or degrees of a turn.
  public let error: Double
}

extension Robot {
  /// Turns in place by an angle, measured by the robot's streamed yaw.
  ///
  /// The robot ends within the tolerance, or the turn fails. A cancellation or the loss of the link stops the ball.
  ///
  /// - Parameters:
  ///   - angle: Clockwise; more than a full turn is possible. An angle that is not finite counts as 0.
  ///   - tolerance: The maximum distance from the goal at the end; at least 1 degree.
  ///   - timeLimit: The maximum duration; nil for one in proportion to the angle.
  /// - Returns: The start, the end and the remaining error.
  /// - Throws: `MotionError`; and as ``send(_:timeout:)``.
  @discardableResult
  public func turn(
    by angle: Angle, tolerance: Angle = .degrees(1), timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    // Enough for a robot that turns at 90 degrees per second.
    let usual = Duration.seconds(10) + .seconds(angle.isFinite ? min(abs(angle.degrees) / 90, 3_600) : 0)
    let limit = timeLimit ?? usual
    return try await guide { _, roundTrip in
      TurnGuidance(by: angle, tolerance: tolerance, timeLimit: limit / .seconds(1), roundTrip: roundTrip)
    }
  }

  /// Turns in place to a heading in the shorter direction, like ``turn(by:tolerance:timeLimit:)``.
  ///
  /// - Throws: As ``turn(by:tolerance:timeLimit:)``.
  @discardableResult
  public func turn(
    to heading: Heading, tolerance: Angle = .degrees(1), timeLimit: Duration = .seconds(12)
  ) async throws -> GuidedMotion {
    try await guide { _, roundTrip in
      TurnGuidance(
        to: heading, tolerance: tolerance, timeLimit: timeLimit / .seconds(1), roundTrip: roundTrip)
    }
  }

  /// Rolls straight to a position and stops there, like ``follow(_:isRelative:tolerance:speed:timeLimit:)``.
  ///
  /// - Throws: As ``turn(by:tolerance:timeLimit:)``.
  @discardableResult
  public func go(
    to position: Position, isRelative: Bool = true, tolerance: Double = 3, speed: Double = 0.5,
    timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    guard let path = FloorPath([position]) else { throw MotionError.unusablePath }
    return try await follow(
      path, isRelative: isRelative, tolerance: tolerance, speed: speed, timeLimit: timeLimit)
  }

  /// Rolls along a path and stops at its end, measured by the robot's locator.
  ///
  /// The path starts at the position of the ball, which slows down at corners and rounds them by some centimetres.
  ///
  /// - Parameters:
  ///   - path: The path in centimetres, to the right and ahead on the axes of the locator.
  ///   - isRelative: Whether it is relative to the ball; otherwise to the locator's origin.
  ///   - tolerance: The maximum distance from the end of the path, in centimetres; at least 1.
  ///   - speed: The maximum speed, 0...1 of full speed.
  ///   - timeLimit: The maximum duration; nil for one in proportion to the length.
  /// - Returns: The start, the end and the remaining error.
  /// - Throws: As ``turn(by:tolerance:timeLimit:)``.
  @discardableResult
  public func follow(
    _ path: FloorPath, isRelative: Bool = true, tolerance: Double = 3, speed: Double = 0.5,
    timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    try await guide { start, roundTrip in
      guard let path = path.beginning(at: start.position, isRelative: isRelative) else {
        throw MotionError.unusablePath
      }
      // Enough for a ball that rolls at a quarter of the commanded speed, as on a thick carpet.
      let usual = 10 + path.length / (PathGuidance.fullSpeed * max(min(speed, 0.4), 0.02) / 4)
      return PathGuidance(
        along: path, tolerance: tolerance, topSpeed: speed,
        timeLimit: timeLimit.map { $0 / .seconds(1) } ?? usual, roundTrip: roundTrip)
    }
  }

  // MARK: Guidance

  /// The control period on a fast link: the vendor advises at most 10 rolls per second.
  private static let guidancePeriod = Duration.milliseconds(100)
  /// The interval at which the same command is sent again while the ball is at rest.
  private static let guidanceRefresh = Duration.milliseconds(300)
  private static let guidanceStream = StreamRequest(mask: Odometry.mask)

  /// Moves the ball by the commands of a guide.
  ///
  /// `make` creates the guide from the first reading and the round trip in seconds.
  private func guide<G: GoalGuide>(
    _ make: @escaping @Sendable (Odometry, Double) throws -> G
  ) async throws -> GuidedMotion {
    let began = time.now
    let samples = try await samples(Self.guidanceStream, buffering: .newest(16))
    defer { samples.end() }
    let newest = Locked<Odometry?>(nil)
    return try await performMotion(
      {
        for try await sample in samples {
          if let reading = Odometry(sample) { newest.withLock { $0 = reading } }
        }
        throw SessionError.leaving
      },
      { try await self.runGuide(make, by: { newest.withLock { $0 } }, since: began) })
  }

  private func runGuide<G: GoalGuide>(
    _ make: (Odometry, Double) throws -> G, by newest: () -> Odometry?, since began: Duration
  ) async throws -> GuidedMotion {
    let start = try await readingAtRest(newest)
    var guide = try make(start, roundTrip / .seconds(1))
    var last: (command: Motion.Roll, sent: Duration)?
    var (end, heading) = (start, start.heading.wholeDegrees)
    while true {
      end = newest() ?? end
      var command = Motion.Roll(speed: 0, heading: heading, state: .stop)
      switch guide.step(end, at: time.now / .seconds(1)) {
      case .drive(let drive):
        heading = drive.heading?.wholeDegrees ?? heading
        command = Motion.Roll(speed: drive.speedByte, heading: heading)
      case .stop: break
      case .arrived:
        try await confirm(command)
        return GuidedMotion(start: start, end: end, duration: time.now - began, error: guide.error)
      case .failed(let failure):
        throw MotionError(failure, remaining: "\(Int(guide.error.rounded())) \(guide.unit)")
      }
      if let sent = last {
        let isDue = command.speed > 0 || end.speed >= 2 || time.now - sent.sent >= Self.guidanceRefresh
        if isDue || sent.command != command {
          try post(command)
          last = (command, time.now)
        }
      } else {
        // A robot that refuses motion reports that here.
        try await confirm(command)
        last = (command, time.now)
      }
      try await time.sleep(for: max(Self.guidancePeriod, roundTrip / 3))
    }
  }

  /// Waits for a reading of a ball at rest, which is stopped first if it rolls.
  private func readingAtRest(_ newest: () -> Odometry?) async throws -> Odometry {
    var first: Odometry?
    let maximumWait = Duration.seconds(3)
    while true {
      // Another task reports a stream without samples.
      try await time.sleep(for: .milliseconds(10))
      guard let reading = newest() else { continue }
      if reading.speed < 2 { return reading }
      if let first {
        guard reading.time - first.time < maximumWait / .seconds(1) else { return reading }
      } else {
        first = reading
        try await stop(reading.heading)
      }
    }
  }

  private var roundTrip: Duration { statistics.roundTrip.estimate }

  /// The timeout of motion commands: a lost stop must be repeated sooner than other commands.
  private var motionTimeout: Duration { max(roundTrip * 3, .milliseconds(250)) }

  /// Sends a roll until the robot confirms it, with more attempts than other commands have,
  /// because the ball rolls on without a confirmed stop.
  private func confirm(_ roll: Motion.Roll) async throws {
    for _ in 0..<3 {
      do {
        try await send(roll, timeout: motionTimeout)
        return
      } catch let error as SessionError where error.isLinkError {}
    }
    try await send(roll)
  }

  /// Sends a roll without waiting for its answer: the next one replaces it.
  private func post(_ roll: Motion.Roll) throws {
    _ = conversation.enqueue(try EncodedRequest(roll), timeout: motionTimeout, at: time.now)
    flush()
  }
}

/// A guide that reports the distance to its goal.
private protocol GoalGuide: Guide {
  /// The distance to the goal: centimetres, or degrees.
  var error: Double { get }
  var unit: String { get }
}

extension TurnGuidance: GoalGuide {
  var error: Double { abs(remaining.degrees) }
  var unit: String { "degrees" }
}

extension PathGuidance: GoalGuide {
  var error: Double { distance }
  var unit: String { "cm" }
}
