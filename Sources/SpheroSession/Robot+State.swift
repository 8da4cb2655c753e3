// The state and the settings of a connected robot: versions, battery, heading, stabilization, sleep, clock.

public import SpheroOrientation
public import SpheroProtocol
import SpheroTransport

extension Robot {
  /// Reads the model, the firmware and the other versions.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func version() async throws -> Core.GetVersioning.Response { try await send(Core.GetVersioning()) }

  /// Reads the state, the voltage and the use of the battery.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func battery() async throws -> Core.GetPowerState.Response { try await send(Core.GetPowerState()) }

  /// Assigns a heading, rounded to whole degrees, to the present orientation of the robot.
  ///
  /// The robot does not turn, and the axes of the locator, which ``go(to:isRelative:tolerance:speed:timeLimit:)`` uses, stay
  /// where they are in the room; ``aim(at:turningTime:)`` turns it and aligns them.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setHeading(_ heading: Heading) async throws { try await send(Motion.SetHeading(heading)) }

  /// Switches the control of attitude and heading on or off; switched on, the robot keeps its present direction instead of
  /// turning to an earlier heading.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setStabilization(_ isOn: Bool) async throws {
    try await send(Motion.SetStabilization(mode: isOn ? .on : .off))
  }

  /// Puts the robot to sleep, which ends the link right after the response.
  ///
  /// The robot wakes after the delay, in whole seconds to 65,534 s; with nil, when it is shaken.
  ///
  /// - Throws: As ``send(_:timeout:)``; `SessionError.unconfirmed` if the response is lost.
  public func sleep(wakeAfter delay: Duration? = nil) async throws {
    // A delay of zero would mean until shaken.
    let sleep = delay.map { Core.Sleep(wakingAfter: max($0, .seconds(1))) } ?? Core.Sleep()
    do { try await send(sleep) } catch LinkError.lost where conversation.isAsleep {
      // The robot ends the link at once; the response may be lost with it.
    }
  }
}

/// The offset between the robot's clock and the host's.
///
/// The robot counts milliseconds since it woke, and stamps collision events with that time.
public struct RobotClock: Hashable, Sendable {
  /// The robot's time minus the host's.
  public let offset: Duration
  /// The round trip of the measurement, without the time in the robot: the error of ``offset`` is at most half of
  /// it, plus 1 ms, because the robot counts whole milliseconds; for the same reason it may be slightly negative.
  public let delay: Duration
}

extension Robot {
  /// Measures the round trip of one ping, which is never repeated.
  ///
  /// It is the time from handing the ping to the line until its answer arrives, without the wait in the queue.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  @discardableResult
  public func ping() async throws -> Duration {
    try await timed(Core.Ping(), attempts: 1).answer.roundTrip
  }

  /// Measures the offset of the robot's clock, from the four timestamps of each request, as in NTP.
  ///
  /// Sphero API 1.50, "Poll Packet Times" (DID 00h, CID 51h).
  /// Of all measurements, at least one, it returns that with the smallest delay.
  ///
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
