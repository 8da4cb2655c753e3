// The arguments, the environment, the standard descriptors and the exit of the process.

import SpheroLibc
import SpheroSystem

/// The arguments, the environment, the standard descriptors and the exit of the process.
package enum ProcessContext {
  /// The value of an environment variable; nil where it is unset or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// How the program is linked: `static` or `dynamic`.
  package static var linkage: String { hasLoader ? "dynamic" : "static" }

  /// Whether a dynamic loader started the program: the kernel reports its address (AT_BASE), 0 without a loader.
  private static var hasLoader: Bool {
    #if os(Linux)
      guard let file = try? System.openFile("/proc/self/auxv") else { return true }
      defer { System.close(file) }
      let size = MemoryLayout<UInt>.size
      let bytes = (try? System.read(file, atMost: 4_096)) ?? []
      for start in stride(from: 0, through: bytes.count - 2 * size, by: 2 * size) {
        let key = bytes[start..<(start + size)].reversed().reduce(0 as UInt) { $0 << 8 | UInt($1) }
        if key == loaderKey { return bytes[(start + size)..<(start + 2 * size)].contains { $0 != 0 } }
      }
    #endif
    return true
  }

  /// AT_BASE of the kernel's auxiliary vector.
  private static let loaderKey: UInt = 7

  /// The arguments after the name of the program.
  ///
  /// `CommandLine.arguments` would create a string of the name too, and each page that is touched at the start counts.
  package static var words: [String] {
    // The vector has a pointer to a string for each argument, and nil after them.
    (1..<max(1, Int(CommandLine.argc))).compactMap { place in
      unsafe CommandLine.unsafeArgv[place].map { unsafe String(cString: $0) }
    }
  }

  /// Ends the process at once.
  package static func exit(_ code: Int32) -> Never {
    libcExit(code)
  }

  /// Ends the process by the default action of a signal that it has handled.
  ///
  /// A shell, `make` or a loop runs its next command after one that exits, with any code, and ends with one that
  /// dies of the signal. Linux does not apply the default action to the first process of a container: that one exits
  /// with 128 + `number`.
  package static func end(by number: Int32) -> Never {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    _ = signal(number, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = raise(number)
    _exit(128 + number)
  }

  /// Opens `/dev/null` at each closed standard descriptor, so that none of them becomes a robot's line, and ignores
  /// SIGPIPE, so that a write to a closed pipe is an error.
  package static func prepareDescriptors() {
    _ = signal(SIGPIPE, SIG_IGN)
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // Lost results must not count as written: a write to a read-only descriptor fails.
      _ = unsafe open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR)
    }
  }
}

/// Within `ProcessContext` the name of the call would refer to its member.
private func libcExit(_ code: Int32) -> Never { exit(code) }
