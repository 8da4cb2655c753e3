// Takes over the signals that ask a process to end, so that a robot is stopped first.

import SpheroSystem
import SpheroTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The signals that ask a process to end.
package enum TerminationSignal {
  /// Those that are taken even where they are ignored.
  private static let always = [SIGINT, SIGTERM, SIGQUIT]

  /// The signal as which a number counts: SIGQUIT is SIGINT, any other is itself.
  package static func counted(_ number: Int32) -> Int32 { number == SIGQUIT ? SIGINT : number }

  /// Takes over SIGINT, SIGTERM, SIGHUP and SIGQUIT.
  ///
  /// Call it before any other thread runs: the signals are blocked in every thread made later.
  /// The first signal is reported; ``SignalCount`` says which one ends the process at once.
  ///
  /// - Parameters:
  ///   - prepare: Called before Ctrl-Z suspends the process, on a thread of its own, which it may block for a moment;
  ///     nil where that does not matter. What ignores Ctrl-Z, as a shell without jobs makes it, goes on doing so.
  ///   - report: Called on that thread with the number of the first signal, SIGINT for SIGQUIT.
  package static func takeAll(
    beforeSuspension prepare: (@Sendable () -> Void)? = nil, _ report: @escaping @Sendable (Int32) -> Void
  ) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in always + [SIGHUP] { unsafe sigaddset(&signals, number) }
    // First, so that none arrives while its disposition is looked at.
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A shell starts background jobs with SIGINT and SIGQUIT ignored; Darwin drops a signal that is ignored
    // even where it is blocked.
    for number in always { _ = signal(number, SIG_DFL) }
    // nohup leaves SIGHUP ignored, and so it stays.
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
    // Lives as long as the process, like the disposition of a signal.
    thread.withLock { $0 = try? Thread { handle(awaited, prepare, report) } }
  }

  /// Whether the process was started with a signal ignored, which it then still is.
  private static func isIgnored(_ number: Int32) -> Bool {
    let former = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    guard unsafe former == unsafeBitCast(SIG_IGN, to: Int.self) else { return false }
    _ = signal(number, SIG_IGN)
    return true
  }

  /// Stops the process until it is told to go on.
  private static func suspend() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // To this thread, so that it does not run on before the process stops.
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
      switch count.take(counted(number), at: SystemTime().now) {
      case .leave(let signal): report(signal)
      case .goOn: break
      case .end(let signal):
        TerminalScreen.restore()
        ProcessContext.end(by: signal)
      }
    }
  }

  private static let thread = Locked<Thread?>(nil)
}
