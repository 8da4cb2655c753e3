// The lines that wait in a run, and the one that is under way.

import SpheroSystem
import SpheroTransport

/// The lines that wait: a bounded queue in which a stop overtakes all that moves the ball.
struct RunQueue: Sendable {
  /// The most lines that wait; whoever sends more is held back.
  static let capacity = 64

  private(set) var lines: [RunLine] = []

  var hasRoom: Bool { lines.count < Self.capacity }

  mutating func append(_ line: RunLine) { lines.append(line) }
  mutating func takeFirst() -> RunLine? { lines.isEmpty ? nil : lines.removeFirst() }

  /// Takes out what would move the ball, since a stop overtakes it.
  mutating func takeMotion() -> [RunLine] {
    defer { lines.removeAll { $0.isMotion } }
    return lines.filter { $0.isMotion }
  }
}

/// Between whoever reads lines and whoever performs them.
final class RunBoard: Sendable {
  private struct State {
    var queue = RunQueue()
    var current: (task: Task<Void, any Error>, isMotion: Bool)?
    var wasStopped = false
    var failure: (any Error)?
    /// Whether no line is performed any more.
    var isHalted = false
  }

  private let state = Locked(State())
  private let filled = AutoResetEvent()
  private let emptied = AutoResetEvent()

  /// Adds a line once there is room.
  func append(_ line: RunLine) async throws {
    while !state.withLock({ $0.queue.hasRoom }) { guard try await emptied.wait() else { return } }
    state.withLock { if !$0.isHalted { $0.queue.append(line) } }
    filled.signal()
  }

  /// No more lines come.
  func finish() { filled.finish() }

  /// Lets no line be performed after the one that is under way.
  func halt() {
    state.withLock { ($0.isHalted, $0.queue) = (true, RunQueue()) }
    filled.finish()
    emptied.finish()
  }

  /// Throws what has ended the run.
  func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

  /// Ends the run: what is under way ends at once, and no line is performed any more.
  func fail(_ error: any Error) {
    let task = state.withLock { state in
      state.failure = state.failure ?? error
      return state.current?.task
    }
    task?.cancel()
    filled.finish(throwing: error)
    emptied.finish(throwing: error)
  }

  /// Waits for the next line; nil at the end.
  func next() async throws -> RunLine? {
    while true {
      try Task.checkCancellation()
      let line = try state.withLock { state throws in
        if let failure = state.failure { throw failure }
        return state.queue.takeFirst()
      }
      if let line {
        emptied.signal()
        return line
      }
      // A line may have come in front of the end.
      if try await !filled.wait() { return state.withLock { $0.queue.takeFirst() } }
    }
  }

  /// Notes what is under way.
  func begin(_ task: Task<Void, any Error>, isMotion: Bool) {
    let isOver = state.withLock { state in
      (state.current, state.wasStopped) = ((task, isMotion), false)
      return state.failure != nil
    }
    if isOver { task.cancel() }
  }

  /// Notes that it is over.
  ///
  /// - Returns: Whether a stop ended it.
  func end() -> Bool {
    state.withLock { state in
      state.current = nil
      return state.wasStopped
    }
  }

  /// Ends whatever moves the ball, now and later.
  ///
  /// - Returns: The lines that will not be performed.
  func stop() -> [RunLine] {
    let (lines, task) = state.withLock { state -> ([RunLine], Task<Void, any Error>?) in
      let moving = state.current?.isMotion == true ? state.current?.task : nil
      if moving != nil { state.wasStopped = true }
      return (state.queue.takeMotion(), moving)
    }
    task?.cancel()
    emptied.signal()
    return lines
  }
}
