// Bridges from streamed samples to the maths: attitude, inertial readings and odometry in the units and frames of the maths.

package import SpheroControls
package import SpheroHost
public import SpheroOrientation
public import SpheroProtocol

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
  /// In the reference frame, z points up and y along heading 0, so yaw grows counter-clockwise and headings clockwise.
  ///
  /// - Parameter convention: The meaning of the robot's words.
  /// - Returns: The attitude; nil if the quaternion is not streamed or all zero (firmware before 1.20).
  public func rotation(by convention: Convention = .sphero) -> Rotation? {
    quaternionWords.flatMap(convention.attitude(of:))
  }

  /// The reading of the accelerometer on its own axes, in g; ``specificForce(by:)`` converts it to body axes.
  ///
  /// The filtered words, or the raw ones if only these are streamed; nil without either.
  public var accelerometer: Vector3? {
    vector(.accelX, .accelY, .accelZ) ?? vector(.accelRawX, .accelRawY, .accelRawZ)
  }

  /// The reading of the gyroscope on its own axes, in rad/s; ``rotationRate(by:)`` converts it to body axes.
  ///
  /// The filtered words, or the raw ones if only these are streamed; nil without either.
  public var gyroscope: Vector3? {
    let degreesPerSecond = vector(.gyroX, .gyroY, .gyroZ) ?? vector(.gyroRawX, .gyroRawY, .gyroRawZ)
    return degreesPerSecond.map { $0 * (.pi / 180) }
  }

  /// The specific force in g on the body axes right, ahead, up: 1 g upward at rest.
  ///
  /// - Parameter convention: The meaning of the robot's axes.
  /// - Returns: The specific force; nil if the accelerometer is not streamed.
  public func specificForce(by convention: Convention = .sphero) -> Vector3? {
    accelerometer.map(convention.specificForce(ofAccelerometer:))
  }

  /// The rotation rate in rad/s, right-handed about the body axes right, ahead, up.
  ///
  /// - Parameter convention: The meaning of the robot's axes.
  /// - Returns: The rate; nil if the gyroscope is not streamed.
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
    // The wire has mm/s, the maths cm/s.
    self.init(
      time: sample.hostTime / .seconds(1), position: Position(x: x, y: y),
      velocity: Position(x: right / 10, y: ahead / 10), heading: heading)
  }
}
