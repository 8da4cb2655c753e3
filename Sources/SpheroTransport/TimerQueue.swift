// The sleeping tasks of one clock, in the order of their deadlines.

import SpheroSystem

/// The sleeping tasks of one clock, in the order of their deadlines.
final class TimerQueue: Sendable {
  /// A sleeping task.
  struct Timer {
    fileprivate var number: Int
    var deadline: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    /// Ordered by deadline; equal deadlines are in the order of their calls.
    var timers: [Timer] = []
    var count = 0
  }

  private let state = Locked(State())

  /// The earliest deadline; nil where no task sleeps.
  var deadline: Duration? { state.withLock { $0.timers.first?.deadline } }

  /// Suspends the task until the owner of the queue resumes its timer; calls `onSleep` once the timer is queued.
  ///
  /// Throws `CancellationError`.
  func sleep(until deadline: Duration, onSleep: () -> Void = {}) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          let index = state.timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
          state.timers.insert(
            Timer(number: number, deadline: deadline, continuation: continuation), at: index)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { onSleep() }
      }
    } onCancel: {
      let timer = state.withLock { state -> Timer? in
        guard let index = state.timers.firstIndex(where: { $0.number == number }) else { return nil }
        return state.timers.remove(at: index)
      }
      timer?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Takes the timer with the earliest deadline, where that is not after `time`.
  func takeFirst(by time: Duration? = nil) -> Timer? {
    state.withLock { state in
      guard let first = state.timers.first, time.map({ first.deadline <= $0 }) ?? true else { return nil }
      return state.timers.removeFirst()
    }
  }
}
