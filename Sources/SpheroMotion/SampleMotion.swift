// What a streamed sample says about motion, in the units and frames of the maths.

public import SpheroOrientation
public import SpheroProtocol

extension SensorMask {
  /// What device motion is made of: the quaternion, acceleration and turning rate.
  public static let motion: SensorMask = [.quat, .accel, .gyro]
}

extension Sample {
  /// The four quaternion words as streamed, in units of one; nil where one was not asked for.
  public var quaternionWords: QuaternionWords? {
    guard let q0 = self[.q0], let q1 = self[.q1], let q2 = self[.q2], let q3 = self[.q3] else { return nil }
    return QuaternionWords(q0, q1, q2, q3)
  }

  /// The streamed pitch, roll and yaw, in whole degrees; nil where one was not asked for.
  public var pitchRollYaw: PitchRollYaw? {
    guard let pitch = self[.pitch], let roll = self[.roll], let yaw = self[.yaw] else { return nil }
    return PitchRollYaw(pitch: .degrees(pitch), roll: .degrees(roll), yaw: .degrees(yaw))
  }

  /// The attitude that the streamed quaternion stands for: takes body to reference coordinates.
  ///
  /// The reference has z up and y along heading 0, so yaw grows counter-clockwise and headings clockwise.
  ///
  /// - Parameter convention: What the robot means by its words.
  /// - Returns: The attitude; nil where the quaternion was not asked for,
  ///   and where it is all zero, as firmware before 1.20 sends it.
  public func rotation(by convention: Convention = .sphero) -> Rotation? {
    quaternionWords.flatMap(convention.attitude(of:))
  }

  /// What the accelerometer reads on its own axes, in g.
  ///
  /// The filtered words, or those as sensed where only they were asked for; nil where neither was.
  /// The axes of the sensors are not those of the body: ``specificForce(by:)`` turns the reading.
  public var accelerometer: Vector3? {
    vector(.accelX, .accelY, .accelZ) ?? vector(.accelRawX, .accelRawY, .accelRawZ)
  }

  /// What the gyroscope reads on its own axes, in rad/s.
  ///
  /// The filtered words, or those as sensed where only they were asked for; nil where neither was.
  /// The axes of the sensors are not those of the body: ``rotationRate(by:)`` turns the reading.
  public var gyroscope: Vector3? {
    let degreesPerSecond = vector(.gyroX, .gyroY, .gyroZ) ?? vector(.gyroRawX, .gyroRawY, .gyroRawZ)
    return degreesPerSecond.map { $0 * (.pi / 180) }
  }

  /// The specific force in g on the body axes right, ahead, up: at rest 1 g upward.
  ///
  /// - Parameter convention: What the robot means by its axes.
  /// - Returns: The specific force; nil where the accelerometer was not asked for.
  public func specificForce(by convention: Convention = .sphero) -> Vector3? {
    accelerometer.map(convention.specificForce(ofAccelerometer:))
  }

  /// The turning rate in rad/s, right-handed about the body axes right, ahead, up.
  ///
  /// - Parameter convention: What the robot means by its axes.
  /// - Returns: The rate; nil where the gyroscope was not asked for.
  public func rotationRate(by convention: Convention = .sphero) -> Vector3? {
    gyroscope.map(convention.rate(ofGyroscope:))
  }

  /// The readings of both inertial sensors, on the axes and with the sign of the maths.
  ///
  /// - Parameters:
  ///   - time: When they were taken, in seconds.
  ///   - convention: What the robot means by its axes.
  /// - Returns: The readings; nil where a sensor was not asked for.
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
