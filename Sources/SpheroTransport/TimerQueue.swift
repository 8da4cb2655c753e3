// The timers of one clock, in the order of their deadlines.

import SpheroSystem

/// The tasks that wait for times of one clock, in the order of their deadlines.
final class TimerQueue: Sendable {
  /// A task that waits.
  struct Timer {
    fileprivate var number: Int
    /// When it goes on.
    var deadline: Duration
    /// What resumes it.
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// In the order in which they go on; of several at the same time, in which they came.
    var timers: [Timer] = []
    var count = 0
  }

  private let state = Locked(State())

  /// The earliest deadline; nil where no task waits.
  var deadline: Duration? { state.withLock { $0.timers.first?.deadline } }

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
          let place = state.timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
          state.timers.insert(
            Timer(number: number, deadline: deadline, continuation: continuation), at: place)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { onSleep() }
      }
    } onCancel: {
      let timer = state.withLock { state -> Timer? in
        guard let place = state.timers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.timers.remove(at: place)
      }
      timer?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Takes the timer with the earliest deadline.
  ///
  /// - Parameter time: The latest deadline that counts; nil for any.
  /// - Returns: The timer; nil where there is none.
  func takeFirst(by time: Duration? = nil) -> Timer? {
    state.withLock { state in
      guard let first = state.timers.first, time.map({ first.deadline <= $0 }) ?? true else { return nil }
      return state.timers.removeFirst()
    }
  }
}
