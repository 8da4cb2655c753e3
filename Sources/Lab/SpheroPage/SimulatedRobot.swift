// The simulated robot of the page, which respects the timing of its output.

import SpheroModel

/// A simulated robot at the other end of the page's line.
package struct SimulatedRobot: Sendable {
  private var robot: RobotModel
  private var pieces: [OutputPiece] = []
  private var lastWrite = Duration.zero

  /// Makes a robot in a room of 4 by 4 m.
  package init(at now: Duration) {
    robot = RobotModel(on: Floor(width: 4, depth: 4), at: now)
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
    lastWrite = now
    return pieces.removeFirst().bytes
  }

  /// When the robot must be called; nil if it only awaits bytes.
  package var nextDeadline: Duration? { [robot.nextDeadline, pieceTime].compactMap { $0 }.min() }

  private var pieceTime: Duration? { pieces.first.map { max($0.notBefore, lastWrite + $0.gap) } }
}
