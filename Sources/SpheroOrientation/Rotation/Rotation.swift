// A rotation in space: the one attitude type of the module, a quaternion of length 1.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A rotation in three dimensions, held as a quaternion of length 1.
///
/// As an attitude it takes body coordinates to reference coordinates:
/// v_reference = q v q*, with Hamilton's product.
/// Positive angles are right-handed about their axis.
/// A rotation is always valid: initialisers fail rather than hold zero, NaN or infinity.
///
/// Two rotations are equal if they turn alike, so q and -q are equal.
public struct Rotation: Sendable {
  /// The quaternion, of length 1 to rounding; its sign carries no meaning.
  public let quaternion: Quaternion

  /// Takes a quaternion that is known to have length 1.
  init(unit quaternion: Quaternion) {
    self.quaternion = quaternion
  }

  /// Makes the rotation in the direction of a quaternion of any length.
  ///
  /// Returns nil for zero and for what is not finite.
  /// Firmware without the quaternion sensor streams zeros, so nil also means "absent".
  public init?(_ quaternion: Quaternion) {
    guard let unit = quaternion.normalized else { return nil }
    self.init(unit: unit)
  }

  /// Makes a rotation of four quaternion words of any length, scalar first; see ``init(_:)``.
  public init?(w: Double, x: Double, y: Double, z: Double) {
    self.init(Quaternion(w: w, x: x, y: y, z: z))
  }

  /// Makes a rotation of four quaternion words under the names simd and Bose Wearable use; see ``init(_:)``.
  public init?(ix: Double, iy: Double, iz: Double, r: Double) {
    self.init(Quaternion(ix: ix, iy: iy, iz: iz, r: r))
  }

  /// Makes a right-handed rotation by an angle about an axis of any length.
  ///
  /// Returns nil if the axis is zero or anything is not finite.
  public init?(angle: Angle, axis: Vector3) {
    guard let unit = axis.normalized, angle.isFinite else { return nil }
    let half = angle.radians / 2
    self.init(Quaternion(real: cos(half), imaginary: unit * sin(half)))
  }

  /// Makes the rotation by |v| radians about v: the exponential map, q = exp(v / 2).
  ///
  /// Returns nil if v or its length is not finite.
  public init?(rotationVector v: Vector3) {
    let angle = v.length
    guard angle.isFinite, v.isFinite else { return nil }
    // Below 1e-8 the second term of sin(a/2)/a = 1/2 - a^2/48 is lost to rounding.
    let factor = angle < 1e-8 ? 0.5 : sin(angle / 2) / angle
    self.init(Quaternion(real: cos(angle / 2), imaginary: v * factor))
  }

  /// Makes the shortest rotation that takes the direction of `start` to that of `end`.
  ///
  /// Opposite directions are joined by a half turn about some axis at right angles.
  /// The result takes `start` to `end` to rounding, also next to opposite.
  /// Returns nil if either vector is zero or not finite.
  public init?(from start: Vector3, to end: Vector3) {
    guard let start = start.normalized, let end = end.normalized else { return nil }
    if start.dot(end) >= 0 {
      self.init(Quaternion(real: 1 + start.dot(end), imaginary: start.cross(end)))
      return
    }
    // 1 + dot would cancel here: turn to the opposite of `end` first, which is near, then half round.
    // The half turn goes about the common axis, made perpendicular to `end`, unless that axis is rounding noise.
    let common = start.cross(end)
    let known = common.length > 2 * .ulpOfOne ? (common - end * common.dot(end)).normalized : nil
    guard let axis = known ?? end.anyPerpendicular else { return nil }
    let near = Quaternion(real: 1 - start.dot(end), imaginary: start.cross(-end))
    self.init(Quaternion(real: 0, imaginary: axis) * near)
  }

  /// No rotation.
  public static let identity = Rotation(unit: .identity)

  /// The rotation that undoes this one.
  public var inverse: Rotation { Rotation(unit: quaternion.conjugate) }

  /// Both rotations one after the other: `b` first, then `a`.
  ///
  /// One Newton step pulls the product back to length 1, so a long chain does not drift.
  public static func * (a: Rotation, b: Rotation) -> Rotation {
    let product = a.quaternion * b.quaternion
    return Rotation(unit: product * (1.5 - 0.5 * product.dot(product)))
  }

  /// Turns a vector: for an attitude, from body to reference coordinates.
  ///
  /// A component that would pass the largest double stays there.
  /// A vector that is not finite has no direction and comes back unchanged.
  public func act(on v: Vector3) -> Vector3 {
    guard v.isFinite else { return v }
    let u = quaternion.imaginary
    let t = 2 * u.cross(v)
    let turned = v + quaternion.w * t + u.cross(t)
    if turned.isFinite { return turned }
    let limit = Double.greatestFiniteMagnitude / 8
    let small = act(on: v / 8)
    func grown(_ component: Double) -> Double { 8 * min(max(component, -limit), limit) }
    return Vector3(grown(small.x), grown(small.y), grown(small.z))
  }

  /// The turn in radians about its axis, shortest way round: the logarithm, v = 2 log q, |v| <= pi.
  ///
  /// Zero for no rotation.
  /// Of the two vectors of a half turn it is the one whose first component that is not zero is positive.
  public var rotationVector: Vector3 {
    let q = quaternion.canonical
    let sine = q.imaginary.length
    // Below 1e-8 angle / sine = 2 + sine^2 / 3 is 2 to rounding.
    return q.imaginary * (sine < 1e-8 ? 2 : 2 * atan2(sine, q.w) / sine)
  }

  /// How far the rotation turns, shortest way round, from 0 to pi.
  public var angle: Angle {
    Angle(radians: 2 * atan2(quaternion.imaginary.length, abs(quaternion.w)))
  }

  /// The axis about which ``angle`` is right-handed, of length 1; nil if there is no rotation.
  public var axis: Vector3? { quaternion.canonical.imaginary.normalized }

  /// How far apart two rotations are, shortest way round, from 0 to pi.
  public func angle(to other: Rotation) -> Angle { (inverse * other).angle }

  /// Whether two rotations turn alike but for `tolerance`, shortest way round.
  public func isApproximatelyEqual(to other: Rotation, tolerance: Angle = Angle(radians: 1e-9)) -> Bool {
    angle(to: other) <= tolerance
  }
}

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

extension Rotation: Hashable {
  /// Whether both turn alike, word for word; the sign of the quaternion is ignored.
  public static func == (a: Rotation, b: Rotation) -> Bool {
    a.quaternion.canonical == b.quaternion.canonical
  }

  /// Feeds the quaternion with its sign settled to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(quaternion.canonical)
  }
}
