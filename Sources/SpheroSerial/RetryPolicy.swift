// The attempts to open a port, and the waits between them.

public import SpheroTransport

/// The attempts to open a device or a socket while it is busy or the robot refuses the connection.
///
/// Over RFCOMM, the first attempts often fail.
public struct RetryPolicy: Sendable {
  /// The total number of attempts; it has no effect with a ``limit``.
  public var attempts: Int
  /// The wait between two attempts.
  public var pause: Duration
  /// The time after which no attempt begins, and at which an attempt over a socket ends; a missing port is then
  /// waited for, too. With nil, ``attempts`` is the limit.
  public var limit: Duration?
  /// Receives the error of a failed attempt before the wait for the next one; it must return quickly.
  public var onRetry: (@Sendable (LinkError) -> Void)?
  /// Creates a policy.
  public init(attempts: Int = 5, pause: Duration = .milliseconds(750)) {
    (self.attempts, self.pause) = (attempts, pause)
  }

  /// Whether another attempt follows after `count` attempts, `elapsed` after the first one began.
  func permits(after failure: LinkError, count: Int, elapsed: Duration) -> Bool {
    guard let limit else { return failure.isTransient && count < attempts }
    let isMissing = if case .notFound = failure { true } else { false }
    return (failure.isTransient || isMissing) && elapsed < limit
  }

  /// The wait before another attempt, which is not longer than the rest of the limit.
  func pause(elapsed: Duration) -> Duration {
    limit.map { max(.zero, min(pause, $0 - elapsed)) } ?? pause
  }

  /// Calls `attempt` as often as the policy permits, each time with the time at which it must end.
  ///
  /// The timeout is that of each attempt; without a ``limit``, it is also that of all attempts together.
  package func open<Line>(
    within timeout: Duration, time: some TimeSource, _ attempt: (Duration) async throws -> Line
  ) async throws -> Line {
    let start = time.now
    let end = start + (limit ?? timeout)
    var count = 0
    while true {
      do { return try await attempt(min(end, time.now + timeout)) } catch let error as LinkError {
        count += 1
        guard permits(after: error, count: count, elapsed: time.now - start), time.now < end else {
          throw error
        }
        onRetry?(error)
      }
      try await time.sleep(for: min(pause, end - time.now))
    }
  }
}
