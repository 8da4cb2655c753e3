// Requests with their answers, refusals and timeouts.

import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct RequestTests {
  @Test func typedResponses() async throws {
    let game = Game()
    let (version, power, info, options) = try await game.play { robot in
      try await robot.send(Core.Ping())
      return (
        try await robot.send(Core.GetVersioning()), try await robot.send(Core.GetPowerState()),
        try await robot.send(Core.GetBluetoothInfo()), try await robot.send(Settings.GetPermanentOptions())
      )
    }
    #expect(version.model == .s3 && version.mainAppVersion == 3 && version.apiMajor == nil)
    #expect(power.state == .ok && power.voltage > 6)
    #expect("\(info.name)" == "Sphero-SIM")
    #expect(options.flags == [.vectorDrive, .motionTimeouts])
  }

  /// The round trips of pings do not include the wait for the rate limit.
  @Test func pingsMeasureTheRobotAndNotTheQueue() async throws {
    let game = Game()
    let (times, span) = try await game.play(faults: [Fault(.delay(.milliseconds(30)), of: .fromRobot)]) {
      robot in
      let start = game.time.now
      var times: [Duration] = []
      for _ in 0..<36 { times.append(try await robot.ping()) }
      return (times, game.time.now - start)
    }
    #expect(times.allSatisfy { abs(($0 - .milliseconds(30)) / .microseconds(1)) < 1 }, "\(times)")
    // 12 at once, then 12 per second.
    #expect(span >= .milliseconds(1_900))
  }

  @Test func bothVersionRecords() async throws {
    let version = try await Game { $0.hasLongVersionRecord = true }.play {
      try await $0.send(Core.GetVersioning())
    }
    #expect(version.recordVersion == 2 && version.apiMajor == 1 && version.apiMinor == 50)
  }

  @Test func lightsReachTheRobotUnchanged() async throws {
    let game = Game()
    try await game.play { robot in
      try await robot.send(Lights.SetRGBLED(red: 255, green: 0, blue: 7))
      try await robot.send(Lights.SetBackLED(brightness: 9))
    }
    let lights = await game.robot.lights
    #expect(lights == (255, 0, 7, 9))
    let commands = await game.tap.commands
    #expect(
      commands.map(\.id) == [Lights.SetRGBLED.id, Lights.SetBackLED.id], "nothing but what was asked for")
  }

  @Test(
    arguments: [
      (CommandID(0x01, 0x04), [], Status.unknownDevice), (CommandID(0x05, 0x01), [], .unknownDevice),
      (CommandID(0x02, 0xEE), [], .unknownCommand), (CommandID(0x00, 0x01), [0x80], .badMessageFormat),
      (CommandID(0x02, 0x30), [1, 0], .badMessageFormat),
      (CommandID(0x02, 0x30), [1, 0x01, 0x68, 1], .badParameter),
      (CommandID(0x02, 0x30), [1, 0, 0, 9], .badParameter), (CommandID(0x02, 0x02), [3], .badParameter),
      (CommandID(0x02, 0x11), [0, 0, 0, 1, 0, 7, 0, 0, 0], .badParameter), (CommandID(0x00, 0x01), [], .ok),
    ] as [(CommandID, [UInt8], Status)])
  func refusals(_ id: CommandID, _ payload: [UInt8], _ status: Status) async throws {
    let response = try await Game().play { try await $0.exchange(id, payload: payload) }
    #expect(response.status == status)
    #expect(response.payload.isEmpty)
  }

  @Test func valueOutOfRangeSendsNothing() async throws {
    let game = Game()
    await #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try await game.play { try await $0.send(Motion.SetHeading(heading: 360)) }
    }
    #expect(await game.tap.commands.isEmpty)
  }

  /// Some of the version requests; the handshake sends pings alone.
  private func lost(_ places: Range<Int>) -> Fault {
    Fault(.drop, of: .commands, to: Core.GetVersioning.id, at: places)
  }

  @Test func lostCommandIsRepeatedUnderANewNumber() async throws {
    let game = Game()
    _ = try await game.play(faults: [lost(0..<2)]) { try await $0.send(Core.GetVersioning()) }
    #expect(await game.tap.commands.map(\.sequence) == [1, 2, 3])
  }

  @Test func silenceTimesOut() async throws {
    let game = Game()
    let error = await #expect(throws: SessionError.self) {
      try await game.play(faults: [lost(0..<3)]) { try await $0.send(Core.GetVersioning()) }
    }
    #expect(
      error?.message
        == "the robot did not answer Core.GetVersioning in time; it was sent 3 times; "
        + "no byte arrived meanwhile, and the last intact packet, an answer, 3.00 s ago")
    #expect(game.time.now == .seconds(3))
  }

  @Test func aLateAnswerMatchesNoOtherRequest() async throws {
    // Every answer is 1.5 s late: it arrives after its timeout, while the next request is in flight.
    let game = Game { $0.latency = .milliseconds(1_500) }
    var settings = Game.plain
    settings.attempts = 1
    let stray = try await game.play(settings: settings) { robot in
      // The answers to the other pings of the handshake are ignored.
      try await game.time.sleep(for: .seconds(10))
      let before = await robot.statistics.strayAnswers
      let error = await #expect(throws: SessionError.self) { try await robot.send(Core.GetVersioning()) }
      #expect(error?.message.contains("Core.GetVersioning in time; it was sent once") == true)
      await #expect(throws: SessionError.self) { try await robot.send(Core.GetPowerState()) }
      try await game.time.sleep(for: .seconds(5))
      return await robot.statistics.strayAnswers - before
    }
    #expect(stray == 2)
  }

  @Test func numbersWrapAndSkipThoseInFlight() async throws {
    let game = Game()
    try await game.play { robot in for _ in 0..<600 { try await robot.send(Core.Ping()) } }
    let numbers = await game.tap.commands.map(\.sequence)
    let oneTo255 = (0..<600).map { (number: Int) -> UInt8 in UInt8(number % 255 + 1) }
    #expect(numbers == oneTo255)
  }

  @Test func aTimedOutNumberIsNotReused() async throws {
    let game = Game()
    var settings = Game.plain
    settings.attempts = 1
    try await game.play(faults: [lost(0..<1)], settings: settings) { robot in
      await #expect(throws: SessionError.self) { try await robot.send(Core.GetVersioning()) }
      for _ in 0..<300 { try await robot.send(Core.Ping()) }
    }
    #expect(await game.tap.commands.count { $0.sequence == 1 } == 1, "its late answer may still come")
  }

  @Test func concurrentRequestsReceiveTheirOwnAnswers() async throws {
    let game = Game { $0.latency = .milliseconds(2) }
    let headings = try await game.play { robot in
      try await withThrowingTaskGroup(of: (UInt8, UInt8).self) { group in
        for value in 0..<UInt8(100) {
          group.addTask {
            let response = try await robot.exchange(
              CommandID(0x02, value % 2 == 0 ? 0x22 : 0x36), payload: [])
            return (value, UInt8(response.payload.count))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }
    for (value, count) in headings { #expect(count == (value % 2 == 0 ? 3 : 4)) }
    #expect(headings.count == 100)
  }

  @Test func eventsOfAKind() async throws {
    let game = Game()
    let states = try await game.play { robot in
      let events = await robot.events(of: Core.PowerNotification.self)
      try await robot.send(Core.SetPowerNotification(isOn: true))
      var states: [Core.PowerState] = []
      for try await event in events {
        states.append(event.state)
        if states.count == 3 { break }
      }
      return states
    }
    #expect(states == [.ok, .ok, .ok])
    let last = try #require(await game.tap.commands.last)
    #expect(try Core.SetPowerNotification(request: last.payload).isOn == false, "leaving switches it off")
  }

  @Test func aLostLinkFailsPendingRequests() async throws {
    let time = VirtualTime()
    try await time.run {
      let (host, device) = MemoryTransport.pair()
      let robot = SimulatedRobot(time: time)
      let life = Task(executorPreference: time) { await robot.serve(device) }
      await #expect(throws: LinkError.closed) {
        try await Robot.withRobot(on: host, time: time) { robot in
          try await robot.send(Core.Ping())
          device.close()
          try await robot.send(Core.Ping())
        }
      }
      await life.value
    }
  }
}
