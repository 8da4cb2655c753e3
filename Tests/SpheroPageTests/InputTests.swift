// The input of the page beyond the joystick: rotation gesture, gamepad, tilt, the aim after connecting, colour previews.

import SpheroPage
import SpheroProtocol
import Testing

@Suite struct InputTests {
  // MARK: Rotation gesture

  /// Two touches that turn clockwise: the second is right of the first, then 45 and 90 degrees below.
  private static let turn = ["twist 0 0 100 0", "twist 0 0 100 -100", "twist 0 0 0 -100"]

  @Test func twoFingersTurnTheBallAndCalibrateOnRelease() throws {
    var rig = try PageRig.connected()
    try rig.execute(Self.turn[0])
    #expect(rig.commands.isEmpty)
    for command in Self.turn.dropFirst() {
      try rig.execute(command)
      rig.run(for: .milliseconds(500))
    }
    // 45 and 90 degrees, less the 10 that distinguish a rotation from a pinch.
    #expect(rig.payloads(0x02, 0x21) == [[255]])
    #expect(rig.rolls == [[0, 0, 35, 1], [0, 0, 80, 1]])
    try rig.expectView("\"aim\":{\"is_active\":true,\"heading\":80.0,\"turn\":80.0,\"is_twisted\":true}")
    #expect(rig.payloads(0x02, 0x01).isEmpty)
    try rig.execute("twist end")
    rig.run(for: .milliseconds(100))
    #expect(rig.payloads(0x02, 0x01) == [[0, 0]] && rig.payloads(0x02, 0x21) == [[255], [0]])
  }

  @Test func aCancelledGestureTurnsBack() throws {
    var rig = try PageRig.connected()
    for command in Self.turn { try rig.execute(command) }
    try rig.execute("twist cancel")
    rig.run(for: .seconds(1))
    #expect(rig.rolls.last == [0, 0, 0, 1])
    #expect(rig.payloads(0x02, 0x01).isEmpty && rig.payloads(0x02, 0x21).last == [0])
  }

  @Test func aPinchDoesNotAim() throws {
    var rig = try PageRig.connected()
    for distance in [100, 60, 20, 90] { try rig.execute("twist 0 0 \(distance) 1") }
    try rig.execute("twist end")
    #expect(rig.commands.isEmpty)
  }

  @Test(arguments: ["stop", "lost"]) func afterAStopTheRestOfTheGestureHasNoEffect(_ end: String) throws {
    var rig = try PageRig.connected()
    for command in Self.turn { try rig.execute(command) }
    try rig.execute(end)
    if end == "lost" { try rig.execute("back") }
    rig.run(for: .seconds(1))
    rig.forget()
    for command in Self.turn + ["twist end"] { try rig.execute(command) }
    rig.run(for: .milliseconds(500))
    #expect(rig.rolls.isEmpty && rig.payloads(0x02, 0x01).isEmpty)
    // A new gesture aims again.
    for command in Self.turn { try rig.execute(command) }
    #expect(rig.payloads(0x02, 0x21) == [[255]])
  }

  @Test(arguments: [["twist 0 0 100 0"], ["ring begin", "twist 0 0 100 0", "twist 0 0 100 -100"]])
  func afterAStopAGestureThatDidNotBeginTheAimHasNoEffect(_ before: [String]) throws {
    var rig = try PageRig.connected()
    for command in before + ["stop"] + Self.turn { try rig.execute(command) }
    try rig.expectView("\"aim\":{\"is_active\":false")
  }

  @Test func aHeldJoystickIgnoresTheGesture() throws {
    var rig = try PageRig.connected()
    try rig.execute("stick 0 1")
    for command in Self.turn { try rig.execute(command) }
    try rig.expectView("\"aim\":{\"is_active\":false")
  }

  @Test func aGestureInTheDialogDoesNotEndTheAim() throws {
    var rig = try PageRig.connected()
    try rig.execute("ring begin")
    try rig.execute("ring by 20")
    for command in Self.turn { try rig.execute(command) }
    try rig.execute("twist end")
    try rig.expectView("\"aim\":{\"is_active\":true,\"heading\":100.0,\"turn\":100.0,\"is_twisted\":false}")
    #expect(rig.payloads(0x02, 0x01).isEmpty)
  }

  // MARK: Gamepad

  @Test func theLeftStickAndTheArrowButtonsDrive() throws {
    var rig = try PageRig.connected()
    try rig.execute("gamepad 0 0 0 0 0")
    try rig.execute("gamepad 1 0 0 0 0")
    #expect(rig.rolls == [[153, 0, 90, 1]])
    try rig.execute("gamepad 0 0.1 0 0 0")
    #expect(rig.rolls.last == [0, 0, 90, 0])
    rig.run(for: .seconds(1))
    // Up and left: buttons 12 and 14 of the standard mapping.
    try rig.execute("gamepad 0 0 0 0 \(1 << 12 | 1 << 14)")
    // Heading 315 is 1 * 256 + 59.
    #expect(rig.rolls.last == [153, 1, 59, 1])
    rig.run(for: .milliseconds(501))
    #expect(rig.rolls.last == [0, 1, 59, 0])
    // After the timeout, the pad must be released first.
    try rig.execute("gamepad 0 0 0 0 \(1 << 12)")
    try rig.expectView("\"is_held\":false")
    try rig.execute("gamepad 0 0 0 0 \(UInt32.max)")
    try rig.expectView("\"is_held\":false")
  }

  @Test func theBButtonStopsUntilTheSticksAreCentred() throws {
    var rig = try PageRig.connected()
    try rig.execute("gamepad 0 0 0 0 0")
    try rig.execute("gamepad 0 1 0 0 0")
    try rig.execute("gamepad 0 1 0 0 2")
    #expect(rig.rolls.last == [0, 0, 0, 0])
    try rig.expectView("\"is_held\":false")
    rig.run(for: .seconds(1))
    rig.forget()
    for words in ["gamepad 0 1 0 0 2", "gamepad 0 1 0 0 0", "gamepad 0 0.9 0 0 0"] { try rig.execute(words) }
    #expect(rig.rolls.isEmpty)
    try rig.execute("gamepad 0 0 0 0 0")
    try rig.execute("gamepad 0 1 0 0 0")
    #expect(rig.rolls.count == 1)
  }

  @Test func theRightStickAims() throws {
    var rig = try PageRig.connected()
    for words in ["0 0", "0 1", "0.7 0.7", "1 0"] { try rig.execute("gamepad 0 0 \(words) 0") }
    // From up to the right is a quarter turn clockwise.
    try rig.expectView("\"aim\":{\"is_active\":true,\"heading\":80.0,")
    try rig.execute("gamepad 0 0 0 0 0")
    rig.run(for: .milliseconds(100))
    #expect(rig.payloads(0x02, 0x01) == [[0, 0]])
  }

  @Test func aMissingGamepadReleasesTheStickAndCancelsItsAim() throws {
    var rig = try PageRig.connected()
    for words in ["0 0 0 0", "0 1 0 0"] { try rig.execute("gamepad \(words) 0") }
    try rig.execute("gamepad")
    #expect(rig.rolls.last == [0, 0, 0, 0])
    rig.run(for: .seconds(1))
    for words in ["0 0", "0 1", "1 0"] { try rig.execute("gamepad 0 0 \(words) 0") }
    try rig.execute("gamepad")
    try rig.expectView("\"aim\":{\"is_active\":false")
    #expect(rig.payloads(0x02, 0x01).isEmpty)
  }

  @Test func aPointerTakesPrecedenceOverTheGamepad() throws {
    var rig = try PageRig.connected()
    try rig.execute("gamepad 0 0 0 0 0")
    try rig.execute("stick 0 1")
    try rig.execute("gamepad 1 0 0 0 0")
    try rig.expectView("\"x\":0.000,\"y\":1.000")
  }

  // MARK: Tilt

  /// Half of the 25 degrees of full speed, less the dead zone of a fifth: 0.3 / 0.8 of 0.6 of 255.
  private static let half: UInt8 = 57

  @Test(arguments: [
    // The far edge lowered, the right edge lowered, both raised; in portrait, from level and from 45 degrees.
    (["tilt 0 0 0", "tilt -12.5 0 0"], [half, 0, 0, 1]),
    (["tilt 45 0 0", "tilt 32.5 0 0"], [half, 0, 0, 1]),
    (["tilt 0 0 0", "tilt 0 12.5 0"], [half, 0, 90, 1]),
    (["tilt 90 0 0", "tilt 77.5 0 0"], [half, 0, 0, 1]),
    (["tilt 0 0 0", "tilt 12.5 0 0"], [half, 0, 180, 1]), (["tilt 0 0 0", "tilt 60 0 0"], [153, 0, 180, 1]),
    // In landscape the right edge points away; upside down in landscape the left edge does.
    (["tilt 0 0 90", "tilt 0 12.5 90"], [half, 0, 0, 1]),
    (["tilt 0 0 270", "tilt 0 -12.5 270"], [half, 0, 0, 1]),
  ])
  func theTiltSinceTheBeginningDrives(_ commands: [String], _ roll: [UInt8]) throws {
    var rig = try PageRig.connected()
    try rig.execute("tilt begin")
    for command in commands { try rig.execute(command) }
    #expect(rig.rolls == [roll])
    try rig.expectView("\"tilt\":{\"is_on\":true}")
  }

  /// A phone held upright turns about a vertical axis: gravity does not move in its frame.
  @Test func aTurnOfAnUprightPhoneIsNoTilt() throws {
    var rig = try PageRig.connected()
    for words in ["begin", "90 0 0", "90 40 0"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.isEmpty)
  }

  @Test func aSmallTiltDoesNotDrive() throws {
    var rig = try PageRig.connected()
    for words in ["begin", "30 2 0", "34.4 2 0", "30 6.4 0"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.isEmpty)
  }

  @Test func withoutEventsTheBallStopsUntilThePhoneIsLevel() throws {
    var rig = try PageRig.connected()
    for words in ["begin", "0 0 0", "-25 0 0"] { try rig.execute("tilt \(words)") }
    rig.run(for: .milliseconds(499))
    #expect(rig.rolls == [[153, 0, 0, 1]])
    rig.run(for: .milliseconds(1))
    #expect(rig.rolls == [[153, 0, 0, 1], [0, 0, 0, 0]])
    try rig.execute("tilt -25 0 0")
    try rig.expectView("\"is_held\":false")
    for words in ["0 1 0", "-25 0 0"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.last == [153, 0, 0, 1])
  }

  @Test(arguments: ["stop", "tilt end", "lost", "leave"]) func theEndOfTiltStopsTheBall(_ end: String) throws
  {
    var rig = try PageRig.connected()
    for words in ["begin", "0 0 0", "-25 0 0"] { try rig.execute("tilt \(words)") }
    try rig.execute(end)
    try rig.expectView("\"tilt\":{\"is_on\":false}")
    try rig.expectView("\"is_held\":false")
    rig.run(for: .milliseconds(100))
    rig.forget()
    for words in ["0 0 0", "-25 0 0"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.allSatisfy { $0.first == 0 })
  }

  @Test func aDeviceWithoutSensorsIsReported() throws {
    var rig = try PageRig.connected()
    try rig.execute("tilt begin")
    rig.run(for: .seconds(1))
    try rig.expectView("\"tilt\":{\"is_on\":false}")
    #expect(try rig.execute("news").contains("this device does not report its orientation"))
  }

  @Test func aFingerOnTheJoystickTakesPrecedenceOverTilt() throws {
    var rig = try PageRig.connected()
    for words in ["tilt begin", "tilt 0 0 0", "stick 0 -1", "tilt 0 20 0"] { try rig.execute(words) }
    try rig.expectView("\"x\":0.000,\"y\":-1.000")
    for words in ["stick", "tilt 0 20 0"] { try rig.execute(words) }
    try rig.expectView("\"is_held\":false")
  }

  /// A phone that is tilted by 90 degrees was put down or dropped.
  @Test func aDroppedPhoneStopsTheBallUntilItIsLevel() throws {
    var rig = try PageRig.connected()
    for words in ["begin", "0 0 0", "-25 0 0", "-100 0 0"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.last == [0, 0, 0, 0])
    for words in ["-25 0 0", "0 0 0", "0 25 0"] { try rig.execute("tilt \(words)") }
    rig.run(for: .milliseconds(100))
    #expect(rig.rolls.dropFirst().map(\.first) == [0, 153])
  }

  @Test func aScreenThatTurnsIsLevelAgain() throws {
    var rig = try PageRig.connected()
    for words in ["begin", "0 0 0", "0 40 90"] { try rig.execute("tilt \(words)") }
    #expect(rig.rolls.isEmpty)
  }

  // MARK: The aim after connecting

  @Test func anAimFollowsTheConnection() throws {
    var rig = PageRig()
    try rig.execute("connect 1763800000000 aim")
    rig.run(for: .seconds(2))
    try rig.expectView("\"aim\":{\"is_active\":true,\"heading\":0.0,\"turn\":0.0,")
    #expect(rig.payloads(0x02, 0x21) == [[255]])
    try rig.execute("ring end")
    rig.run(for: .seconds(5))
    try rig.expectView("\"aim\":{\"is_active\":false")
    // A reconnection keeps the heading of the robot.
    try rig.execute("lost")
    try rig.execute("back")
    rig.run(for: .seconds(3))
    try rig.expectView("\"aim\":{\"is_active\":false")
  }

  @Test func theAimDoesNotWaitForSamples() throws {
    var rig = PageRig()
    try rig.execute("sensors off")
    try rig.execute("connect 1763800000000 aim")
    rig.run(for: .seconds(2))
    try rig.expectView("\"aim\":{\"is_active\":true")
  }

  // MARK: Colour

  @Test func previewsShowThePreviousAndTheCurrentColour() throws {
    var rig = try PageRig.connected()
    try rig.execute("color red")
    try rig.execute("color blue")
    try rig.expectView("\"red\":0,\"green\":0,\"blue\":255,\"previous\":\"#ff0000\",\"current\":\"#0000ff\"")
    try rig.execute("preview previous")
    try rig.expectView("\"color\":{\"text\":\"#ff0000\",")
    try rig.expectView("\"previous\":\"#ff0000\",\"current\":\"#0000ff\"")
    try rig.execute("preview current")
    try rig.expectView("\"color\":{\"text\":\"#0000ff\",")
    rig.run(for: .milliseconds(500))
    #expect(rig.payloads(0x02, 0x20).last == [0, 0, 255, 0])
  }

  @Test func aDragIsOneChangeWithAFinish() throws {
    var rig = try PageRig.connected()
    try rig.execute("color red")
    _ = try rig.execute("news")
    for words in ["wheel -1 0", "wheel 0 0", "wheel 0 -1", "brightness 0.2", "picked", "picked"] {
      try rig.execute(words)
    }
    let reports = try rig.news("color")
    let expected = ["00ffff", "ffffff", "8000ff", "1a0033"].map {
      "{\"kind\":\"color\",\"color\":\"#\($0)\",\"is_finished\":false}"
    }
    #expect(
      reports == expected + [
        "{\"kind\":\"color\",\"color\":\"#1a0033\",\"is_finished\":true}"
      ])
    try rig.expectView("\"previous\":\"#ff0000\",\"current\":\"#1a0033\"")
  }

  @Test func theInitialColourIsThatOfTheRobot() throws {
    var rig = PageRig()
    try rig.expectView("\"previous\":null,\"current\":null")
    try rig.execute("connect 1763800000000")
    rig.run(for: .seconds(1))
    // A simulated robot is blue after a client has connected.
    try rig.expectView(
      "\"color\":{\"text\":\"#0000ff\",\"red\":0,\"green\":0,\"blue\":255,\"previous\":null,\"current\":\"#0000ff\""
    )
    try rig.execute("preview previous")
    try rig.expectView("\"color\":{\"text\":\"#0000ff\"")
  }

  // MARK: Invalid commands

  @Test(arguments: [
    "twist", "twist 0 0", "twist 0 0 1 x", "twist 0 0 1 1 1", "tilt", "tilt 0 0", "tilt 0 0 45",
    "tilt 200 0 0",
    "tilt nan 0 0", "gamepad 0 0", "gamepad 0 0 0 0 -1", "gamepad 0 0 0 0 1e12", "connect 5 now",
    "connect 5 aim 6",
    "preview", "preview next", "picked 1", "ring by", "ring by 1e9", "ring by nan",
  ])
  func anInvalidCommandHasAMessage(_ command: String) throws {
    var rig = try PageRig.connected()
    #expect(throws: PageError.self) { try rig.execute(command) }
    #expect(rig.commands.isEmpty)
  }

  @Test func theEndOfTheConversationEndsEveryInput() throws {
    var rig = try PageRig.connected()
    try rig.execute("stick 1 0")
    try rig.execute("abandon")
    try rig.expectView(#""is_held":false"#)
    rig = try PageRig.connected()
    try rig.execute("ring begin")
    try rig.execute("abandon")
    try rig.expectView(#""aim":{"is_active":false"#)
  }
}
