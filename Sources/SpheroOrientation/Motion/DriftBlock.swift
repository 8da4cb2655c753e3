// The accumulation of samples in the blocks that update the drift estimator.

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
    /// The up axis in the reference frame before the attitude is corrected; nil if the accelerometer showed none.
    var tilt: Vector3?
    /// The truncation error of the integration, in rad.
    var neglected: Double
    /// The variance about each axis that noise of the readings may have added, in rad^2.
    var noise: Double
    var isAtRest: Bool
    var isSteady: Bool
    /// The error of the heading that a magnetometer shows, in rad.
    var headingError: Double?
  }

  /// The coefficients of the gyroscope's errors in the rotation about each horizontal axis of the reference frame.
  struct TiltRows: VectorSpace {
    var x = Lanes.zero
    var y = Lanes.zero

    static let zero = TiltRows()
    static func + (a: TiltRows, b: TiltRows) -> TiltRows { TiltRows(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: TiltRows, b: TiltRows) -> TiltRows { TiltRows(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: TiltRows, factor: Double) -> TiltRows { TiltRows(x: a.x * factor, y: a.y * factor) }
    var isFinite: Bool { (x + y).sum().isFinite }
    var magnitude: Double { (x * x + y * y).sum().squareRoot() }
  }

  struct Block: Sendable {
    var seconds = 0.0
    /// The coefficients of the gyroscope's errors in the rotation about x and y of the reference frame.
    ///
    /// They are the integrals of direction cosines times rates, in rad, and of direction cosines, in s.
    var tiltRows = TiltRows()
    /// The same coefficients for the vertical axis.
    var headingRow = Lanes.zero
    /// The sum of the errors of the inclination about x and y that the accelerometer has shown, in rad.
    var tilt = SIMD2<Double>.zero
    /// The integral of the raw rate, in rad.
    var reading = Vector3.zero
    /// The sum of the squared truncation errors, in rad^2.
    var neglected = 0.0
    /// The variance about each axis that noise of the readings may have added, in rad^2.
    var noise = 0.0
    /// Whether the body was at rest in all steps, and whether it was steady in all steps.
    var (isAtRest, isSteady) = (true, true)
    /// Whether the accelerometer has shown the up axis in a step.
    var hasInclination = false
    /// The sum of the errors of the heading that a magnetometer has shown, in rad, and their number.
    var headingError = 0.0
    var headings = 0.0

    mutating func add(_ step: Step) {
      let interval = step.interval
      let rate = SIMD4(step.rate.x, step.rate.y, step.rate.z, 1) * interval
      seconds += interval
      func lanes(_ cosines: Vector3) -> Lanes {
        Lanes(
          lowHalf: SIMD8(lowHalf: rate * cosines.x, highHalf: rate * cosines.y),
          highHalf: SIMD8(lowHalf: rate * cosines.z, highHalf: .zero))
      }
      tiltRows += TiltRows(x: lanes(step.axes.row1), y: lanes(step.axes.row2))
      headingRow += lanes(step.axes.row3)
      if let up = step.tilt { (tilt, hasInclination) = (tilt + SIMD2(-up.y, up.x), true) }
      reading = reading + step.reading * interval
      neglected += step.neglected * step.neglected
      noise += step.noise
      isAtRest = isAtRest && step.isAtRest
      isSteady = isSteady && step.isSteady
      if let error = step.headingError {
        // Errors near half a turn have both signs, so each is unwrapped around the mean of those before it.
        let mean = headings > 0 ? headingError / headings : error
        headingError += mean + Angle(radians: error - mean).wrapped.radians
        headings += 1
      }
    }
  }
}
