// Calibrations of a magnetometer from readings on ellipsoids with known parameters.

import SpheroOrientation
import TestSupport
import Testing

@Suite struct MagnetometerCalibrationTests {
  private static let hardIron = Vector3(21, -34, 12)
  /// In µT, as in central Europe.
  private static let strength = 48.0
  /// A symmetric matrix that stretches by up to a fifth.
  private static let stretch = [[1.15, 0.06, -0.04], [0.06, 0.92, 0.05], [-0.04, 0.05, 1.02]]

  private static func act(_ matrix: [[Double]], on vector: Vector3) -> Vector3 {
    let rows = matrix.map { $0[0] * vector.x + $0[1] * vector.y + $0[2] * vector.z }
    return Vector3(rows[0], rows[1], rows[2])
  }

  /// The determinant by the rule of Sarrus.
  private static func determinant(_ m: [[Double]]) -> Double {
    let down = m[0][0] * m[1][1] * m[2][2] + m[0][1] * m[1][2] * m[2][0] + m[0][2] * m[1][0] * m[2][1]
    let up = m[0][2] * m[1][1] * m[2][0] + m[0][1] * m[1][0] * m[2][2] + m[0][0] * m[1][2] * m[2][1]
    return down - up
  }

  /// A reading of the earth's field from a direction of the body.
  private static func reading(_ direction: Vector3, noise: Double, _ generator: inout SeededGenerator)
    -> Vector3
  {
    let error = generator.normalVector() * noise
    return hardIron + act(stretch, on: direction * strength) + error
  }

  /// A random direction for which a closure returns true.
  private static func direction(
    _ generator: inout SeededGenerator, where isWanted: (Vector3) -> Bool = { _ in true }
  ) -> Vector3 {
    while true {
      let vector = generator.normalVector()
      if let direction = vector.normalized, isWanted(direction) { return direction }
    }
  }

  private static func calibrator(
    _ count: Int, noise: Double, seed: UInt64, where isWanted: (Vector3) -> Bool = { _ in true }
  ) -> MagnetometerCalibrator {
    var generator = SeededGenerator(seed: seed)
    var calibrator = MagnetometerCalibrator()
    for _ in 0..<count {
      calibrator.add(reading(direction(&generator, where: isWanted), noise: noise, &generator))
    }
    return calibrator
  }

  private static func error(of calibrator: MagnetometerCalibrator) -> MagnetometerCalibrationError? {
    do throws(MagnetometerCalibrationError) {
      _ = try calibrator.calibration()
      return nil
    } catch { return error }
  }

  @Test(arguments: [(0.0, 1e-9), (0.25, 0.4), (0.5, 0.8)])
  func theKnownIronIsFound(noise: Double, tolerance: Double) throws {
    for seed in UInt64(1)...10 {
      let calibration = try Self.calibrator(2_000, noise: noise, seed: seed).calibration()
      #expect((calibration.hardIron - Self.hardIron).length < tolerance)
      // The volume of the ellipsoid is that of a sphere of the strength times the cube root of the determinant.
      let determinant = Self.determinant(Self.stretch)
      let radius = calibration.strength
      let expected = Self.strength * Self.strength * Self.strength * determinant
      #expect(abs(radius * radius * radius / expected - 1) < 0.01 + tolerance / 100)
      #expect(calibration.coverage > 0.95)
      #expect(abs(calibration.residual - noise / Self.strength) < 0.2 * noise / Self.strength + 1e-9)
      // Without noise, each direction has the same strength, and iron of the inverse shape.
      var generator = SeededGenerator(seed: seed + 100)
      for _ in 0..<100 {
        let direction = Self.direction(&generator)
        let field = calibration(Self.reading(direction, noise: 0, &generator))
        #expect(abs(field.length / radius - 1) < 0.02 * noise + 1e-9)
        #expect((field * (1 / radius) - direction).length < 0.05 * noise + 1e-9)
      }
    }
  }

  @Test func aSampleIsCorrected() throws {
    let calibration = try Self.calibrator(500, noise: 0, seed: 3).calibration()
    var generator = SeededGenerator(seed: 4)
    var sample = InertialSample(timestamp: 1, rotationRate: Vector3(1, 2, 3), acceleration: Vector3(0, 0, 1))
    #expect(calibration(sample) == sample)
    let field = Self.reading(Vector3(0, 0, -1), noise: 0, &generator)
    sample.magneticField = field
    #expect(calibration(sample).magneticField == calibration(field))
    #expect(calibration(sample).rotationRate == sample.rotationRate)
  }

  /// A rotation about one axis, half a sphere, and one side.
  @Test(arguments: [0, 1, 2])
  func insufficientCoverageIsRefused(part: Int) throws {
    let calibrator = Self.calibrator(3_000, noise: 0.3, seed: 7) { direction in
      switch part {
      case 0: abs(direction.z) < 0.02
      case 1: direction.z > 0.1
      default: direction.x > 0.8
      }
    }
    let error = try #require(Self.error(of: calibrator))
    switch error {
    case .insufficientCoverage(let coverage, let minimum): #expect(coverage < minimum && minimum == 0.7)
    case .tooFewReadings(let count, let minimum): #expect(part != 1 && count < minimum && minimum == 50)
    default: Issue.record("\(error)")
    }
    #expect(
      error.description.hasSuffix(
        "Turn the body slowly until each side has pointed up, down and to all sides."))
  }

  @Test func aBodyAtRestHasTooFewReadings() {
    var generator = SeededGenerator(seed: 1)
    var calibrator = MagnetometerCalibrator()
    #expect(Self.error(of: calibrator) == .tooFewReadings(0, minimum: 50))
    for _ in 0..<5_000 { calibrator.add(Self.reading(Vector3(1, 0, 0), noise: 0, &generator)) }
    #expect(Self.error(of: calibrator) == .tooFewReadings(1, minimum: 50))
    calibrator.add(Vector3(.nan, 0, 0))
    calibrator.add(Vector3(.infinity, 0, 0))
    calibrator.add(Vector3(1e300, 0, 0))
    #expect(Self.error(of: calibrator) == .tooFewReadings(1, minimum: 50))
    calibrator.reset()
    #expect(calibrator.count == 0)
  }

  /// More than half of the kept readings are those of a body at rest.
  @Test(arguments: UInt64(1)...8) func aLongRestDoesNotMatter(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var calibrator = MagnetometerCalibrator()
    func rest() {
      for _ in 0..<3_000 { calibrator.add(Self.reading(Vector3(0, 1, 0), noise: 0.25, &generator)) }
    }
    rest()
    #expect(calibrator.count <= 1_024)
    for _ in 0..<2_000 { calibrator.add(Self.reading(Self.direction(&generator), noise: 0.25, &generator)) }
    rest()
    #expect(calibrator.count <= 1_024)
    #expect((try calibrator.calibration().hardIron - Self.hardIron).length < 0.4)
  }

  /// A sensor that starts late reports zeros or the same reading.
  @Test(arguments: [Vector3.zero, Vector3(1, 2, 3)]) func manyEqualReadingsCountOnce(_ reading: Vector3)
    throws
  {
    var generator = SeededGenerator(seed: 3)
    var calibrator = MagnetometerCalibrator()
    for _ in 0..<3_000 { calibrator.add(reading) }
    #expect(calibrator.count <= 1_024)
    for _ in 0..<90 { calibrator.add(Self.reading(Self.direction(&generator), noise: 0.25, &generator)) }
    for _ in 0..<3_000 { calibrator.add(reading) }
    #expect((try calibrator.calibration().hardIron - Self.hardIron).length < 2)
    for _ in 0..<2_000 { calibrator.add(Self.reading(Self.direction(&generator), noise: 0.25, &generator)) }
    #expect((try calibrator.calibration().hardIron - Self.hardIron).length < 2)
  }

  @Test(arguments: [2_000, 1e11]) func faultyReadingsAreLeftOut(strength: Double) throws {
    var generator = SeededGenerator(seed: 6)
    var calibrator = MagnetometerCalibrator()
    for index in 0..<2_000 {
      let isFaulty = index.isMultiple(of: 50)
      let direction = Self.direction(&generator)
      calibrator.add(isFaulty ? direction * strength : Self.reading(direction, noise: 0.25, &generator))
    }
    #expect((try calibrator.calibration().hardIron - Self.hardIron).length < 0.4)
  }

  /// A magnet that is carried along for half of the readings, and readings without any order.
  @Test func aChangingFieldIsRefused() throws {
    var generator = SeededGenerator(seed: 8)
    var (moved, disordered) = (MagnetometerCalibrator(), MagnetometerCalibrator())
    for index in 0..<2_000 {
      let reading = Self.reading(Self.direction(&generator), noise: 0.25, &generator)
      moved.add(index < 1_000 ? reading : reading + Vector3(40, 0, 0))
      disordered.add(Self.direction(&generator) * Double.random(in: 1...50, using: &generator))
    }
    for calibrator in [moved, disordered] {
      let error = try #require(Self.error(of: calibrator))
      guard case .excessiveResidual(let residual, let maximum) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(residual > maximum && maximum == 0.1)
      #expect(error.description.hasSuffix("away from iron, magnets and electric devices."))
    }
  }

  @Test func aPancakeIsNoEllipsoidOfIron() {
    var generator = SeededGenerator(seed: 9)
    var calibrator = MagnetometerCalibrator()
    for _ in 0..<4_000 {
      let direction = Self.direction(&generator)
      calibrator.add(Vector3(direction.x, direction.y, direction.z / 4))
    }
    #expect(Self.error(of: calibrator) == .notAnEllipsoid)
  }
}
