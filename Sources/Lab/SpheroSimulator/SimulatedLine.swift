// A line to a simulated robot in the same process.

public import SpheroTransport

/// A line in memory with a simulated robot at its other end, which lives there as long as the line is open.
public final class SimulatedLine: Transport {
  private let host: MemoryTransport
  private let life: Task<Void, Never>

  init(_ robot: SimulatedRobot, time: any TimeSource) {
    let (host, device) = MemoryTransport.pair()
    self.host = host
    life = time.start { await robot.serve(device) }
  }

  // A line that nobody closed must not keep its robot alive.
  deinit { host.close() }

  /// Waits for bytes of the robot.
  public func read() async throws -> [UInt8]? { try await host.read() }

  /// Hands bytes to the robot.
  public func write(_ bytes: [UInt8]) { host.write(bytes) }

  /// Closes the line, and waits until the robot has noticed.
  public func close() async {
    host.close()
    await life.value
  }
}

extension SimulatedRobot {
  /// Opens a line to the robot, as a client does; one at a time.
  ///
  /// ```swift
  /// let time = VirtualTime()
  /// let simulated = SimulatedRobot(time: time)
  /// try await time.run { try await Robot.withRobot(on: simulated.connect(), time: time) { robot in … } }
  /// ```
  public func connect() -> SimulatedLine { SimulatedLine(self, time: time) }
}
