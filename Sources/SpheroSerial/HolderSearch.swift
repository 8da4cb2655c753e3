// Finds the process that holds a device: by advisory locks first, then by the descriptors of all processes.

import SpheroSystem
package import SpheroTransport

/// A process that holds a device; the start time distinguishes it from a later process with the same number.
package struct DeviceHolder: Hashable, Sendable {
  package var process: PortHolder
  /// The start time in clock ticks since boot.
  package var start: UInt64
}

/// Finds the process that holds a device.
///
/// A lock is the stronger evidence: a simulator has the device end of its pseudo-terminal open while it serves, but
/// the lock belongs to its client. Descriptors reveal programs that acquire no lock.
package enum HolderSearch {
  /// The process that holds a device; nil where none is found, and always on systems without /proc.
  ///
  /// For the second endpoint of a server, it is the process that holds the first endpoint.
  package static func holder(of path: String) -> DeviceHolder? {
    firstEndpoint(of: path).flatMap(opener) ?? opener(of: path)
  }

  /// The process that holds the first endpoint of a server; nil where none does, or the path is no second endpoint.
  package static func client(before path: String) -> DeviceHolder? { firstEndpoint(of: path).flatMap(opener) }

  /// The abstract socket name by which a server marks its second endpoint.
  package static func name(ofSecondEndpoint path: String, first: String) -> String? {
    guard let number = System.terminalNumber(of: path), let first = System.terminalNumber(of: first) else {
      return nil
    }
    return "sphero/second/\(number)/\(first)"
  }

  private static func firstEndpoint(of path: String) -> String? {
    guard let number = System.terminalNumber(of: path),
      let names = System.text(of: "/proc/net/unix"),
      let first = SocketTable.suffix(in: names, ofNameWithPrefix: "sphero/second/\(number)/"),
      let first = UInt32(first)
    else { return nil }
    return "/dev/pts/\(first)"
  }

  /// The process that serves a pseudo-terminal; nil where none is found.
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
    let lockers = LockTable.holders(in: System.text(of: "/proc/locks") ?? "", of: file)
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

  /// The process that holds an ``AbstractSocketLock``; nil where none is found.
  package static func holder(ofName name: String) -> DeviceHolder? {
    guard let inode = SocketTable.inode(in: System.text(of: "/proc/net/unix") ?? "", of: name) else {
      return nil
    }
    for process in allProcesses()
    where links(of: process)?.contains(where: { $0.target == "socket:[\(inode)]" }) == true {
      if let holder = identify(process) { return holder }
    }
    return nil
  }

  /// The numbers of all processes; this process is the last.
  private static func allProcesses() -> [Int32] {
    let processes = System.names(in: "/proc", prefixes: (1...9).map(String.init)).compactMap { Int32($0) }
    return processes.filter { $0 != System.processID } + [System.processID]
  }

  /// Whether a process has a file open; nil where the user may not inspect it.
  private static func isOpen(_ file: FileIdentity, in process: Int32) -> Bool? {
    descriptors(of: process)?.contains { System.identity(of: $0.path) == file }
  }

  /// Whether a process has the controlling end of the pseudo-terminal: it is a server, not a client.
  private static func serves(_ path: String, _ process: Int32) -> Bool {
    guard let number = System.terminalNumber(of: path) else { return false }
    return descriptors(of: process)?.contains { descriptor in
      descriptor.target.hasSuffix("ptmx")
        && System.text(of: "/proc/\(process)/fdinfo/\(descriptor.name)")?.split(separator: "\n").contains {
          $0.split(whereSeparator: \.isWhitespace) == ["tty-index:", "\(number)"]
        } == true
    } == true
  }

  /// The device files that a process has open; nil where the user may not inspect it.
  ///
  /// Other files are left out: `stat` of a file on an unreachable network would block.
  private static func descriptors(of process: Int32) -> [Link]? {
    links(of: process)?.filter { $0.target.hasPrefix("/dev/") }
  }

  /// An open descriptor: its number, its path in /proc, and the target of that link.
  private typealias Link = (name: String, path: String, target: String)

  /// The open descriptors of a process; nil where the user may not inspect it.
  private static func links(of process: Int32) -> [Link]? {
    let folder = "/proc/\(process)/fd"
    let names = System.names(in: folder, prefixes: (0...9).map(String.init))
    guard !names.isEmpty else { return nil }
    return names.compactMap { name in
      let path = "\(folder)/\(name)"
      return System.target(ofLink: path).map { (name, path, $0) }
    }
  }

  /// The program and start time of a process; nil where it has ended.
  package static func identify(_ process: Int32) -> DeviceHolder? {
    guard let line = System.text(of: "/proc/\(process)/stat"),
      let status = ProcessStatus(parsing: line), status.processID == process
    else { return nil }
    return DeviceHolder(
      process: PortHolder(processID: process, program: status.program), start: status.start)
  }
}

/// A line of /proc/PID/stat.
package struct ProcessStatus: Hashable, Sendable {
  package var processID: Int32
  /// The name of its program; control characters are replaced by `?`, since terminals display it.
  package var program: String
  /// The start time in clock ticks since boot.
  package var start: UInt64

  /// Parses a line like `123 (sphero) S 1 …`; the name may contain blanks and brackets.
  package init?(parsing line: String) {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close,
      let number = Int32(line[..<open].filter { $0 != " " })
    else { return nil }
    let fields = line[close...].dropFirst().split(whereSeparator: \.isWhitespace)
    // These begin with field 3; the start time is field 22.
    guard fields.count > 19, let start = UInt64(fields[19]) else { return nil }
    (processID, self.start) = (number, start)
    let name = line[open..<close].dropFirst().unicodeScalars
    program = String(
      String.UnicodeScalarView(name.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
