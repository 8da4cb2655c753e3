// Example 10 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Test func aLostLinkIsReported() async throws {
  let time = VirtualTime()
  let simulated = SimulatedRobot(time: time)
  let plan = FaultPlan(outage: .init(after: .seconds(2), lasting: .seconds(60)))
  await #expect(throws: LinkError.lost("the line")) {
    try await time.run {
      let line = try await FaultyPort(plan: plan, time: time).open { simulated.connect() }
      try await Robot.withRobot(on: line) { robot in
        for try await _ in try await robot.samples([.accel], hertz: 20) {}
      }
    }
  }
}

@Test func aLostAnswerTimesOut() async throws {
  let time = VirtualTime()
  let simulated = SimulatedRobot(time: time)
  let plan = FaultPlan([Fault(.drop, of: .responses, to: Lights.SetRGBLED.id)])
  let answer = try await time.run {
    let line = try await FaultyPort(plan: plan, time: time).open { simulated.connect() }
    return try await Robot.withRobot(on: line) { try await turnRed($0) }
  }
  #expect(answer == "no answer in time")
}
