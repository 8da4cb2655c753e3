// The robot that the page carries: the robot's half of the conversation, which writes no byte too early.

import SpheroModel

/// A robot in software at the other end of a line that the page carries.
package struct SimulatedRobot: Sendable {
  private var robot: RobotModel
  /// What is to be written, and from where on.
  private var pieces: [OutputPiece] = []
  private var lastWrite = Duration.zero

  /// Puts a robot into a room of 4 by 4 m.
  package init(at now: Duration) {
    robot = RobotModel(on: Floor(width: 4, depth: 4), at: now)
    robot.connect(at: now)
  }

  /// Takes bytes that came in; none let time pass.
  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    if bytes.isEmpty { robot.tick(at: now) } else { robot.receive(bytes, at: now) }
    pieces += robot.takeOutput()
  }

  /// Takes the next bytes to be sent; nil where there are none yet.
  package mutating func takeOutput(at now: Duration) -> [UInt8]? {
    robot.tick(at: now)
    pieces += robot.takeOutput()
    guard let due = pieceTime, due <= now else { return nil }
    lastWrite = now
    return pieces.removeFirst().bytes
  }

  /// When it has something to do by itself; nil where it waits for bytes alone.
  package var nextDeadline: Duration? {
    [robot.nextDeadline, pieceTime].compactMap { $0 }.min()
  }

  private var pieceTime: Duration? { pieces.first.map { max($0.notBefore, lastWrite + $0.gap) } }
}
