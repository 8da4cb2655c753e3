// System calls on terminals, devices and folders.

package import SpheroLibc

extension System {
  package typealias TerminalSettings = termios

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  package static func attributes(_ descriptor: Int32) throws(SystemError) -> TerminalSettings {
    var attributes = termios()
    try check { unsafe tcgetattr(descriptor, &attributes) }
    return attributes
  }

  package static func setAttributes(
    _ descriptor: Int32, _ attributes: TerminalSettings
  ) throws(SystemError) {
    var attributes = attributes
    try check { unsafe tcsetattr(descriptor, TCSANOW, &attributes) }
  }

  /// Replaces the settings of a terminal, also from a background process, which SIGTTOU would stop otherwise.
  package static func setAttributesFromBackground(_ descriptor: Int32, _ attributes: TerminalSettings) {
    // The call raises the signal in its own thread.
    var (blocked, former) = (signals([SIGTTOU]), sigset_t())
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &former)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    // A terminal that has hung up needs no settings.
    try? setAttributes(descriptor, attributes)
  }

  package static func signals(_ numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    return signals
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

  /// Opens the terminal of the process; since Darwin cannot poll `/dev/tty`, also by the name of stdout or stderr.
  package static func openOwnTerminal() throws(SystemError) -> Int32 {
    try openFirstPollable(of: ["/dev/tty"] + [1, 2].compactMap { try? terminalName($0) })
  }

  /// Opens the first terminal whose descriptor can be polled; throws the error of the last one, or ENOTTY.
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

  package static func terminalName(_ descriptor: Int32) throws(SystemError) -> String {
    var name = [CChar](repeating: 0, count: 256)
    // The call fails where the name exceeds the size.
    let failure = unsafe ttyname_r(descriptor, &name, name.count)
    guard failure == 0 else { throw SystemError(code: failure) }
    return text(ofCString: name)
  }

  /// Opens a terminal again for non-blocking writes, since other programs share the mode of an inherited descriptor.
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

  /// Opens a device without waiting for a carrier and without making it the controlling terminal.
  package static func openDevice(_ path: String) throws(SystemError) -> Int32 {
    try check { unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
  }

  package static func isCharacterDevice(_ path: String) throws(SystemError) -> Bool {
    try fileType(path) == S_IFCHR
  }

  package static func lock(_ descriptor: Int32) throws(SystemError) {
    try check { flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  /// Sets or clears TIOCEXCL, which refuses further opens of a terminal.
  package static func setExclusive(_ descriptor: Int32, _ isExclusive: Bool) {
    _ = ioctl(descriptor, UInt(isExclusive ? TIOCEXCL : TIOCNXCL), 0)
  }

  /// The number of bytes that a terminal has not sent; 0 if the system reports none.
  package static func unsentCount(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  #if canImport(Darwin)
    /// FIONREAD, a macro of several terms, which Swift does not import.
    private static let unreadRequest: UInt = 0x4004_667F
  #else
    private static let unreadRequest = UInt(FIONREAD)
  #endif

  /// The number of bytes that a terminal has received and no program has read; 0 if the system reports none.
  package static func unreadCount(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, unreadRequest, &count) == 0 ? Int(count) : 0
  }

  /// Settings that leave every byte unchanged, at 115200 8N1; RFCOMM ignores the speed.
  package static func raw(_ attributes: TerminalSettings) -> TerminalSettings {
    var raw = attributes
    unsafe cfmakeraw(&raw)
    // POSIX does not specify cfmakeraw, and Linux keeps these two.
    raw.c_iflag &= ~tcflag_t(IXOFF)
    raw.c_cflag &= ~tcflag_t(CSTOPB)
    raw.c_cflag |= tcflag_t(CLOCAL | CREAD)
    unsafe cfsetspeed(&raw, speed_t(B115200))
    unsafe withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      // VMIN 1 makes "nothing yet" EAGAIN, so that 0 bytes can only mean a hang-up.
      unsafe characters[Int(VMIN)] = 1
      unsafe characters[Int(VTIME)] = 0
    }
    return raw
  }

  /// Whether a terminal edits lines, echoes, or changes bytes.
  package static func isCooked(_ attributes: TerminalSettings) -> Bool {
    attributes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) != 0
      || attributes.c_iflag & tcflag_t(ICRNL | IXON | ISTRIP | INLCR | IGNCR) != 0
      || attributes.c_oflag & tcflag_t(OPOST) != 0
  }

  /// Discards bytes that are not read and bytes that are not sent.
  package static func discardQueues(_ descriptor: Int32) { _ = tcflush(descriptor, TCIOFLUSH) }

  /// Opens a pseudo-terminal in raw mode; `path` is that of its device end.
  package static func openPseudoTerminal() throws(SystemError) -> (
    controller: Int32, device: Int32, path: String
  ) {
    var (controller, device): (Int32, Int32) = (-1, -1)
    var settings = raw(termios())
    try check { unsafe openpty(&controller, &device, nil, &settings, nil) }
    for end in [controller, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    do throws(SystemError) { return (controller, device, try terminalName(device)) } catch {
      close(controller)
      close(device)
      throw error
    }
  }

  /// The names in a folder that begin with one of the prefixes, sorted.
  package static func names(in folder: String, prefixes: [String]) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if prefixes.contains(where: { name.hasPrefix($0) }) { names.append(name) }
    }
    return names.sorted()
  }
}
