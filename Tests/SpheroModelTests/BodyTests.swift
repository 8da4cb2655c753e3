// Tests of the physics of the ball, against values calculated by hand.

import SpheroOrientation
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct BodyTests {
  /// Steps a body for some seconds.
  private func run(_ body: inout Body, on floor: Floor = Floor(), for seconds: Double) {
    for _ in 0..<Int((seconds / Body.stepLength).rounded()) { body.step(on: floor) }
  }

  /// The yaw wraps beyond 1,000 rad, and the target does not.
  @Test func aBodyAtATargetOfManyTurnsRests() {
    var body = Body()
    body.effort = .controlled(speed: 0, yaw: -1_144, turnRate: 30)
    run(&body, for: 5)
    #expect(body.isResting)
  }

  @Test func reachesTheSpeedItIsTold() {
    var body = Body()
    body.effort = .controlled(speed: 1, yaw: 0, turnRate: 3)
    run(&body, for: 3)
    #expect(abs(body.velocity.y - 1) < 1e-3 && body.velocity.x == 0)
    #expect(abs(body.position.y - 2.8) < 0.1, "3 s at 1 m/s, less the time to gather it")
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

  @Test func turnsNoFasterThanToldAndToTheHeading() {
    var body = Body()
    body.effort = .controlled(speed: 0, yaw: .pi / 2, turnRate: 1)
    var fastest = 0.0
    for _ in 0..<1_200 {
      body.step(on: Floor())
      fastest = max(fastest, abs(body.yawRate))
    }
    #expect(fastest <= 1.001)
    #expect(abs(body.yaw - .pi / 2) < 1e-9 && body.yawRate == 0)
  }

  @Test func theGyroscopeIsTheDerivativeOfTheAttitude() {
    var body = Body()
    var attitude = body.attitude
    for step in 0..<2_400 {
      let yaw = 2 * Double(step / 300)
      body.effort = .controlled(speed: step % 600 < 300 ? 1 : 0, yaw: yaw, turnRate: 3)
      body.step(on: Floor())
      let turn = Rotation(rotationVector: body.angularVelocity * Body.stepLength) ?? .identity
      attitude = attitude * turn
    }
    #expect(attitude.angle(to: body.attitude).degrees < 0.01)
  }

  @Test func leansWhileItGathersSpeedAndStandsUprightAtRest() {
    var body = Body()
    body.effort = .controlled(speed: 1, yaw: 0, turnRate: 3)
    run(&body, for: 0.15)
    let pitch = Convention.sphero.pitchRollYaw(of: body.attitude).pitch.degrees
    #expect(pitch > 3 && pitch < 30, "nose up")
    run(&body, for: 3)
    #expect(body.tilt < 1e-3)
  }

  @Test func withoutGripTheLocatorFollowsTheWheels() {
    var body = Body()
    body.effort = .controlled(speed: 2, yaw: 0, turnRate: 3)
    let ice = Floor(grip: 0.05)
    var rolled = 0.0
    for _ in 0..<400 {
      body.step(on: ice)
      rolled += body.rimSpeed * Body.stepLength
    }
    // Half of g/20 for a second is 24 cm; the wheels went on for more than a metre.
    #expect(abs(body.position.y - 0.245) < 0.01)
    #expect(rolled > 1)
  }

  @Test func aFreeBallRollsDownAndItsEnergyDoesNotGrowOnTheLevel() {
    var body = Body()
    body.effort = .none
    run(&body, on: Floor(slope: Planar(0.7, 0)), for: 2)
    #expect(body.velocity.x > 0.5 && abs(body.velocity.y) < 1e-9)
    var energy = body.velocity.dot(body.velocity)
    for _ in 0..<4_000 {
      body.step(on: Floor(width: 2, depth: 2))
      let next = body.velocity.dot(body.velocity)
      #expect(next <= energy + 1e-12)
      energy = next
    }
    #expect(energy == 0)
  }

  @Test func wallsAreNotPassed() {
    let room = Floor(width: 1, depth: 1)
    var generator = SplitMix64(seed: 3)
    var body = Body()
    for step in 0..<20_000 {
      if step % 40 == 0 {
        body.effort = .controlled(
          speed: 2, yaw: generator.next(within: 4), turnRate: 17)
      }
      if step % 1_000 == 0 { body.hit(Planar(generator.next(within: 9), generator.next(within: 9))) }
      body.step(on: room)
      #expect(max(abs(body.position.x), abs(body.position.y)) <= 0.5 - Body.radius + 1e-9)
    }
  }

  @Test func opposedMotorsSpin() {
    var body = Body()
    body.effort = .wheels(left: 0.2, right: -0.2)
    run(&body, for: 1)
    #expect(body.yawRate < -3, "clockwise, the left wheel goes ahead")
    #expect(body.position.length < 1e-9)
  }

  @Test func floorsAreReadAndFaultsPointedAt() throws {
    let floor = try Floor(
      parsing: "# a room\nroom 4 3\nwall -1 0 1 0\nstart 0 -1\ngrip 0.5\nslope 0 0.3\nbounce 0.2\n")
    #expect(floor.walls.count == 5 && floor.starts == [Planar(0, -1)])
    #expect(floor.grip == 0.5 && floor.slope == Planar(0, 0.3) && floor.bounce == 0.2)
    for (text, line) in [
      ("room 0.07 2", 1),
      ("room 4", 1), ("\nwall 1 2 3 x", 2), ("grip 0", 1), ("door 1", 1), ("room inf 2", 1), ("slope 7 7", 1),
    ] {
      let error = #expect(throws: TextLineError.self) { try Floor(parsing: text) }
      #expect(error?.line == line)
    }
  }

  /// The top of the carriage leans against the acceleration, along the nose and across it.
  @Test func leansAgainstTheAcceleration() {
    func lean(_ body: Body, after seconds: Double) -> Double {
      var body = body
      let before = body.velocity
      run(&body, for: seconds)
      let change = body.velocity - before
      let up = body.attitude.act(on: Vector3(0, 0, 1))
      return (up.x * change.x + up.y * change.y) / change.length
    }
    var body = Body()
    body.effort = .controlled(speed: 1, yaw: 0, turnRate: 3)
    #expect(lean(body, after: 0.2) < -0.01, "it gains speed ahead")
    run(&body, for: 3)
    for yaw in [1.5, -1.5] {
      body.effort = .controlled(speed: 1, yaw: yaw, turnRate: 3)
      #expect(lean(body, after: 0.25) < -0.01, "it turns")
    }
  }

  @Test func twoImpactsTogetherHaveTheSpeedBeforeTheFirst() {
    var body = Body()
    body.hit(Planar(0, 1))
    body.step(on: Floor())
    body.hit(Planar(0, 0.5))
    #expect(body.speedBeforeBump == 0, "it was at rest")
  }
}
