// An example of the README, to the letter.

import SpheroOrientation
import SpheroSession
import SpheroSimulator
import SpheroTransport

func rollForAMinute() async throws -> Double {
  let time = VirtualTime()
  let simulated = SimulatedRobot(time: time)
  return try await time.run {
    try await Robot.withRobot(on: simulated.connect(), time: time) { robot in
      try await robot.roll(.ahead, speed: 0.5, for: .seconds(60))
    }
    return await simulated.locatorPosition.y
  }
}
