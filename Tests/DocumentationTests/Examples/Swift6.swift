// Example 6 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroProtocol
import SpheroSession

/// Sends a command by its name with fields as text, such as `Lights.SetRGBLED` with `["red": "255"]`, and returns its status.
func send(_ name: String, _ fields: [String: String], to robot: Robot) async throws -> Status? {
  guard let type = Catalogue.commands.first(where: { $0.name == name }) else { return nil }
  return try await robot.exchange(type.id, payload: type.init(assigning: fields).payload()).status
}
