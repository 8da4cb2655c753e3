// Reports opens and closes of files by programs: inotify on Linux, unavailable on other systems.

import SpheroLibc
import SpheroSystem

/// Reports opens and closes of the device ends of pseudo-terminals.
///
/// The kernel queues an event when a program opens the file, and when the last descriptor of that open is closed,
/// also by the end of the program. It merges an event with an equal preceding one. The folder is therefore watched
/// too: each event is then queued twice, for the file and for the folder, and no two adjacent events are equal.
struct OpenCloseMonitor: Sendable {
  /// An event of a file or a folder, with its watch descriptor.
  enum Event: Hashable, Sendable {
    case opened(Int32)
    /// A program has closed the file, or ended.
    case closed(Int32)
    /// The kernel's queue was full, and events are missing.
    case overflow
  }

  /// Readable when there are events.
  let descriptor: Int32

  #if os(Linux)
    init() throws(SystemError) {
      // IN_NONBLOCK and IN_CLOEXEC equal these flags of `open`.
      descriptor = try System.check { inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC)) }
    }

    /// Watches a file and its folder; returns the watch descriptor of the file.
    func add(_ path: String) throws(SystemError) -> Int32 {
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      try System.check { unsafe inotify_add_watch(descriptor, folder.isEmpty ? "/" : folder, Self.mask) }
      return try System.check { unsafe inotify_add_watch(descriptor, path, Self.mask) }
    }

    private static let opened = UInt32(IN_OPEN)
    private static let closed = UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE)
    private static let mask = opened | closed

    /// The 32-bit word with an index in a header; all supported hosts are little-endian.
    private func word(_ index: Int, of header: ArraySlice<UInt8>) -> UInt32 {
      header.dropFirst(4 * index).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    func events() -> [Event] {
      var events: [Event] = []
      // A read returns whole events: four words (watch, mask, cookie, length of the name) and a name.
      while let bytes = try? System.read(descriptor, atMost: 1 << 14), bytes.count >= 16 {
        var rest = bytes[...]
        while rest.count >= 16 {
          let (watch, mask) = (Int32(bitPattern: word(0, of: rest)), word(1, of: rest))
          if mask & UInt32(IN_Q_OVERFLOW) != 0 { events.append(.overflow) }
          if mask & Self.opened != 0 { events.append(.opened(watch)) }
          if mask & Self.closed != 0 { events.append(.closed(watch)) }
          rest = rest.dropFirst(16 + Int(word(3, of: rest)))
        }
      }
      return events
    }
  #else
    init() throws(SystemError) { throw SystemError(code: ENOSYS) }

    func add(_ path: String) throws(SystemError) -> Int32 { throw SystemError(code: ENOSYS) }

    func events() -> [Event] { [] }
  #endif
}
