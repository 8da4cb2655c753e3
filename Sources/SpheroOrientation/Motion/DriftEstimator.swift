// A Kalman filter for what makes a gyroscope drift.

/// Tracks the errors of a gyroscope and the heading that they have spoiled.
///
/// The state has 15 numbers: for each axis of the gyroscope its bias and a row of the matrix of its sensitivity errors
/// (three scale factors on the diagonal, six misalignments beside it), the error of the heading,
/// and the drift of the inclination about x and y.
/// The rate is taken as r - b - M (r - b) where the sensor reads r.
///
/// Three kinds of measurement come once a block of half a second.
/// The corrections of the inclination, added up, are the drift of the inclination,
/// but for the noise of the smoothed acceleration. That noise is bounded, for no body speeds up for ever;
/// so it is taken for an error of the angle, not of its rate, and long motion shows the gyroscope's errors well.
/// At rest the mean rate is the bias. A magnetometer shows the heading.
/// What is learned of the errors also corrects the heading for the time before.
struct DriftEstimator: Sendable {
  /// The state's places: for each body axis i the sensitivity errors 4 i ... 4 i + 2 and the bias 4 i + 3.
  typealias Lanes = SIMD16<Double>
  private static let heading = 12
  private static let tiltX = 13
  private static let tiltY = 14
  private static let count = 15

  /// How long readings are collected, in seconds.
  static let blockDuration = 0.5
  /// The standard deviation of a heading of which nothing is known, in rad.
  static let unknownHeading = Double.pi / 3.0.squareRoot()
  /// The figure for the heading beside the filter's standard deviation.
  private static let headingFactor = 0.87
  /// The time in seconds over which the noise of the smoothed acceleration is measured.
  private static let tiltMemory = 10.0
  /// The least standard deviation of the smoothed acceleration's direction, in rad: the words of a robot.
  private static let leastTiltError = 0.02 * Double.pi / 180

  /// The correction of the inclination in a block, in rad, that shows that the attitude was lost.
  private static let jump = 2 * Double.pi / 180

  /// By how much 95 % of a normal distribution whose variance two values show exceed those of a known variance:
  /// 4.303 of Student's t with two degrees of freedom over 1.960.
  private static let quantile = 4.303 / 1.960

  /// The largest component of a bias that is taken away, in rad/s: 20 degrees per second,
  /// the zero-rate output of a gyroscope that was not calibrated (InvenSense MPU-6050, data sheet).
  private static let largestBias = 20 * Double.pi / 180

  /// The largest variance of the tilt that is measured, in rad^2: 18 degrees.
  private static let largestTiltVariance = 0.1

  /// The bias in rad/s.
  private(set) var bias = Vector3.zero
  /// The rows of the matrix of sensitivity errors.
  private(set) var sensitivity = (Vector3.zero, Vector3.zero, Vector3.zero)
  private var covariance: [Lanes]
  private let settings: MotionEstimator.Settings

  private var block = DriftBlock()
  private var smoothX: TimedButterworthFilter<DriftRow>
  private var smoothY: TimedButterworthFilter<DriftRow>
  /// The drift of the inclination about x and y, as measured and as estimated, in rad.
  private var measuredTilt = SIMD2<Double>.zero
  private var estimatedTilt = SIMD2<Double>.zero
  /// The variance of the direction of the smoothed acceleration about each axis.
  private var tiltVariance: Double
  /// The variance per second that noise of the readings adds to each angle, in rad^2: at most what they show,
  /// and no more than the inclination confirms.
  private var noise = 0.0
  /// The drift of the inclination about x and y that the low pass of the acceleration has not shown yet.
  private var unseenX = Lanes.zero
  private var unseenY = Lanes.zero
  /// The variance that the integration may have added to the tilt within the time of that low pass.
  private var neglected = 0.0
  /// The variance of a magnetometer's heading, in rad^2, from iron in the body; it does not fall with time.
  var ironVariance = 0.0
  /// The mean rate of the last block at rest.
  private var calmRate: Vector3?
  /// For how many seconds the smoothed acceleration has followed the gyroscope.
  private var settled = 0.0
  /// For how many seconds each block has corrected the inclination by more than any drift.
  private var offTime = 0.0
  /// Whether the gyroscope missed a turn that the inclination is still being corrected for.
  private var isLost = false

  init(settings: MotionEstimator.Settings) {
    self.settings = settings
    covariance = Array(repeating: .zero, count: Self.count)
    for axis in 0..<3 {
      for place in 0..<3 {
        covariance[4 * axis + place][4 * axis + place] = settings.sensitivityError * settings.sensitivityError
      }
      covariance[4 * axis + 3][4 * axis + 3] = settings.initialBiasError * settings.initialBiasError
    }
    tiltVariance = settings.tiltError * settings.tiltError
    let time = TimeConstant(seconds: settings.accelerationTimeConstant) ?? TimeConstant(known: 3)
    smoothX = TimedButterworthFilter(timeConstant: time, start: .mean)
    smoothY = smoothX
  }

  // Called, it would get a copy of the whole estimator.
  /// The rate in rad/s without the errors known so far.
  @inline(__always) func corrected(_ rate: Vector3) -> Vector3 {
    let rate = rate - bias
    return rate
      - Vector3(sensitivity.0.dot(rate), sensitivity.1.dot(rate), sensitivity.2.dot(rate))
  }

  /// The accuracy of heading and tilt.
  ///
  /// The settings are promises that most sensors better; on simulated motion with sensors that just keep them
  /// the error is within twice these figures for about 95 % of the time.
  var accuracy: AttitudeAccuracy {
    func angle(_ variance: Double, times factor: Double) -> Angle {
      let error = variance >= 0 ? variance.squareRoot() * factor : .infinity
      return .radians(min(error, Self.unknownHeading))
    }
    let unseen = (variance(along: unseenX) + variance(along: unseenY)) / 2
    return AttitudeAccuracy(
      heading: angle(
        covariance[Self.heading][Self.heading] * Self.headingFactor * Self.headingFactor + ironVariance,
        times: 1),
      // Two axes: exp(-(2 x 1.24)^2 / 2) = 5 % of the tilts lie beyond twice 1.24 standard deviations of one.
      // The residual shows what is unseen and neglected as well, where there is one.
      tilt: angle(max(tiltVariance, unseen + neglected / 3), times: 1.24))
  }

  /// Says how well the heading is known from now on, as ``AttitudeAccuracy`` does, in rad; NaN is not at all.
  mutating func setHeadingError(_ figure: Double) {
    let error = (figure < Self.unknownHeading ? max(figure, 0) : Self.unknownHeading) / Self.headingFactor
    for place in 0..<Self.count { covariance[place][Self.heading] = 0 }
    covariance[Self.heading] = .zero
    covariance[Self.heading][Self.heading] = error * error
  }

  /// Says that the heading may be any; what is learned of its error still corrects it.
  private mutating func loseHeading() {
    let error = Self.unknownHeading / Self.headingFactor
    covariance[Self.heading][Self.heading] = max(covariance[Self.heading][Self.heading], error * error)
  }

  /// Adds to the standard deviation of the heading, in rad.
  private mutating func widenHeading(by error: Double) {
    let before = max(covariance[Self.heading][Self.heading], 0).squareRoot()
    let variance = (before + error) * (before + error)
    covariance[Self.heading][Self.heading] = variance.isFinite ? variance : before * before
  }

  /// Begins anew after a gap: of bias and sensitivity what was known still holds, of the heading nothing.
  mutating func interrupt() {
    block = DriftBlock()
    smoothX.reset()
    smoothY.reset()
    calmRate = nil
    forgetTilt()
    (unseenX, unseenY, neglected) = (.zero, .zero, 0)
    (settled, offTime, isLost) = (0, 0, false)
    setHeadingError(Self.unknownHeading)
    tiltVariance = settings.tiltError * settings.tiltError
  }

  /// What one step adds to a block.
  struct Step {
    /// Its length in seconds.
    var interval: Double
    /// The attitude.
    var axes: RotationMatrix
    /// The rate as it was read, in rad/s.
    var reading: Vector3
    /// The rate without its errors, in rad/s.
    var rate: Vector3
    /// The up axis in the reference frame before its correction; nil if the accelerometer did not show it.
    var tilt: Vector3?
    /// What the integration may have neglected, in rad.
    var neglected: Double
    /// The variance that noise of the readings may have added about each axis, in rad^2.
    var noise: Double
    /// Whether the body is at rest.
    var isAtRest: Bool
    /// The error of the heading that a magnetometer shows, in rad.
    var headingError: Double?
  }

  /// Takes a step; gives the turn about the vertical, in rad, by which the heading is to be corrected.
  mutating func callAsFunction(_ step: Step) -> Double {
    block.add(step)
    return block.seconds >= Self.blockDuration - 1e-9 ? finishBlock() : 0
  }

  private mutating func finishBlock() -> Double {
    defer { block = DriftBlock() }
    let seconds = block.seconds
    let share = 1 / seconds
    var (x, y) = (Lanes.zero, Lanes.zero)
    if !block.isBlind {
      // The smoothed acceleration shows the drift late and smoothed; so smooth what causes it alike.
      let known = errors
      var (rowX, rowY) = (block.x.lanes * share, block.y.lanes * share)
      rowX[Self.heading] = (rowX * known).sum()
      rowY[Self.heading] = (rowY * known).sum()
      x = smoothX.average(DriftRow(lanes: rowX), after: seconds).lanes * seconds
      y = smoothY.average(DriftRow(lanes: rowY), after: seconds).lanes * seconds
      let removed = SIMD2(x[Self.heading], y[Self.heading])
      (x[Self.heading], y[Self.heading]) = (0, 0)
      measuredTilt += block.tilt + removed - SIMD2((x * known).sum(), (y * known).sum())
    }
    // The readings' own estimate counts until the inclination can confirm it.
    let shown = block.noise / seconds
    if shown < noise {
      noise += (shown - noise) * min(seconds / Self.tiltMemory, 1)
    } else if !isSettled {
      noise = shown
    }
    advance(x, y, block.z.lanes, for: seconds)
    settle(for: seconds)
    var change = Lanes.zero
    if isSettled, !block.isAtRest { measureTilt(for: seconds, &change) } else { forgetTilt() }
    measureRest(for: seconds, &change)
    if block.headings > 0 {
      let variance = settings.magneticError * settings.magneticError + ironVariance
      covariance[Self.heading][Self.heading] = max(covariance[Self.heading][Self.heading], ironVariance)
      correct(
        Self.heading, by: block.headingError / block.headings,
        variance: variance * max(settings.magneticMemory / seconds, 1), &change)
    }
    // What rounding leaves of it fades.
    neglected = (neglected + block.neglected) / (1 + seconds / settings.accelerationTimeConstant)
    let fading = block.isBlind ? 1 : 1 - min(seconds / (10 * settings.accelerationTimeConstant), 1)
    let kept = block.isAtRest ? 0 : fading
    unseenX = (unseenX + block.x.lanes - x) * kept
    unseenY = (unseenY + block.y.lanes - y) * kept
    return apply(change)
  }

  /// Whether the smoothed acceleration has followed the gyroscope for long enough to show its errors.
  private var isSettled: Bool { settled >= 2 * settings.accelerationTimeConstant }

  /// Starts the wait anew after a block that did not show the inclination, and after one that corrected it too far.
  private mutating func settle(for seconds: Double) {
    let corrected = (block.tilt * block.tilt).sum().squareRoot()
    let hold = 2 * settings.accelerationTimeConstant
    offTime = corrected > Self.jump ? offTime + seconds : 0
    if offTime > hold {
      // No missed turn takes that long to correct: the bias is larger than it is taken to be.
      loseHeading()
      let largest = settings.rest.bias * settings.rest.bias
      for place in [3, 7, 11] { covariance[place][place] = max(covariance[place][place], largest) }
    } else {
      isLost = isLost || (offTime > 0 && isSettled)
      // What the gyroscope missed turned the body about the vertical as well.
      if isLost { widenHeading(by: corrected * Self.quantile / 2.0.squareRoot()) }
    }
    let isSettling = block.isBlind || (offTime > 0 && offTime <= hold)
    settled = isSettling ? 0 : settled + seconds
    if isSettled {
      isLost = false
    } else {
      // The correction of a block is that part of what is left.
      let left = corrected * settings.accelerationTimeConstant / seconds
      tiltVariance = max(tiltVariance, min(left * left / 2, Self.largestTiltVariance))
    }
  }

  /// The errors known so far in the places of the state.
  private var errors: Lanes {
    func part(_ row: Vector3, _ bias: Double) -> SIMD4<Double> { SIMD4(row.x, row.y, row.z, bias) }
    let low = SIMD8(lowHalf: part(sensitivity.0, bias.x), highHalf: part(sensitivity.1, bias.y))
    return Lanes(lowHalf: low, highHalf: SIMD8(lowHalf: part(sensitivity.2, bias.z), highHalf: .zero))
  }

  /// Lets the errors spoil the tilt along `x` and `y` and the heading along `z`, and lets them wander.
  private mutating func advance(_ x: Lanes, _ y: Lanes, _ z: Lanes, for seconds: Double) {
    var matrix: [Lanes] = []
    swap(&matrix, &covariance)
    var (headings, tiltsX, tiltsY) = (matrix[Self.heading], matrix[Self.tiltX], matrix[Self.tiltY])
    for cause in 0..<12 {
      let row = matrix[cause]
      headings += row * z[cause]
      tiltsX += row * x[cause]
      tiltsY += row * y[cause]
    }
    // The columns are the rows, for the matrix is symmetric; where they cross both changes count.
    for cause in 0..<12 {
      matrix[cause][Self.heading] = headings[cause]
      matrix[cause][Self.tiltX] = tiltsX[cause]
      matrix[cause][Self.tiltY] = tiltsY[cause]
    }
    let walk = (settings.angleRandomWalk * settings.angleRandomWalk + noise) * seconds
    func crossed(_ row: Lanes) -> Lanes {
      var row = row
      row[Self.heading] += (row * z).sum()
      row[Self.tiltX] += (row * x).sum()
      row[Self.tiltY] += (row * y).sum()
      return row
    }
    (matrix[Self.heading], matrix[Self.tiltX], matrix[Self.tiltY]) = (
      crossed(headings), crossed(tiltsX), crossed(tiltsY)
    )
    matrix[Self.heading][Self.heading] += walk + block.neglected / 4
    matrix[Self.tiltX][Self.tiltX] += walk + block.neglected
    matrix[Self.tiltY][Self.tiltY] += walk + block.neglected
    swap(&matrix, &covariance)
    let drift = 0.1 * Double.pi / 180
    let growth = drift * drift * seconds / settings.biasMemory
    let limit = settings.initialBiasError * settings.initialBiasError
    for place in [3, 7, 11] {
      let variance = covariance[place][place]
      covariance[place][place] = max(variance, min(variance + growth, limit))
    }
  }

  private mutating func measureTilt(for seconds: Double, _ change: inout Lanes) {
    let residual = measuredTilt - estimatedTilt
    let spread = (covariance[Self.tiltX][Self.tiltX] + covariance[Self.tiltY][Self.tiltY]) / 2
    // The noise of the acceleration is the change of a bounded speed, which averages out over any long time,
    // so each block counts alone. What the integration neglects is alike for the time constant, to both sides.
    let bounded = settings.tiltError * settings.tiltError
    let assumed = bounded + neglected
    let variance = bounded + neglected * max(2 * settings.accelerationTimeConstant / seconds, 1)
    let limit = 3 * (spread + assumed).squareRoot()
    func clipped(_ value: Double) -> Double { min(max(value, -limit), limit) }
    correct(Self.tiltX, by: clipped(residual.x), variance: variance, &change)
    correct(Self.tiltY, by: clipped(residual.y), variance: variance, &change)
    let least = Self.leastTiltError * Self.leastTiltError
    let seen = max((residual * residual).sum() / 2, least)
    guard seen.isFinite else { return }
    // The excess over what the filter expects is the walk of one memory of the smoothed acceleration.
    let memory = 10 * settings.accelerationTimeConstant
    let excess = (seen - spread - assumed) / memory * min(seconds / memory, 1)
    noise = min(max(noise + excess, 0), max(noise, block.noise / seconds))
    // The estimate that the residual counts from is off as well; what neglect makes of that is counted already.
    let all = seen + spread * bounded / assumed
    tiltVariance += (min(all, Self.largestTiltVariance) - tiltVariance) * min(seconds / Self.tiltMemory, 1)
  }

  /// Takes the block before at rest for the bias, once this one turned out to be calm to its end.
  private mutating func measureRest(for seconds: Double, _ change: inout Lanes) {
    guard block.isAtRest else {
      calmRate = nil
      return
    }
    if let calmRate {
      let error = calmRate - bias
      // With this variance the estimate settles at the error asked for: p^2 / growth + p where p is steady.
      let drift = 0.1 * Double.pi / 180
      let steady = settings.restBiasError * settings.restBiasError
      let variance = steady * steady / (drift * drift * seconds / settings.biasMemory) + steady
      correct(3, by: error.x, variance: variance, &change)
      correct(7, by: error.y, variance: variance, &change)
      correct(11, by: error.z, variance: variance, &change)
    }
    calmRate = block.reading * (1 / seconds)
  }

  /// Takes a measurement of one place of the state.
  private mutating func correct(_ place: Int, by error: Double, variance: Double, _ change: inout Lanes) {
    let spread = covariance[place]
    let sum = spread[place] + variance
    guard sum > 0, sum.isFinite, error.isFinite else { return }
    let gain = spread * (1 / sum)
    change += gain * (error - change[place])
    var matrix: [Lanes] = []
    swap(&matrix, &covariance)
    for row in matrix.indices { matrix[row] -= spread * gain[row] }
    swap(&matrix, &covariance)
  }

  /// Moves the estimate; gives the turn that corrects the heading.
  private mutating func apply(_ change: Lanes) -> Double {
    guard change.sum().isFinite else { return 0 }
    func clipped(_ value: Double, _ limit: Double) -> Double { min(max(value, -limit), limit) }
    func moved(_ row: Vector3, _ first: Int) -> Vector3 {
      Vector3(
        clipped(row.x + change[first], 0.1), clipped(row.y + change[first + 1], 0.1),
        clipped(row.z + change[first + 2], 0.1))
    }
    sensitivity = (moved(sensitivity.0, 0), moved(sensitivity.1, 4), moved(sensitivity.2, 8))
    let largest = Self.largestBias
    bias = Vector3(
      clipped(bias.x + change[3], largest), clipped(bias.y + change[7], largest),
      clipped(bias.z + change[11], largest))
    // The settings promise that no bias is that large.
    if max(abs(bias.x), abs(bias.y), abs(bias.z)) > settings.rest.bias { loseHeading() }
    estimatedTilt += SIMD2(change[Self.tiltX], change[Self.tiltY])
    return -change[Self.heading]
  }

  private mutating func forgetTilt() {
    (measuredTilt, estimatedTilt) = (.zero, .zero)
    for place in [Self.tiltX, Self.tiltY] {
      for row in 0..<Self.count { covariance[row][place] = 0 }
      covariance[place] = .zero
      covariance[place][place] = settings.tiltError * settings.tiltError
    }
  }

  private func variance(along row: Lanes) -> Double {
    var spread = Lanes.zero
    for cause in 0..<12 { spread += covariance[cause] * row[cause] }
    return max((spread * row).sum(), 0)
  }
}
