// Tests of collision events: fields, thresholds, dead time, walls, hands and other robots.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct CollisionTests {
  /// A collision by the offsets of the document.
  private struct Impact {
    var x, y, z: Int
    var axis: UInt8
    var xMagnitude, yMagnitude: Int
    var speed: UInt8
    var time: Int

    init(_ bytes: [UInt8]) {
      func word(_ at: Int) -> Int { Int(Int16(bitPattern: UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1]))) }
      (x, y, z, axis) = (word(0), word(2), word(4), bytes[6])
      (xMagnitude, yMagnitude, speed) = (word(7), word(9), bytes[11])
      time = bytes[12...15].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  private func impacts(_ pieces: [OutputPiece]) -> [Impact] {
    events(pieces, 0x07).filter { $0.count == 16 }.map(Impact.init)
  }

  @Test func aWallAheadFillsEveryField() throws {
    var talk = Talk(on: Floor(walls: [.init(from: Planar(-1, 0.8), to: Planar(1, 0.8))]))
    _ = talk.wait(.seconds(3))
    _ = talk.send(0x02, 0x12, [1, 100, 0, 100, 0, 100])
    talk.roll(128, 0)
    let pieces = talk.wait(.milliseconds(1_500))
    let impact = try #require(impacts(pieces).first)
    #expect(pieces.count == 1)
    // 1.004 m/s, and half of it back, within 20 ms: 7.68 g, in 1/4096 g and in 145 of power.
    #expect((31_100...31_800).contains(impact.y) && abs(impact.x) < 100 && impact.z == 0)
    #expect((1_100...1_127).contains(impact.yMagnitude) && impact.xMagnitude < 4)
    #expect(impact.axis == 2 && (126...128).contains(impact.speed))
    #expect(abs(impact.time - Int(pieces[0].notBefore.wholeMilliseconds)) <= 1)
    #expect((3_800...4_100).contains(impact.time), "0.763 m at 1 m/s, and the time to gather it")
  }

  @Test(arguments: [(Planar(-0.4, 0), 1, 1, 0), (Planar(0.4, 0), 1, -1, 0), (Planar(0, 0.4), 2, 0, -1)])
  func aKnockComesFromItsSide(_ knock: Planar, _ axis: UInt8, _ x: Int, _ y: Int) throws {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 100, 0, 100, 0, 100])
    talk.robot.knock(knock, at: talk.now)
    let impact = try #require(impacts(talk.wait(.seconds(1))).first)
    // 0.4 m/s in 20 ms is 2.04 g: 8354 counts; along its nose the wheels brake at once, by 0.3 g at first.
    #expect(impact.axis == axis && impact.x.signum() == x && impact.y.signum() == y)
    #expect((6_800...8_400).contains(abs(impact.x) + abs(impact.y)) && impact.speed == 0)
  }

  /// A knock of 0.1 m/s is 0.51 g, a power of 74.
  @Test(
    arguments: [
      ([1, 60, 0, 60, 0, 10], 0, true), ([1, 90, 0, 90, 0, 10], 0, false), ([1, 0, 0, 60, 0, 10], 0, false),
      ([0, 60, 0, 60, 0, 10], 0, false), ([2, 60, 0, 60, 0, 10], 0, true),
      // At half of full speed half of the speed's part is added.
      ([1, 60, 10, 60, 255, 10], 128, true), ([1, 60, 60, 60, 255, 10], 128, false),
    ] as [([UInt8], UInt8, Bool)])
  func thresholdsAreObeyed(_ settings: [UInt8], _ speed: UInt8, _ isTold: Bool) {
    var talk = Talk()
    talk.roll(speed, 0)
    _ = talk.wait(.milliseconds(1_900))
    _ = talk.send(0x02, 0x12, settings)
    talk.robot.knock(Planar(0.1, 0), at: talk.now)
    #expect(impacts(talk.wait(.milliseconds(90))).map(\.axis) == (isTold ? [1] : []))
  }

  /// A knock of 0.8 m/s is 4.08 g, which the accelerometer clips at 2 g and 4 g.
  @Test(arguments: [(0, 290, 8_192), (1, 580, 16_384), (2, 591, 16_707), (3, 591, 16_707)])
  func aKnockIsClippedByTheAccelerometer(_ range: UInt8, _ magnitude: Int, _ peak: Int) throws {
    var talk = Talk()
    _ = talk.send(0x02, 0x14, [range])
    _ = talk.send(0x02, 0x12, [1, 100, 0, 100, 0, 100])
    talk.robot.knock(Planar(0.8, 0), at: talk.now)
    let impact = try #require(impacts(talk.wait(.seconds(1))).first)
    #expect(impact.xMagnitude == magnitude && abs(impact.x) == peak, "\(impact)")
  }

  /// A client may send its settings again within the dead time, also after switching the detection off.
  @Test(arguments: [[], [1], [0, 1]] as [[UInt8]]) func theDeadTimeIsObeyed(_ methods: [UInt8]) {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 60, 0, 60, 0, 100])
    var times: [Int] = []
    for pause in [500, 450, 200, 1_200] {
      for method in methods { _ = talk.send(0x02, 0x12, [method, 60, 0, 60, 0, 100]) }
      talk.robot.knock(Planar(0.2, 0), at: talk.now)
      times += impacts(talk.wait(.milliseconds(pause))).map(\.time)
    }
    // At 0, not at 500 and 950, again at 1150.
    #expect(times.count == 2 && times[0] < 10 && abs(times[1] - 1_150) < 10)
  }

  @Test func switchedOffItIsSilentAgain() {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 60, 0, 60, 0, 10])
    _ = talk.send(0x02, 0x12, [0, 60, 0, 60, 0, 10])
    talk.robot.knock(Planar(2, 0), at: talk.now)
    #expect(talk.wait(.seconds(1)).isEmpty)
  }

  @Test func twoRobotsBothTellOfIt() throws {
    var world = World([.init(), .init()], on: Floor(starts: [Planar(0, 0), Planar(0, 0.6)]))
    for index in 0...1 {
      world.withRobot(index, at: .zero) { $0.connect(at: .zero) }
      world.receive(Talk.packet(0x02, 0x12, [1, 80, 0, 80, 0, 100]), by: index, at: .zero)
    }
    world.receive(Talk.packet(0x02, 0x30, [128, 0, 0, 1]), by: 0, at: .zero)
    world.tick(at: .milliseconds(1_200))
    let one = try #require(impacts(world.takeOutput(of: 0)).first)
    let other = try #require(impacts(world.takeOutput(of: 1)).first)
    #expect(one.y > 0 && other.y < 0, "from the front, and from the back")
    #expect(one.axis == 2 && other.axis == 2 && abs(one.time - other.time) <= 3)
    #expect(abs(one.yMagnitude - other.yMagnitude) < one.yMagnitude / 10, "as hard for both")
    #expect((120...130).contains(one.speed) && other.speed < 5)
  }

  @Test func aKnockInTheHandIsFeltAndMovesNothing() {
    var talk = Talk()
    talk.robot.hold(.identity, at: talk.now)
    _ = talk.send(0x02, 0x12, [1, 60, 0, 60, 0, 100])
    talk.robot.knock(Planar(-0.4, 0), at: talk.now)
    #expect(impacts(talk.wait(.seconds(1))).map(\.axis) == [1])
    #expect(talk.robot.body.position == .zero && talk.robot.body.velocity == .zero)
    #expect(talk.robot.body.isResting)
  }

  @Test func whatRollsAndIsTakenUpFeelsIt() throws {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 60, 0, 60, 0, 100])
    talk.roll(128, 0)
    _ = talk.wait(.seconds(1))
    talk.robot.hold(.identity, at: talk.now)
    let impact = try #require(impacts(talk.wait(.seconds(1))).first)
    // 1 m/s in 20 ms is 5 g.
    #expect(impact.axis == 2 && (19_500...22_000).contains(impact.y))
  }

  @Test func equalBallsExchangeMomentum() {
    var world = World([.init(), .init()], on: Floor(starts: [Planar(0, 0), Planar(0, 0.1)]))
    for index in 0...1 {
      world.withRobot(index, at: .zero) { $0.connect(at: .zero) }
      world.receive(Talk.packet(0x02, 0x02, [0]), by: index, at: .zero)
    }
    world.withRobot(0, at: .zero) { $0.knock(Planar(0, 1), at: .zero) }
    world.tick(at: .milliseconds(50))
    let (one, other) = (world.robots[0].body.velocity.y, world.robots[1].body.velocity.y)
    // They give back 0.8 of the speed: a tenth stays, nine tenths pass on; rolling takes 0.15 m/s² of both.
    #expect(abs(one - 0.1) < 0.01 && abs(other - 0.9) < 0.01)
    #expect(abs(one + other - 1) < 0.015)
    #expect(one * one + other * other < 1, "energy does not grow")
  }
}
