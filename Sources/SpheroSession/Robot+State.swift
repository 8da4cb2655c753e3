// The state and the settings of a connected robot: versions, battery, heading, stabilization, sleep.

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
  /// The robot does not turn: ``turn(to:tolerance:timeLimit:)`` does, and ``aim(at:turningTime:)`` turns it
  /// and then assigns heading 0. The axes of the locator, which ``go(to:isRelative:tolerance:speed:timeLimit:)`` uses, stay
  /// where they are in the room; ``aim(at:turningTime:)`` aligns them.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setHeading(_ heading: Heading) async throws { try await send(Motion.SetHeading(heading)) }

  /// Switches the control of attitude and heading on or off; switched on, the present direction becomes heading 0.
  ///
  /// - Throws: As ``send(_:timeout:)``.
  public func setStabilization(_ isOn: Bool) async throws {
    try await send(Motion.SetStabilization(mode: isOn ? .on : .off))
  }

  /// Puts the robot to sleep, which ends the link right after the response.
  ///
  /// - Parameter delay: The time until the robot wakes, in whole seconds to 65,534 s; nil until it is shaken.
  /// - Throws: As ``send(_:timeout:)``; `SessionError.unconfirmed` if the response is lost.
  public func sleep(wakeAfter delay: Duration? = nil) async throws {
    var sleep = Core.Sleep()
    // A delay of less than half a second would mean until shaken.
    if let delay { sleep.wakeupDelay = max(delay, .seconds(1)) }
    let sentCount = conversation.statistics.commandsSent
    do { try await send(sleep) } catch LinkError.lost where conversation.statistics.commandsSent > sentCount {
      // The robot ends the link at once; the response may be lost with it.
    }
  }
}
