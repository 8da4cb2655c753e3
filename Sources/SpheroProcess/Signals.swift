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
  /// - Parameter report: Called on a thread of its own with the number of the first signal, SIGINT for SIGQUIT.
  package static func takeAll(_ report: @escaping @Sendable (Int32) -> Void) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in always + [SIGHUP] { unsafe sigaddset(&signals, number) }
    // First, so that none arrives while its disposition is looked at.
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A shell starts background jobs with SIGINT and SIGQUIT ignored; Darwin drops a signal that is ignored
    // even where it is blocked.
    for number in always { _ = signal(number, SIG_DFL) }
    // nohup leaves SIGHUP ignored, and so it stays.
    let hangUp = unsafe unsafeBitCast(signal(SIGHUP, SIG_DFL), to: Int.self)
    if unsafe hangUp == unsafeBitCast(SIG_IGN, to: Int.self) {
      _ = signal(SIGHUP, SIG_IGN)
      unsafe sigdelset(&signals, SIGHUP)
    }
    let awaited = signals
    // Lives as long as the process, like the disposition of a signal.
    thread.withLock { $0 = try? Thread { handle(awaited, report) } }
  }

  private static func handle(_ signals: sigset_t, _ report: (Int32) -> Void) {
    var (signals, number, count) = (signals, Int32(0), SignalCount())
    while unsafe sigwait(&signals, &number) == 0 {
      switch count.take(counted(number), at: SystemTime().now) {
      case .leave(let signal): report(signal)
      case .goOn: break
      case .end(let code):
        TerminalScreen.restore()
        _exit(code)
      }
    }
  }

  private static let thread = Locked<Thread?>(nil)
}
