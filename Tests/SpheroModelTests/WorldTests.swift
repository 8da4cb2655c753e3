// Tests of several robots on one floor, also with random histories.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct WorldTests {
  @Test func twoBallsExchangeMomentum() {
    var world = World([.init(), .init()], on: Floor(starts: [Planar(0, 0), Planar(0, 0.5)]))
    for index in 0...1 {
      world.withRobot(index, at: .zero) { $0.connect(at: .zero) }
      // Stabilisation off: both roll freely.
      world.receive(Talk.packet(0x02, 0x02, [0]), by: index, at: .zero)
    }
    world.withRobot(0, at: .zero) { $0.knock(Planar(0, 1), at: .zero) }
    world.tick(at: .milliseconds(425))
    let before = world.robots[0].body.velocity.y
    #expect(before > 0.9 && world.robots[1].body.velocity == .zero)
    world.tick(at: .milliseconds(475))
    let (one, other) = (world.robots[0].body.velocity.y, world.robots[1].body.velocity.y)
    #expect(other > one && one >= 0)
    // Rolling friction takes 0.15 m/s², at most for both balls, in the time between.
    #expect(abs(one + other - before) < 0.02)
  }

  /// The robot that is hit reports the collision at once, so the world must not sleep until the next timer.
  @Test func aCollisionOfARestingRobotIsReportedAtOnce() throws {
    var world = World([.init(), .init()], on: Floor(starts: [Planar(0, 0), Planar(0, 0.5)]))
    for index in 0...1 { world.withRobot(index, at: .zero) { $0.connect(at: .zero) } }
    world.receive(Talk.packet(0x02, 0x12, [1, 50, 50, 50, 50, 10]), by: 1, at: .zero)
    world.receive(Talk.packet(0x02, 0x30, [255, 0, 0, 1]), by: 0, at: .zero)
    var now = Duration.zero
    var impact: Duration?
    while impact == nil, now < .seconds(2) {
      now = try max(#require(world.nextDeadline), now + .milliseconds(1))
      world.tick(at: now)
      if world.takeOutput(of: 1).contains(where: { $0.bytes.starts(with: [0xFF, 0xFE, 0x07]) }) {
        impact = now
      }
    }
    #expect(try #require(impact) < .milliseconds(900))
  }

  @Test func oneRobotInAWorldIsTheRobotAlone() {
    var world = World([.init()])
    var robot = RobotModel()
    world.withRobot(0, at: .zero) { $0.connect(at: .zero) }
    robot.connect(at: .zero)
    let commands =
      Talk.packet(0x02, 0x11, [0, 4, 0, 1, 0, 7, 0xFC, 0, 0]) + Talk.packet(0x02, 0x30, [99, 0, 50, 1])
    world.receive(commands, by: 0, at: .milliseconds(3))
    robot.receive(commands, at: .milliseconds(3))
    world.tick(at: .seconds(3))
    robot.tick(at: .seconds(3))
    let pieces = robot.takeOutput()
    #expect(pieces.count > 290 && world.takeOutput(of: 0) == pieces)
  }

  @Test func aNumberThatNoRobotHasIsIgnored() {
    var world = World([])
    world.receive([1, 2, 3], by: 4, at: .seconds(1))
    #expect(world.takeOutput(of: 4).isEmpty && world.nextDeadline == nil)
  }

  /// Random commands with faults of bytes; invariants are checked after each step.
  @Test(arguments: [1, 2] as [UInt64]) func randomHistories(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let room = Floor(width: 1.5, depth: 1.5)
    var configurations = (0..<4).map { index in
      var configuration = RobotModel.Configuration()
      configuration.seed = UInt64(index)
      configuration.clockRate = [1, 1, 0.95, 1.05][index]
      return configuration
    }
    configurations[3].wakesByBytes = false
    let starts = [Planar(-0.4, -0.4), Planar(0.4, -0.4), Planar(-0.4, 0.4), Planar(0.4, 0.4)]
    var floor = room
    floor.starts = starts
    var world = World(configurations, on: floor)
    for index in 0..<4 { world.withRobot(index, at: .zero) { $0.connect(at: .zero) } }
    let rows = CommandTableTests.rows
    var now = Duration.zero
    var latest = [Duration](repeating: .zero, count: 4)
    var (sent, answered) = ([0, 0, 0, 0], [0, 0, 0, 0])
    for step in 0..<4_000 {
      now += .microseconds(Int64.random(in: 0...20_000, using: &generator))
      let index = Int.random(in: 0..<4, using: &generator)
      let row = rows[Int.random(in: rows.indices, using: &generator)]
      var payload = row.payload
      for place in payload.indices where Int.random(in: 0..<4, using: &generator) == 0 {
        payload[place] = UInt8.random(in: 0...255, using: &generator)
      }
      var bytes = Talk.packet(row.id.0, row.id.1, payload, sop2: [0xFF, 0xFE, 0xFD, 0xFC][step % 4])
      let isWhole = Int.random(in: 0..<10, using: &generator) > 0
      if !isWhole { bytes[Int.random(in: bytes.indices, using: &generator)] ^= 0x40 }
      if Int.random(in: 0..<50, using: &generator) == 0 {
        world.withRobot(index, at: now) { $0.wake(by: .shaking) }
      }
      world.tick(at: now)
      let wasAsleep = world.robots[index].isAsleep
      let before = world.takeOutput(of: index)
      world.receive(bytes, by: index, at: now)
      let after = world.takeOutput(of: index)
      if wasAsleep, world.robots[index].isAsleep { #expect(after.isEmpty, "seed \(seed), step \(step)") }
      // A fragment may hold back what follows it, but nothing is answered twice.
      sent[index] += isWhole ? 1 : 2
      answered[index] += (before + after).count { response($0.bytes) != nil }
      #expect(answered[index] <= sent[index], "seed \(seed), step \(step)")
      for piece in before + after {
        #expect(piece.notBefore >= latest[index] && piece.bytes.count >= 6, "seed \(seed), step \(step)")
        latest[index] = piece.notBefore
      }
      for robot in world.robots {
        let place = robot.body.position
        #expect(place.isFinite && max(abs(place.x), abs(place.y)) < 0.76, "seed \(seed), step \(step)")
      }
      for one in 0..<4 {
        for other in (one + 1)..<4 {
          let gap = (world.robots[one].body.position - world.robots[other].body.position).length
          #expect(gap > 2 * Body.radius - 0.005, "seed \(seed), step \(step)")
        }
      }
    }
  }

  @Test(arguments: [Double.nan, .infinity, 1e308]) func aFloorBeyondAllBoundsMovesTheBallNowhere(
    _ value: Double
  ) {
    var floor = Floor(width: 2, depth: 2)
    floor.walls.append(Floor.Wall(from: Planar(value, 0), to: Planar(0, value)))
    (floor.grip, floor.bounce, floor.slope) = (value, value, Planar(value, value))
    floor.starts = [Planar(value, value)]
    var talk = Talk(on: floor)
    talk.roll(200, 90)
    _ = talk.wait(.seconds(5))
    #expect(talk.ask(0x02, 0x15)?.count == 10)
    #expect(talk.robot.body.position.isFinite)
    var world = World([RobotModel.Configuration(), RobotModel.Configuration()], on: floor)
    world.tick(at: .seconds(5))
    #expect(world.robots.allSatisfy { $0.body.position.isFinite })
  }
}
