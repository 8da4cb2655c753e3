// What a streamed sample says about motion, in the units and frames of the maths.

public import SpheroOrientation
public import SpheroProtocol

extension SensorMask {
  /// What device motion is made of: the quaternion, acceleration and turning rate.
  public static let motion: SensorMask = [.quat, .accel, .gyro]
}

// Body axes everywhere: x to the right, y forward, z up (Sphero API 1.50).
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

  /// The attitude by `Convention.sphero`; see ``rotation(by:)``.
  public var rotation: Rotation? { rotation(by: .sphero) }

  /// The attitude that the streamed quaternion stands for: takes body to reference coordinates.
  ///
  /// The reference has z up and y along heading 0, so yaw grows counter-clockwise and headings clockwise.
  ///
  /// - Parameter convention: What the robot means by its words.
  /// - Returns: The attitude; nil where the quaternion was not asked for,
  ///   and where it is all zero, as firmware before 1.20 sends it.
  public func rotation(by convention: Convention) -> Rotation? {
    quaternionWords.flatMap(convention.attitude(of:))
  }

  /// What the accelerometer feels, in g: +1 at rest on the axis that points up.
  ///
  /// The filtered words, or those as sensed where only they were asked for; nil where neither was.
  public var specificForce: Vector3? {
    vector(.accelX, .accelY, .accelZ) ?? vector(.accelRawX, .accelRawY, .accelRawZ)
  }

  /// The turning rate in rad/s, right-handed about the body axes.
  ///
  /// The filtered words, or those as sensed where only they were asked for; nil where neither was.
  public var rotationRate: Vector3? {
    let degreesPerSecond = vector(.gyroX, .gyroY, .gyroZ) ?? vector(.gyroRawX, .gyroRawY, .gyroRawZ)
    return degreesPerSecond.map { $0 * (.pi / 180) }
  }

  /// The readings of both inertial sensors, on the axes and with the sign of the maths.
  ///
  /// - Parameters:
  ///   - time: When they were taken, in seconds.
  ///   - convention: What the robot means by its axes.
  /// - Returns: The readings; nil where a sensor was not asked for.
  func inertialSample(at time: Double, by convention: Convention) -> InertialSample? {
    guard let force = specificForce, let rate = rotationRate else { return nil }
    return InertialSample(
      timestamp: time, rotationRate: convention.body.undo(on: rate),
      acceleration: convention.specificForce(ofAccelerometer: force))
  }

  private func vector(_ x: SensorField, _ y: SensorField, _ z: SensorField) -> Vector3? {
    guard let x = self[x], let y = self[y], let z = self[z] else { return nil }
    return Vector3(x, y, z)
  }
}
