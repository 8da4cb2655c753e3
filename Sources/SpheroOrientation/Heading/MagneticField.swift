// The magnetic field of the Earth at one place and time, and how far a compass can be trusted there.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The magnetic field at one place and time, in the frame north, east, down of the WGS 84 ellipsoid.
public struct MagneticField: Hashable, Sendable {
  /// How far a compass can be trusted; it follows the horizontal part of the field.
  public enum CompassQuality: Hashable, Sendable {
    /// H of 6000 nT and more.
    case good
    /// H below 6000 nT: the caution zone of the model's authors.
    case caution
    /// H below 2000 nT: the blackout zone, where a compass is unreliable.
    case blackout
  }

  /// The part to true north, X, in nT.
  public let north: Double
  /// The part to the east, Y, in nT.
  public let east: Double
  /// The part down, Z, in nT.
  public let down: Double

  /// How fast ``north`` grows, in nT per year.
  public let northRate: Double
  /// How fast ``east`` grows, in nT per year.
  public let eastRate: Double
  /// How fast ``down`` grows, in nT per year.
  public let downRate: Double

  /// Takes three finite parts, in nT, and their change in nT per year.
  init(north: Double, east: Double, down: Double, change: Vector3 = .zero) {
    (self.north, self.east, self.down) = (north, east, down)
    (northRate, eastRate, downRate) = (change.x, change.y, change.z)
  }

  /// The horizontal intensity, H = sqrt(X^2 + Y^2), in nT.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// The total intensity, F, in nT.
  public var totalIntensity: Double { Vector3(north, east, down).length }

  /// The declination, D: from true north to magnetic north, positive to the east, in (-pi, pi].
  public var declination: Angle { Angle(radians: atan2(east, north)).wrapped }

  /// How much the ``declination`` grows in a year: (X dY/dt - Y dX/dt) / H^2; zero at a magnetic pole.
  public var declinationRate: Angle {
    let squared = north * north + east * east
    return squared > 0 ? Angle(radians: (north * eastRate - east * northRate) / squared) : .zero
  }

  /// The inclination or dip, I: from the horizontal down, in [-pi/2, pi/2].
  public var inclination: Angle { Angle(radians: atan2(down, horizontalIntensity)) }

  /// How far a compass can be trusted.
  public var compassQuality: CompassQuality {
    let strength = horizontalIntensity
    return strength < 2000 ? .blackout : (strength < 6000 ? .caution : .good)
  }
}
