// The rows of Docs/Reliability.md that need no process: a bad link, a faulty robot, a slow program, in virtual time.

import Foundation
import SpheroControls
import SpheroHost
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Synchronization
import TestSupport
import Testing

/// Prints measurements for Docs/Reliability.md if SPHERO_FIGURES is set.
private func figure(_ experiment: String, _ measured: String) {
  if ProcessInfo.processInfo.environment["SPHERO_FIGURES"] != nil {
    print("figure: \(experiment): \(measured)")
  }
}

private func milliseconds(_ duration: Duration) -> String {
  "\((duration / .milliseconds(1) * 1_000).rounded() / 1_000) ms"
}

/// The maximum time without a sample, by arrival.
private func longestSilence(_ samples: [TimedSample]) -> Duration {
  zip(samples, samples.dropFirst()).map { $1.arrival - $0.arrival }.max() ?? .zero
}

private func take(_ count: Int, _ samples: SampleSequence) async throws -> [TimedSample] {
  var taken: [TimedSample] = []
  for try await sample in samples {
    taken.append(sample)
    if taken.count == count { break }
  }
  return taken
}

/// The number of seeds for the random rows: SPHERO_SEEDS, or one.
private let seeds = 1...(ProcessInfo.processInfo.environment["SPHERO_SEEDS"].flatMap { UInt64($0) } ?? 1)

private let fast = StreamRequest(mask: .imu, divisor: 1)
private let stream = Sensing.SetDataStreaming.id

@Suite(.ownThread) struct NothingMovesByAccident {
  @Test func nothingIsSentAfterTheStop() async throws {
    let game = Game { $0.latency = .milliseconds(60) }
    let refused = try await game.play(settings: Robot.Settings()) { robot in
      try await robot.roll(.ahead, speed: 0.5)
      let other = Task(executorPreference: game.time) {
        var errors: [any Error] = []
        for _ in 0..<200 {
          do { try await robot.send(Motion.Roll(speed: 255, heading: 90)) } catch { errors.append(error) }
          try? await game.time.sleep(for: .milliseconds(5))
        }
        return errors
      }
      try await game.time.sleep(for: .milliseconds(300))
      return other
    }
    let errors = await refused.value
    #expect(errors.contains { $0 as? SessionError == .leaving })
    let moving = await game.tap.commands.filter { $0.id == Motion.Roll.id }
    let last = try #require(moving.last)
    #expect(try Motion.Roll(request: last.payload).state == .stop, "the last word is a stop")
    #expect(await game.tap.commands.last?.id == Motion.Roll.id, "and the last packet")
    #expect(try await game.speedLater < 0.01, "the ball comes to rest")
  }

  @Test func anUnansweredRollIsNeverSentAgainAfterAStop() async throws {
    let game = Game()
    // The robot executes the first roll, but its answer is lost.
    let faults = [Fault(.drop, of: .responses, to: Motion.Roll.id, at: 0..<1)]
    try await game.play(faults: faults) { robot in
      let roll = Task(executorPreference: game.time) { try await robot.roll(.ahead, speed: 0.5) }
      try await game.time.sleep(for: .milliseconds(100))
      try await robot.stop()
      await #expect(throws: SessionError.superseded(command: "Motion.Roll")) { try await roll.value }
      try await game.time.sleep(for: .seconds(5))
    }
    let states = try await game.tap.commands.filter { $0.id == Motion.Roll.id }.map {
      try Motion.Roll(request: $0.payload).state
    }
    #expect(states == [.drive, .stop], "a stop that was confirmed need not be said again on leaving")
  }

  /// The duration of a roll counts from its command, independent of the answer.
  @Test(arguments: [Fault.Kind.drop, .reorder(.milliseconds(800))])
  func aLostAnswerDoesNotExtendTheRoll(_ fault: Fault.Kind) async throws {
    let game = Game()
    let faults = [Fault(fault, of: .responses, to: Motion.Roll.id, at: 0..<1)]
    let took = try await game.play(faults: faults) { robot in
      let begun = game.time.now
      try await robot.roll(.ahead, speed: 0.5, for: .milliseconds(500))
      return game.time.now - begun
    }
    #expect(took >= .milliseconds(500) && took < .milliseconds(520), "\(took)")
    let states = try await game.tap.commands.filter { $0.id == Motion.Roll.id }.map {
      try Motion.Roll(request: $0.payload).state
    }
    #expect(states.last == .stop && states.dropLast().allSatisfy { $0 == .drive })
  }

  @Test func aLostReplyOfAChunkAppendsItOnce() async throws {
    let game = Game()
    await #expect(throws: SessionError.unconfirmed(command: "Macros.AppendMacroChunk")) {
      try await game.play(faults: [Fault(.drop, of: .responses, to: Macros.AppendMacroChunk.id)]) { robot in
        try await robot.send(Macros.AppendMacroChunk(chunk: [0xFF, 0x00, 0x05, 0x50, 0x00, 0x00, 0x0A]))
      }
    }
    #expect(await game.tap.commands.map(\.id) == [CommandID(0x02, 0x58)])
  }

  @Test func theShutdownOfASilentRobotTakesASecond() async throws {
    let game = Game()
    let left = Mutex(Duration.zero)
    var settings = Robot.Settings(timeout: .seconds(5))
    settings.firstSequence = 1
    try await game.play(faults: [Fault(.drop, of: .fromRobot, at: 2..<1_000_000)], settings: settings) {
      robot in
      _ = try? await robot.samples(StreamRequest(mask: .imu, divisor: 40))
      try await robot.drive(.ahead, speed: 0.5)
      left.withLock { $0 = game.time.now }
    }
    let took = game.time.now - left.withLock { $0 }
    figure("silent robot, leaving", milliseconds(took))
    #expect(took <= .milliseconds(1_010), "\(took)")
  }

  @Test func stopOnDisconnectIsEnabledBeforeTheFirstMotion() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { try await $0.roll(.ahead, speed: 0.2) }
    let ids = await game.tap.commands.map(\.id)
    let armed = try #require(ids.firstIndex(of: CommandID(0x02, 0x37)))
    let moved = try #require(ids.firstIndex(of: CommandID(0x02, 0x30)))
    #expect(armed < moved)
    // The simulated robot's permanent options are 12h, as recorded: bit 4 enables motion timeouts.
    #expect(ids.contains(CommandID(0x02, 0x34)))
    #expect(!ids.contains(CommandID(0x02, 0x35)), "permanent options are never written")
  }

  @Test func keepRollingSendsNoStop() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { robot in
      await robot.keepRolling()
      try await robot.roll(.ahead, speed: 0.2)
    }
    // The motion timeout, 02 34, is the longest; there is no stop on disconnect, 02 37, and no stop.
    let ids = await game.tap.commands.map(\.id)
    #expect(
      Set(ids) == [CommandID(0x02, 0x36), CommandID(0x02, 0x34), CommandID(0x02, 0x30)] && ids.count == 3)
  }

  /// The simulated robot's options enable motion timeouts: 2 s by default, and the longest one for a ball that rolls on.
  @Test(arguments: [false, true]) func aBallThatKeepsRollingIsStoppedLater(keeps: Bool) async throws {
    let time = VirtualTime()
    try await time.run {
      let simulated = SimulatedRobot(time: time)
      try await Robot.withRobot(on: simulated.connect(), time: time) { robot in
        if keeps { await robot.keepRolling() }
        try await robot.roll(.ahead, speed: 0.2)
        try await time.sleep(for: .seconds(5))
        #expect((await simulated.speed > 0.1) == keeps)
        try await time.sleep(for: .seconds(65))
        #expect(await simulated.speed < 0.01)
      }
    }
  }
}

@Suite(.ownThread) struct StreamsOnABadLink {
  /// Renewals are the requests for a stream after the first one.
  @Test(arguments: [Traffic.commands, .responses])
  func oneLostRenewalCostsNoPeriod(_ lost: Traffic) async throws {
    let game = Game { $0.latency = .milliseconds(10) }
    let samples = try await game.play(faults: [Fault(.drop, of: lost, to: stream, at: 1..<2)]) { robot in
      try await take(4_000, robot.samples(fast))
    }
    figure(
      "one renewal lost (\(lost == .commands ? "request" : "answer"))", milliseconds(longestSilence(samples)))
    #expect(longestSilence(samples) <= .microseconds(2_501))
    let sent = await game.tap.sensorWords
    #expect(samples.map(\.sample.rawWords) == Array(sent.prefix(4_000)))
  }

  @Test(arguments: seeds)
  func aThirdOfTheCommandsIsLost(seed: UInt64) async throws {
    let game = Game { $0.latency = .milliseconds(10) }
    let samples = try await game.play(faults: [Fault(.drop, chance: 0.3, of: .commands)], seed: seed) {
      robot in
      try await take(12_000, robot.samples(fast))
    }
    figure("30 % of commands lost", milliseconds(longestSilence(samples)))
    #expect(longestSilence(samples) <= .milliseconds(300), "seed \(seed)")
  }

  @Test(arguments: seeds)
  func aThirdOfTheAnswersIsLost(seed: UInt64) async throws {
    let game = Game { $0.latency = .milliseconds(10) }
    let samples = try await game.play(faults: [Fault(.drop, chance: 0.3, of: .responses)], seed: seed) {
      robot in
      try await take(12_000, robot.samples(fast))
    }
    figure("30 % of answers lost", milliseconds(longestSilence(samples)))
    #expect(longestSilence(samples) <= .milliseconds(100), "seed \(seed)")
  }

  /// A robot that executes one command after the other in 600 ms each; and a link with that delay.
  @Test(arguments: [true, false])
  func aSlowLink(isRobotSlow: Bool) async throws {
    let game = Game { if isRobotSlow { $0.latency = .milliseconds(600) } }
    let faults = isRobotSlow ? [] : [Fault(.delay(.milliseconds(600)), of: .commands)]
    let (samples, statistics) = try await game.play(faults: faults) { robot in
      let samples = try await take(8_000, robot.samples(fast))
      return (samples, await robot.statistics)
    }
    figure("latency 600 ms (\(isRobotSlow ? "robot" : "link"))", milliseconds(longestSilence(samples)))
    #expect(longestSilence(samples) <= .milliseconds(60))
    #expect(statistics.stalls == 0)
    #expect(statistics.renewals < 60, "a slow robot is not flooded")
  }

  @Test(arguments: seeds)
  func aThirdOfTheRequestsIsNotReceived(seed: UInt64) async throws {
    let game = Game { $0.latency = .milliseconds(10) }
    let samples = try await game.play(
      faults: [Fault(.refuse(.badChecksum), chance: 0.3, of: .commands)], seed: seed
    ) {
      robot in
      try await take(4_000, robot.samples(fast))
    }
    #expect(samples.count == 4_000)
    figure("status 02 to 30 % of requests", milliseconds(longestSilence(samples)))
    #expect(longestSilence(samples) <= .milliseconds(300), "seed \(seed)")
  }

  /// Losses among delays and stalls; the first and the last packets are punctual, and their arrivals show the true duration.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func lossesAmongDelaysKeepTheTime(seed: UInt64) async throws {
    let game = Game()
    let struck = 5..<950
    let faults = [
      Fault(.drop, chance: 0.2, of: .sensorData, at: struck),
      Fault(.delay(.milliseconds(30)), chance: 0.3, of: .sensorData, at: struck),
      Fault(.stall(.milliseconds(300)), chance: 0.01, of: .sensorData, at: struck),
    ]
    let (count, last, lost) = try await game.play(faults: faults, seed: seed) { robot in
      var (count, last) = (0, TimedSample?.none)
      for try await sample in try await robot.samples(StreamRequest(mask: .accel, divisor: 4)) {
        (count, last) = (count + 1, sample)
        if sample.arrival >= .milliseconds(9_990) { break }
      }
      return (count, last, await robot.statistics.lostFrames)
    }
    let truth = 1_000 - count
    let sample = try #require(last)
    let error = (sample.time - sample.arrival) / .milliseconds(1)
    figure("losses among delays", "\(lost) of \(truth) counted, the last time off by \(error) ms")
    #expect(lost <= truth && Double(lost) >= 0.9 * Double(truth), "\(lost) of \(truth)")
    #expect(abs(error) <= 50, "\(error) ms")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func delaysAloneAreNoLosses(seed: UInt64) async throws {
    let game = Game()
    let faults = [Fault(.delay(.milliseconds(40)), chance: 0.5, of: .sensorData)]
    let lost = try await game.play(faults: faults, seed: seed) { robot in
      _ = try await take(1_000, robot.samples(StreamRequest(mask: .accel, divisor: 4)))
      return await robot.statistics.lostFrames
    }
    figure("half of the packets 40 ms late", "\(lost) counted as lost")
    #expect(lost == 0)
  }

  @Test func aStallIsNoJumpInTime() async throws {
    let game = Game()
    let faults = [Fault(.burst(.milliseconds(500)), of: .sensorData, at: 600..<601)]
    let samples = try await game.play(faults: faults) { try await take(1_500, $0.samples(fast)) }
    let last = try #require(samples.last).time / .milliseconds(1)
    figure("hiccup of 0.5 s: last time", "\(last) ms")
    #expect(abs(last - 3_747.5) < 15, "\(last)")
    let steps = zip(samples, samples.dropFirst()).map { ($1.time - $0.time) / .milliseconds(1) }
    #expect(steps.allSatisfy { abs($0 - 2.5) < 0.3 }, "\(steps.max() ?? 0)")
  }

  @Test(arguments: [0.95, 1.05])
  func aWrongClockIsMeasured(rate: Double) async throws {
    let game = Game { $0.clockRate = rate }
    let samples = try await game.play { try await take(6_000, $0.samples(fast)) }
    let steps = zip(samples, samples.dropFirst()).map { ($1.time - $0.time) / .milliseconds(1) }
    #expect(steps.allSatisfy { $0 > 2.1 && $0 < 2.9 }, "no jump: \(steps.min() ?? 0)...\(steps.max() ?? 0)")
    let period = 2.5 / rate
    let error = samples.enumerated().filter { $1.arrival > .seconds(5) }.map { index, sample in
      abs(sample.time / .milliseconds(1) / (Double(index) * period) - 1)
    }
    figure("rate \(rate): error after 5 s", "\((error.max() ?? 0) * 100) %")
    for (index, sample) in samples.enumerated() where sample.arrival > .seconds(5) {
      let (measured, true_) = (sample.time / .milliseconds(1), Double(index) * period)
      #expect(abs(measured - true_) < 0.002 * true_, "sample \(index)")
      if abs(measured - true_) >= 0.002 * true_ { break }
    }
  }

  /// After any temporary loss on the line, samples resume soon, and no stream ends.
  @Test(arguments: [1, 3, 10, 60], [SilencedTransport.Loss.reads, .writes, .both])
  func samplesResumeAfterASilence(seconds: Int, _ loss: SilencedTransport.Loss) async throws {
    let game = Game()
    let wrap: @Sendable (any Transport) -> any Transport = { line in
      let start = game.time.now + .seconds(2)
      return SilencedTransport(line: line, time: game.time, silence: start..<start + .seconds(seconds), loss)
    }
    let samples = try await game.play(wrap: wrap) { robot in
      // The count of 20 packets runs out in a second.
      try await take(120, robot.samples(StreamRequest(mask: .imu, packets: 20)))
    }
    let longest = longestSilence(samples)
    figure("silence of \(seconds) s, \(loss): without samples", milliseconds(longest))
    #expect(longest <= .seconds(seconds) + .milliseconds(1_100))
    #expect(longest >= .seconds(seconds) - .milliseconds(1_000))
  }

  /// SPHERO_PACKETS is the number of packets; see Docs/Reliability.md.
  @Test func renewalsLoseNothing() async throws {
    let game = Game { $0.latency = .milliseconds(40) }
    let time = game.time
    let wanted = ProcessInfo.processInfo.environment["SPHERO_PACKETS"].flatMap { Int($0) } ?? 4_000
    let (count, silence) = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await game.robot.serve(device) }
      let result = try await Robot.withRobot(on: host, time: time, settings: Game.plain) { robot in
        var (count, silence, last) = (0, Duration.zero, Duration?.none)
        for try await sample in try await robot.samples(
          StreamRequest(mask: SensorMask(.yaw), divisor: 4, packets: 40))
        {
          silence = max(silence, last.map { sample.arrival - $0 } ?? .zero)
          (count, last) = (count + 1, sample.arrival)
          if count == wanted { break }
        }
        return (count, silence)
      }
      await life.value
      return result
    }
    let statistics = await game.robot.statistics
    figure(
      "\(wanted) packets",
      "\(count) taken, \(statistics.frames) sent, longest silence \(milliseconds(silence))")
    #expect(count == wanted)
    // A million take less than three hours; the battery of the simulated robot lasts for six.
    #expect(statistics.frames >= wanted && statistics.frames <= wanted + 40)
    #expect(silence == .milliseconds(10), "one packet period")
  }
}

@Suite(.ownThread) struct SharedStreams {
  @Test func bothContinueAtTheirOwnRate() async throws {
    let game = Game()
    let (slow, quick) = try await game.play { robot in
      let slow = try await robot.samples(StreamRequest(mask: .imu, divisor: 40))
      try await game.time.sleep(for: .seconds(1))
      let quick = try await robot.samples(StreamRequest(mask: .accel, divisor: 10))
      async let first = take(60, slow)
      async let second = take(200, quick)
      return try await (first, second)
    }
    #expect(slow.allSatisfy { $0.sample.mask == .imu } && quick.allSatisfy { $0.sample.mask == .accel })
    let gaps = zip(slow, slow.dropFirst()).map { $1.arrival - $0.arrival }
    #expect(
      gaps.allSatisfy { $0 <= .milliseconds(250) }, "100 ms and at most 150 ms for the change: \(gaps.max()!)"
    )
    let steps = zip(quick, quick.dropFirst()).map { $1.time - $0.time }
    #expect(steps.allSatisfy { abs($0 / .milliseconds(1) - 25) < 0.01 })
    // 25 ms divides 100 ms: the slow consumer keeps its rate.
    #expect(gaps.dropFirst(15).allSatisfy { abs($0 / .milliseconds(1) - 100) < 0.01 })
  }

  @Test func simultaneousRequestsAreOneChange() async throws {
    let game = Game()
    let counts = try await game.play { robot in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for field in [SensorField.yaw, .pitch, .roll, .accelX, .accelY, .accelZ] {
          group.addTask {
            try await take(40, robot.samples(StreamRequest(mask: SensorMask(field), divisor: 20))).count
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(counts == Array(repeating: 40, count: 6))
    let masks = try await game.tap.commands.filter { $0.id == stream }.map {
      try Sensing.SetDataStreaming(request: $0.payload).sensorMask
    }
    #expect(Set(masks.filter { !$0.isEmpty }).count <= 3, "a first one, one for all, one when few are left")
  }

  @Test func twoTasksShareOneSequence() async throws {
    let game = Game()
    let (first, second) = try await game.play { robot in
      let samples = try await robot.samples(StreamRequest(mask: .imu))
      async let first = take(50, samples)
      async let second = take(50, samples)
      return try await (first, second)
    }
    let times = Set(first.map(\.time)).union(second.map(\.time))
    #expect(times.count == 100, "each sample goes to one of them")
  }

  @Test func aSlowConsumerReceivesNoOldSamples() async throws {
    let game = Game()
    let (ages, dropped) = try await game.play { robot in
      let samples = try await robot.samples(fast, ageLimit: .seconds(2))
      let start = Mutex<Duration?>(nil)
      var ages: [Duration] = []
      for try await sample in samples {
        let first = start.withLock { start in
          start = start ?? game.time.now - sample.arrival
          return start ?? .zero
        }
        ages.append(game.time.now - first - sample.arrival)
        if ages.count == 60 { break }
        try await game.time.sleep(for: .seconds(1))
      }
      return (ages, samples.dropped)
    }
    figure("one sample a second at 400 Hz: oldest", milliseconds(ages.max() ?? .zero))
    #expect(ages.allSatisfy { $0 <= .seconds(2) }, "\(ages.max() ?? .zero)")
    #expect(dropped > 20_000)
  }

  @Test func aConsumerWithTheWaitPolicyHoldsTheLineBack() async throws {
    let game = Game()
    let samples = try await game.play { robot in
      var taken: [TimedSample] = []
      let samples = try await robot.samples(
        StreamRequest(mask: .imu, divisor: 4), buffering: .wait(50), ageLimit: nil)
      for try await sample in samples {
        taken.append(sample)
        if taken.count == 600 { break }
        if taken.count == 100 { try await game.time.sleep(for: .seconds(1)) }
      }
      #expect(samples.dropped == 0)
      return taken
    }
    #expect(samples.map(\.sample.rawWords) == Array(await game.tap.sensorWords.prefix(600)))
  }
}

@Suite(.ownThread) struct StayingConnected {
  @Test func aReopenedLineRestoresItsStream() async throws {
    let game = Game()
    let time = game.time
    let (samples, notices, states): ([TimedSample], [Notice], [Motion.Roll.State]) = try await time.run {
      let lines = Mutex<[MemoryTransport]>([])
      @Sendable func connect() -> MemoryTransport {
        let (host, device) = MemoryTransport.pair()
        lines.withLock { $0.append(device) }
        _ = Task(executorPreference: time) { await game.robot.serve(device) }
        return host
      }
      let lostAt = Mutex<Duration?>(nil)
      let reopening = Reconnection {
        let since = lostAt.withLock { $0 } ?? .zero
        guard time.now - since >= .seconds(3) else { throw LinkError.busy("the robot", nil) }
        return TappedTransport(line: connect(), tap: game.tap)
      }
      let notices = Mutex<[Notice]>([])
      let samples = try await Robot.withRobot(
        on: TappedTransport(line: connect(), tap: game.tap), time: time, settings: Game.plain,
        reopening: reopening, onNotice: { notice in notices.withLock { $0.append(notice) } }
      ) { robot in
        var collision = Sensing.ConfigureCollisionDetection()
        collision.method = .on
        _ = try? await robot.send(collision)
        try await robot.drive(.ahead, speed: 0.5)
        var taken: [TimedSample] = []
        for try await sample in try await robot.samples(StreamRequest(mask: .imu, divisor: 8)) {
          taken.append(sample)
          if taken.count == 100 {
            lostAt.withLock { $0 = time.now }
            lines.withLock { $0.last }?.close()
            await game.tap.begin()
          }
          if taken.count == 300 { break }
        }
        return taken
      }
      let states = try await game.tap.commands.filter { $0.id == Motion.Roll.id }.map {
        try Motion.Roll(request: $0.payload).state
      }
      return (samples, notices.withLock { $0 }, states)
    }
    #expect(samples.count == 300)
    #expect(notices.first == .connected && notices.count { $0 == .connected } == 1, "\(notices)")
    #expect(states.allSatisfy { $0 == .stop } && !states.isEmpty, "motion never comes back")
    let gap = notices.compactMap { notice in
      if case .gap(let gap) = notice, gap.reason == .reconnection { gap.duration } else { nil }
    }
    figure("line lost, back after 3 s: gap", gap.map { milliseconds($0) }.joined(separator: ", "))
    #expect(gap.count == 1 && gap.allSatisfy { $0 > .seconds(2.9) && $0 < .seconds(8) }, "\(notices)")
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
    let jump = zip(samples, samples.dropFirst()).map { $1.time - $0.time }.max() ?? .zero
    #expect(jump > .seconds(2.9), "the gap is in the times, too")
  }

  /// A delay of zero counts as the shortest one.
  @Test(arguments: [Duration.milliseconds(250), .zero])
  func aLineThatCannotBeReopenedIsAnErrorAtTheLimit(initialDelay: Duration) async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      var policy = Reconnection { throw LinkError.notFound("/dev/rfcomm0") }
      policy.initialDelay = initialDelay
      let reopening = policy
      await #expect(throws: LinkError.notFound("/dev/rfcomm0")) {
        try await Robot.withRobot(
          on: host, time: time, settings: Game.plain, reopening: reopening
        ) { robot in
          for try await _ in try await robot.samples(StreamRequest(mask: .imu)) { device.close() }
        }
      }
      await life.value
    }
    #expect(time.now > .seconds(60) && time.now < .seconds(70), "\(time.now)")
  }

  @Test func aLineThatOpensAndHangsUpIsNotReconnected() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      let opened = Mutex(0)
      let reopening = Reconnection {
        guard
          opened.withLock({
            $0 += 1
            return $0 < 1_000
          })
        else { throw CancellationError() }
        let (near, far) = MemoryTransport.pair()
        far.close()
        return near
      }
      await #expect(throws: LinkError.closed) {
        try await Robot.withRobot(on: host, time: time, settings: Game.plain, reopening: reopening) { robot in
          for try await _ in try await robot.samples(StreamRequest(mask: .imu)) { device.close() }
        }
      }
      await life.value
    }
    #expect(time.now > .seconds(60) && time.now < .seconds(70), "\(time.now)")
  }

  @Test func repeatedlyReopenedLinesWithoutSamplesEndTheStream() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let opened = Mutex(0)
      // The robot answers on each line, which ends half a second before the first sample.
      @Sendable func connect() -> MemoryTransport {
        let (host, device) = MemoryTransport.pair()
        opened.withLock { $0 += 1 }
        _ = Task(executorPreference: time) { await robot.serve(device) }
        _ = Task(executorPreference: time) {
          try await time.sleep(for: .milliseconds(500))
          device.close()
        }
        return host
      }
      let reopening = Reconnection {
        guard time.now < .seconds(600) else { throw CancellationError() }
        return connect()
      }
      await #expect(throws: SessionError.silentStream) {
        try await Robot.withRobot(
          on: connect(), time: time, settings: Game.plain, reopening: reopening
        ) { robot in
          for try await _ in try await robot.samples(StreamRequest(mask: .imu, divisor: 400)) {
            Issue.record("a sample came")
          }
        }
      }
      #expect(opened.withLock { $0 } > 50)
    }
    #expect(time.now > .seconds(60) && time.now < .seconds(70), "\(time.now)")
  }

  @Test func aLineWithoutReopeningIsAnErrorAtOnce() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      var reopening = Reconnection { throw LinkError.notFound("/dev/rfcomm0") }
      reopening.limit = .zero
      await #expect(throws: LinkError.closed) {
        try await Robot.withRobot(on: host, time: time, settings: Game.plain, reopening: reopening) { robot in
          for try await _ in try await robot.samples(StreamRequest(mask: .imu)) { device.close() }
        }
      }
      await life.value
    }
    #expect(time.now < .seconds(2))
  }

  @Test func aRollOnALostLineFailsAtOnce() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      await #expect(throws: LinkError.closed) {
        try await Robot.withRobot(on: host, time: time) { robot in
          try await robot.roll(.ahead, speed: 0.2)
          device.close()
          try await robot.roll(.ahead, speed: 0.2, for: .seconds(10))
        }
      }
      await life.value
    }
    #expect(time.now < .seconds(2))
  }

  @Test func anIdleRobotIsKeptAwake() async throws {
    let game = Game()
    try await game.play(settings: Robot.Settings()) { _ in
      try await game.time.sleep(for: .seconds(3_600))
    }
    #expect(await !game.robot.isAsleep)
    #expect((55...61).contains(await game.tap.commands.count { $0.id == Core.Ping.id }))
  }
}

@Suite(.ownThread) struct Connecting {
  private func finding(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8]) async throws -> (
    SessionError?, Duration
  ) {
    let time = VirtualTime()
    let error = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) {
        while let bytes = try await device.read() { device.write(answer(bytes)) }
      }
      defer { life.cancel() }
      do {
        try await Robot.withRobot(on: host, time: time) { _ in }
        return SessionError?.none
      } catch let error as SessionError { return error }
    }
    return (error, time.now)
  }

  @Test func silenceIsReportedAfterTheDeadline() async throws {
    let (error, time) = try await finding { _ in [] }
    #expect(error == .notConnected(.silence))
    #expect(time >= .seconds(15) && time < .seconds(15.1))
  }

  @Test func anEchoIsNoRobot() async throws {
    #expect(try await finding { $0 }.0 == .notConnected(.echo))
  }

  @Test func noiseIsNoRobot() async throws {
    let (error, _) = try await finding { _ in [0x55, 0xAA, 0x00] }
    guard case .notConnected(.noise(let count, let first)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(first.prefix(3) == [0x55, 0xAA, 0x00] && count > 3)
  }

  @Test func aRobotThatReceivesLateExecutesOnce() async throws {
    let game = Game()
    try await game.time.run {
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: game.time) {
        try? await game.time.sleep(for: .seconds(4))
        await game.robot.serve(device)
      }
      try await Robot.withRobot(on: TappedTransport(line: host, tap: game.tap), time: game.time) { robot in
        try await robot.setColor(.red)
      }
      await life.value
    }
    #expect(await game.tap.commands.count { $0.id == CommandID(0x02, 0x20) } == 1)
    #expect(await game.robot.lights == (255, 0, 0, 0))
  }

  @Test(arguments: 0..<40)
  func answersToAFormerProgramAreIgnored(_ killedAfter: Int) async throws {
    let time = VirtualTime()
    let version = try await time.run {
      let robot = SimulatedRobot(
        {
          var c = SimulatedRobot.Configuration()
          c.latency = .milliseconds(60)
          return c
        }(), time: time)
      let (host, device) = MemoryTransport.pair()
      let life = Task(executorPreference: time) { await robot.serve(device) }
      // A program that sends requests, streams, and dies at some time, which leaves its line open.
      var number = UInt8(killedAfter * 5)
      for id in [CommandID(0x00, 0x02), CommandID(0x02, 0x11), CommandID(0x00, 0x11), CommandID(0x00, 0x20)] {
        let payload: [UInt8] =
          id.command == 0x11 && id.device == 2 ? [0, 20, 0, 1, 0, 7, 0, 0, 50, 0, 0, 0, 0] : []
        host.write(try Packet.command(CommandPacket(id: id, sequence: number, payload: payload)).encoded())
        number &+= 1
      }
      try await time.sleep(for: .milliseconds(killedAfter * 10))
      let version = try await Robot.withRobot(on: host, time: time) { robot in
        let version = try await robot.send(Core.GetVersioning())
        let name = try await robot.send(Core.GetBluetoothInfo()).name
        #expect("\(name)" == "Sphero-SIM")
        return version
      }
      await life.value
      return version
    }
    #expect(version.model == .s3)
  }
}
