// Example 1 of Docs/Simulator.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Test func aPushFromTheRightIsFelt() async throws {
  let time = VirtualTime()
  let simulated = SimulatedRobot(script: try HandScript(parsing: "1min knock -1 0"), time: time)
  try await time.run {
    try await Robot.withRobot(on: simulated.connect()) { robot in
      try await robot.send(Sensing.ConfigureCollisionDetection(method: .on, xThreshold: 100))
      for try await collision in await robot.events(of: Sensing.Collision.self).prefix(1) {
        #expect(collision.axis == .x)
      }
    }
  }
}
