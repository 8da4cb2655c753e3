// The filter of the values of a table: a low pass and a high pass, each by a cut-off or by a factor.

package import SpheroOrientation

/// An optional low pass, followed by an optional high pass.
package struct SignalFilter: Sendable {
  /// A filter of first order that starts at the first value, except ``printedHighPass(_:)``, which starts at zero.
  package enum Stage: Hashable, Sendable {
    /// A `TimedLowPassFilter`.
    case lowPass(TimeConstant)
    /// A `LowPassFilter`, whose cut-off depends on the sample rate.
    case lowPassFactor(SmoothingFactor)
    /// A `TimedHighPassFilter`.
    case highPass(TimeConstant)
    /// A `HighPassFilter`, whose cut-off depends on the sample rate.
    case highPassFactor(SmoothingFactor)
    /// A `PrintedHighPassFilter`: often published as a high pass, it is a low pass with gain.
    case printedHighPass(SmoothingFactor)
  }

  private enum State: Sendable {
    case lowPass(TimedLowPassFilter<Double>)
    case lowPassFactor(LowPassFilter<Double>)
    case highPass(TimedHighPassFilter<Double>)
    case highPassFactor(HighPassFilter<Double>)
    case printedHighPass(PrintedHighPassFilter<Double>)

    init(_ stage: Stage) {
      switch stage {
      case .lowPass(let time): self = .lowPass(TimedFilter(timeConstant: time, rule: .exactCutoff))
      case .lowPassFactor(let factor): self = .lowPassFactor(LowPassFilter(factor: factor))
      case .highPass(let time): self = .highPass(TimedFilter(timeConstant: time, rule: .exactCutoff))
      case .highPassFactor(let factor): self = .highPassFactor(HighPassFilter(factor: factor))
      case .printedHighPass(let factor): self = .printedHighPass(PrintedHighPassFilter(factor: factor))
      }
    }

    mutating func callAsFunction(_ value: Double, after interval: Double) -> Double {
      switch self {
      case .lowPass(var filter):
        defer { self = .lowPass(filter) }
        return filter(value, after: interval)
      case .lowPassFactor(var filter):
        defer { self = .lowPassFactor(filter) }
        return filter(value)
      case .highPass(var filter):
        defer { self = .highPass(filter) }
        return filter(value, after: interval)
      case .highPassFactor(var filter):
        defer { self = .highPassFactor(filter) }
        return filter(value)
      case .printedHighPass(var filter):
        defer { self = .printedHighPass(filter) }
        return filter(value)
      }
    }
  }

  private var low: State?
  private var high: State?
  /// The seconds from the last sample with a value to the latest sample.
  private var skipped = 0.0

  /// Creates a filter; either stage may be of any kind.
  package init(low: Stage? = nil, high: Stage? = nil) {
    (self.low, self.high) = (low.map { State($0) }, high.map { State($0) })
  }

  /// Whether there is a low pass or a high pass.
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
