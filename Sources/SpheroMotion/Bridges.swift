// Conversions of commands, responses and samples to and from the units and axes of SpheroOrientation and SpheroControls.

public import SpheroControls
public import SpheroHost
public import SpheroOrientation
public import SpheroProtocol

extension Motion.Roll {
  /// Creates the command from a heading, rounded to whole degrees, and a speed clamped to 0...1; NaN counts as 0.
  public init(_ direction: Heading, speed: Double, state: State = .drive) {
    self.init(speed: speed.byte, heading: direction.wholeDegrees, state: state)
  }
}

extension Motion.SetHeading {
  /// Creates the command that assigns this heading, rounded to whole degrees, to the present orientation.
  public init(_ direction: Heading) { self.init(heading: direction.wholeDegrees) }
}

extension Motion.SetRotationRate {
  /// The maximum in degrees per second, which the value 255 selects.
  private static let maximum = 400.0

  /// The angle per second: 0...199.1 degrees in steps of 0.784 degrees, or 400 degrees, the maximum.
  ///
  /// Setting it selects the nearest of these.
  public var turnPerSecond: Angle {
    get { .degrees(rate == .max ? Self.maximum : Double(rate) * Quantity.rotationSteps.perCount) }
    set {
      let steps = (newValue.degrees / Quantity.rotationSteps.perCount).rounded()
      let fastest = 254.0 * Quantity.rotationSteps.perCount
      if newValue.degrees > (fastest + Self.maximum) / 2 {
        rate = .max
      } else {
        rate = steps > 0 ? UInt8(min(steps, 254)) : 0
      }
    }
  }
}

extension Lights.SetRGBLED {
  /// Creates the command of a colour; with `persist`, the robot also stores it in flash and shows it on connecting.
  public init(_ color: RGB, persist: Bool = false) {
    self.init(red: color.red, green: color.green, blue: color.blue, persist: persist)
  }
}

extension RGB {
  /// The stored user colour.
  public init(_ response: Lights.GetRGBLED.Response) {
    self.init(red: response.red, green: response.green, blue: response.blue)
  }
}

extension Lights.SetBackLED {
  /// Creates the command from a brightness clamped to 0...1; NaN counts as 0.
  public init(fraction: Double) { self.init(brightness: fraction.byte) }
}

extension SensorMask {
  /// The fields that ``MotionTracker`` uses: quaternion, acceleration and rotation rate.
  public static let motion: SensorMask = [.quat, .accel, .gyro]
}

extension Sample {
  /// The four words of the quaternion in the order of the wire, as fractions of 1; nil if one is not streamed.
  public var quaternionWords: QuaternionWords? {
    guard let q0 = self[.q0], let q1 = self[.q1], let q2 = self[.q2], let q3 = self[.q3] else { return nil }
    return QuaternionWords(q0, q1, q2, q3)
  }

  /// The streamed pitch, roll and yaw, in whole degrees; nil if one is not streamed.
  public var pitchRollYaw: PitchRollYaw? {
    guard let pitch = self[.pitch], let roll = self[.roll], let yaw = self[.yaw] else { return nil }
    return PitchRollYaw(pitch: .degrees(pitch), roll: .degrees(roll), yaw: .degrees(yaw))
  }

  /// The attitude according to the streamed quaternion: the rotation from body to reference coordinates.
  ///
  /// In the reference frame, z points up and y along heading 0.
  /// Nil if the quaternion is not streamed or all zero (firmware before 1.20).
  public func rotation(by convention: Convention = .sphero) -> Rotation? {
    quaternionWords.flatMap(convention.attitude(of:))
  }

  /// The attitude according to the quaternion, or else (firmware before 1.20) to the streamed angles, in whole degrees.
  package func attitude(by convention: Convention = .sphero) -> Rotation? {
    rotation(by: convention) ?? pitchRollYaw.flatMap { convention.attitude(of: $0) }
  }

  /// The reading of the accelerometer on its own axes, in g; ``specificForce(by:)`` converts it to body axes.
  ///
  /// The filtered words, or the raw ones if only these are streamed; nil without either.
  public var accelerometer: Vector3? { vector(.accelX, .accelY, .accelZ) ?? unfilteredAccelerometer }

  /// The reading of the gyroscope on its own axes, in rad/s; ``rotationRate(by:)`` converts it to body axes.
  ///
  /// The filtered words, or the raw ones if only these are streamed; nil without either.
  public var gyroscope: Vector3? {
    vector(.gyroX, .gyroY, .gyroZ).map { $0 * (.pi / 180) } ?? unfilteredGyroscope
  }

  /// The raw words of the accelerometer on its own axes, in g; nil if they are not streamed.
  package var unfilteredAccelerometer: Vector3? { vector(.accelRawX, .accelRawY, .accelRawZ) }

  /// The raw words of the gyroscope on its own axes, in rad/s; nil if they are not streamed.
  package var unfilteredGyroscope: Vector3? {
    vector(.gyroRawX, .gyroRawY, .gyroRawZ).map { $0 * (.pi / 180) }
  }

  /// The specific force in g on the body axes right, ahead, up: 1 g upward at rest; nil without the accelerometer.
  public func specificForce(by convention: Convention = .sphero) -> Vector3? {
    accelerometer.map(convention.specificForce(ofAccelerometer:))
  }

  /// The rotation rate in rad/s, right-handed about the body axes right, ahead, up; nil without the gyroscope.
  public func rotationRate(by convention: Convention = .sphero) -> Vector3? {
    gyroscope.map(convention.rate(ofGyroscope:))
  }

  /// The readings of both inertial sensors on body axes; nil if one is not streamed. `time` is in seconds.
  package func inertialSample(at time: Double, by convention: Convention) -> InertialSample? {
    guard let force = specificForce(by: convention), let rate = rotationRate(by: convention) else {
      return nil
    }
    return InertialSample(timestamp: time, rotationRate: rate, acceleration: force)
  }

  private func vector(_ x: SensorField, _ y: SensorField, _ z: SensorField) -> Vector3? {
    guard let x = self[x], let y = self[y], let z = self[z] else { return nil }
    return Vector3(x, y, z)
  }
}

extension ShakeDetector {
  /// Processes the next sample of a stream; the time of a shake is `TimedSample.time` in seconds.
  public mutating func callAsFunction(_ sample: TimedSample, by convention: Convention = .sphero) -> Shake? {
    guard let force = sample.sample.specificForce(by: convention) else { return nil }
    return self(force, at: sample.time / .seconds(1))
  }
}

extension Odometry {
  /// The fields that ``init(_:)`` requires.
  package static let mask = SensorMask(.yaw).union([.odometer, .velocity])

  /// Creates a reading from a streamed sample; nil if it lacks a field of ``mask``.
  package init?(_ sample: TimedSample) {
    let values = sample.sample
    guard let yaw = values[.yaw], let x = values[.odometerX], let y = values[.odometerY],
      let right = values[.velocityX], let ahead = values[.velocityY],
      let heading = Heading(yaw: .degrees(yaw))
    else { return nil }
    // The robot streams mm/s; `Odometry` has cm/s.
    self.init(
      time: sample.hostTime / .seconds(1), position: Position(x: x, y: y),
      velocity: Position(x: right / 10, y: ahead / 10), heading: heading)
  }
}
