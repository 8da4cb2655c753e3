// A line in memory to a simulated robot.

public import SpheroTransport

/// A line in memory to a simulated robot, which serves it until it is closed.
public final class SimulatedLine: Transport {
  private let host: MemoryTransport
  private let life: Task<Void, Never>

  init(_ robot: SimulatedRobot, time: any TimeSource) {
    let (host, device) = MemoryTransport.pair()
    self.host = host
    life = time.start { await robot.serve(device) }
  }

  // Ends the task of a line that was not closed.
  deinit { host.close() }

  public func read() async throws -> [UInt8]? { try await host.read() }

  public func write(_ bytes: [UInt8]) { host.write(bytes) }

  /// Closes the line, and waits until the robot has processed the disconnection.
  public func close() async {
    host.close()
    await life.value
  }
}

extension SimulatedRobot {
  /// Opens a line to the robot; a robot serves one line at a time.
  ///
  /// ```swift
  /// let time = VirtualTime()
  /// let simulated = SimulatedRobot(time: time)
  /// try await time.run { try await Robot.withRobot(on: simulated.connect(), time: time) { robot in … } }
  /// ```
  public func connect() -> SimulatedLine { SimulatedLine(self, time: time) }
}
