// Which signals a process has got: what each of them asks for.

/// Counts the signals that ask a process to end, and decides about each.
///
/// A signal within ``window`` of the last one that counted is that one again: `timeout` sends two,
/// one to its child and one to the process group.
package struct SignalCount: Sendable {
  /// What a signal asks for.
  package enum Decision: Hashable, Sendable {
    /// Leave properly: stop the ball, then end by `signal`.
    case leave(signal: Int32)
    /// Nothing: the process is leaving already.
    case goOn
    /// End at once, by this signal.
    case end(signal: Int32)
  }

  /// How long a signal counts as the one before it.
  package static let window = Duration.milliseconds(500)
  /// The signal that ends the process at once.
  private static let last = 3

  private var count = 0
  private var lastCounted = Duration.zero

  /// Starts without signals.
  package init() {}

  /// Takes a signal.
  ///
  /// - Parameters:
  ///   - signal: The number that counts, see ``TerminationSignal/counted(_:)``.
  ///   - time: When it came, on any clock that does not run backwards.
  /// - Returns: What to do.
  package mutating func take(_ signal: Int32, at time: Duration) -> Decision {
    if count > 0, time - lastCounted < Self.window { return .goOn }
    count = min(count + 1, Self.last)
    lastCounted = time
    return switch count {
    case 1: .leave(signal: signal)
    case Self.last: .end(signal: signal)
    default: .goOn
    }
  }
}
