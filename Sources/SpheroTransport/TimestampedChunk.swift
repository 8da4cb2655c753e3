// Bytes of one read with the time they arrived, and lines that report it.

/// The bytes of one read, with the time they arrived.
package struct TimestampedChunk: Hashable, Sendable {
  /// At least one byte.
  package let bytes: [UInt8]
  /// The time by the clock of the line.
  package let time: Duration

  /// Makes a chunk.
  package init(_ bytes: [UInt8], at time: Duration) { (self.bytes, self.time) = (bytes, time) }
}

/// A line that reports when its bytes arrived.
package protocol TimestampedTransport: Transport {
  /// Waits for bytes; runs where the caller does.
  ///
  /// - Returns: At least one chunk, in the order of arrival, or nil once the line has been closed.
  /// - Throws: ``LinkError/lost(_:)`` where the other end went away; `CancellationError`.
  nonisolated(nonsending) func readChunks() async throws -> [TimestampedChunk]?

  /// Whether the times are those of a clock.
  func usesClock(of time: any TimeSource) -> Bool
}
