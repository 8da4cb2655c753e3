// Example 1 of Docs/Porting.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroControls
import SpheroOrientation
import SpheroPort
import SpheroProtocol
import SpheroSession
import SpheroTransport

func everyPortedCall(on port: String) async throws {
  try await Robot.withRobot(on: Port(parsing: port).open()) { robot in
    try await robot.setColor(.red)
    try await robot.setColor(RGB(red: 255, green: 0, blue: 0))
    try await robot.setBackLED(brightness: 1)
    try await robot.roll(90, speed: 0.24, for: .seconds(1))
    try await robot.drive(90, speed: 0.24)
    try await robot.stop()
    _ = try await robot.turn(by: .degrees(90))
    _ = try await robot.turn(to: 90)
    try await robot.setHeading(0)
    for try await angles in try await robot.samples([.imu], hertz: 10).prefix(1) { print(angles[.yaw] ?? 0) }
    for try await speed in try await robot.samples([.velocity], hertz: 10).prefix(1) {
      print(speed[.velocityX] ?? 0)
    }
    for try await force in try await robot.samples([.accelerometer], hertz: 10).prefix(1) {
      print(force[.accelX] ?? 0)
    }
    for try await place in try await robot.samples([.locator, .velocity], hertz: 10).prefix(1) {
      print(place[.odometerX] ?? 0)
    }
    for try await everything in try await robot.samples([.all], hertz: 10).prefix(1) {
      print(everything.time)
    }
    for try await motion in try await robot.motion(hertz: 50).prefix(1) { print(motion.attitude) }
    _ = try await robot.collisions()
    try await robot.setStabilization(false)
    try await robot.setStabilization(true)
    print(
      try await robot.battery().voltage, try await robot.ping(), try await robot.send(Sensing.ReadLocator()).x
    )
    try await robot.sleep()
  }
}
