// Device motion as some device or library reports it: on its axes, with its signs.

/// Device motion in the terms of a ``Convention``; ``Convention/motion(_:)`` makes it.
///
/// By ``Convention/coreMotion`` every property has the axes and the sign of `CMDeviceMotion`'s of the same name.
public struct ReportedMotion: Hashable, Sendable {
  /// The convention.
  public let convention: Convention
  /// The motion in the terms of this module.
  public let motion: DeviceMotion

  /// The time of the reading in seconds since any fixed moment.
  public var timestamp: Double { motion.timestamp }
  /// The attitude: takes the convention's body coordinates to its reference coordinates.
  public var attitude: Rotation { convention.rotation(of: motion.attitude) }
  /// Pitch, roll and yaw as the convention counts them.
  public var pitchRollYaw: PitchRollYaw { convention.pitchRollYaw(of: motion.attitude) }
  /// The quaternion in the convention's words, of length 1.
  public var quaternionWords: QuaternionWords { convention.words(of: motion.attitude) }
  /// The rotation rate in rad/s, right-handed, less the motion's bias.
  public var rotationRate: Vector3 { convention.gyroscope(ofRate: motion.rotationRate) }
  /// The direction in which gravity pulls, of length 1 g.
  public var gravity: Vector3 { convention.gravity(of: motion.attitude) }
  /// The acceleration of the body itself in g, with the sign of the convention's accelerometer.
  public var userAcceleration: Vector3 {
    convention.userAcceleration(accelerometer: accelerometer, attitude: motion.attitude)
  }
  /// What the convention's accelerometer reads in g.
  public var accelerometer: Vector3 { convention.accelerometer(ofSpecificForce: motion.specificForce) }
  /// Where the body's forward axis points, clockwise from heading 0; the same in every convention.
  public var heading: Heading { motion.heading }
}

extension Convention {
  /// Device motion with the axes and signs of this convention: `Convention.coreMotion.motion(motion)`.
  public func motion(_ motion: DeviceMotion) -> ReportedMotion {
    ReportedMotion(convention: self, motion: motion)
  }
}
