// The screen of a terminal for programs that draw on it, and the restoration of the terminal.

import SpheroLibc
import SpheroSystem
package import SpheroTransport

/// The reason why a screen cannot be opened or written.
package enum ScreenError: Error, Hashable {
  /// The standard output is not a terminal.
  case noTerminal
  /// Neither the standard input nor the process has a terminal, so no keys can be read.
  case noKeyboard
  /// The terminal cannot place a cursor: TERM is `dumb` or not set.
  case dumb
  case failed(reason: String)
}

/// The screen of the terminal while a program draws on it.
///
/// Each key is reported immediately and without echo, the cursor is hidden, and the alternate screen preserves the
/// former contents. Ctrl-C stays a signal; Ctrl-Z suspends the program, and `fg` opens the screen again.
///
/// The terminal is restored when the body ends, when repeated signals end the process at once, and before the process
/// is suspended. The caller opens at most one screen at a time, which is not checked, and has called
/// ``ProcessSignals/handleAll(beforeSuspension:_:)``. ``hold(_:)`` delays remarks until it is closed.
package struct TerminalScreen: Sendable {
  package enum Event: Hashable, Sendable {
    /// Bytes of keys and of the mouse, with the time at which they were read.
    case bytes([UInt8], at: Duration)
    /// The size or the contents of the screen may have changed: draw everything.
    case redraw
    /// Ctrl-Z: the process is suspended by ``TerminalScreen/suspend()``.
    case suspensionRequested
    /// The terminal has hung up.
    case ended
  }

  /// A separate, non-blocking descriptor of the terminal.
  private let output: Int32
  private let time: EventLoop

  /// The number of columns and rows; 80 and 24 if the terminal does not report them.
  package var size: (width: Int, height: Int) { System.terminalSize(output) ?? (80, 24) }

  /// Opens the screen while `body` runs, and passes its events to `report` on any thread.
  ///
  /// With `wantsMouse`, the terminal reports the mouse. If `allowsRedirectedOutput` and the standard output is redirected,
  /// the screen is on the terminal of the keyboard. After the event of Ctrl-Z, the program must call ``suspend()``;
  /// a second Ctrl-Z before that call suspends the process at once.
  nonisolated(nonsending) package static func use<Result>(
    on loop: EventLoop, wantsMouse: Bool = false, allowsRedirectedOutput: Bool = false,
    reporting report: @escaping @Sendable (Event) -> Void, _ body: (TerminalScreen) async throws -> Result
  ) async throws -> Result {
    try check(allowsRedirectedOutput: allowsRedirectedOutput)
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
    current.withLock {
      $0 = Open(input: input, output: output, settings: settings, wantsMouse: wantsMouse, report: report)
    }
    enter()
    defer { end() }
    let watch = watchKeys(of: input, on: loop, report)
    defer { loop.unwatch(watch) }
    report(.redraw)
    return try await body(TerminalScreen(output: output, time: loop))
  }

  /// Throws unless a screen can be opened, for commands that must fail before they open a port.
  package static func check(allowsRedirectedOutput: Bool = false) throws(ScreenError) {
    guard allowsRedirectedOutput || System.isTerminal(1) else { throw .noTerminal }
    guard let term = ProcessContext.environment("TERM"), term != "dumb" else { throw .dumb }
    let (input, isOwn) = try keyboard()
    if isOwn { System.close(input) }
  }

  /// The standard input if it is a terminal, otherwise a new descriptor of the terminal, which the caller closes.
  private static func keyboard() throws(ScreenError) -> (descriptor: Int32, isOwn: Bool) {
    if System.isTerminal(0), System.isPollable(0) { return (0, false) }
    do throws(SystemError) { return (try System.openOwnTerminal(), true) } catch { throw .noKeyboard }
  }

  /// Writes bytes, and waits while the terminal accepts none; throws ``ScreenError`` after a hang-up.
  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      do throws(SystemError) { rest = rest.dropFirst(try System.write(output, rest)) } catch {
        throw ScreenError.failed(reason: System.message(of: error.code))
      }
      if !rest.isEmpty { try await time.sleep(for: .milliseconds(5)) }
    }
  }

  /// Keeps a remark for stderr until the screen is closed, at most the newest 64; if false, the caller prints it.
  package static func hold(_ remark: String) -> Bool {
    guard System.isTerminal(2) else { return false }
    return current.withLock { current in
      guard current != nil else { return false }
      current?.remarks.append(remark)
      if let count = current?.remarks.count, count > 64 { current?.remarks.removeFirst() }
      return true
    }
  }

  private static func watchKeys(
    of input: Int32, on loop: EventLoop, _ report: @escaping @Sendable (Event) -> Void
  ) -> Int {
    loop.watch(input) { time in
      var bytes: [UInt8] = []
      // A readable terminal that twice returns no bytes has hung up.
      for _ in 0..<2 where bytes.isEmpty && System.isReadable(input) {
        guard let read = try? System.read(input, atMost: 4_096) else { break }
        bytes = read
      }
      if !bytes.isEmpty {
        report(.bytes(bytes, at: time))
      } else if System.isReadable(input) {
        report(.ended)
        return nil
      }
      return .zero
    }
  }

  /// Receives a signal of the terminal on the thread of the signals; returns false if no screen is open.
  static func receive(_ number: Int32) -> Bool {
    let screen = current.withLock { current in
      defer { if number == SIGTSTP { current?.isSuspending = true } }
      return current
    }
    guard let screen else { return false }
    switch number {
    case SIGTSTP where screen.isSuspending: suspend()
    case SIGTSTP: screen.report(.suspensionRequested)
    // After SIGSTOP, which cannot be handled, the shell may have changed the settings.
    case SIGCONT: enter()
    default: break
    }
    screen.report(.redraw)
    return true
  }

  /// Suspends the process after ``Event/suspensionRequested``, and then opens the screen again.
  package static func suspend() {
    // A second Ctrl-Z, which suspends at once, may have come before the panel was ready.
    let screen = current.withLock { current in
      defer { current?.isSuspending = false }
      return current
    }
    guard let screen, screen.isSuspending else { return }
    restore()
    ProcessSignals.suspend()
    enter()
    screen.report(.redraw)
  }

  // MARK: The state of the terminal

  private struct Open: Sendable {
    let input: Int32
    let output: Int32
    /// The former settings.
    let settings: System.TerminalSettings
    let wantsMouse: Bool
    let report: @Sendable (Event) -> Void
    /// Whether the screen is not suspended.
    var isEntered = false
    /// Whether ``Event/suspensionRequested`` was reported without a call of ``suspend()`` since.
    var isSuspending = false
    var remarks: [String] = []

    mutating func restore() {
      guard isEntered else { return }
      isEntered = false
      let mouse = wantsMouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : ""
      System.writeBriefly(output, Array("\(mouse)\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8))
      // With the former settings, Ctrl-C discards output that the kernel has not passed on yet.
      usleep(5_000)
      System.setAttributesFromBackground(input, settings)
    }
  }

  private static let current = Locked<Open?>(nil)

  /// Configures the terminal: alternate screen, hidden cursor, no wrapping, key by key.
  private static func enter() {
    current.withLock { current in
      guard let screen = current else { return }
      current?.isEntered = true
      // If this fails, the terminal has hung up, and the next read fails.
      try? System.setAttributes(screen.input, System.keyByKey(screen.settings))
      // A second switch to the alternate screen would overwrite the saved cursor.
      guard !screen.isEntered else { return }
      let mouse = screen.wantsMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : ""
      System.writeBriefly(screen.output, Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\(mouse)".utf8))
    }
  }

  /// Restores the terminal if a screen is open.
  package static func restore() { _ = current.withLock { $0?.restore() } }

  private static func end() {
    // With one lock, so that a signal does not open the screen again.
    let remarks = current.withLock { current in
      current?.restore()
      defer { current = nil }
      return current?.remarks ?? []
    }
    // A stuck terminal must not delay the stop of the ball, which follows.
    if !remarks.isEmpty { StandardStream.error.writeBriefly(remarks.joined()) }
  }
}
