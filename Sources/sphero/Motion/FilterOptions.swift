// The options of filters.

import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A cut-off frequency. Below 1 Hz the unit is required, since a number without unit may be meant as a factor.
struct Frequency: Argument {
  let hertz: Double
  let timeConstant: TimeConstant

  private static let unit = "hz"

  init?(argument: String) {
    guard let frequency = Self(written: argument), frequency.hertz >= 1 || Self.hasUnit(argument) else {
      return nil
    }
    self = frequency
  }

  private init?(written text: String) {
    guard let hertz = Double(decimal: Self.hasUnit(text) ? String(text.dropLast(Self.unit.count)) : text),
      hertz.isFinite, let timeConstant = TimeConstant(cutoff: hertz)
    else { return nil }
    (self.hertz, self.timeConstant) = (hertz, timeConstant)
  }

  fileprivate static func hasUnit(_ text: String) -> Bool { text.lowercased().hasSuffix(unit) }

  static let valueKind = ValueKind(
    placeholder: "hz",
    allowed: "a frequency above 0, at most half the sample rate; below 1 Hz with its unit, like 0.5hz")

  static func rejection(of word: String, of name: String) -> UsageError? {
    guard Self(written: word) != nil else { return nil }
    return UsageError(
      "\(name): '\(word)' can be a frequency in Hz or a filter factor",
      advice: "Write '\(name) \(word)\(unit)' or '\(name)-factor \(word)'.")
  }
}

extension SmoothingFactor: Argument {
  init?(argument: String) {
    guard let value = Double(decimal: argument), value > 0 else { return nil }
    self.init(value)
  }

  static let valueKind = ValueKind(placeholder: "factor", allowed: "above 0, at most 1")

  static func rejection(of word: String, of name: String) -> UsageError? {
    let isFrequency = Frequency.hasUnit(word) || (Double(decimal: word) ?? 0) > 1
    guard isFrequency, Frequency(argument: word) != nil else { return nil }
    // `--printed-high-pass-factor` has no counterpart with a frequency; `--high-pass` is the nearest option.
    let other = name.dropLast("-factor".count).replacing("printed-", with: "")
    return UsageError(
      "'\(word)' is not a value for \(name): a filter factor is above 0 and at most 1",
      advice: "A cut-off in Hz is '\(other) \(word)'.")
  }
}

struct FilterOptions: Sendable {
  private var lowPass: Frequency?
  private var lowPassFactor: SmoothingFactor?
  private var highPass: Frequency?
  private var highPassFactor: SmoothingFactor?
  private var printedHighPassFactor: SmoothingFactor?
  private(set) var showsUnfiltered = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "low-pass", nil, &lowPass,
      "Low-pass filter for all but angles and attitudes: causal, of first order, -3 dB at this frequency in Hz."
    )
    try line.option(
      "low-pass-factor", nil, &lowPassFactor,
      "Low-pass filter by the weight F of the newest value, at any sample rate: y = F x + (1 - F) y1.")
    try line.option(
      "high-pass", nil, &highPass,
      "High-pass filter for the same values: causal, of first order, -3 dB at this frequency in Hz.")
    try line.option(
      "high-pass-factor", nil, &highPassFactor,
      "High-pass filter by factor: y = (1 - F) (y1 + x - x1), which is x minus the low pass.")
    try line.option(
      "printed-high-pass-factor", nil, &printedHighPassFactor,
      "The formula that is often printed as a high pass, y = x - F x + (1 - F) y1: a low pass with the gain (1 - F) / F, which starts at 0."
    )
    try line.flag(
      "unfiltered", nil, &showsUnfiltered,
      "Also the unfiltered values; the names of the filtered ones then contain _filtered.")
    let reason = "each is a filter of the same kind"
    try line.conflict("low-pass", "low-pass-factor", reason)
    try line.conflict("high-pass", "high-pass-factor", reason)
    try line.conflict("high-pass", "printed-high-pass-factor", reason)
    try line.conflict("high-pass-factor", "printed-high-pass-factor", reason)
  }

  var filter: SignalFilter {
    let low =
      lowPass.map { SignalFilter.Stage.lowPass($0.timeConstant) }
      ?? lowPassFactor.map { .low(LowPassFilter(factor: $0)) }
    let high =
      highPass.map { SignalFilter.Stage.highPass($0.timeConstant) }
      ?? highPassFactor.map { .high(HighPassFilter(factor: $0)) }
      ?? printedHighPassFactor.map { .printedHigh(PrintedHighPassFilter(factor: $0)) }
    return SignalFilter(low: low, high: high)
  }

  private var given: [(name: String, cutoff: Frequency?)] {
    let filters: [(String, isGiven: Bool, Frequency?)] = [
      ("--low-pass", lowPass != nil, lowPass), ("--low-pass-factor", lowPassFactor != nil, nil),
      ("--high-pass", highPass != nil, highPass), ("--high-pass-factor", highPassFactor != nil, nil),
      ("--printed-high-pass-factor", printedHighPassFactor != nil, nil),
    ]
    return filters.filter(\.isGiven).map { ($0.0, $0.2) }
  }

  var givenOptions: [String] { given.map(\.name) + (showsUnfiltered ? ["--unfiltered"] : []) }

  /// Checks the combination of options; nil for fields or a divisor that the recording states later.
  func validate(_ fields: StreamFields?, isRaw: Bool, divisor: Int?) throws(UsageError) {
    for (name, cutoff) in given {
      if isRaw { throw UsageError("'--raw' prints what is on the wire; leave out '\(name)'") }
      // Half of the sample rate, which is 400 Hz divided by the divisor.
      if let cutoff, let limit = divisor.map({ 200 / Double($0) }), cutoff.hertz > limit {
        throw UsageError(
          "'\(name)' is above half the sample rate, which is \(limit.shortText) Hz; "
            + "lower it; a stream can also sample faster, with a smaller '--divisor'")
      }
      if let fields, !fields.hasMotion, !fields.mask.fields.contains(where: \.isFilterable) {
        throw UsageError(
          "'\(name)' has nothing to filter: angles and quaternions are left alone; "
            + "try '--mask accel,gyro' or '--mask motion'")
      }
    }
    if let lowPass, let highPass, highPass.hertz >= lowPass.hertz {
      throw UsageError("'--high-pass' must be below '--low-pass': between them is what is left")
    }
    if let lowPassFactor, let highPassFactor, highPassFactor.value >= lowPassFactor.value {
      throw UsageError("'--high-pass-factor' must be below '--low-pass-factor': between them is what is left")
    }
    if showsUnfiltered, given.isEmpty {
      throw UsageError(
        "'--unfiltered' is for values that are filtered as well: add a filter, like '--low-pass 2'")
    }
  }
}
