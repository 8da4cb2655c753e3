// Termination signals: how they cancel the program, and when a repeated one ends it.

import SpheroLibc
import SpheroSystem
import SpheroTransport

/// The signals that request the end of the process.
package enum TerminationSignal {
  /// Signals that are handled even where they were ignored.
  private static let unconditional = [SIGINT, SIGTERM, SIGQUIT]

  /// The signal that a number counts as: SIGINT for SIGQUIT, otherwise the signal itself.
  package static func counted(_ number: Int32) -> Int32 { number == SIGQUIT ? SIGINT : number }

  /// Handles SIGINT, SIGTERM, SIGHUP and SIGQUIT on a new thread.
  ///
  /// Call it before any other thread runs: the signals are blocked in every later thread.
  /// The first signal is reported; ``SignalCount`` decides which signal ends the process at once.
  ///
  /// - Parameters:
  ///   - prepare: Called on that thread before Ctrl-Z suspends the process, and may block it for a moment; with nil,
  ///     Ctrl-Z is not handled. An ignored SIGTSTP, as in a shell without job control, stays ignored.
  ///   - report: Called on that thread with the number of the first signal, SIGINT for SIGQUIT.
  package static func handleAll(
    beforeSuspension prepare: (@Sendable () -> Void)? = nil, _ report: @escaping @Sendable (Int32) -> Void
  ) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in unconditional + [SIGHUP] { unsafe sigaddset(&signals, number) }
    // First, so that no signal arrives during the check of its disposition.
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A shell starts background jobs with SIGINT and SIGQUIT ignored; Darwin drops a signal that is ignored
    // even where it is blocked.
    for number in unconditional { _ = signal(number, SIG_DFL) }
    // `nohup` starts programs with SIGHUP ignored; it stays ignored.
    if isIgnored(SIGHUP) { unsafe sigdelset(&signals, SIGHUP) }
    if prepare != nil {
      var suspension = sigset_t()
      unsafe sigemptyset(&suspension)
      unsafe sigaddset(&suspension, SIGTSTP)
      unsafe pthread_sigmask(SIG_BLOCK, &suspension, nil)
      if isIgnored(SIGTSTP) {
        unsafe pthread_sigmask(SIG_UNBLOCK, &suspension, nil)
      } else {
        unsafe sigaddset(&signals, SIGTSTP)
      }
    }
    let awaited = signals
    // The thread runs as long as the process.
    thread.withLock { $0 = try? Thread { handle(awaited, prepare, report) } }
  }

  /// Whether a signal is ignored; its disposition becomes the default otherwise.
  private static func isIgnored(_ number: Int32) -> Bool {
    let former = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    guard unsafe former == unsafeBitCast(SIG_IGN, to: Int.self) else { return false }
    _ = signal(number, SIG_IGN)
    return true
  }

  /// Suspends the process until SIGCONT.
  private static func suspend() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // `raise` delivers it to this thread, which does not continue before the process stops.
    _ = raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static func handle(
    _ signals: sigset_t, _ prepare: (() -> Void)?, _ report: (Int32) -> Void
  ) {
    var (signals, number, count) = (signals, Int32(0), SignalCount())
    while unsafe sigwait(&signals, &number) == 0 {
      if number == SIGTSTP {
        prepare?()
        suspend()
        continue
      }
      switch count.process(counted(number), at: SystemTime().now) {
      case .leave(let signal): report(signal)
      case .proceed: break
      case .end(let signal):
        TerminalScreen.restore()
        ProcessContext.end(by: signal)
      }
    }
  }

  private static let thread = Locked<Thread?>(nil)
}

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
