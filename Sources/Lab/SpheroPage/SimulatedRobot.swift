// The simulated robot of the page: a robot model whose output leaves at its scheduled times.

import SpheroControls
import SpheroModel
import SpheroProtocol

package struct SimulatedRobot: Sendable {
  private var robot: RobotModel
  private var pieces: [OutputPiece] = []
  private var lastWriteTime = Duration.zero

  private static let floor = Floor.room

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
    guard let due = nextWriteTime, due <= now else { return nil }
    // The scheduled time, not `now`: otherwise a late call would also delay the following pieces.
    lastWriteTime = due
    return pieces.removeFirst().bytes
  }

  var color: RGB {
    let lights = robot.lights
    return RGB(red: lights.red, green: lights.green, blue: lights.blue)
  }

  /// The time of the next call of ``takeOutput(at:)``; nil if the robot only waits for bytes.
  package var nextDeadline: Duration? { [robot.nextDeadline, nextWriteTime].compactMap { $0 }.min() }

  /// The end points of each wall of the room, `[x1,y1,x2,y2]` in centimetres on the axes of the locator.
  var walls: FieldValue {
    let walls = Self.floor.walls.map { wall in
      let (start, end) = (robot.locatorPosition(of: wall.start), robot.locatorPosition(of: wall.end))
      return FieldValue.list([start.x, start.y, end.x, end.y].map { .decimal($0, digits: 1) })
    }
    return .list(walls)
  }

  private var nextWriteTime: Duration? { pieces.first.map { max($0.notBefore, lastWriteTime + $0.gap) } }
}
