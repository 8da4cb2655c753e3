// Opens one port again and again: a simulated robot stays the same one.

import SpheroRecording
public import SpheroSerial
import SpheroSimulator
public import SpheroTransport

/// Opens one port again and again.
///
/// A simulated robot is made with the first line, and is still there when the next one is opened,
/// like a robot that stays awake; a line that breaks by plan comes back by plan.
public final class PortOpener: Sendable {
  private let port: Port
  private let time: any TimeSource
  private let simulated: SimulatedPort?

  /// Prepares to open a port; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - time: The clock for the waits, and for a simulated robot.
  public init(_ port: Port, time: any TimeSource = SystemTime()) {
    (self.port, self.time) = (port, time)
    if let options = port.options {
      simulated = SimulatedPort(options, time: time)
    } else {
      simulated = nil
    }
  }

  /// Opens the port.
  ///
  /// Cancelling the task ends the opening too, and leaves nothing open.
  ///
  /// - Parameter takeover: The program that is asked to give a device up that it holds; with nil, none is.
  /// - Returns: The open line, which the caller closes before the next one is opened.
  /// - Throws: `LinkError`; `PortError` where an option of the simulator is unknown;
  ///   `SimulatorFileError` where a file that its options name cannot be used;
  ///   `CaptureError` and `ReplayError` where a recording cannot be replayed; `CancellationError`.
  public func open(takeover: Takeover? = nil) async throws -> any Transport {
    switch port.place {
    case .device(let path): return try await SerialDevice.open(path, takeover: takeover, time: time)
    case .bluetooth(let address, let channel):
      return try await StreamSocket.connect(to: address, channel: channel, takeover: takeover, time: time)
    case .tcp(let address, let port):
      return try await StreamSocket.connect(to: address, port: port, time: time)
    case .simulated(let options):
      return try await (simulated ?? SimulatedPort(options, time: time)).open()
    case .recording(let path): return try await ReplayTransport.open(path: path, time: time)
    }
  }
}

/// A simulated robot with the faults of its line.
private actor SimulatedPort {
  private let options: String
  private let time: any TimeSource
  /// What makes both, once for whoever opens the port first.
  private var making: Task<(robot: SimulatedRobot, line: FaultyPort), any Error>?

  init(_ options: String, time: any TimeSource) { (self.options, self.time) = (options, time) }

  func open() async throws -> any Transport {
    let (robot, line) = try await parts()
    return try await line.open { robot.connect() }
  }

  private func parts() async throws -> (robot: SimulatedRobot, line: FaultyPort) {
    let task =
      making
      ?? Task(executorPreference: time.executor) { [options, time] in
        let options = try SimulatorOptions(port: options)
        let world = try await options.world(time: time)
        return (
          SimulatedRobot(number: 0, in: world), FaultyPort(plan: options.faults(of: 0), time: world.time)
        )
      }
    making = task
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      making = nil
      throw error
    }
  }
}
