// Opens every kind of port with one call.

import SpheroRecording
public import SpheroSerial
import SpheroSimulator
public import SpheroTransport

extension Port {
  /// Opens the port.
  ///
  /// Cancelling the task ends the opening too, and leaves nothing open.
  ///
  /// - Parameters:
  ///   - takeover: The program that is asked to give a device up that it holds; with nil, none is.
  ///   - time: The clock for the waits, and for a simulated robot.
  /// - Returns: The open line, which the caller closes.
  /// - Throws: `LinkError`; `PortError` where an option of the simulator is unknown;
  ///   `CaptureError` and `ReplayError` where a recording cannot be replayed; `CancellationError`.
  public func open(takeover: Takeover? = nil, time: some TimeSource = SystemTime()) async throws
    -> any Transport
  {
    switch self {
    case .device(let path): try await SerialDevice.open(path, takeover: takeover, time: time)
    case .bluetooth(let address, let channel):
      try await StreamSocket.connect(to: address, channel: channel, takeover: takeover, time: time)
    case .tcp(let address, let port): try await StreamSocket.connect(to: address, port: port, time: time)
    case .simulated(let options):
      SimulatedLine(try SimulatorOptions(port: options), time: time)
    case .recording(let path): try await ReplayTransport.open(path: path, time: time)
    }
  }
}
