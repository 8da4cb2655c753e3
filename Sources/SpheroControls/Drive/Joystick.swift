// The joysticks for touch and for keys: a point on a round pad becomes a drive request, and a drive request becomes the position of the puck.

import SpheroOrientation

/// A joystick on a screen: the direction of the puck is the heading, and its distance from the centre the speed.
///
///     heading = atan2(x, y) - correctionAngle
///     speed   = response(min(1, √(x² + y²))) · velocityScale
///
/// where x and y are the ``Deflection`` of the puck.
/// The formula is that of `RKDriveControl` of the Sphero SDKs,
/// but all angles are in degrees, and a centred puck has no heading.
public struct Joystick: Hashable, Sendable {
  /// The position and size of the joystick on the screen.
  public var pad: Pad

  /// The speed at the rim, clamped to 0...1; NaN counts as 0.
  public var velocityScale: Double

  /// The clockwise angle from the robot's heading 0 to the user's, in degrees.
  ///
  /// The vendor's SDK uses radians.
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

  /// Returns the drive request for a point on the pad.
  ///
  /// A point at the centre, in the dead zone or not finite stops, and so does a correction angle that is not finite.
  public func drive(at point: Point) -> Drive {
    guard let deflection = pad.deflection(at: point) else { return .stop }
    let speed = response.response(to: deflection.magnitude) * velocityScale.clampedToUnit
    guard speed > 0, let heading = deflection.heading.turned(by: Angle(degrees: -correctionAngle)) else {
      return .stop
    }
    return Drive(heading: heading, speed: speed)
  }

  /// Returns the position of the puck for a drive request: the inverse of ``drive(at:)``.
  ///
  /// It also shows requests of other controls, such as ``TiltDrive``. A speed above the velocity scale is at the rim;
  /// a stop, a velocity scale of 0 and a correction angle that is not finite are at the centre.
  public func puck(for drive: Drive) -> Point {
    guard velocityScale > 0, let heading = drive.heading?.turned(by: Angle(degrees: correctionAngle))
    else { return pad.center }
    let magnitude = response.deflection(for: drive.speed / velocityScale.clampedToUnit)
    return pad.point(at: Deflection(heading: heading, magnitude: magnitude))
  }
}

/// A joystick for the keys of a terminal, which reports key presses and repeats but no releases.
///
/// A held key repeats after an initial delay. The first press lasts for ``pressTimeout``, which exceeds that delay,
/// and each repeat for at least ``repeatTimeout``, which exceeds the repeat interval.
/// Without further presses, the stick returns to the centre: a dead man's switch.
///
/// Each axis has its own timeout, so keys of both axes form a diagonal.
public struct KeyStick: Hashable, Sendable {
  /// The duration of the first press. The initial repeat delay of terminals is 0.25 s to 0.66 s.
  public static let pressTimeout = Duration.milliseconds(700)
  /// The duration of a repeated press. The repeat interval of terminals is 25 ms to 50 ms.
  public static let repeatTimeout = Duration.milliseconds(250)

  private struct Push: Hashable, Sendable {
    var part: Double
    var end: Duration
  }

  private var right: Push?
  private var ahead: Push?

  public init() {}

  /// Handles a key press at a time of a monotonic clock.
  ///
  /// Positive is right and ahead, negative left and back; 0 does not affect the axis.
  public mutating func press(right: Int, ahead: Int, at now: Duration) {
    self.right = Self.pushed(self.right, right, at: now)
    self.ahead = Self.pushed(self.ahead, ahead, at: now)
  }

  private static func pushed(_ push: Push?, _ way: Int, at now: Duration) -> Push? {
    guard way != 0 else { return push }
    let part: Double = way > 0 ? 1 : -1
    guard let push, push.part == part, now < push.end else {
      return Push(part: part, end: now + pressTimeout)
    }
    return Push(part: part, end: max(push.end, now + repeatTimeout))
  }

  /// Releases all keys.
  public mutating func release() { (right, ahead) = (nil, nil) }

  /// Returns the deflection at a time: the rim or the centre.
  public func deflection(at now: Duration) -> Deflection {
    func part(_ push: Push?) -> Double { push.map { now < $0.end ? $0.part : 0 } ?? 0 }
    return Deflection(x: part(right), y: part(ahead)) ?? .center
  }
}
