// Joysticks for touch and for keys: they convert a point on a round pad to a drive request, and back.

import SpheroOrientation

/// A joystick on a screen: the direction of the puck is the heading, its distance from the centre the speed.
///
///     heading = atan2(x, y) - correctionAngle
///     speed   = response(min(1, √(x² + y²))) · velocityScale
///
/// where x and y are the ``Deflection`` of the puck.
/// The formula is that of `RKDriveControl` of the Sphero SDKs,
/// but angles are in degrees instead of radians, and a centred puck has no heading.
public struct Joystick: Hashable, Sendable {
  /// The position and size of the joystick on the screen.
  public var pad: Pad

  /// The speed at the rim, clamped to 0...1; NaN counts as 0.
  public var velocityScale: Double

  /// The clockwise angle from the direction in which the user pushes the puck away to the robot's heading 0, in degrees.
  public var correctionAngle: Double

  /// The curve of the speed from the centre to the rim.
  public var response: ResponseCurve

  public init(
    pad: Pad, velocityScale: Double = Drive.defaultVelocityScale, correctionAngle: Double = 0,
    response: ResponseCurve = .linear
  ) {
    (self.pad, self.velocityScale) = (pad, velocityScale)
    (self.correctionAngle, self.response) = (correctionAngle, response)
  }

  /// Returns the drive request for a point on the pad: a stop at the centre, in the dead zone,
  /// and if the point or the correction angle is not finite.
  public func drive(at point: Point) -> Drive {
    guard let deflection = pad.deflection(at: point) else { return .stop }
    let speed = response.response(to: deflection.magnitude) * velocityScale.clampedToUnit
    guard speed > 0, let heading = deflection.heading.turned(by: Angle(degrees: -correctionAngle)) else {
      return .stop
    }
    return Drive(heading: heading, speed: speed)
  }

  /// Returns the position of the puck for a drive request, also of another control: the inverse of ``drive(at:)``.
  ///
  /// The puck is at the rim if the speed exceeds the velocity scale. It is at the centre for a stop,
  /// for a velocity scale of 0, and for a correction angle that is not finite.
  public func puck(for drive: Drive) -> Point {
    guard velocityScale > 0, let heading = drive.heading?.turned(by: Angle(degrees: correctionAngle))
    else { return pad.center }
    let magnitude = response.deflection(for: drive.speed / velocityScale.clampedToUnit)
    return pad.point(at: Deflection(heading: heading, magnitude: magnitude))
  }
}

/// A joystick for the keys of a terminal, which reports key presses and repeats but no releases.
///
/// A held key repeats after an initial delay. The first press lasts for ``pressTimeout``, which exceeds that
/// delay, and each repeat for at least ``repeatTimeout``, which exceeds the repeat interval.
/// Without further presses, the deflection returns to the centre, so that the robot stops after the keys are released.
///
/// Each axis has its own timeout, so keys of both axes form a diagonal.
public struct KeyStick: Hashable, Sendable {
  /// The duration of the first press. The initial repeat delay of terminals is 0.25 s to 0.66 s.
  public static let pressTimeout = Duration.milliseconds(700)
  /// The duration of a repeated press. The repeat interval of terminals is 25 ms to 50 ms.
  public static let repeatTimeout = Duration.milliseconds(250)

  private struct Press: Hashable, Sendable {
    /// The component of the deflection, -1 or 1.
    var component: Double
    /// The time at which the press ends.
    var end: Duration
  }

  private var right: Press?
  private var ahead: Press?

  public init() {}

  /// Handles a key press at a time of a monotonic clock: right or ahead if the number is positive, left or back
  /// if it is negative; 0 leaves the axis unchanged.
  public mutating func press(right: Int, ahead: Int, at now: Duration) {
    self.right = Self.press(after: self.right, direction: right, at: now)
    self.ahead = Self.press(after: self.ahead, direction: ahead, at: now)
  }

  /// Returns the press of an axis after a key press with the sign of `direction`, which may repeat the previous one.
  private static func press(after previous: Press?, direction: Int, at now: Duration) -> Press? {
    guard direction != 0 else { return previous }
    let component: Double = direction > 0 ? 1 : -1
    guard let previous, previous.component == component, now < previous.end else {
      return Press(component: component, end: now + pressTimeout)
    }
    return Press(component: component, end: max(previous.end, now + repeatTimeout))
  }

  /// Releases all keys.
  public mutating func release() { (right, ahead) = (nil, nil) }

  /// Returns the deflection at a time: the rim or the centre.
  public func deflection(at now: Duration) -> Deflection {
    func component(_ press: Press?) -> Double { press.map { now < $0.end ? $0.component : 0 } ?? 0 }
    return Deflection(x: component(right), y: component(ahead)) ?? .center
  }
}
