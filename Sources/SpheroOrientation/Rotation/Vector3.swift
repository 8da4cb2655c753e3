// A vector of three components: a direction, a rate, an acceleration.

/// A vector of three doubles.
///
/// The caller defines the unit and the frame.
/// The operators follow IEEE 754: they propagate NaN and infinity, and may overflow.
/// ``length`` and ``normalized`` are exact to rounding for every finite value, including subnormal and huge ones.
public struct Vector3: Hashable, Sendable, AdditiveArithmetic, CustomStringConvertible,
  ExpressibleByArrayLiteral
{
  /// The component along an axis.
  public var x, y, z: Double

  @inlinable public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// Creates a vector from x, y and z.
  @inlinable public init(_ x: Double, _ y: Double, _ z: Double) {
    self.init(x: x, y: y, z: z)
  }

  /// The component along an axis.
  public subscript(axis: Axis) -> Double {
    switch axis {
    case .x: x
    case .y: y
    case .z: z
    }
  }

  @inlinable public static var zero: Vector3 { Vector3(0, 0, 0) }

  /// Whether no component is NaN or infinite; a sum without branches keeps the components in vector registers.
  @inlinable public var isFinite: Bool { x * 0 + y * 0 + z * 0 == 0 }

  /// Returns the scalar product.
  @inlinable public func dot(_ other: Vector3) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  /// Returns the vector product, right-handed: x cross y is z.
  @inlinable public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  /// The Euclidean length; infinite if it exceeds the largest double or a component is not finite.
  public var length: Double {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return squared.squareRoot() }
    return Quaternion(real: 0, imaginary: self).norm
  }

  /// The vector of length 1 in the same direction; nil if the vector is zero or not finite.
  public var normalized: Vector3? {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return self / squared.squareRoot() }
    return Quaternion(real: 0, imaginary: self).normalized?.imaginary
  }

  /// A vector of length 1 perpendicular to this one; nil if ``normalized`` is nil.
  public var anyPerpendicular: Vector3? {
    guard let unit = normalized else { return nil }
    // The axis with the smallest component avoids cancellation.
    let axis = Axis.allCases.min { abs(unit[$0]) < abs(unit[$1]) } ?? .x
    return unit.cross(axis.vector).normalized
  }

  /// Whether both vectors differ by no more than `tolerance` in length.
  public func isApproximatelyEqual(to other: Vector3, tolerance: Double = 1e-9) -> Bool {
    (self - other).length <= tolerance
  }

  @inlinable public static func + (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x + b.x, a.y + b.y, a.z + b.z)
  }

  @inlinable public static func - (a: Vector3, b: Vector3) -> Vector3 {
    Vector3(a.x - b.x, a.y - b.y, a.z - b.z)
  }

  /// Returns the vector in the opposite direction.
  @inlinable public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }

  @inlinable public static func * (a: Vector3, factor: Double) -> Vector3 {
    Vector3(a.x * factor, a.y * factor, a.z * factor)
  }

  /// Returns a multiple of a vector.
  @inlinable public static func * (factor: Double, a: Vector3) -> Vector3 { a * factor }

  /// Returns a vector whose components are divided by a number.
  @inlinable public static func / (a: Vector3, divisor: Double) -> Vector3 {
    Vector3(a.x / divisor, a.y / divisor, a.z / divisor)
  }

  /// Multiplies each component.
  @inlinable public static func *= (a: inout Vector3, factor: Double) { a = a * factor }

  /// Divides each component.
  @inlinable public static func /= (a: inout Vector3, divisor: Double) { a = a / divisor }

  public var description: String { "(\(x.numeral), \(y.numeral), \(z.numeral))" }

  /// Creates a vector from an array literal of three components; as with `SIMD3`, any other count is a programming error.
  public init(arrayLiteral components: Double...) {
    precondition(components.count == 3, "a vector has three components")
    self.init(components[0], components[1], components[2])
  }

  /// Creates a vector from a vector of the standard library.
  public init(_ vector: SIMD3<Double>) { self.init(vector.x, vector.y, vector.z) }
}

extension SIMD3<Double> {
  /// Creates a vector of the standard library.
  public init(_ vector: Vector3) { self.init(vector.x, vector.y, vector.z) }
}

/// The sums of squares that neither underflow nor overflow, so that their square root is exact to rounding.
let squaresWithoutLoss = 1e-270...1e300

#if !hasFeature(Embedded)
  extension Vector3: Codable {}
#endif
