// Panels that a device in a hand operates, against directions and positions computed by hand.

import SpheroControls
import SpheroOrientation
import Testing

@testable import SpheroDrawing

private let level = Vector3(0, 0, -1)
/// The right side lowered by 30 degrees.
private let right30 = Vector3(0.5, 0, -0.8660254037844386)

@Suite struct DriveByTiltTests {
  private func panel() -> DrivePanel {
    var panel = DrivePanel(tilt: TiltControl())
    panel.resize(width: 80, height: 24)
    panel.handleTilt(gravity: level, at: ms(0))
    return panel
  }

  /// The pad has its centre at the cell 19, 11 and its right end at the cell 37, 11.
  @Test func aTiltMovesThePuckAndRolls() {
    var panel = panel()
    #expect(panel.command(at: ms(0)) == nil)
    panel.handleTilt(gravity: right30, at: ms(25))
    #expect(panel.command(at: ms(25)) == Drive(heading: heading(90), speed: 0.6))
    let canvas = panel.draw(at: ms(25))
    #expect(canvas[37, 11].character == "●")
    #expect(canvas.text(row: 22) == "speed 153 of 255  command: heading 90° speed 153  tilt: ready")
    #expect(
      canvas.text(row: 23) == "space: stop  q: quit  z: level here  + -: speed  tilt, keys or drag: roll")
    // 15 degrees ahead are (15 / 25 - 0.2) / 0.8 = half of the way: the pad has 9 rows above its centre.
    panel.handleTilt(gravity: Vector3(0, 0.2588190451025208, -0.9659258262890683), at: ms(50))
    #expect(panel.draw(at: ms(50))[19, 7].character == "●" || panel.draw(at: ms(50))[19, 6].character == "●")
  }

  @Test func withoutReadingsItStopsAndWaitsForLevel() {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(25))
    _ = panel.command(at: ms(25))
    #expect(panel.command(at: ms(225)) == nil && panel.command(at: ms(226)) == .stop)
    #expect(panel.draw(at: ms(526)).text(row: 22).hasSuffix("tilt: waiting for the controller"))
    panel.handleTilt(gravity: right30, at: ms(526))
    #expect(panel.command(at: ms(526)) == nil)
    #expect(panel.draw(at: ms(526)).text(row: 22).hasSuffix("command: stop  tilt: level the controller"))
    panel.handleTilt(gravity: level, at: ms(550))
    panel.handleTilt(gravity: right30, at: ms(575))
    #expect(panel.command(at: ms(575)) == Drive(heading: heading(90), speed: 0.6))
    panel.interruptTilt()
    #expect(panel.command(at: ms(575)) == .stop)
  }

  @Test func withoutAControllerForGoodKeysDrive() {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(25))
    _ = panel.command(at: ms(25))
    panel.endTilt()
    #expect(panel.command(at: ms(25)) == .stop && panel.tilt == nil)
    #expect(panel.draw(at: ms(25)).text(row: 22) == "speed 153 of 255  command: stop")
    _ = panel.handle(.key(.up), at: ms(25))
    #expect(panel.command(at: ms(25)) == Drive(heading: .ahead, speed: 153 / 255.0))
  }

  @Test(arguments: [.character(" "), .character("q"), .escape] as [TerminalInput.Key])
  func keysStopTheTilt(_ key: TerminalInput.Key) {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(25))
    _ = panel.command(at: ms(25))
    _ = panel.handle(.key(key), at: ms(30))
    #expect(panel.command(at: ms(30)) == .stop)
    panel.handleTilt(gravity: right30, at: ms(50))
    #expect(panel.command(at: ms(50)) == nil)
  }

  @Test func keysHavePriorityAndChangeTheSpeed() {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(25))
    _ = panel.handle(.key(.up), at: ms(25))
    #expect(panel.command(at: ms(25)) == Drive(heading: .ahead, speed: 153 / 255.0))
    for time in [200, 400, 600, 720] { panel.handleTilt(gravity: right30, at: ms(time)) }
    #expect(panel.command(at: ms(725)) == Drive(heading: heading(90), speed: 0.6))
    _ = panel.handle(.key(.character("-")), at: ms(730))
    panel.handleTilt(gravity: right30, at: ms(750))
    #expect(panel.command(at: ms(750)) == Drive(heading: heading(90), speed: 137 / 255.0))
  }

  @Test func theKeyZMakesTheAttitudeLevel() {
    var panel = panel()
    _ = panel.handle(.key(.character("z")), at: ms(10))
    panel.handleTilt(gravity: right30, at: ms(25))
    #expect(panel.command(at: ms(25)) == nil)
    panel.handleTilt(gravity: level, at: ms(50))
    #expect(panel.command(at: ms(50)) == Drive(heading: heading(270), speed: 0.6))
  }

  @Test func aLostBallRollsAgainOnlyAfterLevel() {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(25))
    _ = panel.command(at: ms(25))
    panel.loseLink()
    panel.handleTilt(gravity: level, at: ms(50))
    panel.handleTilt(gravity: right30, at: ms(75))
    #expect(panel.command(at: ms(75)) == nil)
    panel.regainLink()
    panel.handleTilt(gravity: right30, at: ms(100))
    #expect(panel.command(at: ms(100)) == nil, "it was not level since the link is back")
    panel.handleTilt(gravity: level, at: ms(125))
    panel.handleTilt(gravity: right30, at: ms(150))
    #expect(panel.command(at: ms(150)) == Drive(heading: heading(90), speed: 0.6))
  }

  @Test func withoutAControllerNothingChanges() {
    var panel = DrivePanel()
    panel.resize(width: 80, height: 24)
    panel.handleTilt(gravity: level, at: ms(0))
    panel.handleTilt(gravity: right30, at: ms(25))
    #expect(panel.command(at: ms(25)) == nil && !panel.draw(at: ms(25)).text(row: 22).contains("tilt"))
  }
}

/// At 80 by 24 the area has 160 by 80 dots, so the screen of the game is 960 by 480 points.
@Suite struct BalancePanelTests {
  private func panel(_ edge: BallBalance.Edge = .reset) -> BalancePanel {
    var panel = BalancePanel(edge: edge)
    panel.resize(width: 80, height: 24)
    panel.handleTilt(gravity: level, at: ms(0))
    return panel
  }

  /// 200 · 0.5 points per second squared for 0.5 s are 50 points per second, and 25 points of way.
  @Test func theBallRollsToTheLoweredSide() throws {
    var panel = panel()
    #expect(panel.game?.viewSize == Point(x: 960, y: 480))
    panel.handleTilt(gravity: right30, at: ms(500))
    let game = try #require(panel.game)
    #expect(abs(game.position.x - 505) < 1e-9 && game.position.y == 240)
    // Ahead is up the screen.
    panel.handleTilt(gravity: Vector3(0, 0.5, -0.8660254037844386), at: ms(1_000))
    let next = try #require(panel.game)
    #expect(abs(next.position.x - 530) < 1e-9 && abs(next.position.y - 215) < 1e-9)
  }

  /// The ball has its centre at 530, 290 points, which is the dot 88, 48: the cell 44, 14.
  @Test func theBallIsDrawn() {
    let canvas = panel().draw(at: ms(0))
    #expect(canvas[44, 14].character == "⣿")
    // Its radius of 50 points is 8 dots: four columns, two rows.
    #expect(canvas[44, 11].character == " " && canvas[44, 17].character == " ")
    #expect(canvas[39, 14].character == " " && canvas[49, 14].character == " ")
    #expect(canvas.text(row: 0) == "sphero balance  live  without walls")
    #expect(canvas.text(row: 22) == "0.0 s on the screen  best 0.0 s  left 0 times")
    let walls = panel(.wall).draw(at: ms(0))
    #expect(walls[0, 2].character == "⡏" && walls[79, 21].character == "⣸")
    #expect(walls.text(row: 0) == "sphero balance  live  with walls")
  }

  @Test func timesOnTheScreenAreCounted() {
    var panel = panel()
    for step in 1...50 { panel.handleTilt(gravity: level, at: ms(step * 100)) }
    #expect(panel.draw(at: ms(5_000)).text(row: 22) == "5.0 s on the screen  best 5.0 s  left 0 times")
    // 200 points per second squared: 430 points to the edge take about 2.1 s.
    for step in 51...75 { panel.handleTilt(gravity: Vector3(1, 0, 0), at: ms(step * 100)) }
    let status = panel.draw(at: ms(7_500)).text(row: 22)
    #expect(status.hasSuffix("left 1 time") && status.contains("best 7."), "\(status)")
  }

  /// Walls hold the ball on the screen for any time.
  @Test func timesWithWallsAreNotCounted() {
    var panel = panel(.wall)
    for step in 1...50 { panel.handleTilt(gravity: level, at: ms(step * 100)) }
    _ = panel.handle(.key(.character("w")), at: ms(5_000))
    for step in 50...60 { panel.handleTilt(gravity: level, at: ms(step * 100)) }
    #expect(panel.draw(at: ms(6_000)).text(row: 22) == "1.0 s on the screen  best 1.0 s  left 0 times")
  }

  @Test func keysBeginANewGame() throws {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(500))
    _ = panel.handle(.key(.character(" ")), at: ms(500))
    #expect(panel.game?.position == Point(x: 480, y: 240))
    _ = panel.handle(.key(.character("w")), at: ms(500))
    #expect(panel.game?.edge == .wall)
    // The attitude becomes level.
    _ = panel.handle(.key(.character("z")), at: ms(500))
    for time in [600, 700] { panel.handleTilt(gravity: right30, at: ms(time)) }
    #expect(panel.game.map { abs($0.velocity.x) + abs($0.velocity.y) < 1e-9 } == true)
    #expect(panel.handle(.key(.character("q")), at: ms(0)) == .cancelled)
    #expect(panel.handle(.key(.escape), at: ms(0)) == .cancelled)
  }

  @Test func aLostLinkIsShownAndTheBallWaits() {
    var panel = panel()
    panel.handleTilt(gravity: right30, at: ms(500))
    let before = panel.game?.position
    panel.interruptTilt()
    #expect(panel.draw(at: ms(600)).text(row: 0).hasPrefix("sphero balance  link lost, reconnecting"))
    panel.handleTilt(gravity: right30, at: ms(5_000))
    #expect(panel.game?.position == before && panel.link == .live)
    panel.endTilt()
    #expect(panel.draw(at: ms(5_000)).text(row: 0).hasPrefix("sphero balance  no samples"))
  }

  /// The ball waits while no readings arrive, and the time on the screen begins again.
  @Test func silenceIsShownAndDoesNotCount() {
    var panel = panel()
    for step in 1...10 { panel.handleTilt(gravity: level, at: ms(step * 100)) }
    #expect(panel.draw(at: ms(2_000)).text(row: 0).hasPrefix("sphero balance  live"))
    #expect(panel.draw(at: ms(2_001)).text(row: 0).hasPrefix("sphero balance  no samples"))
    for step in 90...100 { panel.handleTilt(gravity: level, at: ms(step * 100)) }
    let canvas = panel.draw(at: ms(10_000))
    #expect(canvas.text(row: 22) == "1.0 s on the screen  best 1.0 s  left 0 times")
    #expect(canvas.text(row: 0).hasPrefix("sphero balance  live"))
  }

  /// A new game needs no reading, so it does not end the silence.
  @Test func aNewGameDuringASilenceShowsTheSilence() {
    var panel = panel()
    panel.handleTilt(gravity: level, at: ms(0))
    _ = panel.handle(.key(.character(" ")), at: ms(5_000))
    #expect(panel.draw(at: ms(60_000)).text(row: 0).hasPrefix("sphero balance  no samples"))
  }

  @Test func aVerticalForwardAxisIsReported() {
    var panel = BalancePanel()
    panel.resize(width: 80, height: 24)
    #expect(panel.draw(at: ms(0)).text(row: 1) == "Waiting for the first reading.")
    panel.handleTilt(gravity: Vector3(0, -1, 0), at: ms(0))
    #expect(panel.draw(at: ms(0)).text(row: 1) == "Turn its tail light to you.")
    panel.handleTilt(gravity: level, at: ms(25))
    #expect(panel.draw(at: ms(0)).text(row: 1).hasPrefix("Tilt the ball in your hand"))
  }
}
