// First-order filters for uneven intervals.

/// A first-order filter whose factor results from a time constant and the time between samples.
///
/// An interval of zero keeps the state, and a long gap discards it.
/// The interval of a sample that is not finite is added to that of the next sample.
public struct TimedFilter<Base: FirstOrderFilter>: Sendable {
  public var timeConstant: TimeConstant
  /// The conversion to the factor of a step.
  public var rule: TimeConstant.Rule
  @usableFromInline var base: Base
  @usableFromInline var elapsed = 0.0

  /// Creates a filter that starts as if its input had always been `history`, or the first sample if that is nil.
  public init(timeConstant: TimeConstant, rule: TimeConstant.Rule = .exact, history: Base.Value? = nil) {
    self.timeConstant = timeConstant
    self.rule = rule
    base = Base(factor: 0.0, history: history)
  }

  /// Filters a sample that follows the previous one after `interval` seconds.
  ///
  /// A negative or NaN interval counts as 0.
  /// The interval of the first sample is ignored unless there is a history.
  @inlinable public mutating func callAsFunction(_ sample: Base.Value, after interval: Double) -> Base.Value {
    if interval > 0 { elapsed += interval }
    guard sample.isFinite else { return base.output ?? .zero }
    base.factor = timeConstant.factor(over: elapsed, rule: rule)
    elapsed = 0
    return base(sample)
  }

  /// The last output; nil before the first sample if the filter starts at it.
  @inlinable public var output: Base.Value? { base.output }

  public mutating func reset() {
    base.reset()
    elapsed = 0
  }
}

/// A ``LowPassFilter`` for uneven intervals.
public typealias TimedLowPassFilter<Value: VectorSpace> = TimedFilter<LowPassFilter<Value>>

/// A ``HighPassFilter`` for uneven intervals.
public typealias TimedHighPassFilter<Value: VectorSpace> = TimedFilter<HighPassFilter<Value>>
