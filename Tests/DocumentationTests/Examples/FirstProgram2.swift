// Example 2 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroOrientation
import SpheroSession

func driveSquare(_ robot: Robot) async throws {
  for heading in [Heading.ahead, 90, 180, 270] {
    try await robot.setColor(heading == .ahead ? .green : .white)
    try await robot.roll(heading, speed: 0.3, for: .seconds(1))
  }
}
