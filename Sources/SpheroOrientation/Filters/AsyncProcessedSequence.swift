// The adapter from asynchronous sequences to stream processors.

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
    /// Returns a sequence of the result for each element.
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
