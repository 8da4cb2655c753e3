// Example 2 of Docs/Simulator.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroModel
import SpheroProtocol
import Testing

@Test func theModelLightsUp() throws {
  var (robot, now) = (RobotModel(), Duration.zero)
  robot.connect(at: now)
  let red = Packet.command(try Lights.SetRGBLED(red: 255, green: 0, blue: 0).packet(sequence: 1))
  robot.receive(try red.encoded(), at: now)
  while let deadline = robot.nextDeadline, deadline < .seconds(1) {
    now = deadline
    robot.tick(at: now)
  }
  #expect(robot.lights.red == 255 && robot.lights.green == 0)
  var decoder = PacketDecoder(from: .robot)
  decoder.append(robot.takeOutput().flatMap(\.bytes))
  guard case .response(let response) = decoder.next() else {
    Issue.record("no response")
    return
  }
  #expect(response.sequence == 1 && response.status == .ok)
}
