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

  /// Takes three finite parts, in nT.
  init(north: Double, east: Double, down: Double) {
    self.north = north
    self.east = east
    self.down = down
  }

  /// The horizontal intensity, H = sqrt(X^2 + Y^2), in nT.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// The total intensity, F, in nT.
  public var totalIntensity: Double { Vector3(north, east, down).length }

  /// The declination, D: from true north to magnetic north, positive to the east, in (-pi, pi].
  public var declination: Angle { Angle(radians: atan2(east, north)).wrapped }

  /// The inclination or dip, I: from the horizontal down, in [-pi/2, pi/2].
  public var inclination: Angle { Angle(radians: atan2(down, horizontalIntensity)) }

  /// How far a compass can be trusted.
  public var compassQuality: CompassQuality {
    let strength = horizontalIntensity
    return strength < 2000 ? .blackout : (strength < 6000 ? .caution : .good)
  }
}
