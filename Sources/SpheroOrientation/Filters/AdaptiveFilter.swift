// The adaptive first-order filter of Apple's AccelerometerGraph sample.

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
