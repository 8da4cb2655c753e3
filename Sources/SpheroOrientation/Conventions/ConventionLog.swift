// The input of a convention probe: poses at rest, and the rotations between them.

/// A pose at rest in which a person is asked to place a robot.
///
/// The nose is opposite the tail light; right is to the right for an observer who looks along the nose.
public enum LaidPose: Hashable, Sendable, CaseIterable {
  /// Level, at any heading.
  case level
  /// Level, after a quarter turn counter-clockwise, as seen from above, since the previous level pose.
  case turnedLeft
  /// The nose up, neither side down.
  case noseUp
  /// The right side down, neither end up.
  case rightSideDown

  /// The attitude after a level pose at heading 0, with tilts of 40 degrees.
  public var attitude: Rotation {
    let (axis, angle): (Axis, Angle) =
      switch self {
      case .level: (.z, .zero)
      case .turnedLeft: (.z, .degrees(90))
      case .noseUp: (.x, .degrees(40))
      case .rightSideDown: (.y, .degrees(40))
      }
    return Rotation(angle: angle, axis: axis.vector) ?? .identity
  }
}

/// The streamed values of a robot at rest in one pose.
public struct ConventionSample: Hashable, Sendable {
  public var words: QuaternionWords
  /// In g.
  public var accelerometer: Vector3
  public var angles: PitchRollYaw?
  /// The requested pose; nil if the robot lies in an arbitrary one.
  public var pose: LaidPose?

  public init(
    words: QuaternionWords, accelerometer: Vector3, angles: PitchRollYaw? = nil, pose: LaidPose? = nil
  ) {
    self.words = words
    self.accelerometer = accelerometer
    self.angles = angles
    self.pose = pose
  }
}

/// A rotation of a robot between two poses, by its quaternion and by its gyroscope.
public struct ConventionTurn: Hashable, Sendable {
  public var start: QuaternionWords
  public var end: QuaternionWords
  /// The integrated readings of the gyroscope, on the gyroscope's own axes.
  public var gyroscope: Rotation

  public init(from start: QuaternionWords, to end: QuaternionWords, gyroscope: Rotation) {
    self.start = start
    self.end = end
    self.gyroscope = gyroscope
  }
}
