// The simulated robot of the page, which respects the timing of its output.

import SpheroControls
import SpheroModel
import SpheroProtocol

/// A simulated robot at the other end of the page's line.
package struct SimulatedRobot: Sendable {
  private var robot: RobotModel
  private var pieces: [OutputPiece] = []
  private var lastWrite = Duration.zero

  private static let floor = Floor.room

  /// Makes a robot in `Floor.room`.
  package init(at now: Duration) {
    robot = RobotModel(on: Self.floor, at: now)
    robot.connect(at: now)
  }

  /// Handles bytes from the page; an empty array only advances time.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    if bytes.isEmpty { robot.tick(at: now) } else { robot.receive(bytes, at: now) }
    pieces += robot.takeOutput()
  }

  /// Removes and returns the next bytes to send; nil if none are due.
  package mutating func takeOutput(at now: Duration) -> [UInt8]? {
    robot.tick(at: now)
    pieces += robot.takeOutput()
    guard let due = pieceTime, due <= now else { return nil }
    // The time of the write, not that of a late call: otherwise a slow page would delay the following pieces, too.
    lastWrite = due
    return pieces.removeFirst().bytes
  }

  /// The colour that the robot shows.
  var color: RGB {
    let lights = robot.lights
    return RGB(red: lights.red, green: lights.green, blue: lights.blue)
  }

  /// When the robot must be called; nil if it only awaits bytes.
  package var nextDeadline: Duration? { [robot.nextDeadline, pieceTime].compactMap { $0 }.min() }

  /// The walls of the room: the ends of each, `[x1,y1,x2,y2]` in centimetres on the axes of the locator.
  var walls: FieldValue {
    let walls = Self.floor.walls.map { wall in
      let (start, end) = (robot.locatorPosition(of: wall.start), robot.locatorPosition(of: wall.end))
      return FieldValue.list([start.x, start.y, end.x, end.y].map { .decimal($0, digits: 1) })
    }
    return .list(walls)
  }

  private var pieceTime: Duration? { pieces.first.map { max($0.notBefore, lastWrite + $0.gap) } }
}
