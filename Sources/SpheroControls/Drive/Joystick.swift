// The joystick: a finger on a round pad drives, and what drives moves the puck.

import SpheroOrientation

/// A joystick on a screen: the direction of the puck is the heading, its distance from the middle the speed.
///
///     heading = atan2(x, y) - correctionAngle
///     speed   = response(min(1, √(x² + y²))) · velocityScale
///
/// where x and y are the ``Deflection`` of the puck.
/// The formula is that of `RKDriveControl` of the Sphero SDKs;
/// here every angle is in degrees, and a puck in the middle has no heading.
public struct Joystick: Hashable, Sendable {
  /// The bounds the puck moves in.
  public var pad: Pad

  /// The speed at the rim, 0...1; other values count as the nearest of these, not a number as 0.
  public var velocityScale: Double

  /// The angle in degrees by which the hand's ahead lies clockwise of the robot's.
  ///
  /// The original holds it in radians beside angles in degrees; convert those with 180 / π.
  public var correctionAngle: Double

  /// How the speed grows from the middle to the rim.
  public var response: ResponseCurve

  /// Creates a joystick.
  ///
  /// - Parameters:
  ///   - pad: The bounds the puck moves in.
  ///   - velocityScale: The speed at the rim, 0...1.
  ///   - correctionAngle: The angle in degrees that is taken off the direction of the puck.
  ///   - response: How the speed grows from the middle to the rim.
  public init(
    pad: Pad, velocityScale: Double = 1, correctionAngle: Double = 0, response: ResponseCurve = .linear
  ) {
    self.pad = pad
    self.velocityScale = velocityScale
    self.correctionAngle = correctionAngle
    self.response = response
  }

  /// Returns what a finger at a point asks of the robot.
  ///
  /// A point in the middle or in the dead zone stops,
  /// and so does a point or a correction angle that is not a finite number.
  public func drive(at point: Point) -> Drive {
    guard let deflection = pad.deflection(at: point) else { return .stop }
    let speed = response.effect(of: deflection.magnitude) * velocityScale.clampedToUnit
    guard speed > 0, let heading = deflection.heading.turned(by: Angle(degrees: -correctionAngle)) else {
      return .stop
    }
    return Drive(heading: heading, speed: speed)
  }

  /// Returns where to draw the puck for what drives the robot: the inverse of ``drive(at:)``.
  ///
  /// Serves a control without a finger as well, such as ``TiltDrive``.
  /// A speed above the velocity scale is drawn at the rim;
  /// a stop, a velocity scale of 0 and a correction angle that is not finite, in the middle.
  public func puck(for drive: Drive) -> Point {
    guard
      velocityScale > 0,
      let heading = drive.heading?.turned(by: Angle(degrees: correctionAngle))
    else { return pad.center }
    let magnitude = response.way(of: drive.speed / velocityScale.clampedToUnit)
    return pad.point(at: Deflection(heading: heading, magnitude: magnitude))
  }
}
