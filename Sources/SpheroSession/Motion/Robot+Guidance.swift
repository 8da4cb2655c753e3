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
  /// The reading at which the ball began to turn or drive; a rolling ball is stopped first.
  public let start: Odometry
  /// The final position, at rest.
  public let end: Odometry
  /// The time from the beginning of the motion, before its stream has started, to the end.
  public let duration: Duration
  /// The distance from the goal by the robot's own readings: centimetres, or degrees of a turn.
  public let error: Double
}

extension Robot {
  /// Turns in place by an angle, measured by the robot's streamed yaw.
  ///
  /// The robot ends within the tolerance, or the turn fails. A cancellation or the loss of the link stops the ball.
  /// A stop, a newer motion command or a program inside the robot ends the turn with `SessionError.superseded(command:)`.
  ///
  /// - Parameters:
  ///   - angle: Clockwise; more than a full turn is possible. An angle that is not finite counts as 0.
  ///   - tolerance: The maximum distance from the goal at the end; at least 1 degree.
  ///   - timeLimit: The maximum time from the start position to the goal; nil for 10 s and a time in proportion to the
  ///     angle.
  /// - Returns: The start, the end and the remaining error.
  /// - Throws: `MotionError`; and as ``send(_:timeout:)``.
  @discardableResult
  public func turn(
    by angle: Angle, tolerance: Angle = .degrees(1), timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    try await guide(GuidedRun(.turn(angle), tolerance: tolerance.degrees, timeLimit: timeLimit, at: time.now))
  }

  /// Turns in place to a heading in the shorter direction, like ``turn(by:tolerance:timeLimit:)``, with the same errors.
  @discardableResult
  public func turn(
    to heading: Heading, tolerance: Angle = .degrees(1), timeLimit: Duration = .seconds(12)
  ) async throws -> GuidedMotion {
    try await guide(
      GuidedRun(.turnTo(heading), tolerance: tolerance.degrees, timeLimit: timeLimit, at: time.now))
  }

  /// Rolls straight to a position, like ``follow(_:isRelative:tolerance:speed:timeLimit:)``, with the same errors.
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
  ///   - speed: The maximum speed, 0...1 of full speed; at least 0.04, the slowest that balls roll evenly.
  ///   - timeLimit: The maximum time from the start position to the goal; nil for 10 s and a time in proportion to the
  ///     length.
  /// - Returns: The start, the end and the remaining error.
  /// - Throws: As ``turn(by:tolerance:timeLimit:)``.
  @discardableResult
  public func follow(
    _ path: FloorPath, isRelative: Bool = true, tolerance: Double = 3, speed: Double = 0.5,
    timeLimit: Duration? = nil
  ) async throws -> GuidedMotion {
    try await guide(
      GuidedRun(
        .path(path, isRelative: isRelative, speed: speed), tolerance: tolerance, timeLimit: timeLimit,
        at: time.now))
  }

  // MARK: Guidance

  private func guide(_ run: GuidedRun) async throws -> GuidedMotion {
    try Task.checkCancellation()
    guard conversation.lostAt == nil else { throw explained(.disconnected(command: Motion.Roll.name)) }
    // An earlier timed roll then ends without a stop of its own. A stop that another task requests ends this motion, also
    // before its first sample.
    conversation.claimMotion()
    let claimed = conversation.motionRequestCount
    let own = Locked(claimed)
    // After an error, a ball that has not begun to move is not stopped: a stop would turn it.
    let mayMove = { own.withLock { $0 } != claimed || !self.conversation.stops.isEmpty }
    let samples: SampleSequence = try await performMotion(
      isCurrent: { self.isNewest(own) && mayMove() },
      { try await self.samples(StreamRequest(mask: Odometry.mask), buffering: .newest(16)) })
    defer { samples.end() }
    let newest = Locked<Odometry?>(nil)
    return try await performMotion(
      isCurrent: { self.isNewest(own) && mayMove() },
      {
        // Throws the error of a stream without samples.
        for try await sample in samples {
          if let reading = Odometry(sample) { newest.withLock { $0 = reading } }
        }
        throw SessionError.leaving
      },
      { try await self.perform(run, own, by: { newest.withLock { $0 } }) })
  }

  /// Whether no motion or stop was requested after the newest request of this motion, whose number is given.
  private func isNewest(_ own: Locked<Int>) -> Bool {
    conversation.motionRequestCount <= own.withLock { $0 }
  }

  private func perform(
    _ run: GuidedRun, _ own: Locked<Int>, by newest: () -> Odometry?
  ) async throws -> GuidedMotion {
    var run = run
    /// The answer to the first roll, for which the guidance does not wait.
    var firstAnswer: PendingAnswer?
    while true {
      if let firstAnswer, firstAnswer.hasArrived { try await check(firstAnswer) }
      guard isNewest(own) else { throw SessionError.superseded(command: Motion.Roll.name) }
      run.reading = newest() ?? run.reading
      let now = time.now
      let roundTrip = statistics.roundTrip
      switch run.step(roundTrip: roundTrip.estimate, at: now) {
      case .wait: break
      case .send(let roll):
        // The next roll replaces it, so its answer is not awaited.
        let id = conversation.enqueue(try EncodedRequest(roll), timeout: roundTrip.shortTimeout, at: time.now)
        own.withLock { $0 = conversation.motionRequestCount }
        let answer = expectAnswer(to: id)
        firstAnswer = firstAnswer ?? answer
      case .arrived:
        try await confirm(run.stop, own)
        guard let start = run.start, let end = run.reading else { throw MotionError.noReadings }
        return GuidedMotion(
          start: start, end: end, duration: time.now - run.begun, error: run.remaining?.value ?? 0)
      case .failed(let error):
        // Nothing was sent, but the ball may roll by a command of another session.
        if error == .noReadings, run.reading == nil, isNewest(own) { try? stopDriving() }
        throw error
      }
      try await time.sleep(for: run.nextStep - now)
    }
  }

  /// Throws the error of a roll, unless newer ones replace it or the link has lost it.
  private func check(_ answer: PendingAnswer) async throws {
    do { try await answer.value().checkStatus(of: Motion.Roll.name) } catch SessionError.superseded {
    } catch let error as SessionError where error.isLinkError {}
  }

  /// Sends a roll until the robot confirms it, with more attempts than other commands have,
  /// because the ball rolls on without a confirmed stop.
  private func confirm(_ roll: Motion.Roll, _ own: Locked<Int>) async throws {
    for attempt in 1...4 {
      guard isNewest(own) else { throw SessionError.superseded(command: Motion.Roll.name) }
      // The number of the next request.
      own.withLock { $0 = conversation.motionRequestCount + 1 }
      do {
        // A lost stop must be repeated sooner than other commands.
        try await send(roll, timeout: attempt < 4 ? statistics.roundTrip.shortTimeout : nil)
        return
      } catch let error as SessionError where error.isLinkError && attempt < 4 {}
    }
  }
}
