// Steering with two levers, or with a device held like a steering wheel.

public import SpheroOrientation

/// The controls of a radio-controlled car: a gas lever and a steering lever.
///
///     speed    = gas² · velocityScale
///     heading += response(steer) · maximumTurnRate · elapsed
///
/// The Sphero Android SDK adds 30° · steer on every call, so its turn rate depends on the speed of the phone;
/// this type uses a rate in degrees per second. Without gas, the robot rotates in place, as in the SDK.
public struct RadioControl: Hashable, Sendable {
  /// The turn rate at full steer, in degrees per second.
  public var maximumTurnRate: Double

  /// The speed at full gas, clamped to 0...1; NaN counts as 0.
  public var velocityScale: Double

  /// The curve from the steering lever to the turn rate.
  public var response: ResponseCurve

  /// The current heading; set it to `Heading.ahead` after a calibration.
  public var heading: Heading

  public init(
    maximumTurnRate: Double = 180, velocityScale: Double = Drive.defaultVelocityScale,
    response: ResponseCurve = .linear, heading: Heading = .ahead
  ) {
    (self.maximumTurnRate, self.velocityScale) = (maximumTurnRate, velocityScale)
    (self.response, self.heading) = (response, heading)
  }

  /// Integrates the turn rate and returns the drive request.
  ///
  /// `elapsed` is the time since the last call in seconds; a negative time counts as 0. Centred levers stop the robot.
  /// If `elapsed` or ``maximumTurnRate`` is not finite, the robot stops and the heading does not change.
  public mutating func drive(_ levers: Levers, elapsed: Double) -> Drive {
    let turn = response.response(to: levers.steer) * maximumTurnRate * max(0, elapsed)
    guard elapsed.isFinite, let next = heading.turned(by: Angle(degrees: turn)) else { return .stop }
    heading = next
    let speed = levers.gas * levers.gas * velocityScale.clampedToUnit
    return speed > 0 || turn != 0 ? Drive(heading: heading, speed: speed) : .stop
  }
}

/// The positions of a gas lever and a steering lever.
public struct Levers: Hashable, Sendable {
  /// The gas, 0...1.
  public let gas: Double

  /// The steering, from -1, full left, to 1, full right.
  public let steer: Double

  /// Creates positions clamped to their ranges; NaN counts as 0.
  public init(gas: Double, steer: Double) {
    self.gas = gas.clampedToUnit
    self.steer = steer.clampedToSignedUnit
  }
}

/// A device held upright with both hands, as a steering wheel.
///
///     steer = atan2(±y, |x|) / maximumSteer     ± is the sign of x, so either short edge may be down
///     gas   = asin(-z) / maximumLean
///
/// x, y and z are the direction of gravity in g, in the frame of the device (x right, y up the screen, z out of the
/// screen). As in `RKSteeringWheel` of the iOS SDK, the robot stands at |x| = 1 and z = 0, and y steers;
/// this library chooses the limits of the angles.
public struct SteeringWheel: Hashable, Sendable {
  /// The rotation of the wheel for full steer, in degrees above 0.
  public var maximumSteer: Double

  /// The lean away from the driver for full gas, in degrees above 0.
  public var maximumLean: Double

  public init(maximumSteer: Double = 60, maximumLean: Double = 30) {
    (self.maximumSteer, self.maximumLean) = (maximumSteer, maximumLean)
  }

  /// Returns the levers for a gravity vector in g, in the convention of Core Motion (z is -1 face up).
  ///
  /// A clockwise rotation steers to the right, and a lean of the upper edge away from the driver gives gas.
  /// The levers are 0 if a number is not finite or a limit is not above 0.
  public func levers(gravityX x: Double, y: Double, z: Double) -> Levers {
    guard x.isFinite, y.isFinite, z.isFinite,
      maximumSteer.isFinite, maximumSteer > 0, maximumLean.isFinite, maximumLean > 0
    else { return Levers(gas: 0, steer: 0) }
    let turn = degrees(opposite: x < 0 ? -y : y, adjacent: abs(x))
    return Levers(gas: degrees(sine: -z) / maximumLean, steer: turn / maximumSteer)
  }
}
