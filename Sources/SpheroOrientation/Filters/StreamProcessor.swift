// The protocol of values that process a stream of samples, and its adapter for sequences.

/// A value that processes one sample at a time and returns a result for each.
///
/// Filters, ``RestDetector``, ``MotionEstimator`` and the `SampleClock` of SpheroMotion are stream processors.
/// A processor is called like a function, and a copy continues independently:
///
///     var smooth = LowPassFilter<Vector3>(factor: 0.1)
///     let gravity = smooth(acceleration)
public protocol StreamProcessor<Input, Output>: Sendable {
  associatedtype Input
  associatedtype Output

  /// Processes the next sample and returns its result.
  mutating func callAsFunction(_ sample: Input) -> Output

  /// Discards all samples and keeps the settings.
  mutating func reset()
}

extension Sequence {
  /// Returns the result for each element, in order.
  ///
  /// The method uses a copy of the processor.
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
