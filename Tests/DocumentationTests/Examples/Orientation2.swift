// Example 2 of Docs/Orientation.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

func printAttitudes(_ robot: Robot) async throws {
  for try await timed in try await robot.samples([.quat, .accel], hertz: 50).prefix(50) {
    guard let attitude = timed.sample.rotation(), let force = timed.sample.specificForce() else { continue }
    let angles = Convention.coreMotion.pitchRollYaw(of: attitude)
    print(angles.pitch.degrees, angles.roll.degrees, angles.yaw.degrees)
    print(Convention.coreMotion.accelerometer(ofSpecificForce: force))  // in g, as a CMAccelerometerData
  }
}
