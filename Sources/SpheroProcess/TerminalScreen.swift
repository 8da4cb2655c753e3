// The whole screen of a terminal, for programs that draw on it; the terminal is put back whatever happens.

import SpheroSystem
package import SpheroTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why there is no screen to draw on.
package enum ScreenError: Error, Hashable {
  /// The standard output is not a terminal.
  case noTerminal
  /// No keys can be read: neither the standard input nor the process has a terminal.
  case noKeyboard
  /// The terminal cannot place a cursor: TERM is `dumb` or not set.
  case dumb
  /// A system call failed.
  case failed(reason: String)
}

/// The screen of the terminal, as long as somebody draws on it.
///
/// While it is open, each key comes at once and without echo, the cursor is hidden, and what the terminal showed before
/// waits behind an alternate screen. Ctrl-C stays a signal, so it ends a program that hangs, too; Ctrl-Z suspends it,
/// and with `fg` the screen is there again.
///
///     try await TerminalScreen.use(on: loop, wantsMouse: true) { screen in
///       var printer = CanvasPrinter(colors: depth)
///       while let happenings = try await screen.happenings.receive() {
///         for happening in happenings {
///           switch happening {
///           case .bytes(let bytes, let time): …     // for a decoder of keys and mouse events
///           case .redraw: printer.forget()          // another size, or back from the background
///           case .ended: return                     // the terminal has gone
///           }
///         }
///         let (width, height) = screen.size
///         try await screen.write(printer.update(to: draw(width, height)))
///       }
///     }
///
/// The terminal is restored where the body returns or throws, where it is cancelled by a signal,
/// where repeated signals end the process at once, and before the process is suspended.
/// There is one screen at a time. Remarks that come meanwhile are held back: see ``hold(_:)``.
package final class TerminalScreen: Sendable {
  /// What comes from the terminal.
  package enum Happening: Hashable, Sendable {
    /// Bytes of keys and of the mouse, with the time at which they were read.
    case bytes([UInt8], at: Duration)
    /// The size may have changed, or something else was on the screen: draw everything.
    case redraw
    /// The person wants to suspend the process, which waits for ``TerminalScreen/suspend()``.
    case suspends
    /// The terminal has gone.
    case ended
  }

  /// Bytes and changes, as they come; the newest 1,024 wait.
  package let happenings = Mailbox<Happening>(capacity: 1_024)
  /// The terminal, opened anew: a write never waits.
  private let output: Int32
  private let time: EventLoop
  private let signals: ScreenSignals
  /// Whether ``Happening/suspends`` was reported, and has not been followed.
  private let isSuspending = Locked(false)

  private init(output: Int32, time: EventLoop, signals: ScreenSignals) {
    (self.output, self.time, self.signals) = (output, time, signals)
  }

  /// How many columns and rows there are; 80 and 24 where the terminal does not report them.
  package var size: (width: Int, height: Int) { System.terminalSize(output) ?? (80, 24) }

  /// Draws on the screen for as long as `body` runs.
  ///
  /// - Parameters:
  ///   - loop: Where keys and signals are awaited; its thread suspends the process.
  ///   - wantsMouse: Whether the mouse is reported; the terminal then selects no text with it.
  ///   - leavesOutput: Whether the standard output may be a file or a pipe: the screen is that of the keys then.
  ///   - asksToSuspend: Whether Ctrl-Z is reported and waits for ``suspend()``; a second one waits for nothing.
  ///   - body: What to do with the screen.
  /// - Returns: What `body` returns.
  /// - Throws: ``ScreenError``; what `body` throws.
  nonisolated(nonsending) package static func use<Result>(
    on loop: EventLoop, wantsMouse: Bool = false, leavesOutput: Bool = false, asksToSuspend: Bool = false,
    _ body: (TerminalScreen) async throws -> Result
  ) async throws -> Result {
    try check(leavesOutput: leavesOutput)
    let (input, isOwn) = try keyboard()
    defer { if isOwn { System.close(input) } }
    let settings: System.TerminalSettings
    let output: Int32
    do throws(SystemError) {
      settings = try System.attributes(input)
      output = try System.reopenTerminal(System.isTerminal(1) ? 1 : input)
    } catch {
      throw ScreenError.failed(reason: System.message(of: error.code))
    }
    defer { System.close(output) }
    let signals = ScreenSignals()
    defer { signals.end() }
    let screen = TerminalScreen(output: output, time: loop, signals: signals)
    Restoration.begin(Restoration(input: input, output: output, settings: settings, wantsMouse: wantsMouse))
    defer { Restoration.end() }
    let watches = [
      screen.watchKeys(of: input, on: loop), screen.watchSignals(on: loop, asksToSuspend: asksToSuspend),
    ]
    defer { for watch in watches { loop.unwatch(watch) } }
    screen.happenings.push(.redraw)
    return try await body(screen)
  }

  /// Makes sure that there is a terminal that can be drawn on; for commands that must know before they open anything.
  ///
  /// - Parameter leavesOutput: Whether the standard output may be a file or a pipe.
  /// - Throws: ``ScreenError``.
  package static func check(leavesOutput: Bool = false) throws(ScreenError) {
    guard leavesOutput || System.isTerminal(1) else { throw .noTerminal }
    guard let term = ProcessContext.environment("TERM"), term != "dumb" else { throw .dumb }
    let (input, isOwn) = try keyboard()
    if isOwn { System.close(input) }
  }

  /// The standard input where it is a terminal, otherwise that of the process, which is the caller's to close.
  private static func keyboard() throws(ScreenError) -> (descriptor: Int32, isOwn: Bool) {
    if System.isTerminal(0), System.isPollable(0) { return (0, false) }
    do throws(SystemError) { return (try System.openOwnTerminal(), true) } catch { throw .noKeyboard }
  }

  /// Writes bytes to the screen; waits without blocking a thread where the terminal is slow.
  ///
  /// - Throws: ``ScreenError`` where the terminal has gone; `CancellationError` where the task is cancelled while it waits.
  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SystemError) { rest = rest.dropFirst(try System.write(output, rest)) } catch {
        throw ScreenError.failed(reason: System.message(of: error.code))
      }
      if !rest.isEmpty { try await time.sleep(for: .milliseconds(5)) }
    }
  }

  /// Keeps a remark until the screen is closed, where it would be drawn over the screen.
  ///
  /// - Parameter remark: Whole lines for stderr; the newest 64 are kept.
  /// - Returns: False where there is no screen: the remark is still to be printed.
  package static func hold(_ remark: String) -> Bool { Restoration.hold(remark) }

  /// Puts the terminal back where a screen is open: for the sudden end of the process.
  package static func restore() { Restoration.leave() }

  private func watchKeys(of input: Int32, on loop: EventLoop) -> Int {
    loop.watch(input) { [happenings, weak loop] isReady, _ in
      guard let now = loop?.now else { return nil }
      guard isReady else { return .bytes() }
      var bytes: [UInt8] = []
      // Nothing read twice though there is something to read: that is the end.
      for _ in 0..<2 where bytes.isEmpty && System.isReadable(input) {
        guard let read = try? System.read(input, atMost: 4_096) else { break }
        bytes = read
      }
      if !bytes.isEmpty {
        happenings.push(.bytes(bytes, at: now))
      } else if System.isReadable(input) {
        happenings.push(.ended)
        return nil
      }
      return .bytes()
    }
  }

  private func watchSignals(on loop: EventLoop, asksToSuspend: Bool) -> Int {
    loop.watch(signals.descriptor) { [self] isReady, _ in
      guard isReady else { return .bytes() }
      for signal in signals.take() {
        if signal == SIGTSTP {
          if asksToSuspend, !isSuspending.withLock({ $0 }) {
            isSuspending.withLock { $0 = true }
            happenings.push(.suspends)
          } else {
            suspend()
          }
        } else if signal != SIGWINCH {
          Restoration.enter()
        }
      }
      happenings.push(.redraw)
      return .bytes()
    }
  }

  /// Gives the terminal back and suspends the process; returns when it goes on and has the terminal again.
  ///
  /// Follows ``Happening/suspends``; it runs on the thread of the loop.
  package func suspend() {
    isSuspending.withLock { $0 = false }
    Restoration.leave()
    signals.suspend()
    Restoration.enter()
    happenings.push(.redraw)
  }
}

/// How a terminal is put back: the one place that knows whether a screen is open.
private struct Restoration {
  let input: Int32
  let output: Int32
  let settings: System.TerminalSettings
  let wantsMouse: Bool
  /// Whether the terminal is ours at the moment, and not suspended.
  var isEntered = false
  var remarks: [String] = []

  private static let current = Locked<Restoration?>(nil)

  static func begin(_ restoration: Restoration) {
    current.withLock { $0 = restoration }
    enter()
  }

  /// Takes the terminal: alternate screen, hidden cursor, no wrapping, key by key.
  static func enter() {
    current.withLock { current in
      guard let screen = current else { return }
      current?.isEntered = true
      // Where that fails, the terminal has gone, and the next read tells.
      try? System.setAttributes(screen.input, System.keyByKey(screen.settings))
      // Twice, the terminal would forget where its cursor was.
      guard !screen.isEntered else { return }
      let mouse = screen.wantsMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : ""
      System.writeBriefly(screen.output, Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\(mouse)".utf8))
    }
  }

  /// Gives the terminal back as it was.
  static func leave() {
    current.withLock { current in
      guard let screen = current, screen.isEntered else { return }
      current?.isEntered = false
      let mouse = screen.wantsMouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : ""
      System.writeBriefly(screen.output, Array("\(mouse)\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8))
      // The former settings let a second Ctrl-C throw away what the kernel has not handed on yet.
      usleep(5_000)
      System.setAttributesFromBackground(screen.input, screen.settings)
    }
  }

  static func end() {
    leave()
    let remarks = current.withLock { current in
      defer { current = nil }
      return current?.remarks ?? []
    }
    for remark in remarks { try? StandardStream.error.writeAtOnce(remark) }
  }

  static func hold(_ remark: String) -> Bool {
    guard System.isTerminal(2) else { return false }
    return current.withLock { current in
      guard current != nil else { return false }
      current?.remarks.append(remark)
      if let count = current?.remarks.count, count > 64 { current?.remarks.removeFirst() }
      return true
    }
  }
}

/// The signals of a terminal, as bytes of a pipe: another size, suspend, go on.
private final class ScreenSignals: Sendable {
  /// Lives as long as the process, so that a late signal finds it; -1 where the system has no pipe left.
  private static let pipe: (read: Int32, write: Int32) = (try? System.makePipe()) ?? (-1, -1)
  private static let numbers = [SIGWINCH, SIGCONT, SIGTSTP]
  /// Whether Ctrl-Z was ignored before, as in a shell without jobs, and stays so.
  private let isSuspendingIgnored: Bool

  /// Reads the numbers of the signals.
  var descriptor: Int32 { Self.pipe.read }

  init() {
    // Made here, not in a handler; what is left of an earlier screen is gone.
    while let bytes = try? System.read(Self.pipe.read, atMost: 64), !bytes.isEmpty {}
    let former = unsafe unsafeBitCast(signal(SIGTSTP, SIG_DFL), to: Int.self)
    isSuspendingIgnored = unsafe former == unsafeBitCast(SIG_IGN, to: Int.self)
    install()
  }

  private func install() {
    for number in Self.numbers where number != SIGTSTP || !isSuspendingIgnored {
      _ = signal(number) { number in
        System.writeFromHandler(ScreenSignals.pipe.write, UInt8(truncatingIfNeeded: number))
      }
    }
    if isSuspendingIgnored { _ = signal(SIGTSTP, SIG_IGN) }
  }

  /// The signals that have come.
  func take() -> [Int32] {
    ((try? System.read(descriptor, atMost: 64)) ?? []).map { Int32($0) }
  }

  /// Stops the process until it is told to go on.
  func suspend() {
    _ = signal(SIGTSTP, SIG_DFL)
    // To this thread, so that it does not run on before the process stops.
    _ = raise(SIGTSTP)
    install()
  }

  func end() {
    for number in Self.numbers where number != SIGTSTP || !isSuspendingIgnored { _ = signal(number, SIG_DFL) }
  }
}
