// Example 3 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession

/// The highest speed of a roll of one second, in mm/s.
func highestSpeed(_ robot: Robot) async throws -> Double {
  let samples = try await robot.samples([.velocity], hertz: 20)
  async let roll: Void = robot.roll(.ahead, speed: 0.3, for: .seconds(1))
  var highest = 0.0
  for try await sample in samples.prefix(30) {
    if let speed = sample[.velocityY] { highest = max(highest, speed) }
  }
  try await roll
  return highest
}
