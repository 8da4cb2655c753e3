// How a ball rolls, turns, slips and bounces, against numbers worked out by hand.

import SpheroOrientation
import Testing

@testable import SpheroModel

@Suite struct BodyTests {
  /// Steps a body for some seconds.
  private func run(_ body: inout Body, on floor: Floor = Floor(), for seconds: Double) {
    for _ in 0..<Int((seconds / Body.stepLength).rounded()) { body.step(on: floor) }
  }

  @Test func reachesTheSpeedItIsTold() {
    var body = Body()
    body.effort = .controlled(speed: 1, yaw: 0, turnRate: 3)
    run(&body, for: 3)
    #expect(abs(body.velocity.y - 1) < 1e-3 && body.velocity.x == 0)
    #expect(abs(body.position.y - 2.85) < 0.05, "3 s at 1 m/s, less the time to gather it")
  }

  @Test func comesToRestAndStaysThere() {
    var body = Body()
    body.effort = .controlled(speed: 2, yaw: 1, turnRate: 3)
    run(&body, for: 2)
    body.effort = .controlled(speed: 0, yaw: 1, turnRate: 3)
    run(&body, for: 3)
    #expect(body.isResting)
    let place = body.position
    run(&body, for: 1)
    #expect(body.position == place && body.isResting)
  }
}
