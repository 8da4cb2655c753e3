// An in-memory line to a simulated robot.

import SpheroSystem
public import SpheroTransport

/// An in-memory line to a simulated robot. It ends when it is closed or when the robot falls asleep.
public final class SimulatedLine: Transport {
  /// The host's end of the line.
  private let host: MemoryTransport
  /// The task in which the robot serves the line; its value is false if the robot serves another line.
  private let service: Task<Bool, Never>
  /// The name of the line in errors.
  private let name: String
  private let isClosed = Locked(false)
  /// The clock of the robot.
  public let clock: (any TimeSource)?

  init(_ robot: SimulatedRobot, name: String, time: any TimeSource) {
    let (host, device) = MemoryTransport.pair()
    (self.host, self.name, clock) = (host, name, time)
    service = Task(executorPreference: time.executor) { await robot.world.serve(device, robot.number) }
  }

  // Ends the service of a line that was not closed.
  deinit { host.close() }

  /// Waits for bytes from the robot; returns nil after ``close()``.
  ///
  /// - Throws: `LinkError.lost(_:)` if the robot has fallen asleep, `LinkError.refused(_:)` if it serves another line.
  public func read() async throws -> [UInt8]? {
    let bytes = try await host.read()
    if bytes == nil, !isClosed.withLock({ $0 }) {
      throw await service.value ? LinkError.lost(name) : .refused(name)
    }
    return bytes
  }

  public func write(_ bytes: [UInt8]) { host.write(bytes) }

  /// Closes the line, and waits until the robot has processed the disconnection.
  public func close() async {
    isClosed.withLock { $0 = true }
    host.close()
    _ = await service.value
  }
}

extension SimulatedRobot {
  /// Opens a line to the robot, which serves one line at a time.
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
