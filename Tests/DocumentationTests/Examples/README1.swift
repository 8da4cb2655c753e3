// Example 1 of README.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroTransport

func turnRedAndWatch(_ port: String) async throws {
  try await Robot.withRobot(on: Port(parsing: port).open()) { robot in
    try await robot.setColor(.red)
    for try await sample in try await robot.samples([.imu, .accelerometer], hertz: 20).prefix(100) {
      print(sample.time, sample[.yaw] ?? 0, sample[.accelZ] ?? 0)
    }
  }
}
