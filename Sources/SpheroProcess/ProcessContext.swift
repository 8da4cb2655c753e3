// The arguments, environment, standard descriptors, signals and exit of the process.

import SpheroLibc
import SpheroSystem
import SpheroTransport

package enum ProcessContext {
  /// The value of an environment variable; nil if it is unset or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// `static` if the address of the dynamic loader (AT_BASE, 7) in the auxiliary vector is 0, otherwise `dynamic`.
  package static var linkage: String {
    #if os(Linux)
      guard let file = try? System.openFile("/proc/self/auxv") else { return "dynamic" }
      defer { System.close(file) }
      let size = MemoryLayout<UInt>.size
      let bytes = (try? System.read(file, atMost: 4_096)) ?? []
      for start in stride(from: 0, through: bytes.count - 2 * size, by: 2 * size) {
        let key = bytes[start..<(start + size)].reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
        if key == 7, bytes[(start + size)..<(start + 2 * size)].allSatisfy({ $0 == 0 }) { return "static" }
      }
    #endif
    return "dynamic"
  }

  package static var words: [String] { Array(CommandLine.arguments.dropFirst()) }

  package static func exit(_ code: Int32) -> Never { SpheroLibc.exit(code) }

  /// Ends the process by the default action of a signal that it has handled, so that a loop in a shell script ends, too.
  ///
  /// The first process of a container, to which Linux does not apply the action, exits with 128 + `number`.
  package static func end(by number: Int32) -> Never {
    var signals = System.signals([number])
    _ = signal(number, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = raise(number)
    _exit(128 + number)
  }

  /// Opens `/dev/null` at each closed standard descriptor, so that none of them becomes a robot's line, and ignores
  /// SIGPIPE and SIGXFSZ, so that a write to a closed pipe or to a file of the maximum size is an error.
  package static func prepareDescriptors() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    // If the parent process ignores it, the kernel keeps no exit status of a helper program.
    _ = signal(SIGCHLD, SIG_DFL)
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // Lost results must not count as written: a write to a read-only descriptor fails.
      _ = unsafe open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR)
    }
  }
}

/// The signals that request the end of the process, and those of its terminal.
package enum ProcessSignals {
  /// The signals that are handled even if the process started with them ignored.
  private static let unconditional = [SIGINT, SIGTERM, SIGQUIT]
  /// Ctrl-Z, the continuation of the process, and a new size of the terminal.
  private static let ofTerminal = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Handles SIGINT, SIGTERM, SIGHUP and SIGQUIT on a new thread, which reports the first signal, and which passes the
  /// signals of the terminal to an open ``TerminalScreen``.
  ///
  /// Call it before any other thread runs: the signals are blocked in every later thread.
  /// Without a screen, the thread calls `prepare`, which may block it for a moment, before Ctrl-Z suspends the process.
  /// An ignored SIGTSTP, as in a shell without job control, stays ignored.
  package static func handleAll(
    beforeSuspension prepare: (@Sendable () -> Void)? = nil, _ report: @escaping @Sendable (Int32) -> Void
  ) {
    var signals = System.signals(unconditional + [SIGHUP] + ofTerminal)
    // The signals are blocked first, so that none arrives while its disposition is checked.
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A shell starts background jobs with SIGINT and SIGQUIT ignored; Darwin drops an ignored signal even if
    // it is blocked.
    for number in unconditional { _ = signal(number, SIG_DFL) }
    // `nohup` starts programs with SIGHUP ignored; it stays ignored.
    for number in [SIGHUP, SIGTSTP] where isIgnored(number) { unsafe sigdelset(&signals, number) }
    // By default, these have no effect; Darwin would drop them. The handler is not called, since they are blocked.
    for number in [SIGCONT, SIGWINCH] { _ = signal(number) { _ in } }
    let awaited = signals
    do { try Thread { handle(awaited, prepare, report) }.detach() } catch {
      // Without a thread, the default dispositions end or suspend the process.
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Returns whether a signal is ignored; if not, sets its disposition to the default.
  private static func isIgnored(_ number: Int32) -> Bool {
    let former = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    guard unsafe former == unsafeBitCast(SIG_IGN, to: Int.self) else { return false }
    _ = signal(number, SIG_IGN)
    return true
  }

  /// Suspends the process until SIGCONT.
  static func suspend() {
    var signals = System.signals([SIGTSTP])
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
      if ofTerminal.contains(number) {
        let hasScreen = TerminalScreen.receive(number)
        // No shell can resume the process group of the session's leader, so the kernel does not suspend it.
        if number == SIGTSTP, !hasScreen, getpgrp() != getsid(0) {
          prepare?()
          suspend()
        }
        continue
      }
      switch count.process(at: SystemTime().now) {
      case .leave: report(number)
      case .proceed: break
      case .end:
        TerminalScreen.restore()
        ProcessContext.end(by: number)
      }
    }
  }
}

/// Counts termination signals, without duplicates: `timeout` signals its child and the process group.
package struct SignalCount: Sendable {
  package enum Decision: Hashable, Sendable {
    /// Stop the ball, then end by the signal.
    case leave
    /// Continue: the process is ending already, or the signal is a duplicate.
    case proceed
    /// End at once, by the signal.
    case end
  }

  /// The time after a counted signal in which further signals are duplicates.
  package static let window = Duration.milliseconds(500)
  private static let finalCount = 3

  private var count = 0
  private var lastCounted = Duration.zero

  package init() {}

  package mutating func process(at time: Duration) -> Decision {
    if count > 0, time - lastCounted < Self.window { return .proceed }
    count = min(count + 1, Self.finalCount)
    lastCounted = time
    return count == 1 ? .leave : count == Self.finalCount ? .end : .proceed
  }
}
