// An example of the README, to the letter.

import SpheroControls
import SpheroProtocol
import SpheroSerial
import SpheroSession

func turnRedAndWatch(_ path: String) async throws {
  try await Robot.withRobot(on: SerialDevice.open(path)) { robot in
    try await robot.setColor(.red)
    for try await sample in try await robot.samples([.imu, .accelerometer], hertz: 20).prefix(100) {
      print(sample.time, sample[.yaw] ?? 0, sample[.accelZ] ?? 0)
    }
  }
}
