// The line to a robot that is simulated in the same process.

import SpheroSimulator
import SpheroTransport

/// A line in memory with a simulated robot at its other end, which lives as long as the line is open.
final class SimulatedLine: Transport {
  private let host: MemoryTransport
  private let life: Task<Void, Never>

  /// Puts a robot at the other end.
  init(_ robot: SimulatedRobot, time: some TimeSource) {
    let (host, device) = MemoryTransport.pair()
    self.host = host
    life = time.start { await robot.serve(device) }
  }

  // A line that nobody closed must not keep its robot alive.
  deinit { host.close() }

  func read() async throws -> [UInt8]? { try await host.read() }

  func write(_ bytes: [UInt8]) { host.write(bytes) }

  func close() async {
    host.close()
    await life.value
  }
}
