// Tests of crowds: starting places, and no ball passes a wall or another ball.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct CrowdTests {
  /// The minimum distance between two balls.
  private func leastDistance(_ places: [Planar]) -> Double {
    var least = Double.infinity
    for (index, one) in places.enumerated() {
      for other in places[..<index] { least = min(least, (one - other).length) }
    }
    return least
  }

  /// Changes the directions of all robots at intervals.
  private func play(_ world: inout World, seconds: Int, toward headings: [UInt16]) -> (
    gap: Double, out: Double
  ) {
    var (gap, out) = (Double.infinity, 0.0)
    for second in 0..<seconds {
      let now = Duration.seconds(second)
      for index in world.robots.indices {
        let heading = headings[(index + second / 10) % headings.count]
        let roll: [UInt8] = [255, UInt8(heading >> 8), UInt8(heading & 0xFF), 1]
        world.receive(Talk.packet(0x02, 0x30, roll, sop2: 0xFE), by: index, at: now)
      }
      for part in 1...10 {
        world.tick(at: now + .milliseconds(100 * part))
        let places = world.robots.map { $0.body.position }
        gap = min(gap, leastDistance(places))
        out = max(out, places.reduce(0) { max($0, abs($1.x), abs($1.y)) })
      }
    }
    return (gap, out)
  }

  private func connected(_ count: Int, on floor: Floor) -> World {
    var world = World(Array(repeating: .init(), count: count), on: floor)
    for index in 0..<count { world.withRobot(index, at: .zero) { $0.connect(at: .zero) } }
    return world
  }

  @Test func fiftyRobotsBeginApartAndInsideTheirRoom() {
    for (floor, half) in [(Floor(), 1e3), (Floor(width: 4, depth: 3), 2), (Floor(width: 1, depth: 1), 0.5)] {
      let places = floor.starts(for: 50)
      #expect(places.count == 50 && places.first == .zero)
      #expect(leastDistance(places) > 2 * Body.radius)
      #expect(places.allSatisfy { abs($0.x) < half - Body.radius && abs($0.y) < half - Body.radius })
    }
    // Without walls they stand in a row, 0.3 m apart.
    #expect(Floor().starts(for: 3) == [Planar(0, 0), Planar(0.3, 0), Planar(0.6, 0)])
    let given = Floor(starts: [Planar(0.3, 0)]).starts(for: 3)
    #expect(given[0] == Planar(0.3, 0) && leastDistance(given) > 0.2)
  }

  @Test func aRoomThatIsFullIsNoTrap() {
    let places = Floor(width: 0.2, depth: 0.2).starts(for: 9)
    #expect(places.count == 9 && Set(places).count == 9)
  }

  @Test func fiftyRobotsInASquareMetre() {
    var world = connected(50, on: Floor(width: 1, depth: 1))
    let (gap, out) = play(&world, seconds: 3, toward: [0, 90, 180, 270, 45])
    #expect(gap > 2 * Body.radius - 0.002, "\(gap)")
    #expect(out < 0.5)
  }

  @Test func tenRobotsPressedIntoACorner() {
    // A long run takes an hour.
    let seconds = min(RandomRun(steps: 20).steps, 3_600)
    var world = connected(10, on: Floor(width: 2, depth: 2))
    let (gap, out) = play(&world, seconds: seconds, toward: [45])
    #expect(gap > 2 * Body.radius - 0.002, "\(gap)")
    #expect(out < 1 - Body.radius + 0.002, "\(out)")
  }

  @Test func ballsThatBeginAtOnePlacePartWithinTheWalls() {
    var floor = Floor(width: 1, depth: 1)
    floor.starts = Array(repeating: Planar(0.45, 0.45), count: 30)
    var world = World(Array(repeating: .init(), count: 30), on: floor)
    for step in 1...2_000 {
      world.tick(at: .milliseconds(5 * step))
      #expect(world.robots.allSatisfy { abs($0.body.position.x) < 0.5 && abs($0.body.position.y) < 0.5 })
    }
    #expect(leastDistance(world.robots.map { $0.body.position }) > 2 * Body.radius - 0.001)
  }

  @Test func aBallThatIsPutDownOnAnotherPartsFromIt() {
    var world = connected(2, on: Floor(starts: [.zero, Planar(0.05, 0)]))
    world.withRobot(1, at: .zero) { $0.hold(.identity, at: .zero) }
    world.tick(at: .seconds(1))
    #expect(world.robots[0].body.position == .zero, "a ball in the hand is in the way of no ball")
    world.withRobot(1, at: .seconds(1)) { $0.hold(nil, at: .seconds(1)) }
    world.tick(at: .seconds(2))
    #expect(leastDistance(world.robots.map { $0.body.position }) >= 2 * Body.radius - 1e-6)
  }

  @Test func aFreeBallOnASlopeRollsHoweverSeldomAnybodyLooks() {
    func roll(_ parts: Int) -> Planar {
      var talk = Talk(on: Floor(slope: Planar(0.7, 0)))
      _ = talk.send(0x02, 0x02, [0])
      for part in 1...parts { talk.robot.tick(at: .seconds(2) * part / parts) }
      return talk.robot.body.position
    }
    // 5/7 of 0.7 less 0.15 m/s² for 2 s are 0.7 m.
    #expect(abs(roll(1).x - 0.7) < 0.01)
    #expect(roll(1) == roll(801))
  }

  /// The steps of an hour are not computed at once, at the next event.
  @Test(arguments: [0, 0.7]) func aBallThatRollsInItsSleepHasDeadlines(_ slope: Double) {
    var talk = Talk(on: Floor(slope: Planar(slope, 0)))
    _ = talk.send(0x02, 0x02, [0])
    // Sleep without a wakeup, macro and program.
    _ = talk.send(0x00, 0x22, [0, 0, 0, 0, 0])
    talk.robot.tick(at: .seconds(5))
    #expect(talk.robot.isAsleep)
    guard slope > 0 else {
      #expect(talk.robot.nextDeadline == nil)
      return
    }
    for second in 5..<9 {
      let deadline = talk.robot.nextDeadline ?? .zero
      #expect(deadline > .seconds(second) && deadline <= .seconds(second + 1))
      talk.robot.tick(at: deadline)
    }
  }

  @Test func aTurnInTheBackgroundTakesItsTimeHoweverSeldomAnybodyLooks() {
    var talk = Talk()
    // Rotate by 90 degrees over 2 s; end.
    _ = talk.send(0x02, 0x51, [255, 0, 0x1A, 0, 90, 0x07, 0xD0, 0x00])
    _ = talk.send(0x02, 0x50, [255])
    talk.robot.tick(at: .seconds(1))
    #expect(abs(talk.robot.locatorPosition.heading - 45) < 2)
  }

  @Test(arguments: [0.95, 1.05]) func anotherClockTicksBetweenTheSteps(_ rate: Double) {
    func run(_ parts: Int) -> [OutputPiece] {
      var talk = Talk { $0.clockRate = rate }
      _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 7, 0xE0, 0, 0, 0x0D, 0x80, 0, 0])
      _ = talk.send(0x02, 0x30, [128, 0, 90, 1])
      for part in 1...parts { talk.robot.tick(at: .seconds(2) * part / parts) }
      return talk.robot.takeOutput()
    }
    #expect(run(1).count > 700)
    #expect(run(1) == run(2_903))
  }

  @Test func aMuteRobotSendsNoEventsEither() {
    var talk = Talk()
    #expect(talk.send(0x00, 0x03, [0]).isEmpty)
    #expect(talk.send(0x02, 0x40, [1]).isEmpty)
    #expect(talk.send(0x00, 0x40).isEmpty)
  }
}
