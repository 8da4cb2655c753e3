// Device motion from gyroscope and accelerometer.

/// Estimates attitude, gravity, user acceleration and rotation rate from raw readings, sample by sample.
///
/// 1. A ``RateIntegrator`` integrates the rate of the gyroscope without its estimated errors.
/// 2. Accelerometer readings are rotated into the resulting, almost inertial frame and smoothed there,
///    so that rotation of the body does not blur them. The smoothed vector is up; the shortest rotation from it to
///    the z axis corrects the inclination. The heading is that of the gyroscope and starts at zero.
/// 3. A Kalman filter estimates the gyroscope's errors: bias, scale factors and misalignment.
///    At rest the mean rate is the bias; in motion the corrections of the inclination determine all of them.
///    The filter also provides the ``accuracy``.
///
/// The structure and the constants of step 2 and of rest follow VQF (Laidig and Seel, Information Fusion 91, 2023).
/// The integration differs, and the filter includes scale factors, misalignment and the heading error that they cause.
///
/// The z axis of the reference frame points up.
/// Without a magnetometer, heading 0 is that of the shortest rotation that levels the first reading,
/// unless ``setHeading(_:accuracy:relativeTo:)`` or ``setAttitude(_:headingAccuracy:)`` sets another.
/// With a magnetometer, y points to magnetic north from its first reading on; calibrate it for soft iron.
/// Read ``motion`` at any time, or process a sequence with `samples.processed(by: MotionEstimator())`.
public struct MotionEstimator: StreamProcessor {
  /// The assumptions about sensors and motion, with the defaults for invalid values.
  public let settings: Settings
  private var integrator: RateIntegrator
  /// The rotation from the integrator's frame to the reference frame.
  private var correction = Rotation.identity
  /// The smoothed acceleration in the integrator's frame.
  private var up: TimedButterworthFilter<Vector3>
  private var drift: DriftEstimator
  private var magneticReference: MagneticReference
  private var hasMagneticHeading = false
  /// The time in seconds since the last reading of the magnetometer, at most `InertialSample.maximumStep`.
  private var magneticInterval = 0.0
  /// The heading that was set before ``motion`` had a value.
  private var initialHeading: Heading?
  private var restDetector: RestDetector
  private var lastTimestamp: Double?
  /// The time in seconds from the last plausible reading of ``update(rotationRate:acceleration:magneticField:interval:)`` to
  /// the latest one.
  private var skippedTime = 0.0
  /// Whether ``motion`` has a value, since each comparison of it with nil would copy it.
  private var hasMotion = false

  /// The motion at the last reading; nil before the first reading that showed gravity.
  public private(set) var motion: DeviceMotion?

  public init(settings: Settings = Settings()) {
    let settings = settings.validated
    self.settings = settings
    up = TimedButterworthFilter(
      timeConstant: TimeConstant(known: settings.accelerationTimeConstant), start: .mean)
    integrator = RateIntegrator(readings: settings.readings)
    drift = DriftEstimator(settings: settings)
    magneticReference = MagneticReference(settings: settings)
    restDetector = RestDetector(limits: settings.rest)
  }

  /// Creates an estimator with an initial attitude; see ``setAttitude(_:headingAccuracy:)``.
  public init(attitude: Rotation, headingAccuracy: Angle = .zero, settings: Settings = Settings()) {
    self.init(settings: settings)
    setAttitude(attitude, headingAccuracy: headingAccuracy)
  }

  /// The meaning of heading 0: that of the last ``setHeading(_:accuracy:relativeTo:)``, arbitrary after
  /// ``setAttitude(_:headingAccuracy:)``, and magnetic north from the first reading of a magnetometer on.
  public private(set) var attitudeReference = AttitudeReference.arbitrary

  /// Whether the body is at rest, according to the latest readings.
  public var isAtRest: Bool { restDetector.isAtRest }

  /// The estimated bias of the gyroscope in rad/s.
  public var rotationRateBias: Vector3 { drift.bias }

  /// The standard deviation of each component of ``rotationRateBias``, in rad/s.
  public var rotationRateBiasError: Vector3 { drift.biasError }

  /// The estimated errors of the gyroscope, for ``Settings/calibration`` of a later run with the same sensor.
  public var calibration: GyroscopeCalibration { drift.calibration }

  /// The estimated accuracy of the attitude; before the first reading, the heading has the accuracy that was set.
  public var accuracy: AttitudeAccuracy { drift.accuracy }

  /// Sets the heading: the body's y axis, clockwise from the y axis of the reference frame.
  ///
  /// The accuracy is one standard deviation: the error is less than twice the accuracy with a probability of 95 %.
  /// A negative accuracy or NaN counts as 0.
  /// The reference is the meaning of heading 0; a magnetometer changes it to magnetic north.
  public mutating func setHeading(
    _ heading: Heading, accuracy: Angle = .zero, relativeTo reference: AttitudeReference = .arbitrary
  ) {
    if !hasMagneticHeading { attitudeReference = reference }
    if motion == nil { initialHeading = heading }
    drift.setHeadingError(max(0, accuracy.radians))
    rotate(to: heading)
  }

  /// Sets the attitude, as if the body had been at rest in it for a long time.
  ///
  /// Subsequent accelerometer readings correct the inclination within a few seconds.
  /// The accuracy has the meaning of that of ``setHeading(_:accuracy:relativeTo:)``.
  public mutating func setAttitude(_ attitude: Rotation, headingAccuracy: Angle = .zero) {
    initialHeading = nil
    let force = motion?.specificForce
    if !hasMagneticHeading { attitudeReference = .arbitrary }
    correction = attitude * integrator.attitude.inverse
    up.setSteadyState(at: correction.inverse.act(on: Vector3(0, 0, 1)))
    drift.setHeadingError(max(0, headingAccuracy.radians))
    drift.setSteadyTilt()
    updateMotion()
    if let force { motion?.userAcceleration = attitude.acceleration(specificForce: force) }
  }

  /// Processes a reading and returns the motion at it; nil before the first reading that showed gravity.
  ///
  /// Returns the last motion again for a reading that is not plausible, or whose time equals that of the last reading
  /// or precedes it by up to a second.
  /// After a gap of more than a second and after a backward jump of the clock, the inclination is redetermined;
  /// heading and bias stay, but the accuracy of the heading is that of an unknown one.
  public mutating func callAsFunction(_ sample: InertialSample) -> DeviceMotion? {
    switch sample.succession(after: lastTimestamp) {
    case .stale: return motion
    case .start: begin(at: sample)
    case .step(let interval): advance(to: sample, after: interval)
    }
    lastTimestamp = sample.timestamp
    guard hasMotion || up.output?.normalized != nil else { return nil }
    // The rotation that levels the first reading turns the forward axis of a tilted body.
    if !hasMotion, !hasMagneticHeading, let initialHeading { rotate(to: initialHeading) }
    var current = DeviceMotion(
      attitude: attitude, sample: sample, rotationRateBias: drift.bias,
      rotationRateBiasError: drift.biasError, attitudeReference: attitudeReference,
      attitudeAccuracy: .estimated(drift.accuracy))
    current.rotationRate = drift.corrected(sample.rotationRate)
    motion = current
    hasMotion = true
    return current
  }

  /// Processes a reading `interval` seconds after the previous one, in the units of ``InertialSample``; see ``callAsFunction(_:)``.
  @discardableResult
  public mutating func update(
    rotationRate: Vector3, acceleration: Vector3, magneticField: Vector3? = nil, interval: Double
  ) -> DeviceMotion? {
    guard interval >= 0 else { return motion }
    // Every gap has the same effect, so a long gap advances the clock by the length of a short one.
    let step = min(skippedTime + interval, 2 * InertialSample.maximumStep)
    let sample = InertialSample(
      timestamp: (lastTimestamp ?? 0) + step, rotationRate: rotationRate, acceleration: acceleration,
      magneticField: magneticField)
    skippedTime = sample.isPlausible ? 0 : step
    return self(sample)
  }

  public mutating func reset() { self = MotionEstimator(settings: settings) }

  // Without inlining, a call would copy the whole estimator, 3 KB.
  @inline(__always) private var attitude: Rotation { correction * integrator.attitude }

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
        isSteady: restDetector.isSteady, headingError: headingError))
    if turn != 0 { rotateHeading(by: turn) }
  }

  /// Processes the first reading, or the first after a gap.
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

  /// Smooths the acceleration in the integrator's frame and corrects the inclination.
  ///
  /// Returns the up axis in the reference frame before the correction; nil if the reading has no direction,
  /// as in free fall. Such a reading is not included in the mean.
  private mutating func level(with acceleration: Vector3, after interval: Double) -> Vector3? {
    guard acceleration.dot(acceleration) >= InertialSample.minimumGravity * InertialSample.minimumGravity
    else { return nil }
    let smoothed = up(acceleration, after: interval)
    guard let tilt = correction.act(on: smoothed).normalized else { return nil }
    if tilt.z > 0 {
      // The shortest rotation to the vertical, without the handling of opposite directions.
      let turn = Quaternion(w: 1 + tilt.z, x: tilt.y, y: -tilt.x, z: 0) / (2 + 2 * tilt.z).squareRoot()
      correction = Rotation(unit: turn) * correction
    } else if let turn = Rotation(from: tilt, to: Vector3(0, 0, 1)) {
      correction = turn * correction
    }
    return tilt
  }

  /// Returns the error of the heading in rad, measured by the magnetic field; the first field sets the heading instead.
  private mutating func headingError(
    of attitude: Rotation, in sample: InertialSample, after interval: Double
  ) -> Double? {
    magneticInterval = min(magneticInterval + interval, InertialSample.maximumStep)
    guard let field = sample.magneticField, field.isFinite else { return nil }
    defer { magneticInterval = 0 }
    guard
      let error = magneticReference.headingError(of: attitude, field: field, after: magneticInterval)
    else { return nil }
    drift.hardIronVariance = magneticReference.hardIronVariance
    guard !hasMagneticHeading else { return error }
    hasMagneticHeading = true
    attitudeReference = .magneticNorth
    rotateHeading(by: -error)
    let deviation = settings.magneticError
    drift.setHeadingError((deviation * deviation + drift.hardIronVariance).squareRoot())
    return nil
  }

  private mutating func rotate(to heading: Heading) {
    rotateHeading(by: (heading.yaw - attitude.yaw).radians)
  }

  private mutating func rotateHeading(by angle: Double) {
    guard let turn = Rotation(angle: .radians(angle), axis: Vector3(0, 0, 1)) else { return }
    correction = turn * correction
    updateMotion()
  }

  /// Updates the attitude of the last motion after a change between two readings.
  private mutating func updateMotion() {
    let (attitude, reference, accuracy) = (attitude, attitudeReference, drift.accuracy)
    motion?.attitude = attitude
    motion?.attitudeReference = reference
    motion?.attitudeAccuracy = .estimated(accuracy)
  }
}
