// Example 1 of Docs/Aiming.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroOrientation
import SpheroSession

func turnAimRight(_ robot: Robot) async throws {
  try await robot.aim(at: 90)
}
