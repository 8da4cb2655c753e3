// Performs the lines of `sphero run` in order with one robot, and prints an answer to each.

import SpheroOrientation
import SpheroProcess
import SpheroRecording
import SpheroSession
import SpheroSystem
import SpheroTransport

final class ScriptRunner: Sendable {
  struct Tally: Sendable {
    var failures = 0
    var firstFailure: (line: RunLine, failure: Failure)?
    var discarded = 0
    /// The line number of the first stop that removed a line.
    var stopLine: Int?
  }

  private let session: RunSession
  private let isStrict: Bool
  private let queue = LineQueue()
  private let output = RunOutput()
  private let tally = Locked(Tally())

  init(_ session: RunSession, isStrict: Bool) { (self.session, self.isStrict) = (session, isStrict) }

  /// Performs the lines that `read` adds; returns when `read` has returned and all lines are answered.
  func run(_ read: @escaping @Sendable (ScriptRunner) async throws -> Void) async throws -> Tally {
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
      group.addTask {
        try await self.endWithOutput()
        return false
      }
      defer { group.cancelAll() }
      // The end of `read` does not end the run; the end of `performLines` does, even while `read` still waits.
      while let isOver = try await group.next(), !isOver {}
    }
    return tally.withLock { $0 }
  }

  /// Ends the run soon after the reader of the answers has closed the pipe, also while nothing is written.
  private func endWithOutput() async throws {
    while !StandardStream.output.isClosed { try await Program.time.sleep(for: .milliseconds(100)) }
    queue.fail(OutputError.closed)
    // Ends also the wait for a lost link, which is not a task of the queue.
    throw OutputError.closed
  }

  func add(_ line: RunLine) async throws { try await queue.append(line) }

  /// Appends a line of a live input; performs a stop at once, before the pending lines.
  func addLive(_ line: RunLine) async throws {
    guard line.isStop, let verb = line.verb else { return try await add(line) }
    session.stopWatchdog()
    let dropped = queue.stop()
    if !dropped.isEmpty {
      tally.withLock { tally in
        tally.discarded += dropped.count
        tally.stopLine = tally.stopLine ?? line.number
      }
    }
    let terminal = LineOutput(line, output)
    var failure: (any Error)?
    do { try await verb.run(Terminal(line: terminal)) } catch { failure = error }
    for line in dropped { try await answer(line, StoppedLine()) }
    try await answer(line, failure, terminal)
  }

  /// The error of a line that a stop has cancelled or removed; it does not count as a failure.
  private struct StoppedLine: Error {
    static let failure = Failure(
      .timedOut, "a stop came before it was over", advice: "Send it again after the stop.")
  }

  /// A verb that runs while later lines are performed; an endless one ends with the input.
  ///
  /// `answer` waits for the verb and prints its answer, also after the verb is cancelled.
  private typealias Background = (verb: Task<Void, any Error>, answer: Task<Void, Never>, isEndless: Bool)

  private func performLines() async throws {
    var background: [String: Background] = [:]
    do {
      while let line = try await queue.next() { try await perform(line, &background) }
      for line in background.values where line.isEndless || hasFailed { line.verb.cancel() }
      try await waitForEnd(of: Array(background.values))
    } catch {
      for line in background.values {
        line.verb.cancel()
        line.answer.cancel()
      }
      for line in background.values { await line.answer.value }
      // If the output of a verb in the background failed, its error replaces the cancellation.
      try queue.check()
      throw error
    }
    try queue.check()
  }

  private var hasFailed: Bool { (isStrict && tally.withLock { $0.failures > 0 }) || queue.hasFailed }

  /// A failure that ends the run cancels the remaining verbs.
  private func waitForEnd(of background: [Background]) async throws {
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        for line in background { group.addTask { await line.answer.value } }
        while await group.next() != nil {
          if hasFailed { for line in background { line.verb.cancel() } }
        }
      }
    } onCancel: {
      for line in background {
        line.verb.cancel()
        line.answer.cancel()
      }
    }
    try Task.checkCancellation()
  }

  private func cancel(_ line: Background?) async throws {
    guard let line else { return }
    line.verb.cancel()
    try await waitForEnd(of: [line])
  }

  private func perform(_ line: RunLine, _ background: inout [String: Background]) async throws {
    switch line.action {
    case .failure(let failure): try await answer(line, failure)
    case .success(.end(let type)):
      try await cancel(background.removeValue(forKey: type.name))
      try await answer(line, nil)
    case .success(.verb(let verb)):
      // A wait requires no robot.
      if !(verb is Pause) {
        do { try await session.robot.untilOnline() } catch  where !(error is CancellationError) {
          try await answer(line, error)
          throw error
        }
      }
      let type = Swift.type(of: verb)
      guard RunLine.isBackground(type) else { return try await perform(verb, of: line) }
      // A new line replaces the same verb in the background.
      try await cancel(background.removeValue(forKey: type.name))
      background[type.name] = start(verb, of: line)
    }
  }

  private static func isEndless(_ verb: any Subcommand) -> Bool {
    switch verb {
    case let stream as Stream: !stream.bounds.isLimited
    case let collisions as Collisions: collisions.count == nil && collisions.time == nil && !collisions.tunes
    default: false
    }
  }

  private func start(_ verb: any Subcommand, of line: RunLine) -> Background {
    let terminal = LineOutput(line, output)
    let performed = Task(executorPreference: Program.time) { try await verb.run(Terminal(line: terminal)) }
    let answered = Program.time.start { [self] in
      var failure: (any Error)?
      do { try await performed.value } catch {
        // A later line has cancelled the verb, which is not a failure.
        if !(error is CancellationError), !performed.isCancelled { failure = error }
      }
      do { try await answer(line, failure, terminal) } catch is CancellationError {} catch {
        queue.fail(error)
      }
    }
    return (performed, answered, Self.isEndless(verb))
  }

  private func perform(_ verb: any Subcommand, of line: RunLine) async throws {
    let terminal = LineOutput(line, output)
    if verb is Roll || verb is Stop {
      session.stopWatchdog()
    } else if line.isMotion {
      // The line may fail before it moves the ball, whose earlier roll would then continue.
      await session.stopEarly()
    }
    let task = queue.begin {
      Task(executorPreference: Program.time) { try await verb.run(Terminal(line: terminal)) }
    }
    guard let task else {
      try queue.check()
      return try await answer(line, StoppedLine(), terminal)
    }
    let outcome = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let wasStopped = queue.end()
    try Task.checkCancellation()
    if line.isMotion, verb is ProgramCommand || verb is Raw { session.startWatchdog() }
    do { try outcome.get() } catch {
      let isSuperseded = if case SessionError.superseded = error { true } else { false }
      return try await answer(line, wasStopped || isSuperseded ? StoppedLine() : error, terminal)
    }
    try await answer(line, nil, terminal)
  }

  /// Prints the answer to a line, and counts a failure; throws errors of the output and cancellations, which end the run.
  private func answer(
    _ line: RunLine, _ error: (any Error)?, _ terminal: LineOutput? = nil
  ) async throws {
    if let error, error is OutputError || error is CancellationError { throw error }
    let isStopped = error is StoppedLine
    let failure = isStopped ? StoppedLine.failure : error.map { Failure($0) }
    if let failure, !isStopped {
      tally.withLock { tally in
        tally.failures += 1
        if tally.firstFailure == nil { tally.firstFailure = (line, failure) }
      }
      if isStrict { queue.halt() }
    }
    try await (terminal ?? LineOutput(line, output)).answer(line.words, failure)
  }
}

/// A bounded queue of lines that wait to be performed; a stop removes those that move the ball.
final class LineQueue: Sendable {
  private struct State {
    var lines: [RunLine] = []
    /// The line in progress, which was removed from `lines`; its task is nil until ``LineQueue/begin(_:)``.
    var current: (task: Task<Void, any Error>?, isMotion: Bool)?
    /// Whether a stop has cancelled the current line.
    var wasStopped = false
    var failure: (any Error)?
    var isHalted = false

    mutating func takeFirst() -> RunLine? {
      guard !lines.isEmpty else { return nil }
      let line = lines.removeFirst()
      (current, wasStopped) = ((nil, line.isMotion), false)
      return line
    }
  }

  private let state = Locked(State())
  private let lineAvailable = AutoResetEvent()
  private let spaceAvailable = AutoResetEvent()

  /// Whether 64 lines are pending, the maximum; the reader then waits.
  var isFull: Bool { state.withLock { $0.lines.count >= 64 } }

  /// Waits until the queue is not full, and appends a line; a halted queue discards it.
  func append(_ line: RunLine) async throws {
    while isFull { guard try await spaceAvailable.wait() else { return } }
    state.withLock { if !$0.isHalted { $0.lines.append(line) } }
    lineAvailable.signal()
  }

  func finish() { lineAvailable.finish() }

  /// Discards all pending lines and all later ones; the current line continues.
  func halt() {
    state.withLock { ($0.isHalted, $0.lines) = (true, []) }
    lineAvailable.finish()
    spaceAvailable.finish()
  }

  func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Ends the run with an error: cancels the current line, and discards all others.
  func fail(_ error: any Error) {
    let task = state.withLock { state in
      state.failure = state.failure ?? error
      return state.current?.task
    }
    task?.cancel()
    lineAvailable.finish(throwing: error)
    spaceAvailable.finish(throwing: error)
  }

  func next() async throws -> RunLine? {
    while true {
      try Task.checkCancellation()
      let line = try state.withLock { state throws in
        if let failure = state.failure { throw failure }
        return state.takeFirst()
      }
      if let line {
        spaceAvailable.signal()
        return line
      }
      // A line may have been appended just before the end.
      if try await !lineAvailable.wait() { return state.withLock { $0.takeFirst() } }
    }
  }

  /// Starts the task of the current line; returns nil if a stop or an error has already cancelled the line.
  func begin(_ start: () -> Task<Void, any Error>) -> Task<Void, any Error>? {
    state.withLock { state in
      guard !state.wasStopped, state.failure == nil else { return nil }
      let task = start()
      state.current?.task = task
      return task
    }
  }

  /// Ends the current line; returns whether a stop has cancelled it.
  func end() -> Bool {
    state.withLock { state in
      state.current = nil
      return state.wasStopped
    }
  }

  /// Cancels the current line if it moves the ball, and removes and returns the pending lines that move it.
  func stop() -> [RunLine] {
    let (lines, task) = state.withLock { state -> ([RunLine], Task<Void, any Error>?) in
      let isMoving = state.current?.isMotion == true
      if isMoving { state.wasStopped = true }
      defer { state.lines.removeAll { $0.isMotion } }
      return (state.lines.filter { $0.isMotion }, isMoving ? state.current?.task : nil)
    }
    task?.cancel()
    spaceAvailable.signal()
    return lines
  }
}

/// The robot of a run, and the watchdog that stops the ball a second after a motion without a duration.
final class RunSession: Sendable {
  private let state = Locked<(robot: Robot?, watchdog: Task<Void, Never>?)>((nil, nil))
  /// The captures of the run, in which its lines record marks.
  let captures = Locked<[CaptureWriter]>([])

  func begin(_ robot: Robot) { state.withLock { $0.robot = robot } }

  var robot: Robot {
    get throws {
      guard let robot = state.withLock({ $0.robot }) else { throw SessionError.leaving }
      return robot
    }
  }

  /// Rolls until the next line that moves the ball, or until the watchdog stops it.
  func drive(_ heading: Heading, _ speed: Double) async throws {
    try Task.checkCancellation()
    try await robot.drive(heading, speed: speed)
    startWatchdog()
  }

  func startWatchdog() {
    state.withLock { state in
      state.watchdog?.cancel()
      state.watchdog = Program.time.start { [self] in
        do { try await robot.time.sleep(for: .seconds(1)) } catch { return }
        // The task stays the watchdog while it stops the ball, so that a new line that moves the ball can cancel it.
        try? await robot.stop()
        self.state.withLock { if !Task.isCancelled { $0.watchdog = nil } }
      }
    }
  }

  /// Cancels the watchdog, because a new line moves or stops the ball.
  func stopWatchdog() {
    state.withLock { state in
      state.watchdog?.cancel()
      state.watchdog = nil
    }
  }

  /// Stops the ball at once if a watchdog runs.
  func stopEarly() async {
    guard state.withLock({ $0.watchdog != nil }) else { return }
    stopWatchdog()
    // A new task, because the current one may be cancelled.
    await Program.time.start { [self] in
      guard let robot = try? robot else { return }
      // The session repeats a cancelled stop, also at its end.
      await robot.time.run(within: .milliseconds(300)) { try? await robot.stop() }
    }.value
  }
}
