// Tests of the drive: turning, braking, boosting, raw duties, levelling and timeouts.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct DriveTests {
  /// A robot with ideal sensors and without motion time-outs.
  private func talk() -> Talk {
    var talk = Talk { ($0.errors.accelerationNoise, $0.errors.rateNoise) = (0, 0) }
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0x02])
    return talk
  }

  // MARK: Turning

  /// Steps of 0.784 degrees a second; 0 counts as 1, and 255 is 400 degrees a second.
  @Test(arguments: [(200, 1_568), (100, 784), (1, 8), (0, 8), (254, 1_991), (255, 4_000)])
  func turnsAtTheRotationRateWhileItDrives(_ rate: UInt8, _ word: Int) {
    var talk = talk()
    _ = talk.send(0x02, 0x03, [rate])
    talk.roll(60, 0)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x04, 0, 0])
    talk.roll(60, 170)
    let fastest = frames(talk.wait(.milliseconds(500))).map { -Int($0[0]) }.max() ?? 0
    // The axis of the sensor leans with the carriage, by a tenth at most: half a percent.
    #expect(fastest <= word + 1 && fastest >= word * 99 / 100 - 1)
  }

  @Test func onTheSpotItTurnsFaster() {
    var talk = talk()
    _ = talk.send(0x02, 0x03, [1])
    talk.roll(0, 90)
    _ = talk.wait(.milliseconds(500))
    #expect(abs(talk.robot.locatorPosition.heading - 90) < 0.1)
    talk.roll(0, 180, state: 2)
    _ = talk.wait(.milliseconds(500))
    #expect(abs(abs(talk.robot.locatorPosition.heading) - 180) < 0.1)
  }

  @Test(arguments: [true, false]) func vectorDriveTurnsBeforeItMoves(_ isOn: Bool) {
    var talk = talk()
    _ = talk.send(0x02, 0x35, [0, 0, 0, isOn ? 0x02 : 0])
    talk.roll(100, 180)
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.body.position.y < -0.3)
    // One that does not turn first begins ahead and makes an arc.
    #expect((abs(talk.robot.body.position.x) < 0.05) == isOn)
  }

  @Test func aHeadingSetInMotionIsWhatLaterRollsCountFrom() {
    var talk = talk()
    talk.roll(100, 90)
    _ = talk.wait(.seconds(2))
    // To the right is ahead from now on: it goes straight on.
    _ = talk.send(0x02, 0x01, [0, 0])
    _ = talk.wait(.seconds(1))
    #expect(abs(talk.robot.locatorPosition.heading) < 0.01)
    #expect(talk.robot.body.velocity.x > 0.75 && abs(talk.robot.body.velocity.y) < 0.01)
    // To the left of that is ahead of the room.
    talk.roll(100, 270)
    _ = talk.wait(.seconds(2))
    #expect(abs(talk.robot.body.velocity.x) < 0.01 && talk.robot.body.velocity.y > 0.75)
    // The present heading, 270, is 45 from now on: a roll to 45 continues straight ahead.
    _ = talk.send(0x02, 0x01, [0, 45])
    talk.roll(100, 45)
    _ = talk.wait(.seconds(1))
    #expect(abs(talk.robot.body.velocity.x) < 0.01 && talk.robot.body.velocity.y > 0.75)
  }

  // MARK: Braking

  /// How far it coasts from full speed, in metres, and how far the locator is off then.
  private func brake(state: UInt8) -> (way: Double, error: Double) {
    var talk = talk()
    talk.roll(255, 0)
    _ = talk.wait(.seconds(3))
    let start = talk.robot.body.position.y
    talk.roll(0, 0, state: state)
    _ = talk.wait(.seconds(3))
    #expect(talk.robot.body.isResting)
    let end = talk.robot.body.position.y
    return (end - start, abs(talk.robot.locatorPosition.y / 100 - end))
  }

  @Test func theBestBrakingHoldsTheFloorAndAnAbruptStopSlips() {
    let (best, abrupt) = (brake(state: 0), brake(state: 1))
    // From 2 m/s at 5 m/s² 40 cm, and a little to come to rest.
    #expect((0.40...0.50).contains(best.way) && best.error < 0.01)
    // Rubber holds 0.8 g: 25.5 cm, and the wheels stand after 17.
    #expect((0.24...0.28).contains(abrupt.way) && abrupt.error > 0.05)
  }

  // MARK: Boost

  @Test func aBoostIsFasterThanFullSpeedAndEndsWithTheSpeedOfBefore() {
    var talk = talk()
    talk.roll(100, 0)
    _ = talk.wait(.seconds(2))
    _ = talk.send(0x02, 0x31, [1])
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.body.velocity.y > 2.5)
    _ = talk.send(0x02, 0x31, [0])
    _ = talk.wait(.seconds(3))
    #expect(abs(talk.robot.body.velocity.y - 200 / 255.0) < 0.01)
  }

  @Test func anOldBoostLastsItsTimeOnItsHeading() {
    var talk = talk()
    // 255 tenths of a second at 90 degrees.
    #expect(talk.status(0x02, 0x31, [255, 0, 90]) == 0)
    _ = talk.wait(.milliseconds(25_400))
    #expect(talk.robot.body.velocity.x > 2.5 && abs(talk.robot.body.velocity.y) < 0.01)
    _ = talk.wait(.seconds(3))
    #expect(talk.robot.body.velocity.length < 0.01)
  }

  @Test func anOldBoostWithoutTimeEndsWithStabilisation() {
    var talk = talk()
    _ = talk.send(0x02, 0x31, [0, 0, 0])
    _ = talk.wait(.seconds(27))
    #expect(talk.robot.body.velocity.y > 2.5)
    _ = talk.send(0x02, 0x02, [1])
    _ = talk.wait(.seconds(3))
    #expect(talk.robot.body.velocity.length < 0.01)
  }

  @Test(arguments: [[1], [10, 0, 0]] as [[UInt8]]) func withoutStabilisationThereIsNoBoost(_ boost: [UInt8]) {
    var talk = talk()
    _ = talk.send(0x02, 0x02, [0])
    #expect(talk.status(0x02, 0x31, boost) == 0)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x02, [2])
    _ = talk.wait(.seconds(1))
    #expect(talk.robot.body.position == .zero)
  }

  // MARK: Raw motors

  @Test func rawMotorsDriveCoastBrakeAndStayAsTheyAre() {
    var talk = talk()
    _ = talk.send(0x02, 0x33, [1, 128, 1, 128])
    _ = talk.wait(.seconds(3))
    #expect(abs(talk.robot.body.velocity.y - 256 / 255.0) < 0.01, "forward at half power")
    // The left motor unchanged, the right one off: the ball moves ahead and turns right.
    _ = talk.send(0x02, 0x33, [4, 0, 0, 0])
    _ = talk.wait(.milliseconds(500))
    #expect(talk.robot.body.yawRate < -1)
    _ = talk.send(0x02, 0x02, [1])
    _ = talk.wait(.seconds(3))
    #expect(talk.robot.body.isResting)

    _ = talk.send(0x02, 0x33, [2, 255, 2, 255])
    _ = talk.wait(.seconds(3))
    let back = talk.robot.body.velocity.length
    #expect(abs(back - 2) < 0.01 && talk.robot.body.rimSpeed < 0)
    // An open motor loses half in a second, a shorted one nearly all.
    _ = talk.send(0x02, 0x33, [0, 0, 0, 0])
    _ = talk.wait(.seconds(1))
    let coasting = talk.robot.body.velocity.length
    #expect((0.4...0.7).contains(coasting / back))
    _ = talk.send(0x02, 0x33, [3, 0, 3, 0])
    _ = talk.wait(.seconds(1))
    #expect(talk.robot.body.velocity.length < 0.1 * coasting)
  }

  @Test func rawMotorsSwitchStabilisationOffUnlessBothStayAsTheyAre() {
    for (motors, isOn) in [([4, 99, 4, 99], true), ([4, 0, 0, 0], false)] as [([UInt8], Bool)] {
      var talk = talk()
      _ = talk.send(0x02, 0x33, motors)
      talk.roll(100, 0)
      _ = talk.wait(.seconds(1))
      #expect((talk.robot.body.position.y > 0.3) == isOn)
    }
  }

  @Test func aMacroThatDrivesAloneKeepsOthersOut() {
    var talk = talk()
    // Exclusive drive: roll 100 ahead, wait 3 s, end.
    _ = talk.send(0x02, 0x51, [255, 0x02, 0x05, 100, 0, 0, 0, 0x0B, 0x0B, 0xB8, 0])
    _ = talk.send(0x02, 0x50, [255])
    for (command, payload) in [(0x30, [0, 0, 90, 1]), (0x31, [1]), (0x33, [3, 0, 3, 0])] as [(UInt8, [UInt8])]
    {
      #expect(talk.status(0x02, command, payload) == 0)
      _ = talk.wait(.milliseconds(500))
    }
    #expect(abs(talk.robot.body.velocity.y - 200 / 255.0) < 0.01 && talk.robot.body.velocity.x == 0)
  }

  // MARK: Motion time-out

  @Test func motionEndsAfterTwoSecondsWhereTheOptionIsSet() {
    // As recorded, with the option; then without it.
    for (options, isOn) in [(nil, true), (0x02, false)] as [(UInt8?, Bool)] {
      var talk = Talk()
      if let options { _ = talk.send(0x02, 0x35, [0, 0, 0, options]) }
      talk.roll(200, 0)
      _ = talk.wait(.milliseconds(1_990))
      #expect(talk.robot.body.velocity.length > 1.5)
      _ = talk.wait(.seconds(2))
      #expect((talk.robot.body.velocity.length < 0.01) == isOn)
    }
  }

  @Test func eachCommandToDriveBeginsTheTimeAnew() {
    var talk = Talk()
    for _ in 0..<5 {
      talk.roll(200, 0)
      _ = talk.wait(.milliseconds(1_500))
      #expect(talk.robot.body.velocity.length > 1)
      // No command to drive.
      _ = talk.send(0x00, 0x01)
    }
    _ = talk.send(0x02, 0x34, [0x13, 0x88])
    talk.roll(200, 0)
    _ = talk.wait(.milliseconds(4_900))
    #expect(talk.robot.body.velocity.length > 1.5, "5 s")
    _ = talk.wait(.seconds(3))
    #expect(talk.robot.body.velocity.length < 0.01)
  }

  @Test func withoutStabilisationTheDutyGoesToZero() {
    var talk = Talk()
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0x18, 0, 0, 0])
    _ = talk.send(0x02, 0x33, [1, 255, 2, 255])
    let duties = frames(talk.wait(.milliseconds(2_100)))
    #expect(duties[700] == [2_047, -2_048] && duties.last == [0, 0])
  }

  @Test(arguments: [(UInt8(0x02), true), (0x00, false)])
  func aProgramThatDrivesAloneDoesNotTimeOut(_ flags: UInt8, _ continues: Bool) {
    var talk = Talk()
    _ = talk.send(0x02, 0x51, [255, flags, 0x05, 100, 0, 0, 0, 0x0B, 0x13, 0x88, 0])
    _ = talk.send(0x02, 0x50, [255])
    _ = talk.wait(.milliseconds(4_500))
    #expect((talk.robot.body.velocity.y > 0.7) == continues)
  }

  // MARK: Self level

  @Test func levellingLeavesTheControlSystemAsItIsTold() {
    for (options, isOn) in [(0b0001, false), (0b1001, true)] as [(UInt8, Bool)] {
      var talk = talk()
      _ = talk.send(0x02, 0x09, [options, 0, 0, 0])
      #expect(events(talk.wait(.seconds(1)), 0x0B) == [[6]])
      talk.roll(100, 0)
      _ = talk.wait(.seconds(1))
      #expect((talk.robot.body.position.y > 0.3) == isOn)
    }
  }

  @Test func levellingEndsARollAndMaySleepBehindIt() {
    var talk = talk()
    talk.roll(200, 30)
    _ = talk.wait(.seconds(2))
    _ = talk.send(0x02, 0x09, [0b0111, 0, 0, 0])
    #expect(events(talk.wait(.seconds(3)), 0x0B) == [[6]])
    #expect(talk.robot.isAsleep && talk.robot.body.velocity.length < 0.01)
  }

  /// The limit is 3 degrees where none is given; the time is 0.3 s, and what is given counts in 10 ms.
  @Test(
    arguments: [
      (2.5, [1, 0, 1, 0], 6, 300), (3.5, [1, 0, 1, 0], 1, 1_000), (3.5, [1, 4, 1, 0], 6, 300),
      (0, [1, 0, 3, 100], 6, 1_000),
    ] as [(Double, [UInt8], UInt8, Int64)])
  func limitAndTimeOfLevelling(_ tilt: Double, _ payload: [UInt8], _ result: UInt8, _ milliseconds: Int64) {
    var talk = talk()
    talk.robot.hold(Rotation(rotationVector: Vector3(tilt * .pi / 180, 0, 0)), at: .zero)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x09, payload)
    let pieces = talk.wait(.seconds(4))
    #expect(events(pieces, 0x0B) == [[result]])
    let time = (pieces[0].notBefore - .seconds(1)).wholeMilliseconds
    #expect((milliseconds...milliseconds + 10).contains(time), "\(time)")
  }

  @Test(arguments: [(0b1011, 0.0), (0b1001, -60.0)] as [(UInt8, Double)])
  func levellingReturnsToItsHeadingWhereItIsTold(_ options: UInt8, _ heading: Double) {
    var talk = talk()
    _ = talk.send(0x02, 0x09, [options, 0, 0, 100])
    // Within the second that it must be level, a hand turns it to the left.
    talk.robot.hold(Rotation(rotationVector: Vector3(0, 0, .pi / 3)), at: talk.now)
    _ = talk.wait(.seconds(1))
    talk.robot.hold(nil, at: talk.now)
    #expect(events(talk.wait(.seconds(4)), 0x0B) == [[6]])
    #expect(abs(talk.robot.locatorPosition.heading - heading) < 0.1)
  }

  @Test func nothingIsSaidOfALevellingThatWasNotAskedFor() {
    var talk = talk()
    #expect(talk.send(0x02, 0x09, [0, 0, 0, 0]).count == 1)
    #expect(talk.wait(.seconds(1)).isEmpty)
  }
}
