// Example 6 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroSession
import SpheroTransport

/// Whether the ball hits something within a time.
func hits(_ robot: Robot, within time: Duration) async throws -> Bool {
  try await withThrowingTaskGroup(of: Bool.self) { group in
    group.addTask {
      try await rollUntilImpact(robot)
      return true
    }
    group.addTask {
      try await robot.time.sleep(for: time)
      return false
    }
    let hit = try await group.next() ?? false
    group.cancelAll()
    // The heading and speed of `drive` last until the next command.
    if !hit { try await robot.stop() }
    return hit
  }
}
