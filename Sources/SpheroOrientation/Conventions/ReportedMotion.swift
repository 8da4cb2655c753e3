// Device motion in the axes and signs of a convention.

/// Device motion in the axes and signs of a ``Convention``; see ``Convention/motion(_:)``.
///
/// With ``Convention/coreMotion``, every property equals the property of `CMDeviceMotion` of the same name.
public struct ReportedMotion: Hashable, Sendable {
  public let convention: Convention
  /// The motion in the frames of this module.
  public let motion: DeviceMotion

  /// Seconds since an arbitrary epoch.
  public var timestamp: Double { motion.timestamp }
  /// The attitude, from the convention's body coordinates to its reference coordinates.
  public var attitude: Rotation { convention.rotation(of: motion.attitude) }
  public var pitchRollYaw: PitchRollYaw { convention.pitchRollYaw(of: motion.attitude) }
  /// The quaternion words of the convention, of length 1.
  public var quaternionWords: QuaternionWords { convention.words(of: motion.attitude) }
  /// The rotation rate in rad/s, right-handed, without the bias.
  public var rotationRate: Vector3 { convention.gyroscope(ofRate: motion.rotationRate) }
  /// Gravity, of length 1 g, pointing down.
  public var gravity: Vector3 { convention.gravity(of: motion.attitude) }
  /// The acceleration of the body itself in g, with the sign of the convention's accelerometer.
  public var userAcceleration: Vector3 {
    convention.userAcceleration(accelerometer: accelerometer, attitude: motion.attitude)
  }
  /// The accelerometer reading of the convention in g.
  public var accelerometer: Vector3 { convention.accelerometer(ofSpecificForce: motion.specificForce) }
  /// The direction of the body's forward axis, clockwise from heading 0; the same in every convention.
  public var heading: Heading { motion.heading }
}

extension Convention {
  /// Returns device motion in the axes and signs of this convention.
  public func motion(_ motion: DeviceMotion) -> ReportedMotion {
    ReportedMotion(convention: self, motion: motion)
  }
}
