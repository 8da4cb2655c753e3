// A line in memory to a simulated robot.

import SpheroSystem
public import SpheroTransport

/// A line in memory to a simulated robot, which serves it until it is closed or the robot sleeps.
public final class SimulatedLine: Transport {
  private let host: MemoryTransport
  /// The service of the line; false if another line is served.
  private let life: Task<Bool, Never>
  /// The name in errors.
  private let name: String
  private let isClosed = Locked(false)
  /// The clock of the robot.
  public let clock: (any TimeSource)?

  init(_ robot: SimulatedRobot, name: String, time: any TimeSource) {
    let (host, device) = MemoryTransport.pair()
    (self.host, self.name, clock) = (host, name, time)
    life = Task(executorPreference: time.executor) { await robot.world.serve(device, robot.number) }
  }

  // Ends the task of a line that was not closed.
  deinit { host.close() }

  /// Waits for bytes of the robot.
  ///
  /// - Throws: `LinkError.lost(_:)` when the robot ends the line, and `LinkError.refused(_:)` if it has another line.
  public func read() async throws -> [UInt8]? {
    let bytes = try await host.read()
    if bytes == nil, !isClosed.withLock({ $0 }) {
      throw await life.value ? LinkError.lost(name) : .refused(name)
    }
    return bytes
  }

  public func write(_ bytes: [UInt8]) { host.write(bytes) }

  /// Closes the line, and waits until the robot has processed the disconnection.
  public func close() async {
    isClosed.withLock { $0 = true }
    host.close()
    _ = await life.value
  }
}

extension SimulatedRobot {
  /// Opens a line to the robot; a robot serves one line at a time, and ends it to sleep.
  ///
  /// ```swift
  /// let time = VirtualTime()
  /// let simulated = SimulatedRobot(time: time)
  /// try await time.run { try await Robot.withRobot(on: simulated.connect()) { robot in … } }
  /// ```
  ///
  /// - Parameter name: The name of the line in errors.
  /// - Returns: The open line.
  public func connect(named name: String = "the simulated robot") -> SimulatedLine {
    SimulatedLine(self, name: name, time: time)
  }
}
