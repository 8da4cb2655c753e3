// Rotation matrices, active and passive.

/// A 3 by 3 matrix; ``Rotation/init(activeMatrix:tolerance:)`` checks whether it is a rotation.
///
/// Rows and columns count from 1, as in Core Motion's `CMRotationMatrix`: `m12` is row 1, column 2.
public struct RotationMatrix: Hashable, Sendable, CustomStringConvertible {
  /// An element of the first row.
  public var m11, m12, m13: Double
  /// An element of the second row.
  public var m21, m22, m23: Double
  /// An element of the third row.
  public var m31, m32, m33: Double

  public init(rows row1: Vector3, _ row2: Vector3, _ row3: Vector3) {
    (m11, m12, m13) = (row1.x, row1.y, row1.z)
    (m21, m22, m23) = (row2.x, row2.y, row2.z)
    (m31, m32, m33) = (row3.x, row3.y, row3.z)
  }

  /// The first row.
  public var row1: Vector3 {
    get { Vector3(m11, m12, m13) }
    set { (m11, m12, m13) = (newValue.x, newValue.y, newValue.z) }
  }
  /// The second row.
  public var row2: Vector3 {
    get { Vector3(m21, m22, m23) }
    set { (m21, m22, m23) = (newValue.x, newValue.y, newValue.z) }
  }
  /// The third row.
  public var row3: Vector3 {
    get { Vector3(m31, m32, m33) }
    set { (m31, m32, m33) = (newValue.x, newValue.y, newValue.z) }
  }

  /// The transpose: for a rotation, the inverse.
  public var transpose: RotationMatrix {
    RotationMatrix(
      rows: Vector3(row1.x, row2.x, row3.x),
      Vector3(row1.y, row2.y, row3.y),
      Vector3(row1.z, row2.z, row3.z))
  }

  /// The product of the matrix and a column vector.
  public func act(on v: Vector3) -> Vector3 {
    Vector3(row1.dot(v), row2.dot(v), row3.dot(v))
  }

  /// The matrix product: for active matrices, the rotation `b` followed by `a`.
  public static func * (a: RotationMatrix, b: RotationMatrix) -> RotationMatrix {
    let columns = b.transpose
    return RotationMatrix(rows: columns.act(on: a.row1), columns.act(on: a.row2), columns.act(on: a.row3))
  }

  /// The product of the matrix and a column vector; the same as ``act(on:)``.
  public static func * (a: RotationMatrix, v: Vector3) -> Vector3 { a.act(on: v) }

  /// The determinant: +1 for a rotation, -1 for a reflection.
  public var determinant: Double { row1.dot(row2.cross(row3)) }

  /// The largest deviation of M M^T from the identity matrix.
  ///
  /// Zero for a rotation or a reflection; infinite if an element is not finite.
  public var orthogonalityError: Double {
    let errors = [
      row1.dot(row1) - 1, row2.dot(row2) - 1, row3.dot(row3) - 1,
      row1.dot(row2), row2.dot(row3), row3.dot(row1),
    ]
    guard errors.allSatisfy({ $0.isFinite }) else { return .infinity }
    return errors.reduce(0) { max($0, abs($1)) }
  }

  public var description: String { "[\(row1), \(row2), \(row3)]" }
}

extension Rotation {
  /// The active matrix M, v_reference = M v_body: its columns are the body axes in reference coordinates.
  public var activeMatrix: RotationMatrix {
    let q = quaternion
    let (xx, yy, zz) = (q.x * q.x, q.y * q.y, q.z * q.z)
    let (xy, yz, zx) = (q.x * q.y, q.y * q.z, q.z * q.x)
    let (wx, wy, wz) = (q.w * q.x, q.w * q.y, q.w * q.z)
    return RotationMatrix(
      rows: Vector3(1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (zx + wy)),
      Vector3(2 * (xy + wz), 1 - 2 * (zz + xx), 2 * (yz - wx)),
      Vector3(2 * (zx - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)))
  }

  /// The passive matrix P, v_body = P v_reference: the transpose of ``activeMatrix``.
  ///
  /// This is Core Motion's `rotationMatrix`.
  public var passiveMatrix: RotationMatrix { activeMatrix.transpose }

  /// Creates the rotation nearest to an active matrix, v_reference = M v_body, by least squares over its elements.
  ///
  /// Returns nil if ``RotationMatrix/orthogonalityError`` exceeds `tolerance`, or the matrix is a reflection.
  /// Source: I. Bar-Itzhack, J. Guidance, Control and Dynamics 23(6), 2000.
  public init?(activeMatrix m: RotationMatrix, tolerance: Double = 1e-3) {
    guard m.orthogonalityError <= tolerance, m.determinant > 0 else { return nil }
    self.init(closestTo: m)
  }

  /// Creates the rotation whose active matrix has the largest scalar product with a finite matrix.
  init?(closestTo m: RotationMatrix) {
    let (a, b, c) = (m.row1, m.row2, m.row3)
    self.init(
      Quaternion(principalAxisOf: [
        [a.x + b.y + c.z, c.y - b.z, a.z - c.x, b.x - a.y],
        [c.y - b.z, a.x - b.y - c.z, a.y + b.x, a.z + c.x],
        [a.z - c.x, a.y + b.x, b.y - a.x - c.z, b.z + c.y],
        [b.x - a.y, a.z + c.x, b.z + c.y, c.z - a.x - b.y],
      ]))
  }

  /// Creates the rotation nearest to a passive matrix, v_body = P v_reference, such as Core Motion's.
  ///
  /// Returns nil as ``init(activeMatrix:tolerance:)`` does.
  public init?(passiveMatrix: RotationMatrix, tolerance: Double = 1e-3) {
    self.init(activeMatrix: passiveMatrix.transpose, tolerance: tolerance)
  }
}
