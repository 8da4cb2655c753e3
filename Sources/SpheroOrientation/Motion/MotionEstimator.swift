// Device motion from gyroscope and accelerometer.

/// Estimates attitude, gravity, own acceleration and rotation rate from raw readings, sample by sample.
///
/// The idea is that of VQF (Laidig and Seel, Information Fusion 91, 2023).
/// 1. The gyroscope alone carries the attitude: a ``RateIntegrator``, its bias removed.
/// 2. Each accelerometer reading is turned into that almost unmoving frame and smoothed there,
///    so that a turning body does not blur it. What remains is up; the shortest turn that takes it to
///    the z axis corrects the inclination. The heading is the gyroscope's own and starts at zero.
/// 3. A Kalman filter tracks the bias: at rest the mean rate is the bias,
///    in motion the rate at which the inclination needs correction hints at it.
///
/// Different from VQF are the integration for robot rates (``RateIntegrator``),
/// the bias at rest (blocks of a quarter second, each used once the next was calm too,
/// so that neither the end of a motion nor its beginning gets in)
/// and three of the constants (``Settings``):
/// they are near the flat optimum of the mean error over 48 recordings at 47.6 Hz
/// whose bias, scale and drift were altered at random.
///
/// The reference frame has z up.
/// There is no north in six axes: heading 0 is that of the shortest turn that levels the first reading.
/// Ask for ``motion`` at any time, or feed a sequence with `samples.processed(by: MotionEstimator())`.
public struct MotionEstimator: StreamProcessor {
  /// What is assumed of sensors and motion.
  public struct Settings: Hashable, Sendable {
    /// The time constant in seconds of the accelerometer's low pass; VQF has 3.
    public var accelerationTimeConstant = 2.25
    /// The shortest step in seconds over which the rotation rate is not held; see ``RateIntegrator``.
    public var shortestCurvedStep = 1.0 / 60
    /// What counts as rest; its `bias` also bounds the bias estimate.
    public var rest = RestDetector.Limits()
    /// The standard deviation of the bias at the start, in rad/s: 0.5 deg/s.
    public var initialBiasError = 0.5 * Double.pi / 180
    /// The time in seconds in which the bias may wander by 0.1 deg/s.
    public var biasMemory = 100.0
    /// The standard deviation of the bias, in rad/s, to which long rest leads: 0.03 deg/s.
    public var restBiasError = 0.03 * Double.pi / 180
    /// The standard deviation of the bias, in rad/s, to which long motion leads: 0.045 deg/s; VQF has 0.1.
    public var motionBiasError = 0.045 * Double.pi / 180
    /// The largest hint at a bias error, in rad/s, that motion may give: 0.5 deg/s; VQF has 2.
    public var motionHintLimit = 0.5 * Double.pi / 180

    /// Makes the usual settings.
    public init() {}
  }

  /// What is assumed of sensors and motion.
  public let settings: Settings
  private var integrator: RateIntegrator
  private var correction = Rotation.identity
  private var up: TimedButterworthFilter<Vector3>
  private var tracker: BiasEstimator
  private var axes: MatrixSmoother
  private var referenceBias: TimedButterworthFilter<Vector3>
  private var restDetector: RestDetector
  private var restBlock = Block()
  private var calmBlock: Block?
  private var lastTimestamp: Double?

  /// Readings at rest that are used together.
  private struct Block: Sendable {
    static let duration = 0.25
    var sum = Vector3.zero
    var seconds = 0.0
  }

  /// The motion at the last reading; nil until a first reading showed where up is.
  public private(set) var motion: DeviceMotion?

  /// Makes an estimator that has seen nothing.
  public init(settings: Settings = Settings()) {
    self.settings = settings
    let time = TimeConstant(seconds: settings.accelerationTimeConstant) ?? TimeConstant(known: 2.25)
    let smoothing = TimedButterworthFilter<Vector3>(timeConstant: time, start: .mean)
    up = smoothing
    referenceBias = smoothing
    axes = MatrixSmoother(smoothing)
    integrator = RateIntegrator(shortestCurvedStep: settings.shortestCurvedStep)
    tracker = BiasEstimator(settings: settings)
    restDetector = RestDetector(limits: settings.rest)
  }

  /// Whether the body is at rest.
  public var isAtRest: Bool { restDetector.isAtRest }

  /// The bias of the gyroscope in rad/s as far as it is known.
  public var rotationRateBias: Vector3 { tracker.bias }

  /// Takes a reading and gives the motion at it; nil until a first reading showed where up is.
  ///
  /// A reading that is not plausible, or that is stale by up to a second, is ignored:
  /// the last motion comes out again.
  /// After a gap of more than a second, and after a jump back of the clock,
  /// the inclination is found anew; heading and bias stay.
  public mutating func callAsFunction(_ sample: InertialSample) -> DeviceMotion? {
    guard sample.isPlausible else { return motion }
    switch sample.succession(after: lastTimestamp) {
    case .stale:
      return motion
    case .start:
      interrupt()
      begin(at: sample)
    case .step(let interval):
      advance(to: sample, after: interval)
    }
    lastTimestamp = sample.timestamp
    if motion != nil || up.output?.normalized != nil {
      motion = DeviceMotion(attitude: attitude, sample: sample, rotationRateBias: tracker.bias)
    }
    return motion
  }

  /// Takes a reading that comes `interval` seconds after the one before; see ``callAsFunction(_:)``.
  public mutating func update(
    rotationRate: Vector3, acceleration: Vector3, interval: Double
  ) -> DeviceMotion? {
    guard interval >= 0 else { return motion }
    // A gap is a gap, however long: the clock need not run away with it.
    let step = min(interval, 2 * InertialSample.longestStep)
    return self(
      InertialSample(
        timestamp: (lastTimestamp ?? 0) + step, rotationRate: rotationRate, acceleration: acceleration))
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = MotionEstimator(settings: settings) }

  /// Takes a reading that follows closely upon the one before.
  private mutating func advance(to sample: InertialSample, after interval: Double) {
    let isAtRest = restDetector.update(sample.rotationRate, sample.acceleration, after: interval)
    let strapdown = integrator(sample.rotationRate - tracker.bias, after: interval)
    let tilt = level(with: strapdown.act(on: sample.acceleration), after: interval)
    trackBias(from: sample, after: interval, tilt: tilt, isAtRest: isAtRest)
  }

  /// Takes the first reading, or the first after a gap.
  private mutating func begin(at sample: InertialSample) {
    _ = restDetector.update(sample.rotationRate, sample.acceleration, after: 0)
    let strapdown = integrator(sample.rotationRate - tracker.bias, after: 0)
    _ = level(with: strapdown.act(on: sample.acceleration), after: 0)
    let matrix = attitude.activeMatrix
    _ = axes(matrix, after: 0)
    _ = referenceBias(matrix.act(on: tracker.bias), after: 0)
  }

  /// Forgets what a gap makes worthless: everything but heading, bias and settings.
  private mutating func interrupt() {
    integrator.interrupt()
    up.reset()
    referenceBias.reset()
    axes.reset()
    restDetector.reset()
    (restBlock, calmBlock) = (Block(), nil)
  }

  /// Smooths the acceleration in the gyroscope's frame and corrects the inclination.
  ///
  /// Returns the up axis in the reference frame before the correction.
  private mutating func level(with acceleration: Vector3, after interval: Double) -> Vector3 {
    let vertical = Vector3(0, 0, 1)
    let smoothed = up(acceleration, after: interval)
    guard let tilt = correction.act(on: smoothed).normalized, let turn = Rotation(from: tilt, to: vertical)
    else { return vertical }
    correction = turn * correction
    return tilt
  }

  private var attitude: Rotation { correction * integrator.attitude }

  /// Corrects the bias by what rest or motion shows.
  private mutating func trackBias(
    from sample: InertialSample, after interval: Double, tilt: Vector3, isAtRest: Bool
  ) {
    let matrix = attitude.activeMatrix
    let smoothed = axes(matrix, after: interval)
    let smoothedBias = referenceBias(matrix.act(on: tracker.bias), after: interval)
    tracker.advance(by: interval)
    if restDetector.calmTime == 0 { (restBlock, calmBlock) = (Block(), nil) }
    if isAtRest {
      measureAtRest(sample.rotationRate, after: interval)
    } else {
      // The inclination went wrong by this much about x and y of the reference frame during the step;
      // about z nothing shows, and a weak pull to zero keeps the estimate from wandering.
      let hint = Vector3(-tilt.y / interval, tilt.x / interval, 0)
      let error = hint + Vector3(smoothedBias.x, smoothedBias.y, 0) - smoothed.act(on: tracker.bias)
      let variance = tracker.variance(settlingAt: settings.motionBiasError, every: interval)
      tracker.correct(
        along: smoothed, by: error, variance: Vector3(variance, variance, variance * 1e4),
        limit: settings.motionHintLimit)
    }
  }

  /// Collects blocks of readings at rest, and uses each once the next one is complete.
  private mutating func measureAtRest(_ rate: Vector3, after interval: Double) {
    restBlock.sum = restBlock.sum + rate * interval
    restBlock.seconds += interval
    guard restBlock.seconds >= Block.duration else { return }
    if let block = calmBlock {
      let error = block.sum * (1 / block.seconds) - tracker.bias
      let variance = tracker.variance(settlingAt: settings.restBiasError, every: block.seconds)
      tracker.correct(
        along: Rotation.identity.activeMatrix, by: error, variance: Vector3(variance, variance, variance),
        limit: settings.rest.bias)
    }
    (calmBlock, restBlock) = (restBlock, Block())
  }
}

/// Smooths the rows of a matrix.
private struct MatrixSmoother: Sendable {
  private var row1: TimedButterworthFilter<Vector3>
  private var row2: TimedButterworthFilter<Vector3>
  private var row3: TimedButterworthFilter<Vector3>

  init(_ filter: TimedButterworthFilter<Vector3>) {
    (row1, row2, row3) = (filter, filter, filter)
  }

  mutating func callAsFunction(_ matrix: RotationMatrix, after interval: Double) -> RotationMatrix {
    RotationMatrix(
      rows: row1(matrix.row1, after: interval),
      row2(matrix.row2, after: interval),
      row3(matrix.row3, after: interval))
  }

  mutating func reset() {
    row1.reset()
    row2.reset()
    row3.reset()
  }
}
