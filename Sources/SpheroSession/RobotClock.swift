// The offset between the robot's clock and the host's.

import SpheroProtocol
import SpheroTransport

/// The offset between the robot's clock and the host's.
///
/// The robot counts milliseconds since it woke, and stamps collision events with that time.
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
  /// - Parameter measurements: The number of measurements, of which the one with the smallest delay is returned; at least 1.
  /// - Returns: The offset and its delay.
  /// - Throws: As ``send(_:timeout:)``; `SessionError.refused` if the firmware does not know the command.
  public func clock(measurements: Int = 4) async throws -> RobotClock {
    var best = try await measureClock()
    for _ in 1..<max(1, measurements) {
      let clock = try await measureClock()
      if clock.delay < best.delay { best = clock }
    }
    return best
  }

  private func measureClock() async throws -> RobotClock {
    let request = Core.PollPacketTimes(clientTx: UInt32(truncatingIfNeeded: time.now.wholeMilliseconds))
    let (times, answer) = try await timed(request)
    let robotReceived = Duration.milliseconds(Int64(times.robotRx))
    let robotSent = Duration.milliseconds(Int64(times.robotTx))
    return RobotClock(
      offset: ((robotReceived - answer.sentAt) + (robotSent - answer.receivedAt)) / 2,
      delay: (answer.receivedAt - answer.sentAt) - (robotSent - robotReceived))
  }
}
