// Programs that run inside the robot: their upload, start, supervision and end.

import SpheroHost
public import SpheroProtocol
import SpheroSystem
import SpheroTransport

/// An error that ends a program inside the robot early.
@nonexhaustive public enum ProgramRunError: Error, Hashable, Sendable {
  /// The time limit was reached, and the program was aborted.
  case timeLimitExceeded
  /// The process was suspended, which aborts the program.
  case suspended
  /// Another request aborted the program, such as ``Robot/abortPrograms()`` or another ``Robot/run(_:timeLimit:inputs:onPrint:)``.
  case aborted
  /// The line of orbBasic with this number ended the program.
  case stopped(line: UInt16, OrbBasic.ErrorCode)
}

extension ProgramRunError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message). \(advice)" }

  /// What went wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .timeLimitExceeded: "the program did not end in time, and was aborted"
    case .suspended: "the program of the robot was aborted, because this process was suspended"
    case .aborted: "another request aborted the program"
    case .stopped(let line, let error):
      "the program ended with an error in the line numbered \(line): \(error.name)"
    }
  }

  /// The next step.
  public var advice: String {
    switch self {
    case .timeLimitExceeded: "Allow more time, or see whether it can end at all."
    case .suspended: "Start it again."
    case .aborted: "Run one program at a time."
    case .stopped(_, .badParameter):
      "Correct that line: headings are 0...359, speeds and the parts of a colour 0...255."
    case .stopped: "Correct that line."
    }
  }
}

struct RunningProgram {
  var run: ProgramRun
  /// The number of its motion; a larger one belongs to a newer motion.
  var motion: Int
  /// The reason why it ended early; only the first one counts.
  var error: ProgramRunError? { didSet { error = oldValue ?? error } }
  /// Signals that the robot runs it, and identifies it.
  let started = AutoResetEvent()
}

extension Robot {
  /// The timeout of each attempt to end a program; it is short, because a cancelled task waits for several attempts.
  private static var endTimeout: Duration { .milliseconds(100) }
  /// The time before each value for `input`, which allows the program to reach that statement.
  private static var inputDelay: Duration { .milliseconds(200) }

  /// Runs a macro until it ends.
  ///
  /// A running macro is aborted first. The flags `markEnd` and `stopOnDisconnect` are added: the robot reports the end, and
  /// stops if the link drops. After a cancellation, the time limit or an error, the session aborts the macro and stops
  /// the ball. A ball that rolls at the end of the macro is stopped by ``close()``.
  ///
  /// - Parameters:
  ///   - macro: The macro.
  ///   - storage: The memory for it; nil for the temporary macro, or a stream if it has more than 1 KB.
  ///   - timeLimit: The maximum duration since the first request; nil for no limit.
  ///   - onMarker: Receives the markers, except that of the end.
  /// - Throws: ``ProgramRunError``; `WireError` if the macro does not fit; `SessionError.refused(command:status:)` with
  ///   `Status.failedToExecute` if a macro with its number is stored already; as ``send(_:timeout:)``;
  ///   the errors of `onMarker`.
  public func run(
    _ macro: Macro, as storage: Macro.Storage? = nil, timeLimit: Duration? = nil,
    onMarker: @escaping @Sendable (Macros.Marker) async throws -> Void = { _ in }
  ) async throws {
    try await perform(EncodedProgram(macro, as: storage), timeLimit, onMarker: onMarker)
  }

  /// Runs a program in BASIC until it ends.
  ///
  /// A running program is aborted first. A robot reports errors but no normal end, for which the session polls.
  /// After a cancellation, the time limit or an error, the session aborts the program and stops the ball.
  /// A program that moves the ball continues after a lost link, unless it contains the statement `basflg 8`.
  /// A ball that rolls at the end of the program is stopped by ``close()``, which also aborts a macro that it has started.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - timeLimit: The maximum duration since the first request; nil for no limit.
  ///   - inputs: The values for `input`, each sent 200 ms or more after the start and after the previous one. A robot ignores
  ///     a value while no `input` waits, and does not report which statement it executes.
  ///   - onPrint: Receives the output of the program.
  /// - Throws: ``ProgramRunError``; as ``send(_:timeout:)``; the errors of `onPrint`.
  public func run(
    _ program: OrbBasicProgram, timeLimit: Duration? = nil,
    inputs: AsyncStream<Int32> = AsyncStream { $0.finish() },
    onPrint: @escaping @Sendable (OrbBasic.PrintMessage) async throws -> Void = { _ in }
  ) async throws {
    try await perform(EncodedProgram(program), timeLimit, inputs: inputs, onPrint: onPrint)
  }

  /// Stops the ball, and aborts the macro and the program in BASIC that the robot runs, whichever session started them.
  ///
  /// The ball is stopped at once and again after the aborts, since a program may move it until then, and the control
  /// system is switched on. Only the last stop must be confirmed, unless a newer motion or stop replaces it: the firmware
  /// may lack a language, and a program may reserve the motors for itself.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func abortPrograms() async throws {
    runningProgram?.error = .aborted
    do {
      // None waits for the answer to another one, which may be lost. Any answer ends an abort: firmware of API 1.20 has
      // another, and a robot without a macro may answer like one that cannot abort it (`Docs/Protocol.md`).
      async let macro = answer(to: ProgramLanguage.macro.abort)
      async let basic = answer(to: ProgramLanguage.basic.abort)
      do { try await stop() } catch SessionError.refused {} catch SessionError.superseded {}
      _ = try await (macro, basic)
      do { try await stop() } catch SessionError.superseded {}
    } catch {
      // The ball may roll on if the answer to an abort was lost. The task may be cancelled, so the stop is not awaited.
      try? stopDriving()
      throw error
    }
  }

  private func submit(_ inputs: AsyncStream<Int32>, after started: AutoResetEvent) async throws {
    _ = try await started.wait()
    for await value in inputs {
      try await time.sleep(for: Self.inputDelay)
      // A lost or refused value does not discard the later ones.
      do { try await send(OrbBasic.SubmitInput(value: value)) } catch is SessionError {}
    }
  }

  /// Starts a program and waits for its end; if anything else ends the wait, the program is aborted.
  private func perform(
    _ program: EncodedProgram, _ timeLimit: Duration?,
    inputs: AsyncStream<Int32> = AsyncStream { $0.finish() },
    onMarker: @escaping @Sendable (Macros.Marker) async throws -> Void = { _ in },
    onPrint: @escaping @Sendable (OrbBasic.PrintMessage) async throws -> Void = { _ in }
  ) async throws {
    try Task.checkCancellation()
    let events = timedEvents()
    // The first request of this program aborts one of its own language.
    if let older = runningProgram?.run.program.language, older != program.language {
      _ = conversation.enqueue(older.abort, at: time.now)
      flush()
    }
    let running = RunningProgram(
      run: ProgramRun(program, at: time.now), motion: conversation.newestMotion)
    runningProgram = running
    let started = running.started
    defer {
      if runningProgram?.started === started {
        runningProgram = nil
        conversation.programEnded(program.language, at: time.now)
        flush()
      }
    }
    do {
      let isOver = Locked(false)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        let time = time
        group.addTask {
          // The end of the program cancels this task. It reports no errors; the other tasks report those of the link.
          async let _: Void = self.submit(inputs, after: started)
          for try await timed in events {
            switch await self.output(of: timed, started) {
            case .end(.stopped(let line, let error)): throw ProgramRunError.stopped(line: line, error)
            // A suspension aborts the program, and its stop is still to come.
            case .end(.aborted): throw await self.earlyEnd(of: started) ?? ProgramRunError.aborted
            case .end: return true
            case .marker(let marker): try await onMarker(marker)
            case .print(let text): try await onPrint(text)
            case nil: break
            }
          }
          if isOver.withLock({ $0 }) { return true }
          // The session ends before the program.
          throw await self.earlyEnd(of: started) ?? SessionError.leaving
        }
        group.addTask {
          try await self.supervise(started, mayRoll: program.mayRoll)
          // A slow callback still receives the buffered events.
          isOver.withLock { $0 = true }
          events.mailbox.finish()
          return false
        }
        if let timeLimit {
          group.addTask {
            try await time.sleep(for: timeLimit)
            guard isOver.withLock({ $0 }) else { throw ProgramRunError.timeLimitExceeded }
            return false
          }
        }
        defer { group.cancelAll() }
        while let isDone = try await group.next(), !isDone {}
        if let error = earlyEnd(of: started) { throw error }
      }
    } catch {
      switch error {
      // Another program may run by now.
      case ProgramRunError.stopped, ProgramRunError.aborted: throw error
      default:
        guard let running = runningProgram, running.started === started else { throw error }
        let isNewest = conversation.newestMotion <= running.motion
        // The program may still move the ball after a newer motion has ended.
        let stops = isNewest || conversation.stops.isEmpty
        // The stop before a suspension must not be replaced by this one.
        if case ProgramRunError.suspended = error { _ = try? await suspension?.wait() }
        // A separate task, because this one may be cancelled.
        _ = await time.start { await self.end(program.language.abort, stops: stops) }.value
      }
      throw error
    }
  }

  /// The reason why a program ended early; a newer program has aborted it.
  private func earlyEnd(of started: AutoResetEvent) -> ProgramRunError? {
    runningProgram?.started === started ? runningProgram?.error : .aborted
  }

  private func output(of timed: TimedEvent<EventPacket>, _ started: AutoResetEvent) -> ProgramRun.Output? {
    guard let running = runningProgram, running.started === started else { return nil }
    return running.run.output(of: timed.event, at: timed.arrival)
  }

  /// Transfers a program, starts it and polls for its end.
  private func supervise(_ started: AutoResetEvent, mayRoll: Bool) async throws {
    while true {
      // A transfer must not start a program after it was aborted.
      if let error = earlyEnd(of: started) { throw error }
      guard let request = runningProgram?.run.step(at: time.now) else {
        try await time.sleep(until: runningProgram?.run.nextStep ?? time.now)
        continue
      }
      var end: ProgramRun.End?
      if request.effect?.moves == true {
        runningProgram?.motion = conversation.motionRequestCount + 1
        motionOfProgram = mayRoll ? conversation.motionRequestCount + 1 : nil
      }
      let result: Result<ResponsePacket, SessionError>
      do { result = .success(try await answer(to: request).packet) } catch let error as SessionError {
        result = .failure(error)
      }
      guard runningProgram?.started === started else { throw ProgramRunError.aborted }
      switch result {
      case .success(let response): end = runningProgram?.run.handle(response, at: time.now)
      case .failure(let error):
        end = runningProgram?.run.handle(error, lastArrival: conversation.lastArrival, at: time.now)
      }
      if runningProgram?.run.isRunning == true { started.signal() }
      switch end {
      case .failed(let error): throw error
      case .completed, .stopped, .aborted:
        // The last events may still be in transit to the task that reports them.
        return try await time.sleep(for: .milliseconds(50))
      case nil: break
      }
    }
  }

  /// Aborts a program inside the robot, and stops the ball unless a newer motion moves it.
  ///
  /// It waits for a few attempts only; the conversation repeats an abort without an answer.
  ///
  /// - Returns: Whether the robot has answered both.
  @discardableResult func end(_ abort: EncodedRequest, stops: Bool = true) async -> Bool {
    // A lost line takes neither; on a reopened one, both follow the handshake.
    guard !isClosed, !conversation.isOffline else { return false }
    // The stop follows the abort, but does not wait for its answer, which the output of the program may delay.
    // The abort is not cancelled with this task.
    let abortion = expectAnswer(
      to: conversation.enqueue(abort, timeout: Self.endTimeout, at: time.now))
    // A motion that another caller has begun meanwhile continues.
    let stops = stops ? await prepareStop() : false
    var isStopped = stops ? await isAnswered(stopOnHeading) : true
    let mayHaveMoved = conversation.mayRunAbortedProgram
    let motion = conversation.newestMotion
    let isAborted = (try? await abortion.value()) != nil
    if stops, mayHaveMoved, conversation.newestMotion == motion {
      isStopped = await isAnswered(stopOnHeading)
    }
    // The abort of a macro that the program has started may be unanswered.
    return isStopped && isAborted && !conversation.mayRunAbortedProgram
  }

  private func isAnswered(_ stop: EncodedRequest) async -> Bool {
    do { _ = try await answer(to: stop, timeout: Self.endTimeout) } catch {
      if case SessionError.timedOut = error { try? stopDriving() }
      return false
    }
    return true
  }

  var stopOnHeading: EncodedRequest { EncodedRequest(valid: Motion.Roll.stop(on: conversation.heading)) }
}
