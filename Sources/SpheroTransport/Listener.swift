// An endpoint that accepts clients: a pseudo-terminal, a TCP port.

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
