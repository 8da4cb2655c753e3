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

/// The system's monotonic clock.
public struct SystemTime: TimeSource {
  private static let start = ContinuousClock.now

  /// Makes the clock; all of them agree.
  public init() {}

  /// The time since the first use of the clock.
  public var now: Duration { ContinuousClock.now - Self.start }

  /// The time since the beginning of 1970 by the system's wall clock.
  public var wallClock: Duration { System.wallClock() }

  /// Waits until a time of this clock.
  public func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: Self.start + deadline)
  }
}
