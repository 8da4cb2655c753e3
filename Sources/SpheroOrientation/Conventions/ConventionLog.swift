// What a convention is found from: poses at rest, and the turns between them.

/// A pose that somebody was asked to lay a robot in.
///
/// The body is that of the maths: the nose is opposite the tail light, right is to the right of who looks along it.
public enum LaidPose: Hashable, Sendable, CaseIterable {
  /// Level, on any heading.
  case level
  /// Level, turned by a right angle counter-clockwise, as seen from above, since the level pose before.
  case turnedLeft
  /// The nose up, neither side down.
  case noseUp
  /// The right side down, neither end up.
  case rightSideDown

  /// The pose itself, after a level pose on heading 0; tilts are of 40 degrees.
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

/// A robot at rest in one pose, as it was streamed.
public struct ConventionSample: Hashable, Sendable {
  /// The quaternion words in the order in which they came, in any scale.
  public var words: QuaternionWords
  /// The accelerometer reading, in g.
  public var accelerometer: Vector3
  /// The streamed angles, if there were any.
  public var angles: PitchRollYaw?
  /// The pose that was asked for, if one was.
  public var pose: LaidPose?

  /// Makes a sample.
  public init(
    words: QuaternionWords, accelerometer: Vector3, angles: PitchRollYaw? = nil, pose: LaidPose? = nil
  ) {
    self.words = words
    self.accelerometer = accelerometer
    self.angles = angles
    self.pose = pose
  }
}

/// A turn of a robot, once by its quaternion and once by its gyroscope.
public struct ConventionTurn: Hashable, Sendable {
  /// The quaternion words before it.
  public var start: QuaternionWords
  /// The quaternion words after it.
  public var end: QuaternionWords
  /// What the readings of the gyroscope add up to, on the gyroscope's own axes.
  public var gyroscope: Rotation

  /// Makes a turn.
  public init(from start: QuaternionWords, to end: QuaternionWords, gyroscope: Rotation) {
    self.start = start
    self.end = end
    self.gyroscope = gyroscope
  }
}
