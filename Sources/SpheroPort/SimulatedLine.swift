// The line to a robot that is simulated in the same process.

import SpheroSimulator
import SpheroTransport

/// A line in memory with a simulated robot at its other end, which lives as long as the line is open.
final class SimulatedLine: Transport {
  private let host: MemoryTransport
  /// The host's end with its faults.
  private let line: FaultyTransport
  private let life: Task<Void, Never>

  /// Puts a robot at the other end of a line.
  init(_ options: SimulatorOptions, time: some TimeSource) {
    let (host, device) = MemoryTransport.pair()
    let time: any TimeSource = options.pace == 1 ? time : ScaledTime(time, pace: options.pace)
    let robot = SimulatedRobot(options.robot, time: time)
    self.host = host
    line = FaultyTransport(host, plan: options.faults, time: time)
    life = time.start { await robot.serve(device) }
  }

  // A line that nobody closed must not keep its robot alive.
  deinit { host.close() }

  func read() async throws -> [UInt8]? { try await line.read() }

  func write(_ bytes: [UInt8]) throws { try line.write(bytes) }

  func close() async {
    await line.close()
    await life.value
  }
}
