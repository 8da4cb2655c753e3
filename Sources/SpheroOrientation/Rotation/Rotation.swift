// A rotation in space, the attitude type of the module: a quaternion of length 1.

import SpheroLibc

/// A rotation in three dimensions, held as a quaternion of length 1.
///
/// As an attitude it converts body coordinates to reference coordinates (the frames of ``Convention``):
/// v_reference = q v q*, with Hamilton's product.
/// Positive angles are right-handed about their axis.
/// A rotation is always valid: initialisers return nil for zero, NaN and infinity.
///
/// The quaternions q and -q are the same rotation and compare as equal.
public struct Rotation: Sendable, CustomStringConvertible, Hashable {
  /// The quaternion, of length 1 to rounding; its sign carries no meaning.
  public let quaternion: Quaternion

  /// Creates a rotation from a quaternion of length 1, which is not checked.
  init(unit quaternion: Quaternion) {
    self.quaternion = quaternion
  }

  /// Creates the rotation of a quaternion of any length; nil if it is zero or not finite.
  ///
  /// Firmware without the quaternion sensor streams zeros, so nil also means "absent".
  public init?(_ quaternion: Quaternion) {
    guard let unit = quaternion.normalized else { return nil }
    self.init(unit: unit)
  }

  /// Creates a rotation from a quaternion of any length; nil if it is 0 or not finite.
  public init?(w: Double, x: Double, y: Double, z: Double) {
    self.init(Quaternion(w: w, x: x, y: y, z: z))
  }

  /// Creates the rotation of a quaternion with the names of simd and Bose Wearable; see ``init(_:)``.
  public init?(ix: Double, iy: Double, iz: Double, r: Double) {
    self.init(w: r, x: ix, y: iy, z: iz)
  }

  /// Creates a right-handed rotation about an axis of any length; nil if the axis is zero or a number is not finite.
  public init?(angle: Angle, axis: Vector3) {
    guard let unit = axis.normalized, angle.isFinite else { return nil }
    let half = angle.radians / 2
    self.init(Quaternion(real: cos(half), imaginary: unit * sin(half)))
  }

  /// Creates the rotation by |v| radians about v: the exponential map, q = exp(v / 2).
  ///
  /// Returns nil if v or its length is not finite.
  public init?(rotationVector v: Vector3) {
    let angle = v.length
    guard angle.isFinite, v.isFinite else { return nil }
    // Below 1e-8, rounding removes the second term of sin(a/2)/a = 1/2 - a^2/48.
    let factor = angle < 1e-8 ? 0.5 : sin(angle / 2) / angle
    self.init(Quaternion(real: cos(angle / 2), imaginary: v * factor))
  }

  /// Creates the shortest rotation from the direction of `start` to that of `end`; nil if one is zero or not finite.
  ///
  /// For opposite directions it is a half turn about a perpendicular axis; it is exact to rounding near them.
  public init?(from start: Vector3, to end: Vector3) {
    guard let start = start.normalized, let end = end.normalized else { return nil }
    if start.dot(end) >= 0 {
      self.init(Quaternion(real: 1 + start.dot(end), imaginary: start.cross(end)))
      return
    }
    // 1 + dot would cancel. Turn to the opposite of `end`, which is near, and then by a half turn
    // about the common axis, made perpendicular to `end`, unless that axis is rounding noise.
    let common = start.cross(end)
    let known = common.length > 2 * .ulpOfOne ? (common - end * common.dot(end)).normalized : nil
    guard let axis = known ?? end.anyPerpendicular else { return nil }
    let near = Quaternion(real: 1 - start.dot(end), imaginary: start.cross(-end))
    self.init(Quaternion(real: 0, imaginary: axis) * near)
  }

  /// No rotation.
  public static let identity = Rotation(unit: .identity)

  /// The rotation in the opposite direction.
  public var inverse: Rotation { Rotation(unit: quaternion.conjugate) }

  /// The composition of two rotations: `b` first, then `a`.
  public static func * (a: Rotation, b: Rotation) -> Rotation {
    let product = a.quaternion * b.quaternion
    // One Newton step renormalises the product, so a long chain does not drift.
    return Rotation(unit: product * (1.5 - 0.5 * product.dot(product)))
  }

  /// Rotates a vector: for an attitude, from body to reference coordinates.
  ///
  /// A component that overflows is clamped; a vector that is not finite is returned unchanged.
  public func act(on v: Vector3) -> Vector3 {
    guard v.isFinite else { return v }
    let u = quaternion.imaginary
    let t = 2 * u.cross(v)
    let turned = v + quaternion.w * t + u.cross(t)
    if turned.isFinite { return turned }
    let limit = Double.greatestFiniteMagnitude / 8
    let small = act(on: v / 8)
    func scaledUp(_ component: Double) -> Double { 8 * min(max(component, -limit), limit) }
    return Vector3(scaledUp(small.x), scaledUp(small.y), scaledUp(small.z))
  }

  /// The rotation vector in radians, by the shortest way: the logarithm, v = 2 log q, |v| <= pi.
  ///
  /// For a half turn, which has two vectors, the first component that is not zero is positive.
  public var rotationVector: Vector3 {
    let q = quaternion.canonical
    let sine = q.imaginary.length
    // Below 1e-8 angle / sine = 2 + sine^2 / 3 is 2 to rounding.
    return q.imaginary * (sine < 1e-8 ? 2 : 2 * atan2(sine, q.w) / sine)
  }

  /// The angle of the rotation, by the shortest way, from 0 to pi.
  public var angle: Angle {
    Angle(radians: 2 * atan2(quaternion.imaginary.length, abs(quaternion.w)))
  }

  /// The axis about which ``angle`` is right-handed, of length 1; nil for the identity.
  public var axis: Vector3? { quaternion.canonical.imaginary.normalized }

  /// The angle between two rotations, by the shortest way, from 0 to pi.
  public func angle(to other: Rotation) -> Angle { (inverse * other).angle }

  /// Whether the angle between two rotations is at most `tolerance`.
  public func isApproximatelyEqual(to other: Rotation, tolerance: Angle = Angle(radians: 1e-9)) -> Bool {
    angle(to: other) <= tolerance
  }

  /// Angle and axis: `90° about (0, 0, 1)`, or `no rotation`.
  public var description: String { axis.map { "\(angle) about \($0)" } ?? "no rotation" }

  /// Decomposes the rotation into a twist about `twistAxis` and a swing about a perpendicular axis.
  ///
  /// `self == swing * twist`, with the axis in body coordinates and of any length.
  /// The twist is (w, (v.a)a), normalised; about z it is a counter-clockwise turn, which is the
  /// yaw of a level body.
  /// If the rotation reverses the axis, the twist is undefined and the identity is returned for it.
  /// Returns nil if the axis is zero or not finite.
  public func swingTwist(twistAxis: Vector3) -> (swing: Rotation, twist: Rotation)? {
    guard let axis = twistAxis.normalized else { return nil }
    let along = quaternion.imaginary.dot(axis)
    let twist = Rotation(Quaternion(real: quaternion.w, imaginary: axis * along)) ?? .identity
    return (self * twist.inverse, twist)
  }

  /// The angle between the z axes before and after the rotation, from 0 to pi: for an attitude, the tilt of the body.
  public var tilt: Angle {
    // Half angles keep the precision of small tilts.
    let q = quaternion
    return Angle(radians: 2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)))
  }

  /// The angle of the twist of ``swingTwist(twistAxis:)``, right-handed, in (-pi, pi]; nil as there.
  public func twistAngle(about axis: Vector3) -> Angle? {
    guard let parts = swingTwist(twistAxis: axis), let unit = axis.normalized else { return nil }
    return Angle(radians: parts.twist.rotationVector.dot(unit)).wrapped
  }

  /// Compares the quaternions without their signs.
  public static func == (a: Rotation, b: Rotation) -> Bool {
    a.quaternion.canonical == b.quaternion.canonical
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(quaternion.canonical)
  }
}
