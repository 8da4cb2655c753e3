// The balance game of the page: tilting the robot or the phone rolls a ball.

import SpheroControls
import SpheroOrientation
import SpheroProtocol

extension Page {
  mutating func balance(_ words: inout CommandParser) throws(PageError) {
    switch try words.next(of: ["start", "tilt", "end"]) {
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
    default: try words.end { endGame() }
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
    restoreStabilization()
  }

  /// Switches the stabilization on again if a game has switched it off; without a link, the reconnection does so.
  mutating func restoreStabilization() {
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
    return [
      "player": .text(game.player.rawValue), "size": .point(game.ball.viewSize, digits: 1),
      "ball": .decimal(game.ball.ballSize.x, digits: 1),
      "position": .point(game.ball.position, digits: 1), "is_unusable": .flag(game.isUnusable),
    ]
  }
}

/// A game of `BallBalance`, and the device that tilts it.
struct BalanceGame: Sendable {
  enum Player: String, Sendable {
    case robot, phone
  }

  let player: Player
  private(set) var ball: BallBalance
  /// The axes in which the first usable reading of a robot is level; nil before it, and for a phone.
  private var frame: LevelFrame?
  /// Whether the latest reading had no forward direction, so that the level could not be set.
  private(set) var isUnusable = false

  /// Creates a game on a screen of a size in points, with a ball a sixth as large as the smaller side.
  init?(size: Point, player: Player, edge: BallBalance.Edge = .wall) {
    let diameter = min(size.x, size.y) / 6
    guard var ball = BallBalance(viewSize: size, ballSize: Point(x: diameter, y: diameter)) else {
      return nil
    }
    ball.edge = edge
    (self.ball, self.player) = (ball, player)
  }

  /// Handles gravity on the axes of a robot (right, ahead, up) in g, and the time in seconds; the first reading is level.
  mutating func handleRobot(gravity: Vector3, at seconds: Double) {
    guard player == .robot else { return }
    guard let frame = frame ?? LevelFrame(level: gravity) else {
      isUnusable = true
      return
    }
    (self.frame, isUnusable) = (frame, false)
    let level = frame.components(of: gravity)
    ball.update(accelerationX: level.x, accelerationY: level.y, timestamp: seconds)
  }

  /// Handles gravity on the axes of a phone; ``CommandParser/orientation()`` describes them.
  mutating func handlePhone(gravity: Vector3, farEdge: TiltDrive.Edge, at seconds: Double) {
    guard player == .phone else { return }
    // To the far and the right edge of the screen, which turns with the device.
    let (far, right) = farEdge.components(ofX: gravity.x, y: gravity.y)
    ball.update(accelerationX: right, accelerationY: far, timestamp: seconds)
  }
}
