// Tests of small parts of the model at their exact bounds, calculated by hand.

import SpheroProtocol
import Testing

@testable import SpheroModel

@Suite struct WitnessModelTests {
  /// 145 counts are 1 g. At half of full speed the threshold is 100 and half of 100: 1.0 g is below it, 1.2 g above.
  @Test(arguments: [(1.0, false), (1.2, true)]) func aThresholdGrowsWithTheSpeed(g: Double, isFelt: Bool) {
    var detector = CollisionDetector()
    var command = Sensing.ConfigureCollisionDetection(method: .on)
    (command.xThreshold, command.xSpeed, command.yThreshold) = (100, 100, 0)
    detector.settings = command
    let event = detector.detect(right: g, ahead: 0, within: -8...8, speed: 0.5, at: .seconds(1), clock: 0)
    #expect((event != nil) == isFelt)
  }

  @Test func aStoppedBallHasNoMotionTimeout() {
    var drive = DriveState()
    drive.roll(80, 90, .drive, at: .seconds(1))
    #expect(drive.commanded == .seconds(1))
    drive.stop()
    #expect(drive.commanded == nil)
  }

  @Test func onlySwitchingStabilizationOffEndsTheMotionTimeout() {
    for (mode, commanded) in [(Motion.SetStabilization.Mode.on, Duration?.some(.seconds(1))), (.off, nil)] {
      var drive = DriveState()
      drive.roll(80, 90, .drive, at: .seconds(1))
      drive.setStabilization(mode, presentHeading: 0)
      #expect(drive.commanded == commanded)
    }
  }

  /// A frame every 20 steps after the request, and none at the request.
  @Test func theFirstFrameComesAPeriodAfterTheRequest() throws {
    let request = Sensing.SetDataStreaming(divisor: 20, frames: 1, mask: .imu, packetCount: 0)
    let stream = try #require(SensorStream(request, of: .all, at: 100))
    #expect((90...160).filter { stream.isDue(at: Int64($0)) } == [120, 140, 160])
  }

  /// With a client the user's colour shows, without one the light is off.
  @Test func theUsersColourShowsWhileAClientIsThere() {
    var board = LEDState()
    board.user = Color(red: 1, green: 2, blue: 3)
    #expect(board.visible(isConnected: false) == Color())
    #expect(board.visible(isConnected: true) == Color(red: 1, green: 2, blue: 3))
  }
}
