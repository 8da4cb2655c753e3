// The offset between the robot's clock and the host's.

import SpheroProtocol
import SpheroTransport

/// The offset between the robot's clock and the host's.
///
/// The robot counts milliseconds since it woke; collisions carry its time.
public struct RobotClock: Hashable, Sendable {
  /// The robot's time minus the host's.
  public let offset: Duration
  /// The round trip of the measurement, without the time in the robot: the error of ``offset`` is at most half of it.
  public let delay: Duration

  /// Converts a time of the host's clock, like `TimedSample.hostTime`.
  public func robotTime(at hostTime: Duration) -> Duration { hostTime + offset }

  /// Converts a time of the robot's clock.
  public func hostTime(at robotTime: Duration) -> Duration { robotTime - offset }
}

extension Robot {
  /// Measures the offset of the robot's clock, from the four timestamps of each request, as in NTP.
  ///
  /// Sphero API 1.50, "Poll Packet Times" (DID 00h, CID 51h).
  ///
  /// - Parameter measurements: The number of measurements, of which the one with the smallest delay counts.
  /// - Returns: The offset and its delay.
  /// - Throws: As ``send(_:timeout:)``; `SessionError.refused` if the firmware does not know the command.
  public func clock(measurements: Int = 4) async throws -> RobotClock {
    var best: RobotClock?
    for _ in 0..<max(1, measurements) {
      let request = Core.PollPacketTimes(clientTx: UInt32(truncatingIfNeeded: time.now.wholeMilliseconds))
      let (times, answer) = try await timed(request)
      let (sent, received) = (answer.sentAt, answer.receivedAt)
      let arrived = Duration.milliseconds(Int64(times.robotRx))
      let left = Duration.milliseconds(Int64(times.robotTx))
      let clock = RobotClock(
        offset: ((arrived - sent) + (left - received)) / 2, delay: (received - sent) - (left - arrived))
      if best.map({ clock.delay < $0.delay }) ?? true { best = clock }
    }
    guard let best else { throw SessionError.leaving }
    return best
  }
}
