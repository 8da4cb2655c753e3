// Example 1 of Docs/Apps.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@MainActor final class BallModel {
  private(set) var sampleCount = 0
  private var session: Task<Void, any Error>?

  func connect(on time: any TimeSource, _ open: @escaping @Sendable () async throws -> any Transport) {
    session = Task(executorPreference: time.executor) { try await self.run(open) }
  }

  func disconnect() async {
    session?.cancel()
    _ = await session?.result
  }

  private func run(_ open: @Sendable () async throws -> any Transport) async throws {
    try await Robot.withRobot(on: open()) { robot in
      for try await _ in try await robot.samples(.imu, hertz: 20) { sampleCount += 1 }
    }
  }
}

@MainActor @Test func twoSecondsHaveFortySamples() async throws {
  let time = VirtualTime()
  let simulated = SimulatedRobot(time: time)
  let count = try await time.run { @MainActor in
    let model = BallModel()
    model.connect(on: time) { simulated.connect() }
    try await time.sleep(for: .seconds(2))
    await model.disconnect()
    return model.sampleCount
  }
  #expect((38...40).contains(count))
}
