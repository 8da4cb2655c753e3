// The protocols of stream processors and filters, and their adapters for sequences.

/// A value that processes one sample at a time and returns a result for each.
///
/// Filters of one sample rate, ``RestDetector``, ``MotionEstimator`` and the `SampleClock` of SpheroMotion are stream processors.
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

/// A stream processor that attenuates some frequencies of its input.
///
/// If a sample or its result is not finite, the filter keeps its state and returns the last output again
/// (zero before the first).
public protocol SampleFilter<Value>: StreamProcessor where Input == Value, Output == Value {
  associatedtype Value: VectorSpace
}

/// A value that can be filtered: a number or a vector.
///
/// `Double` and ``Vector3`` conform.
public protocol VectorSpace: AdditiveArithmetic, Sendable {
  static func * (a: Self, factor: Double) -> Self
  var isFinite: Bool { get }
  var magnitude: Double { get }
}

extension Double: VectorSpace {}

extension Vector3: VectorSpace {
  public var magnitude: Double { length }
}

extension Sequence {
  /// Passes the elements in order to one copy of the processor, and returns its results.
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

// Embedded Swift has no asynchronous sequences without an operating system.
#if !hasFeature(Embedded)
  /// The results of a ``StreamProcessor`` for the elements of an asynchronous sequence.
  ///
  /// Each iteration starts with its own copy of the processor.
  /// The sequence does not buffer: each request for a result requests one element.
  public struct AsyncProcessedSequence<Base: AsyncSequence, Processor: StreamProcessor>: AsyncSequence
  where Processor.Input == Base.Element {
    public typealias Element = Processor.Output
    public typealias Failure = Base.Failure

    fileprivate let base: Base
    fileprivate let processor: Processor

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), processor: processor)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var base: Base.AsyncIterator
      fileprivate var processor: Processor

      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(Base.Failure) -> Processor.Output? {
        guard let element = try await base.next(isolation: actor) else { return nil }
        return processor(element)
      }
    }
  }

  extension AsyncProcessedSequence: Sendable where Base: Sendable {}

  extension AsyncSequence {
    /// Returns a sequence of the processor's results, one for each element.
    ///
    /// For device motion, use a ``MotionEstimator``: `samples.processed(by: MotionEstimator())`.
    public func processed<Processor: StreamProcessor>(
      by processor: Processor
    ) -> AsyncProcessedSequence<Self, Processor> where Processor.Input == Element {
      AsyncProcessedSequence(base: self, processor: processor)
    }
  }

  extension AsyncSequence where Element: VectorSpace {
    /// Returns a sequence of the elements after a ``LowPassFilter`` that starts at the first one.
    public func lowPass(factor: SmoothingFactor) -> AsyncProcessedSequence<Self, LowPassFilter<Element>> {
      processed(by: LowPassFilter(factor: factor))
    }

    /// Returns a sequence of the elements after a ``HighPassFilter`` that starts at the first one.
    public func highPass(factor: SmoothingFactor) -> AsyncProcessedSequence<Self, HighPassFilter<Element>> {
      processed(by: HighPassFilter(factor: factor))
    }
  }
#endif
