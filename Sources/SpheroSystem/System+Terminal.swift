// System calls on terminals.

package import SpheroLibc

extension System {
  package typealias TerminalSettings = termios

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The settings of a terminal.
  package static func attributes(_ descriptor: Int32) throws(SystemError) -> TerminalSettings {
    var attributes = termios()
    try check { unsafe tcgetattr(descriptor, &attributes) }
    return attributes
  }

  /// Replaces the settings of a terminal.
  package static func setAttributes(
    _ descriptor: Int32, _ attributes: TerminalSettings
  ) throws(SystemError) {
    var attributes = attributes
    try check { unsafe tcsetattr(descriptor, TCSANOW, &attributes) }
  }

  /// Replaces the settings of a terminal, also from a background process, which SIGTTOU would stop otherwise.
  package static func setAttributesFromBackground(_ descriptor: Int32, _ attributes: TerminalSettings) {
    var (blocked, former) = (sigset_t(), sigset_t())
    // The sets are local, and the call raises the signal in its own thread.
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    // A terminal that has hung up needs no settings.
    try? setAttributes(descriptor, attributes)
  }

  /// Settings that report each key at once, without echo; Ctrl-C, Ctrl-Z and Ctrl-\ stay signals, output is unchanged.
  package static func keyByKey(_ attributes: TerminalSettings) -> TerminalSettings {
    var settings = attributes
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    // A second Ctrl-C would discard pending output, which may be the sequences that restore the terminal.
    settings.c_lflag |= tcflag_t(NOFLSH)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      // Reads do not wait; the indices are constants of the system.
      unsafe characters[Int(VMIN)] = 0
      unsafe characters[Int(VTIME)] = 0
    }
    return settings
  }

  /// The columns and rows of a terminal; nil where it does not report them.
  package static func terminalSize(_ descriptor: Int32) -> (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Opens the terminal of the process.
  ///
  /// Darwin cannot poll `/dev/tty`; there the terminal of the standard output or error is opened by its own name.
  package static func openOwnTerminal() throws(SystemError) -> Int32 {
    try openFirstPollable(of: ["/dev/tty"] + [1, 2].compactMap { try? terminalName($0) })
  }

  /// Opens the first terminal that can be polled, without making it the controlling terminal.
  ///
  /// - Parameters:
  ///   - paths: The terminals in the order of preference.
  ///   - canPoll: Whether an open descriptor can be polled.
  /// - Returns: An open descriptor.
  /// - Throws: The error of the last one; ENOTTY where none can be polled.
  package static func openFirstPollable(
    of paths: [String], canPoll: (Int32) -> Bool = isPollable
  ) throws(SystemError) -> Int32 {
    var failure = SystemError(code: ENOTTY)
    for path in paths {
      do throws(SystemError) {
        let descriptor = try check { unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY) }
        if canPoll(descriptor) { return descriptor }
        close(descriptor)
        failure = SystemError(code: ENOTTY)
      } catch { failure = error }
    }
    throw failure
  }

  /// The path of a terminal.
  package static func terminalName(_ descriptor: Int32) throws(SystemError) -> String {
    var name = [CChar](repeating: 0, count: 256)
    // The call fails where the name exceeds the size.
    let failure = unsafe ttyname_r(descriptor, &name, name.count)
    guard failure == 0 else { throw SystemError(code: failure) }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens a terminal again for non-blocking writes.
  ///
  /// An inherited descriptor shares its mode with other programs, which expect blocking writes.
  package static func reopenTerminal(_ descriptor: Int32) throws(SystemError) -> Int32 {
    let name = try terminalName(descriptor)
    return try check { unsafe open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
  }

  /// Writes the bytes that a terminal takes within 100 ms; the rest is discarded.
  package static func writeBriefly(_ descriptor: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    for _ in 0..<20 where !rest.isEmpty {
      guard let count = try? write(descriptor, rest) else { return }
      rest = rest.dropFirst(count)
      if !rest.isEmpty { usleep(5_000) }
    }
  }

  /// Writes a byte in a signal handler: it allocates nothing and preserves `errno`.
  package static func writeFromHandler(_ descriptor: Int32, _ byte: UInt8) {
    let former = errno
    var byte = byte
    // One byte of a local variable.
    unsafe writeByte(descriptor, &byte)
    errno = former
  }
}

/// Within `System` the name of the call would refer to a member.
private func writeByte(_ descriptor: Int32, _ byte: UnsafePointer<UInt8>) {
  _ = unsafe write(descriptor, byte, 1)
}
