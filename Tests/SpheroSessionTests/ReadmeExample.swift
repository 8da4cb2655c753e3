// An example of the README, to the letter.

import SpheroProtocol
import SpheroSerial
import SpheroSession

func turnRedAndWatch(_ path: String) async throws {
  try await Robot.withRobot(on: SerialDevice.open(path)) { robot in
    try await robot.send(Lights.SetRGBLED(red: 255, green: 0, blue: 0))
    for try await sample in try await robot.samples(StreamRequest(mask: [.imu, .accel])).prefix(100) {
      print(sample.time, sample.sample[.yaw] ?? 0, sample.sample[.accelZ] ?? 0)
    }
  }
}
