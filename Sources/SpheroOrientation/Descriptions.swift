// The textual descriptions of the values of this module.

extension Double {
  /// The number with at most six decimals and without trailing zeros: `0.5`, `-1`.
  package var reading: String {
    guard magnitude < 1e9 else { return "\(self)" }
    let rounded = (self * 1e6).rounded() / 1e6
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension Angle: CustomStringConvertible {
  /// The angle in degrees, to six decimals at most: `30°`.
  public var description: String { degrees.reading + "°" }
}

extension Heading: CustomStringConvertible {
  /// The heading in degrees, to six decimals at most: `270°`.
  public var description: String { degrees.reading + "°" }
}

extension Vector3: CustomStringConvertible {
  /// The components to six decimals at most: `(0.5, 0, -1)`.
  public var description: String { "(\(x.reading), \(y.reading), \(z.reading))" }
}

extension Quaternion: CustomStringConvertible {
  /// The four words by name, to six decimals at most: `(w: 1, x: 0, y: 0, z: 0)`.
  public var description: String { "(w: \(w.reading), x: \(x.reading), y: \(y.reading), z: \(z.reading))" }
}

extension Rotation: CustomStringConvertible {
  /// Angle and axis: `90° about (0, 0, 1)`, or `no rotation`.
  public var description: String { axis.map { "\(angle) about \($0)" } ?? "no rotation" }
}

extension RotationMatrix: CustomStringConvertible {
  /// The three rows: `[(1, 0, 0), (0, 1, 0), (0, 0, 1)]`.
  public var description: String { "[\(row1), \(row2), \(row3)]" }
}

extension Axis: CustomStringConvertible {
  /// `x`, `y` or `z`.
  public var description: String {
    switch self {
    case .x: "x"
    case .y: "y"
    case .z: "z"
    }
  }
}

extension SignedAxis: CustomStringConvertible {
  /// The axis, with a minus where it is meant backwards: `-y`.
  public var description: String { (sign < 0 ? "-" : "") + axis.description }
}

extension AxisMap: CustomStringConvertible {
  /// The old axes in the order of the new ones: `(y, -x, z)`.
  public var description: String { "(\(x), \(y), \(z))" }
}

extension EulerSequence: CustomStringConvertible {
  /// The axes in turn: `zxy`.
  public var description: String { rawValue }
}

extension EulerOrder: CustomStringConvertible {
  /// Whether the axes turn with the body, and which they are: `intrinsic zxy`.
  public var description: String { (isIntrinsic ? "intrinsic " : "extrinsic ") + sequence.description }
}

extension EulerAngles: CustomStringConvertible {
  /// Order and angles: `intrinsic zxy 10°, 20°, 30°`.
  public var description: String { "\(order) \(first), \(second), \(third)" }
}

extension PitchRollYaw: CustomStringConvertible {
  /// The angles by name: `pitch 10°, roll -20°, yaw 30°`.
  public var description: String { "pitch \(pitch), roll \(roll), yaw \(yaw)" }
}

extension QuaternionWords: CustomStringConvertible {
  /// The words in the order of delivery: `9985 -539 86 0`.
  public var description: String { "\(q0.reading) \(q1.reading) \(q2.reading) \(q3.reading)" }
}

extension QuaternionLayout.Order: CustomStringConvertible {
  /// `scalar first` or `scalar last`.
  public var description: String {
    switch self {
    case .scalarFirst: "scalar first"
    case .scalarLast: "scalar last"
    }
  }
}

extension QuaternionLayout.Direction: CustomStringConvertible {
  /// `body to reference` or `reference to body`.
  public var description: String {
    switch self {
    case .bodyToReference: "body to reference"
    case .referenceToBody: "reference to body"
    }
  }
}

extension QuaternionLayout: CustomStringConvertible {
  /// Where the scalar is, and what the quaternion takes to what: `scalar first, reference to body`.
  public var description: String { "\(order), \(direction)" }
}

extension AccelerometerSign: CustomStringConvertible {
  /// `specific force` or `minus specific force`.
  public var description: String {
    switch self {
    case .specificForce: "specific force"
    case .minusSpecificForce: "minus specific force"
    }
  }
}

extension AngleConvention: CustomStringConvertible {
  /// The axes and the order: `pitch about x, roll about y, yaw about z, intrinsic zxy`.
  public var description: String {
    "pitch about \(pitch)" + (pitchOffset == .zero ? "" : " plus \(pitchOffset)")
      + ", roll about \(roll), yaw about \(yaw), \(order)"
  }
}

extension InertialSample: CustomStringConvertible {
  /// Time, rate and specific force: `1.5 s: turns at (0, 0, 1) rad/s, feels (0, 0, 1) g`.
  public var description: String {
    "\(timestamp.reading) s: turns at \(rotationRate) rad/s, feels \(acceleration) g"
  }
}

extension DeviceMotion: CustomStringConvertible {
  /// Time, attitude, rate and acceleration.
  ///
  /// `1.5 s: 90° about (0, 0, 1), turns at (0, 0, 1) rad/s, speeds up by (0, 0, 0) g`.
  public var description: String {
    "\(timestamp.reading) s: \(attitude), turns at \(rotationRate) rad/s, speeds up by \(userAcceleration) g"
  }
}

extension RestCalibration: CustomStringConvertible {
  /// Both offsets and what they are made of: `(0.01, 0, 0) rad/s and (0, 0, 0.02) g of 100 readings`.
  public var description: String {
    "\(rotationRateOffset) rad/s and \(accelerationOffset) g of \(sampleCount) readings"
  }
}

extension AttitudeAccuracy: CustomStringConvertible {
  /// Both figures: `heading ±5°, tilt ±0.5°`.
  public var description: String { "heading ±\(heading), tilt ±\(tilt)" }
}

extension SmoothingFactor: CustomStringConvertible {
  /// The weight of the newest sample: `0.1`.
  public var description: String { "\(value)" }
}

extension TimeConstant: CustomStringConvertible {
  /// The time with its unit: `0.5 s`.
  public var description: String { "\(seconds) s" }
}
