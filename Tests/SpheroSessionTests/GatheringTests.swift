// Samples that may wait for others: the same samples at the same times, for fewer wakes; nothing else waits for them.

import SpheroHost
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

/// A line in virtual time that lets bytes gather as a device file does.
private final class GatheringLine: GatheringTransport {
  private let line: any Transport
  private let time: VirtualTime
  private let queue = ArrivalQueue(capacity: 1 << 20)
  private let pump: Task<Void, Never>
  /// How often the reader was woken, and for how long bytes were to gather, each time that changed.
  let (wakes, latencies) = (Locked(0), Locked<[Duration]>([]))

  init(_ line: any Transport, _ time: VirtualTime) {
    (self.line, self.time) = (line, time)
    pump = time.start { [queue] in
      do {
        while let bytes = try await line.read() {
          // In small pieces, as a device delivers them.
          for start in stride(from: 0, to: bytes.count, by: 50) {
            let outcome = try queue.fill(at: time.now) { received throws(SystemError) in
              received += bytes[start...].prefix(50)
            }
            guard case .waits(let rest) = outcome else { continue }
            _ = time.start {
              try? await time.sleep(for: rest)
              queue.report()
            }
          }
        }
        queue.finish()
      } catch { queue.finish(throwing: error) }
    }
  }

  nonisolated(nonsending) func untilReadable() async throws -> Bool {
    defer { wakes.withLock { $0 += 1 } }
    return try await queue.untilReadable()
  }
  func takeArrivals() -> Arrivals { queue.take() }
  func usesClock(of time: any TimeSource) -> Bool { time is VirtualTime }
  func gather(for latency: Duration) {
    latencies.withLock { $0.append(latency) }
    queue.gather(for: latency)
  }
  func read() async throws -> [UInt8]? { try await queue.untilReadable() ? takeArrivals().joined : nil }
  func write(_ bytes: [UInt8]) async throws { try await line.write(bytes) }
  func close() async {
    pump.cancel()
    await line.close()
  }
}

@Suite(.aCoreEach) struct GatheringTests {
  private static let request = StreamRequest(mask: [.accel, .imu, .quat], divisor: 1)

  /// What a consumer took, and what it cost.
  private struct Outcome: Sendable {
    var samples: [TimedSample] = []
    var statistics = HostStatistics()
    var notices: [Notice] = []
    var wakes = 0
    var latencies: [Duration] = []
  }

  /// Plays a program over a line that gathers.
  private func play<Result: Sendable>(
    _ game: Game, faults: [Fault] = [], seed: UInt64 = 1,
    _ body: @escaping @Sendable (Robot) async throws -> Result
  ) async throws -> (result: Result, line: GatheringLine) {
    let line = Locked<GatheringLine?>(nil)
    let wrap: @Sendable (any Transport) -> any Transport = { inner in
      let gathering = GatheringLine(inner, game.time)
      line.withLock { $0 = gathering }
      return gathering
    }
    let result = try await game.play(faults: faults, seed: seed, wrap: wrap, body)
    return (result, try #require(line.withLock { $0 }))
  }

  /// Takes samples for four seconds, over a line that gathers; keeps what `body` returns until then.
  private func take(
    _ faults: [Fault], seed: UInt64, latency: Duration,
    _ body: @escaping @Sendable (Robot) async throws -> (any Sendable)? = { _ in nil }
  ) async throws -> Outcome {
    let game = Game { $0.latency = .milliseconds(20) }
    var (outcome, line) = try await play(game, faults: faults, seed: seed) { robot in
      var outcome = Outcome()
      let samples = try await robot.samples(Self.request, reportLatency: latency)
      let end = game.time.now + .seconds(4)
      let limit = Task(executorPreference: game.time) {
        try await game.time.sleep(until: end)
        samples.end()
      }
      defer { limit.cancel() }
      let kept = try await body(robot)
      for try await sample in samples { outcome.samples.append(sample) }
      withExtendedLifetime(kept) {}
      outcome.statistics = await robot.statistics
      return outcome
    }
    outcome.wakes = line.wakes.withLock { $0 }
    outcome.latencies = line.latencies.withLock { $0 }
    return outcome
  }

  @Test(
    arguments: [
      [],
      [Fault(.drop, chance: 0.05, of: .sensorData)],
      [Fault(.drop, chance: 0.3, of: .responses), Fault(.corrupt, chance: 0.02, of: .fromRobot)],
      [
        Fault(.burst(.milliseconds(40)), chance: 0.1, of: .sensorData),
        Fault(.cut, chance: 0.01, of: .robotBytes),
      ],
      [Fault(.stall(.milliseconds(700)), chance: 0.002, of: .sensorData)],
    ], [7] as [UInt64])
  func samplesAndTheirTimesAreThoseOfALineThatDoesNot(faults: [Fault], seed: UInt64) async throws {
    let plain = try await take(faults, seed: seed, latency: .zero)
    let gathered = try await take(faults, seed: seed, latency: .milliseconds(100))
    #expect(plain.samples.count > 1_000, "seed \(seed)")
    // A list of thousands would be printed.
    let difference = zip(gathered.samples, plain.samples).enumerated().first { $1.0 != $1.1 }
    #expect(
      difference == nil && gathered.samples.count == plain.samples.count,
      "seed \(seed), sample \(difference?.offset ?? -1): \(difference?.element.0.time ?? .zero) for \(difference?.element.1.time ?? .zero)"
    )
    #expect(gathered.statistics.lostFrames == plain.statistics.lostFrames, "seed \(seed)")
    #expect(gathered.statistics.renewals == plain.statistics.renewals, "seed \(seed)")
    #expect(gathered.statistics.stalls == plain.statistics.stalls, "seed \(seed)")
    #expect(plain.latencies.isEmpty)
  }

  @Test func theSessionIsWokenForManySamplesAtOnce() async throws {
    let plain = try await take([], seed: 1, latency: .zero)
    let gathered = try await take([], seed: 1, latency: .milliseconds(100))
    // 1,600 packets in four seconds, with renewals between them.
    #expect(plain.wakes > 1_550)
    #expect((40..<200).contains(gathered.wakes), "\(gathered.wakes)")
  }

  @Test func anAnswerIsNotKeptWaiting() async throws {
    let delays = Locked<[Duration]>([])
    for latency in [Duration.zero, .milliseconds(100)] {
      let game = Game { $0.latency = .milliseconds(20) }
      _ = try await play(game) { robot in
        let samples = try await robot.samples(Self.request, reportLatency: latency)
        var count = 0
        for try await _ in samples {
          count += 1
          // Between two renewals, the first of a batch, and another one.
          guard count == 137 || count == 160 else { continue }
          let start = game.time.now
          _ = try await robot.send(Core.Ping())
          delays.withLock { $0.append(game.time.now - start) }
          if count == 160 { break }
        }
      }
    }
    let (all, plain) = (delays.withLock { $0 }, delays.withLock { $0.first })
    #expect(all.count == 4)
    // As long as without: a packet of the stream may be in its way.
    #expect(all.allSatisfy { abs(($0 - (plain ?? .zero)) / .milliseconds(1)) < 5 }, "\(all)")
  }

  @Test func aSmallBufferTakesEachBatch() async throws {
    let game = Game { $0.latency = .milliseconds(20) }
    let (dropped, line) = try await play(game) { robot in
      let samples = try await robot.samples(
        Self.request, buffering: .newest(10), reportLatency: .milliseconds(100))
      var count = 0
      for try await _ in samples {
        count += 1
        if count == 400 { break }
      }
      return samples.dropped
    }
    #expect(dropped == 0)
    // Half of it, at 400 samples a second.
    #expect(Set(line.latencies.withLock { $0 }) == [.microseconds(12_500), .zero])
  }

  @Test func whoeverListensHearsAtOnce() async throws {
    let outcome = try await take([], seed: 1, latency: .milliseconds(100)) { robot in
      await robot.events()
    }
    #expect(outcome.latencies.allSatisfy { $0 == .zero })
    #expect(outcome.wakes > 1_550)
  }

  @Test func whoeverListensHearsNothingFromBefore() async throws {
    let game = Game { $0.latency = .milliseconds(20) }
    let (delays, _) = try await play(game) { robot in
      try await robot.send(Core.SetPowerNotification(isOn: true))
      var times: [Duration] = []
      for try await event in await robot.timedEvents(of: Core.PowerNotification.self) {
        times.append(event.arrival)
        if times.count == 2 { break }
      }
      let period = times[1] - times[0]
      let samples = try await robot.samples(
        StreamRequest(mask: .imu, divisor: 20), reportLatency: .seconds(1))
      // The third has come and gathers.
      try await game.time.sleep(until: times[1] + period + .milliseconds(20))
      let events = await robot.timedEvents(of: Core.PowerNotification.self)
      for try await event in events {
        samples.end()
        return (first: event.arrival - times[1], period: period)
      }
      throw CancellationError()
    }
    #expect(delays.period > .seconds(1))
    #expect(abs((delays.first - delays.period * 2) / .milliseconds(1)) < 50, "\(delays)")
  }

  @Test func whoTakesEachSampleAtOnceDecidesForAll() async throws {
    let game = Game { $0.latency = .milliseconds(20) }
    let (_, line) = try await play(game) { robot in
      let patient = try await robot.samples(Self.request, reportLatency: .milliseconds(200))
      try await game.time.sleep(for: .seconds(1))
      let other = try await robot.samples(Self.request, reportLatency: .milliseconds(50))
      try await game.time.sleep(for: .seconds(2))
      let hasty = try await robot.samples(Self.request)
      try await game.time.sleep(for: .seconds(2))
      hasty.end()
      try await game.time.sleep(for: .seconds(3))
      for samples in [patient, other] { samples.end() }
    }
    let latencies = line.latencies.withLock { $0 }
    #expect(Set(latencies) == [.zero, .milliseconds(50), .milliseconds(200)])
  }

  @Test func aRobotThatFallsSilentIsMissedAsSoon() async throws {
    var silences: [Duration] = []
    for latency in [Duration.zero, .milliseconds(100)] {
      let game = Game { $0.latency = .milliseconds(20) }
      let faults = [Fault(.drop, of: .fromRobot, at: 500..<100_000)]
      let (taken, _) = try await play(game, faults: faults) { robot -> (count: Int, end: Duration) in
        let samples = try await robot.samples(Self.request, reportLatency: latency)
        let told = Task(executorPreference: game.time) {
          for try await notice in await robot.notices() where caseName(of: notice) == "silence" { break }
          samples.end()
          return game.time.now
        }
        var count = 0
        for try await _ in samples { count += 1 }
        return (count, try await told.value)
      }
      #expect(taken.count > 400)
      silences.append(taken.end)
    }
    #expect(silences.count == 2)
    #expect(abs((silences[0] - silences[1]) / .milliseconds(1)) < 5, "\(silences)")
  }
}
