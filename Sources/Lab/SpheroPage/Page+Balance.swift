// The commands and the view of the balance game.

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
      guard let player else { throw PageError("the size of the game is followed by robot or phone") }
      try startGame(BalanceGame(size: size, player: player, edge: edge))
    case "tilt":
      let (gravity, edge) = try words.orientation()
      measurements.game?.handlePhone(gravity: gravity, farEdge: edge, at: now / .seconds(1))
    case "end": try words.end { endGame() }
    default: throw PageError("'balance' is followed by start, tilt or end")
    }
  }

  private mutating func startGame(_ game: BalanceGame?) throws(PageError) {
    let isRobot = game?.player == .robot
    guard !isRobot || connection.isOpen else {
      throw PageError("there is no robot that could be tilted: connect one, or use a phone")
    }
    guard !isRobot || stream.request != nil else {
      throw PageError("the sensors are off: choose a rate first")
    }
    if !isRobot { endGame() }
    endGuidance(reporting: "replaced by the balance game")
    endProgram(reporting: "replaced by the balance game")
    release()
    changeMeasurements { $0.game = game }
    guard isRobot else { return }
    // A stabilized robot levels its inside, which the hand tilts.
    if !measurements.mustStabilize { send(Motion.SetStabilization(mode: .off), .setting) }
    measurements.mustStabilize = true
  }

  /// Ends the game, and lets the robot stabilize itself again.
  mutating func endGame() {
    changeMeasurements { $0.game = nil }
    // After a lost link, the reconnection calls this again.
    guard measurements.mustStabilize, connection.isOpen else { return }
    measurements.mustStabilize = false
    send(Motion.SetStabilization(mode: .onWithoutReset), .setting)
  }

  /// Ends a game with the robot, which cannot be driven meanwhile.
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
