// The balance game of the page: tilting the robot or the phone rolls a ball.

import SpheroControls
import SpheroOrientation

/// A game of `BallBalance`, and the device that tilts it.
struct BalanceGame: Sendable {
  /// The device that tilts the screen of the game.
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
    // To the right and up on the screen, which turns with the device.
    let (right, up): (Double, Double) =
      switch farEdge {
      case .top: (gravity.x, gravity.y)
      case .right: (-gravity.y, gravity.x)
      case .bottom: (-gravity.x, -gravity.y)
      case .left: (gravity.y, -gravity.x)
      }
    ball.update(accelerationX: right, accelerationY: up, timestamp: seconds)
  }
}
