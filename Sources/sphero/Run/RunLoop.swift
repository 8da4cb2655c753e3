// Performs the lines of a run, one after the other, and answers each.

import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

/// Performs the lines of a run.
final class RunLoop: Sendable {
  /// What the lines came to.
  struct Tally: Sendable {
    var lines = 0
    var failures = 0
    /// The first line that failed, and why.
    var first: (line: RunLine, failure: Failure)?
  }

  private let session: RunSession
  private let isStrict: Bool
  private let board = RunBoard()
  private let output = RunOutput()
  private let tally = Locked(Tally())

  init(_ session: RunSession, isStrict: Bool) { (self.session, self.isStrict) = (session, isStrict) }

  /// Performs lines until there are no more.
  ///
  /// - Parameter read: Gives the lines to the loop, one by one.
  /// - Returns: What they came to.
  /// - Throws: What ends the run: a link that is gone for good, an output that nobody reads, `CancellationError`.
  func run(_ read: @escaping @Sendable (RunLoop) async throws -> Void) async throws -> Tally {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await read(self)
        self.board.finish()
        return false
      }
      group.addTask {
        try await self.work()
        return true
      }
      defer { group.cancelAll() }
      // The last line ends the run, not the end of the input.
      while let isOver = try await group.next(), !isOver {}
    }
    return tally.withLock { $0 }
  }

  /// Takes a line in its turn; whoever sends more than fit is held back.
  func add(_ line: RunLine) async throws { try await board.append(line) }

  /// Takes a line that comes while others wait: a stop overtakes them.
  func addLive(_ line: RunLine) async throws {
    guard line.isStop, let verb = line.verb else { return try await add(line) }
    session.release()
    let dropped = board.stop()
    let terminal = LineOutput(line.number, output)
    do {
      try await verb.run(Terminal(line: terminal))
      for line in dropped { try await answer(line, Self.stopped) }
      try await answer(line, nil, terminal)
    } catch { try await answer(line, error, terminal) }
  }

  private static let stopped = Failure(
    .timedOut, "a stop came before it was over", advice: "Send it again after the stop.")

  // MARK: - One after the other

  private typealias Watch = (task: Task<Void, Never>, isEndless: Bool)

  private func work() async throws {
    var watches: [String: Watch] = [:]
    do {
      while let line = try await board.next() {
        try await perform(line, &watches)
      }
      for watch in watches.values where watch.isEndless || (isStrict && hasFailed) { watch.task.cancel() }
      try await end(Array(watches.values))
    } catch {
      for watch in watches.values { watch.task.cancel() }
      for watch in watches.values { await watch.task.value }
      throw error
    }
    // What a watch could not tell any more.
    try board.check()
  }

  private var hasFailed: Bool { tally.withLock { $0.failures > 0 } }

  /// Waits for the end of what is watched.
  private func end(_ watches: [Watch]) async throws {
    await withTaskCancellationHandler {
      for watch in watches { await watch.task.value }
    } onCancel: {
      for watch in watches { watch.task.cancel() }
    }
    try Task.checkCancellation()
  }

  /// Performs a line and answers it.
  private func perform(_ line: RunLine, _ watches: inout [String: Watch]) async throws {
    switch line.action {
    case .failure(let failure): try await answer(line, failure)
    case .success(.end(let type)):
      try await end(watches.removeValue(forKey: type.name), in: line)
      try await answer(line, nil)
    case .success(.verb(let verb)):
      do { try await session.robot.untilOnline() } catch is CancellationError {
        throw CancellationError()
      } catch {
        // The link is gone for good, and so is the run.
        try await answer(line, error)
        throw error
      }
      let type = Swift.type(of: verb)
      guard RunLine.watches(type) else { return try await perform(verb, of: line) }
      try await end(watches.removeValue(forKey: type.name), in: line)
      watches[type.name] = (watch(verb, of: line), Self.isEndless(verb))
    }
  }

  /// Ends what another line began.
  private func end(_ watch: Watch?, in line: RunLine) async throws {
    guard let watch else { return }
    watch.task.cancel()
    try await end([watch])
  }

  private static func isEndless(_ verb: any Subcommand) -> Bool {
    switch verb {
    case let stream as Stream: stream.bounds.count == nil && stream.bounds.time == nil
    case let collisions as Collisions: collisions.count == nil && collisions.time == nil && !collisions.tunes
    default: false
    }
  }

  /// Lets a verb go on in the background; it is answered when it ends.
  private func watch(_ verb: any Subcommand, of line: RunLine) -> Task<Void, Never> {
    let terminal = LineOutput(line.number, output)
    return Program.time.start { [self] in
      do {
        do {
          try await verb.run(Terminal(line: terminal))
          try await answer(line, nil, terminal)
        } catch  where error is CancellationError || Task.isCancelled {
          // Ended as asked.
          try await answer(line, nil, terminal)
        } catch { try await answer(line, error, terminal) }
      } catch { board.fail(error) }
    }
  }

  private func perform(_ verb: any Subcommand, of line: RunLine) async throws {
    let terminal = LineOutput(line.number, output)
    if verb is Raw || verb is MacroFile || verb is BasicFile {
      // The session does not know what they do to the ball, and would go on telling it to roll.
      if line.isMotion { await session.finish() }
    } else if line.isMotion || line.isStop {
      session.release()
    }
    let task = Task(executorPreference: Program.time) { try await verb.run(Terminal(line: terminal)) }
    board.begin(task, isMotion: line.isMotion)
    let outcome = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let wasStopped = board.end()
    try Task.checkCancellation()
    if let raw = verb as? Raw, line.isMotion { session.watch(rawMotors: raw.movesFreely) }
    if verb is MacroFile || verb is BasicFile { session.watch() }
    switch outcome {
    case .success: try await answer(line, nil, terminal)
    case .failure(let error):
      let isSuperseded = if case SessionError.superseded = error { true } else { false }
      let isStopped = wasStopped || isSuperseded
      try await answer(line, isStopped ? Self.stopped : error, terminal)
    }
  }

  // MARK: - Answers

  /// Answers a line.
  ///
  /// - Throws: What keeps answers from being read: that ends the run.
  private func answer(
    _ line: RunLine, _ error: (any Error)?, _ terminal: LineOutput? = nil
  ) async throws {
    if let error, error is OutputError || error is CancellationError { throw error }
    let failure = error.map { Failure($0) }
    let isStopped = failure?.message == Self.stopped.message
    tally.withLock { tally in
      tally.lines += 1
      // A stop is what somebody asked for.
      guard let failure, !isStopped else { return }
      tally.failures += 1
      if tally.first == nil { tally.first = (line, failure) }
    }
    if failure != nil, !isStopped, isStrict { board.halt() }
    try await (terminal ?? LineOutput(line.number, output)).answer(line.words, failure)
  }
}
