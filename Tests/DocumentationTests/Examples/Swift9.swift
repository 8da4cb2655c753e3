// Example 9 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroOrientation
import SpheroSession

func printMotion(of robot: Robot) async throws {
  let manager = try await MotionManager(robot)
  try await manager.startGyroUpdates(every: .milliseconds(100))
  for try await motion in try await manager.startDeviceMotionUpdates(every: .milliseconds(20)).prefix(50) {
    print(motion.value.attitude.yaw.degrees, motion.age)
  }
  if let gyro = manager.gyroData { print(gyro.value) }
  manager.stopGyroUpdates()
}
