// Sources of time.

import SpheroSystem

/// A monotonic clock, and the executor of the tasks that depend on it.
public protocol TimeSource: Sendable {
  /// The time since an arbitrary start.
  var now: Duration { get }

  /// The time since the beginning of 1970 by the wall clock.
  var wallClock: Duration { get }

  /// Waits until a time of this clock; a past time returns at once.
  ///
  /// - Throws: `CancellationError`.
  func sleep(until deadline: Duration) async throws

  /// The executor of tasks that depend on this clock, or nil for the default.
  var executor: (any TaskExecutor)? { get }
}

extension TimeSource {
  /// The default executor.
  public var executor: (any TaskExecutor)? { nil }

  /// The time of this clock, as if its zero were the beginning of 1970.
  public var wallClock: Duration { now }

  /// Waits for a duration.
  public func sleep(for duration: Duration) async throws { try await sleep(until: now + duration) }

  /// Starts a task that depends on this clock; the caller owns it.
  package func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: executor, operation: body)
  }

  /// Runs a body, and cancels it after a duration.
  package func run(within limit: Duration, _ body: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await body() }
      group.addTask { try? await sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Waits until a count of pending bytes is zero, even in a cancelled task; returns whether it is.
  ///
  /// The wait ends after a second, or once the count has not decreased for `stall`.
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

  /// The wall-clock time of this clock's zero.
  ///
  /// An event loop returns the same value each time, so that all times of one conversation agree to the microsecond.
  package var wallClockStart: Duration {
    if let loop = self as? EventLoop { return loop.measuredWallClockStart }
    return wallClock - now
  }

  package func sharesClock(of other: any TimeSource) -> Bool {
    if self is SystemTime || self is EventLoop { return other is SystemTime || other is EventLoop }
    // A value that is not an object is boxed for each cast, and is identical to no other.
    return self as AnyObject === other as AnyObject
  }
}

/// The system's monotonic clock, in whole microseconds.
///
/// Captures store whole microseconds, so that results of a capture equal those during its recording.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now
  /// Later deadlines wait until this one, 31 years from the start: the system's clock cannot represent all of them.
  private static let latestDeadline = Duration.seconds(1_000_000_000)

  /// Creates the clock; all instances agree.
  public init() {}

  /// The time since the first use of the clock, rounded down.
  public var now: Duration { (ContinuousClock.now - Self.start).wholeMicroseconds }

  public var wallClock: Duration { System.wallClock() }

  public func sleep(until deadline: Duration) async throws {
    // A deadline between two microseconds has passed at the second one.
    let deadline = min(deadline, Self.latestDeadline) + .nanoseconds(999)
    try await ContinuousClock().sleep(until: Self.start + deadline)
  }
}

extension Duration {
  package var wholeMicroseconds: Duration {
    let attoseconds = attoseconds
    return Duration(attoseconds: attoseconds - attoseconds % 1_000_000_000_000)
  }
}
