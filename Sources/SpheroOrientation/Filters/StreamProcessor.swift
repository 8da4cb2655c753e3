// The one shape of everything here that is fed sample by sample, and its adapter for sequences.

/// A value that takes one sample at a time and answers each with a result.
///
/// Filters, ``RestDetector``, ``MotionEstimator`` and the `SampleClock` of SpheroMotion are stream processors.
/// A processor is called like a function, and a copy of it goes on by itself:
///
///     var smooth = LowPassFilter<Vector3>(factor: 0.1)
///     let gravity = smooth(acceleration)
public protocol StreamProcessor<Input, Output>: Sendable {
  /// What is fed in.
  associatedtype Input
  /// What comes out for each sample.
  associatedtype Output

  /// Takes the next sample and gives the result so far.
  mutating func callAsFunction(_ sample: Input) -> Output

  /// Forgets all samples; settings stay.
  mutating func reset()
}

extension Sequence {
  /// Returns the result for each element, in order.
  ///
  /// The processor is copied; the caller's own is not fed.
  @inlinable public func processed<Processor: StreamProcessor>(by processor: Processor) -> [Processor.Output]
  where Processor.Input == Element {
    var processor = processor
    return map { processor($0) }
  }
}

extension Sequence where Element: VectorSpace {
  /// Returns the elements after a ``LowPassFilter`` that starts at the first one.
  @inlinable public func lowPass(factor: SmoothingFactor) -> [Element] {
    processed(by: LowPassFilter(factor: factor))
  }

  /// Returns the elements after a ``HighPassFilter`` that starts at the first one.
  @inlinable public func highPass(factor: SmoothingFactor) -> [Element] {
    processed(by: HighPassFilter(factor: factor))
  }
}
