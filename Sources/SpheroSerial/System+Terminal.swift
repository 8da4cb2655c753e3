// System calls on devices, terminals and folders.

import SpheroLibc
package import SpheroSystem
import SpheroTransport

extension System {
  /// Opens a device without waiting for a carrier and without making it the controlling terminal.
  package static func openDevice(_ path: String) throws(SystemError) -> Int32 {
    try check { unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
  }

  /// Whether a path is a character device.
  package static func isCharacterDevice(_ path: String) throws(SystemError) -> Bool {
    var status = stat()
    try check { unsafe stat(path, &status) }
    return status.st_mode & S_IFMT == S_IFCHR
  }

  /// Whether the user may read and write a path.
  package static func mayOpen(_ path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }

  /// The number of the pseudo-terminal with this device file; nil for other files, and on systems other than Linux.
  package static func terminalNumber(of path: String) -> UInt32? {
    #if os(Linux)
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
      let device = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_rdev), inode: 0)
      // Linux reserves the major numbers 136...143 for pseudo-terminals, with 256 minor numbers each;
      // current kernels use 136 alone, and the minor number is the whole number.
      guard (136...143).contains(device.major) else { return nil }
      return UInt32(exactly: (device.major - 136) << 8 + device.minor)
    #else
      return nil
    #endif
  }

  /// Acquires the advisory lock of an open file, or throws.
  package static func lock(_ descriptor: Int32) throws(SystemError) {
    try check { flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

  /// Sets or clears TIOCEXCL, which refuses further opens of a terminal.
  package static func setExclusive(_ descriptor: Int32, _ isExclusive: Bool) {
    _ = ioctl(descriptor, UInt(isExclusive ? TIOCEXCL : TIOCNXCL), 0)
  }

  /// The number of bytes that a terminal has not sent.
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

  /// The number of bytes that a terminal has received and no program has read.
  package static func unreadCount(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    return unsafe ioctl(descriptor, unreadRequest, &count) == 0 ? Int(count) : 0
  }

  /// Settings that leave every byte unchanged: no echo, no XON/XOFF, no CR mapping, no signal characters.
  ///
  /// 115200 8N1; RFCOMM ignores the speed.
  package static func raw(_ attributes: TerminalSettings) -> TerminalSettings {
    var raw = attributes
    unsafe cfmakeraw(&raw)
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

  /// Discards bytes that are not read.
  package static func discardInput(_ descriptor: Int32) { _ = tcflush(descriptor, TCIFLUSH) }

  /// Discards bytes that are not sent.
  package static func discardOutput(_ descriptor: Int32) { _ = tcflush(descriptor, TCOFLUSH) }

  /// Resumes output that `tcflow` has stopped.
  package static func resumeOutput(_ descriptor: Int32) { _ = tcflow(descriptor, TCOON) }

  /// Opens a pseudo-terminal whose device end is raw from the start.
  ///
  /// - Returns: Both ends, and the path of the device end.
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
