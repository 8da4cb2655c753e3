// The system calls on terminals: their settings and their size.

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#else
  package import Glibc
#endif

extension System {
  /// The settings of a terminal.
  package typealias TerminalSettings = termios

  /// Whether a descriptor is a terminal.
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

  /// Replaces the settings of a terminal also where the process is in its background, which would stop it otherwise.
  package static func setAttributesFromBackground(_ descriptor: Int32, _ attributes: TerminalSettings) {
    var (blocked, former) = (sigset_t(), sigset_t())
    // The sets are local, and the signal goes to the thread that calls.
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    // A terminal that has gone needs none.
    try? setAttributes(descriptor, attributes)
  }

  /// Settings that pass each key at once, without echo; Ctrl-C, Ctrl-Z and Ctrl-\ stay signals, output stays as it is.
  package static func keyByKey(_ attributes: TerminalSettings) -> TerminalSettings {
    var settings = attributes
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    // A second Ctrl-C would throw away what is on its way to the terminal, and that may be what gives it back.
    settings.c_lflag |= tcflag_t(NOFLSH)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      // A read never waits; the places are those of the system's own constants.
      unsafe characters[Int(VMIN)] = 0
      unsafe characters[Int(VTIME)] = 0
    }
    return settings
  }

  /// How many columns and rows a terminal has; nil where it does not report them.
  package static func terminalSize(_ descriptor: Int32) -> (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Opens the terminal of the process, whatever its standard streams are.
  ///
  /// Darwin cannot poll `/dev/tty`, so the terminal of the output or of the errors is opened there, by its own name.
  package static func openOwnTerminal() throws(SystemError) -> Int32 {
    try openFirstPollable(of: ["/dev/tty"] + [1, 2].compactMap { try? terminalName($0) })
  }

  /// Opens the first of some terminals that can be polled, without making it the controlling terminal.
  ///
  /// - Parameters:
  ///   - paths: The terminals, the preferred one first.
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
    // The name is cut at the size that is given, or the call fails.
    let failure = unsafe ttyname_r(descriptor, &name, name.count)
    guard failure == 0 else { throw SystemError(code: failure) }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens a terminal anew for writing, so that nothing waits where the terminal takes nothing.
  ///
  /// The descriptor that is there shares its mode with other programs, which expect that writing waits.
  package static func reopenTerminal(_ descriptor: Int32) throws(SystemError) -> Int32 {
    let name = try terminalName(descriptor)
    return try check { unsafe open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
  }

  /// Writes as much as a terminal takes within a tenth of a second; the rest is given up.
  package static func writeBriefly(_ descriptor: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    for _ in 0..<20 where !rest.isEmpty {
      guard let count = try? write(descriptor, rest) else { return }
      rest = rest.dropFirst(count)
      if !rest.isEmpty { usleep(5_000) }
    }
  }

  /// Writes a byte from a signal handler, in which nothing may be allocated and the error number must stay.
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
