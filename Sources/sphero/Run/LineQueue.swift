// The pending lines of a run, and the line that is being performed.

import SpheroSystem
import SpheroTransport

/// A bounded queue between the reader and the performer of lines, in which a stop overtakes all motion.
final class LineQueue: Sendable {
  /// The maximum number of pending lines; the reader of more waits.
  private static let capacity = 64

  private struct State {
    var lines: [RunLine] = []
    var current: (task: Task<Void, any Error>, isMotion: Bool)?
    var wasStopped = false
    var failure: (any Error)?
    var isHalted = false

    mutating func takeFirst() -> RunLine? { lines.isEmpty ? nil : lines.removeFirst() }
  }

  private let state = Locked(State())
  private let filled = AutoResetEvent()
  private let emptied = AutoResetEvent()

  var isFull: Bool { state.withLock { $0.lines.count >= Self.capacity } }

  /// Appends a line when the queue is not full.
  func append(_ line: RunLine) async throws {
    while isFull { guard try await emptied.wait() else { return } }
    state.withLock { if !$0.isHalted { $0.lines.append(line) } }
    filled.signal()
  }

  /// Marks the end of the input.
  func finish() { filled.finish() }

  /// Discards all lines but the current one.
  func halt() {
    state.withLock { ($0.isHalted, $0.lines) = (true, []) }
    filled.finish()
    emptied.finish()
  }

  /// Throws the error that has ended the run.
  func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

  /// Ends the run with an error: cancels the current line, and discards all others.
  func fail(_ error: any Error) {
    let task = state.withLock { state in
      state.failure = state.failure ?? error
      return state.current?.task
    }
    task?.cancel()
    filled.finish(throwing: error)
    emptied.finish(throwing: error)
  }

  /// Waits for the next line; returns nil at the end.
  func next() async throws -> RunLine? {
    while true {
      try Task.checkCancellation()
      let line = try state.withLock { state throws in
        if let failure = state.failure { throw failure }
        return state.takeFirst()
      }
      if let line {
        emptied.signal()
        return line
      }
      // A line may have been appended just before the end.
      if try await !filled.wait() { return state.withLock { $0.takeFirst() } }
    }
  }

  /// Sets the current line.
  func begin(_ task: Task<Void, any Error>, isMotion: Bool) {
    let isOver = state.withLock { state in
      (state.current, state.wasStopped) = ((task, isMotion), false)
      return state.failure != nil
    }
    if isOver { task.cancel() }
  }

  /// Ends the current line; returns whether a stop has cancelled it.
  func end() -> Bool {
    state.withLock { state in
      state.current = nil
      return state.wasStopped
    }
  }

  /// Cancels the current line and removes pending ones if they move the ball; returns the removed lines.
  func stop() -> [RunLine] {
    let (lines, task) = state.withLock { state -> ([RunLine], Task<Void, any Error>?) in
      let moving = state.current?.isMotion == true ? state.current?.task : nil
      if moving != nil { state.wasStopped = true }
      defer { state.lines.removeAll { $0.isMotion } }
      return (state.lines.filter { $0.isMotion }, moving)
    }
    task?.cancel()
    emptied.signal()
    return lines
  }
}
