// The textual descriptions of the values of this module; numbers have at most six decimals.

extension Double {
  /// The number with at most six decimals and without trailing zeros: `0.5`, `-1`.
  package var reading: String {
    guard magnitude < 1e9 else { return "\(self)" }
    let rounded = (self * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension Angle: CustomStringConvertible {
  /// The angle in degrees.
  public var description: String { degrees.reading + "°" }
}

extension Heading: CustomStringConvertible {
  public var description: String { degrees.reading + "°" }
}

extension Vector3: CustomStringConvertible {
  public var description: String { "(\(x.reading), \(y.reading), \(z.reading))" }
}

extension Quaternion: CustomStringConvertible {
  public var description: String { "(w: \(w.reading), x: \(x.reading), y: \(y.reading), z: \(z.reading))" }
}

extension Rotation: CustomStringConvertible {
  /// Angle and axis: `90° about (0, 0, 1)`, or `no rotation`.
  public var description: String { axis.map { "\(angle) about \($0)" } ?? "no rotation" }
}

extension RotationMatrix: CustomStringConvertible {
  public var description: String { "[\(row1), \(row2), \(row3)]" }
}

extension Axis: CustomStringConvertible {
  public var description: String { ["x", "y", "z"][rawValue] }
}

extension SignedAxis: CustomStringConvertible {
  public var description: String { (sign < 0 ? "-" : "") + axis.description }
}

extension AxisMap: CustomStringConvertible {
  /// The old axes in the order of the new ones: `(y, -x, z)`.
  public var description: String { "(\(x), \(y), \(z))" }
}

extension EulerSequence: CustomStringConvertible {
  public var description: String { rawValue }
}

extension EulerOrder: CustomStringConvertible {
  public var description: String { (isIntrinsic ? "intrinsic " : "extrinsic ") + sequence.description }
}

extension EulerAngles: CustomStringConvertible {
  /// Order and angles: `intrinsic zxy 10°, 20°, 30°`.
  public var description: String { "\(order) \(first), \(second), \(third)" }
}

extension PitchRollYaw: CustomStringConvertible {
  public var description: String { "pitch \(pitch), roll \(roll), yaw \(yaw)" }
}

extension QuaternionWords: CustomStringConvertible {
  /// The words in the order of delivery: `9985 -539 86 0`.
  public var description: String { "\(q0.reading) \(q1.reading) \(q2.reading) \(q3.reading)" }
}

extension QuaternionLayout.Order: CustomStringConvertible {
  public var description: String { self == .scalarFirst ? "scalar first" : "scalar last" }
}

extension QuaternionLayout.Direction: CustomStringConvertible {
  public var description: String { self == .bodyToReference ? "body to reference" : "reference to body" }
}

extension QuaternionLayout: CustomStringConvertible {
  public var description: String { "\(order), \(direction)" }
}

extension AccelerometerSign: CustomStringConvertible {
  public var description: String { self == .specificForce ? "specific force" : "minus specific force" }
}

extension AngleConvention: CustomStringConvertible {
  /// The axes and the order: `pitch about x, roll about y, yaw about z, intrinsic zxy`.
  public var description: String {
    "pitch about \(pitch)" + (pitchOffset == .zero ? "" : " plus \(pitchOffset)")
      + ", roll about \(roll), yaw about \(yaw), \(order)"
  }
}

extension InertialSample: CustomStringConvertible {
  public var description: String {
    "\(timestamp.reading) s: turns at \(rotationRate) rad/s, feels \(acceleration) g"
  }
}

extension DeviceMotion: CustomStringConvertible {
  public var description: String {
    "\(timestamp.reading) s: \(attitude), turns at \(rotationRate) rad/s, speeds up by \(userAcceleration) g"
  }
}

extension RestCalibration: CustomStringConvertible {
  public var description: String {
    "\(rotationRateOffset) rad/s and \(accelerationOffset) g of \(sampleCount) readings"
  }
}

extension AttitudeAccuracy: CustomStringConvertible {
  public var description: String { "heading ±\(heading), tilt ±\(tilt)" }
}

extension SmoothingFactor: CustomStringConvertible {
  /// The weight of the newest sample.
  public var description: String { "\(value)" }
}

extension TimeConstant: CustomStringConvertible {
  public var description: String { "\(seconds) s" }
}
