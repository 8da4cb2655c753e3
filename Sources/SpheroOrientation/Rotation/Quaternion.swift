// A quaternion of any length with Hamilton's product.

/// A quaternion w + xi + yj + zk with Hamilton's product (ij = k), of any length.
///
/// Sensors deliver attitudes in this form, and sums are computed in it.
/// ``Rotation`` is a quaternion of length 1.
public struct Quaternion: Hashable, Sendable, AdditiveArithmetic, CustomStringConvertible {
  /// The scalar part, also called real part, r or s.
  public var w: Double
  /// An imaginary component.
  public var x, y, z: Double

  public init(w: Double, x: Double, y: Double, z: Double) {
    (self.w, self.x, self.y, self.z) = (w, x, y, z)
  }

  /// Creates a quaternion from w, and x, y and z as a vector.
  public init(real: Double, imaginary: Vector3) {
    self.init(w: real, x: imaginary.x, y: imaginary.y, z: imaginary.z)
  }

  /// The quaternion of no rotation, (1, 0, 0, 0).
  public static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

  public static let zero = Quaternion(w: 0, x: 0, y: 0, z: 0)

  /// Creates a quaternion from components in the order of simd: x, y, z, w.
  public init(vector: SIMD4<Double>) {
    self.init(w: vector.w, x: vector.x, y: vector.y, z: vector.z)
  }

  /// The components x, y, z, w, as simd orders them.
  public var vector: SIMD4<Double> { SIMD4(x, y, z, w) }

  /// The components x, y and z.
  public var imaginary: Vector3 { Vector3(x, y, z) }

  /// Whether no component is infinite or NaN.
  public var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }

  /// Returns the sum of the products of the components.
  public func dot(_ other: Quaternion) -> Double {
    w * other.w + x * other.x + y * other.y + z * other.z
  }

  /// The Euclidean length, 1 for a rotation; infinite if it exceeds the largest double or a component is not finite.
  public var norm: Double {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return squared.squareRoot() }
    guard let scaled = scaledByLargest else { return isFinite ? 0 : .infinity }
    return largest * scaled.dot(scaled).squareRoot()
  }

  /// The quaternion of length 1 in the same direction; nil if the quaternion is zero or not finite.
  ///
  /// Components may be subnormal or as large as 1e300.
  public var normalized: Quaternion? {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return self / squared.squareRoot() }
    guard let scaled = scaledByLargest else { return nil }
    return scaled / scaled.dot(scaled).squareRoot()
  }

  /// The vector part negated: for a rotation, the inverse.
  public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// This quaternion or its negative, which is the same rotation, with w > 0.
  ///
  /// If w is 0, the first component that is not zero is positive.
  public var canonical: Quaternion {
    let deciding = w != 0 ? w : (x != 0 ? x : (y != 0 ? y : z))
    return deciding < 0 ? -self : self
  }

  /// Returns Hamilton's product, the rotation by `b` followed by that by `a`.
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  public static func + (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w + b.w, x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  public static func - (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w - b.w, x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  /// The negative, which is the same rotation.
  public static prefix func - (a: Quaternion) -> Quaternion {
    Quaternion(w: -a.w, x: -a.x, y: -a.y, z: -a.z)
  }

  /// Returns a multiple of a quaternion.
  public static func * (a: Quaternion, factor: Double) -> Quaternion {
    Quaternion(w: a.w * factor, x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }

  /// Returns a quaternion whose components are divided by a number.
  public static func / (a: Quaternion, divisor: Double) -> Quaternion {
    Quaternion(w: a.w / divisor, x: a.x / divisor, y: a.y / divisor, z: a.z / divisor)
  }

  private var largest: Double { max(max(abs(w), abs(x)), max(abs(y), abs(z))) }

  private var scaledByLargest: Quaternion? {
    largest > 0 && isFinite ? self / largest : nil
  }

  public var description: String { "(w: \(w.numeral), x: \(x.numeral), y: \(y.numeral), z: \(z.numeral))" }
}

#if !hasFeature(Embedded)
  extension Quaternion: Codable {}
#endif
