// Buffered results for the standard output: written at once, or to a file in larger blocks.

import SpheroSystem
package import SpheroTransport

/// Writes whole lines: to a terminal or a pipe at once, to a file within 100 ms.
///
/// A system call per line of a file would take as long as the line itself.
package final class BufferedOutput: Sendable {
  private struct State {
    var lines: [UInt8] = []
    /// The error of a delayed write.
    var error: OutputError?
    /// Writes the pending lines.
    var timer: Task<Void, Never>?
  }

  /// The maximum delay of a line of a file.
  private static let maximumDelay = Duration.milliseconds(100)
  /// The maximum number of pending bytes.
  private static let capacity = 1 << 16

  private let stream: StandardStream
  private let loop: EventLoop
  private let state = Locked(State())

  /// Writes to a stream; delayed writes run on the event loop of the caller.
  package init(_ stream: StandardStream, on loop: EventLoop) { (self.stream, self.loop) = (stream, loop) }

  /// Writes lines; suspends while the reader of a pipe is slow.
  ///
  /// - Throws: ``OutputError``, also for earlier lines; `CancellationError`.
  nonisolated(nonsending) package func write(_ lines: [UInt8]) async throws {
    guard stream.isFile else { return try await stream.write(lines) }
    try state.withLock { state throws(OutputError) in
      state.lines += lines
      if state.lines.count >= Self.capacity { try write(&state) }
      if let error = state.error { throw error }
      guard state.timer == nil, !state.lines.isEmpty else { return }
      state.timer = Task(executorPreference: loop) { [loop] in
        do { try await loop.sleep(for: Self.maximumDelay) } catch { return }
        try? self.flush()
      }
    }
  }

  /// Writes the pending lines.
  ///
  /// - Throws: ``OutputError``, also in each later call.
  package func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      state.timer?.cancel()
      state.timer = nil
      try write(&state)
    }
  }

  /// After an error the lines are discarded: a second write could repeat a part of them in the file.
  private func write(_ state: inout State) throws(OutputError) {
    if let error = state.error { throw error }
    defer { state.lines.removeAll(keepingCapacity: true) }
    do throws(OutputError) { try stream.writeBlocking(state.lines) } catch {
      state.error = error
      throw error
    }
  }
}
