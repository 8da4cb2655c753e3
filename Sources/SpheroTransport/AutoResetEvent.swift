// Wakes a task that waits, or the next one that does.

import SpheroSystem

/// Wakes one waiting task for each signal; a signal without a waiting task is kept for the next task that waits.
///
/// It carries nothing, so it is not generic: what waits in other modules costs no metadata.
/// Several tasks are woken in the order in which they wait.
package final class AutoResetEvent: Sendable {
  /// A task that waits.
  ///
  /// A class: a continuation has a size that only the runtime knows, and would make each list of them slow.
  private final class Waiter: Sendable {
    let continuation: CheckedContinuation<Void, Never>
    /// Which wait of the event it is.
    let number: Int

    init(_ continuation: CheckedContinuation<Void, Never>, number: Int) {
      (self.continuation, self.number) = (continuation, number)
    }
  }

  private struct State {
    var isSignaled = false
    var end: Result<Void, any Error>?
    var waiters: [Waiter] = []
    var count = 0

    /// Takes the signal; nil where there is none yet, false at the end.
    mutating func take() throws -> Bool? {
      if isSignaled {
        isSignaled = false
        return true
      }
      try end?.get()
      return end == nil ? nil : false
    }
  }

  private let state = Locked(State())

  /// Makes an event that is not signaled.
  package init() {}

  /// Whether it has ended; a signal that was kept may still be taken.
  package var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Wakes a task, unless the event has ended.
  package func signal() {
    let waiter = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      state.isSignaled = true
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
    }
    waiter?.continuation.resume()
  }

  /// Ends it, and wakes all who wait. Only the first end counts.
  ///
  /// - Parameter error: What the next wait throws, or nil for a plain end.
  package func finish(throwing error: (any Error)? = nil) {
    let waiters = state.withLock { state -> [Waiter] in
      if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  /// Waits for a signal.
  ///
  /// Runs where the caller does, so that nothing hops; `isolation` says so to the closures, too,
  /// which would leave the caller's actor and come back otherwise.
  ///
  /// - Parameter isolation: The actor of the caller.
  /// - Returns: True where it was signaled; false at the end.
  /// - Throws: The error of the end, or `CancellationError` where the task is cancelled before a signal.
  package func wait(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    while true {
      let (isSignaled, number) = try state.withLock { state throws in
        state.count += 1
        return (try state.take(), state.count)
      }
      if let isSignaled { return isSignaled }
      try Task.checkCancellation()
      // Until there may be something to take.
      await withTaskCancellationHandler {
        _ = isolation
        await withCheckedContinuation { continuation in
          let waiter = Waiter(continuation, number: number)
          let isReady = state.withLock { state in
            if state.isSignaled || state.end != nil || Task.isCancelled { return true }
            state.waiters.append(waiter)
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        let waiter = state.withLock { state -> Waiter? in
          guard let place = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
          return state.waiters.remove(at: place)
        }
        waiter?.continuation.resume()
      }
    }
  }
}
