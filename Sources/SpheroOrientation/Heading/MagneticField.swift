// The magnetic field of the Earth at a location and time, and the reliability of a compass there.

import SpheroLibc

/// The magnetic field at a location and time, in the frame north, east, down of the WGS 84 ellipsoid.
public struct MagneticField: Hashable, Sendable {
  public enum CompassQuality: Hashable, Sendable {
    /// H is 6000 nT or more.
    case good
    /// H is below 6000 nT: the caution zone of the model's authors.
    case caution
    /// H is below 2000 nT: the blackout zone, in which a compass is unreliable.
    case blackout
  }

  /// The component to true north, X, in nT.
  public let north: Double
  /// The component to the east, Y, in nT.
  public let east: Double
  /// The downward component, Z, in nT.
  public let down: Double

  /// The change of ``north`` in nT per year.
  public let northRate: Double
  public let eastRate: Double
  public let downRate: Double

  /// Creates a field from finite components in nT and their change in nT per year.
  init(north: Double, east: Double, down: Double, change: Vector3 = .zero) {
    (self.north, self.east, self.down) = (north, east, down)
    (northRate, eastRate, downRate) = (change.x, change.y, change.z)
  }

  /// The horizontal intensity, H = sqrt(X^2 + Y^2), in nT.
  public var horizontalIntensity: Double { hypot(north, east) }

  /// The total intensity, F, in nT.
  public var totalIntensity: Double { Vector3(north, east, down).length }

  /// The declination, D: the angle from true north to magnetic north, positive to the east, in (-pi, pi].
  public var declination: Angle { Angle(radians: atan2(east, north)).wrapped }

  /// The change of the ``declination`` per year: (X dY/dt - Y dX/dt) / H^2; zero at a magnetic pole.
  public var declinationRate: Angle {
    let squared = north * north + east * east
    return squared > 0 ? Angle(radians: (north * eastRate - east * northRate) / squared) : .zero
  }

  /// The inclination or dip, I: the angle below the horizontal, in [-pi/2, pi/2].
  public var inclination: Angle { Angle(radians: atan2(down, horizontalIntensity)) }

  public var uncertainty: MagneticUncertainty {
    let strength = horizontalIntensity
    // At a magnetic pole, the declination is undefined.
    let declination = strength > 0 ? min(hypot(0.26, 5417 / strength), 180) : 180
    return MagneticUncertainty(declination: .degrees(declination))
  }

  public var compassQuality: CompassQuality {
    let strength = horizontalIntensity
    return strength < 2000 ? .blackout : (strength < 6000 ? .caution : .good)
  }
}

/// The error of the World Magnetic Model 2025, one standard deviation, by the error model of its authors.
///
/// It is a global average over the years of validity and includes the sources that the model omits, mostly the crust.
/// All errors except that of the declination are constant; those of intensities are in nT.
/// Source: A. Chulliat et al., The US/UK World Magnetic Model for 2025-2030, NOAA NCEI, 2024, section 3.
public struct MagneticUncertainty: Hashable, Sendable {
  public let north = 137.0
  public let east = 89.0
  public let down = 141.0
  public let horizontalIntensity = 133.0
  public let totalIntensity = 138.0
  public let inclination = Angle.degrees(0.20)
  /// sqrt(0.26^2 + (5417 / H)^2) degrees, with H in nT; at most 180.
  public let declination: Angle
}
