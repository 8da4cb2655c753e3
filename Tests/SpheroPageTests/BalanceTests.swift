// The balance game of the page: tilted by a phone in each orientation of its screen, and by a robot in the hand.

import SpheroControls
import SpheroOrientation
import Testing

@testable import SpheroPage

@Suite struct BalanceTests {
  /// The place of the upper left corner of the ball in a view; nil without a game.
  private static func place(_ view: String) -> (x: Double, y: Double)? {
    guard let range = view.firstRange(of: "\"position\":[") else { return nil }
    let numbers = view[range.upperBound...].prefix { $0 != "]" }.split(separator: ",").compactMap {
      Double($0)
    }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }

  private static func say(_ command: String, _ page: inout Page, _ milliseconds: Int) throws -> String {
    String(decoding: try page.execute(command, at: .milliseconds(milliseconds)), as: UTF8.self)
  }

  @Test func aPhoneRollsTheBallBetweenWalls() throws {
    var page = Page()
    _ = try Self.say("balance start 300 300 phone", &page, 0)
    #expect(
      try Self.say("view", &page, 0).contains(
        #""game":{"player":"phone","size":[300.0,300.0],"ball":50.0,"position":[150.0,150.0],"is_unusable":false}"#
      ))
    // The right side is 30 degrees lower: 0.5 g to the right, 100 points/s² in steps of 0.1 s.
    for step in 0...5 { _ = try Self.say("balance tilt 0 30 0", &page, 100 * step) }
    // 10·0.1 + 20·0.1 + … + 50·0.1 = 15 points.
    #expect(try Self.say("view", &page, 500).contains(#""position":[165.0,150.0]"#))
    // Walls hold it: the ball does not begin again at the centre.
    for step in 6...60 { _ = try Self.say("balance tilt 0 80 0", &page, 100 * step) }
    let place = try #require(Self.place(try Self.say("view", &page, 6_000)))
    #expect(place.x > 200 && place.x <= 250)
    // The top edge is raised: the ball rolls to the bottom.
    for step in 61...160 { _ = try Self.say("balance tilt 45 0 0", &page, 100 * step) }
    #expect(try #require(Self.place(try Self.say("view", &page, 16_000))).y > 200)
    _ = try Self.say("balance end", &page, 16_000)
    #expect(try Self.say("view", &page, 16_000).contains("\"game\":null"))
  }

  @Test func withoutWallsTheBallBeginsInTheCentre() throws {
    var page = Page()
    _ = try Self.say("balance start 300 300 phone open", &page, 0)
    // At 1 g to the right, the ball of 50 points leaves the screen after sqrt(2·150/200) = 1.2 s.
    for step in 0...11 { _ = try Self.say("balance tilt 0 90 0", &page, 100 * step) }
    #expect(try #require(Self.place(try Self.say("view", &page, 1_100))).x > 250)
    for step in 12...13 { _ = try Self.say("balance tilt 0 90 0", &page, 100 * step) }
    #expect(try #require(Self.place(try Self.say("view", &page, 1_300))).x < 200)
  }

  /// The edge of the device that is lower is another edge of the screen.
  @Test(arguments: [
    // The right edge of the device is lower.
    ("0 30", 0, 15.0, 0.0), ("0 30", 90, 0, -15), ("0 30", 180, -15, 0), ("0 30", 270, 0, 15),
    // The bottom edge of the device is lower.
    ("30 0", 0, 0, 15), ("30 0", 90, 15, 0), ("30 0", 180, 0, -15), ("30 0", 270, -15, 0),
  ])
  func aTurnedScreenHasOtherEdges(_ angles: String, _ screen: Int, _ right: Double, _ down: Double) throws {
    var page = Page()
    _ = try Self.say("balance start 300 300 phone", &page, 0)
    for step in 0...5 { _ = try Self.say("balance tilt \(angles) \(screen)", &page, 100 * step) }
    let place = try #require(Self.place(try Self.say("view", &page, 500)))
    #expect(abs(place.x - 150 - right) < 0.1 && abs(place.y - 150 - down) < 0.1, "\(place)")
  }

  /// A robot has no screen, so the attitude at the first reading is level.
  @Test func theFirstReadingOfARobotIsLevel() throws {
    var game = try #require(BalanceGame(size: Point(x: 300, y: 300), player: .robot))
    // Held with the right side 30 degrees lower.
    let level = Vector3(0.5, 0, -0.866_025_4)
    for step in 0...5 { game.handleRobot(gravity: level, at: Double(step) / 10) }
    #expect(abs(game.ball.position.x - 150) < 0.001 && abs(game.ball.position.y - 150) < 0.001)
    // Tilted further, to 60 degrees: sin 30° to the right.
    for step in 6...10 {
      game.handleRobot(gravity: Vector3(0.866_025_4, 0, -0.5), at: Double(step) / 10)
    }
    #expect(abs(game.ball.position.x - 165) < 0.01 && abs(game.ball.position.y - 150) < 0.001)
    // A phone does not move it.
    game.handlePhone(gravity: Vector3(0.984_807_8, 0, -0.173_648_2), farEdge: .top, at: 1.1)
    #expect(abs(game.ball.position.x - 165) < 0.01)
  }

  @Test func aRobotOnItsTailHasNoLevel() throws {
    var game = try #require(BalanceGame(size: Point(x: 300, y: 300), player: .robot))
    game.handleRobot(gravity: Vector3(0, -1, 0), at: 0)
    #expect(game.isUnusable)
    game.handleRobot(gravity: Vector3(0, 0, -1), at: 0.1)
    #expect(!game.isUnusable)
  }

  @Test(arguments: ["balance end", "stick 0 1", "go 0 50", "stop", "balance start 300 300 phone"])
  func aRobotPlaysWithoutStabilization(_ command: String) throws {
    var rig = try PageRig.connected()
    try rig.execute("balance start 300 300 robot")
    rig.run(for: .seconds(1))
    #expect(rig.payloads(0x02, 0x02) == [[0]])
    try rig.expectView("\"game\":{\"player\":\"robot\"")
    try rig.execute(command)
    rig.run(for: .milliseconds(500))
    // The stop also aborts programs, and switches the control system on after that.
    #expect(Set(rig.payloads(0x02, 0x02).dropFirst()) == [[2]])
    #expect(command == "stop" || rig.payloads(0x02, 0x02).count == 2)
    #expect(try !rig.execute("view").contains("\"player\":\"robot\""))
  }

  @Test func aLevelPhoneDoesNotEndTheGameOfARobot() throws {
    var rig = try PageRig.connected()
    for command in ["tilt begin", "tilt 0 0 0", "balance start 300 300 robot"] { try rig.execute(command) }
    rig.run(for: .seconds(1))
    for _ in 0..<8 {
      try rig.execute("tilt 0 0 0")
      rig.run(for: .milliseconds(50))
    }
    try rig.expectView("\"game\":{\"player\":\"robot\"")
  }

  /// The game replaces a program, which could roll the ball in the hand.
  @Test func theGameReplacesAProgram() throws {
    var rig = try PageRig.connected()
    try rig.execute("run macro rollLong 60 0 5000\nrollLong 60 90 5000")
    rig.run(for: .seconds(1))
    try rig.execute("balance start 300 300 robot")
    rig.run(for: .seconds(1))
    try rig.expectView("\"program\":null")
    #expect(rig.payloads(0x02, 0x55).count == 2)
  }

  @Test(arguments: ["balance end", "balance start 300 300 phone"])
  func aLostLinkEndsTheGameAndStabilizesOnTheNextLine(_ command: String) throws {
    var rig = try PageRig.connected()
    try rig.execute("balance start 300 300 robot")
    rig.run(for: .seconds(1))
    rig.isOpen = false
    try rig.execute("lost")
    try rig.expectView("\"game\":null")
    // The page ends the game, too, or the player continues with a phone.
    try rig.execute(command)
    rig.run(for: .seconds(1))
    rig.forget()
    rig.isOpen = true
    try rig.execute("back")
    rig.run(for: .seconds(3))
    #expect(rig.payloads(0x02, 0x02) == [[2]])
    #expect(try rig.execute("view").contains("\"player\":\"phone\"") == (command != "balance end"))
  }

  @Test(arguments: [
    "balance", "balance start 10 10 phone", "balance start 300 300 hand", "balance tilt 1",
    "balance tilt 1 2", "balance tilt 1 2 45", "balance end 1",
  ])
  func invalidCommandsAreErrors(_ command: String) throws {
    var rig = try PageRig.connected()
    #expect(throws: PageError.self) { try rig.execute(command) }
  }

  @Test func withoutSamplesOnlyAPhonePlays() throws {
    var rig = PageRig()
    #expect(throws: PageError.self) { try rig.execute("balance start 300 300 robot") }
    try rig.execute("balance start 300 300 phone")
    var connected = try PageRig.connected()
    try connected.execute("sensors off")
    #expect(throws: PageError.self) { try connected.execute("balance start 300 300 robot") }
  }
}
