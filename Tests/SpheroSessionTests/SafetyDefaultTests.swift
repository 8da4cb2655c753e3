// The defaults that keep a ball from moving by accident, each with the value that the documents give, written by hand.

import SpheroControls
import SpheroHost
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct SafetyDefaultTests {
  /// A robot without a host stops: at the end of the link, by its motion timeout, and by the shutdown of the program.
  @Test func theHostsDefaults() {
    let settings = HostSettings()
    #expect(settings.timeout == .seconds(1))
    #expect(settings.attempts == 3)
    #expect(settings.connectTimeout == .seconds(15))
    #expect(settings.shutdownTimeout == .seconds(1))
    #expect(!settings.sleepsAtShutdown)
    #expect(settings.maximumInFlight == 4)
    #expect(settings.maximumWaiting == 256)
    #expect(settings.commandsPerSecond == 12)
    #expect(settings.burst == 12)
    #expect(settings.keepAlive == .seconds(60))
    #expect(settings.stopsOnDisconnect)
    #expect(settings.motionTimeout == .seconds(2))
    #expect(settings.stopsStrayStreams)
    #expect(settings.firstSequence == 0, "0 is a random one")
    #expect(Robot.Settings() == settings, "a session has no others")
  }

  @Test func theSessionsDefaults() {
    let reopening = Reconnection { throw LinkError.closed }
    #expect(reopening.initialDelay == .milliseconds(250))
    #expect(reopening.maximumDelay == .seconds(4))
    #expect(reopening.limit == .seconds(60))
  }

  @Test func theRobotsDefaults() {
    let configuration = RobotModel.Configuration()
    #expect(configuration.permanentOptions == [.vectorDrive, .motionTimeouts])
    #expect(configuration.permanentOptions.rawValue == 0x12, "as recorded")
  }

  /// A stream ends after its program: 200 packets at 20 Hz last ten seconds.
  @Test func theStreamsDefaults() {
    let request = StreamRequest(mask: .imu)
    #expect(request.divisor == 20 && request.frames == 1 && request.packets == 200)
  }

  /// The program hangs after one roll: the robot's motion timeout, 2 s, stops the ball.
  @Test func aBallWhoseHostFallsSilentStopsAfterTwoSeconds() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      try await robot.roll(.ahead, speed: 0.5)
      let sent = game.time.now
      try await game.time.sleep(until: sent + .milliseconds(1_900))
      let before = await game.robot.speed
      #expect(before > 0.8, "it rolls at half of 2 m/s: \(before)")
      try await game.time.sleep(until: sent + .milliseconds(2_600))
      let after = await game.robot.speed
      #expect(after < before / 2, "it brakes: \(after)")
      try await game.time.sleep(until: sent + .seconds(4))
      #expect(await game.robot.speed < 0.01)
    }
    #expect(
      try await game.tap.commands.filter { $0.id == Motion.SetMotionTimeout.id }.map {
        try Motion.SetMotionTimeout(request: $0.payload).time
      } == [2_000])
  }

  /// A drive is repeated each second; bytes of the host are lost from 3 s on, and the line stays open.
  @Test func aBallWhoseLineFallsSilentStopsTwoSecondsAfterTheLastRoll() async throws {
    let game = Game()
    let wrap: @Sendable (any Transport) -> any Transport = { line in
      let start = game.time.now + .seconds(3)
      return SilencedTransport(line: line, time: game.time, silence: start..<start + .seconds(60), .writes)
    }
    try await game.play(settings: Robot.Settings(), wrap: wrap) { robot in
      let begun = game.time.now
      try await robot.drive(.ahead, speed: 0.5)
      try await game.time.sleep(until: begun + .milliseconds(3_900))
      #expect(await game.robot.speed > 0.8, "its last command rolls until 3 s")
      try await game.time.sleep(until: begun + .seconds(7))
      #expect(await game.robot.speed < 0.01)
    }
  }
}
