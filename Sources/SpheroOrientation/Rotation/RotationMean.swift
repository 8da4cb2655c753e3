// The mean of rotations, the alignment of vectors, and the eigenvector that both need.

extension Rotation {
  /// Returns the weighted mean of rotations, which minimises the sum of squared chordal distances.
  ///
  /// It is the eigenvector of the largest eigenvalue of sum(weight q q^T). If several rotations minimise the sum,
  /// as for opposite half turns, one of them is returned.
  /// Source: F. L. Markley et al., J. Guidance, Control and Dynamics 30(4), 2007.
  ///
  /// By default, all weights are equal.
  /// Returns nil if no weight is positive, a weight is negative or not finite, or the counts differ.
  public static func mean(of rotations: [Rotation], weights: [Double]? = nil) -> Rotation? {
    let weights = weights ?? Array(repeating: 1, count: rotations.count)
    guard weights.count == rotations.count, weights.allSatisfy({ $0 >= 0 && $0.isFinite }),
      let largest = weights.max(), largest > 0
    else { return nil }
    var sum = Array(repeating: [0.0, 0, 0, 0], count: 4)
    for (rotation, weight) in zip(rotations, weights) {
      let q = rotation.quaternion
      let components = [q.w, q.x, q.y, q.z]
      for row in 0..<4 {
        for column in 0..<4 { sum[row][column] += weight / largest * components[row] * components[column] }
      }
    }
    return Rotation(Quaternion(principalAxisOf: sum))
  }

  /// Returns the rotation that minimises the sum of weight |end - R start|^2 (Wahba's problem).
  ///
  /// If all vectors are parallel, the rotation about them is undefined, and one of the solutions is returned.
  /// SciPy's `align_vectors(a, b)` rotates its second list to its first one.
  /// Source: P. Davenport's q-method, in M. Shuster and S. Oh, J. Guidance and Control 4(1), 1981.
  ///
  /// By default, all weights are equal. Returns nil if a weight is negative, the counts differ, a vector is not finite,
  /// or the sum of weight end start^T has a row of length 1e150 or more or is zero: all pairs have a vector or weight of
  /// zero, or cancel.
  public static func aligning(_ starts: [Vector3], to ends: [Vector3], weights: [Double]? = nil) -> Rotation?
  {
    let weights = weights ?? Array(repeating: 1, count: starts.count)
    guard starts.count == ends.count, weights.count == starts.count, weights.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    let none = RotationMatrix(rows: .zero, .zero, .zero)
    let sum = zip(zip(starts, ends), weights).reduce(none) { sum, pair in
      let ((start, end), weight) = pair
      return RotationMatrix(
        rows: sum.row1 + start * (end.x * weight), sum.row2 + start * (end.y * weight),
        sum.row3 + start * (end.z * weight))
    }
    let largest = max(sum.row1.length, sum.row2.length, sum.row3.length)
    guard largest > 0, largest < 1e150 else { return nil }
    return Rotation(
      closestTo: RotationMatrix(rows: sum.row1 / largest, sum.row2 / largest, sum.row3 / largest))
  }
}

extension Quaternion {
  /// Creates the eigenvector of the largest eigenvalue of a symmetric 4 by 4 matrix, in the order w, x, y, z.
  init(principalAxisOf matrix: [[Double]]) {
    let (values, vectors) = symmetricEigen(matrix)
    let vector = vectors[values.indices.max { values[$0] < values[$1] } ?? 0]
    self.init(w: vector[0], x: vector[1], y: vector[2], z: vector[3])
  }
}

/// Returns the eigenvalues of a symmetric matrix and, in the same order, its eigenvectors, by Jacobi rotations.
func symmetricEigen(_ matrix: [[Double]]) -> (values: [Double], vectors: [[Double]]) {
  var a = matrix
  var vectors: [[Double]] = a.indices.map { row in a.indices.map { $0 == row ? 1 : 0 } }
  // Convergence is quadratic: six sweeps suffice, twelve leave a margin.
  for _ in 0..<12 {
    for p in a.indices {
      for q in a.indices where p < q && a[p][q] != 0 {
        // Rotates the plane of both axes by the smaller of the two angles that make their off-diagonal element zero;
        // a ratio that overflows gives an angle of zero.
        let ratio = (a[q][q] - a[p][p]) / (2 * a[p][q])
        let root = (1 + min(ratio * ratio, .greatestFiniteMagnitude)).squareRoot()
        let tangent = (ratio < 0 ? -1 : 1) / (abs(ratio) + root)
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        func rotated(_ x: Double, _ y: Double) -> (Double, Double) {
          (cosine * x - sine * y, sine * x + cosine * y)
        }
        for k in a.indices {
          (a[k][p], a[k][q]) = rotated(a[k][p], a[k][q])
          (vectors[p][k], vectors[q][k]) = rotated(vectors[p][k], vectors[q][k])
        }
        for k in a.indices { (a[p][k], a[q][k]) = rotated(a[p][k], a[q][k]) }
        (a[p][q], a[q][p]) = (0, 0)
      }
    }
  }
  return (a.indices.map { a[$0][$0] }, vectors)
}
