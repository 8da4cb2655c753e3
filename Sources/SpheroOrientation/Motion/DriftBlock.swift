// Half a second of readings, added up for the filter that tracks the errors of a gyroscope.

/// How a component of the rate in the reference frame follows from the errors of the gyroscope.
struct DriftRow: VectorSpace {
  var lanes: SIMD16<Double>

  static let zero = DriftRow(lanes: .zero)
  static func + (a: DriftRow, b: DriftRow) -> DriftRow { DriftRow(lanes: a.lanes + b.lanes) }
  static func - (a: DriftRow, b: DriftRow) -> DriftRow { DriftRow(lanes: a.lanes - b.lanes) }
  static func * (a: DriftRow, factor: Double) -> DriftRow { DriftRow(lanes: a.lanes * factor) }
  var isFinite: Bool { lanes.sum().isFinite }
  var magnitude: Double { (lanes * lanes).sum().squareRoot() }
}

/// What a block of readings has shown.
struct DriftBlock: Sendable {
  /// The rows x, y, z of the reference frame: the integral of the direction cosines times the rate and 1.
  struct Row: Sendable {
    var first = SIMD4<Double>.zero
    var second = SIMD4<Double>.zero
    var third = SIMD4<Double>.zero

    mutating func add(_ cosines: Vector3, _ rate: SIMD4<Double>) {
      first += rate * cosines.x
      second += rate * cosines.y
      third += rate * cosines.z
    }

    var lanes: SIMD16<Double> {
      SIMD16(
        lowHalf: SIMD8(lowHalf: first, highHalf: second), highHalf: SIMD8(lowHalf: third, highHalf: .zero))
    }
  }

  var seconds = 0.0
  var x = Row()
  var y = Row()
  var z = Row()
  var tilt = SIMD2<Double>.zero
  var reading = Vector3.zero
  var neglected = 0.0
  var noise = 0.0
  var isAtRest = true
  /// Whether no reading of the accelerometer showed a direction.
  var isBlind = true
  var headingError = 0.0
  var headings = 0.0

  mutating func add(_ step: DriftEstimator.Step) {
    let interval = step.interval
    let rate = SIMD4(step.rate.x, step.rate.y, step.rate.z, 1) * interval
    seconds += interval
    x.add(step.axes.row1, rate)
    y.add(step.axes.row2, rate)
    z.add(step.axes.row3, rate)
    if let up = step.tilt { (tilt, isBlind) = (tilt + SIMD2(-up.y, up.x), false) }
    reading = reading + step.reading * interval
    neglected += step.neglected * step.neglected
    noise += step.noise
    isAtRest = isAtRest && step.isAtRest
    if let error = step.headingError { (headingError, headings) = (headingError + error, headings + 1) }
  }
}
