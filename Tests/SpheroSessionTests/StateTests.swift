// The verbs of a connected robot send the bytes of the documents; values have their units.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct StateTests {
  /// DID, CID and data of each command, typed from API 1.50.
  @Test func verbsSendTheBytesOfTheDocument() async throws {
    let game = Game()
    let (version, battery) = try await game.play { robot in
      try await robot.setColor(.orange)
      try await robot.setColor(.off, isKept: true)
      try await robot.setBackLED(brightness: 1)
      try await robot.setHeading(.right)
      try await robot.setHeading(-90)
      try await robot.setStabilization(false)
      try await robot.setStabilization(true)
      return (try await robot.version(), try await robot.battery())
    }
    let sent = await game.tap.commands.map { [$0.id.device, $0.id.command] + $0.payload }
    let expected: [[UInt8]] = [
      [0x02, 0x20, 255, 165, 0, 0], [0x02, 0x20, 0, 0, 0, 1], [0x02, 0x21, 255],
      [0x02, 0x01, 0, 90], [0x02, 0x01, 1, 14], [0x02, 0x02, 0], [0x02, 0x02, 1], [0x00, 0x02], [0x00, 0x20],
    ]
    // The session switches the stabilization on again before it leaves.
    #expect(Array(sent.prefix(expected.count)) == expected)
    #expect(version.model == .s3 && version.mainAppVersion == 3)
    #expect(battery.state == .ok && battery.voltage == Double(battery.centivolts) / 100)
    #expect((6.4...8.4).contains(battery.voltage))
  }

  @Test(
    arguments: [
      (nil, [0, 0]), (Duration.seconds(60), [0, 60]), (.milliseconds(100), [0, 1]), (.seconds(-5), [0, 1]),
      (.seconds(300), [0x01, 0x2C]), (.seconds(100_000), [0xFF, 0xFE]),
    ] as [(Duration?, [UInt8])])
  func sleepEndsAfterItsDelay(delay: Duration?, seconds: [UInt8]) async throws {
    let game = Game()
    try await game.play { try await $0.sleep(wakeAfter: delay) }
    let sleep = try #require(await game.tap.commands.first { $0.id == CommandID(0x00, 0x22) })
    #expect(sleep.payload == seconds + [0, 0, 0])
    #expect(await game.robot.isAsleep)
  }

  /// A line that the robot ends as soon as a command arrives.
  private struct SleepingLine: Transport {
    let line: any Transport
    /// DID and CID.
    var command: [UInt8] = [0x00, 0x22]

    func read() async throws -> [UInt8]? {
      guard let bytes = try await line.read() else { throw LinkError.lost("line") }
      return bytes
    }
    func write(_ bytes: [UInt8]) async throws {
      try await line.write(bytes)
      if bytes.count > 3, bytes[2...3] == command[...] { await line.close() }
    }
    func close() async { await line.close() }
  }

  /// The response to a Sleep may be lost with the line; other commands fail in that case.
  @Test func aLineThatEndsAfterSleepIsNoError() async throws {
    @Sendable func sleepingLine(_ line: any Transport) -> any Transport { SleepingLine(line: line) }
    try await Game().play(wrap: sleepingLine) { try await $0.sleep() }
    await #expect(throws: LinkError.lost("line")) {
      try await Game().play(wrap: sleepingLine) { robot in
        async let sleep: Void = robot.sleep()
        async let pings: Void = {
          while true { try await robot.ping() }
        }()
        try await sleep
        try await pings
      }
    }
  }

  /// Other commands that were sent do not prove that the robot sleeps.
  @Test func aLineThatEndsBeforeSleepWasSentIsAnError() async throws {
    var settings = Game.plain
    (settings.commandsPerSecond, settings.burst) = (1, 1)
    let game = Game()
    @Sendable func endsAtStop(_ line: any Transport) -> any Transport {
      SleepingLine(line: line, command: [0x02, 0x30])
    }
    await #expect(throws: LinkError.lost("line")) {
      try await game.play(settings: settings, wrap: endsAtStop) { robot in
        try await robot.setBackLED(brightness: 1)
        async let sleep: Void = robot.sleep()
        try await game.time.sleep(for: .milliseconds(1))
        // A stop does not wait for the rate limit, as the Sleep does.
        async let stop: Void? = try? robot.stop()
        try await sleep
        _ = await stop
      }
    }
    #expect(await game.tap.commands.allSatisfy { $0.id != Core.Sleep.id })
  }

  @Test func streamsHaveARateInHertz() async throws {
    let game = Game()
    try await game.play { robot in
      for try await sample in try await robot.samples([.quaternion, .accelerometer, .gyroscope], hertz: 100) {
        #expect(sample[.q0] == 1 && sample[.q0] == sample.sample[.q0] && sample[.yaw] == nil)
        break
      }
      for try await motion in try await robot.motion(hertz: 50) {
        #expect(abs(motion.gravity.z + 1) < 0.01)
        break
      }
    }
    let requests = await game.tap.commands.filter { $0.id == CommandID(0x02, 0x11) && $0.payload.count == 13 }
    // The divisor of 400 Hz is the first two bytes.
    #expect(requests.contains { $0.payload[..<2] == [0, 4] })
    #expect(requests.contains { $0.payload[..<2] == [0, 8] })
  }

  @Test func programsRunWithoutAReceiver() async throws {
    let game = Game()
    try await game.play { robot in
      try await robot.run(Macro { Macro.RGB(red: 1, green: 2, blue: 3) })
    }
    // The steps end with a 0; the macro has the ID FFh, and the flags of the marker at its end and of the stop on disconnect.
    let sent = await game.tap.commands.map { [$0.id.device, $0.id.command] + $0.payload }
    #expect(sent.contains([0x02, 0x51, 0xFF, 0x14, 0x07, 1, 2, 3, 0, 0]))
    #expect(sent.contains([0x02, 0x50, 0xFF]))
  }
}
