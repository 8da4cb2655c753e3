// Samples and events as asynchronous sequences.

public import SpheroHost
import SpheroTransport

/// Unregisters a consumer when the last copy of its sequence and iterators is gone.
final class ConsumerLifetime: Sendable {
  let end: @Sendable () -> Void
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}

/// The samples of a stream.
///
/// If several tasks iterate over one sequence, each sample goes to one of them.
/// Request a second stream to receive the same samples in two places.
public struct SampleSequence: AsyncSequence, Sendable {
  let channel: SampleChannel
  let lifetime: ConsumerLifetime

  /// The number of samples that were dropped because the consumer was too slow.
  public var dropped: Int { channel.dropped }

  /// Ends the stream; the sequence still delivers the buffered samples.
  public func end() {
    channel.finish()
    lifetime.end()
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: SampleChannel
    fileprivate let lifetime: ConsumerLifetime

    /// The next sample, or nil once the stream has ended.
    ///
    /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
    nonisolated(nonsending) public mutating func next() async throws -> TimedSample? {
      // A slow consumer always finds a sample, and would not notice its cancellation.
      try Task.checkCancellation()
      return try await channel.next()
    }

    /// The next sample, as ``next()``; loops call this one, which keeps samples on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> TimedSample? {
      try await next()
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel, lifetime: lifetime) }
}

/// Events or remarks in the order of their arrival.
///
/// If several tasks iterate over one sequence, each element goes to one of them.
public struct EventSequence<E: Sendable>: AsyncSequence, Sendable {
  let mailbox: Mailbox<E>
  let lifetime: ConsumerLifetime

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<E>
    fileprivate let lifetime: ConsumerLifetime
    fileprivate var batch: ArraySlice<E> = []

    /// The next event, or nil once the session has ended.
    ///
    /// - Throws: `LinkError`, `CancellationError`.
    public mutating func next() async throws -> E? {
      try Task.checkCancellation()
      if batch.isEmpty { batch = try await mailbox.receive()?[...] ?? [] }
      return batch.popFirst()
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, lifetime: lifetime) }
}
