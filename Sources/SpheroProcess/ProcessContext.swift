// What a command needs of its process: output, signals, environment.

import SpheroSystem
package import SpheroTransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why results cannot be written.
package enum OutputError: Error, Equatable {
  /// The reader of the pipe has gone away: an end like any other.
  case closed
  /// The disk is full, or the descriptor is bad.
  case failed(reason: String)
}

/// One of the standard streams of the process.
package struct StandardStream: Sendable {
  private let descriptor: Int32

  /// Where results go.
  package static let output = StandardStream(descriptor: 1)
  /// Where everything else goes.
  package static let error = StandardStream(descriptor: 2)

  /// The most that fits a pipe at once where it takes anything (PIPE_BUF on Linux).
  private static let pieceCount = 4_096

  /// Writes all bytes; waits without blocking a thread where the reader is slow.
  ///
  /// - Throws: ``OutputError``; `CancellationError` where the task is cancelled while it waits.
  package func write(_ text: String) async throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      if System.isWritable(descriptor) {
        rest = rest.dropFirst(try take(rest.prefix(Self.pieceCount)))
      } else {
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// Writes all bytes, and blocks the thread meanwhile: for the beginning and the end of a process.
  package func writeAtOnce(_ text: String) throws(OutputError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty { rest = rest.dropFirst(try take(rest)) }
  }

  private func take(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    do throws(SystemError) { return try System.write(descriptor, bytes) } catch {
      throw error.isBrokenPipe ? .closed : .failed(reason: System.message(of: error.code))
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

  /// Waits for the next bytes without blocking a thread; nil at the end.
  ///
  /// - Throws: `LinkError`; `CancellationError`.
  package func read() async throws -> [UInt8]? {
    while !System.isReadable(descriptor) { try await Task.sleep(for: .milliseconds(20)) }
    do throws(SystemError) {
      let bytes = try System.read(descriptor, atMost: 1 << 16)
      return bytes.isEmpty ? nil : bytes
    } catch { throw LinkError.failed(path, operation: "read", code: error.code) }
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

  /// Gives the standard descriptors that are closed an open file, so that none of them becomes a robot's line.
  package static func openStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// Takes over SIGINT, SIGTERM and SIGHUP, and makes a closed pipe an error instead of a death.
  ///
  /// Call it before any other thread runs: the signals are blocked in every thread made later.
  /// The first signal is reported; the second one ends the process at once with 128 + signal.
  ///
  /// - Parameter report: Called on a thread of its own with the number of the first signal.
  package static func takeSignals(_ report: @escaping @Sendable (Int32) -> Void) {
    _ = signal(SIGPIPE, SIG_IGN)
    // nohup leaves SIGHUP ignored, and so it stays.
    let hangUp = unsafe unsafeBitCast(signal(SIGHUP, SIG_DFL), to: Int.self)
    let isHangUpIgnored = unsafe hangUp == unsafeBitCast(SIG_IGN, to: Int.self)
    if isHangUpIgnored { _ = signal(SIGHUP, SIG_IGN) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    if !isHangUpIgnored { unsafe sigaddset(&signals, SIGHUP) }
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
