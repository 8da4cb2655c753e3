// Samples and events as asynchronous sequences.

public import SpheroHost
import SpheroTransport

/// Tells the session when the last copy of a sequence and its iterators is gone.
final class SequenceEnding: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

/// The samples of a stream.
///
/// Several tasks may read one sequence: each sample goes to one of them.
/// For the same samples in two places, ask the robot twice.
public struct SampleSequence: AsyncSequence, Sendable {
  private let channel: SampleChannel
  private let ending: SequenceEnding

  init(channel: SampleChannel, onEnd: @escaping @Sendable () -> Void) {
    (self.channel, ending) = (channel, SequenceEnding(onEnd))
  }

  /// Samples that were dropped because they were taken too slowly.
  public var dropped: Int { channel.dropped }

  /// Ends the samples: what waits is still delivered, then the sequence ends.
  public func end() {
    channel.finish()
    ending.body()
  }

  /// Takes the samples, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let channel: SampleChannel
    fileprivate let ending: SequenceEnding

    /// The next sample, or nil once the stream has ended.
    ///
    /// - Throws: `SessionError`, `LinkError`, `CancellationError`.
    nonisolated(nonsending) public mutating func next() async throws -> TimedSample? {
      // A consumer that lags behind finds something waiting each time, and would never notice.
      try Task.checkCancellation()
      return try await channel.next()
    }

    /// The next sample, as ``next()``; a loop calls this, so that no sample hops from its actor and back.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> TimedSample? {
      try await next()
    }
  }

  /// Begins to take samples.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel, ending: ending) }
}

/// Events or remarks as they come.
///
/// Several tasks may read one sequence: each element goes to one of them.
public struct EventSequence<E: Sendable>: AsyncSequence, Sendable {
  private let mailbox: Mailbox<Listener.Item>
  private let decode: @Sendable (Listener.Item) -> E?
  private let ending: SequenceEnding

  init(
    mailbox: Mailbox<Listener.Item>, decode: @escaping @Sendable (Listener.Item) -> E?,
    onEnd: @escaping @Sendable () -> Void
  ) {
    (self.mailbox, self.decode, ending) = (mailbox, decode, SequenceEnding(onEnd))
  }

  /// Takes the events from the queue, a batch at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<Listener.Item>
    fileprivate let decode: @Sendable (Listener.Item) -> E?
    fileprivate let ending: SequenceEnding
    fileprivate var batch: ArraySlice<Listener.Item> = []

    /// The next event, or nil once the session has ended.
    ///
    /// - Throws: `LinkError`, `CancellationError`.
    public mutating func next() async throws -> E? {
      try Task.checkCancellation()
      while true {
        if let item = batch.popFirst() {
          if let event = decode(item) { return event }
        } else {
          guard let received = try await mailbox.receive() else { return nil }
          batch = received[...]
        }
      }
    }
  }

  /// Begins to take events.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, decode: decode, ending: ending) }
}
