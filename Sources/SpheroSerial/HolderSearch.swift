// Finds the process that holds a device or a name, in the tables of /proc on Linux.

import SpheroLibc
package import SpheroSystem
package import SpheroTransport

/// A process that holds a device.
package struct DeviceHolder: Hashable, Sendable {
  /// The process; control characters in the name of its program are replaced by `?`, since terminals display it.
  package var process: PortHolder
  /// The start time in clock ticks since boot, which a later process with the same number does not share.
  package var start: UInt64

  /// Parses a line of /proc/PID/stat like `123 (sphero) S 1 …`; the name may contain blanks and brackets.
  package init?(parsing line: String) {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close,
      let number = Int32(line[..<open].filter { $0 != " " })
    else { return nil }
    let fields = line[close...].dropFirst().split(whereSeparator: \.isWhitespace)
    // These begin with field 3; the start time is field 22.
    guard fields.count > 19, let start = UInt64(fields[19]) else { return nil }
    let name = line[open..<close].dropFirst().unicodeScalars
    let program = String.UnicodeScalarView(
      name.map { $0.properties.generalCategory == .control ? "?" : $0 })
    (process, self.start) = (PortHolder(processID: number, program: String(program)), start)
  }
}

/// Finds the process that holds a device; none on systems without /proc.
///
/// Locks are searched before open descriptors: a simulator has the device end of its pseudo-terminal open while it serves,
/// but the lock belongs to its client. Descriptors reveal programs that acquire no lock.
/// A server with a link has two pseudo-terminals. While a client has one open, the first endpoint, the link names the
/// other one, the second endpoint, where the next client waits.
package enum HolderSearch {
  /// The process that holds a device, or the first endpoint of the server whose second endpoint it is.
  package static func holder(of path: String) -> DeviceHolder? {
    firstEndpointHolder(ofSecond: path) ?? opener(of: path)
  }

  /// The process that holds the first endpoint of a server; nil if none does, or if the path is no second endpoint.
  package static func firstEndpointHolder(ofSecond path: String) -> DeviceHolder? {
    guard let number = System.terminalNumber(of: path), let names = System.text(of: "/proc/net/unix") else {
      return nil
    }
    let prefix = "sphero/second/\(number)/"
    guard let socket = abstractSockets(in: names).first(where: { $0.name.hasPrefix(prefix) }),
      let first = UInt32(socket.name.dropFirst(prefix.count))
    else { return nil }
    return opener(of: "/dev/pts/\(first)")
  }

  /// The abstract socket name by which a server marks its second endpoint.
  package static func name(ofSecondEndpoint path: String, first: String) -> String? {
    guard let number = System.terminalNumber(of: path), let first = System.terminalNumber(of: first) else {
      return nil
    }
    return "sphero/second/\(number)/\(first)"
  }

  package static func server(of path: String) -> PortHolder? {
    guard System.terminalNumber(of: path) != nil else { return nil }
    return allProcesses().first { serves(path, $0) }.flatMap { identify($0)?.process }
  }

  /// The number of descriptors of a file in each other process that the user may inspect.
  package static func openCounts(of path: String) -> [Int] {
    guard let file = System.identity(of: path) else { return [] }
    return allProcesses().filter { $0 != System.processID }.compactMap { process in
      descriptors(of: process)?.count { System.identity(of: $0.path) == file }
    }
  }

  /// The process that has a device open, by lock or descriptor.
  package static func opener(of path: String) -> DeviceHolder? {
    guard let file = System.identity(of: path) else { return nil }
    let lockers = lockHolders(in: System.text(of: "/proc/locks") ?? "", of: file)
    for process in lockers where !serves(path, process) {
      // The table keeps the number of the process that acquired a lock. That process may have ended and left the lock
      // to a child, and its number may be reused. For processes of other users there is only the table.
      guard isOpen(file, in: process) ?? true, let holder = identify(process) else { continue }
      return holder
    }
    for process in allProcesses() where isOpen(file, in: process) == true && !serves(path, process) {
      if let holder = identify(process) { return holder }
    }
    return nil
  }

  /// A process that holds an ``AbstractSocketLock``, preferably another one than this; nil if none is found.
  package static func holder(ofName name: String) -> DeviceHolder? {
    let sockets = inodes(in: System.text(of: "/proc/net/unix") ?? "", ofName: name)
      .map { "socket:[\($0)]" }
    guard !sockets.isEmpty else { return nil }
    for process in allProcesses()
    where links(of: process)?.contains(where: { sockets.contains($0.target) }) == true {
      if let holder = identify(process) { return holder }
    }
    return nil
  }

  /// The numbers of all processes; this process is the last.
  private static func allProcesses() -> [Int32] {
    let processes = System.names(in: "/proc", prefixes: (1...9).map(String.init)).compactMap { Int32($0) }
    return processes.filter { $0 != System.processID } + [System.processID]
  }

  /// Whether a process has a file open; nil if the user may not inspect it.
  private static func isOpen(_ file: String, in process: Int32) -> Bool? {
    descriptors(of: process)?.contains { System.identity(of: $0.path) == file }
  }

  /// Whether a process has the controlling end of the pseudo-terminal open: it is a server, not a client.
  private static func serves(_ path: String, _ process: Int32) -> Bool {
    guard let number = System.terminalNumber(of: path) else { return false }
    return descriptors(of: process)?.contains { descriptor in
      descriptor.target.hasSuffix("ptmx")
        && System.text(of: "/proc/\(process)/fdinfo/\(descriptor.name)")?.split(separator: "\n").contains {
          $0.split(whereSeparator: \.isWhitespace) == ["tty-index:", "\(number)"]
        } == true
    } == true
  }

  /// The device files that a process has open, since `stat` of others may block; nil if the user may not inspect it.
  private static func descriptors(of process: Int32) -> [Link]? {
    links(of: process)?.filter { $0.target.hasPrefix("/dev/") }
  }

  /// An open descriptor: its number, its path in /proc, and the target of that link.
  private typealias Link = (name: String, path: String, target: String)

  /// The open descriptors of a process; nil if the user may not inspect it.
  private static func links(of process: Int32) -> [Link]? {
    let folder = "/proc/\(process)/fd"
    let names = System.names(in: folder, prefixes: (0...9).map(String.init))
    guard !names.isEmpty else { return nil }
    return names.compactMap { name in
      let path = "\(folder)/\(name)"
      return System.target(ofLink: path).map { (name, path, $0) }
    }
  }

  /// The program and start time of a process; nil if it has ended.
  package static func identify(_ process: Int32) -> DeviceHolder? {
    guard let line = System.text(of: "/proc/\(process)/stat"),
      let holder = DeviceHolder(parsing: line), holder.process.processID == process
    else { return nil }
    return holder
  }

  // MARK: Tables of the system

  /// The processes that hold a `flock` lock on a file, in the order of /proc/locks.
  /// The text has lines like `2: FLOCK  ADVISORY  WRITE 10031 00:18:5 0 EOF`; `->` marks a process that waits.
  static func lockHolders(in text: String, of file: String) -> [Int32] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", words[5] == file, let process = Int32(words[4]) else {
        return nil
      }
      return process > 0 ? process : nil
    }
  }

  /// The inodes of the sockets with an abstract name, without the leading `@`, or with that name and a number.
  static func inodes(in text: String, ofName name: String) -> [UInt64] {
    abstractSockets(in: text).compactMap { socket in
      guard socket.name.hasPrefix(name) else { return nil }
      let rest = socket.name.dropFirst(name.count)
      guard rest.isEmpty || rest.first == "/" && UInt8(rest.dropFirst()) != nil else { return nil }
      return UInt64(socket.inode)
    }
  }

  /// The abstract sockets in /proc/net/unix, with lines like `0000: 00000002 00000000 00000000 0002 01 4711 @name`.
  private static func abstractSockets(in text: String) -> [(inode: Substring, name: Substring)] {
    text.split(separator: "\n").compactMap { line in
      // A name may contain spaces.
      let words = line.split(separator: " ", maxSplits: 7)
      guard words.count == 8, words[7].hasPrefix("@") else { return nil }
      return (words[6], words[7].dropFirst())
    }
  }
}

// Information about processes; none on systems without /proc.
extension System {
  /// The identity of an accessible file, equal for all paths to it: device numbers and inode in the form of /proc/locks.
  package static func identity(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let device = numbers(ofDevice: UInt64(truncatingIfNeeded: status.st_dev))
    let parts = [device.major, device.minor].map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }
    return (parts + ["\(status.st_ino)"]).joined(separator: ":")
  }

  /// Splits a device number in the encoding of the system.
  static func numbers(ofDevice device: UInt64) -> (major: UInt64, minor: UInt64) {
    #if canImport(Darwin)
      ((device >> 24) & 0xFF, device & 0xFF_FFFF)
    #else
      (
        (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000,
        device & 0xFF | (device >> 12) & 0xFFFF_FF00
      )
    #endif
  }

  /// The number of the pseudo-terminal with this device file; nil for other files, and on systems other than Linux.
  package static func terminalNumber(of path: String) -> UInt32? {
    #if os(Linux)
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
      let (major, minor) = numbers(ofDevice: UInt64(truncatingIfNeeded: status.st_rdev))
      // Linux reserves the major numbers 136...143 for pseudo-terminals, with 256 minor numbers each;
      // current kernels use 136 alone, and the minor number is the whole number.
      guard (136...143).contains(major) else { return nil }
      return UInt32(exactly: (major - 136) << 8 + minor)
    #else
      return nil
    #endif
  }

  /// Whether a process runs as the same user as this one.
  package static func isOwn(_ process: Int32) -> Bool {
    var status = stat()
    return unsafe stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
  }

  /// The beginning of a file in /proc; nil if it cannot be read.
  package static func text(of path: String, atMost count: Int = 1 << 20) -> String? {
    guard let descriptor = try? openFile(path) else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = try? read(descriptor, atMost: 1 << 16) else { return nil }
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 1_024)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Sends SIGINT to a process, and resumes it if it is suspended.
  package static func interrupt(_ process: Int32) {
    _ = kill(process, SIGINT)
    _ = kill(process, SIGCONT)
  }
}
