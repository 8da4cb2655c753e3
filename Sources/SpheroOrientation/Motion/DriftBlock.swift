// The accumulation of samples to the blocks that update the drift estimator.

extension DriftEstimator {
  /// The contribution of one sample.
  struct Step {
    /// The time since the previous sample in seconds.
    var interval: Double
    /// The active matrix of the attitude.
    var axes: RotationMatrix
    /// The raw rate in rad/s.
    var reading: Vector3
    /// The rate without the estimated errors, in rad/s.
    var rate: Vector3
    /// The up axis in the reference frame before its correction; nil if the accelerometer showed none.
    var tilt: Vector3?
    /// The truncation error of the integration, in rad.
    var neglected: Double
    /// The variance about each axis that noise of the readings may have added, in rad^2.
    var noise: Double
    var isAtRest: Bool
    /// The error of the heading that a magnetometer shows, in rad.
    var headingError: Double?
  }

  /// Coefficients of the gyroscope's errors in one component of the rate in the reference frame.
  struct Row: VectorSpace {
    var lanes: Lanes

    static let zero = Row(lanes: .zero)
    static func + (a: Row, b: Row) -> Row { Row(lanes: a.lanes + b.lanes) }
    static func - (a: Row, b: Row) -> Row { Row(lanes: a.lanes - b.lanes) }
    static func * (a: Row, factor: Double) -> Row { Row(lanes: a.lanes * factor) }
    var isFinite: Bool { lanes.sum().isFinite }
    var magnitude: Double { (lanes * lanes).sum().squareRoot() }
  }

  /// The integral of direction cosines times rate and 1, for one axis of the reference frame.
  struct RowIntegral: Sendable {
    var first = SIMD4<Double>.zero
    var second = SIMD4<Double>.zero
    var third = SIMD4<Double>.zero

    mutating func add(_ cosines: Vector3, _ rate: SIMD4<Double>) {
      first += rate * cosines.x
      second += rate * cosines.y
      third += rate * cosines.z
    }

    var lanes: Lanes {
      Lanes(
        lowHalf: SIMD8(lowHalf: first, highHalf: second), highHalf: SIMD8(lowHalf: third, highHalf: .zero))
    }
  }

  /// The accumulated steps of half a second.
  struct Block: Sendable {
    var seconds = 0.0
    var x = RowIntegral()
    var y = RowIntegral()
    var z = RowIntegral()
    var tilt = SIMD2<Double>.zero
    var reading = Vector3.zero
    var neglected = 0.0
    var noise = 0.0
    var isAtRest = true
    var hasInclination = false
    var headingError = 0.0
    var headings = 0.0

    mutating func add(_ step: Step) {
      let interval = step.interval
      let rate = SIMD4(step.rate.x, step.rate.y, step.rate.z, 1) * interval
      seconds += interval
      x.add(step.axes.row1, rate)
      y.add(step.axes.row2, rate)
      z.add(step.axes.row3, rate)
      if let up = step.tilt { (tilt, hasInclination) = (tilt + SIMD2(-up.y, up.x), true) }
      reading = reading + step.reading * interval
      neglected += step.neglected * step.neglected
      noise += step.noise
      isAtRest = isAtRest && step.isAtRest
      if let error = step.headingError { (headingError, headings) = (headingError + error, headings + 1) }
    }
  }
}
