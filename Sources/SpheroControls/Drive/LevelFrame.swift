// The directions right, ahead and up of a device in a hand, at the attitude in which it is held.

public import SpheroOrientation

/// The axes of a device at the attitude in which a hand holds it: right, ahead and up.
///
/// The frame can begin at any attitude, because a ball has no screen that shows which side is up:
/// up is opposite to gravity, and ahead is the horizontal component of the device's forward axis (+y).
/// The forward axis of a ball points away from the user if its tail light faces the user.
///
/// The frame depends only on gravity, so neither the heading of the device nor its drift has an effect.
public struct LevelFrame: Hashable, Sendable {
  /// The smallest angle in degrees between the forward axis and the vertical.
  public static let minimumAngle = 15.0

  private let right: Vector3
  private let ahead: Vector3
  private let up: Vector3

  /// Creates the frame that is level under a gravity vector in device coordinates, in any unit.
  ///
  /// Nil if the vector is zero or not finite, or if the forward axis is within ``minimumAngle`` of the vertical,
  /// so that it does not show a direction.
  public init?(level gravity: Vector3) {
    guard let up = (-gravity).normalized else { return nil }
    let horizontal = Axis.y.vector - up * up.y
    guard horizontal.length >= sine(degrees: Self.minimumAngle), let ahead = horizontal.normalized else {
      return nil
    }
    (self.right, self.ahead, self.up) = (ahead.cross(up), ahead, up)
  }

  /// Converts a vector from device coordinates to the axes right, ahead and up of this frame.
  public func components(of vector: Vector3) -> Vector3 {
    Vector3(vector.dot(right), vector.dot(ahead), vector.dot(up))
  }
}
