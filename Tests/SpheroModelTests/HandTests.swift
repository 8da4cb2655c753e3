// Tests of the hand: finite rates, and sensors that agree with the pose.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct HandTests {
  /// A pose, the turn in degrees about x, y and z of the sensors that leads there from level,
  /// and what the accelerometer then reads: 4096 on the axis that points up. x is left, y back, z up.
  private static let poses: [(String, turn: [Double], up: [Int])] = [
    ("level", [0, 0, 0], [0, 0, 4_096]), ("nose-up", [-90, 0, 0], [0, -4_096, 0]),
    ("nose-down", [90, 0, 0], [0, 4_096, 0]), ("right-side-down", [0, -90, 0], [4_096, 0, 0]),
    ("left-side-down", [0, 90, 0], [-4_096, 0, 0]), ("upside-down", [0, -180, 0], [0, 0, -4_096]),
    // Up is (cos 30 sin 10, sin 30, cos 30 cos 10) to the right, ahead and up.
    ("pitch 30 roll -10", [], [-616, -2_048, 3_493]), ("yaw 90", [0, 0, 90], [0, 0, 4_096]),
  ]

  /// What one word of the gyroscope, in 0.1 degrees a second, adds up to.
  private static func turn(about word: Int, _ frames: [[Int16]], _ divisor: Int) -> Double {
    var sum = 0.0
    for frame in frames { sum += Double(frame[word]) / 10 }
    return sum * Double(divisor) / 400
  }

  @Test(arguments: poses.indices, [8, 20])
  func gyroscopeAndAccelerometerAgreeWithThePose(_ index: Int, divisor: Int) throws {
    let (name, turn, up) = Self.poses[index]
    var talk = Talk()
    // Accelerometer and gyroscope, filtered: six words, one frame a packet, without end.
    _ = talk.send(0x02, 0x11, [0, UInt8(divisor), 0, 1, 0, 0, 0xFC, 0, 0])
    _ = talk.wait(.milliseconds(500))
    let script = try HandScript(parsing: "hold \(name)")
    for step in script.steps { talk.robot.perform(step.action, at: talk.now) }
    let frames = words(talk.wait(.seconds(1)), 6)
    let sums = [3, 4, 5].map { Self.turn(about: $0, frames, divisor) }
    if !turn.isEmpty {
      #expect(zip(sums, turn).allSatisfy { abs($0 - $1) < 1 }, "\(sums)")
    }
    let last = try #require(frames.last)
    #expect(zip(last, up).allSatisfy { abs(Int($0) - $1) < 41 }, "\(last)")
    // Putting it down turns it back, as slowly, upright on its heading.
    talk.robot.perform(.putDown, at: talk.now)
    let back = words(talk.wait(.seconds(1)), 6)
    let returned = [3, 4, 5].map { Self.turn(about: $0, back, divisor) }
    if turn != [0, 0, 90], !turn.isEmpty {
      #expect(zip(returned, turn).allSatisfy { abs($0 + $1) < 1 }, "\(returned)")
    }
    let level = try #require(back.last)
    #expect(abs(Int(level[2]) - 4_096) < 41)
    #expect(!talk.robot.body.isHeld)
  }

  @Test func linesOfWindowsAreRead() throws {
    let script = try HandScript(parsing: "# poses\r\nhold nose-up\r\n\r\n2s put down # end\r\n")
    #expect(
      script.steps == [.init(at: .zero, .hold(Pose(pitch: 90))), .init(at: .seconds(2), .putDown)])
    let floor = try Floor(parsing: "# a room\r\nroom 4 3\r\ngrip 0.5\r\n")
    #expect(floor.walls.count == 4 && floor.grip == 0.5)
    let error = #expect(throws: TextLineError.self) { try Floor(parsing: "room 4 3\r\nroom 4\r\n") }
    #expect(error?.line == 2)
  }

  @Test func aHandTakesItOutOfItsCharger() {
    var talk = Talk()
    talk.robot.setCharger(true, at: talk.now)
    #expect(talk.robot.isAsleep)
    talk.robot.hold(.identity, at: talk.now)
    #expect(!talk.robot.isAsleep)
    // 00:20: record 1, state 2 is ok; 1 would be charging.
    #expect(talk.ask(0x00, 0x20)?.prefix(2) == [1, 2])
    // Where it was in no charger, taking it out changes nothing.
    talk.robot.setCharger(false, at: talk.now)
    #expect(talk.robot.body.isHeld)
  }

  @Test func noTurnIsFasterThanAHand() throws {
    var talk = Talk { $0.errors.rateNoise = 0 }
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x1C, 0, 0])
    talk.robot.perform(.hold(Pose(roll: 180)), at: talk.now)
    let rates = words(talk.wait(.milliseconds(600)), 3)
    // Half a turn in half a second: 360 degrees a second on average, 720 at most; it begins and ends slowly.
    #expect(rates.allSatisfy { abs(Int($0[1])) <= 7_200 })
    #expect(abs(Int(rates[100][1]) + 7_200) < 20 && abs(Int(rates[2][1])) < 40)
    #expect(rates.suffix(20).allSatisfy { $0 == [0, 0, 0] })
  }

  /// q and -q are the same rotation; a robot's words do not jump between them.
  @Test func theWordsOfTheQuaternionAreContinuous() {
    var talk = Talk()
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0, 0, 0, 0xF0, 0, 0, 0])
    var samples: [[Int16]] = []
    for action in [
      HandScript.Action.hold(Pose(yaw: 170)), .hold(Pose(yaw: -170)), .hold(Pose(yaw: 170)), .hold(Pose()),
      .hold(Pose(roll: 170)), .hold(Pose(roll: -170)), .putDown,
    ] {
      talk.robot.perform(action, at: talk.now)
      samples += words(talk.wait(.seconds(1)), 4)
    }
    #expect(samples.count > 2_500)
    let jumps = zip(samples, samples.dropFirst()).filter { earlier, later in
      zip(earlier, later).contains { abs(Int($0) - Int($1)) > 500 }
    }
    #expect(jumps.isEmpty, "\(jumps.first.map { "\($0)" } ?? "")")
  }

  @Test func anglesCountFromTheAim() throws {
    var talk = Talk { ($0.errors.accelerationNoise, $0.errors.rateNoise) = (0, 0) }
    // The nose points along heading 90 now, independent of the floor.
    _ = talk.send(0x02, 0x01, [0, 90])
    talk.robot.perform(.hold(Pose(pitch: 20, yaw: 45)), at: talk.now)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 7, 0, 0, 1])
    #expect(words(talk.wait(.seconds(1)), 3) == [[20, 0, 45]])
    // However it is tilted: its nose keeps its direction.
    for (pose, yaw) in [(Pose(pitch: 20, roll: -50, yaw: -120), -120), (Pose(pitch: 90), -120), (Pose(), 0)] {
      for action in [HandScript.Action.hold(pose), .putDown] {
        talk.robot.perform(action, at: talk.now)
        _ = talk.wait(.seconds(1))
      }
      _ = talk.send(0x02, 0x11, [0, 40, 0, 1, 0, 7, 0, 0, 1])
      let angles = words(talk.wait(.seconds(1)), 3)
      if pose.pitch < 90 { #expect(angles == [[0, 0, Int16(yaw)]]) } else { #expect(angles.first?[0] == 0) }
    }
    let before = talk.robot.body.position
    talk.robot.perform(.knock(Planar(1, 0)), at: talk.now)
    _ = talk.wait(.milliseconds(100))
    // Heading 0 lies 90 degrees to the left of the floor's, so its right is ahead on the floor.
    let way = talk.robot.body.position - before
    #expect(way.y > 0.01 && abs(way.x) < 0.005, "\(way)")
  }

  @Test func shakingSwingsAndEnds() {
    var talk = Talk { $0.errors.accelerationNoise = 0 }
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x80, 0, 0])
    talk.robot.perform(.shake(.seconds(1)), at: talk.now)
    let felt = words(talk.wait(.seconds(2)), 1).map { Int($0[0]) }
    #expect(abs((felt.max() ?? 0) - 8_192) < 20 && abs((felt.min() ?? 0) + 8_192) < 20, "2 g both ways")
    #expect(felt.suffix(380).allSatisfy { $0 == 0 })
    #expect(talk.robot.body.isResting)
  }

  @Test func aShakenRobotWakes() throws {
    var talk = Talk { $0.wakesByBytes = false }
    _ = talk.send(0x00, 0x22, [0, 0, 0, 0, 0])
    _ = talk.wait(.seconds(5))
    #expect(talk.send(0x00, 0x01).isEmpty)
    talk.robot.perform(.shake(.milliseconds(200)), at: talk.now)
    #expect(response(try #require(talk.send(0x00, 0x01).first).bytes)?.status == 0)
    talk.robot.perform(.charger(isIn: true), at: talk.now)
    #expect(talk.robot.isAsleep)
    talk.robot.perform(.charger(isIn: false), at: talk.now)
    #expect(!talk.robot.isAsleep)
  }
}

@Suite struct HandScriptTests {
  @Test func linesFollowEachOther() throws {
    let script = try HandScript(
      parsing: """
        # Two poses, one after the other.
        hold nose-up            # at once
        wait 1.5s
        hold level pitch -20 yaw 90
        2: knock 0.5 -1
        5s shake 500ms
        put down
        1min charger in
        charger out
        hang up
        """)
    #expect(
      script.steps == [
        .init(at: .zero, .hold(Pose(pitch: 90))),
        .init(at: .seconds(2), .hold(Pose(pitch: -20, yaw: 90))),
        .init(robot: 1, at: .milliseconds(2_500), .knock(Planar(0.5, -1))),
        .init(at: .seconds(5), .shake(.milliseconds(500))), .init(at: .milliseconds(5_500), .putDown),
        .init(at: .seconds(60), .charger(isIn: true)), .init(at: .seconds(60), .charger(isIn: false)),
        .init(at: .seconds(60), .hangUp),
      ])
    #expect(script.robotCount == 2)
    #expect(try HandScript(parsing: " \n# nothing\n").steps.isEmpty)
  }

  @Test(arguments: [
    ("hold sideways", "nose-up"), ("hold", "hold POSE"), ("hold pitch", "[pitch N]"),
    ("hold pitch x", "[pitch N]"),
    ("hold level pitch 400", "[pitch N]"), ("shake", "shake TIME"), ("shake 0s", "shake TIME"),
    ("shake -1s", "shake TIME"), ("knock 1", "knock RIGHT AHEAD"), ("knock 11 0", "knock RIGHT AHEAD"),
    ("knock nan 0", "knock RIGHT AHEAD"), ("charger", "charger out"), ("jump", "put down"),
    ("2s", "put down"),
    ("0: put down", "1: to 100:"), ("101: put down", "1: to 100:"), ("x: put down", "1: to 100:"),
    ("1s put down", "before"), ("put up", "put down"), ("hang on", "hang up"),
  ])
  func whatMeansNothingIsNamed(_ text: String, _ expected: String) {
    let error = #expect(throws: TextLineError.self) {
      try HandScript(parsing: "# a comment\n2s hold level\n\(text)\nput down")
    }
    #expect(error?.line == 3 && error?.text == text)
    #expect(error?.expected.contains(expected) == true, "\(error?.expected ?? "")")
    #expect(error?.description.hasPrefix("line 3 of the script says '\(text)': ") == true)
  }

  @Test func theLinesOfHelpAreActions() throws {
    for (form, _) in HandScript.help where !form.contains("[") {
      let line = form.replacing("POSE", with: "level").replacing("TIME", with: "1s")
        .replacing("RIGHT AHEAD", with: "0 1")
      #expect(throws: Never.self, "\(line)") { try HandScript(parsing: line) }
    }
  }
}
