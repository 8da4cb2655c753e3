// Sequences of samples and events that a robot delivers.

public import SpheroHost
import SpheroSystem
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

/// Transfers samples from the session to a consumer on another task.
final class SampleChannel: Sendable {
  let id: SubscriptionID
  /// Ends when the robot accepts the stream; throws if it does not.
  let started = AutoResetEvent()
  private let buffer: Locked<SampleBuffer>
  /// Signaled when samples were added; ends with the stream.
  private let samplesAdded = AutoResetEvent()
  /// Signaled when a full buffer has room again.
  private let roomAvailable = AutoResetEvent()
  private let time: any TimeSource
  /// Whether a full buffer holds back the line. It spares the reader a lock for each read.
  private let hasBackpressure: Bool

  init(of id: SubscriptionID, _ buffer: SampleBuffer, time: any TimeSource) {
    (self.id, self.buffer, self.time) = (id, Locked(buffer), time)
    hasBackpressure = if case .wait = buffer.policy { true } else { false }
  }

  var dropped: Int { buffer.withLock { $0.dropped } }
  var appliesBackpressure: Bool { hasBackpressure && buffer.withLock { $0.appliesBackpressure } }

  func push(_ samples: [TimedSample], at now: Duration) {
    buffer.withLock { $0.push(samples, at: now) }
    samplesAdded.signal()
  }

  /// Waits until the buffer has room, or the stream has ended.
  func waitForRoom() async throws {
    guard appliesBackpressure else { return }
    _ = try await roomAvailable.wait()
  }

  func finish(throwing error: (any Error)? = nil) {
    started.finish(throwing: error ?? SessionError.leaving)
    samplesAdded.finish(throwing: error)
    roomAvailable.finish()
    buffer.withLock { $0.close() }
  }

  /// The next sample; nil at the end. Runs on the actor of the caller.
  nonisolated(nonsending) func next() async throws -> TimedSample? {
    while true {
      let now = time.now
      let (sample, wasHeld) = buffer.withLock { buffer in
        let wasHeld = buffer.appliesBackpressure
        return (buffer.pop(at: now), wasHeld)
      }
      if wasHeld { roomAvailable.signal() }
      if let sample { return sample }
      guard try await samplesAdded.wait(isolation: #isolation) else { return nil }
    }
  }
}
