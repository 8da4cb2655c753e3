// A clock that runs faster or slower than another.

public import SpheroTransport

/// A clock that runs faster or slower than another, from the time it is made.
public struct ScaledTime: TimeSource {
  private let base: any TimeSource
  private let start: Duration
  private let pace: Double

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - base: The other clock.
  ///   - pace: How many times faster this one runs, cut to 0.001...1000; 1 where it is not above 0.
  public init(_ base: any TimeSource, pace: Double) {
    (self.base, start) = (base, base.now)
    self.pace = pace > 0 && pace.isFinite ? min(max(pace, 0.001), 1_000) : 1
  }

  /// The time since the clock was made.
  public var now: Duration { (base.now - start) * pace }

  /// The executor of the other clock.
  public var executor: (any TaskExecutor)? { base.executor }

  /// Waits until a time of this clock.
  public func sleep(until deadline: Duration) async throws {
    // Rounded up, so that the time has come when the wait is over.
    try await base.sleep(until: start + deadline / pace + .nanoseconds(1))
  }
}
