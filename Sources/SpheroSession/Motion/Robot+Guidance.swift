// Driving by intent: a guide reads where the robot is, and the session tells the robot what the guide decides.

public import SpheroControls
import SpheroHost
public import SpheroOrientation
import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// A motion that reached its goal.
public struct GuidedMotion: Hashable, Sendable {
  /// Where the ball was.
  public let start: Odometry
  /// Where the ball is, at rest.
  public let end: Odometry
  /// How long it took.
  public let duration: Duration
  /// How far from the goal it ended, by its own readings: centimetres, or degrees of a turn.
  public let error: Double
}

extension Robot {
  /// Turns in place by an angle, by what the robot itself reports.
  ///
  /// The robot ends within a degree or so of the goal by its streamed yaw, or the turn fails.
  /// Where the task is cancelled, or the link is lost, the ball is told to stop.
  ///
  /// - Parameters:
  ///   - angle: Clockwise; more than a turn is possible.
  ///   - tolerance: How far from the goal it may end; at least 1 degree.
  ///   - timeLimit: How long it may take; nil for one that suits the angle.
  /// - Returns: How it went.
  /// - Throws: ``MotionError``; and as ``send(_:timeout:)``.
  @discardableResult
  public func turn(
    by angle: Angle, tolerance: Angle = .degrees(1), timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    // A robot that turns as slowly as 90 degrees a second is given time.
    let usual = Duration.seconds(10) + .seconds(angle.isFinite ? min(abs(angle.degrees) / 90, 3_600) : 0)
    let limit = timeLimit ?? usual
    return try await guide { _, roundTrip in
      TurnGuidance(by: angle, tolerance: tolerance, timeLimit: limit / .seconds(1), roundTrip: roundTrip)
    }
  }

  /// Turns in place to a heading, the shorter way round, by what the robot itself reports.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the aim.
  ///   - tolerance: How far from the goal it may end; at least 1 degree.
  ///   - timeLimit: How long it may take.
  /// - Returns: How it went.
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

  /// Rolls to a place and stops there, by the robot's locator.
  ///
  /// - Parameters:
  ///   - position: The place in centimetres, to the right and ahead on the axes of the locator.
  ///   - isRelative: Whether it counts from where the ball is; otherwise from the locator's origin.
  ///   - tolerance: How far from the place it may stop, in centimetres; at least 1.
  ///   - speed: The most of full speed, 0...1.
  ///   - timeLimit: How long it may take; nil for one that suits way and speed.
  /// - Returns: How it went.
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

  /// Rolls along a path and stops at its end, by the robot's locator.
  ///
  /// The ball begins where it is, and slows down for corners, which it rounds by some centimetres.
  ///
  /// - Parameters:
  ///   - path: The path in centimetres, to the right and ahead on the axes of the locator.
  ///   - isRelative: Whether it counts from where the ball is; otherwise from the locator's origin.
  ///   - tolerance: How far from the end it may stop, in centimetres; at least 1.
  ///   - speed: The most of full speed, 0...1.
  ///   - timeLimit: How long it may take; nil for one that suits way and speed.
  /// - Returns: How it went.
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
      // A ball that rolls at a quarter of what it was told, as on a thick carpet, is given time.
      let usual = 10 + path.length / (PathGuidance.fullSpeed * max(min(speed, 0.4), 0.02) / 4)
      return PathGuidance(
        along: path, tolerance: tolerance, topSpeed: speed,
        timeLimit: timeLimit.map { $0 / .seconds(1) } ?? usual, roundTrip: roundTrip)
    }
  }

  // MARK: Guidance

  /// How often a guide is asked, where the link is quick: the vendor advises at most 10 rolls a second.
  private static let guidancePeriod = Duration.milliseconds(100)
  /// After which time the same command is sent again, where the ball neither rolls nor is to roll.
  private static let guidanceRefresh = Duration.milliseconds(300)
  private static let guidanceStream = StreamRequest(mask: Odometry.mask)

  /// Lets a guide lead the ball to its goal, and stops the ball whatever happens.
  ///
  /// - Parameter make: Makes the guide of the first reading and the round trip in seconds.
  /// - Returns: How it went.
  /// - Throws: ``MotionError``; and as ``send(_:timeout:)``.
  private func guide<G: GoalGuide>(
    _ make: @escaping @Sendable (Odometry, Double) throws -> G
  ) async throws -> GuidedMotion {
    let began = time.now
    let samples = try await samples(Self.guidanceStream, buffering: .newest(16))
    defer { samples.end() }
    let (newest, notices) = (Locked<Odometry?>(nil), notices())
    do {
      return try await withThrowingTaskGroup(of: GuidedMotion?.self) { group in
        group.addTask {
          for try await sample in samples {
            if let reading = Odometry(sample) { newest.withLock { $0 = reading } }
          }
          // The program ended all streams.
          throw SessionError.leaving
        }
        group.addTask {
          try await self.untilOffline(notices)
          return nil
        }
        group.addTask { try await self.lead(make, by: { newest.withLock { $0 } }, since: began) }
        defer { group.cancelAll() }
        guard let motion = try await group.next() ?? nil else { throw SessionError.leaving }
        return motion
      }
    } catch {
      // Without waiting: the task may be cancelled.
      try? stopDriving()
      throw error
    }
  }

  private func lead<G: GoalGuide>(
    _ make: (Odometry, Double) throws -> G, by newest: () -> Odometry?, since began: Duration
  ) async throws -> GuidedMotion {
    let start = try await readingAtRest(newest)
    var guide = try make(start, roundTrip / .seconds(1))
    var last: (command: Motion.Roll, sent: Duration)?
    var (end, heading) = (start, start.heading.wholeDegrees)
    while true {
      end = newest() ?? end
      let command: Motion.Roll
      switch guide.step(end, at: time.now / .seconds(1)) {
      case .drive(let drive):
        heading = drive.heading?.wholeDegrees ?? heading
        command = Motion.Roll(speed: drive.speedByte, heading: heading)
      case .stop: command = Motion.Roll(speed: 0, heading: heading, state: .stop)
      case .arrived:
        try await confirm(Motion.Roll(speed: 0, heading: heading, state: .stop))
        return GuidedMotion(start: start, end: end, duration: time.now - began, error: guide.error)
      case .gaveUp(let failure): throw MotionError(failure, missing: guide.missing)
      }
      if let sent = last {
        let isDue = command.speed > 0 || end.speed >= 2 || time.now - sent.sent >= Self.guidanceRefresh
        if isDue || sent.command != command {
          try post(command)
          last = (command, time.now)
        }
      } else {
        // A robot that refuses to be moved says so here.
        try await confirm(command)
        last = (command, time.now)
      }
      try await time.sleep(for: max(Self.guidancePeriod, roundTrip / 3))
    }
  }

  /// The first reading of a ball that does not roll; one that does is stopped.
  private func readingAtRest(_ newest: () -> Odometry?) async throws -> Odometry {
    var first: Odometry?
    let patience = Duration.seconds(3)
    while true {
      // A stream that never begins is an error of its own.
      try await time.sleep(for: .milliseconds(10))
      guard let reading = newest() else { continue }
      if reading.speed < 2 { return reading }
      if let first {
        guard reading.time - first.time < patience / .seconds(1) else { return reading }
      } else {
        first = reading
        try await stop(reading.heading)
      }
    }
  }

  /// How long an answer takes.
  private var roundTrip: Duration { statistics.roundTrip.estimate }

  /// How long to wait for an answer: a stop that is lost must not cost the second that others may take.
  private var patience: Duration { max(roundTrip * 3, .milliseconds(250)) }

  /// Sends a roll, and waits until the robot has it, beyond the tries that other commands have:
  /// where they all fail, the ball would not stop for want of an answer.
  private func confirm(_ roll: Motion.Roll) async throws {
    for _ in 0..<3 {
      do {
        try await send(roll, timeout: patience)
        return
      } catch let error as SessionError where error.isOfLink {}
    }
    try await send(roll)
  }

  /// Sends a roll without waiting for its end: the next one takes its place.
  private func post(_ roll: Motion.Roll) throws {
    _ = conversation.enqueue(try EncodedRequest(roll), timeout: patience, at: time.now)
    flush()
  }
}

/// A guide that tells how far its goal is.
private protocol GoalGuide: Guide {
  /// How far the goal is: centimetres, or degrees.
  var error: Double { get }
  /// The same for people.
  var missing: String { get }
}

extension TurnGuidance: GoalGuide {
  var error: Double { abs(remaining.degrees) }
  var missing: String { "\(Int(error.rounded())) degrees" }
}

extension PathGuidance: GoalGuide {
  var error: Double { distance }
  var missing: String { "\(Int(error.rounded())) cm" }
}
