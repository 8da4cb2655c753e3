// Performs the lines of a run in their order, and prints an answer to each.

import SpheroProcess
import SpheroSession
import SpheroSystem
import SpheroTransport

final class RunLoop: Sendable {
  struct Tally: Sendable {
    var failures = 0
    var firstFailure: (line: RunLine, failure: Failure)?
  }

  private let session: RunSession
  private let isStrict: Bool
  private let queue = LineQueue()
  private let output = RunOutput()
  private let tally = Locked(Tally())

  init(_ session: RunSession, isStrict: Bool) { (self.session, self.isStrict) = (session, isStrict) }

  /// Performs the lines that `read` adds, until it returns and all lines are answered.
  ///
  /// Throws the `SessionError` of a link that is not restored, `OutputError` or `CancellationError`.
  func run(_ read: @escaping @Sendable (RunLoop) async throws -> Void) async throws -> Tally {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await read(self)
        self.queue.finish()
        return false
      }
      group.addTask {
        try await self.performLines()
        return true
      }
      defer { group.cancelAll() }
      // The run ends with its last line, not with the input.
      while let isOver = try await group.next(), !isOver {}
    }
    return tally.withLock { $0 }
  }

  /// Appends a line; waits while the queue is full.
  func add(_ line: RunLine) async throws { try await queue.append(line) }

  /// Appends a line of a live input, in which a stop overtakes pending lines.
  func addLive(_ line: RunLine) async throws {
    guard line.isStop, let verb = line.verb else { return try await add(line) }
    session.stopWatchdog()
    let dropped = queue.stop()
    let terminal = LineOutput(line.number, output)
    do {
      try await verb.run(Terminal(line: terminal))
      for line in dropped { try await answer(line, Self.stopped) }
      try await answer(line, nil, terminal)
    } catch { try await answer(line, error, terminal) }
  }

  private static let stopped = Failure(
    .timedOut, "a stop came before it was over", advice: "Send it again after the stop.")

  // MARK: - Performing lines

  private typealias Background = (task: Task<Void, Never>, isEndless: Bool)

  private func performLines() async throws {
    var background: [String: Background] = [:]
    do {
      while let line = try await queue.next() { try await perform(line, &background) }
      let hasFailed = tally.withLock { $0.failures > 0 }
      for verb in background.values where verb.isEndless || (isStrict && hasFailed) { verb.task.cancel() }
      try await waitForEnd(of: Array(background.values))
    } catch {
      for verb in background.values { verb.task.cancel() }
      for verb in background.values { await verb.task.value }
      throw error
    }
    // An error of a verb in the background.
    try queue.check()
  }

  private func waitForEnd(of background: [Background]) async throws {
    await withTaskCancellationHandler {
      for verb in background { await verb.task.value }
    } onCancel: {
      for verb in background { verb.task.cancel() }
    }
    try Task.checkCancellation()
  }

  private func cancel(_ verb: Background?) async throws {
    guard let verb else { return }
    verb.task.cancel()
    try await waitForEnd(of: [verb])
  }

  private func perform(_ line: RunLine, _ background: inout [String: Background]) async throws {
    switch line.action {
    case .failure(let failure): try await answer(line, failure)
    case .success(.end(let type)):
      try await cancel(background.removeValue(forKey: type.name))
      try await answer(line, nil)
    case .success(.verb(let verb)):
      do { try await session.robot.untilOnline() } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The link is lost finally, which ends the run.
        try await answer(line, error)
        throw error
      }
      let type = Swift.type(of: verb)
      guard RunLine.isBackground(type) else { return try await perform(verb, of: line) }
      // A new line replaces the same verb in the background.
      try await cancel(background.removeValue(forKey: type.name))
      background[type.name] = (start(verb, of: line), Self.isEndless(verb))
    }
  }

  private static func isEndless(_ verb: any Subcommand) -> Bool {
    switch verb {
    case let stream as Stream: stream.bounds.count == nil && stream.bounds.time == nil
    case let collisions as Collisions: collisions.count == nil && collisions.time == nil && !collisions.tunes
    default: false
    }
  }

  /// Starts a verb in the background, which is answered when it ends.
  private func start(_ verb: any Subcommand, of line: RunLine) -> Task<Void, Never> {
    let terminal = LineOutput(line.number, output)
    return Program.time.start { [self] in
      do {
        do {
          try await verb.run(Terminal(line: terminal))
          try await answer(line, nil, terminal)
        } catch  where error is CancellationError || Task.isCancelled {
          // Cancelled by a later line.
          try await answer(line, nil, terminal)
        } catch { try await answer(line, error, terminal) }
      } catch { queue.fail(error) }
    }
  }

  private func perform(_ verb: any Subcommand, of line: RunLine) async throws {
    let terminal = LineOutput(line.number, output)
    if verb is Raw || verb is MacroFile || verb is BasicFile {
      // Stops the ball first, since the session would keep renewing its last roll.
      if line.isMotion { await session.finish() }
    } else if line.isMotion || line.isStop {
      session.stopWatchdog()
    }
    let task = Task(executorPreference: Program.time) { try await verb.run(Terminal(line: terminal)) }
    queue.begin(task, isMotion: line.isMotion)
    let outcome = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let wasStopped = queue.end()
    try Task.checkCancellation()
    if let raw = verb as? Raw, line.isMotion { session.startWatchdog(rawMotors: raw.drivesRawMotors) }
    if verb is MacroFile || verb is BasicFile { session.startWatchdog() }
    switch outcome {
    case .success: try await answer(line, nil, terminal)
    case .failure(let error):
      let isSuperseded = if case SessionError.superseded = error { true } else { false }
      let isStopped = wasStopped || isSuperseded
      try await answer(line, isStopped ? Self.stopped : error, terminal)
    }
  }

  // MARK: - Answers

  /// Prints the answer to a line; rethrows errors that end the run.
  private func answer(
    _ line: RunLine, _ error: (any Error)?, _ terminal: LineOutput? = nil
  ) async throws {
    if let error, error is OutputError || error is CancellationError { throw error }
    let failure = error.map { Failure($0) }
    let isStopped = failure?.message == Self.stopped.message
    tally.withLock { tally in
      // A line that a stop has cancelled is not a failure.
      guard let failure, !isStopped else { return }
      tally.failures += 1
      if tally.firstFailure == nil { tally.firstFailure = (line, failure) }
    }
    if failure != nil, !isStopped, isStrict { queue.halt() }
    try await (terminal ?? LineOutput(line.number, output)).answer(line.words, failure)
  }
}
