// Impacts as they come.

import SpheroHost
public import SpheroMotion
public import SpheroProtocol

extension Robot {
  /// Switches collision detection on, and gives the impacts as they come.
  ///
  /// Leaving switches it off again; a line that comes back brings it back.
  ///
  /// - Parameter detection: How hard an impact must be.
  /// - Returns: The impacts from now on.
  /// - Throws: As ``send(_:timeout:)``.
  public func collisions(
    _ detection: Sensing.ConfigureCollisionDetection = CollisionPreset.normal.detection
  ) async throws -> EventSequence<Sensing.Collision> {
    let events = events(of: Sensing.Collision.self)
    try await send(detection)
    return events
  }
}
