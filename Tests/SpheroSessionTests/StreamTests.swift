// A stream is renewed before its finite count runs out, without lost or duplicate samples; the shutdown ends it.

import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

/// A line that delivers bytes late, with their arrival times.
private struct LateLine: TimestampedTransport {
  let line: any Transport
  let time: VirtualTime
  let delay: Duration
  let reportsTimes: Bool

  nonisolated(nonsending) func readChunks() async throws -> [TimestampedChunk]? {
    guard let bytes = try await line.read() else { return nil }
    let arrival = time.now
    try await time.sleep(for: delay)
    return [TimestampedChunk(bytes, at: arrival)]
  }
  func sharesClock(of time: any TimeSource) -> Bool { reportsTimes && self.time.sharesClock(of: time) }
  func read() async throws -> [UInt8]? { try await readChunks()?.flatMap(\.bytes) }
  func write(_ bytes: [UInt8]) async throws { try await line.write(bytes) }
  func close() async { await line.close() }
}

@Suite(.ownThread) struct StreamTests {
  private func take(_ count: Int, _ request: StreamRequest, _ robot: Robot) async throws -> [TimedSample] {
    var samples: [TimedSample] = []
    for try await sample in try await robot.samples(request) {
      samples.append(sample)
      if samples.count == count { break }
    }
    return samples
  }

  @Test(arguments: [(1, 1, 200), (1, 21, 20), (3, 7, 50), (20, 1, 8)] as [(UInt16, UInt16, UInt8)])
  func renewalsLoseAndDuplicateNothing(divisor: UInt16, frames: UInt16, packets: UInt8) async throws {
    let game = Game { $0.latency = .milliseconds(60) }
    let request = StreamRequest(
      mask: [.accel, .imu, .quat], divisor: divisor, frames: frames, packets: packets)
    let wanted = 5_000
    let samples = try await game.play { try await take(wanted, request, $0) }
    #expect(samples.count == wanted)
    let sent = await game.tap.sensorWords
    #expect(samples.map(\.sample.rawWords) == Array(sent.prefix(wanted)))
    let statistics = await game.robot.statistics
    #expect(statistics.frames >= wanted && statistics.frames <= wanted + 200)
    #expect(statistics.streamRequests - 2 >= 10, "renewals")
    // By the robot's clock, independent of renewals and the delay of the first packet.
    #expect(
      samples.indices.allSatisfy {
        abs((samples[$0].time - request.framePeriod * $0) / .milliseconds(1)) < 10
      })
  }

  @Test func samplesHaveTheTimesAtWhichTheirBytesArrived() async throws {
    let delay = Duration.milliseconds(5)
    func ages(reportsTimes: Bool) async throws -> [Duration] {
      let game = Game()
      let wrap: @Sendable (any Transport) -> any Transport = {
        LateLine(line: $0, time: game.time, delay: delay, reportsTimes: reportsTimes)
      }
      return try await game.play(wrap: wrap) { robot in
        var ages: [Duration] = []
        for try await sample in try await robot.samples(StreamRequest(mask: .imu, divisor: 40)) {
          ages.append(game.time.now - sample.hostTime)
          if ages.count == 30 { break }
        }
        return ages
      }
    }
    let (reported, unknown) = (
      try await ages(reportsTimes: true), try await ages(reportsTimes: false)
    )
    #expect(reported.count == 30 && unknown.count == 30)
    let differences = zip(reported, unknown).map { ($0 - $1) / .milliseconds(1) }
    #expect(differences.allSatisfy { abs($0 - 5) < 0.1 }, "\(differences)")
  }

  @Test func anHourPasses() async throws {
    let game = Game { $0.latency = .milliseconds(80) }
    let samples = try await game.play { try await take(3_600, StreamRequest(mask: .imu, divisor: 400), $0) }
    #expect(abs(try #require(samples.last).time / .seconds(1) - 3_599) < 0.001)
    #expect(game.time.now > .seconds(3_600))
  }

  @Test func theShutdownEndsTheStream() async throws {
    let game = Game()
    _ = try await game.play { try await take(10, StreamRequest(mask: .imu), $0) }
    let last = try #require(await game.tap.commands.last)
    #expect(last.id == Sensing.SetDataStreaming.id)
    #expect(try Sensing.SetDataStreaming(request: last.payload).sensorMask.isEmpty)
  }

  @Test func theShutdownStopsTheBallAlsoAfterAnError() async throws {
    struct Surprise: Error {}
    let game = Game()
    await #expect(throws: Surprise.self) {
      try await game.play { robot in
        try await robot.send(Motion.Roll(speed: 200, heading: 90))
        try await game.time.sleep(for: .seconds(2))
        throw Surprise()
      }
    }
    let last = try #require(await game.tap.commands.last)
    #expect(try Motion.Roll(request: last.payload) == Motion.Roll(speed: 0, heading: 90, state: .stop))
  }

  @Test func theShutdownWorksInACancelledTask() async throws {
    let game = Game()
    let task = Task {
      try await game.play { robot in
        try await robot.send(Motion.Roll(speed: 200, heading: 90))
        for try await _ in try await robot.samples(StreamRequest(mask: .imu)) {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      }
    }
    _ = await task.result
    #expect(await game.tap.commands.suffix(2).map(\.id) == [Motion.Roll.id, Sensing.SetDataStreaming.id])
  }

  @Test func aLostStopIsRepeatedAlsoInACancelledTask() async throws {
    let game = Game()
    // The second roll is the stop of the shutdown.
    let task = Task {
      try await game.play(faults: [Fault(.drop, of: .commands, to: Motion.Roll.id, at: 1..<2)]) { robot in
        try await robot.send(Motion.Roll(speed: 200, heading: 90))
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try await game.time.sleep(for: .seconds(5))
      }
    }
    _ = await task.result
    #expect(try await game.speedLater < 0.01, "the ball comes to rest")
    let stops = try await game.tap.commands.dropFirst().map { try Motion.Roll(request: $0.payload) }
    #expect(stops == Array(repeating: Motion.Roll(speed: 0, heading: 90, state: .stop), count: 2))
  }

  @Test func aRejectedRollDoesNotPreventTheStop() async throws {
    let game = Game()
    try await game.play { robot in
      try await robot.send(Motion.Roll(speed: 200, heading: 90))
      await #expect(throws: WireError.self) { try await robot.send(Motion.Roll(speed: 200, heading: 400)) }
    }
    let last = try #require(await game.tap.commands.last)
    #expect(try Motion.Roll(request: last.payload) == Motion.Roll(speed: 0, heading: 90, state: .stop))
  }

  @Test func theEffectOfRawMotorsIsUndone() async throws {
    let game = Game()
    try await game.play { robot in
      _ = try? await robot.send(Motion.SetRawMotors())
    }
    #expect(
      await game.tap.commands.suffix(2).map(\.id) == [Motion.SetStabilization.id, Motion.Roll.id])
  }

  @Test func aSlowConsumerNoticesItsCancellation() async throws {
    let game = Game()
    let counts = try await game.play { robot in
      var taken = 0
      let samples = try await robot.samples(StreamRequest(mask: .imu, divisor: 1))
      try await game.time.sleep(for: .seconds(2))
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do { for try await _ in samples { taken += 1 } } catch is CancellationError {}
      return taken
    }
    #expect(counts == 0)
  }

  /// A refused stream sends no packets: the next one, whose packets have the same length, needs no additional field.
  @Test func aRefusedStreamAddsNoField() async throws {
    let game = Game()
    let refusal = Fault(.refuse(.badParameter), of: .commands, to: Sensing.SetDataStreaming.id, at: 0..<1)
    try await game.play(faults: [refusal]) { robot in
      await #expect(throws: SessionError.self) { _ = try await robot.samples(.imu, hertz: 20) }
      try await game.time.sleep(for: .seconds(1))
      for try await _ in try await robot.samples(.accel, hertz: 20).prefix(3) {}
    }
    let masks = try await game.tap.commands.filter { $0.id == Sensing.SetDataStreaming.id }
      .map { try Sensing.SetDataStreaming(request: $0.payload).sensorMask }
    #expect(masks.filter { !$0.isEmpty } == [.imu, .accel], "\(masks)")
  }

  @Test func aRetriedRenewalDoesNotRestoreTheOldStream() async throws {
    let game = Game()
    // Request 2 is the first renewal, sent when a quarter of 20 packets is left.
    let lost = Fault(.drop, of: .commands, to: Sensing.SetDataStreaming.id, at: 2..<3)
    let samples = try await game.play(faults: [lost]) { robot in
      _ = try await robot.samples(StreamRequest(mask: .imu, divisor: 4, packets: 20))
      try await game.time.sleep(for: .milliseconds(300))
      return try await take(120, StreamRequest(mask: .accel, divisor: 4), robot)
    }
    #expect(samples.allSatisfy { abs(($0.sample[.accelZ] ?? 0) - 1) < 0.1 })
    let requests = try await game.tap.commands.map {
      try Sensing.SetDataStreaming(request: $0.payload).sensorMask
    }
    let changed = try #require(requests.firstIndex { $0.isSuperset(of: .accel) })
    #expect(!requests[changed...].contains(.imu))
  }

  @Test func aDeadProgramLeavesAtMostTheRestOfItsCount() async throws {
    let game = Game()
    try await game.time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: game.time) { await game.robot.serve(device) }
      let start = Sensing.SetDataStreaming(divisor: 20, mask: .imu, packetCount: 50)
      host.write(try Packet.command(start.packet(sequence: 1)).encoded())
      try await game.time.sleep(for: .seconds(60))
      #expect(await game.robot.statistics.packets == 50)
      // The next program receives these bytes and more.
      host.write([0xFF, 0xFF, 0x02])
      let samples = try await Robot.withRobot(on: host, time: game.time) { robot in
        try await take(100, StreamRequest(mask: .quat), robot)
      }
      #expect(samples.allSatisfy { $0.sample.mask == .quat })
      await life.value
    }
  }

  @Test func strayBytesAndSmallReadsDoNotMatter() async throws {
    let stale = try Packet.event(EventPacket(id: Sensing.SensorData.id, payload: [0, 1, 0, 2, 0, 3]))
      .encoded()
    let game = Game { $0.greeting = Array("u>".utf8) + [0x0D, 0xFF, 0xFE, 0x03] + stale }
    let samples = try await game.play(faults: [Fault(.split, chance: 0.4, of: .robotBytes)]) {
      try await take(200, StreamRequest(mask: .imu), $0)
    }
    let sent = await game.tap.sensorWords
    // A stray packet of the same length adds a field before these three to the layout.
    #expect(samples.map(\.sample.rawWords) == sent.prefix(200).map { Array($0.suffix(3)) })
  }

  @Test func framesInTheSameBytesAsTheResponseCount() async throws {
    let time = VirtualTime()
    let pitches = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let robot = Task(executorPreference: time) {
        var decoder = PacketDecoder(from: .host)
        while let bytes = try await device.read() {
          decoder.append(bytes)
          while case .command(let command)? = decoder.next() {
            var reply = try Packet.response(ResponsePacket(status: .ok, sequence: command.sequence)).encoded()
            for pitch in 1...3 where command.payload.first == 0 && command.payload[1] == 20 {
              let words = [Int16(pitch), 0, 0]
              let frame = Sensing.SensorData([Sample(mask: .imu, words: words)]).frames
              reply += try Packet.event(EventPacket(id: Sensing.SensorData.id, payload: frame)).encoded()
            }
            device.write(reply)
          }
        }
      }
      let samples = try await Robot.withRobot(on: host, time: time) { robot in
        try await take(3, StreamRequest(mask: .imu), robot)
      }
      try await robot.value
      return samples.map { $0.sample[.pitch] }
    }
    #expect(pitches == [1, 2, 3])
  }

  @Test func aLostRenewalIsRepeated() async throws {
    let game = Game()
    // Requests 0 and 1 start the stream; the two renewals after them are lost.
    let lost = Fault(.drop, of: .commands, to: Sensing.SetDataStreaming.id, at: 2..<4)
    let samples = try await game.play(faults: [lost]) { robot in
      try await take(300, StreamRequest(mask: .imu, divisor: 20, packets: 20), robot)
    }
    #expect(samples.count == 300)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test func aRobotThatAcceptsAndSendsNothingIsDetected() async throws {
    let game = Game()
    await #expect(throws: SessionError.silentStream) {
      try await game.play(faults: [Fault(.drop, of: [.sensorData, .events])]) {
        _ = try await take(1, StreamRequest(mask: .imu), $0)
      }
    }
  }

  @Test func aSecondStreamDoesNotChangeTheFirst() async throws {
    let game = Game()
    let (first, second) = try await game.play { robot in
      let first = try await robot.samples(StreamRequest(mask: .imu))
      try await game.time.sleep(for: .seconds(1))
      let second = try await take(20, StreamRequest(mask: .accel), robot)
      return (try await first.prefix(40).reduce(into: []) { $0.append($1) }, second)
    }
    #expect(first.count == 40)
    #expect(first.allSatisfy { $0.sample.mask == .imu && $0.sample[.pitch].map { abs($0) < 5 } == true })
    let steps = zip(first, first.dropFirst()).map { $1.time - $0.time }
    #expect(steps.allSatisfy { $0 >= .milliseconds(40) && $0 < .milliseconds(250) }, "\(steps)")
    #expect(
      second.allSatisfy { abs(($0.sample[.accelZ] ?? 0) - 1) < 0.1 }, "no pitch, roll and yaw among them")
  }

  @Test(arguments: [
    StreamRequest(mask: []), StreamRequest(mask: SensorMask(rawValue: 1)),
    StreamRequest(mask: .imu, divisor: 0),
    StreamRequest(mask: .imu, frames: 0), StreamRequest(mask: .imu, packets: 0),
    StreamRequest(mask: .all, frames: 65_535),
  ])
  func impossibleStreamsAreNotRequested(_ request: StreamRequest) async throws {
    let game = Game()
    await #expect(throws: SessionError.self) { try await game.play { _ = try await $0.samples(request) } }
    #expect(await game.tap.commands.isEmpty)
  }

  @Test func accelerationIsAheadOnAnyHeading() async throws {
    let game = Game()
    let samples = try await game.play { robot in
      // Turned first, to apply the whole push on the new heading.
      try await robot.send(Motion.Roll(speed: 0, heading: 90))
      try await game.time.sleep(for: .seconds(1))
      try await robot.send(Motion.Roll(speed: 200, heading: 90))
      return try await take(5, StreamRequest(mask: .accel), robot)
    }
    for sample in samples.map(\.sample) {
      #expect(abs(try #require(sample[.accelX])) < 0.02, "not sideways")
      #expect(try #require(sample[.accelY]) < -0.1, "y points back")
    }
  }

  @Test func rollingMoves() async throws {
    let game = Game()
    let samples = try await game.play { robot in
      try await robot.send(Motion.Roll(speed: 128, heading: 90))
      // Before the robot's own motion timeout of 2 s, which this host does not renew.
      return try await take(36, StreamRequest(mask: [.locator, .imu]), robot)
    }
    let last = try #require(samples.last).sample
    #expect(try #require(last[.odometerX]) > 120)
    #expect(abs(try #require(last[.odometerY])) < 30)
    #expect(last[.yaw] == -90, "yaw is counter-clockwise, headings are clockwise")
    #expect(abs(try #require(last[.velocityX]) - 1004) < 10)
  }
}
