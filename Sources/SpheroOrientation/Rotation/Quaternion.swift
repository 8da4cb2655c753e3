// Four numbers with the Hamilton product: the raw words before they are known to be a rotation.

/// A quaternion w + xi + yj + zk with Hamilton's product (ij = k), of any length.
///
/// This is the form in which sensors deliver an attitude and in which sums are taken.
/// ``Rotation`` is the same four numbers once they are known to have length 1.
public struct Quaternion: Hashable, Sendable, AdditiveArithmetic {
  /// The scalar part, also called real part, r or s.
  public var w: Double
  /// The part along i.
  public var x: Double
  /// The part along j.
  public var y: Double
  /// The part along k.
  public var z: Double

  /// Makes a quaternion of its four words.
  public init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// Makes a quaternion of its four words under the names simd and Bose Wearable use.
  public init(ix: Double, iy: Double, iz: Double, r: Double) {
    self.init(w: r, x: ix, y: iy, z: iz)
  }

  /// Makes a quaternion of a scalar and a vector part.
  public init(real: Double, imaginary: Vector3) {
    self.init(w: real, x: imaginary.x, y: imaginary.y, z: imaginary.z)
  }

  /// The quaternion of no rotation, (1, 0, 0, 0).
  public static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

  /// The quaternion of four zeros, which is not a rotation.
  public static let zero = Quaternion(w: 0, x: 0, y: 0, z: 0)

  /// Makes a quaternion of simd's four words in the order of its `vector`: x, y, z, w.
  public init(vector: SIMD4<Double>) {
    self.init(w: vector.w, x: vector.x, y: vector.y, z: vector.z)
  }

  /// The four words in the order of simd: x, y, z, w.
  public var vector: SIMD4<Double> { SIMD4(x, y, z, w) }

  /// The vector part.
  public var imaginary: Vector3 { Vector3(x, y, z) }

  /// Whether no word is NaN or infinite.
  public var isFinite: Bool { w.isFinite && x.isFinite && y.isFinite && z.isFinite }

  /// The scalar product of the four words.
  public func dot(_ other: Quaternion) -> Double {
    w * other.w + x * other.x + y * other.y + z * other.z
  }

  /// The length of the four words; 1 for a rotation, so its distance from 1 tells how good the input was.
  ///
  /// Intermediate squares neither overflow nor underflow.
  /// Infinite beyond the largest double and for what is not finite.
  public var norm: Double {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return squared.squareRoot() }
    guard let scaled = scaledByLargest else { return isFinite ? 0 : .infinity }
    return largest * scaled.dot(scaled).squareRoot()
  }

  /// The quaternion of length 1 in the same direction; nil for zero and for what is not finite.
  ///
  /// Every other input works, subnormal words and words of 1e300 included.
  public var normalized: Quaternion? {
    let squared = dot(self)
    if squaresWithoutLoss.contains(squared) { return self / squared.squareRoot() }
    guard let scaled = scaledByLargest else { return nil }
    return scaled / scaled.dot(scaled).squareRoot()
  }

  /// The vector part negated: for a rotation, the inverse.
  public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// This quaternion or its negative, whichever has w > 0.
  ///
  /// Both stand for the same rotation.
  /// At w = 0 the first word that is not zero decides.
  public var canonical: Quaternion {
    let deciding = w != 0 ? w : (x != 0 ? x : (y != 0 ? y : z))
    return deciding < 0 ? -self : self
  }

  /// Hamilton's product.
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
      x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)
  }

  /// The sum of the words.
  public static func + (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w + b.w, x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  /// The difference of the words.
  public static func - (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w - b.w, x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  /// The negative, which is the same rotation.
  public static prefix func - (a: Quaternion) -> Quaternion {
    Quaternion(w: -a.w, x: -a.x, y: -a.y, z: -a.z)
  }

  /// Every word multiplied by a factor.
  public static func * (a: Quaternion, factor: Double) -> Quaternion {
    Quaternion(w: a.w * factor, x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }

  /// Every word divided by a divisor.
  public static func / (a: Quaternion, divisor: Double) -> Quaternion {
    Quaternion(w: a.w / divisor, x: a.x / divisor, y: a.y / divisor, z: a.z / divisor)
  }

  private var largest: Double { max(max(abs(w), abs(x)), max(abs(y), abs(z))) }

  private var scaledByLargest: Quaternion? {
    largest > 0 && isFinite ? self / largest : nil
  }
}

#if !hasFeature(Embedded)
  extension Quaternion: Codable {}
#endif
