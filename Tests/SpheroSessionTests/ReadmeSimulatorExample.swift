// An example of the README, to the letter.

import SpheroOrientation
import SpheroSession
import SpheroSimulator
import SpheroTransport

func rollForAMinute() async throws -> Double {
  let time = VirtualTime()
  return try await time.run {
    let simulated = SimulatedRobot(time: time)
    let (here, there) = MemoryTransport.pair()
    let life = Task(executorPreference: time) { await simulated.serve(there) }
    try await Robot.withRobot(on: here, time: time) { robot in
      try await robot.roll(.ahead, speed: 0.5, for: .seconds(60))
    }
    await life.value
    return await simulated.place.y
  }
}
