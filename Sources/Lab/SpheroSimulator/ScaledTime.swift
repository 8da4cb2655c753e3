// A clock with a rate relative to another clock.

public import SpheroTransport

/// A clock that starts at zero and runs faster or slower than another.
public final class ScaledTime: TimeSource {
  private let base: any TimeSource
  private let start: Duration
  private let wallStart: Duration
  private let pace: Double

  /// `pace` is the rate relative to the other clock, clamped to 0.001...1000; 1 if it is not above 0, or infinite.
  public init(_ base: any TimeSource, pace: Double) {
    (self.base, start, wallStart) = (base, base.now, base.wallClock)
    self.pace = pace > 0 && pace.isFinite ? min(max(pace, 0.001), 1_000) : 1
  }

  /// The time since the clock was created, in whole microseconds, rounded down.
  public var now: Duration { ((base.now - start) * pace).wholeMicroseconds }

  /// The wall-clock time at the creation of the clock, plus the time since then by this clock.
  public var wallClock: Duration { wallStart + now }

  public var executor: (any TaskExecutor)? { base.executor }

  public func sleep(until deadline: Duration) async throws {
    // Rounded up to a microsecond: the wait must not end before the deadline.
    try await base.sleep(until: start + (deadline + .nanoseconds(999)) / pace + .nanoseconds(1))
  }
}
