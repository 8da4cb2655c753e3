// A signal that resumes one waiting task.

import SpheroSystem

/// Resumes one waiting task for each signal; a signal without a waiting task is kept for the next wait.
///
/// It carries no value and is not generic: waits in other modules need no metadata.
/// Several tasks are resumed in the order of their waits.
package final class AutoResetEvent: Sendable {
  /// A waiting task.
  ///
  /// A class, since a continuation has a size that only the runtime knows, which would make arrays of them slow.
  private final class Waiter: Sendable {
    let continuation: CheckedContinuation<Void, Never>
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

    /// Takes the signal; nil without a signal, false at the end.
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

  package init() {}

  /// Whether the event has ended; a kept signal can still be taken.
  package var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Resumes a waiting task, unless the event has ended.
  package func signal() {
    let waiter = state.withLock { state -> Waiter? in
      guard state.end == nil else { return nil }
      state.isSignaled = true
      return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
    }
    waiter?.continuation.resume()
  }

  /// Ends the event, and resumes all waiting tasks. Only the first end counts.
  ///
  /// - Parameter error: The error of further waits; with nil, they return false.
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
  /// Runs on the caller's actor without a change of executors; `isolation` extends that to the closures.
  ///
  /// - Returns: True after a signal; false at the end.
  /// - Throws: The error of the end; `CancellationError` where the task is cancelled before a signal.
  package func wait(isolation: isolated (any Actor)? = #isolation) async throws -> Bool {
    while true {
      let (isSignaled, number) = try state.withLock { state throws in
        state.count += 1
        return (try state.take(), state.count)
      }
      if let isSignaled { return isSignaled }
      try Task.checkCancellation()
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
          guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
          return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume()
      }
    }
  }
}
