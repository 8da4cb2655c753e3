// The protocols of lines and of endpoints that accept them, and a pair of lines in memory.

import SpheroSystem

/// A two-way line of bytes.
public protocol Transport: Sendable {
  /// Waits for bytes; runs on the caller's actor, so that bytes need no change of threads.
  ///
  /// - Returns: At least one byte, in chunks of any size, or nil once the line has been closed.
  /// - Throws: ``LinkError/lost(_:)`` where the line was lost; `CancellationError`.
  nonisolated(nonsending) func read() async throws -> [UInt8]?

  /// Sends bytes, and returns when the line has taken all of them.
  ///
  /// - Throws: ``LinkError``; `CancellationError`.
  func write(_ bytes: [UInt8]) async throws

  /// Waits until written bytes are sent, then closes the line and ends reads. It can be called again.
  func close() async
}

/// One end of a line in memory.
public final class MemoryTransport: Transport {
  private let incoming: Mailbox<UInt8>
  private let outgoing: Mailbox<UInt8>

  private init(incoming: Mailbox<UInt8>, outgoing: Mailbox<UInt8>) {
    (self.incoming, self.outgoing) = (incoming, outgoing)
  }

  /// Creates both ends of a line; closing one ends the reads of both.
  ///
  /// - Parameter capacity: The queued bytes in each direction; beyond it the oldest are lost, as on a radio.
  /// - Returns: The two ends.
  public static func pair(capacity: Int = 1 << 20) -> (MemoryTransport, MemoryTransport) {
    let (there, back) = (Mailbox<UInt8>(capacity: capacity), Mailbox<UInt8>(capacity: capacity))
    return (
      MemoryTransport(incoming: back, outgoing: there), MemoryTransport(incoming: there, outgoing: back)
    )
  }

  /// Waits for bytes of the other end.
  nonisolated(nonsending) public func read() async throws -> [UInt8]? { try await incoming.receive() }

  /// Queues bytes for the other end.
  public func write(_ bytes: [UInt8]) { outgoing.push(bytes) }

  /// Ends the reads of both ends.
  public func close() {
    incoming.finish()
    outgoing.finish()
  }
}

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
  func sharesClock(of time: any TimeSource) -> Bool
}

/// An endpoint that accepts one client after another.
///
/// A server accepts a client, serves its line until the line ends, and accepts the next client.
public protocol Listener: Sendable {
  /// The line to a client.
  associatedtype Line: Transport
  /// Waits for the next client.
  ///
  /// - Returns: The line to it, or nil once the listener is closed.
  /// - Throws: `CancellationError`; an error of the system where no further client can be accepted.
  func accept() async throws -> Line?
  /// Stops accepting clients, and ends the lines that ``accept()`` has returned.
  ///
  /// A pending read of such a line returns nil or throws.
  func close() async
}
