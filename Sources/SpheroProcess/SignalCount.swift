// Decides what each termination signal causes: a proper exit, nothing, or an immediate exit.

/// Counts termination signals, and decides what each of them causes.
///
/// A signal within ``window`` of the last counted one is a duplicate: `timeout` sends two,
/// one to its child and one to the process group.
package struct SignalCount: Sendable {
  package enum Decision: Hashable, Sendable {
    /// Stop the ball, then end by `signal`.
    case leave(signal: Int32)
    /// Continue: the process is ending already, or the signal is a duplicate.
    case proceed
    /// End at once, by `signal`.
    case end(signal: Int32)
  }

  /// The time in which further signals are duplicates.
  package static let window = Duration.milliseconds(500)
  /// The count at which the process ends at once.
  private static let finalCount = 3

  private var count = 0
  private var lastCounted = Duration.zero

  package init() {}

  /// Processes a signal.
  ///
  /// - Parameters:
  ///   - signal: The number, see ``TerminationSignal/counted(_:)``.
  ///   - time: The time of a monotonic clock.
  /// - Returns: The decision.
  package mutating func process(_ signal: Int32, at time: Duration) -> Decision {
    if count > 0, time - lastCounted < Self.window { return .proceed }
    count = min(count + 1, Self.finalCount)
    lastCounted = time
    return switch count {
    case 1: .leave(signal: signal)
    case Self.finalCount: .end(signal: signal)
    default: .proceed
    }
  }
}
