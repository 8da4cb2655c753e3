// From rates to rotations and back.

extension Rotation {
  /// The attitude after turning at a constant rate, as a gyroscope in the body measures it.
  ///
  /// q' = q exp(rate seconds / 2): exact for a constant rate, whatever the angle.
  ///
  /// - Parameters:
  ///   - rate: The angular velocity in body coordinates, in rad/s.
  ///   - seconds: How long, in s; negative goes back in time.
  /// - Returns: The new attitude; nil if the angle turned is not finite.
  public func integrating(rate: Vector3, seconds: Double) -> Rotation? {
    guard let turn = Rotation(rotationVector: rate * seconds) else { return nil }
    return self * turn
  }

  /// The constant rate that turns one attitude into another, shortest way round.
  ///
  /// rate = 2 log(q_start* q_end) / seconds.
  ///
  /// - Parameters:
  ///   - start: The earlier attitude.
  ///   - end: The later attitude.
  ///   - seconds: The time between them, in s, above zero.
  /// - Returns: The angular velocity in body coordinates, in rad/s, at most pi / seconds;
  ///   nil if the time is not above zero or the rate is not finite.
  public static func angularVelocity(
    from start: Rotation, to end: Rotation, seconds: Double
  ) -> Vector3? {
    guard seconds > 0 else { return nil }
    let rate = (start.inverse * end).rotationVector / seconds
    return rate.isFinite ? rate : nil
  }
}
