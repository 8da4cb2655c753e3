// The calibration ring: turn the robot on the spot until its tail light faces you, then call that ahead.

public import SpheroOrientation

/// The ring with which a hand aims the robot.
///
/// The robot has no face, only a blue light at its tail.
/// While the ring is turned the light is on and the robot turns on the spot;
/// at the end its present direction becomes heading 0.
///
/// A value without any I/O: each step returns what is to be sent, in order.
/// A step that does not fit the state (an end without a begin) returns nothing.
///
///     begin(at:)  ─►  tail light on
///     turn(by:)   ─►  rotate to a heading            once per whole degree
///     end()       ─►  set heading 0, tail light off
///     cancel()    ─►  rotate to where it began, tail light off
public struct CalibrationRing: Hashable, Sendable {
  /// Something the robot is to do.
  ///
  /// These are all, and each must be done.
  public enum Action: Hashable, Sendable {
    /// Switches the blue light at the tail.
    case setTailLight(isOn: Bool)
    /// Turns on the spot to a heading: a roll command at speed 0.
    case rotate(to: Heading)
    /// Makes the present direction heading 0.
    case setHeadingZero
  }

  private struct Aiming: Hashable, Sendable {
    let start: Heading
    var heading: Heading
  }

  private var aiming: Aiming?

  /// Creates a ring nobody touches.
  public init() {}

  /// Whether the ring is being turned.
  public var isActive: Bool { aiming != nil }

  /// The heading the robot was last turned to, for drawing the ring; `nil` when nobody touches it.
  public var heading: Heading? { aiming?.heading }

  /// Begins to aim a robot with a heading.
  public mutating func begin(at heading: Heading) -> [Action] {
    guard aiming == nil else { return [] }
    aiming = Aiming(start: heading, heading: heading)
    return [.setTailLight(isOn: true)]
  }

  /// Turns the ring clockwise by an angle in degrees since the last call.
  ///
  /// The rotation of `UIRotationGestureRecognizer` is clockwise as well, but in radians and since the beginning;
  /// for such a gesture see ``turn(sinceBeginning:)``.
  public mutating func turn(by degrees: Double) -> [Action] {
    guard let aiming, let heading = aiming.heading.turned(by: Angle(degrees: degrees)) else { return [] }
    return turn(to: heading)
  }

  /// Turns the ring to an angle in degrees, clockwise since the beginning.
  public mutating func turn(sinceBeginning degrees: Double) -> [Action] {
    guard let aiming, let heading = aiming.start.turned(by: Angle(degrees: degrees)) else { return [] }
    return turn(to: heading)
  }

  /// Ends the aim: the present direction is ahead from now on.
  ///
  /// Set the heading of a ``HeadingHold`` or a ``RadioControl`` to ``Heading/ahead`` with it.
  public mutating func end() -> [Action] {
    guard aiming != nil else { return [] }
    aiming = nil
    return [.setHeadingZero, .setTailLight(isOn: false)]
  }

  /// Gives up the aim: the robot turns back to where it began, and its ahead stays what it was.
  public mutating func cancel() -> [Action] {
    guard let start = aiming?.start else { return [] }
    aiming = nil
    return [.rotate(to: start), .setTailLight(isOn: false)]
  }

  private mutating func turn(to heading: Heading) -> [Action] {
    let previous = aiming?.heading.wholeDegrees
    aiming?.heading = heading
    return previous == heading.wholeDegrees ? [] : [.rotate(to: heading)]
  }
}
