// The convention of a device for attitude, angles and sensors, the layout of its quaternion words, and conversions.

/// Four quaternion words in the order in which a device delivers them, in any scale.
public struct QuaternionWords: Hashable, Sendable, CustomStringConvertible {
  /// A word, in the order of delivery.
  public var q0, q1, q2, q3: Double

  public init(_ q0: Double, _ q1: Double, _ q2: Double, _ q3: Double) {
    (self.q0, self.q1, self.q2, self.q3) = (q0, q1, q2, q3)
  }

  /// The words in the order of delivery: `9985 -539 86 0`.
  public var description: String { "\(q0.numeral) \(q1.numeral) \(q2.numeral) \(q3.numeral)" }
}

/// The order of the four words of a quaternion, and the direction of its rotation.
public struct QuaternionLayout: Hashable, Sendable, CustomStringConvertible {
  /// The position of the scalar among the words.
  public enum Order: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// w, x, y, z.
    case scalarFirst
    /// x, y, z, w.
    case scalarLast

    public var description: String { self == .scalarFirst ? "scalar first" : "scalar last" }
  }

  /// The direction in which the quaternion converts coordinates.
  public enum Direction: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// v_reference = q v q*: the quaternion is the attitude.
    case bodyToReference
    /// v_body = q v q*: the conjugate of the quaternion is the attitude.
    case referenceToBody

    public var description: String { self == .bodyToReference ? "body to reference" : "reference to body" }
  }

  /// The position of the scalar.
  public var order: Order
  /// The direction of the rotation.
  public var direction: Direction

  public init(_ order: Order, _ direction: Direction) { (self.order, self.direction) = (order, direction) }

  /// Every combination of order and direction.
  public static let all: [QuaternionLayout] = Order.allCases.flatMap { order in
    Direction.allCases.map { QuaternionLayout(order, $0) }
  }

  /// Returns the rotation from body to reference of quaternion words; nil if they are all zero or not finite.
  public func rotation(of words: QuaternionWords) -> Rotation? {
    let quaternion =
      switch order {
      case .scalarFirst: Quaternion(w: words.q0, x: words.q1, y: words.q2, z: words.q3)
      case .scalarLast: Quaternion(w: words.q3, x: words.q0, y: words.q1, z: words.q2)
      }
    let rotation = Rotation(quaternion)
    return direction == .bodyToReference ? rotation : rotation?.inverse
  }

  /// Returns the quaternion words, of length 1, of a rotation from body to reference.
  public func words(of rotation: Rotation) -> QuaternionWords {
    let q = direction == .bodyToReference ? rotation.quaternion : rotation.inverse.quaternion
    return switch order {
    case .scalarFirst: QuaternionWords(q.w, q.x, q.y, q.z)
    case .scalarLast: QuaternionWords(q.x, q.y, q.z, q.w)
    }
  }

  public var description: String { "\(order), \(direction)" }
}

/// The convention of a device or library for attitude, angles and acceleration.
///
/// Every convention is defined relative to the same two frames, those of the Sphero robots:
/// - body: x to the right, y forward, z up;
/// - reference: z up, y along heading 0 (north, if it is known), x to the right of it (east).
///
/// An attitude is a ``Rotation`` from that body frame to that reference frame.
/// To convert between two conventions, read the attitude with one and write it with the other.
///
/// The quaternion, the accelerometer and the gyroscope each have their own axes,
/// because a robot may report its quaternion in one frame and its sensors in another.
public struct Convention: Hashable, Sendable {
  /// The meaning of the four quaternion words.
  public var layout: QuaternionLayout
  /// The map from right, forward and up to the body axes of the quaternion.
  public var body: AxisMap
  /// The map from right of heading 0 (east), heading 0 (north) and up to the reference axes.
  public var reference: AxisMap
  /// The meaning of the reported angles.
  public var angles: AngleConvention
  /// The sign of the accelerometer.
  public var accelerometer: AccelerometerSign
  /// The map from right, forward and up to the axes of the accelerometer.
  public var accelerometerAxes: AxisMap
  /// The map from right, forward and up to the axes of the gyroscope; each rate is right-handed about its axis.
  public var gyroscopeAxes: AxisMap
  /// The meaning of heading 0 by the convention; the yaw of an attitude with another reference differs by an angle.
  public var attitudeReference: AttitudeReference

  /// Without its own axes, the accelerometer has those of the body, and the gyroscope those of the accelerometer.
  public init(
    layout: QuaternionLayout, body: AxisMap = .identity, reference: AxisMap = .identity,
    angles: AngleConvention, accelerometer: AccelerometerSign = .specificForce,
    accelerometerAxes: AxisMap? = nil, gyroscopeAxes: AxisMap? = nil,
    attitudeReference: AttitudeReference = .arbitrary
  ) {
    (self.layout, self.body, self.reference) = (layout, body, reference)
    (self.angles, self.accelerometer) = (angles, accelerometer)
    self.accelerometerAxes = accelerometerAxes ?? body
    self.gyroscopeAxes = gyroscopeAxes ?? self.accelerometerAxes
    self.attitudeReference = attitudeReference
  }

  /// The attitude in the convention's own frames: `reference` · attitude · `body`⁻¹.
  public func rotation(of attitude: Rotation) -> Rotation {
    reference.rotation * attitude * body.rotation.inverse
  }

  /// The attitude of a rotation given in the convention's own frames.
  public func attitude(of rotation: Rotation) -> Rotation {
    reference.rotation.inverse * rotation * body.rotation
  }

  /// Returns the attitude of quaternion words; nil if they are all zero or not finite.
  public func attitude(of words: QuaternionWords) -> Rotation? {
    layout.rotation(of: words).map(attitude(of:))
  }

  /// Returns the attitude of three angles; nil if an angle is not finite.
  public func attitude(of angles: PitchRollYaw) -> Rotation? {
    self.angles.rotation(of: angles).map(attitude(of:))
  }

  /// The quaternion words, of length 1, of an attitude.
  public func words(of attitude: Rotation) -> QuaternionWords {
    layout.words(of: rotation(of: attitude))
  }

  /// Pitch, roll and yaw of an attitude, each in (-pi, pi].
  ///
  /// At gimbal lock, the angles of the previous sample determine the result;
  /// without them, the last angle of the order is zero there, before sign and offset.
  public func pitchRollYaw(of attitude: Rotation, previous: PitchRollYaw? = nil) -> PitchRollYaw {
    angles.angles(of: rotation(of: attitude), previous: previous)
  }

  /// Returns the clockwise compass heading of a yaw of this convention:
  /// -(yaw - yaw of a level robot at heading 0), with the opposite sign if yaw is clockwise.
  public func heading(ofYaw yaw: Angle) -> Heading? {
    Heading(angle: (yaw - yawAtHeadingZero) * -yawSign)
  }

  /// Returns the yaw of this convention, in (-pi, pi], for a compass heading.
  public func yaw(of heading: Heading) -> Angle {
    (heading.angle * -yawSign + yawAtHeadingZero).wrapped
  }

  /// Converts quaternion words to another convention; nil if the words are all zero or not finite.
  public func convert(_ words: QuaternionWords, to other: Convention) -> QuaternionWords? {
    attitude(of: words).map(other.words(of:))
  }

  /// Converts angles to another convention; nil if an angle is not finite.
  public func convert(_ angles: PitchRollYaw, to other: Convention) -> PitchRollYaw? {
    attitude(of: angles).map { other.pitchRollYaw(of: $0) }
  }

  /// Converts a vector to the body axes of another convention, exactly.
  ///
  /// For sensor readings, use ``specificForce(ofAccelerometer:)`` and ``rate(ofGyroscope:)``.
  public func convert(bodyVector: Vector3, to other: Convention) -> Vector3 {
    other.body.act(on: body.undo(on: bodyVector))
  }

  /// Returns device motion in the axes and signs of this convention.
  public func motion(_ motion: DeviceMotion) -> ReportedMotion {
    ReportedMotion(convention: self, motion: motion)
  }

  /// +1 if yaw is counter-clockwise seen from above, -1 if it is clockwise.
  private var yawSign: Double { angles.yaw.component(of: reference.act(on: Axis.z.vector)) < 0 ? -1 : 1 }

  private var yawAtHeadingZero: Angle { pitchRollYaw(of: .identity).yaw }
}

/// Device motion in the axes and signs of a ``Convention``; see ``Convention/motion(_:)``.
///
/// With ``Convention/coreMotion``, every property equals the property of `CMDeviceMotion` of the same name.
public struct ReportedMotion: Hashable, Sendable {
  /// The convention of the reported values.
  public let convention: Convention
  /// The motion in the frames of this module.
  public let motion: DeviceMotion

  /// Seconds since an arbitrary epoch.
  public var timestamp: Double { motion.timestamp }
  /// The attitude, from the convention's body coordinates to its reference coordinates.
  public var attitude: Rotation { convention.rotation(of: motion.attitude) }
  /// The angles of the attitude by the convention.
  public var pitchRollYaw: PitchRollYaw { convention.pitchRollYaw(of: motion.attitude) }
  /// The reference that the convention requires and the attitude lacks, so that yaw and heading differ by an unknown
  /// angle; nil if the attitude is relative to north, or if the convention requires no reference.
  public var missingReference: AttitudeReference? {
    motion.attitudeReference == .arbitrary && convention.attitudeReference != .arbitrary
      ? convention.attitudeReference : nil
  }
  /// The quaternion words of the convention, of length 1.
  public var quaternionWords: QuaternionWords { convention.words(of: motion.attitude) }
  /// The rotation rate in rad/s, right-handed, without the bias.
  public var rotationRate: Vector3 { convention.gyroscope(ofRate: motion.rotationRate) }
  /// The bias of the gyroscope in rad/s, already removed from ``rotationRate``.
  public var rotationRateBias: Vector3 { convention.gyroscope(ofRate: motion.rotationRateBias) }
  /// The standard deviation of each component of the bias in rad/s; nil if the bias was not estimated.
  public var rotationRateBiasError: Vector3? {
    motion.rotationRateBiasError.map {
      let error = convention.gyroscope(ofRate: $0)
      return Vector3(abs(error.x), abs(error.y), abs(error.z))
    }
  }
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

#if !hasFeature(Embedded)
  extension QuaternionLayout: Codable {}

  extension Convention: Codable {
    /// Decodes a convention; missing sensor axes and a missing reference have the defaults of the memberwise initialiser.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        layout: try values.decode(QuaternionLayout.self, forKey: .layout),
        body: try values.decode(AxisMap.self, forKey: .body),
        reference: try values.decode(AxisMap.self, forKey: .reference),
        angles: try values.decode(AngleConvention.self, forKey: .angles),
        accelerometer: try values.decode(AccelerometerSign.self, forKey: .accelerometer),
        accelerometerAxes: try values.decodeIfPresent(AxisMap.self, forKey: .accelerometerAxes),
        gyroscopeAxes: try values.decodeIfPresent(AxisMap.self, forKey: .gyroscopeAxes),
        attitudeReference: try values.decodeIfPresent(AttitudeReference.self, forKey: .attitudeReference)
          ?? .arbitrary)
    }
  }
#endif
