// The calibration ring, which rotates the robot in place and then sets heading 0, and the gesture that turns it.

public import SpheroOrientation

/// The state of the ring with which a user aims the robot.
///
/// The robot has a blue light at its tail. While the user turns the ring, the light is on and the robot rotates in place;
/// at the end, its direction becomes heading 0.
///
/// Each method returns the actions to perform, in order; none if it does not match the state.
///
///     begin(at:)  ─►  tail light on
///     turn(by:)   ─►  rotate to a heading            for each whole degree
///     end()       ─►  set heading 0, tail light off
///     cancel()    ─►  rotate to the initial heading, tail light off
public struct CalibrationRing: Hashable, Sendable {
  /// An action to perform on the robot.
  public enum Action: Hashable, Sendable {
    /// Switch the tail light.
    case setTailLight(isOn: Bool)
    /// Rotate in place to a heading: a roll command at speed 0.
    case rotate(to: Heading)
    /// Set the current direction as heading 0.
    case setHeadingZero
  }

  /// The initial heading of the robot; nil if the ring is inactive.
  private var start: Heading?

  /// The last heading of the robot, for drawing the ring; nil if the ring is inactive.
  public private(set) var heading: Heading?

  public init() {}

  /// Whether the user is turning the ring.
  public var isActive: Bool { start != nil }

  /// Begins to aim a robot at its current heading.
  public mutating func begin(at heading: Heading) -> [Action] {
    guard !isActive else { return [] }
    (start, self.heading) = (heading, heading)
    return [.setTailLight(isOn: true)]
  }

  /// Turns the ring clockwise by an angle in degrees; an angle that is not finite is ignored.
  public mutating func turn(by degrees: Double) -> [Action] {
    guard let heading = heading?.turned(by: Angle(degrees: degrees)) else { return [] }
    return turn(to: heading)
  }

  /// Turns the ring to a clockwise angle in degrees since ``begin(at:)``, such as that of a gesture recognizer;
  /// an angle that is not finite is ignored.
  public mutating func turn(sinceBeginning degrees: Double) -> [Action] {
    guard let heading = start?.turned(by: Angle(degrees: degrees)) else { return [] }
    return turn(to: heading)
  }

  /// Ends the calibration: the current direction becomes heading 0.
  ///
  /// Also set the heading of a ``HeadingHold`` or a ``RadioControl`` to `Heading.ahead`.
  public mutating func end() -> [Action] {
    guard isActive else { return [] }
    self = CalibrationRing()
    return [.setHeadingZero, .setTailLight(isOn: false)]
  }

  /// Cancels the calibration: the robot rotates back to its initial heading, and heading 0 does not change.
  public mutating func cancel() -> [Action] {
    guard let start else { return [] }
    self = CalibrationRing()
    return [.rotate(to: start), .setTailLight(isOn: false)]
  }

  private mutating func turn(to heading: Heading) -> [Action] {
    let previous = self.heading
    self.heading = heading
    return previous?.wholeDegrees == heading.wholeDegrees ? [] : [.rotate(to: heading)]
  }
}

/// The rotation of two touches about each other, such as two fingers that turn a ``CalibrationRing``.
///
/// The gesture is recognized when the line between the touches has turned by ``threshold``, so that fingers
/// that rest or pinch cause no rotation. ``rotation`` is the turn beyond the threshold: it begins near 0.
/// `UIRotationGestureRecognizer` reports radians, this type degrees.
public struct RotationGesture: Hashable, Sendable {
  /// The turn at which the gesture is recognized, in degrees.
  public static let threshold = 10.0

  /// The direction of the line between the touches, in degrees; nil before the first touches.
  private var direction: Double?
  /// The clockwise turn since the first touches, in degrees.
  private var turn = 0.0
  /// The threshold with the sign of the turn, from which ``rotation`` counts; nil before the recognition.
  private var start: Double?

  public init() {}

  /// The clockwise rotation since the recognition, in degrees, which may exceed a full turn; nil before it.
  public var rotation: Double? { start.map { turn - $0 } }

  /// Handles the positions of the two touches, in any unit; ignores equal ones and those that are not finite.
  public mutating func move(_ first: Point, _ second: Point) {
    let (right, down) = (second.x - first.x, second.y - first.y)
    guard right.isFinite, down.isFinite, right != 0 || down != 0 else { return }
    // The angle is clockwise, because y increases downwards.
    let angle = degrees(opposite: down, adjacent: right)
    if let direction { turn += (angle - direction + 180).wrapped(to: 360) - 180 }
    direction = angle
    if start == nil, abs(turn) >= Self.threshold { start = turn < 0 ? -Self.threshold : Self.threshold }
  }
}
