// Tasks that wait for times of one clock.

import SpheroSystem

/// The tasks that wait for times of one clock, in the order in which they go on.
final class Sleepers: Sendable {
  /// A task that waits.
  struct Sleeper {
    var deadline: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var sleepers: [Int: Sleeper] = [:]
    var count = 0

    /// Who goes on first; of several at the same time, who came first.
    var first: (number: Int, deadline: Duration)? {
      sleepers.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
        .map { ($0.key, $0.value.deadline) }
    }
  }

  private let state = Locked(State())

  /// When the first of them goes on; nil where nobody sleeps.
  var deadline: Duration? { state.withLock { $0.first?.deadline } }

  /// Suspends the task until it is woken.
  ///
  /// - Parameters:
  ///   - deadline: When to go on.
  ///   - onSleep: Called once the task sleeps.
  /// - Throws: `CancellationError` where the task is cancelled meanwhile.
  func sleep(until deadline: Duration, onSleep: () -> Void = {}) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { onSleep() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Takes who goes on first.
  ///
  /// - Parameter time: Who goes on later stays; nil for whoever is first.
  /// - Returns: When it goes on, and what resumes it; nil where there is nobody.
  func takeFirst(by time: Duration? = nil) -> Sleeper? {
    state.withLock { state in
      guard let first = state.first, time.map({ first.deadline <= $0 }) ?? true else { return nil }
      return state.sleepers.removeValue(forKey: first.number)
    }
  }
}
