// A Kalman filter for the errors of a gyroscope and the heading error that they cause.

/// Estimates the errors of a gyroscope and the error of the heading that they have caused.
///
/// The state has 15 components: for each axis of the gyroscope its bias and a row of the matrix M of sensitivity errors
/// (scale factors on the diagonal, misalignments beside it), the error of the heading,
/// and the drift of the inclination about x and y. For a reading r the rate is r - b - M (r - b).
///
/// The filter is updated once per block of half a second with three kinds of measurement:
/// - The accumulated corrections of the inclination measure its drift, apart from the noise of the smoothed acceleration.
///   That noise is bounded, since no body accelerates indefinitely. It is therefore modelled as an error of the angle
///   and not of the rate, so that long motion determines the gyroscope's errors well.
/// - At rest the mean rate is the bias.
/// - A magnetometer measures the heading.
///
/// The covariance between the gyroscope's errors and the heading also corrects the drift of the past.
struct DriftEstimator: Sendable {
  /// A vector of the state space: for body axis i the sensitivity errors at 4 i ... 4 i + 2 and the bias at 4 i + 3.
  typealias Lanes = SIMD16<Double>
  private static let heading = 12
  private static let tiltX = 13
  private static let tiltY = 14
  private static let count = 15
  private static let biases = [3, 7, 11]

  /// The length of a block in seconds.
  static let blockDuration = 0.5
  /// The standard deviation of an unknown heading, in rad: that of a uniform distribution over a full turn.
  static let unknownHeading = Double.pi / 3.0.squareRoot()
  /// The ratio of the reported accuracy of the heading to the filter's standard deviation, from simulated motion.
  private static let headingFactor = 0.87
  /// The time constant in seconds with which the variance of the tilt is measured.
  private static let tiltMemory = 10.0
  /// The memory of the smoothed acceleration, in its time constants: after them, less than 0.01 % of a reading remains.
  private static let memoryFactor = 10.0
  /// The minimum standard deviation of the smoothed acceleration's direction, in rad: a robot's resolution.
  private static let minimumTiltError = 0.02 * Double.pi / 180
  /// The correction of the inclination in one block, in rad, above which the attitude counts as lost.
  private static let jump = 2 * Double.pi / 180
  /// The 95 % bound of a normal distribution whose variance is estimated with two degrees of freedom (4.303 of Student's
  /// t), divided by the bound if the variance is known (1.960).
  private static let quantile = 4.303 / 1.960
  /// The bound of each component of the bias, in rad/s: 20 degrees per second,
  /// the zero-rate output of an uncalibrated gyroscope (InvenSense MPU-6050, data sheet).
  private static let maximumBias = 20 * Double.pi / 180
  /// The bound of each sensitivity error: 10 %.
  private static let maximumSensitivity = 0.1
  /// The bounds of ``errors``.
  private static let bounds = (0..<12).reduce(into: Lanes.zero) { bounds, index in
    bounds[index] = biases.contains(index) ? maximumBias : maximumSensitivity
  }
  /// The bound of the measured variance of the tilt, and its value before a measurement, in rad^2: 18 degrees.
  private static let maximumTiltVariance = 0.1

  /// The estimated errors of the gyroscope; the lanes of heading and inclination are zero.
  private(set) var errors = Lanes.zero
  /// The covariance matrix of the state, by rows.
  private(set) var covariance = Array(repeating: Lanes.zero, count: Self.count)
  private let settings: MotionEstimator.Settings

  private var block = Block()
  private var smooth: TimedButterworthFilter<TiltRows>
  /// The excess of the measured over the estimated drift of the inclination about x and y, in rad.
  private var tiltResidual = SIMD2<Double>.zero
  /// The variance of the direction of the smoothed acceleration about each axis, in rad^2.
  ///
  /// It is nil until a block after a start has shown how much of the inclination is still being corrected.
  private var tiltVariance: Double?
  /// The variance per second that noise of the readings adds to each angle, in rad^2/s:
  /// at most what the readings show, and no more than the inclination confirms.
  private var noise = 0.0
  /// The coefficients of the gyroscope's errors in the drift of the inclination that the low pass of the
  /// acceleration does not show yet.
  private var unseen = TiltRows.zero
  /// The variance that truncation of the integration may have added to the tilt within the time of that low pass.
  private var neglected = 0.0
  /// The variance of a magnetometer's heading that hard iron causes, in rad^2; averaging does not reduce it.
  var hardIronVariance = 0.0
  /// The rate of the fastest steady turn about the vertical, in rad/s, which may be a bias instead.
  private var possibleBias = 0.0
  /// The error of the heading, in rad, that such a bias has caused since.
  private var possibleDrift = 0.0
  /// Whether the body was at rest or turned steadily to the end of the previous block.
  private var wasSteady = false
  /// The mean rate of the previous block, if it was at rest.
  private var restRate: Vector3?
  /// The time in seconds for which the smoothed acceleration has followed the gyroscope.
  private var convergenceTime = 0.0
  /// The time in seconds for which each block has corrected the inclination by more than ``jump``.
  private var jumpTime = 0.0
  /// Whether the inclination is still being corrected for a rotation that the gyroscope missed.
  private var isLost = false
  /// The accuracy of the attitude, which changes with each block, and when the heading is set.
  private(set) var accuracy = AttitudeAccuracy(heading: .zero, tilt: .zero)
  /// The standard deviation of each component of the bias, in rad/s.
  private(set) var biasError = Vector3.zero

  init(settings: MotionEstimator.Settings) {
    self.settings = settings
    smooth = TimedButterworthFilter(
      timeConstant: TimeConstant(known: settings.accelerationTimeConstant), start: .mean)
    let unknown = GyroscopeCalibration(settings: settings)
    let axes = zip(settings.calibration?.axes ?? unknown.axes, unknown.axes)
    for (axis, (known, unknown)) in axes.enumerated() {
      for component in 0..<4 {
        let index = 4 * axis + component
        let (value, error, limit) = (
          known.values[component], known.errors[component], unknown.errors[component]
        )
        let isUsable = value.isFinite && error >= 0
        errors[index] = isUsable ? value : 0
        covariance[index][index] = isUsable ? min(error * error, limit * limit) : limit * limit
      }
    }
    errors = Self.bounded(errors)
    updateAccuracy()
  }

  private static func bounded(_ errors: Lanes) -> Lanes {
    errors.clamped(lowerBound: -bounds, upperBound: bounds)
  }

  /// The estimated bias, in rad/s.
  @inline(__always) var bias: Vector3 { Vector3(errors[3], errors[7], errors[11]) }

  /// The estimated row of the matrix of sensitivity errors for an axis, 0...2.
  @inline(__always) func sensitivity(_ axis: Int) -> Vector3 {
    Vector3(errors[4 * axis], errors[4 * axis + 1], errors[4 * axis + 2])
  }

  // Without inlining, this call would copy the whole estimator.
  /// Returns the rate in rad/s without the estimated errors.
  @inline(__always) func corrected(_ rate: Vector3) -> Vector3 {
    let rate = rate - bias
    return rate
      - Vector3(sensitivity(0).dot(rate), sensitivity(1).dot(rate), sensitivity(2).dot(rate))
  }

  private mutating func updateAccuracy() {
    let variances = SIMD3(covariance[3][3], covariance[7][7], covariance[11][11])
    biasError = Vector3(pointwiseMax(variances, .zero).squareRoot())
    func angle(_ variance: Double, times factor: Double, plus drift: Double = 0) -> Angle {
      let error = variance >= 0 ? variance.squareRoot() * factor + drift : .infinity
      return .radians(min(error, Self.unknownHeading))
    }
    let unseenVariance = (variance(along: unseen.x) + variance(along: unseen.y)) / 2
    accuracy = AttitudeAccuracy(
      heading: angle(covariance[Self.heading][Self.heading], times: Self.headingFactor, plus: possibleDrift),
      // Two axes: exp(-(2 x 1.24)^2 / 2) = 5 % of the tilts exceed twice 1.24 standard deviations of one axis.
      // The measured variance includes unseen and neglected drift, as far as it has been measured.
      // A third of the neglected square is about one axis.
      tilt: angle(max(tiltVariance ?? Self.maximumTiltVariance, unseenVariance + neglected / 3), times: 1.24))
  }

  /// Sets the accuracy of the heading, in rad as in ``AttitudeAccuracy``; NaN means unknown.
  mutating func setHeadingError(_ accuracy: Double) {
    let error = (accuracy < Self.unknownHeading ? max(accuracy, 0) : Self.unknownHeading) / Self.headingFactor
    setIndependent(Self.heading, variance: error * error)
    possibleDrift = 0
    updateAccuracy()
  }

  /// Marks the direction of the smoothed acceleration as that of a body at rest.
  mutating func setSteadyTilt() {
    tiltVariance = settings.tiltVariance
    updateAccuracy()
  }

  /// Gives a component of the state a variance and no covariance with others.
  private mutating func setIndependent(_ index: Int, variance: Double) {
    for row in 0..<Self.count { covariance[row][index] = 0 }
    covariance[index] = .zero
    covariance[index][index] = variance
  }

  /// Marks the heading as unknown, without losing the covariance by which estimated errors still correct it.
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

  /// Restarts after a gap: bias and sensitivity stay, the heading is unknown.
  mutating func interrupt() {
    block = Block()
    smooth.reset()
    (restRate, wasSteady) = (nil, false)
    restartTilt()
    (unseen, neglected) = (.zero, 0)
    (convergenceTime, jumpTime, isLost) = (0, 0, false)
    tiltVariance = nil
    setHeadingError(Self.unknownHeading)
  }

  /// Processes a step; returns the rotation about the vertical, in rad, that corrects the heading.
  mutating func callAsFunction(_ step: Step) -> Double {
    block.add(step)
    return block.seconds >= Self.blockDuration - 1e-9 ? finishBlock() : 0
  }

  private mutating func finishBlock() -> Double {
    defer { block = Block() }
    let seconds = block.seconds
    var shown = TiltRows()
    if block.hasInclination {
      // The smoothed acceleration shows the drift delayed and smoothed, so its causes are smoothed alike.
      // The heading has no share in these rows; its element holds the drift that the present errors remove.
      var rates = block.tiltRows * (1 / seconds)
      (rates.x[Self.heading], rates.y[Self.heading]) = ((rates.x * errors).sum(), (rates.y * errors).sum())
      shown = smooth.average(rates, after: seconds) * seconds
      let removed = SIMD2(shown.x[Self.heading], shown.y[Self.heading])
      (shown.x[Self.heading], shown.y[Self.heading]) = (0, 0)
      tiltResidual += block.tilt + removed - SIMD2((shown.x * errors).sum(), (shown.y * errors).sum())
    }
    // The estimate from the readings alone counts until the inclination can confirm it.
    let read = block.noise / seconds
    if read < noise {
      noise += (read - noise) * min(seconds / Self.tiltMemory, 1)
    } else if !hasConverged {
      noise = read
    }
    predict(shown, for: seconds)
    updateConvergence(for: seconds)
    var change = Lanes.zero
    if hasConverged, !block.isAtRest { measureTilt(for: seconds, &change) } else { restartTilt() }
    measureRest(for: seconds, &change)
    addPossibleDrift(for: seconds)
    if block.headings > 0 {
      let variance = settings.magneticError * settings.magneticError + hardIronVariance
      covariance[Self.heading][Self.heading] = max(covariance[Self.heading][Self.heading], hardIronVariance)
      correct(
        Self.heading, by: block.headingError / block.headings,
        variance: variance * max(settings.magneticCorrelationTime / seconds, 1), &change)
    }
    neglected = (neglected + block.neglected) / (1 + seconds / settings.accelerationTimeConstant)
    // The slow decay removes accumulated rounding errors.
    let decay =
      block.hasInclination ? 1 - min(seconds / (Self.memoryFactor * settings.accelerationTimeConstant), 1) : 1
    // At rest, the gyroscope's errors are measured directly, and the inclination does not drift.
    unseen = (unseen + block.tiltRows - shown) * (block.isAtRest ? 0 : decay)
    defer { updateAccuracy() }
    return apply(change)
  }

  /// Whether the smoothed acceleration has followed the gyroscope for long enough to show its errors.
  private var hasConverged: Bool { convergenceTime >= 2 * settings.accelerationTimeConstant }

  /// Restarts the wait for convergence after a block without inclination and after one with a large correction.
  private mutating func updateConvergence(for seconds: Double) {
    let corrected = (block.tilt * block.tilt).sum().squareRoot()
    let hold = 2 * settings.accelerationTimeConstant
    jumpTime = corrected > Self.jump ? jumpTime + seconds : 0
    if jumpTime > hold {
      // A missed rotation is corrected in less time: the bias is larger than assumed.
      loseHeading()
      let largest = settings.rest.bias * settings.rest.bias
      for index in Self.biases { covariance[index][index] = max(covariance[index][index], largest) }
    } else {
      isLost = isLost || (jumpTime > 0 && hasConverged)
      // The missed rotation has a component about the vertical as well.
      if isLost { widenHeading(by: corrected * Self.quantile / 2.0.squareRoot()) }
    }
    let isConverging = !block.hasInclination || (jumpTime > 0 && jumpTime <= hold)
    convergenceTime = isConverging ? 0 : convergenceTime + seconds
    if hasConverged {
      isLost = false
    } else if block.hasInclination || tiltVariance != nil {
      // A block corrects the share seconds / accelerationTimeConstant of the remaining error.
      let remaining = corrected * settings.accelerationTimeConstant / seconds
      let known = tiltVariance ?? settings.tiltVariance
      tiltVariance = max(known, min(remaining * remaining / 2, Self.maximumTiltVariance))
    }
  }

  /// Propagates the covariance P to F P F': in a block, the gyroscope's errors change the heading and the drift of the
  /// tilt that the acceleration shows.
  private mutating func predict(_ shown: TiltRows, for seconds: Double) {
    let effects = [(Self.heading, block.headingRow), (Self.tiltX, shown.x), (Self.tiltY, shown.y)]
    for (effect, row) in effects {
      for cause in 0..<12 { covariance[effect] += covariance[cause] * row[cause] }
    }
    for (effect, row) in effects {
      // The matrix is symmetric. Lanes 12... of `row` are zero, so the order of the effects does not matter.
      for cause in 0..<12 { covariance[cause][effect] = covariance[effect][cause] }
      for other in 12..<Self.count { covariance[other][effect] += (covariance[other] * row).sum() }
    }
    let walk = (settings.angleRandomWalk * settings.angleRandomWalk + noise) * seconds
    // The neglected rotation has an unknown direction: a third of its square is about one axis.
    // The inclination, which the acceleration corrects, is bounded by all of it.
    covariance[Self.heading][Self.heading] += walk + block.neglected / 3
    covariance[Self.tiltX][Self.tiltX] += walk + block.neglected
    covariance[Self.tiltY][Self.tiltY] += walk + block.neglected
    let growth = settings.biasGrowth(in: seconds)
    let limit = settings.initialBiasError * settings.initialBiasError
    for index in Self.biases {
      let variance = covariance[index][index]
      covariance[index][index] = max(variance, min(variance + growth, limit))
    }
  }

  private mutating func measureTilt(for seconds: Double, _ change: inout Lanes) {
    let residual = tiltResidual
    let spread = (covariance[Self.tiltX][Self.tiltX] + covariance[Self.tiltY][Self.tiltY]) / 2
    // The noise of the acceleration counts as independent in successive blocks: its integral is the speed, which is
    // bounded, so that errors cancel rather than accumulate. A truncation error is correlated with the blocks of one time
    // constant before and after it.
    let bounded = settings.tiltVariance
    let assumed = bounded + neglected
    let variance = bounded + neglected * max(2 * settings.accelerationTimeConstant / seconds, 1)
    let limit = 3 * (spread + assumed).squareRoot()
    func clipped(_ value: Double) -> Double { min(max(value, -limit), limit) }
    correct(Self.tiltX, by: clipped(residual.x), variance: variance, &change)
    correct(Self.tiltY, by: clipped(residual.y), variance: variance, &change)
    let least = Self.minimumTiltError * Self.minimumTiltError
    let seen = max((residual * residual).sum() / 2, least)
    guard seen.isFinite else { return }
    // The excess over the expected variance is the random walk within the memory of the smoothed acceleration.
    let memory = Self.memoryFactor * settings.accelerationTimeConstant
    let excess = (seen - spread - assumed) / memory * min(seconds / memory, 1)
    noise = min(max(noise + excess, 0), max(noise, block.noise / seconds))
    // The estimated drift, from which the residual is measured, has the variance `spread`, which is attributed to
    // acceleration and truncation in the ratio of their assumed variances. Only the part of the acceleration is added:
    // that of truncation is in `seen` already.
    let total = seen + spread * bounded / assumed
    let known = tiltVariance ?? bounded
    tiltVariance = known + (min(total, Self.maximumTiltVariance) - known) * min(seconds / Self.tiltMemory, 1)
  }

  /// Measures the bias by the previous block, once this block has confirmed that the body rested to its end.
  private mutating func measureRest(for seconds: Double, _ change: inout Lanes) {
    guard block.isAtRest else {
      restRate = nil
      return
    }
    if let restRate {
      let error = restRate - bias
      let variance = settings.restVariance(in: seconds)
      correct(3, by: error.x, variance: variance, &change)
      correct(7, by: error.y, variance: variance, &change)
      correct(11, by: error.z, variance: variance, &change)
    }
    restRate = block.reading * (1 / seconds)
  }

  /// Adds the drift by a bias as large as the fastest steady turn, until the bias has been measured.
  ///
  /// A bias above the limit of rest gives the same readings as such a turn, and the inclination does not show it.
  private mutating func addPossibleDrift(for seconds: Double) {
    defer { wasSteady = block.isSteady }
    let isMeasured = max(biasError.x, biasError.y, biasError.z) < settings.initialBiasError / 2
    guard !isMeasured, block.headings == 0 else {
      (possibleBias, possibleDrift) = (0, 0)
      return
    }
    var seconds = seconds
    let largest = Self.maximumBias * seconds
    let reading = block.reading
    if block.isSteady, !block.isAtRest, max(abs(reading.x), abs(reading.y), abs(reading.z)) <= largest {
      let turn = block.headingRow[0] + block.headingRow[5] + block.headingRow[10]
      possibleBias = max(possibleBias, abs(turn) / seconds)
      // The first block of a steady turn shows that it has lasted for the duration of rest.
      if !wasSteady { seconds += max(settings.rest.duration, 0) }
    }
    possibleDrift = min(possibleDrift + possibleBias * seconds, Self.unknownHeading)
  }

  private mutating func correct(_ index: Int, by error: Double, variance: Double, _ change: inout Lanes) {
    let spread = covariance[index]
    let sum = spread[index] + variance
    guard sum > 0, sum.isFinite, error.isFinite else { return }
    let gain = spread * (1 / sum)
    change += gain * (error - change[index])
    for row in covariance.indices { covariance[row] -= spread * gain[row] }
  }

  /// Updates the estimate; returns the rotation that corrects the heading.
  private mutating func apply(_ change: Lanes) -> Double {
    guard change.sum().isFinite else { return 0 }
    errors = Self.bounded(errors + change)
    // A larger bias violates the settings.
    if max(abs(bias.x), abs(bias.y), abs(bias.z)) > settings.rest.bias { loseHeading() }
    tiltResidual -= SIMD2(change[Self.tiltX], change[Self.tiltY])
    return -change[Self.heading]
  }

  /// Measures the drift of the inclination from now on; the direction that it is measured from has an error as well.
  private mutating func restartTilt() {
    tiltResidual = .zero
    setIndependent(Self.tiltX, variance: settings.tiltVariance)
    setIndependent(Self.tiltY, variance: settings.tiltVariance)
  }

  /// The variance, in rad^2, of the drift in which the gyroscope's errors have the coefficients of `row`.
  private func variance(along row: Lanes) -> Double {
    var spread = Lanes.zero
    for cause in 0..<12 { spread += covariance[cause] * row[cause] }
    return max((spread * row).sum(), 0)
  }
}
