// An example of the README, to the letter.

import SpheroProtocol
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
      for _ in 0..<60 {
        try await robot.send(Motion.Roll(speed: 128, heading: 90))
        try await time.sleep(for: .seconds(1))
      }
    }
    await life.value
    return await simulated.place.x
  }
}
