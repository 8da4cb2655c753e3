// Who holds a device: found by the system's locks first, then by what processes have open.

import SpheroSystem
import SpheroTransport

/// A process that holds a device, told apart from a later one with the same number.
struct DeviceHolder: Hashable, Sendable {
  /// The process.
  var process: PortHolder
  /// When it started, in ticks since the system did.
  var start: UInt64
}

/// Finds who holds a device.
///
/// A lock is the better witness: a simulator has the device end of its pseudo-terminal open for as long as it
/// serves, but the lock is its client's. Descriptors tell about programs that take no lock.
enum HolderSearch {
  /// The process that holds a device; nil where none is found, and always on systems without /proc.
  static func holder(of path: String) -> DeviceHolder? {
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
  private static func descriptors(of process: Int32) -> [(name: String, path: String, target: String)]? {
    let folder = "/proc/\(process)/fd"
    let names = System.names(in: folder, prefixes: (0...9).map(String.init))
    guard !names.isEmpty else { return nil }
    return names.compactMap { name in
      let path = "\(folder)/\(name)"
      // Only devices are looked at further: a file on a network that is gone would block.
      guard let target = System.target(ofLink: path), target.hasPrefix("/dev/") else { return nil }
      return (name, path, target)
    }
  }

  /// Names a process; nil where it has ended.
  static func identify(_ process: Int32) -> DeviceHolder? {
    guard let line = System.text(of: "/proc/\(process)/stat"),
      let status = ProcessStatus(parsing: line), status.processID == process
    else { return nil }
    return DeviceHolder(
      process: PortHolder(processID: process, program: status.program), start: status.start)
  }
}

/// A line of /proc/PID/stat.
struct ProcessStatus: Hashable, Sendable {
  /// The number of the process.
  var processID: Int32
  /// The name of its program; control characters are replaced, for it is shown on terminals.
  var program: String
  /// When it started, in ticks since the system did.
  var start: UInt64

  /// Reads a line like `123 (sphero) S 1 …`; the name may contain blanks and brackets.
  init?(parsing line: String) {
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
