// The channel between the session and one consumer of samples: a locked buffer and two events.

import SpheroHost
import SpheroSystem
import SpheroTransport

/// Transfers samples from the session to a consumer on another task.
final class SampleChannel: Sendable {
  let id: SubscriptionID
  /// Ends when the robot accepts the stream; throws if it does not.
  let started = AutoResetEvent()
  private let buffer: Locked<SampleBuffer>
  /// Signaled when samples were added; ends with the stream.
  private let filled = AutoResetEvent()
  /// Signaled when a full buffer has room again.
  private let emptied = AutoResetEvent()
  private let time: any TimeSource
  /// Whether a full buffer holds back the line. It spares the reader a lock for each read.
  private let hasBackpressure: Bool

  init(of id: SubscriptionID, _ buffer: SampleBuffer, time: any TimeSource) {
    (self.id, self.buffer, self.time) = (id, Locked(buffer), time)
    hasBackpressure = if case .wait = buffer.policy { true } else { false }
  }

  var dropped: Int { buffer.withLock { $0.dropped } }
  var holdsLineBack: Bool { hasBackpressure && buffer.withLock { $0.holdsLineBack } }

  func push(_ samples: [TimedSample], at now: Duration) {
    buffer.withLock { $0.push(samples, at: now) }
    filled.signal()
  }

  /// Waits until the buffer has room, or the stream has ended.
  func waitForRoom() async throws {
    guard holdsLineBack else { return }
    _ = try await emptied.wait()
  }

  func finish(throwing error: (any Error)? = nil) {
    started.finish(throwing: error ?? SessionError.leaving)
    filled.finish(throwing: error)
    emptied.finish()
    buffer.withLock { $0.close() }
  }

  /// The next sample; nil at the end. Runs on the actor of the caller.
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
