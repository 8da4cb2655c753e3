// How far an estimated attitude may be off.

/// How well heading and tilt of an estimated attitude are known.
///
/// Each figure is half of the angle within which the error stays 95 % of the time.
public struct AttitudeAccuracy: Hashable, Sendable {
  /// The accuracy of the turn about the vertical.
  ///
  /// Without a magnetometer it counts from where the heading began or was set, and grows as the gyroscope drifts.
  /// It is at most 104 degrees, the standard deviation of a heading of which nothing is known:
  /// after a gap, and where the gyroscope has a larger bias than the settings promise.
  public var heading: Angle
  /// The accuracy of the inclination: the angle between the true vertical and the estimated one.
  ///
  /// A constant error of the accelerometer itself is not in it.
  public var tilt: Angle

  /// Makes an accuracy.
  public init(heading: Angle, tilt: Angle) {
    self.heading = heading
    self.tilt = tilt
  }
}
