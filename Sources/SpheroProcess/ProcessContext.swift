// The surroundings of the process: its environment, its descriptors and its end.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process and its surroundings.
package enum ProcessContext {
  /// The value of an environment variable, or nil where it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Ends the process at once; a terminal that is drawn on is put back first.
  package static func leave(_ code: Int32) -> Never {
    TerminalScreen.restore()
    exit(code)
  }

  /// Gives the standard descriptors that are closed an open file, so that none of them becomes a robot's line,
  /// and makes a closed pipe an error instead of a death.
  package static func prepareDescriptors() {
    _ = signal(SIGPIPE, SIG_IGN)
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }
}
