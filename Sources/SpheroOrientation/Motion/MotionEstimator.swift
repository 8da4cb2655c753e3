// Device motion from gyroscope and accelerometer.

/// Estimates attitude, gravity, own acceleration and rotation rate from raw readings, sample by sample.
///
/// 1. The gyroscope alone carries the attitude: a ``RateIntegrator``, the gyroscope's known errors removed.
/// 2. Each accelerometer reading is turned into that almost unmoving frame and smoothed there,
///    so that a turning body does not blur it. What remains is up; the shortest turn that takes it to
///    the z axis corrects the inclination. The heading is the gyroscope's own and starts at zero.
/// 3. A Kalman filter tracks what makes the gyroscope drift: bias, scale factors and misalignment.
///    At rest the mean rate is the bias; in motion the corrections of the inclination show all of them.
///    The filter also knows how well it knows: see ``accuracy``.
///
/// The idea is that of VQF (Laidig and Seel, Information Fusion 91, 2023), and so are the constants of 2. and of rest.
/// Different are the integration, and that the filter knows scale factors, misalignment and the heading
/// that they have spoiled.
///
/// The reference frame has z up.
/// There is no north in six axes: heading 0 is that of the shortest turn that levels the first reading,
/// unless ``setHeading(_:accuracy:)`` or ``setAttitude(_:headingAccuracy:)`` says otherwise.
/// Where readings have a magnetic field, y points to magnetic north from the first of them on.
/// Ask for ``motion`` at any time, or feed a sequence with `samples.processed(by: MotionEstimator())`.
public struct MotionEstimator: StreamProcessor {
  /// What is assumed of sensors and motion.
  public let settings: Settings
  private var integrator: RateIntegrator
  private var correction = Rotation.identity
  private var up: TimedButterworthFilter<Vector3>
  private var drift: DriftEstimator
  private var north = MagneticReference()
  private var knowsNorth = false
  private var restDetector: RestDetector
  private var lastTimestamp: Double?

  /// The motion at the last reading; nil until a first reading showed where up is.
  public private(set) var motion: DeviceMotion?

  /// Makes an estimator that has seen nothing.
  public init(settings: Settings = Settings()) {
    self.settings = settings
    let sane = settings.sane
    let time = TimeConstant(seconds: sane.accelerationTimeConstant) ?? TimeConstant(known: 3)
    up = TimedButterworthFilter<Vector3>(timeConstant: time, start: .mean)
    integrator = RateIntegrator(readings: settings.readings)
    drift = DriftEstimator(settings: sane)
    restDetector = RestDetector(limits: settings.rest)
  }

  /// Makes an estimator that knows the attitude to begin with; see ``setAttitude(_:headingAccuracy:)``.
  public init(attitude: Rotation, headingAccuracy: Angle = .zero, settings: Settings = Settings()) {
    self.init(settings: settings)
    setAttitude(attitude, headingAccuracy: headingAccuracy)
  }

  /// Whether the body is at rest.
  public var isAtRest: Bool { restDetector.isAtRest }

  /// The bias of the gyroscope in rad/s as far as it is known.
  public var rotationRateBias: Vector3 { drift.bias }

  /// How well the attitude is known; before the first reading, how well the heading is that was set.
  public var accuracy: AttitudeAccuracy { drift.accuracy }

  /// Says where the body is headed: its y axis, clockwise from the y axis of the reference frame.
  ///
  /// - Parameters:
  ///   - heading: Minus the turn of the attitude about the vertical.
  ///   - accuracy: Half of the angle within which the true heading is with 95 %; what is negative or NaN counts as 0.
  public mutating func setHeading(_ heading: Heading, accuracy: Angle = .zero) {
    let vertical = Vector3(0, 0, 1)
    let turn = heading.yaw - (attitude.twistAngle(about: vertical) ?? .zero)
    turnHeading(by: turn.radians)
    drift.setHeadingError(max(accuracy.radians, 0))
  }

  /// Says what the attitude is, as if the body had been at rest in it for long.
  ///
  /// What the accelerometer reads from now on corrects the inclination within a few seconds.
  ///
  /// - Parameters:
  ///   - attitude: Takes body to reference coordinates.
  ///   - headingAccuracy: Half of the angle within which the true heading is with 95 %;
  ///     what is negative or NaN counts as 0.
  public mutating func setAttitude(_ attitude: Rotation, headingAccuracy: Angle = .zero) {
    correction = attitude * integrator.attitude.inverse
    up.settle(at: correction.inverse.act(on: Vector3(0, 0, 1)))
    drift.setHeadingError(max(headingAccuracy.radians, 0))
    motion?.attitude = attitude
  }

  /// Takes a reading and gives the motion at it; nil until a first reading showed where up is.
  ///
  /// A reading that is not plausible, or that is stale by up to a second, is ignored:
  /// the last motion comes out again.
  /// After a gap of more than a second, and after a jump back of the clock,
  /// the inclination is found anew; heading and bias stay, but nothing is known of the heading's accuracy.
  public mutating func callAsFunction(_ sample: InertialSample) -> DeviceMotion? {
    guard sample.isPlausible else { return motion }
    switch sample.succession(after: lastTimestamp) {
    case .stale:
      return motion
    case .start:
      begin(at: sample)
    case .step(let interval):
      advance(to: sample, after: interval)
    }
    lastTimestamp = sample.timestamp
    if motion != nil || up.output?.normalized != nil {
      motion = DeviceMotion(
        attitude: attitude, sample: sample, rotationRate: drift.corrected(sample.rotationRate),
        rotationRateBias: drift.bias)
    }
    return motion
  }

  /// Takes a reading that comes `interval` seconds after the one before; see ``callAsFunction(_:)``.
  public mutating func update(
    rotationRate: Vector3, acceleration: Vector3, magneticField: Vector3? = nil, interval: Double
  ) -> DeviceMotion? {
    guard interval >= 0 else { return motion }
    // A gap is a gap, however long: the clock need not run away with it.
    let step = min(interval, 2 * InertialSample.longestStep)
    return self(
      InertialSample(
        timestamp: (lastTimestamp ?? 0) + step, rotationRate: rotationRate, acceleration: acceleration,
        magneticField: magneticField))
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = MotionEstimator(settings: settings) }

  // Called, it would get a copy of the whole estimator, 3 KB.
  @inline(__always) private var attitude: Rotation { correction * integrator.attitude }

  /// Takes a reading that follows closely upon the one before.
  private mutating func advance(to sample: InertialSample, after interval: Double) {
    let isAtRest = restDetector.update(sample.rotationRate, sample.acceleration, after: interval)
    let rate = drift.corrected(sample.rotationRate)
    let strapdown = integrator(rate, after: interval)
    let tilt = level(with: strapdown.act(on: sample.acceleration), after: interval)
    let attitude = attitude
    let headingError = headingError(of: attitude, in: sample, after: interval)
    let turn = drift(
      DriftEstimator.Step(
        interval: interval, axes: attitude.activeMatrix, reading: sample.rotationRate, rate: rate, tilt: tilt,
        neglected: integrator.neglected, noise: integrator.noise, isAtRest: isAtRest,
        headingError: headingError))
    if turn != 0 { turnHeading(by: turn) }
  }

  /// Takes the first reading, or the first after a gap.
  private mutating func begin(at sample: InertialSample) {
    if lastTimestamp != nil {
      integrator.interrupt()
      up.reset()
      restDetector.reset()
      drift.interrupt()
    }
    _ = restDetector.update(sample.rotationRate, sample.acceleration, after: 0)
    let strapdown = integrator(drift.corrected(sample.rotationRate), after: 0)
    _ = level(with: strapdown.act(on: sample.acceleration), after: 0)
    _ = headingError(of: attitude, in: sample, after: 0)
  }

  /// Smooths the acceleration in the gyroscope's frame and corrects the inclination.
  ///
  /// Returns the up axis in the reference frame before the correction; nil if the reading has no direction,
  /// as in free fall. Such a reading does not count in the mean, and its time does not pass for the filter.
  private mutating func level(with acceleration: Vector3, after interval: Double) -> Vector3? {
    guard acceleration.dot(acceleration) >= InertialSample.leastGravity * InertialSample.leastGravity else {
      return nil
    }
    let vertical = Vector3(0, 0, 1)
    let smoothed = up(acceleration, after: interval)
    guard let tilt = correction.act(on: smoothed).normalized else { return nil }
    if tilt.z > 0 {
      // The shortest turn to the vertical, without the care that opposite directions need.
      let turn = Quaternion(w: 1 + tilt.z, x: tilt.y, y: -tilt.x, z: 0) / (2 + 2 * tilt.z).squareRoot()
      correction = Rotation(unit: turn) * correction
    } else if let turn = Rotation(from: tilt, to: vertical) {
      correction = turn * correction
    }
    return tilt
  }

  /// The error of the heading that the magnetic field shows; the first field sets the heading.
  private mutating func headingError(
    of attitude: Rotation, in sample: InertialSample, after interval: Double
  ) -> Double? {
    guard let field = sample.magneticField, field.isFinite else { return nil }
    let error = north.headingError(of: attitude, field: field, after: interval)
    drift.ironVariance = north.ironVariance
    guard let error else { return nil }
    guard !knowsNorth else { return error }
    knowsNorth = true
    turnHeading(by: -error)
    drift.setHeadingError(settings.sane.magneticError)
    return nil
  }

  private mutating func turnHeading(by angle: Double) {
    guard let turn = Rotation(angle: .radians(angle), axis: Vector3(0, 0, 1)) else { return }
    correction = turn * correction
    let attitude = attitude
    motion?.attitude = attitude
  }
}
