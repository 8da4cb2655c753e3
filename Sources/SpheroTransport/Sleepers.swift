// Tasks that wait for times of one clock.

import SpheroSystem

/// The tasks that wait for times of one clock, in the order in which they go on.
final class Sleepers: Sendable {
  /// A task that waits.
  struct Sleeper {
    fileprivate var number: Int
    /// When it goes on.
    var deadline: Duration
    /// What resumes it.
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// In the order in which they go on; of several at the same time, in which they came.
    var sleepers: [Sleeper] = []
    var count = 0
  }

  private let state = Locked(State())

  /// When the first of them goes on; nil where nobody sleeps.
  var deadline: Duration? { state.withLock { $0.sleepers.first?.deadline } }

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
          let place = state.sleepers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
          state.sleepers.insert(
            Sleeper(number: number, deadline: deadline, continuation: continuation), at: place)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { onSleep() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let place = state.sleepers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.sleepers.remove(at: place)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Takes who goes on first.
  ///
  /// - Parameter time: Who goes on later stays; nil for whoever is first.
  /// - Returns: When it goes on, and what resumes it; nil where there is nobody.
  func takeFirst(by time: Duration? = nil) -> Sleeper? {
    state.withLock { state in
      guard let first = state.sleepers.first, time.map({ first.deadline <= $0 }) ?? true else { return nil }
      return state.sleepers.removeFirst()
    }
  }
}
