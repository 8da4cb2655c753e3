// Example 9 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroModel
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Test func theBallStopsAtTheWall() async throws {
  let time = VirtualTime()
  let simulated = SimulatedRobot(on: .room, time: time)
  try await time.run {
    try await Robot.withRobot(on: simulated.connect()) { try await rollUntilImpact($0) }
  }
  #expect(await simulated.locatorPosition.y > 80)  // centimetres ahead of the start
}
