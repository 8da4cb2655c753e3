// Every filter against every row of the table.
import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

/// The table `filters.json`, made with numpy and scipy.signal.
struct FilterTable: Decodable {
  struct FactorRow: Decodable {
    var factor: Double
    var cutoffPerSampleRate: Double?
    var timeConstantSamples: Double
    var halfLifeSamples: Double
    var noisePowerGain: Double
    var noiseStdGain: Double
    var step90PctSamples: Double
    var groupDelayDcSamples: Double
    var seedHighPassDcGain: Double
    var complementHighPassNyquistGain: Double
  }

  /// A filtered signal; the samples are numbers or triples.
  struct Case: Decodable {
    enum Signal: Decodable {
      case scalars([Double])
      case vectors([Vector3])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let scalars = try? container.decode([Double].self) {
          self = .scalars(scalars)
        } else {
          self = .vectors(try container.decode([[Double]].self).map { Vector3($0) })
        }
      }
    }

    var filter: String
    var signal: String
    var start: String
    var x: Signal
    var y: Signal
    var factor: Double?
    var dcGain: Double?
    var nyquistGain: Double?
    var cutoffHz: Double?
    var discretisation: String?
    var dt: [Double]?
    var sampleRate: Double?
    var a: [Double]?
    var b: [Double]?
    var rate: Double?
    var cutoff: Double?
    var adaptive: Bool?
    var twoPi: Bool?

    var name: String { "\(filter) \(signal) \(start)" }
    var startsAtZero: Bool { start == "zero" || start == "zero_history" }
    /// The tolerance for rounding; for poles near 1, rounding of a1 and a2 is amplified by 1 / (1 + a1 + a2).
    var tolerance: Double {
      let sum = a?.reduce(0, +) ?? 1
      return 1e-14 / min(sum, 0.2)
    }
    var rule: TimeConstant.Rule { discretisation == "exact" ? .exact : .backwardEuler }
  }

  var factorTable: [FactorRow]
  var cases: [Case]
}

/// The largest difference between two signals of the same length, as a share of 1 or of the largest value.
private func difference<Value: VectorSpace>(_ a: [Value], _ b: [Value]) throws -> Double {
  try #require(a.count == b.count)
  let scale = max(1, b.map(\.magnitude).max() ?? 1)
  return (zip(a, b).map { ($0 - $1).magnitude }.max() ?? 0) / scale
}

@Suite(.ownThread) struct FilterTableTests {
  let table: FilterTable

  init() throws {
    table = try Fixture.table("filters")
  }

  @Test func factorsMatchTheTable() throws {
    #expect(table.factorTable.count >= 11)
    for row in table.factorTable {
      let factor = try #require(SmoothingFactor(row.factor))
      let cutoff = factor.cutoff(sampleRate: 1)
      #expect((cutoff == nil) == (row.cutoffPerSampleRate == nil), "\(row.factor)")
      if let cutoff, let expected = row.cutoffPerSampleRate {
        // acos(1 - small) in the table has lost digits.
        #expect(abs(cutoff / expected - 1) < 1e-8, "\(row.factor)")
        let back = try #require(SmoothingFactor(cutoff: cutoff, sampleRate: 1))
        #expect(abs(back.value / row.factor - 1) < 1e-12, "\(row.factor)")
      }
      func expect(_ value: Double?, _ expected: Double) throws {
        let value = try #require(value)
        #expect(abs(value - expected) <= 1e-12 * max(abs(expected), 1), "\(row.factor)")
      }
      let time = try #require(factor.timeConstant(interval: 1))
      try expect(time.seconds, row.timeConstantSamples)
      try expect(time.factor(over: 1).value, row.factor)
      try expect(factor.samples(toReach: 0.5), row.halfLifeSamples)
      try expect(factor.samples(toReach: 0.9), row.step90PctSamples)
      try expect(factor.noisePowerGain, row.noisePowerGain)
      try expect(factor.noisePowerGain.squareRoot(), row.noiseStdGain)
      try expect(factor.delay, row.groupDelayDcSamples)
      try expect(
        PrintedHighPassFilter<Double>(factor: factor).constantGain, row.seedHighPassDcGain)
      // The highest frequency, in the steady state.
      let fastest = (0..<40_000).map { $0.isMultiple(of: 2) ? 1.0 : -1.0 }.highPass(factor: factor)
      try expect(abs(fastest[39_999]), row.complementHighPassNyquistGain)
    }
  }

  @Test func signalsMatchTheTable() throws {
    #expect(table.cases.count >= 239)
    for row in table.cases {
      let worst: Double
      switch (row.x, row.y) {
      case (.scalars(let x), .scalars(let y)): worst = try difference(output(of: row, for: x, zero: 0), y)
      case (.vectors(let x), .vectors(let y)): worst = try difference(output(of: row, for: x, zero: .zero), y)
      default: worst = .infinity
      }
      #expect(worst <= row.tolerance, "\(row.name): \(worst)")
    }
  }

  /// Filters a signal with the filter of a row.
  private func output<Value: VectorSpace>(
    of row: FilterTable.Case, for signal: [Value], zero: Value
  ) throws -> [Value] {
    let history = row.startsAtZero ? zero : nil
    switch row.filter {
    case "low_pass_factor":
      let factor = try needed(SmoothingFactor(try needed(row.factor)))
      return signal.processed(by: LowPassFilter(factor: factor, history: history))
    case "high_pass_complement":
      let factor = try needed(SmoothingFactor(try needed(row.factor)))
      return signal.processed(by: HighPassFilter(factor: factor, history: history))
    case "high_pass_seed_flawed":
      let factor = try needed(SmoothingFactor(try needed(row.factor)))
      let filter = PrintedHighPassFilter<Value>(factor: factor)
      #expect(abs(try needed(filter.constantGain) - (try needed(row.dcGain))) < 1e-12)
      return signal.processed(by: filter)
    case "low_pass_time":
      let time = try needed(TimeConstant(cutoff: try needed(row.cutoffHz)))
      var filter = TimedLowPassFilter(timeConstant: time, rule: row.rule, history: history)
      return zip(signal, try needed(row.dt)).map { filter($0, after: $1) }
    case "high_pass_time":
      let time = try needed(TimeConstant(cutoff: try needed(row.cutoffHz)))
      var filter = TimedHighPassFilter(timeConstant: time, rule: row.rule, history: history)
      return zip(signal, try needed(row.dt)).map { filter($0, after: $1) }
    case "butterworth2_lowpass", "butterworth2_highpass":
      let filter = try needed(
        ButterworthFilter(
          row.filter.hasSuffix("lowpass") ? .lowPass : .highPass, cutoff: try needed(row.cutoffHz),
          sampleRate: try needed(row.sampleRate), history: history))
      let (b0, b1, b2, a1, a2) = filter.coefficients
      #expect(try difference([b0, b1, b2], try needed(row.b)) < 1e-13, "\(row.name)")
      #expect(try difference([1, a1, a2], try needed(row.a)) < 1e-13, "\(row.name)")
      return signal.processed(by: filter)
    case "apple_accelerometer_graph_low", "apple_accelerometer_graph_high":
      return try accelerometerGraph(row, signal, zero: zero)
    default:
      Issue.record("no filter for \(row.name)")
      return []
    }
  }

  /// Returns a value that a row must have.
  private func needed<Value>(_ value: Value?) throws -> Value { try #require(value) }

  private func accelerometerGraph<Value: VectorSpace>(
    _ row: FilterTable.Case, _ signal: [Value], zero: Value
  ) throws -> [Value] {
    let cutoff = try needed(row.cutoff)
    let time = try needed(
      row.twoPi == true ? TimeConstant(cutoff: cutoff) : TimeConstant(seconds: 1 / cutoff))
    let factor = time.factor(over: 1 / (try needed(row.rate)), rule: .backwardEuler)
    let isLow = row.filter.hasSuffix("low")
    switch (row.adaptive == true, isLow) {
    case (false, true): return signal.processed(by: LowPassFilter(factor: factor, history: zero))
    case (false, false): return signal.processed(by: HighPassFilter(factor: factor, history: zero))
    case (true, true): return signal.processed(by: AdaptiveLowPassFilter(factor: factor))
    case (true, false): return signal.processed(by: AdaptiveHighPassFilter(factor: factor))
    }
  }
}
