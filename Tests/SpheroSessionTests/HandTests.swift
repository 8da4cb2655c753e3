// The effects of a hand on a session.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct HandTests {
  @Test func aKnockIsACollisionOfTheSession() async throws {
    let time = VirtualTime()
    // A knock to the left: its origin is on the right, which counts as positive.
    let script = try HandScript(parsing: "5s knock -1 0")
    let simulated = SimulatedRobot(script: script, time: time)
    let (collision, when) = try await time.run {
      try await Robot.withRobot(on: simulated.connect(), time: time) { robot in
        try await robot.send(
          Sensing.ConfigureCollisionDetection(method: .on, xThreshold: 100, yThreshold: 100))
        for try await event in await robot.events(of: Sensing.Collision.self) { return (event, time.now) }
        throw CancellationError()
      }
    }
    #expect(collision.axis == .x && collision.x > 0)
    #expect(when >= .seconds(5) && when < .milliseconds(5_100), "\(when)")
  }

  @Test func aScriptWakesARobotThatSleeps() async throws {
    let time = VirtualTime()
    var configuration = SimulatedRobot.Configuration()
    configuration.model.wakesByBytes = false
    configuration.hangsUpToSleep = false
    let simulated = SimulatedRobot(
      configuration, script: try HandScript(parsing: "10s shake 300ms"), time: time)
    try await time.run {
      try await Robot.withRobot(on: simulated.connect(), time: time) { robot in
        try await robot.send(Core.Sleep())
        try await time.sleep(until: .seconds(3))
        #expect(await simulated.isAsleep)
        await #expect(throws: SessionError.self) { try await robot.ping() }
        try await time.sleep(until: .milliseconds(10_100))
        #expect(await !simulated.isAsleep)
        _ = try await robot.ping()
      }
    }
  }

  @Test func aHandMovesARobotAtAnyTimeAndHangsUp() async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    try await time.run {
      let line = simulated.connect()
      line.write([0xFF, 0xFF, 0x00, 0x01, 0x07, 0x01, 0xF6])
      _ = try await line.read()
      await simulated.perform(try HandScript(parsing: "hold nose-up\nwait 1s\nhang up"))
      #expect(time.now == .milliseconds(1_500))
      await #expect(throws: LinkError.lost("the simulated robot")) { try await line.read() }
      #expect(await simulated.model.isAsleep == false)
      await line.close()
    }
  }
}
