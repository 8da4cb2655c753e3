// Wakes a task that waits, or the next one that does.

import SpheroSystem

/// Tells tasks that something has happened; a ring that nobody waits for is kept for the next who does.
///
/// It carries nothing, so it is not generic: what waits in other modules costs no metadata.
/// Several tasks are woken in the order in which they wait.
package final class Bell: Sendable {
  private struct State {
    var isRung = false
    var end: Result<Void, any Error>?
    var waiters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var count = 0

    /// Takes the ring; nil where there is none yet, false at the end.
    mutating func take() throws -> Bool? {
      if isRung {
        isRung = false
        return true
      }
      try end?.get()
      return end == nil ? nil : false
    }
  }

  private let state = Locked(State())

  /// Makes a bell that has not rung.
  package init() {}

  /// Whether it has ended; a ring that was kept may still be taken.
  package var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Wakes a task, unless the bell has ended.
  package func ring() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      state.isRung = true
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst().continuation
    }
    waiter?.resume()
  }

  /// Ends it, and wakes all who wait. Only the first end counts.
  ///
  /// - Parameter error: What the next wait throws, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiters = [] }
      return state.waiters.map { $0.continuation }
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for a ring.
  ///
  /// Runs where the caller does, so that nothing hops.
  ///
  /// - Returns: Whether it has rung; false at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled before it rings.
  nonisolated(nonsending) package func wait() async throws -> Bool {
    while true {
      if let isRung = try state.withLock({ state throws in try state.take() }) { return isRung }
      try Task.checkCancellation()
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      // Until there may be something to take.
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            if state.isRung || state.end != nil || Task.isCancelled { return true }
            state.waiters.append((number, continuation))
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
          guard let place = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
          return state.waiters.remove(at: place).continuation
        }
        waiter?.resume()
      }
    }
  }
}
