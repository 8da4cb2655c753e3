// Example 5 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroProtocol
import SpheroSession
import SpheroTransport

func describeFailure(of robot: Robot) async throws -> String {
  do {
    try await robot.setColor(.red)
    return "red"
  } catch LinkError.lost(let port) {
    return "\(port) is gone"
  } catch SessionError.refused(_, let status) {
    return "refused: \(status.name)"
  } catch SessionError.unconfirmed(let command) {
    return "whether the robot executed \(command) is unknown"
  }
}
