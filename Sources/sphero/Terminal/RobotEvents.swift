// What a robot reports by itself, for the commands that show it.

import SpheroProtocol
import SpheroSession

extension Robot {
  /// Asks for reports of battery and collisions; what old firmware refuses to report stays away.
  ///
  /// - Returns: All events but sensor data, with the times they came, from now on.
  func reportedEvents() async throws -> EventSequence<TimedEvent<EventPacket>> {
    let events = timedEvents()
    do { try await send(Core.SetPowerNotification(isOn: true)) } catch SessionError.refused {}
    do { try await send(Sensing.ConfigureCollisionDetection()) } catch SessionError.refused {}
    return events
  }
}
