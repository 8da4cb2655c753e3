// Results on their way to standard output: at once, or later in larger writes to a file.

import SpheroSystem
package import SpheroTransport

/// Writes whole lines: at once to a person or a pipe, a tenth of a second later at most to a file.
///
/// Nobody waits for a line of a file, and a system call for each line takes as long as the line itself.
package final class BufferedOutput: Sendable {
  private struct State {
    var lines: [UInt8] = []
    /// Why lines could not be written when it was time.
    var error: OutputError?
    /// Writes what waits.
    var timer: Task<Void, Never>?
  }

  /// How long a line of a file may wait.
  private static let longestWait = Duration.milliseconds(100)
  /// The most that waits.
  private static let capacity = 1 << 16

  private let stream: StandardStream
  private let loop: EventLoop
  private let state = Locked(State())

  /// Writes to a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - loop: The event loop of whoever writes.
  package init(_ stream: StandardStream, on loop: EventLoop) { (self.stream, self.loop) = (stream, loop) }

  /// Writes lines; waits without blocking a thread where the reader of a pipe is slow.
  ///
  /// - Throws: ``OutputError``, also that of earlier lines; `CancellationError` where the task is cancelled
  ///   while it waits.
  nonisolated(nonsending) package func write(_ lines: [UInt8]) async throws {
    guard stream.isFile else { return try await stream.write(lines) }
    try state.withLock { state throws(OutputError) in
      state.lines += lines
      if state.lines.count >= Self.capacity { try write(&state) }
      if let error = state.error { throw error }
      guard state.timer == nil, !state.lines.isEmpty else { return }
      state.timer = Task(executorPreference: loop) { [loop] in
        do { try await loop.sleep(for: Self.longestWait) } catch { return }
        try? self.flush()
      }
    }
  }

  /// Writes what waits.
  ///
  /// - Throws: ``OutputError``; it is thrown again by each later call.
  package func flush() throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      state.timer?.cancel()
      state.timer = nil
      try write(&state)
    }
  }

  /// What is lost with an error is not written again, or a file would have a line twice.
  private func write(_ state: inout State) throws(OutputError) {
    if let error = state.error { throw error }
    defer { state.lines.removeAll(keepingCapacity: true) }
    do throws(OutputError) { try stream.writeAtOnce(state.lines) } catch {
      state.error = error
      throw error
    }
  }
}
