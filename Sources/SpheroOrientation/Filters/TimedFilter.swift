// First-order filters for samples that do not come at even intervals.

/// A first-order filter whose factor follows from a time constant and the time between samples.
///
/// No time leaves the state as it is, a long gap forgets it.
/// The time of a sample that is not finite is added to that of the next.
public struct TimedFilter<Base: FirstOrderFilter>: Sendable {
  /// The time after which all but 1/e of the past is forgotten.
  public var timeConstant: TimeConstant
  /// How the time constant becomes the factor of a step.
  public var rule: TimeConstant.Rule
  @usableFromInline var base: Base
  @usableFromInline var elapsed = 0.0

  /// Makes a filter as if `history` had come in for ever; nil means the first sample.
  public init(timeConstant: TimeConstant, rule: TimeConstant.Rule = .exact, history: Base.Value? = nil) {
    self.timeConstant = timeConstant
    self.rule = rule
    base = Base(factor: 0.0, history: history)
  }

  /// Filters a sample that comes `interval` seconds after the one before.
  ///
  /// An interval that is negative or NaN counts as 0.
  /// That of the first sample does not matter unless there is a history.
  @inlinable public mutating func callAsFunction(_ sample: Base.Value, after interval: Double) -> Base.Value {
    if interval > 0 { elapsed += interval }
    guard sample.isFinite else { return base.output ?? .zero }
    base.factor = timeConstant.factor(over: elapsed, rule: rule)
    elapsed = 0
    return base(sample)
  }

  /// The last output; nil before the first sample if the filter starts at it.
  @inlinable public var output: Base.Value? { base.output }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    base.reset()
    elapsed = 0
  }
}

/// A ``LowPassFilter`` for uneven intervals.
public typealias TimedLowPassFilter<Value: VectorSpace> = TimedFilter<LowPassFilter<Value>>

/// A ``HighPassFilter`` for uneven intervals.
public typealias TimedHighPassFilter<Value: VectorSpace> = TimedFilter<HighPassFilter<Value>>
