// Filters beyond the table: constants, sines, gaps, invalid input and sequences.
import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct FilterTests {
  private static let seed: UInt64 = 0x5EED_F117

  /// Every filter of one value type, as a function of sample and interval.
  private func filters<Value: VectorSpace>(of type: Value.Type) throws -> [(String, (Value, Double) -> Value)]
  {
    func evenly(_ filter: some SampleFilter<Value>) -> (Value, Double) -> Value {
      var filter = filter
      return { sample, _ in filter(sample) }
    }
    let time = try #require(TimeConstant(seconds: 0.1))
    var low = TimedLowPassFilter<Value>(timeConstant: time)
    var high = TimedHighPassFilter<Value>(timeConstant: time)
    var smooth = TimedButterworthFilter<Value>(timeConstant: time)
    var mean = TimedButterworthFilter<Value>(timeConstant: time, start: .mean)
    let second = try #require(ButterworthFilter<Value>(.lowPass, cutoff: 3, sampleRate: 50))
    let secondHigh = try #require(ButterworthFilter<Value>(.highPass, cutoff: 3, sampleRate: 50))
    return [
      ("low", evenly(LowPassFilter(factor: 0.1))),
      ("high", evenly(HighPassFilter(factor: 0.1))),
      ("printed", evenly(PrintedHighPassFilter(factor: 0.1))),
      ("adaptive low", evenly(AdaptiveLowPassFilter(factor: 0.1))),
      ("adaptive high", evenly(AdaptiveHighPassFilter(factor: 0.1))),
      ("Butterworth low", evenly(second)),
      ("Butterworth high", evenly(secondHigh)),
      ("timed low", { low($0, after: $1) }),
      ("timed high", { high($0, after: $1) }),
      ("timed Butterworth", { smooth($0, after: $1) }),
      ("timed Butterworth, mean", { mean($0, after: $1) }),
    ]
  }

  @Test func everyInputGivesFiniteResults() throws {
    for (name, filter) in try filters(of: Double.self) {
      var random = SeededGenerator(seed: Self.seed)
      for _ in 0..<4000 {
        let (sample, interval) = (random.awkwardNumber(), random.awkwardNumber())
        let output = filter(sample, interval)
        #expect(output.isFinite, "\(name), seed \(Self.seed): \(sample) after \(interval)")
      }
    }
    for (name, filter) in try filters(of: Vector3.self) {
      var random = SeededGenerator(seed: Self.seed)
      for _ in 0..<4000 {
        let (sample, interval) = (random.awkwardVector(), random.awkwardNumber())
        let output = filter(sample, interval)
        #expect(output.isFinite, "\(name), seed \(Self.seed): \(sample) after \(interval)")
      }
    }
  }

  @Test func lostSamplesDoNotChangeTheState() throws {
    let clean = try filters(of: Double.self)
    let disturbed = try filters(of: Double.self)
    for ((name, filter), (_, other)) in zip(clean, disturbed) {
      var random = SeededGenerator(seed: Self.seed)
      for count in 0..<200 {
        let sample = random.number()
        let expected = filter(sample, 0.02)
        if count.isMultiple(of: 7) {
          let held = other(.nan, 0)
          #expect(held.isFinite)
          _ = other(.infinity, 0)
        }
        #expect(other(sample, 0.02) == expected, "\(name), seed \(Self.seed), sample \(count)")
      }
    }
  }

  @Test func printedHighPassHasAGainOfNine() throws {
    let printed = Array(repeating: -1.0, count: 400).processed(by: PrintedHighPassFilter(factor: 0.1))
    #expect(abs(try #require(printed.last) + 9) < 1e-12)
    let right = Array(repeating: -1.0, count: 400).highPass(factor: 0.1)
    #expect(right.allSatisfy { $0 == 0 })
  }

  @Test func lowAndHighPassAddUpToTheInput() throws {
    var random = SeededGenerator(seed: Self.seed)
    let time = try #require(TimeConstant(cutoff: 2))
    var low = TimedLowPassFilter<Vector3>(timeConstant: time)
    var high = TimedHighPassFilter<Vector3>(timeConstant: time)
    for _ in 0..<500 {
      let (sample, interval) = (random.vector(), abs(random.number()) * 0.1)
      let sum = low(sample, after: interval) + high(sample, after: interval)
      #expect((sum - sample).length < 1e-15, "seed \(Self.seed)")
    }
  }

  @Test(arguments: [0.01, 0.1, 0.3, 0.5, 0.8])
  func cutoffHalvesThePower(factor value: Double) throws {
    let factor = try #require(SmoothingFactor(value))
    let cutoff = try #require(factor.cutoff(sampleRate: 100))
    let count = 20_000
    let tone = (0..<count).map { sin(2 * .pi * cutoff / 100 * Double($0)) }
    let power = tone.lowPass(factor: factor).suffix(count / 2).map { $0 * $0 }.reduce(0, +)
    let before = tone.suffix(count / 2).map { $0 * $0 }.reduce(0, +)
    #expect(abs(power / before - 0.5) < 2e-3)
  }

  private static func timed<Base: FirstOrderFilter>(_: Base, _ time: TimeConstant) -> TimedFilter<Base> {
    TimedFilter(timeConstant: time, rule: .exactCutoff)
  }

  @Test(arguments: [0.5, 5, 20, 40, 49])
  func exactCutoffHalvesThePowerAtEvenIntervals(hertz: Double) throws {
    let time = try #require(TimeConstant(cutoff: hertz))
    func power(_ filter: some FirstOrderFilter<Double>) -> Double {
      var filter = Self.timed(filter, time)
      var (before, after) = (0.0, 0.0)
      for index in 0..<40_000 {
        let sample = sin(2 * .pi * hertz / 100 * Double(index) + 1)
        let output = filter(sample, after: 0.01)
        if index >= 20_000 { (before, after) = (before + sample * sample, after + output * output) }
      }
      return after / before
    }
    #expect(abs(power(LowPassFilter<Double>(factor: 0.0)) - 0.5) < 2e-3)
    #expect(abs(power(HighPassFilter<Double>(factor: 0.0)) - 0.5) < 2e-3)
  }

  @Test func intervalsThatVaryAboutHalfAPeriodHaveTheSameFactor() throws {
    let time = try #require(TimeConstant(cutoff: 50))
    for interval in [0.00999, 0.01, 0.010003] {
      let factor = time.factor(over: interval, rule: .exactCutoff).value
      // 2 (sqrt 2 - 1), the largest factor that has a cut-off.
      #expect(abs(factor - 0.8284) < 1e-3, "\(interval) s: \(factor)")
    }
  }

  @Test func exactCutoffDiscardsTheStateAfterALongGap() throws {
    let time = try #require(TimeConstant(cutoff: 20))
    var low = TimedLowPassFilter<Double>(timeConstant: time, rule: .exactCutoff, history: 5)
    var high = TimedHighPassFilter<Double>(timeConstant: time, rule: .exactCutoff, history: 5)
    #expect(low(1, after: .infinity) == 1)
    #expect(high(1, after: 1e9) == 0)
    #expect(low(3, after: 0) == 1)
    #expect(time.factor(over: 0.026, rule: .exactCutoff) == time.factor(over: 0.026))
  }

  @Test func timedButterworthMatchesTheAnalogFilter() throws {
    // The amplitude is 1 / sqrt(1 + (f / fc)^4) for any intervals.
    let time = try #require(TimeConstant(seconds: 0.5))
    let cutoff = 2.0.squareRoot() / (2 * .pi * 0.5)
    for ratio in [0.25, 1, 3] {
      var random = SeededGenerator(seed: Self.seed)
      var filter = TimedButterworthFilter<Double>(timeConstant: time)
      var (now, peak) = (0.0, 0.0)
      while now < 40 / cutoff / ratio {
        let interval = random.number(0.0002...0.002)
        now += interval
        let output = filter(sin(2 * .pi * cutoff * ratio * now), after: interval)
        if now > 20 / cutoff / ratio { peak = max(peak, output) }
      }
      let expected = 1 / (1 + pow(ratio, 4)).squareRoot()
      #expect(abs(peak / expected - 1) < 0.01, "\(ratio): \(peak) for \(expected), seed \(Self.seed)")
    }
  }

  @Test func timedFiltersHoldAtZeroIntervalsAndForgetAfterGaps() throws {
    let time = try #require(TimeConstant(seconds: 1))
    var first = TimedLowPassFilter<Double>(timeConstant: time)
    var second = TimedButterworthFilter<Double>(timeConstant: time)
    for _ in 0..<10 { (_, _) = (first(1, after: 0.1), second(1, after: 0.1)) }
    #expect(first(5, after: 0) == 1)
    #expect(second(5, after: 0) == 1)
    #expect(first(-3, after: .infinity) == -3)
    #expect(second(-3, after: 1e300) == 1)  // the mean of the two samples that bound the gap
    #expect(second(-3, after: 1e300) == -3)
  }

  @Test func intervalsOfLostSamplesAreAdded() throws {
    let time = try #require(TimeConstant(seconds: 1))
    var whole = TimedLowPassFilter<Double>(timeConstant: time, history: 0)
    var holed = TimedLowPassFilter<Double>(timeConstant: time, history: 0)
    _ = holed(.nan, after: 0.3)
    #expect(holed(1, after: 0.2) == whole(1, after: 0.5))
  }

  @Test func invalidSettingsAreRejected() {
    for value in [Double.nan, -0.1, 1.1, .infinity] { #expect(SmoothingFactor(value) == nil) }
    for value in [Double.nan, 0, -1, .infinity] {
      #expect(TimeConstant(seconds: value) == nil)
      #expect(TimeConstant(cutoff: value) == nil)
      #expect(SmoothingFactor(cutoff: value, sampleRate: 100) == nil)
      #expect(SmoothingFactor(cutoff: 1, sampleRate: value) == nil)
      #expect(ButterworthFilter<Double>(.lowPass, cutoff: value, sampleRate: 100) == nil)
    }
    #expect(ButterworthFilter<Double>(.highPass, cutoff: 50, sampleRate: 100) == nil)
    #expect(ButterworthFilter<Double>(.lowPass, cutoff: 0.9e-6, sampleRate: 1) == nil)
    let factor: SmoothingFactor = 7.5
    #expect(factor.value == 1)
  }

  /// Rounding of the coefficients must not change the gain, which is 1.
  @Test(arguments: [1e-6, 1e-5, 0.1, 0.49]) func aConstantPassesALowPass(_ ratio: Double) throws {
    var filter = try #require(ButterworthFilter<Double>(.lowPass, cutoff: ratio, sampleRate: 1, history: 1))
    var output = 0.0
    for _ in 0..<100_000 { output = filter(1) }
    #expect(abs(output - 1) < 1e-5)
  }

  @Test func noFactorOrTimeGivesNaN() {
    var random = SeededGenerator(seed: Self.seed)
    for _ in 0..<4000 {
      let (a, b) = (random.awkwardNumber(), random.awkwardNumber())
      if let time = TimeConstant(seconds: abs(a)) {
        for rule in TimeConstant.Rule.allCases {
          #expect((0...1).contains(time.factor(over: b, rule: rule).value), "\(a) \(b)")
        }
        #expect(time.cutoff.isFinite, "\(a)")
      }
      let factor = SmoothingFactor(cutoff: a, sampleRate: b) ?? SmoothingFactor(a) ?? 0.5
      #expect((0...1).contains(factor.value), "\(a) \(b)")
      for value in [
        factor.cutoff(sampleRate: b), factor.delay, factor.samples(toReach: b),
        factor.timeConstant(interval: b)?.seconds, factor.noisePowerGain,
      ] { #expect(value?.isFinite != false, "\(a) \(b)") }
    }
  }

  @Test func adaptiveFiltersReduceSmallChanges() {
    // A change of one and a half steps gives d = 0.5.
    var low = AdaptiveLowPassFilter<Double>(factor: 0.3, step: 0.02, history: 1)
    #expect(abs(low(1.03) - (1 + 0.3 * (0.5 + 0.5 / 3) * 0.03)) < 1e-15)
    var high = AdaptiveHighPassFilter<Double>(factor: 0.3, step: 0.02, history: 0)
    #expect(abs(high(0.03) - 0.7 * (0.5 / 3 + 0.5) * 0.03) < 1e-15)
    // Changes up to a step give a third of the factor.
    var calm = AdaptiveLowPassFilter<Vector3>(factor: 0.3, step: 0.02, history: Vector3(1, 0, 0))
    #expect((calm(Vector3(1.01, 0, 0)) - Vector3(1.001, 0, 0)).length < 1e-15)
  }

  @Test func resetDiscardsAllSamples() throws {
    var filter = try #require(ButterworthFilter<Double>(.lowPass, cutoff: 2, sampleRate: 50))
    let signal = [1, 4, -2, 0.5]
    let once = signal.map { filter($0) }
    filter.reset()
    #expect(signal.map { filter($0) } == once)
  }

  @Test func asynchronousSequencesAreFilteredLikeArrays() async throws {
    let signal = [1, 4, -2, .nan, 0.5, 3]
    let (stream, continuation) = AsyncStream.makeStream(of: Double.self)
    for sample in signal { continuation.yield(sample) }
    continuation.finish()
    var arrived: [Double] = []
    for await sample in stream.lowPass(factor: 0.3) { arrived.append(sample) }
    #expect(arrived == signal.lowPass(factor: 0.3))
  }
}
