// Where time comes from: the system's clock, or one that a test moves.

import SpheroSystem

/// A clock that never runs backwards, and the executor whose tasks it times.
public protocol TimeSource: Sendable {
  /// The time since an arbitrary start.
  var now: Duration { get }

  /// The time since the beginning of 1970 by the wall clock.
  var wallClock: Duration { get }

  /// Waits until a time of this clock.
  ///
  /// - Parameter deadline: When to go on; a time gone by returns at once.
  /// - Throws: `CancellationError` where the task is cancelled meanwhile.
  func sleep(until deadline: Duration) async throws

  /// Where tasks run that depend on this clock, or nil for the default.
  var executor: (any TaskExecutor)? { get }
}

extension TimeSource {
  /// The default executor.
  public var executor: (any TaskExecutor)? { nil }

  /// A wall clock on which this clock's zero is the beginning of 1970.
  public var wallClock: Duration { now }

  /// Waits for a while.
  public func sleep(for duration: Duration) async throws { try await sleep(until: now + duration) }

  /// Starts a task that depends on this clock; whoever starts it owns it.
  package func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: executor, operation: body)
  }
}

extension TimeSource {
  /// The time of the wall clock at which this clock began.
  ///
  /// A loop returns the same each time, so that all times of one conversation agree to the microsecond.
  package var wallClockStart: Duration {
    if let loop = self as? EventLoop { return loop.start }
    return wallClock - now
  }

  /// Whether another source reads the same clock.
  package func hasClock(of other: any TimeSource) -> Bool {
    if self is SystemTime || self is EventLoop { return other is SystemTime || other is EventLoop }
    // What is not an object is boxed anew each time, and is the same as nothing.
    return self as AnyObject === other as AnyObject
  }
}

/// The system's monotonic clock, in whole microseconds.
///
/// A capture writes down whole microseconds. As there is nothing finer,
/// what is worked out from a capture is the same as what was worked out while it was made.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now

  /// Makes the clock; all of them agree.
  public init() {}

  /// The time since the first use of the clock, rounded down.
  public var now: Duration { (ContinuousClock.now - Self.start).wholeMicroseconds }

  /// The time since the beginning of 1970 by the system's wall clock.
  public var wallClock: Duration { System.wallClock() }

  /// Waits until a time of this clock.
  public func sleep(until deadline: Duration) async throws {
    // A deadline between two microseconds is over with the second one.
    try await ContinuousClock().sleep(until: Self.start + deadline + .nanoseconds(999))
  }
}

extension Duration {
  /// The duration in whole microseconds, towards zero.
  var wholeMicroseconds: Duration {
    let attoseconds = attoseconds
    return Duration(attoseconds: attoseconds - attoseconds % 1_000_000_000_000)
  }
}
