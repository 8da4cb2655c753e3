// How a device reports its attitude, as one value; and the way from any such value to any other.

/// How a device or library reports attitude, angles and acceleration.
///
/// Every convention is described against the same two frames, those of the Sphero robots:
/// - body: x to the right, y forward, z up;
/// - reference: z up, y along heading 0 (north, where north is known), x to the right of it (east).
///
/// An attitude without further words is a ``Rotation`` from that body frame to that reference frame.
/// So two conventions meet in the attitude: read with one, write with the other.
///
/// The quaternion's body, the accelerometer and the gyroscope each have axes of their own,
/// since a robot may report its quaternion in one frame and its sensors in another.
public struct Convention: Hashable, Sendable {
  /// How the quaternion words are laid out.
  public var layout: QuaternionLayout
  /// How the body axes of the quaternion lie along right, forward, up.
  public var body: AxisMap
  /// How the convention's reference axes lie along right of heading 0 (east), heading 0 (north), up.
  public var reference: AxisMap
  /// What pitch, roll and yaw mean.
  public var angles: AngleConvention
  /// What the accelerometer counts as positive.
  public var accelerometer: AccelerometerSign
  /// How the axes of the accelerometer lie along right, forward, up.
  public var accelerometerAxes: AxisMap
  /// How the axes of the gyroscope lie along right, forward, up; each rate is right-handed about its axis.
  public var gyroscopeAxes: AxisMap

  /// Makes a convention of its parts.
  ///
  /// - Parameters:
  ///   - layout: How the quaternion words are laid out.
  ///   - body: How the body axes of the quaternion lie along right, forward, up.
  ///   - reference: How the reference axes lie along right of heading 0 (east), heading 0 (north), up.
  ///   - angles: What pitch, roll and yaw mean.
  ///   - accelerometer: What the accelerometer counts as positive.
  ///   - accelerometerAxes: How the axes of the accelerometer lie; like `body` unless said otherwise.
  ///   - gyroscopeAxes: How the axes of the gyroscope lie; like those of the accelerometer unless said otherwise.
  public init(
    layout: QuaternionLayout, body: AxisMap = .identity, reference: AxisMap = .identity,
    angles: AngleConvention, accelerometer: AccelerometerSign = .specificForce,
    accelerometerAxes: AxisMap? = nil, gyroscopeAxes: AxisMap? = nil
  ) {
    self.layout = layout
    self.body = body
    self.reference = reference
    self.angles = angles
    self.accelerometer = accelerometer
    self.accelerometerAxes = accelerometerAxes ?? body
    self.gyroscopeAxes = gyroscopeAxes ?? self.accelerometerAxes
  }

  /// The attitude in the convention's own frames: M_reference attitude M_body^-1.
  public func rotation(of attitude: Rotation) -> Rotation {
    reference.rotation * attitude * body.rotation.inverse
  }

  /// The attitude of a rotation given in the convention's own frames.
  public func attitude(of rotation: Rotation) -> Rotation {
    reference.rotation.inverse * rotation * body.rotation
  }

  /// The attitude that quaternion words stand for; nil if they are all zero or not finite.
  public func attitude(of words: QuaternionWords) -> Rotation? {
    layout.rotation(of: words).map(attitude(of:))
  }

  /// The attitude that three angles stand for; nil if one is not finite.
  public func attitude(of angles: PitchRollYaw) -> Rotation? {
    self.angles.rotation(of: angles).map(attitude(of:))
  }

  /// The quaternion words, of length 1, of an attitude.
  public func words(of attitude: Rotation) -> QuaternionWords {
    layout.words(of: rotation(of: attitude))
  }

  /// Pitch, roll and yaw of an attitude, each in (-pi, pi].
  ///
  /// - Parameters:
  ///   - attitude: The attitude.
  ///   - previous: The angles of the sample before, which decide at gimbal lock;
  ///     without them the last angle of the order is zero there.
  /// - Returns: The angles.
  public func pitchRollYaw(of attitude: Rotation, previous: PitchRollYaw? = nil) -> PitchRollYaw {
    angles.angles(of: rotation(of: attitude), previous: previous)
  }

  /// The compass heading, clockwise, that a yaw of this convention means.
  ///
  /// heading = -(yaw - yaw of a level robot at heading 0), the sign reversed where yaw itself is clockwise.
  public func heading(ofYaw yaw: Angle) -> Heading? {
    Heading(angle: (yaw - yawAtHeadingZero) * -yawSign)
  }

  /// The yaw of this convention, in (-pi, pi], that a compass heading means.
  public func yaw(of heading: Heading) -> Angle {
    (heading.angle * -yawSign + yawAtHeadingZero).wrapped
  }

  /// The same attitude in the words of another convention; nil if the words are all zero or not finite.
  public func convert(_ words: QuaternionWords, to other: Convention) -> QuaternionWords? {
    attitude(of: words).map(other.words(of:))
  }

  /// The same attitude in the angles of another convention; nil if an angle is not finite.
  public func convert(_ angles: PitchRollYaw, to other: Convention) -> PitchRollYaw? {
    attitude(of: angles).map { other.pitchRollYaw(of: $0) }
  }

  /// The same vector on the body axes of another convention, exactly.
  ///
  /// What a sensor reads goes through ``specificForce(ofAccelerometer:)`` and ``rate(ofGyroscope:)``.
  public func convert(bodyVector: Vector3, to other: Convention) -> Vector3 {
    other.body.act(on: body.undo(on: bodyVector))
  }

  /// +1 where yaw is counter-clockwise seen from above, -1 where it is clockwise.
  private var yawSign: Double { angles.yaw.component(of: reference.act(on: Axis.z.vector)) < 0 ? -1 : 1 }

  private var yawAtHeadingZero: Angle { pitchRollYaw(of: .identity).yaw }
}

#if !hasFeature(Embedded)
  extension Convention: Codable {
    private enum CodingKeys: CodingKey {
      case layout, body, reference, angles, accelerometer, accelerometerAxes, gyroscopeAxes
    }

    /// Decodes a convention; missing axes of a sensor have the defaults of the memberwise initializer.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        layout: try values.decode(QuaternionLayout.self, forKey: .layout),
        body: try values.decode(AxisMap.self, forKey: .body),
        reference: try values.decode(AxisMap.self, forKey: .reference),
        angles: try values.decode(AngleConvention.self, forKey: .angles),
        accelerometer: try values.decode(AccelerometerSign.self, forKey: .accelerometer),
        accelerometerAxes: try values.decodeIfPresent(AxisMap.self, forKey: .accelerometerAxes),
        gyroscopeAxes: try values.decodeIfPresent(AxisMap.self, forKey: .gyroscopeAxes))
    }
  }
#endif
