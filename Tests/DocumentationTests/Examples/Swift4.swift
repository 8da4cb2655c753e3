// Example 4 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroOrientation
import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroTransport

func driveASquare() async throws {
  let line = try await Port(parsing: "sim:").open()
  try await Robot.withRobot(on: line) { robot in
    try await robot.setColor(.green)
    for corner in [
      Position(x: 0, y: 50), Position(x: 50, y: 0), Position(x: 0, y: -50), Position(x: -50, y: 0),
    ] {
      try await robot.go(to: corner)  // centimetres, relative to the ball
    }
    try await robot.turn(to: .ahead)
  }
}
