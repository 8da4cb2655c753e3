// Tests of macros that wait until the robot has stopped.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct StopWaitTests {
  /// The time of the marker after a motion and a wait for the stop of at most 60 s, and the heading at that time.
  private func stop(_ motion: [UInt8]) throws -> (time: Duration, heading: Double) {
    // Without motion timeouts.
    var talk = Talk { $0.permanentOptions = .vectorDrive }
    _ = talk.send(0x02, 0x51, [255, 0] + motion + [0x19, 0xEA, 0x60, 0x15, 1, 0])
    var pieces = talk.send(0x02, 0x50, [255])
    while events(pieces, 0x06).isEmpty, talk.now < .seconds(70) { pieces = talk.wait(.milliseconds(10)) }
    try #require(events(pieces, 0x06).count == 1)
    return (talk.now, talk.robot.locatorPosition.heading)
  }

  @Test func aTurnOnTheSpotIsWaitedFor() throws {
    // Roll with speed 0 at 90 degrees, without a delay: at 1000 degrees/s at most.
    let (time, heading) = try stop([0x05, 0, 0, 90, 0])
    #expect(time >= .milliseconds(90) && time < .seconds(2), "\(time)")
    #expect(abs(heading - 90) < 5, "\(heading)")
  }

  @Test func aSlowRotationIsWaitedFor() throws {
    // 90 degrees in 20 s.
    let (time, heading) = try stop([0x1A, 0, 90, 0x4E, 0x20])
    #expect(time >= .seconds(20) && time < .seconds(21), "\(time)")
    #expect(abs(heading - 90) < 1, "\(heading)")
  }

  @Test func aRobotAtRestIsNotWaitedFor() throws {
    #expect(try stop([]).time <= .milliseconds(20))
  }
}
