// Tests of streamed motion: squares, turns, rest and impacts, within the resolution of the wire.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct MotionTests {
  /// A roll at a heading.
  private func roll(_ speed: UInt8, _ heading: UInt16, state: UInt8 = 1) -> [UInt8] {
    [speed, UInt8(heading >> 8), UInt8(heading & 0xFF), state]
  }

  /// Rolls a square with sides of a metre and looks at each corner.
  private func rollSquare(_ talk: inout Talk, _ look: (Talk) -> Void) {
    for heading in [0, 90, 180, 270] as [UInt16] {
      // First the turn, on the spot.
      talk.roll(0, heading)
      _ = talk.wait(.milliseconds(500))
      talk.roll(128, heading)
      _ = talk.wait(.milliseconds(1_000))
      talk.roll(0, heading, state: 0)
      _ = talk.wait(.milliseconds(1_500))
      look(talk)
    }
  }

  @Test func aSquareOfAMetreComesBackAndTheLocatorAgrees() {
    var talk = Talk()
    var corners: [Planar] = [.zero]
    rollSquare(&talk) { talk in
      let place = talk.robot.body.position
      #expect((0.9...1.1).contains((place - corners[corners.count - 1]).length))
      corners.append(place)
      #expect(
        abs(talk.robot.locatorPosition.x - place.x * 100) < 1
          && abs(talk.robot.locatorPosition.y - place.y * 100) < 1)
    }
    #expect(talk.robot.body.position.length < 0.05)
  }

  /// An Ollie counts x ahead and y left, the others x right and y ahead: in streams, answers and settings.
  @Test(arguments: Profile.all) func theAxesOfTheLocatorAreThoseOfTheModel(profile: Profile) throws {
    var talk = Talk { $0.profile = profile }
    // Odometer and velocity at 400 Hz.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0, 0, 0, 0x0D, 0x80, 0, 0])
    talk.roll(0, 90)
    _ = talk.wait(.milliseconds(500))
    talk.roll(80, 90)
    let words = try #require(frames(talk.wait(.seconds(1))).last)
    // To the right, at least 10 cm and 100 mm/s.
    let (right, other) = profile.name == "ollie" ? (1, 0) : (0, 1)
    let sign: Int16 = profile.name == "ollie" ? -1 : 1
    #expect(words[right] * sign > 10 && abs(words[other]) <= 1, "\(words)")
    #expect(words[right + 2] * sign > 100 && abs(words[other + 2]) <= 1, "\(words)")
    guard !profile.unknownCommands.contains(Sensing.ReadLocator.id) else { return }
    // The locator has been set to 3 and 5 cm, which it returns.
    talk.roll(0, 90, state: 0)
    _ = talk.wait(.seconds(3))
    _ = talk.send(0x02, 0x13, [1, 0, 3, 0, 5, 0, 0])
    let answer = talk.send(0x02, 0x15, [])
    #expect(answer.contains { Array($0.bytes.prefix(9).dropFirst(5)) == [0, 3, 0, 5] }, "\(answer)")
  }

  @Test func withSlipTheLocatorFollowsTheWheels() {
    var talk = Talk(on: Floor(grip: 0.1))
    // The velocity words at 400 Hz: their sum is what the wheels rolled.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0, 0, 0, 0x01, 0x80, 0, 0])
    talk.roll(128, 0)
    let pieces = talk.wait(.milliseconds(1_000))
    let rolled = frames(pieces).reduce(0.0) { $0 + Double($1[1]) / 10 * 0.0025 }
    // Half a millimetre a second of rounding for a second is 0.05 cm.
    #expect(abs(talk.robot.locatorPosition.y - rolled) < 0.1)
    // The wheels have their speed in a third of a second; g/10 takes the ball half a metre in a second.
    #expect((80...95).contains(rolled))
    #expect(abs(talk.robot.body.position.y * 100 - 49) < 1)
  }

  @Test func aQuarterTurnIsSeenByYawAndGyroscopeAlike() {
    var talk = Talk {
      $0.errors = SensorErrors()
      $0.errors.rateNoise = 0
    }
    // Yaw and the filtered rate about z, at 400 Hz.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 1, 0x04, 0, 0])
    _ = talk.send(0x02, 0x30, roll(0, 90))
    let frames = words(talk.wait(.seconds(2)), 2)
    let turned = frames.reduce(0.0) { $0 + Double($1[1]) * 0.1 * 0.0025 }
    #expect(frames.last?[0] == -90)
    #expect(abs(turned + 90) < 1)
  }

  @Test func atRestTheMeanIsOneG() {
    var talk = Talk()
    _ = talk.send(0x02, 0x11, [0, 4, 0, 1, 0, 0, 0xE0, 0, 0])
    let frames = words(talk.wait(.seconds(10)), 3)
    let mean = (0..<3).map { axis in
      frames.reduce(0.0) { $0 + Double($1[axis]) } / Double(frames.count) / 4_096
    }
    #expect(frames.count == 1_000)
    #expect(abs(mean[0]) < 0.001 && abs(mean[1]) < 0.001 && abs(mean[2] - 1) < 0.001)
  }

  @Test func theVelocityIsTheDerivativeOfTheLocator() {
    var talk = Talk()
    // Odometer X, Y and velocity X, Y at 40 Hz, second mask alone.
    _ = talk.send(0x02, 0x11, [0, 10, 0, 1, 0, 0, 0, 0, 0, 0x0D, 0x80, 0, 0])
    _ = talk.send(0x02, 0x30, roll(200, 30))
    let frames = words(talk.wait(.seconds(4)), 4)
    var place = (x: 0.0, y: 0.0)
    for frame in frames {
      place = (place.x + Double(frame[2]) * 0.025, place.y + Double(frame[3]) * 0.025)
    }
    let last = frames[frames.count - 1]
    // Millimetres against centimetres: a sum of right ends overshoots by half a step of 1.57 m/s, some 2 cm.
    #expect(abs(place.x / 10 - Double(last[0])) < 3 && abs(place.y / 10 - Double(last[1])) < 3)
  }

  @Test func yawTareTurnsTheAxes() {
    var talk = Talk()
    _ = talk.send(0x02, 0x13, [1, 0, 0, 0, 0, 0, 90])
    _ = talk.send(0x02, 0x30, roll(100, 0))
    _ = talk.wait(.seconds(2))
    #expect(
      talk.robot.locatorPosition.x > 50 && abs(talk.robot.locatorPosition.y) < 1, "heading 0 runs along +X")
  }

  @Test(arguments: [true, false]) func headingsCanBeSetAnewWithFixedAxesOrNot(_ keeps: Bool) {
    var talk = Talk()
    _ = talk.send(0x02, 0x13, [keeps ? 1 : 0, 0, 0, 0, 0, 0, 0])
    _ = talk.send(0x02, 0x30, roll(0, 90))
    _ = talk.wait(.seconds(1))
    // What was heading 90, to the right, is ahead from now on.
    _ = talk.send(0x02, 0x01, [0, 0])
    _ = talk.send(0x02, 0x30, roll(100, 0))
    _ = talk.wait(.seconds(2))
    let place = talk.robot.locatorPosition
    #expect(keeps ? place.x > 50 && abs(place.y) < 1 : place.y > 50 && abs(place.x) < 1)
    #expect(abs(place.heading) < 0.01)
  }

  @Test func axesConfiguredAfterANewHeadingFollowIt() {
    var talk = Talk()
    _ = talk.send(0x02, 0x30, roll(0, 90))
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x01, [0, 0])
    _ = talk.send(0x02, 0x13, [1, 0, 0, 0, 0, 0, 0])
    _ = talk.send(0x02, 0x30, roll(100, 0))
    _ = talk.wait(.seconds(2))
    let place = talk.robot.locatorPosition
    #expect(place.y > 50 && abs(place.x) < 1, "heading 0 runs along +Y")
  }

  @Test func aWallAheadIsACollisionOnceInTheDeadTime() throws {
    var talk = Talk(on: Floor(walls: [.init(from: Planar(-1, 0.5), to: Planar(1, 0.5))]))
    _ = talk.send(0x02, 0x12, [1, 100, 0, 100, 0, 100])
    _ = talk.send(0x02, 0x30, roll(128, 0))
    let pieces = talk.wait(.milliseconds(1_500))
    let impact = try #require(pieces.compactMap { event($0.bytes) }.first { $0.id == 0x07 })
    #expect(pieces.count == 1 && impact.payload.count == 16)
    #expect(impact.payload[6] == 2, "the axis ahead")
    #expect(
      impact.payload[2] < 0x80 && impact.payload[3] | impact.payload[2] != 0, "from the front is positive")
    #expect(impact.payload[0...1].elementsEqual([0, 0]) || impact.payload[1] < 8)
    #expect((100...140).contains(impact.payload[11]), "half of full speed")
    let stamp = impact.payload[12...15].reduce(0) { $0 << 8 | Int($1) }
    #expect((400...1_500).contains(stamp))
  }

  @Test func drivingAloneIsNoCollision() {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 100, 100, 100, 100, 10])
    _ = talk.send(0x02, 0x30, roll(255, 0))
    var pieces = talk.wait(.seconds(3))
    _ = talk.send(0x02, 0x30, roll(0, 0, state: 0))
    pieces += talk.wait(.seconds(3))
    #expect(pieces.isEmpty)
  }

  @Test func aKnockByHandIsACollisionFromItsSide() throws {
    var talk = Talk()
    _ = talk.send(0x02, 0x12, [1, 100, 0, 100, 0, 10])
    talk.robot.knock(Planar(-1, 0), at: talk.now)
    let impact = try #require(talk.wait(.seconds(1)).compactMap { event($0.bytes) }.first)
    #expect(impact.id == 0x07 && impact.payload[6] == 1)
    #expect(impact.payload[0] < 0x80 && impact.payload[0] > 0, "pushed to the left: it came from the right")
  }

  @Test func selfLevelReportsHowItEnded() {
    var talk = Talk()
    _ = talk.send(0x02, 0x09, [0b1001, 0, 0, 0])
    #expect(talk.wait(.seconds(1)).map(\.bytes) == [[0xFF, 0xFE, 0x0B, 0x00, 0x02, 0x06, 0xEC]])
    talk.robot.hold(Rotation(rotationVector: Vector3(0.5, 0, 0)), at: talk.now)
    _ = talk.send(0x02, 0x09, [0b1001, 0, 2, 0])
    #expect(talk.wait(.seconds(3)).compactMap { event($0.bytes)?.payload } == [[1]], "timed out")
    _ = talk.send(0x02, 0x09, [0b1001, 0, 9, 0])
    #expect(talk.send(0x02, 0x09, [0, 0, 0, 0]).compactMap { event($0.bytes)?.payload } == [[4]], "aborted")
  }

  @Test(
    arguments: [
      // Held nose up by 30 degrees: the quaternion is (cos 15, sin 15, 0, 0) from body to room.
      (SensorAxes.a, [9_659, -2_588, 0, 0], [0, 2_048, 3_547]),
      (.b, [9_659, 2_588, 0, 0], [0, -2_048, 3_547]), (.c, [9_659, 2_588, 0, 0], [0, -2_048, 3_547]),
      (.d1, [9_659, 2_588, 0, 0], [0, -2_048, 3_547]), (.d2, [9_659, -2_588, 0, 0], [0, 2_048, 3_547]),
    ] as [(SensorAxes, [Int16], [Int16])])
  func theReadingsDifferAsTheyAreSaidTo(_ reading: SensorAxes, _ q: [Int16], _ up: [Int16]) throws {
    var talk = Talk {
      $0.sensorAxes = reading
      ($0.errors.accelerationNoise, $0.errors.rateNoise) = (0, 0)
    }
    talk.robot.hold(Rotation(rotationVector: Vector3(.pi / 6, 0, 0)), at: .zero)
    _ = talk.wait(.seconds(2))
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0xE0, 0, 1, 0xF0, 0, 0, 0])
    let frame = try #require(words(talk.wait(.seconds(1)), 7).first)
    #expect(zip(frame, up + q).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(frame)")
  }

  @Test func oldFirmwareStreamsNoQuaternion() throws {
    var talk = Talk { $0.profile = .sphero1 }
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0, 0, 1, 0xF0, 0, 0, 0])
    #expect(words(talk.wait(.seconds(1)), 4) == [[0, 0, 0, 0]])
  }

  @Test func allBitsGiveFortyTwoWords() {
    var talk = Talk()
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(talk.wait(.seconds(1)).map(\.bytes.count) == [90])
  }
}
