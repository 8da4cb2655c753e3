// The attempts to open a port, and the takeover from another program.

import SpheroSystem
public import SpheroTransport

/// The attempts to open a device or a socket while it is busy or the robot refuses it, as it often does over RFCOMM.
public struct RetryPolicy: Sendable {
  /// The total number of attempts; it has no effect with a ``limit``.
  public var attempts: Int
  /// The wait between two attempts.
  public var pause: Duration
  /// The time within which attempts begin, also for a missing port; an attempt over a socket ends with it, too.
  ///
  /// Only the wait for an interrupted program may exceed it. With nil, ``attempts`` is the limit.
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

  /// Calls `attempt` as often as the policy permits, and as long as a takeover waits for the holder of the port; throws
  /// the error of the last attempt.
  ///
  /// An attempt receives the time at which it must end, and whether it is the first one; attempts during a takeover
  /// do not count.
  /// The timeout is that of each attempt; without a ``limit``, it is also that of all attempts together.
  /// A takeover does not interrupt another program, or a process of another user. If such a process holds the port, the
  /// call throws `LinkError.busy` at once, or waits if the policy has a limit.
  package func open<Line>(
    within timeout: Duration = .seconds(1_000_000_000), takeover: Takeover? = nil,
    holder findHolder: () -> DeviceHolder? = { nil }, time: some TimeSource,
    _ attempt: (_ end: Duration, _ isFirst: Bool) async throws -> Line
  ) async throws -> Line {
    let start = time.now
    let end = start + (limit ?? timeout)
    var (count, hasInterrupted) = (0, false)
    var busySince: Duration?
    var interrupted: Set<DeviceHolder> = []
    while true {
      let failure: LinkError
      do { return try await attempt(min(end, time.now + timeout), count == 0) } catch let error as LinkError {
        failure = error
      }
      // A holder is searched for at least once, and an interrupted one is waited for, however short the limit is.
      if case .busy(let port, _) = failure, let takeover {
        let isOver = !hasInterrupted && (limit.map { time.now - start >= $0 } ?? false)
        if busySince.map({ time.now - $0 < takeover.timeout && !isOver }) ?? true {
          busySince = busySince ?? time.now
          // A holder that is not found is ending, or a simulator is renewing its pseudo-terminal.
          if let holder = findHolder(), interrupted.insert(holder).inserted {
            let process = holder.process.processID
            if holder.process.program == takeover.program, process != System.processID, System.isOwn(process)
            {
              // Checked again, since the process may have ended since the search, and its number may be in use again.
              // Linux reuses a number only after all others, which takes longer than the time to the interrupt.
              if HolderSearch.identify(process) == holder { System.interrupt(process) }
              hasInterrupted = true
            } else {
              let failure = LinkError.busy(port, holder.process)
              guard limit != nil else { throw failure }
              onRetry?(failure)
            }
          }
          try await time.sleep(for: .milliseconds(50))
          continue
        }
        guard limit != nil else { throw failure }
      }
      count += 1
      guard permits(after: failure, count: count, elapsed: time.now - start), time.now < end else {
        throw failure
      }
      onRetry?(failure)
      try await time.sleep(for: min(pause, end - time.now))
    }
  }
}

/// The program that is interrupted to release a device, and the time limit.
///
/// A process of that program and of the same user receives SIGINT, once; if it ignores the signal, it keeps the device.
/// On systems other than Linux the holder of a device is unknown, and no process is interrupted.
public struct Takeover: Hashable, Sendable {
  /// The name of the program, as in `PortHolder.program`.
  public var program: String
  /// The maximum wait for the device.
  public var timeout: Duration

  public init(from program: String, within timeout: Duration = .seconds(5)) {
    (self.program, self.timeout) = (program, timeout)
  }
}
