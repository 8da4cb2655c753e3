// Sources of time, and the queue of their timers.

import SpheroSystem

/// A monotonic clock, and the executor of the tasks that depend on it.
public protocol TimeSource: Sendable {
  /// The time since an arbitrary start.
  var now: Duration { get }

  /// The time since the beginning of 1970 by the wall clock.
  var wallClock: Duration { get }

  /// Waits until a time of this clock.
  ///
  /// - Parameter deadline: A time of this clock; a past time returns at once.
  /// - Throws: `CancellationError`.
  func sleep(until deadline: Duration) async throws

  /// The executor of tasks that depend on this clock, or nil for the default.
  var executor: (any TaskExecutor)? { get }
}

extension TimeSource {
  /// The default executor.
  public var executor: (any TaskExecutor)? { nil }

  /// A wall clock whose zero is that of this clock.
  public var wallClock: Duration { now }

  /// Waits for a duration.
  public func sleep(for duration: Duration) async throws { try await sleep(until: now + duration) }

  /// Starts a task that depends on this clock; the caller owns it.
  package func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Waits until a count of pending bytes is zero, and returns whether it is; a cancelled task waits, too.
  ///
  /// The wait ends after a second, and after `stall` without a fall of the count.
  package func drain(stall: Duration, _ pendingCount: () -> Int) async -> Bool {
    let end = now + .seconds(1)
    var (left, lastProgress) = (pendingCount(), now)
    while left > 0, now < end, now - lastProgress < stall {
      // In another task, since a cancelled task does not sleep.
      await start { try? await sleep(for: .milliseconds(5)) }.value
      let count = pendingCount()
      if count < left { lastProgress = now }
      left = count
    }
    return left == 0
  }
}

extension TimeSource {
  /// The wall-clock time of this clock's zero.
  ///
  /// An event loop returns the same value each time, so that all times of one conversation agree to the microsecond.
  package var wallClockStart: Duration {
    if let loop = self as? EventLoop { return loop.start }
    return wallClock - now
  }

  /// Whether another source reads the same clock.
  package func sharesClock(of other: any TimeSource) -> Bool {
    if self is SystemTime || self is EventLoop { return other is SystemTime || other is EventLoop }
    // A value that is not an object is boxed for each cast, and is identical to no other.
    return self as AnyObject === other as AnyObject
  }
}

/// The system's monotonic clock, in whole microseconds.
///
/// Captures store whole microseconds. Since the clock is no finer, results that are computed from a capture
/// equal those that were computed during its recording.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now

  /// Creates the clock; all instances agree.
  public init() {}

  /// The time since the first use of the clock, rounded down.
  public var now: Duration { (ContinuousClock.now - Self.start).wholeMicroseconds }

  /// The time since the beginning of 1970 by the system's wall clock.
  public var wallClock: Duration { System.wallClock() }

  /// Waits until a time of this clock.
  public func sleep(until deadline: Duration) async throws {
    // A deadline between two microseconds has passed at the second one.
    try await ContinuousClock().sleep(until: Self.start + deadline + .nanoseconds(999))
  }
}

extension Duration {
  /// The duration in whole microseconds, towards zero.
  package var wholeMicroseconds: Duration {
    let attoseconds = attoseconds
    return Duration(attoseconds: attoseconds - attoseconds % 1_000_000_000_000)
  }
}

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
