// Example 5 of Docs/FirstProgram.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroProtocol
import SpheroSession
import SpheroTransport

func turnRed(_ robot: Robot) async throws -> String {
  do {
    try await robot.setColor(.red)
    return "red"
  } catch LinkError.lost(let port) {
    return "\(port) is gone"
  } catch LinkError.closed {
    return "the line has ended"
  } catch SessionError.refused(_, let status) {
    return "no: \(status.name)"
  } catch SessionError.timedOut {
    return "no answer in time"
  }
}
