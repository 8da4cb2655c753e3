// What a command needs of its process: output, signals, environment.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The reader of an output pipe has gone away.
package struct PipeClosed: Error {
  package init() {}
}

/// One of the standard streams of the process.
package struct StandardStream: Sendable {
  private let descriptor: Int32

  /// Where results go.
  package static let output = StandardStream(descriptor: 1)
  /// Where everything else goes.
  package static let error = StandardStream(descriptor: 2)

  /// Whether a person looks at it.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes all bytes, waiting where the reader is slow.
  ///
  /// - Throws: ``PipeClosed`` where nobody reads any more, or the disk is full.
  package func write(_ text: String) throws(PipeClosed) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      do throws(SystemError) {
        let count = try System.write(descriptor, rest)
        rest = rest.dropFirst(count)
        // A standard stream that does not block belongs to somebody else; its room is waited for.
        if count == 0 { _ = poll(nil, 0, 5) }
      } catch { throw PipeClosed() }
    }
  }
}

/// A file that grows line by line.
package final class LogFile: Sendable {
  private let descriptor: Int32

  /// Makes a file, or empties the one that is there.
  package init(_ path: String) throws(LinkError) {
    do throws(SystemError) {
      descriptor = try System.check { unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
    } catch { throw .failed(path, operation: "create", code: error.code) }
  }

  deinit { System.close(descriptor) }

  /// Appends text.
  package func write(_ text: String) throws(LinkError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      do throws(SystemError) { rest = rest.dropFirst(try System.write(descriptor, rest)) } catch {
        throw .failed("the file", operation: "write", code: error.code)
      }
    }
  }
}

/// A file, a pipe or the standard input, read piece by piece.
package final class InputFile: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Opens a file; `-` is the standard input.
  package init(_ path: String) throws(LinkError) {
    self.path = path == "-" ? "stdin" : path
    guard path != "-" else {
      descriptor = 0
      return
    }
    do throws(SystemError) { descriptor = try System.check { unsafe open(path, O_RDONLY | O_CLOEXEC) } } catch
    {
      throw .failed(path, operation: "open", code: error.code)
    }
  }

  deinit { if descriptor > 0 { System.close(descriptor) } }

  /// The next bytes, or nil at the end.
  package func read() throws(LinkError) -> [UInt8]? {
    do throws(SystemError) {
      let bytes = try System.read(descriptor, atMost: 1 << 16)
      return bytes.isEmpty ? nil : bytes
    } catch { throw .failed(path, operation: "read", code: error.code) }
  }
}

/// The process and its surroundings.
package enum ProcessContext {
  /// The value of an environment variable, or nil where it is not set or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Ends the process at once.
  package static func leave(_ code: Int32) -> Never { exit(code) }

  /// Takes over SIGINT and SIGTERM, and makes a closed pipe an error instead of a death.
  ///
  /// Call it before any other thread runs: the signals are blocked in every thread made later.
  /// The first signal is reported; the second one ends the process at once with 128 + signal.
  ///
  /// - Parameter report: Called on a thread of its own with the number of the first signal.
  package static func takeSignals(_ report: @escaping @Sendable (Int32) -> Void) {
    _ = signal(SIGPIPE, SIG_IGN)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    // Lives as long as the process, like the disposition of a signal.
    signalThread.withLock { thread in
      thread = try? Thread {
        var awaited = awaited
        var number: Int32 = 0
        guard unsafe sigwait(&awaited, &number) == 0 else { return }
        report(number)
        guard unsafe sigwait(&awaited, &number) == 0 else { return }
        _exit(128 + number)
      }
    }
  }

  private static let signalThread = Locked<Thread?>(nil)
}
