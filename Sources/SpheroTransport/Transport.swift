// The protocol of a two-way line of bytes, and a pair of lines in memory.

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
