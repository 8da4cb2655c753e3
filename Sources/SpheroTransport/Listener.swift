// A place where clients come to: a pseudo-terminal, a TCP port.

/// A place where clients come to, one after another.
///
/// What serves a robot waits here for a client, serves its line until it ends, and waits for the next.
public protocol Listener: Sendable {
  /// The line to a client.
  associatedtype Line: Transport
  /// Waits for the next client.
  ///
  /// - Returns: The line to it, or nil once the listener is closed.
  /// - Throws: `CancellationError`; an error of the system where no client can come any more.
  func accept() async throws -> Line?
  /// Lets no further client come, and ends the lines that ``accept()`` has returned.
  ///
  /// What waits for their bytes sees the end or an error, so that whoever serves returns.
  func close() async
}
