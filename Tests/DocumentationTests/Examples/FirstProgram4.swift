// Example 4 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession

func rollUntilImpact(_ robot: Robot) async throws {
  let impacts = try await robot.collisions()
  try await robot.drive(.ahead, speed: 0.4)
  for try await impact in impacts.prefix(1) {
    try await robot.stop()
    print("impact at \(impact.speed) of 255")
  }
}
