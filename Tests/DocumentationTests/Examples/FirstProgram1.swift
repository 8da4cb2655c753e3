// Example 1 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroPort
import SpheroSession
import SpheroTransport

func blink(on port: String) async throws {
  try await Robot.withRobot(on: Port(parsing: port).open()) { robot in
    for color in [RGB.red, .green, .blue] {
      try await robot.setColor(color)
      try await robot.time.sleep(for: .milliseconds(500))
    }
  }
}
