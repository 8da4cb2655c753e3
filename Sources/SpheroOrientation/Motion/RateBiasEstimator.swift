// The bias of a gyroscope whose body has a known attitude, such as a robot that streams its own.

/// Estimates the bias of a gyroscope from its readings and attitudes that another source computes.
///
/// The readings are collected in blocks of half a second, and each block is a measurement of the bias:
/// - In motion the bias is the difference between the integrated rate and the change of the attitude.
/// - At rest it is the mean rate.
///
/// The attitude may drift about the vertical, because accelerometers do not show the heading.
/// Its drift is therefore measured at rest and allowed for in motion; until the first rest it is unknown,
/// and ``error`` about the vertical does not decrease below 0.5 degrees per second.
///
/// A step is omitted if the attitude turns by an angle that the gyroscope does not show, as when a robot's heading is set,
/// and if the rate changes too fast for the sample rate.
/// Each axis of the body has its own variance, without covariances, since every measurement contains all three components.
///
/// A ``MotionEstimator`` does not need this type: it estimates the bias together with the attitude.
public struct RateBiasEstimator: Sendable {
  /// The assumptions about the gyroscope, with the defaults for invalid values; `rest.bias` is the standard deviation
  /// of an unmeasured bias.
  public let settings: MotionEstimator.Settings
  /// The bias on body axes, in rad/s.
  private var estimate = SIMD3<Double>.zero
  /// The variance of each component of the bias, in rad²/s².
  private var variance: SIMD3<Double>
  /// The rate in rad/s about the vertical at which the attitude turns while the body rests; nil before the first rest.
  private var headingDrift: Double?
  /// The number of blocks at rest, at most 20, over which ``headingDrift`` is averaged.
  private var restBlocks = 0.0
  private var integrator: RateIntegrator
  private var restDetector: RestDetector
  private var last: (sample: InertialSample, attitude: Rotation)?
  private var block = Block()
  private var stepCount = 0
  /// The mean rate and the rotation rate of the attitude in the previous block, if the body rested to its end.
  private var pendingRest: (rate: Vector3, drift: Vector3)?

  /// The bound of each component of the bias, in rad/s.
  private static let maximumBias = SIMD3(repeating: 20 * Double.pi / 180)
  /// The standard deviation, in rad, of one attitude whose quaternion words are rounded to 1/10000.
  private static let attitudeError = 1e-4
  /// The standard deviation of the noise of a reading, in rad/s: 0.1 degrees per second, as its unit on a Sphero.
  private static let readingError = 0.1 * Double.pi / 180
  /// The largest error of the integration in a step that is not omitted, in rad for each second of the step.
  private static let maximumError = 1 * Double.pi / 180
  /// The number of first steps that do not show the error of the integration.
  private static let unratedSteps = 3
  /// The shortest measurement in seconds.
  private static let minimumDuration = 0.04
  /// The delay between reading and attitude, in seconds, that the variance of a measurement allows for.
  private static let delay = 0.01
  /// The time in seconds for which rotation in one direction, and thus its measurement error, is correlated.
  private static let correlationTime = 10.0
  /// The standard deviation of the attitude's drift about the vertical, in rad/s, before and after it is measured at rest.
  private static let driftErrors = (unknown: 0.5 * Double.pi / 180, measured: 0.1 * Double.pi / 180)
  /// The largest rate in rad/s at which the attitude of a body at rest turns, apart from a drift of its heading.
  private static let maximumDrift = 0.3 * Double.pi / 180

  /// The accumulated steps of half a second.
  private struct Block {
    /// The duration in seconds, and the part of it without the omitted steps.
    var elapsed = 0.0
    var seconds = 0.0
    /// The rotation by the readings without that of the attitude, in rad on body axes.
    var excess = Vector3.zero
    /// The integral of the readings, in rad.
    var turn = Vector3.zero
    /// The variance of the integration, in rad².
    var variance = 0.0
    var isAtRest = true
    /// The change of the reading in rad/s.
    var change = Vector3.zero
  }

  public init(settings: MotionEstimator.Settings = MotionEstimator.Settings()) {
    let settings = settings.validated
    self.settings = settings
    integrator = RateIntegrator(readings: settings.readings)
    var rest = settings.rest
    rest.bias = Self.maximumBias.x
    restDetector = RestDetector(limits: rest)
    variance = SIMD3(repeating: settings.rest.bias * settings.rest.bias)
    guard let calibration = settings.calibration else { return }
    let known = SIMD3(calibration.x.bias, calibration.y.bias, calibration.z.bias)
    let errors = SIMD3(calibration.x.biasError, calibration.y.biasError, calibration.z.biasError)
    guard known.sum().isFinite, errors.sum().isFinite else { return }
    estimate = known.clamped(lowerBound: -Self.maximumBias, upperBound: Self.maximumBias)
    variance = pointwiseMin(variance, errors * errors)
  }

  /// The estimated reading of the gyroscope at rest, in rad/s on body axes; zero before the first measurement.
  public var bias: Vector3 { Vector3(estimate) }

  /// The standard deviation of each component of ``bias``, in rad/s.
  public var error: Vector3 { Vector3(variance.squareRoot()) }

  /// Processes a reading and the attitude at its time: the rotation from body to reference coordinates, z up.
  ///
  /// A reading that is not plausible, or is older than the last by up to a second, is ignored.
  /// After a gap of more than a second and after a backward jump of the clock, the next block begins.
  public mutating func update(_ sample: InertialSample, attitude: Rotation) {
    switch sample.succession(after: last?.sample.timestamp) {
    case .stale: return
    case .start: begin(at: sample)
    case .step(let interval):
      if let last { advance(from: last.sample, last.attitude, to: sample, attitude, after: interval) }
    }
    last = (sample, attitude)
  }

  /// Discards the readings and the estimates.
  public mutating func reset() { self = RateBiasEstimator(settings: settings) }

  private mutating func begin(at sample: InertialSample) {
    integrator.interrupt()
    restDetector.reset()
    (block, pendingRest, stepCount) = (Block(), nil, 0)
    _ = integrator(sample.rotationRate, after: 0)
    _ = restDetector.update(sample.rotationRate, sample.acceleration, after: 0)
  }

  private mutating func advance(
    from last: InertialSample, _ lastAttitude: Rotation, to sample: InertialSample, _ attitude: Rotation,
    after interval: Double
  ) {
    let rate = sample.rotationRate
    let isAtRest = restDetector.update(rate, sample.acceleration, after: interval)
    let before = integrator.attitude
    let turn = before.inverse * integrator(rate, after: interval)
    // Twice the vector part is the rotation vector of a small angle; a large angle is discarded anyway.
    let excess = (attitude.inverse * lastAttitude * turn).quaternion.canonical.imaginary * 2
    stepCount = min(stepCount + 1, Self.unratedSteps + 1)
    block.elapsed += interval
    let limit =
      Self.maximumBias.x * interval + 10 * Self.attitudeError
      + 2 * settings.sensitivityError * rate.length * interval
    if stepCount > Self.unratedSteps, integrator.neglected < Self.maximumError * interval,
      excess.length <= limit
    {
      block.seconds += interval
      block.excess = block.excess + excess
      block.turn = block.turn + rate * interval
      block.change = block.change + rate - last.rotationRate
      let noise = Self.readingError * interval
      block.variance += integrator.neglected * integrator.neglected + noise * noise
      block.isAtRest = block.isAtRest && isAtRest
    } else {
      // An omitted step divides the block, and its two attitudes are rounded.
      block.variance += 2 * Self.attitudeError * Self.attitudeError
      block.isAtRest = false
    }
    if block.elapsed >= DriftEstimator.blockDuration - 1e-9 { finishBlock(attitude) }
  }

  private mutating func finishBlock(_ attitude: Rotation) {
    let block = self.block
    self.block = Block()
    let growth = settings.biasGrowth(in: block.elapsed)
    let unknown = SIMD3(repeating: settings.rest.bias * settings.rest.bias)
    variance = pointwiseMax(variance, pointwiseMin(variance + growth, unknown))
    guard block.seconds >= Self.minimumDuration else {
      pendingRest = nil
      return
    }
    let seconds = block.seconds
    let up = attitude.inverse.act(on: Vector3(0, 0, 1))
    let mean = block.turn / seconds
    let drift = mean - block.excess / seconds
    // A constant attitude confirms that the rate is bias; a heading that drifts does so for a plausible bias only.
    let isPlausible = max(abs(mean.x), abs(mean.y), abs(mean.z)) < settings.rest.bias
    let unexplained = isPlausible ? drift - up * drift.dot(up) : drift
    guard block.isAtRest, unexplained.length < Self.maximumDrift else {
      pendingRest = nil
      measureMotion(block, up: SIMD3(up))
      return
    }
    // Only this block confirms that the body rested to the end of the previous one.
    if let pendingRest {
      restBlocks = min(restBlocks + 1, 20)
      let known = headingDrift ?? 0
      headingDrift = known + (pendingRest.drift.dot(up) - known) / restBlocks
      correct(to: pendingRest.rate, variance: settings.restVariance(in: block.elapsed), floor: .zero)
    }
    pendingRest = (mean, drift)
  }

  private mutating func measureMotion(_ block: Block, up: SIMD3<Double>) {
    let seconds = block.seconds
    let delayed = block.change.length * Self.delay
    let scale = block.turn.length * settings.sensitivityError
    let angle =
      2 * Self.attitudeError * Self.attitudeError + block.variance + delayed * delayed
      + scale * scale * max(Self.correlationTime / seconds, 1)
    let drift = up * (headingDrift == nil ? Self.driftErrors.unknown : Self.driftErrors.measured)
    correct(
      to: block.excess / seconds + Vector3(up * (headingDrift ?? 0)), variance: angle / (seconds * seconds),
      floor: drift * drift)
  }

  /// Updates the bias with a measurement, which does not reduce the variance of a component below `floor`.
  private mutating func correct(to value: Vector3, variance noise: Double, floor: SIMD3<Double>) {
    guard value.isFinite, noise > 0, noise.isFinite else { return }
    let sum = variance + noise
    let limit = 3 * sum.squareRoot()
    let residual = (SIMD3(value) - estimate).clamped(lowerBound: -limit, upperBound: limit)
    let bound = Self.maximumBias
    estimate = (estimate + residual * variance / sum).clamped(lowerBound: -bound, upperBound: bound)
    variance = pointwiseMax(variance * noise / sum, pointwiseMin(variance, floor))
  }
}
