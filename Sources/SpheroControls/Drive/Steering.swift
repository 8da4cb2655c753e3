// Steering: two levers, or a device held like a steering wheel, turn a heading at a rate.

public import SpheroOrientation

/// Drives like a radio-controlled car: a gas lever and a steering lever.
///
///     speed    = gas² · velocityScale
///     heading += response(steer) · maximumTurnRate · elapsed
///
/// The original of the Sphero Android SDK adds 30° · steer on every call,
/// so that its robot turns faster on a faster phone; here the turn is a rate in degrees per second.
/// As there, the robot turns on the spot without gas.
public struct RadioControl: Hashable, Sendable {
  /// The turn at full steer, in degrees per second.
  public var maximumTurnRate: Double

  /// The speed at full gas, 0...1; other values count as the nearest of these, not a number as 0.
  public var velocityScale: Double

  /// How the turn grows with the steering lever.
  public var response: ResponseCurve

  /// The heading the robot is steered in; set it to ``Heading/ahead`` once the robot was aimed anew.
  public var heading: Heading

  /// Creates a radio control.
  ///
  /// - Parameters:
  ///   - maximumTurnRate: The turn at full steer, in degrees per second.
  ///   - velocityScale: The speed at full gas, 0...1.
  ///   - response: How the turn grows with the steering lever.
  ///   - heading: The heading to begin with.
  public init(
    maximumTurnRate: Double = 180, velocityScale: Double = 1, response: ResponseCurve = .linear,
    heading: Heading = .ahead
  ) {
    self.maximumTurnRate = maximumTurnRate
    self.velocityScale = velocityScale
    self.response = response
    self.heading = heading
  }

  /// Steers for a while, and returns what the levers ask of the robot.
  ///
  /// Levers in the middle stop; an argument or a setting that is not a finite number stops and turns nothing.
  ///
  /// - Parameters:
  ///   - levers: The positions of the levers.
  ///   - elapsed: The time since the last call in seconds; a negative one counts as 0.
  /// - Returns: The heading and the speed, or a stop.
  public mutating func drive(_ levers: Levers, elapsed: Double) -> Drive {
    let turn = response.effect(of: levers.steer) * maximumTurnRate * max(0, elapsed)
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

  /// The steer, -1 full left ... 1 full right.
  public let steer: Double

  /// Creates positions held to their ranges; not a number counts as 0.
  public init(gas: Double, steer: Double) {
    self.gas = gas.clampedToUnit
    self.steer = steer.clampedToSignedUnit
  }
}

/// A device held upright with both hands, as a steering wheel.
///
///     steer = atan2(±y, |x|) / maximumSteer     ± is the sign of x: either short edge may be down
///     gas   = asin(-z) / maximumLean
///
/// of the direction of gravity in g, in the frame of the device (x right, y up the screen, z out of the screen).
/// As with `RKSteeringWheel` of the iOS SDK, the robot stands at |x| = 1 and z = 0, and y steers;
/// the angles and their limits are ours.
public struct SteeringWheel: Hashable, Sendable {
  /// The turn of the wheel in degrees that is full steer, above 0.
  public var maximumSteer: Double

  /// The lean away from the driver in degrees that is full gas, above 0.
  public var maximumLean: Double

  /// Creates a wheel from the turn that is full steer and the lean that is full gas, in degrees above 0.
  public init(maximumSteer: Double = 60, maximumLean: Double = 30) {
    self.maximumSteer = maximumSteer
    self.maximumLean = maximumLean
  }

  /// Returns the levers for a direction of gravity in g, as Core Motion gives it (face up at rest, z is -1).
  ///
  /// A wheel turned clockwise steers to the right; one whose upper edge leans away gives gas.
  /// A reading or a limit that is not a finite number, or not above 0 where it has to be, leaves the levers at 0.
  public func levers(gravityX x: Double, y: Double, z: Double) -> Levers {
    guard
      x.isFinite, y.isFinite, z.isFinite,
      maximumSteer.isFinite, maximumSteer > 0, maximumLean.isFinite, maximumLean > 0
    else { return Levers(gas: 0, steer: 0) }
    let turn = degrees(opposite: x < 0 ? -y : y, adjacent: abs(x))
    return Levers(gas: degrees(sine: -z) / maximumLean, steer: turn / maximumSteer)
  }
}
