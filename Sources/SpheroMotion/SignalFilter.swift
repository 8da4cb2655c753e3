// The filter of the values of a table: a low pass and a high pass, each by a cut-off or by a factor.

package import SpheroOrientation

/// An optional low pass, followed by an optional high pass.
package struct SignalFilter: Sendable {
  /// A filter of first order that starts at the first value, except `printedHigh`, which starts at zero.
  package enum Stage: Sendable {
    case timedLow(TimedLowPassFilter<Double>)
    /// The cut-off depends on the sample rate.
    case low(LowPassFilter<Double>)
    case timedHigh(TimedHighPassFilter<Double>)
    /// The cut-off depends on the sample rate.
    case high(HighPassFilter<Double>)
    /// Often published as a high pass, it is a low pass with gain.
    case printedHigh(PrintedHighPassFilter<Double>)

    package static func lowPass(_ time: TimeConstant) -> Stage {
      .timedLow(TimedFilter(timeConstant: time, rule: .exactCutoff))
    }
    package static func highPass(_ time: TimeConstant) -> Stage {
      .timedHigh(TimedFilter(timeConstant: time, rule: .exactCutoff))
    }

    fileprivate mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
      switch self {
      case .timedLow(var filter):
        defer { self = .timedLow(filter) }
        return filter(value, after: interval)
      case .low(var filter):
        defer { self = .low(filter) }
        return filter(value)
      case .timedHigh(var filter):
        defer { self = .timedHigh(filter) }
        return filter(value, after: interval)
      case .high(var filter):
        defer { self = .high(filter) }
        return filter(value)
      case .printedHigh(var filter):
        defer { self = .printedHigh(filter) }
        return filter(value)
      }
    }
  }

  private var low: Stage?
  private var high: Stage?
  /// The seconds from the last sample with a value to the latest sample.
  private var skipped = 0.0

  package init(low: Stage? = nil, high: Stage? = nil) { (self.low, self.high) = (low, high) }

  package var isOn: Bool { low != nil || high != nil }

  /// Skips a sample without a value, measured `interval` seconds after the previous sample.
  package mutating func skip(after interval: Double) { skipped += interval }

  /// Filters a value measured `interval` seconds after the previous sample.
  package mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
    let interval = interval + skipped
    skipped = 0
    let smooth = low?(value, after: interval) ?? value
    return high?(smooth, after: interval) ?? smooth
  }
}
