// Fits an ellipsoid to the readings of a magnetometer in a body that turns in all directions.

import SpheroLibc

/// Collects readings of a magnetometer, and determines a ``MagnetometerCalibration`` from them.
///
/// Turn the body in one place until each of its axes has pointed in all directions: the fit requires the same field
/// for all readings. ``calibration()`` ignores readings that are close to others, so a body at rest contributes one.
/// Memory is bounded: fewer than 1024 readings are kept.
///
/// The fit minimizes the squared algebraic distances x'A x - 2 b'x - c of the readings under the constraint trace(A) = 3,
/// which is independent of the orientation of the axes. Noise of 1 % of the field strength changes the result by less
/// than 1 %.
/// Source: Y. Petrov, Ellipsoid fit, MATLAB Central, 2009.
public struct MagnetometerCalibrator: Sendable {
  /// The requirements of a calibration.
  public struct Limits: Hashable, Sendable {
    /// The smallest number of readings from different directions; an ellipsoid has nine parameters.
    public var sampleCount = 50
    /// The smallest ``MagnetometerCalibration/coverage``, 0...1.
    public var coverage = 0.7
    /// The largest ``MagnetometerCalibration/residual``.
    public var residual = 0.1
    /// The largest ratio of two semi-axes of the ellipsoid.
    public var axisRatio = 3.0

    public init() {}
  }

  private static let capacity = 1024
  /// The smallest distance of two readings in the fit, as a fraction of the mean distance from the center.
  private static let spacing = 0.12
  /// Readings whose distance from the center exceeds the median distance by this factor are errors of the sensor.
  private static let outlierFactor = 4.0
  /// Readings whose magnitude exceeds the 90th percentile by this factor are errors of the sensor.
  private static let spikeFactor = 10.0
  private static let maximumComponent = 1e12

  /// The requirements on the readings.
  public let limits: Limits
  private var readings: [Vector3] = []

  public init(limits: Limits = Limits()) { self.limits = limits }

  /// The number of kept readings, including those that the fit ignores.
  public var count: Int { readings.count }

  /// Adds a reading, in the same unit as all others; ignores one that equals the previous one, is not finite,
  /// or has a component beyond ±1e12.
  public mutating func add(_ field: Vector3) {
    guard field.isFinite, max(abs(field.x), abs(field.y), abs(field.z)) <= Self.maximumComponent else {
      return
    }
    // A sensor that starts late repeats one reading, and would make the others outliers.
    guard field != readings.last else { return }
    readings.append(field)
    guard readings.count >= Self.capacity else { return }
    var spacing = Self.spacing
    while readings.count > Self.capacity / 2 {
      readings = Self.separated(readings, by: spacing)
      spacing *= 1.5
    }
  }

  /// Discards all readings.
  public mutating func reset() { readings.removeAll() }

  /// Determines the calibration from the readings so far.
  ///
  /// - Throws: ``MagnetometerCalibrationError``.
  public func calibration() throws(MagnetometerCalibrationError) -> MagnetometerCalibration {
    // A body at rest contributes many readings, which would dominate the medians.
    let even = Self.separated(readings, by: Self.spacing)
    let readings = Self.separated(Self.withoutOutliers(even), by: Self.spacing)
    guard readings.count >= limits.sampleCount else {
      throw .tooFewReadings(readings.count, minimum: limits.sampleCount)
    }
    guard var calibration = Self.fit(readings, maximumRatio: limits.axisRatio) else {
      // For readings near a plane, low coverage explains the failure.
      let coverage = Self.coverage(readings.map { $0 - Self.mean(readings) })
      if coverage < limits.coverage { throw .insufficientCoverage(coverage, minimum: limits.coverage) }
      throw .notAnEllipsoid
    }
    calibration.coverage = Self.coverage(readings.map { $0 - calibration.hardIron })
    guard calibration.coverage >= limits.coverage else {
      throw .insufficientCoverage(calibration.coverage, minimum: limits.coverage)
    }
    let errors = readings.map { calibration($0).length / calibration.strength - 1 }
    calibration.residual = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    guard calibration.residual <= limits.residual else {
      throw .excessiveResidual(calibration.residual, maximum: limits.residual)
    }
    return calibration
  }

  // MARK: Readings

  private static func mean(_ readings: [Vector3]) -> Vector3 {
    readings.reduce(.zero, +) * (1 / Double(max(readings.count, 1)))
  }

  /// The quantile of a fraction in tenths: 5 is the median; 0 without values.
  private static func quantile(_ tenths: Int, of values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count * tenths / 10]
  }

  /// The readings without those that are far from the median.
  private static func withoutOutliers(_ readings: [Vector3]) -> [Vector3] {
    func median(_ values: [Double]) -> Double { quantile(5, of: values) }
    let center = Vector3(
      median(readings.map { $0.x }), median(readings.map { $0.y }), median(readings.map { $0.z }))
    let limit = outlierFactor * median(readings.map { ($0 - center).length })
    return readings.filter { ($0 - center).length <= limit }
  }

  /// The readings without spikes, which would dominate the mean distance from the center.
  private static func withoutSpikes(_ readings: [Vector3]) -> [Vector3] {
    let limit = spikeFactor * quantile(9, of: readings.map { $0.length })
    return readings.filter { $0.length <= limit }
  }

  /// The readings without spikes, and without those that are close to an earlier reading.
  ///
  /// A cluster shifts the mean, from which the minimum distance derives, so the removal is repeated.
  private static func separated(_ readings: [Vector3], by spacing: Double) -> [Vector3] {
    var rest = withoutSpikes(readings)
    for _ in 0..<3 {
      let center = mean(rest)
      let distance = rest.reduce(0) { $0 + ($1 - center).length } / Double(max(rest.count, 1))
      let limit = spacing * distance
      var kept: [Vector3] = []
      for reading in rest where !kept.contains(where: { ($0 - reading).length <= limit }) {
        kept.append(reading)
      }
      if kept.count == rest.count { break }
      rest = kept
    }
    return rest
  }

  /// The fraction of the directions that occur: of 54 cells, nine on each face of a cube.
  private static func coverage(_ directions: [Vector3]) -> Double {
    var cells: Set<Int> = []
    for direction in directions {
      let parts = [direction.x, direction.y, direction.z]
      let sizes = parts.map { abs($0) }
      guard let largest = sizes.max(), largest > 0, let face = sizes.firstIndex(of: largest) else { continue }
      var cell = face * 2 + (parts[face] > 0 ? 1 : 0)
      for axis in 0..<3 where axis != face {
        // A face spans -45...45 degrees; the tangent of 15 degrees divides it into thirds.
        let position = parts[axis] / largest
        cell = cell * 3 + (position < -0.268 ? 0 : (position > 0.268 ? 2 : 1))
      }
      cells.insert(cell)
    }
    return Double(cells.count) / 54
  }

  // MARK: Fit

  /// Fits an ellipsoid to readings; nil if the solution is none, or if a ratio of its semi-axes exceeds the maximum.
  private static func fit(_ readings: [Vector3], maximumRatio: Double) -> MagnetometerCalibration? {
    let center = mean(readings)
    let scale = readings.reduce(0) { $0 + ($1 - center).length } / Double(readings.count)
    guard scale > 0 else { return nil }
    // One equation for u of each reading (x, y, z):
    // x² + y² + z² = u0 (x² + y² - 2z²) + u1 (x² + z² - 2y²) + 2 (u2 xy + u3 xz + u4 yz + u5 x + u6 y + u7 z) + u8.
    var equations = NormalEquations(count: 9)
    for reading in readings {
      let r = (reading - center) * (1 / scale)
      let (xx, yy, zz) = (r.x * r.x, r.y * r.y, r.z * r.z)
      equations.add(
        [
          xx + yy - 2 * zz, xx + zz - 2 * yy, 2 * r.x * r.y, 2 * r.x * r.z, 2 * r.y * r.z, 2 * r.x, 2 * r.y,
          2 * r.z, 1,
        ], equals: xx + yy + zz)
    }
    guard let u = equations.solution() else { return nil }
    // The matrix A of the ellipsoid x'A x - 2 b'x = c, with b = (u5, u6, u7) and c = u8.
    let (values, vectors) = symmetricEigen(
      [
        [1 - u[0] - u[1], -u[2], -u[3]], [-u[2], 1 - u[0] + 2 * u[1], -u[4]],
        [-u[3], -u[4], 1 - u[1] + 2 * u[0]],
      ])
    guard let smallest = values.min(), let largest = values.max(), smallest > 0,
      largest <= smallest * maximumRatio * maximumRatio
    else { return nil }
    let linear = Vector3(u[5], u[6], u[7])
    func form(_ function: (Double) -> Double) -> MagnetometerCalibration.SymmetricMatrix {
      MagnetometerCalibration.SymmetricMatrix(values: values.map(function), vectors: vectors)
    }
    let offset = form { 1 / $0 }(linear)
    let size = u[8] + offset.dot(linear)
    guard size > 0 else { return nil }
    // The geometric mean of the semi-axes √(size / value), in units of `scale`.
    let radius = size.squareRoot() * pow(values.reduce(1, *), -1.0 / 6)
    guard radius > 0, radius.isFinite else { return nil }
    return MagnetometerCalibration(
      hardIron: center + offset * scale, softIron: form { ($0 / size).squareRoot() * radius },
      strength: radius * scale, residual: 0, coverage: 0, sampleCount: readings.count)
  }
}

/// The normal equations of a linear least squares problem.
private struct NormalEquations {
  private var matrix: [[Double]]

  init(count: Int) { matrix = Array(repeating: Array(repeating: 0, count: count + 1), count: count) }

  mutating func add(_ row: [Double], equals value: Double) {
    for index in matrix.indices {
      for (column, factor) in (row + [value]).enumerated() { matrix[index][column] += row[index] * factor }
    }
  }

  /// Solves by Gauss-Jordan elimination with pivoting; nil if the equations do not determine the unknowns.
  func solution() -> [Double]? {
    var rows = matrix
    let largest = rows.indices.map { rows[$0][$0] }.max() ?? 0
    for step in rows.indices {
      guard let pivot = (step..<rows.count).max(by: { abs(rows[$0][step]) < abs(rows[$1][step]) }),
        abs(rows[pivot][step]) > 1e-12 * largest
      else { return nil }
      rows.swapAt(step, pivot)
      for row in rows.indices where row != step {
        let factor = rows[row][step] / rows[step][step]
        for column in step..<rows[row].count { rows[row][column] -= factor * rows[step][column] }
      }
    }
    return rows.enumerated().map { index, row in (row.last ?? 0) / row[index] }
  }
}

extension MagnetometerCalibration.SymmetricMatrix {
  fileprivate init(values: [Double], vectors: [[Double]]) {
    self.init(xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0)
    for (value, vector) in zip(values, vectors) {
      xx += value * vector[0] * vector[0]
      yy += value * vector[1] * vector[1]
      zz += value * vector[2] * vector[2]
      xy += value * vector[0] * vector[1]
      xz += value * vector[0] * vector[2]
      yz += value * vector[1] * vector[2]
    }
  }
}
