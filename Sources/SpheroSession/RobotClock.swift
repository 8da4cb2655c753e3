// The robot's own clock against the host's.

import SpheroProtocol
import SpheroTransport

/// How far the robot's clock is ahead of the host's.
///
/// The robot counts milliseconds since it woke; collisions carry its time.
public struct RobotClock: Hashable, Sendable {
  /// The robot's time minus the host's.
  public let offset: Duration
  /// How long the question and its answer were on their way: the offset is no surer than half of it.
  public let delay: Duration

  /// The robot's time at a time of the host's clock, like `TimedSample.hostTime`.
  public func robotTime(at hostTime: Duration) -> Duration { hostTime + offset }

  /// The time of the host's clock at a time of the robot's.
  public func hostTime(at robotTime: Duration) -> Duration { robotTime - offset }
}

extension Robot {
  /// Compares the robot's clock with the host's, by four times in each question.
  ///
  /// Sphero API 1.50, "Poll Packet Times" (DID 00h, CID 51h).
  ///
  /// - Parameter questions: How often to ask; the answer that was fastest counts.
  /// - Returns: The comparison.
  /// - Throws: As ``send(_:timeout:)``; `SessionError.refused` where firmware does not know the command.
  public func clock(questions: Int = 4) async throws -> RobotClock {
    var best: RobotClock?
    for _ in 0..<max(1, questions) {
      let request = Core.PollPacketTimes(clientTx: UInt32(truncatingIfNeeded: time.now.milliseconds))
      let (times, answer) = try await timed(request)
      let (sent, received) = (answer.sentAt, answer.receivedAt)
      let (arrived, left) = (
        Duration.milliseconds(Int64(times.robotRx)), Duration.milliseconds(Int64(times.robotTx))
      )
      let clock = RobotClock(
        offset: ((arrived - sent) + (left - received)) / 2, delay: (received - sent) - (left - arrived))
      if best.map({ clock.delay < $0.delay }) ?? true { best = clock }
    }
    guard let best else { throw SessionError.leaving }
    return best
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds &* 1_000 &+ components.attoseconds / 1_000_000_000_000_000
  }
}
