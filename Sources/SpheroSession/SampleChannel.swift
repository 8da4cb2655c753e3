// Between the session and one consumer of samples: a buffer behind a lock, and two events.

import SpheroHost
import SpheroSystem
import SpheroTransport

/// Hands samples from the session to whoever waits for them.
final class SampleChannel: Sendable {
  let id: SubscriptionID
  private let buffer: Locked<SampleBuffer>
  /// Signaled when samples came; ends with the stream.
  private let filled = AutoResetEvent()
  /// Signaled when samples were taken.
  private let emptied = AutoResetEvent()
  private let time: any TimeSource
  /// Whether the line is held back where the consumer is slow.
  private let mayHoldLineBack: Bool

  /// Makes the channel of a subscription.
  init(of id: SubscriptionID, _ buffer: SampleBuffer, time: any TimeSource) {
    (self.id, self.buffer, self.time) = (id, Locked(buffer), time)
    mayHoldLineBack = if case .wait = buffer.policy { true } else { false }
  }

  var dropped: Int { buffer.withLock { $0.dropped } }
  var holdsLineBack: Bool { mayHoldLineBack && buffer.withLock { $0.holdsLineBack } }

  func push(_ samples: [TimedSample], at now: Duration) {
    buffer.withLock { $0.push(samples, at: now) }
    filled.signal()
  }

  /// Waits until samples were taken, or the stream has ended.
  func waitForRoom() async throws {
    guard holdsLineBack else { return }
    _ = try await emptied.wait()
  }

  func finish(throwing error: (any Error)? = nil) {
    filled.finish(throwing: error)
    emptied.finish()
    // Nobody need wait for this consumer any more.
    buffer.withLock { $0.close() }
  }

  /// The next sample; nil at the end. Runs where the caller does.
  nonisolated(nonsending) func next() async throws -> TimedSample? {
    while true {
      let now = time.now
      let (sample, wasFull) = buffer.withLock { buffer in
        let wasFull = buffer.holdsLineBack
        return (buffer.pop(at: now), wasFull)
      }
      if wasFull { emptied.signal() }
      if let sample { return sample }
      guard try await filled.wait(isolation: #isolation) else { return nil }
    }
  }
}
