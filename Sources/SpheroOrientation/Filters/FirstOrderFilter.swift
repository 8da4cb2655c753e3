// First-order low-pass and high-pass filters, timed and adaptive, and the published high pass that is a low pass.

/// A filter of first order whose ``SmoothingFactor`` ``TimedFilter`` and ``AdaptiveFilter`` set for each sample.
public protocol FirstOrderFilter<Value>: SampleFilter {
  var factor: SmoothingFactor { get set }
  /// The last output; nil before the first sample if the filter starts at it.
  var output: Value? { get }
  /// Creates a filter that starts as if its input had always been `history`, or the first sample if that is nil.
  init(factor: SmoothingFactor, history: Value?)
  /// Returns the factor for ``AdaptiveFilter``, from the nominal one and a change of 0 (at rest) to 1 (in motion).
  static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor
  /// Returns the factor of a cut-off (-3 dB) at a sample rate, both in Hz; nil unless 0 < cutoff <= sampleRate / 2.
  /// A cut-off of up to 1 % more counts as half the rate.
  static func factor(cutoff: Double, sampleRate: Double) -> SmoothingFactor?
}

extension FirstOrderFilter {
  /// Creates a filter for a cut-off (-3 dB) and a sample rate in Hz; nil unless 0 < cutoff <= sampleRate / 2.
  /// A cut-off of up to 1 % more counts as half the rate.
  public init?(cutoff: Double, sampleRate: Double, history: Value? = nil) {
    guard let factor = Self.factor(cutoff: cutoff, sampleRate: sampleRate) else { return nil }
    self.init(factor: factor, history: history)
  }

  /// Returns the factor for ``TimedFilter``, for a sample that follows the previous one after `interval` seconds.
  @inlinable public static func factor(
    of timeConstant: TimeConstant, over interval: Double, rule: TimeConstant.Rule
  ) -> SmoothingFactor {
    if rule == .exactCutoff, let factor = factor(cutoff: timeConstant.cutoff, sampleRate: 1 / interval) {
      return factor
    }
    return timeConstant.factor(over: interval, rule: rule)
  }
}

/// The low pass y = F x + (1 - F) y1, with a gain of 1 for a constant.
///
/// This is the filter of the iPhone accelerometer literature, which uses F = 0.1 and starts at zero.
/// From zero, a step takes 22 samples to 90 % with F = 0.1, so this filter starts at the first sample by default.
public struct LowPassFilter<Value: VectorSpace>: FirstOrderFilter {
  public var factor: SmoothingFactor
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?
  private let history: Value?

  public init(factor: SmoothingFactor, history: Value? = nil) {
    self.factor = factor
    self.history = history?.isFinite == true ? history : nil
    result = self.history
  }

  public static func factor(cutoff: Double, sampleRate: Double) -> SmoothingFactor? {
    SmoothingFactor(cutoff: cutoff, sampleRate: sampleRate)
  }

  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    guard let previous = output else {
      guard sample.isFinite else { return .zero }
      result = sample
      return sample
    }
    // A multiple of a value that is not finite is not finite, even by zero: one check suffices.
    let next = sample * factor.value + previous * (1 - factor.value)
    guard _fastPath(next.isFinite) else { return previous }
    result = next
    return next
  }

  public mutating func reset() { result = history }

  /// The factor is reduced to a third at rest (AccelerometerGraph).
  @inlinable public static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor {
    SmoothingFactor(clamping: nominal.value * (change + (1 - change) / 3))
  }
}

/// The high pass y = (1 - F)(y1 + x - x1), x minus a ``LowPassFilter`` of the same factor; a constant has gain 0.
public struct HighPassFilter<Value: VectorSpace>: FirstOrderFilter {
  @usableFromInline var lowPass: LowPassFilter<Value>
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?

  public init(factor: SmoothingFactor, history: Value? = nil) {
    lowPass = LowPassFilter(factor: factor, history: history)
    result = lowPass.output == nil ? nil : .zero
  }

  /// F = e / (1 + e), e = 2 s (sqrt(1 + s^2) - s), s = sin(pi cutoff / rate): exact for the sampled filter,
  /// whose gain at half the sample rate is (1 - F) / (1 - F / 2).
  public static func factor(cutoff: Double, sampleRate: Double) -> SmoothingFactor? {
    guard let sine = SmoothingFactor.halfAngleSine(cutoff: cutoff, sampleRate: sampleRate) else { return nil }
    let e = 2 * sine * ((1 + sine * sine).squareRoot() - sine)
    return SmoothingFactor(clamping: e / (1 + e))
  }

  public var factor: SmoothingFactor {
    @inlinable get { lowPass.factor }
    @inlinable set { lowPass.factor = newValue }
  }

  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    var next = lowPass
    let fast = sample - next(sample)
    guard _fastPath(fast.isFinite) else { return output ?? .zero }
    lowPass = next
    result = fast
    return fast
  }

  public mutating func reset() {
    lowPass.reset()
    result = lowPass.output == nil ? nil : .zero
  }

  /// The weight 1 - F of the past is reduced to a third in motion (AccelerometerGraph).
  @inlinable public static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor {
    SmoothingFactor(clamping: 1 - (1 - nominal.value) * (change / 3 + (1 - change)))
  }
}

/// The formula that is often published as a high pass, y = x - F x + (1 - F) y1. **It is a low pass with gain.**
///
/// It lacks the term -x1 of ``HighPassFilter``.
/// Its gain for a constant is (1 - F) / F: nine for F = 0.1, so a phone at rest reads -9 g.
/// Its gain at half the sample rate is (1 - F) / (2 - F), 0.47 for F = 0.1.
/// It exists for programs that are tuned to it.
public struct PrintedHighPassFilter<Value: VectorSpace>: SampleFilter {
  /// The factor F of the printed formula.
  public var factor: SmoothingFactor
  @usableFromInline var output = Value.zero

  /// Creates a filter that starts at zero, as published.
  public init(factor: SmoothingFactor) {
    self.factor = factor
  }

  /// The gain for a constant, (1 - F) / F; nil for a factor of 0, which integrates.
  public var constantGain: Double? { factor.delay }

  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    let next = sample - sample * factor.value + output * (1 - factor.value)
    if next.isFinite { output = next }
    return output
  }

  public mutating func reset() { output = .zero }
}

/// A first-order filter whose factor results from a time constant and the time between samples.
///
/// An interval of zero keeps the state, and a long gap discards it.
/// The interval of a sample that is not finite is added to that of the next sample.
public struct TimedFilter<Base: FirstOrderFilter>: Sendable {
  /// The time constant, which determines the factor for each interval.
  public var timeConstant: TimeConstant
  /// The conversion of time constant and interval to a factor.
  public var rule: TimeConstant.Rule
  @usableFromInline var base: Base
  @usableFromInline var elapsed = 0.0

  /// Creates a filter that starts as if its input had always been `history`, or the first sample if that is nil.
  public init(timeConstant: TimeConstant, rule: TimeConstant.Rule = .exact, history: Base.Value? = nil) {
    (self.timeConstant, self.rule) = (timeConstant, rule)
    base = Base(factor: 0.0, history: history)
  }

  /// Filters a sample that follows the previous one after `interval` seconds.
  ///
  /// A negative or NaN interval counts as 0.
  /// The interval of the first sample is ignored unless there is a history.
  @inlinable public mutating func callAsFunction(_ sample: Base.Value, after interval: Double) -> Base.Value {
    if interval > 0 { elapsed += interval }
    guard sample.isFinite else { return base.output ?? .zero }
    base.factor = Base.factor(of: timeConstant, over: elapsed, rule: rule)
    elapsed = 0
    return base(sample)
  }

  /// The last output; nil before the first sample if the filter starts at it.
  @inlinable public var output: Base.Value? { base.output }

  /// Discards all samples; the filter starts again as after its creation.
  public mutating func reset() {
    base.reset()
    elapsed = 0
  }
}

/// A ``LowPassFilter`` for uneven intervals.
public typealias TimedLowPassFilter<Value: VectorSpace> = TimedFilter<LowPassFilter<Value>>

/// A ``HighPassFilter`` for uneven intervals.
public typealias TimedHighPassFilter<Value: VectorSpace> = TimedFilter<HighPassFilter<Value>>

/// A first-order filter whose factor depends on the change of the signal's magnitude: smooth at rest, fast in motion.
///
/// The change d = clamp(| |y| - |x| | / step - 1, 0, 1) compares the last output with the new sample.
/// A low pass weights the new sample with F (d + (1 - d) / 3),
/// a high pass weights the past with (1 - F)(d / 3 + 1 - d).
/// Source: Apple, AccelerometerGraph; Sphero's RKLowpassFilter and RKHighpassFilter have the same design.
public struct AdaptiveFilter<Base: FirstOrderFilter>: SampleFilter {
  /// The smallest change that counts as motion, in the unit of the samples; 0.02 g in AccelerometerGraph.
  public let step: Double
  /// The nominal factor.
  public let factor: SmoothingFactor
  @usableFromInline var base: Base

  /// Creates a filter that starts as if its input had always been `history`, or the first sample if that is nil.
  ///
  /// The default is that of AccelerometerGraph. A step that is not positive counts as the smallest positive number.
  public init(factor: SmoothingFactor, step: Double = 0.02, history: Base.Value? = .zero) {
    self.factor = factor
    self.step = step > 0 ? step : .leastNonzeroMagnitude
    base = Base(factor: factor, history: history)
  }

  @inlinable public mutating func callAsFunction(_ sample: Base.Value) -> Base.Value {
    if sample.isFinite, let output = base.output {
      let ratio = abs(output.magnitude - sample.magnitude) / step - 1
      // The difference of two infinite magnitudes is NaN and counts as motion.
      base.factor = Base.adapted(factor, to: ratio.isNaN ? 1 : min(max(ratio, 0), 1))
    }
    return base(sample)
  }

  public mutating func reset() { base.reset() }
}

/// An adaptive ``LowPassFilter``.
public typealias AdaptiveLowPassFilter<Value: VectorSpace> = AdaptiveFilter<LowPassFilter<Value>>

/// An adaptive ``HighPassFilter``.
public typealias AdaptiveHighPassFilter<Value: VectorSpace> = AdaptiveFilter<HighPassFilter<Value>>
