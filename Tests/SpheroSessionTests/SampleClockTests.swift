// The rate and the times of samples with jitter, for synthetic streams.

import SpheroSession
import TestSupport
import Testing

@Suite(.ownThread) struct SampleClockTests {
  private static let seed: UInt64 = 0x5EED_C10C

  /// Arrivals at 420 Hz divided by 9, late by up to 30 ms, in packets, with occasional stalls.
  private func arrivals(_ count: Int, interval: Double, perPacket: Int) -> [Double] {
    var random = SeededGenerator(seed: Self.seed)
    var (last, stalledUntil) = (0.0, 0.0)
    return (0..<count).map { index in
      let packet = Double((index / perPacket + 1) * perPacket - 1)
      if index.isMultiple(of: perPacket) {
        if random.isTrue(0.01) {
          stalledUntil = packet * interval + Double.random(in: 0.2...1.5, using: &random)
        }
        last = max(last, stalledUntil, packet * interval + Double.random(in: 0...0.03, using: &random))
      }
      return 1000 + last
    }
  }

  @Test(arguments: [1, 4])
  func findsTheRateInJitterAndStalls(perPacket: Int) throws {
    let interval = 9.0 / 420
    var clock = try #require(SampleClock(nominalRate: 400.0 / 9))
    let times = arrivals(6000, interval: interval, perPacket: perPacket).map { clock($0) }
    #expect(abs(clock.interval / interval - 1) < 2e-4, "\(clock.sampleRate) Hz, seed \(Self.seed)")
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 > 0 })
    #expect(steps.suffix(1000).allSatisfy { abs($0 / interval - 1) < 1e-3 })
  }

  @Test func halfAMinuteIsAccurateToAThousandth() throws {
    let interval = 9.0 / 420
    var clock = try #require(SampleClock(nominalRate: 400.0 / 9))
    for arrival in arrivals(1400, interval: interval, perPacket: 1) { _ = clock(arrival) }
    #expect(abs(clock.interval / interval - 1) < 1e-3, "\(clock.sampleRate) Hz, seed \(Self.seed)")
  }

  /// A session rejects such a clock error; a clock for samples of another source accepts it.
  @Test(arguments: [10.0, 100.0]) func aRateFarFromTheNominalOneIsFound(nominal: Double) throws {
    var clock = try #require(SampleClock(nominalRate: nominal))
    for index in 0..<3_000 { _ = clock(Double(index) / 25) }
    #expect(abs(clock.sampleRate / 25 - 1) < 1e-6, "\(clock.sampleRate) Hz")
    clock.reset()
    #expect(clock.interval == 1 / nominal && clock(7) == 7)
  }

  @Test func knownLossesKeepTheRate() throws {
    let interval = 0.02
    var clock = try #require(SampleClock(nominalRate: 45))
    for index in 0..<3000 where !(index % 500 > 450) {
      if index % 500 == 0, index > 0 { clock.skip(49) }
      _ = clock(Double(index) * interval)
    }
    #expect(abs(clock.interval / interval - 1) < 1e-6, "\(clock.sampleRate) Hz")
  }

  @Test func noArrivalGivesNaN() {
    var random = SeededGenerator(seed: Self.seed)
    for _ in 0..<20 {
      guard var clock = SampleClock(nominalRate: abs(random.awkwardNumber())) else { continue }
      for _ in 0..<300 {
        let time = clock(random.awkwardNumber())
        if random.next() % 50 == 0 { clock.skip(Int(truncatingIfNeeded: random.next())) }
        #expect(time.isFinite && clock.interval > 0 && clock.sampleRate.isFinite, "seed \(Self.seed)")
      }
    }
    for rate in [0, -1, .nan, .infinity] { #expect(SampleClock(nominalRate: rate) == nil) }
  }
}

extension SeededGenerator {
  /// A number that is a special value with a probability of one half.
  fileprivate mutating func awkwardNumber() -> Double {
    let numbers = [
      0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e-162, -1e-17,
      1, -1, 1e11, -1e11, 1e154, 1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .infinity,
      -.infinity, .nan,
    ]
    return Bool.random(using: &self)
      ? Double.random(in: -1...1, using: &self) : numbers.randomElement(using: &self) ?? 0
  }
}
