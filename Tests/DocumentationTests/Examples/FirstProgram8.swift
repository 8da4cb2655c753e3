// Example 8 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroOrientation
import SpheroSession
import SpheroSimulator
import SpheroTransport

/// How far a ball rolls in a minute at half of its speed, in centimetres.
func rollForAMinute() async throws -> Double {
  let time = VirtualTime()
  let simulated = SimulatedRobot(time: time)
  return try await time.run {
    try await Robot.withRobot(on: simulated.connect()) { robot in
      try await robot.roll(.ahead, speed: 0.5, for: .seconds(60))
    }
    return await simulated.locatorPosition.y
  }
}
