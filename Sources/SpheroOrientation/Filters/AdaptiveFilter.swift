// The variant of Apple's AccelerometerGraph sample: calm at rest, quick in motion.

/// A first-order filter whose factor follows how much the size of the signal changes.
///
/// The change d = clamp(| |y| - |x| | / step - 1, 0, 1) compares the last output with the new sample.
/// A low pass weights the new sample with F (d + (1 - d) / 3),
/// a high pass weights the past with (1 - F)(d / 3 + 1 - d).
/// Source: Apple, AccelerometerGraph; Sphero's RKLowpassFilter and RKHighpassFilter are of the same design.
public struct AdaptiveFilter<Base: FirstOrderFilter>: SampleFilter {
  /// The smallest change that counts as motion, in the unit of the samples; 0.02 g in AccelerometerGraph.
  public let step: Double
  /// The factor before it is adapted.
  public let factor: SmoothingFactor
  @usableFromInline var base: Base

  /// Makes a filter as if `history` had come in for ever, zero as in AccelerometerGraph; nil means the first sample.
  ///
  /// A step that is not positive counts as the smallest positive number: any change is motion.
  public init(factor: SmoothingFactor, step: Double = 0.02, history: Base.Value? = .zero) {
    self.factor = factor
    self.step = step > 0 ? step : .leastNonzeroMagnitude
    base = Base(factor: factor, history: history)
  }

  /// Filters the next sample.
  @inlinable public mutating func callAsFunction(_ sample: Base.Value) -> Base.Value {
    if sample.isFinite, let output = base.output {
      let ratio = abs(output.magnitude - sample.magnitude) / step - 1
      // Two sizes beyond the largest double have no difference: that is motion.
      base.factor = Base.adapted(factor, to: ratio.isNaN ? 1 : min(max(ratio, 0), 1))
    }
    return base(sample)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { base.reset() }
}

/// An adaptive ``LowPassFilter``.
public typealias AdaptiveLowPassFilter<Value: VectorSpace> = AdaptiveFilter<LowPassFilter<Value>>

/// An adaptive ``HighPassFilter``.
public typealias AdaptiveHighPassFilter<Value: VectorSpace> = AdaptiveFilter<HighPassFilter<Value>>
