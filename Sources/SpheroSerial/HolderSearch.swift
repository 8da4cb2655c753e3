// Who holds a device: found by the system's locks first, then by what processes have open.

import SpheroSystem
package import SpheroTransport

/// A process that holds a device, told apart from a later one with the same number.
package struct DeviceHolder: Hashable, Sendable {
  /// The process.
  package var process: PortHolder
  /// When it started, in ticks since the system did.
  package var start: UInt64
}

/// Finds who holds a device.
///
/// A lock is the better witness: a simulator has the device end of its pseudo-terminal open for as long as it
/// serves, but the lock is its client's. Descriptors tell about programs that take no lock.
package enum HolderSearch {
  /// The process that holds a device; nil where none is found, and always on systems without /proc.
  ///
  /// Of a pseudo-terminal that a server keeps for a second client, it is who holds the first one.
  package static func holder(of path: String) -> DeviceHolder? {
    firstPlace(of: path).flatMap(opener) ?? opener(of: path)
  }

  /// The process that holds the line for which a pseudo-terminal is only the second place; nil where none does.
  package static func client(before path: String) -> DeviceHolder? { firstPlace(of: path).flatMap(opener) }

  /// The name that stands for a second place, taken by who serves both.
  package static func name(ofSecondPlace path: String, behind first: String) -> String? {
    guard let number = System.terminalNumber(of: path), let first = System.terminalNumber(of: first) else {
      return nil
    }
    return "sphero/second/\(number)/\(first)"
  }

  private static func firstPlace(of path: String) -> String? {
    guard let number = System.terminalNumber(of: path),
      let names = System.text(of: "/proc/net/unix"),
      let first = SocketTable.rest(in: names, behind: "sphero/second/\(number)/"), let first = UInt32(first)
    else { return nil }
    return "/dev/pts/\(first)"
  }

  /// The process that serves a pseudo-terminal; nil where none is found.
  package static func server(of path: String) -> PortHolder? {
    guard System.terminalNumber(of: path) != nil else { return nil }
    return allProcesses().first { serves(path, $0) }.flatMap { identify($0)?.process }
  }

  /// How often other processes have a file open: for each that may be looked at, the number of its descriptors.
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
      // The table keeps the number of who took a lock. That process may have left it to a child and ended,
      // and its number may be another's. Of other users' processes only the table tells.
      guard isOpen(file, in: process) ?? true, let holder = identify(process) else { continue }
      return holder
    }
    for process in allProcesses() where isOpen(file, in: process) == true && !serves(path, process) {
      if let holder = identify(process) { return holder }
    }
    return nil
  }

  /// The process that has a name of ``NameLock``; nil where none is found.
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

  /// The numbers of all processes, this one last.
  private static func allProcesses() -> [Int32] {
    let processes = System.names(in: "/proc", prefixes: (1...9).map(String.init)).compactMap { Int32($0) }
    return processes.filter { $0 != System.processID } + [System.processID]
  }

  /// Whether a process has a file open; nil where it may not be looked at.
  private static func isOpen(_ file: FileIdentity, in process: Int32) -> Bool? {
    descriptors(of: process)?.contains { System.identity(of: $0.path) == file }
  }

  /// Whether a process has the controlling end of the pseudo-terminal: it is the device, not a user of it.
  private static func serves(_ path: String, _ process: Int32) -> Bool {
    guard let number = System.terminalNumber(of: path) else { return false }
    return descriptors(of: process)?.contains { descriptor in
      descriptor.target.hasSuffix("ptmx")
        && System.text(of: "/proc/\(process)/fdinfo/\(descriptor.name)")?.split(separator: "\n").contains {
          $0.split(whereSeparator: \.isWhitespace) == ["tty-index:", "\(number)"]
        } == true
    } == true
  }

  /// The device files that a process has open; nil where it may not be looked at.
  ///
  /// Only devices are looked at further: a file on a network that is gone would block.
  private static func descriptors(of process: Int32) -> [Link]? {
    links(of: process)?.filter { $0.target.hasPrefix("/dev/") }
  }

  /// An open descriptor: its number, its path in /proc, and where that leads.
  private typealias Link = (name: String, path: String, target: String)

  /// What a process has open; nil where it may not be looked at.
  private static func links(of process: Int32) -> [Link]? {
    let folder = "/proc/\(process)/fd"
    let names = System.names(in: folder, prefixes: (0...9).map(String.init))
    guard !names.isEmpty else { return nil }
    return names.compactMap { name in
      let path = "\(folder)/\(name)"
      return System.target(ofLink: path).map { (name, path, $0) }
    }
  }

  /// Names a process; nil where it has ended.
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
  /// The number of the process.
  package var processID: Int32
  /// The name of its program; control characters are replaced, for it is shown on terminals.
  package var program: String
  /// When it started, in ticks since the system did.
  package var start: UInt64

  /// Reads a line like `123 (sphero) S 1 …`; the name may contain blanks and brackets.
  package init?(parsing line: String) {
    guard let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")"), open < close,
      let number = Int32(line[..<open].filter { $0 != " " })
    else { return nil }
    let fields = line[close...].dropFirst().split(whereSeparator: \.isWhitespace)
    // The first of them is field 3; the start is field 22.
    guard fields.count > 19, let start = UInt64(fields[19]) else { return nil }
    (processID, self.start) = (number, start)
    let name = line[open..<close].dropFirst().unicodeScalars
    program = String(
      String.UnicodeScalarView(name.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
