// The command `balance`, and the view of the game.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension Page {
  mutating func balance(_ words: inout CommandParser) throws(PageError) {
    switch try words.next("start, tilt or end") {
    case "start":
      let size = Point(x: try words.number(in: 50...4_000), y: try words.number(in: 50...4_000))
      let player = BalanceGame.Player(rawValue: try words.next("robot or phone"))
      let edge: BallBalance.Edge = words.skip("open") ? .reset : .wall
      try words.end {}
      guard let game = player.flatMap({ BalanceGame(size: size, player: $0, edge: edge) }) else {
        throw PageError("the size of the game is followed by robot or phone")
      }
      try startGame(game)
    case "tilt":
      let (gravity, edge) = try words.orientation()
      measurements.game?.handlePhone(gravity: gravity, farEdge: edge, at: now / .seconds(1))
    case "end": try words.end { endGame() }
    default: throw PageError("'balance' is followed by start, tilt or end")
    }
  }

  private mutating func startGame(_ game: BalanceGame) throws(PageError) {
    if game.player == .robot {
      guard connection.isOpen else {
        throw PageError("there is no robot that could be tilted: connect one, or use a phone")
      }
      guard stream.request != nil else { throw PageError("the sensors are off: choose a rate first") }
    } else {
      // A former game with the robot may have switched its stabilization off.
      endGame()
    }
    endGuidance(reporting: "replaced by the balance game")
    endProgram(reporting: "replaced by the balance game")
    release()
    changeMeasurements { $0.game = game }
    guard game.player == .robot, !measurements.hasDisabledStabilization else { return }
    // With stabilization, the sensors inside the robot stay level while the player tilts the shell.
    send(Motion.SetStabilization(mode: .off), .setting)
    measurements.hasDisabledStabilization = true
  }

  /// Ends the game, and switches the stabilization on again if the game has switched it off.
  mutating func endGame() {
    changeMeasurements { $0.game = nil }
    // Without a link, this function is called again after the reconnection.
    guard measurements.hasDisabledStabilization, connection.isOpen else { return }
    measurements.hasDisabledStabilization = false
    send(Motion.SetStabilization(mode: .onWithoutReset), .setting)
  }

  /// Ends a game with the robot before the robot is driven; a game with the phone continues.
  mutating func endRobotGame() {
    if measurements.game?.player == .robot { endGame() }
  }

  var gameView: FieldValue {
    guard let game = measurements.game else { return .missing }
    func pair(_ point: Point) -> FieldValue {
      .list([.decimal(point.x, digits: 1), .decimal(point.y, digits: 1)])
    }
    return .record([
      Field("player", .text(game.player.rawValue)), Field("size", pair(game.ball.viewSize)),
      Field("ball", .decimal(game.ball.ballSize.x, digits: 1)),
      Field("position", pair(game.ball.position)), Field("is_unusable", .flag(game.isUnusable)),
    ])
  }
}
