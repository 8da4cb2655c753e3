// Example 5 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroTransport

/// Prints yaw until the task is cancelled, and reopens a lost line for up to a minute.
func printYaw(on port: String) async throws {
  let opener = PortOpener(try Port(parsing: port))  // keeps a simulated robot for the next line
  let reopening = Reconnection { try await opener.open() }
  try await Robot.withRobot(on: opener.open(), reopening: reopening) { robot in
    for try await sample in try await robot.samples([.imu], hertz: 20) { print(sample[.yaw] ?? .nan) }
  }
}
