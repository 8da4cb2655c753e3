// The adapter that feeds a processor from an asynchronous sequence.

// Embedded Swift has no asynchronous sequences where there is no system; call the processor there.
#if !hasFeature(Embedded)
  /// The results of a ``StreamProcessor`` for the elements of an asynchronous sequence.
  ///
  /// Each iteration starts with its own copy of the processor.
  /// Nothing is buffered: one element is asked for when one result is.
  public struct AsyncProcessedSequence<Base: AsyncSequence, Processor: StreamProcessor>: AsyncSequence
  where Processor.Input == Base.Element {
    /// What the processor gives out.
    public typealias Element = Processor.Output
    /// What the base throws.
    public typealias Failure = Base.Failure

    private let base: Base
    private let processor: Processor

    init(base: Base, processor: Processor) {
      self.base = base
      self.processor = processor
    }

    /// Starts an iteration with a fresh copy of the processor.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(base: base.makeAsyncIterator(), processor: processor)
    }

    /// One pass over the base.
    public struct AsyncIterator: AsyncIteratorProtocol {
      private var base: Base.AsyncIterator
      private var processor: Processor

      init(base: Base.AsyncIterator, processor: Processor) {
        self.base = base
        self.processor = processor
      }

      /// Waits for the next element and returns the result for it; nil at the end.
      public mutating func next() async throws -> Processor.Output? {
        guard let element = try await base.next() else { return nil }
        return processor(element)
      }

      /// Waits for the next element and returns the result for it; nil at the end.
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
    /// Gives the result for each element as it arrives.
    ///
    /// For device motion, feed a ``MotionEstimator``: `samples.processed(by: MotionEstimator())`.
    public func processed<Processor: StreamProcessor>(
      by processor: Processor
    ) -> AsyncProcessedSequence<Self, Processor> where Processor.Input == Element {
      AsyncProcessedSequence(base: self, processor: processor)
    }
  }

  extension AsyncSequence where Element: VectorSpace {
    /// Gives the elements after a ``LowPassFilter`` that starts at the first one.
    public func lowPass(
      factor: SmoothingFactor
    ) -> AsyncProcessedSequence<Self, LowPassFilter<Element>> {
      processed(by: LowPassFilter(factor: factor))
    }

    /// Gives the elements after a ``HighPassFilter`` that starts at the first one.
    public func highPass(
      factor: SmoothingFactor
    ) -> AsyncProcessedSequence<Self, HighPassFilter<Element>> {
      processed(by: HighPassFilter(factor: factor))
    }
  }
#endif
