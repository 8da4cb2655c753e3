// Requests and driving of a connected robot.

public import SpheroControls
import SpheroHost
public import SpheroOrientation
public import SpheroProtocol
import SpheroSystem
import SpheroTransport

extension Robot {
  /// Sends a command and waits for its response.
  ///
  /// Commands are sent in order: 12 at once, then 12 per second, the rate that the vendor gives;
  /// see `HostSettings.commandsPerSecond`. A stop does not wait.
  /// Cancelling the task ends the wait at once; the robot may still execute a command that was sent.
  /// `timeout` applies to each attempt; nil selects that of the settings.
  ///
  /// - Throws: `SessionError`, `LinkError`, `WireError` if a value of the command is out of range,
  ///   `CancellationError`.
  @discardableResult
  public func send<C: Command>(_ command: C, timeout: Duration? = nil) async throws -> C.Response {
    try await timed(command, timeout: timeout).response
  }

  /// Sends a request that can do harm, as its type describes, if the program accepts the hazard.
  ///
  /// - Throws: As ``send(_:timeout:)``; `SessionError.hazardous` if the hazard is not accepted.
  @discardableResult
  public func send<R: HazardousCommand>(
    _ request: R, acceptingHazard: Bool, timeout: Duration? = nil
  ) async throws -> R.Response {
    guard acceptingHazard else { throw SessionError.hazardous(command: R.name, hazard: R.hazard) }
    return try await timed(request, timeout: timeout).response
  }

  /// Sends the bytes of any command without a request for an answer: errors are not reported.
  ///
  /// `payload` are the bytes between DLEN and CHK.
  /// It returns when the command was handed to the line. ``close()`` does not undo its effect.
  ///
  /// - Throws: `WireError` if the payload does not fit; `SessionError`; `LinkError` if the line is lost;
  ///   `CancellationError`.
  public func post(_ id: CommandID, payload: [UInt8]) async throws {
    try Task.checkCancellation()
    let request = try EncodedRequest(id, name: "command \(id)", payload: payload)
    let now = time.now
    _ = try await answer(
      to: attempt { conversation throws(SessionError) in try conversation.post(request, at: now) })
  }

  /// Sends the bytes of any command, once, and waits for its response of any status.
  ///
  /// `payload` are the bytes between DLEN and CHK. As after ``send(_:timeout:)``,
  /// ``close()`` stops the motion that they start, and restores the control system and the notifications.
  ///
  /// - Throws: `SessionError`, `LinkError`, `WireError`, `CancellationError`.
  public func exchange(
    _ id: CommandID, payload: [UInt8], timeout: Duration? = nil
  ) async throws -> ResponsePacket {
    let name = Catalogue.command(id)?.name ?? "command \(id)"
    return try await answer(to: try EncodedRequest(id, name: name, payload: payload), timeout: timeout)
      .packet
  }

  func timed<R: Request>(
    _ request: R, timeout: Duration? = nil, attempts: Int? = nil
  ) async throws -> (response: R.Response, answer: Conversation.Answer) {
    let answer = try await answer(to: try EncodedRequest(request), timeout: timeout, attempts: attempts)
    try answer.checkStatus(of: R.name)
    do throws(WireError) { return (try R.Response(payload: answer.packet.payload), answer) } catch {
      throw SessionError.malformed(command: R.name, error)
    }
  }

  func answer(
    to request: EncodedRequest, timeout: Duration? = nil, attempts: Int? = nil
  ) async throws -> Conversation.Answer {
    try Task.checkCancellation()
    return try await answer(
      to: conversation.enqueue(request, timeout: timeout, attempts: attempts, at: time.now))
  }

  /// Waits for the answer to a request; a cancellation of the task ends the request.
  private func answer(to id: RequestID) async throws -> Conversation.Answer {
    let answer = expectAnswer(to: id)
    do { return try await answer.value() } catch let error as CancellationError {
      conversation.cancel(id, at: time.now)
      answers[id] = nil
      flush()
      throw error
    }
  }

  /// Sends what is due, and keeps the answer to a request for a later wait.
  func expectAnswer(to id: RequestID) -> PendingAnswer {
    let answer = PendingAnswer()
    answers[id] = answer
    flush()
    return answer
  }
}

/// The answer to a request, or its error, once it has arrived.
final class PendingAnswer: Sendable {
  private let result = Locked<Result<Conversation.Answer, any Error>?>(nil)
  private let arrival = AutoResetEvent()

  var hasArrived: Bool { arrival.hasEnded }

  func complete(_ result: Result<Conversation.Answer, any Error>) {
    self.result.withLock { $0 = result }
    arrival.finish()
  }

  /// Waits for the answer; throws the error of the request, or `CancellationError` if the task is cancelled first.
  nonisolated(nonsending) func value() async throws -> Conversation.Answer {
    _ = try await arrival.wait(isolation: #isolation)
    return try (result.withLock { $0 } ?? .failure(CancellationError())).get()
  }
}

extension Conversation.Answer {
  /// Throws if the robot refused the command.
  func checkStatus(of command: String) throws(SessionError) {
    if packet.status != .ok { throw .refused(command: command, status: packet.status) }
  }
}

extension Robot {
  /// Rolls on a heading, clockwise from the aim, until the next motion command or the robot's motion timeout.
  ///
  /// The session sets that timeout to 2 s (`HostSettings.motionTimeout`) if the robot's permanent options enable it.
  /// ``drive(_:speed:)`` repeats the command until the next one.
  /// The speed is 0...1 of full speed, about 2 m/s; other values are clamped, NaN to 0.
  /// Before the first motion, the session enables the robot's stop on disconnect; ``keepRolling()`` prevents that.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func roll(_ heading: Heading, speed: Double) async throws {
    try await send(Motion.Roll(speed: speed.byte, heading: heading.wholeDegrees))
  }

  /// Rolls on a heading for a duration, then stops.
  ///
  /// Heading and speed are those of ``roll(_:speed:)``. The duration starts when the command is sent, not with its answer.
  /// The command is repeated each second, which keeps a motion timeout from stopping the ball early.
  /// Cancelling the task stops the ball at once. The loss of the link ends the roll with its error.
  /// A newer motion command, or a program inside the robot, replaces the roll, which then neither repeats nor stops it.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func roll(_ heading: Heading, speed: Double, for duration: Duration) async throws {
    try Task.checkCancellation()
    let (begun, earlier) = (time.now, conversation.newestMotion)
    let roll = EncodedRequest(valid: Motion.Roll(speed: speed.byte, heading: heading.wholeDegrees))
    let answer = expectAnswer(to: conversation.enqueue(roll, at: begun))
    let motion = conversation.newestMotion
    // A command that was not queued has not moved the ball.
    guard motion > earlier else { return try await answer.value().checkStatus(of: roll.name) }
    try await performMotion(
      isCurrent: { self.conversation.newestMotion == motion },
      { try await self.complete(roll, motion, answer, on: heading, for: duration, since: begun) })
  }

  /// Waits for the answer to a roll, repeats it until its duration is over, and stops the ball.
  private func complete(
    _ roll: EncodedRequest, _ motion: Int, _ answer: PendingAnswer, on heading: Heading,
    for duration: Duration, since begun: Duration
  ) async throws {
    var end = begun + duration
    let suspensions = suspendedMotions
    while !answer.hasArrived, time.now < end {
      await time.run(within: end - time.now) { _ = try? await answer.value() }
      try Task.checkCancellation()
      // The command may still be queued.
      end = (conversation.movedAt.flatMap { $0 >= begun ? $0 : nil } ?? time.now) + duration
    }
    // The stop below supersedes a roll whose answer is lost.
    if answer.hasArrived {
      try await answer.value().checkStatus(of: roll.name)
      // A late answer must not restart a ball that was stopped.
      if conversation.motionRequestCount == motion, time.now < end {
        conversation.repeatRoll(roll, until: end, at: time.now)
        flush()
      }
    }
    // A suspension of the process stops the ball, and ends the roll.
    while time.now < end, suspendedMotions == suspensions {
      try await time.sleep(until: min(end, time.now + .milliseconds(200)))
    }
    if conversation.newestMotion == motion { try await stop(heading) }
  }

  /// Runs the tasks of a motion until one of them returns a value; an error or the loss of the link stops the ball,
  /// unless a newer motion has replaced this one.
  func performMotion<Result: Sendable>(
    isCurrent: () -> Bool, _ tasks: (@Sendable () async throws -> Result?)...
  ) async throws -> Result {
    let notices = notices()
    do {
      return try await withThrowingTaskGroup(of: Result?.self) { group in
        for task in tasks { group.addTask { try await task() } }
        group.addTask { try await self.untilOffline(notices) }
        defer { group.cancelAll() }
        while let result = try await group.next() {
          if let result { return result }
        }
        throw SessionError.leaving
      }
    } catch {
      // Does not wait, because the task may be cancelled.
      if isCurrent() { try? stopDriving() }
      throw error
    }
  }

  /// Throws when the line is lost or the session ends; the notices begin at a time at which the line was up.
  private func untilOffline(_ notices: EventSequence<Notice>) async throws -> Never {
    for try await notice in notices where notice == .disconnected {
      throw explained(.disconnected(command: Motion.Roll.name))
    }
    throw SessionError.leaving
  }

  /// Stops the ball on a heading, ahead of all queued requests; nil selects its present one.
  ///
  /// The present heading is that of the last motion. After a program inside the robot or a motion of another session,
  /// the session measures it first, for at most 0.3 s; without an answer, it stops the ball on heading 0.
  /// A motion that another task begins meanwhile is newer than the stop, and goes on.
  /// A program inside the robot may move the ball again; ``abortPrograms()`` ends it as well.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func stop(_ heading: Heading? = nil) async throws {
    try Task.checkCancellation()
    if heading == nil { guard await prepareStop() else { return } }
    // A cancellation during the measurement does not revoke the stop.
    if Task.isCancelled { try? stopDriving() }
    try await send(Motion.Roll.stop(on: heading?.wholeDegrees ?? conversation.heading))
  }

  /// Streams the yaw until the first sample if the heading of the ball is unknown, so that a stop does not turn it.
  ///
  /// Guided motions that were requested before end at once, since they could begin during the measurement.
  /// Returns false if a newer motion has begun meanwhile.
  func prepareStop() async -> Bool {
    guard conversation.heading == nil else { return true }
    conversation.claimStop()
    let motion = conversation.newestMotion
    await time.run(within: .milliseconds(300)) {
      _ = try? await self.samples(SensorMask(.yaw), hertz: 50).next()
    }
    return conversation.newestMotion == motion
  }

  /// Stops the ball before the process is suspended, and repeats a stop that is not confirmed.
  ///
  /// After a cancellation of its task, it sends one more stop without waiting for the answer; the conversation sends another
  /// when the process resumes.
  ///
  /// - Returns: Whether the robot confirmed the stop; nil if the program had not set the ball in motion.
  package func stopMotion() async -> Bool? {
    let language = runningProgram?.run.program.language
    guard language != nil || !conversation.stops.isEmpty else { return nil }
    suspendedMotions += 1
    if let language {
      let ended = AutoResetEvent()
      suspension = ended
      defer { ended.finish() }
      runningProgram?.error = .suspended
      if await end(language.abort) { return true }
    }
    let timeout = max(statistics.roundTrip.estimate * 2, .milliseconds(100))
    // If motors may be free, each stop follows a command that switches the control system on, and may be answered
    // although that command is lost.
    while let stop = conversation.stops.last, !Task.isCancelled, !isClosed, lostAt == nil {
      do { _ = try await answer(to: stop, timeout: timeout, attempts: 10) } catch SessionError.leaving {
        // The shutdown repeats the stop.
        await mainTask?.value
        return conversation.isShutdownConfirmed
      } catch {}
    }
    guard conversation.stops.isEmpty else {
      try? stopDriving()
      return false
    }
    return true
  }

  /// Sets the motion set-point, and returns at once.
  ///
  /// For joysticks and other sources of many values: only the newest one is sent, at the pace of the link,
  /// and the last one is repeated each second while its speed is not 0; after a suspension of the host, the ball is stopped.
  /// Heading and speed are those of ``roll(_:speed:)``.
  ///
  /// Call it and ``stopDriving()`` from one task or actor: calls of several tasks arrive in any order, so that a stop may
  /// precede the value before it. A callback passes its values to that task by an `AsyncStream`.
  ///
  /// - Throws: `SessionError`; `LinkError` if the link is lost.
  public func drive(_ heading: Heading, speed: Double) throws {
    let (byte, now) = (speed.byte, time.now)
    try attempt { conversation throws(SessionError) in
      try conversation.drive(speed: byte, heading: heading.wholeDegrees, at: now)
    }
  }

  /// Ends a ``drive(_:speed:)``: stops the ball, and returns at once.
  ///
  /// - Throws: `SessionError`; `LinkError` if the link is lost.
  public func stopDriving() throws {
    let now = time.now
    try attempt { conversation throws(SessionError) in try conversation.stopDriving(at: now) }
  }

  /// Shows a colour; if `isKept`, the robot also shows it when it connects, which writes to its flash.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setColor(_ color: RGB, isKept: Bool = false) async throws {
    try await send(Lights.SetRGBLED(color, persist: isKept))
  }

  /// Shows a colour, and returns at once.
  ///
  /// For colour wheels and other sources of many values: only the newest one is sent, at the pace of the link.
  /// Call ``setColor(_:isKept:)`` after the last one to confirm it.
  public func show(_ color: RGB) {
    // A newer colour or the confirmed one follows a lost one.
    _ = conversation.enqueue(EncodedRequest(valid: Lights.SetRGBLED(color)), at: time.now)
    flush()
  }

  /// Sets the tail light to a brightness of 0...1; other values are clamped, NaN to 0.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setBackLED(brightness: Double) async throws {
    try await send(Lights.SetBackLED(fraction: brightness))
  }

  /// How long a cancelled aim waits for the answers to the commands that restore the robot.
  private static var aimCleanupTimeout: Duration { .milliseconds(300) }

  /// Turns in place, and makes the new direction heading 0 and the y axis of the locator, whose origin is then the ball.
  ///
  /// The tail light is on meanwhile. After an error or a cancellation, the robot turns back and keeps its old aim,
  /// unless the new heading 0 was already set.
  ///
  /// - Parameters:
  ///   - heading: Clockwise from the old aim; `.ahead` keeps the present direction.
  ///   - turningTime: The duration of the turn; the slowest robots need 1.5 s for half a turn.
  /// - Throws: As ``send(_:timeout:)``.
  public func aim(at heading: Heading, turningTime: Duration = .milliseconds(1_500)) async throws {
    var ring = CalibrationRing()
    var hasTurned = false
    do {
      try await perform(ring.begin(at: .ahead))
      if heading.wholeDegrees != 0 {
        hasTurned = true
        try await perform([.rotate(to: heading)])
        try await time.sleep(for: turningTime)
      }
      // A copy: the ring can be cancelled until all actions are performed.
      var ending = ring
      try await perform(ending.end())
    } catch {
      // A robot that has not turned may face another direction than heading 0.
      let cleanup = hasTurned ? ring.cancel() : [.setTailLight(isOn: false)]
      let time = time
      // A separate task, because this one may be cancelled; at once, because each may be refused or not be answered.
      await time.start {
        await time.run(within: Self.aimCleanupTimeout) {
          await withTaskGroup { actions in
            for action in cleanup { actions.addTask { try? await self.perform([action]) } }
          }
        }
      }.value
      throw error
    }
  }

  /// Performs the actions of a calibration ring in order.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func perform(_ actions: [CalibrationRing.Action]) async throws {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): try await setBackLED(brightness: isOn ? 1 : 0)
      case .rotate(let heading): try await roll(heading, speed: 0)
      case .setHeadingZero:
        try await setHeading(.ahead)
        // Firmware before 1.17 has no locator.
        do { try await send(Sensing.ConfigureLocator(x: 0, y: 0)) } catch SessionError.refused {}
      }
    }
  }
}
