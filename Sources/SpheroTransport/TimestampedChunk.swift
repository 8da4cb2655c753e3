// Bytes with their arrival time, and lines that report arrival times.

/// The bytes of one read, with their arrival time.
package struct TimestampedChunk: Hashable, Sendable {
  /// At least one byte.
  package let bytes: [UInt8]
  /// The time by the clock of the line.
  package let time: Duration

  package init(_ bytes: [UInt8], at time: Duration) { (self.bytes, self.time) = (bytes, time) }
}

/// A line that reports the arrival times of its bytes.
package protocol TimestampedTransport: Transport {
  /// Waits for bytes; runs on the caller's actor.
  ///
  /// - Returns: At least one chunk, in the order of arrival, or nil once the line has been closed.
  /// - Throws: ``LinkError/lost(_:)`` where the line was lost; `CancellationError`.
  nonisolated(nonsending) func readChunks() async throws -> [TimestampedChunk]?

  /// Whether the times are those of a clock.
  func usesClock(of time: any TimeSource) -> Bool
}
