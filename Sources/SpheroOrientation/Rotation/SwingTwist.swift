// A rotation taken apart into a twist about a given axis and the swing that moves that axis.

extension Rotation {
  /// Takes the rotation apart: first the twist about `twistAxis`, then the swing about an axis perpendicular to it.
  ///
  /// `self == swing * twist`.
  /// The twist is (w, (v.a)a) normalised; with z as the axis it is the part a heading is made of.
  /// If the rotation turns the axis to its opposite every twist would do; it is then none.
  ///
  /// - Parameter twistAxis: The axis in body coordinates, of any length.
  /// - Returns: Both parts; nil if the axis is zero or not finite.
  public func swingTwist(twistAxis: Vector3) -> (swing: Rotation, twist: Rotation)? {
    guard let axis = twistAxis.normalized else { return nil }
    let along = quaternion.imaginary.dot(axis)
    let twist = Rotation(Quaternion(real: quaternion.w, imaginary: axis * along)) ?? .identity
    return (self * twist.inverse, twist)
  }

  /// The angle of the twist about an axis, right-handed, in (-pi, pi]; nil if the axis is zero or not finite.
  ///
  /// The full turn this part of the rotation makes, whatever the swing: see ``swingTwist(twistAxis:)``.
  public func twistAngle(about axis: Vector3) -> Angle? {
    guard let parts = swingTwist(twistAxis: axis), let unit = axis.normalized else { return nil }
    return Angle(radians: parts.twist.rotationVector.dot(unit)).wrapped
  }
}
