// What a robot sends by itself, as asynchronous sequences.

import SpheroProtocol
import SpheroTransport

/// The samples of a stream; for one consumer.
public struct SampleSequence: AsyncSequence, Sendable {
  let mailbox: Mailbox<TimedSample>

  /// Samples that were lost because the consumer was too slow.
  public var dropped: Int { mailbox.dropped }

  /// Takes the samples from the queue, a batch at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Mailbox<TimedSample>
    var batch: ArraySlice<TimedSample> = []

    /// The next sample, or nil once the stream has ended.
    ///
    /// - Throws: ``SessionError``, `LinkError`, `CancellationError`.
    public mutating func next() async throws -> TimedSample? {
      // A consumer that lags behind finds something waiting each time, and would never notice.
      try Task.checkCancellation()
      if let sample = batch.popFirst() { return sample }
      guard let received = try await mailbox.receive() else { return nil }
      batch = received[...]
      return batch.popFirst()
    }
  }

  /// Begins to take samples.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }
}

/// Events as they come; for one consumer.
public struct EventSequence<E: Sendable>: AsyncSequence, Sendable {
  /// Tells the session when the last copy of the sequence is gone.
  fileprivate final class Ending: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  private let mailbox: Mailbox<EventPacket>
  private let decode: @Sendable (EventPacket) -> E?
  private let ending: Ending

  init(
    mailbox: Mailbox<EventPacket>, decode: @escaping @Sendable (EventPacket) -> E?,
    onEnd: @escaping @Sendable () -> Void
  ) {
    (self.mailbox, self.decode, ending) = (mailbox, decode, Ending(onEnd))
  }

  /// Takes the events from the queue, a batch at a time.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox<EventPacket>
    fileprivate let decode: @Sendable (EventPacket) -> E?
    fileprivate let ending: Ending
    fileprivate var batch: ArraySlice<EventPacket> = []

    /// The next event, or nil once the session has ended.
    ///
    /// - Throws: `LinkError`, `CancellationError`.
    public mutating func next() async throws -> E? {
      try Task.checkCancellation()
      while true {
        if let packet = batch.popFirst() {
          if let event = decode(packet) { return event }
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
