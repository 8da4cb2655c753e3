// The calibration of a magnetometer: the iron that turns with the body, as an ellipsoid of its readings.

/// The errors that magnets and iron in a turning body cause in its magnetometer, and their removal.
///
/// Without these errors, the readings of a turning body lie on a sphere, whose radius is the strength of the
/// earth's field. Magnets and magnetized iron shift the sphere (hard iron); iron that is not magnetized and
/// unequal sensitivities of the axes stretch it (soft iron).
/// The result is an ellipsoid, which ``MagnetometerCalibrator`` fits.
/// A rotation of the sensor relative to the body does not change the strength of readings and is not removed.
public struct MagnetometerCalibration: Hashable, Sendable, CustomStringConvertible {
  /// A symmetric 3x3 matrix.
  public struct SymmetricMatrix: Hashable, Sendable {
    /// The diagonal.
    public var (xx, yy, zz) = (1.0, 1.0, 1.0)
    /// The elements off the diagonal.
    public var (xy, xz, yz) = (0.0, 0.0, 0.0)

    /// Creates the unit matrix.
    public init() {}

    public init(xx: Double, yy: Double, zz: Double, xy: Double, xz: Double, yz: Double) {
      (self.xx, self.yy, self.zz) = (xx, yy, zz)
      (self.xy, self.xz, self.yz) = (xy, xz, yz)
    }

    /// Returns the product with a vector.
    public func callAsFunction(_ vector: Vector3) -> Vector3 {
      Vector3(
        xx * vector.x + xy * vector.y + xz * vector.z, xy * vector.x + yy * vector.y + yz * vector.z,
        xz * vector.x + yz * vector.y + zz * vector.z)
    }
  }

  /// The reading in the absence of an external field, in the unit of the readings.
  public var hardIron: Vector3
  /// The matrix that maps the ellipsoid of readings without hard iron to a sphere of equal volume; its determinant is 1.
  public var softIron: SymmetricMatrix
  /// The strength of the field without iron, in the unit of the readings.
  public var strength: Double
  /// The root mean square of the remaining errors of the strength, as a share of ``strength``.
  public var residual: Double
  /// The share of all directions from which the field was measured, 0...1.
  public var coverage: Double
  /// The number of readings that determine the ellipsoid.
  public var sampleCount: Int

  /// Creates a calibration from known values, such as stored ones, which are not checked.
  public init(
    hardIron: Vector3, softIron: SymmetricMatrix, strength: Double, residual: Double, coverage: Double,
    sampleCount: Int
  ) {
    (self.hardIron, self.softIron, self.strength) = (hardIron, softIron, strength)
    (self.residual, self.coverage, self.sampleCount) = (residual, coverage, sampleCount)
  }

  /// Returns a reading without the effects of iron, in the same unit.
  public func callAsFunction(_ field: Vector3) -> Vector3 { softIron(field - hardIron) }

  /// Returns a sample with its magnetic field corrected, if it has one.
  public func callAsFunction(_ sample: InertialSample) -> InertialSample {
    var sample = sample
    sample.magneticField = sample.magneticField.map { self($0) }
    return sample
  }

  public var description: String {
    "hard iron \(hardIron), strength \(strength.numeral) ±\((residual * 100).numeral) %"
  }
}

/// An error of the calibration of a magnetometer.
@nonexhaustive public enum MagnetometerCalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are fewer readings from different directions than an ellipsoid requires.
  case tooFewReadings(Int, minimum: Int)
  /// The readings come from a smaller share of all directions than required.
  case insufficientCoverage(Double, minimum: Double)
  /// No ellipsoid fits, or its axes are too different.
  case notAnEllipsoid
  /// The remaining errors are larger than allowed, as a share of the strength.
  case excessiveResidual(Double, maximum: Double)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    func percent(_ share: Double) -> String { "\((share * 100).rounded().numeral) %" }
    return switch self {
    case .tooFewReadings(let count, let minimum):
      "there are \(count) readings from different directions, and \(minimum) are required"
    case .insufficientCoverage(let coverage, let minimum):
      "the readings cover \(percent(coverage)) of all directions, and \(percent(minimum)) are required"
    case .notAnEllipsoid: "the readings of the magnetometer do not lie on an ellipsoid"
    case .excessiveResidual(let residual, let maximum):
      "the strength of the field varies by \(percent(residual)), and \(percent(maximum)) are allowed"
    }
  }

  public var advice: String {
    switch self {
    case .tooFewReadings, .insufficientCoverage:
      "Turn the body slowly until each side has pointed up, down and to all sides."
    case .notAnEllipsoid, .excessiveResidual:
      "Turn the body in one place, away from iron, magnets and electric devices."
    }
  }
}

#if !hasFeature(Embedded)
  extension MagnetometerCalibration.SymmetricMatrix: Codable {}

  extension MagnetometerCalibration: Codable {
    /// - Throws: `DecodingError` for values that are not finite, and for a strength that is not positive.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      hardIron = try values.decode(Vector3.self, forKey: .hardIron)
      softIron = try values.decode(SymmetricMatrix.self, forKey: .softIron)
      strength = try values.decode(Double.self, forKey: .strength)
      residual = try values.decode(Double.self, forKey: .residual)
      coverage = try values.decode(Double.self, forKey: .coverage)
      sampleCount = try values.decode(Int.self, forKey: .sampleCount)
      guard hardIron.isFinite, softIron(Vector3(1, 1, 1)).isFinite, residual.isFinite, coverage.isFinite
      else {
        throw decoder.refusal("the values of a calibration are finite")
      }
      guard strength > 0, strength.isFinite else {
        throw decoder.refusal("the strength of a magnetic field is positive, not \(strength)")
      }
    }
  }
#endif
