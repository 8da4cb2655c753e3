// Opens every kind of port with one call.

public import SpheroSerial
public import SpheroTransport

extension Port {
  /// Opens the port.
  ///
  /// Cancelling the task ends the opening too, and leaves nothing open.
  /// A simulated robot lives as long as the line; ``PortOpener`` keeps it for the next one.
  ///
  /// - Parameters:
  ///   - takeover: The program that is asked to give a device up that it holds; with nil, none is.
  ///   - time: The clock for the waits, and for a simulated robot.
  /// - Returns: The open line, which the caller closes.
  /// - Throws: As ``PortOpener/open(takeover:)``.
  public func open(takeover: Takeover? = nil, time: some TimeSource = SystemTime()) async throws
    -> any Transport
  {
    try await PortOpener(self, time: time).open(takeover: takeover)
  }
}
