// The standard streams, and output that is buffered.

import SpheroLibc
import SpheroSystem
package import SpheroTransport

/// The reason why results cannot be written.
package enum OutputError: Error, Equatable {
  /// The reader has closed the pipe, which is a normal end.
  case closed
  /// A system call failed, for example because the disk is full.
  case failed(reason: String)
}

package struct StandardStream: Sendable {
  private let descriptor: Int32
  /// Whether the stream is a file, which accepts bytes at any time.
  let isFile: Bool

  package var isTerminal: Bool { System.isTerminal(descriptor) }

  private init(descriptor: Int32) {
    // A terminal counts as writable as soon as it has room for one byte; while it is paused, a longer write would block
    // the event loop.
    let terminal = System.isTerminal(descriptor) ? try? System.reopenTerminal(descriptor) : nil
    (self.descriptor, isFile) = (terminal ?? descriptor, System.isFile(descriptor))
  }

  package static let output = StandardStream(descriptor: 1)
  package static let error = StandardStream(descriptor: 2)

  /// The columns and rows of the terminal; nil without a terminal, or where it does not report its size.
  package var size: (width: Int, height: Int)? { System.terminalSize(descriptor) }

  /// Whether the reader of a pipe has closed it.
  package var isClosed: Bool { System.isBroken(descriptor) }

  /// The number of bytes that a writable pipe accepts without blocking.
  private static let maximumWriteCount = Int(PIPE_BUF)

  /// Writes all bytes; suspends while the reader is slow. Throws ``OutputError``, `CancellationError`.
  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  nonisolated(nonsending) package func write(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let mayWrite = isFile || System.isWritable(descriptor)
      let count = mayWrite ? try writeAvailable(rest.prefix(Self.maximumWriteCount)) : 0
      rest = rest.dropFirst(count)
      if count == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  /// Writes what a terminal or a pipe takes within 100 ms; the rest is discarded.
  package func writeBriefly(_ text: String) { System.writeBriefly(descriptor, Array(text.utf8)) }

  package func writeBlocking(_ text: String) throws(OutputError) { try writeBlocking(Array(text.utf8)) }

  package func writeBlocking(_ bytes: [UInt8]) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try writeAvailable(rest)
      rest = rest.dropFirst(count)
      // A terminal is not blocking, and a program that shares a pipe may have made it non-blocking. A terminal with room
      // for half of a line break counts as writable, and takes nothing.
      if count == 0 {
        _ = System.isWritable(descriptor, timeout: -1)
        usleep(5_000)
      }
    }
  }

  private func writeAvailable(_ bytes: ArraySlice<UInt8>) throws(OutputError) -> Int {
    do throws(SystemError) { return try System.write(descriptor, bytes) } catch {
      throw error.isBrokenPipe ? .closed : .failed(reason: System.message(of: error.code))
    }
  }
}

/// Writes whole lines: to a terminal or a pipe at once, to a file within 100 ms, which saves a system call per line.
package final class BufferedOutput: Sendable {
  private struct State {
    var lines: [UInt8] = []
    var error: OutputError?
    /// The task that writes the pending lines after the delay.
    var timer: Task<Void, Never>?
  }

  private static let maximumDelay = Duration.milliseconds(100)
  private static let capacity = 1 << 16

  private let stream: StandardStream
  private let loop: EventLoop
  private let state = Locked(State())

  /// Writes to a stream; delayed writes run on the event loop of the caller.
  package init(_ stream: StandardStream, on loop: EventLoop) { (self.stream, self.loop) = (stream, loop) }

  /// Writes lines; suspends while the reader of a pipe is slow. It throws ``OutputError``, also for earlier lines.
  nonisolated(nonsending) package func write(_ lines: [UInt8]) async throws {
    guard stream.isFile else { return try await stream.write(lines) }
    try state.withLock { state throws(OutputError) in
      if let error = state.error { throw error }
      state.lines += lines
      if state.lines.count >= Self.capacity { try write(&state) }
      guard state.timer == nil, !state.lines.isEmpty else { return }
      state.timer = Task(executorPreference: loop) { [loop] in
        do { try await loop.sleep(for: Self.maximumDelay) } catch { return }
        try? self.flush()
      }
    }
  }

  /// Writes the pending lines; after an ``OutputError``, each later call throws it again.
  package func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      state.timer?.cancel()
      state.timer = nil
      try write(&state)
    }
  }

  /// Writes the pending lines, and discards them even if that fails: a second write could repeat some bytes.
  private func write(_ state: inout State) throws(OutputError) {
    if let error = state.error { throw error }
    defer { state.lines.removeAll(keepingCapacity: true) }
    do throws(OutputError) { try stream.writeBlocking(state.lines) } catch {
      state.error = error
      throw error
    }
  }
}
