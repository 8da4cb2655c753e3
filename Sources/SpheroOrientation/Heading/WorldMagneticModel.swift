// The World Magnetic Model 2025: the magnetic field of the Earth's core as a sum of spherical harmonics.

import SpheroLibc

/// The World Magnetic Model 2025, valid from 2025.0 to 2030.0.
///
/// It omits the magnetism of the crust and of iron nearby;
/// ``MagneticField/uncertainty`` is the error that its authors state.
/// Source: A. Chulliat et al., The US/UK World Magnetic Model for 2025-2030, NOAA NCEI, 2024.
public enum WorldMagneticModel {
  /// The decimal years in which the model is valid.
  public static let validYears: ClosedRange<Double> = 2025.0...2030.0

  /// The altitudes at which the model is valid, in metres above the WGS 84 ellipsoid.
  public static let validAltitudes: ClosedRange<Double> = -1000...850_000

  /// Returns the field at a location and time; nil if ``evaluate(latitude:longitude:altitude:year:)`` throws.
  public static func field(
    latitude: Angle, longitude: Angle, altitude: Double = 0, year: Double
  ) -> MagneticField? {
    try? evaluate(latitude: latitude, longitude: longitude, altitude: altitude, year: year)
  }

  /// Returns the field at a location and time, or throws the reason why the model is not valid there.
  ///
  /// The latitude is geodetic, -90...90 degrees, north positive; the longitude is any finite angle, east positive;
  /// the altitude is the height above the WGS 84 ellipsoid in m; for the year see ``decimalYear(year:month:day:)``.
  /// At a pole, north is the direction of the meridian of `longitude`.
  ///
  /// - Throws: ``WorldMagneticModelError`` for a number that is not finite,
  ///   and for a year, an altitude or a latitude outside the valid ranges.
  public static func evaluate(
    latitude: Angle, longitude: Angle, altitude: Double = 0, year: Double
  ) throws(WorldMagneticModelError) -> MagneticField {
    for number in [year, altitude, latitude.radians, longitude.radians] where !number.isFinite {
      throw .notFinite(number)
    }
    guard year >= validYears.lowerBound else { throw .tooEarly(year) }
    guard year <= validYears.upperBound else { throw .tooLate(year) }
    guard validAltitudes.contains(altitude) else { throw .altitude(altitude) }
    guard abs(latitude.radians) <= .pi / 2 else { throw .latitude(latitude.degrees) }
    let location = geocentric(latitude: latitude.radians, altitude: altitude / 1000)
    let sum = sum(at: location, longitude: longitude.wrapped.radians, years: year - validYears.lowerBound)
    // Rotates from the spherical to the geodetic frame, by the difference of the latitudes.
    let rotation = location.latitude - latitude.radians
    func geodetic(_ parts: Vector3) -> Vector3 {
      Vector3(
        parts.x * cos(rotation) - parts.z * sin(rotation), parts.y,
        parts.x * sin(rotation) + parts.z * cos(rotation))
    }
    let field = geodetic(sum.field)
    return MagneticField(north: field.x, east: field.y, down: field.z, change: geodetic(sum.change))
  }

  /// Returns the decimal year of a day at 0 h: 2026.0 for 1 January 2026; nil unless it is a day of years 1...9999.
  public static func decimalYear(year: Int, month: Int, day: Int) -> Double? {
    guard (1...9999).contains(year), (1...12).contains(month) else { return nil }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    let elapsed = lengths.prefix(month - 1).reduce(0, +) + day - 1
    return Double(year) + Double(elapsed) / (isLeap ? 366 : 365)
  }

  /// Returns the geocentric latitude in radians and the distance from the centre in km of a geodetic latitude in radians
  /// and a height above WGS 84 in km.
  private static func geocentric(latitude: Double, altitude: Double) -> (latitude: Double, radius: Double) {
    let equatorialRadius = 6378.137
    let flattening = 1 / 298.257223563
    let eccentricitySquared = flattening * (2 - flattening)
    let (sine, cosine) = (sin(latitude), cos(latitude))
    let curvature = equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    let fromAxis = (curvature + altitude) * cosine
    let aboveEquator = (curvature * (1 - eccentricitySquared) + altitude) * sine
    return (atan2(aboveEquator, fromAxis), hypot(fromAxis, aboveEquator))
  }

  /// Returns the sum over all coefficients, in nT, and its change, in nT per year, in the spherical frame north, east, down.
  ///
  /// With P(n, m) the Schmidt semi-normalised Legendre functions of t = sin(latitude), c = cos(latitude):
  /// north = -sum (a/r)^(n+2) (g cos ml + h sin ml) dP/d(latitude),
  /// east = sum (a/r)^(n+2) m (g sin ml - h cos ml) P/c,
  /// down = -sum (a/r)^(n+2) (n+1) (g cos ml + h sin ml) P.
  private static func sum(
    at location: (latitude: Double, radius: Double), longitude: Double, years: Double
  ) -> (field: Vector3, change: Vector3) {
    let legendre = Legendre(latitude: location.latitude)
    var (field, change) = (Vector3.zero, Vector3.zero)
    for row in coefficients {
      let order = Double(row.m)
      let (cosine, sine) = (cos(order * longitude), sin(order * longitude))
      let attenuation = pow(6371.2 / location.radius, Double(row.n + 2))
      func parts(_ g: Double, _ h: Double) -> Vector3 {
        let along = g * cosine + h * sine
        let across = g * sine - h * cosine
        return Vector3(
          -attenuation * along * legendre.slope(row.n, row.m),
          attenuation * order * across * legendre.reduced(row.n, row.m),
          -attenuation * Double(row.n + 1) * along * legendre.value(row.n, row.m))
      }
      field += parts(row.g + years * row.gRate, row.h + years * row.hRate)
      change += parts(row.gRate, row.hRate)
    }
    return (field, change)
  }
}

/// The Schmidt semi-normalised Legendre functions P(n, m) of sin(latitude), for degrees up to 12.
///
/// For m > 0 every P(n, m) has the factor c = cos(latitude).
/// The recursion computes P / c, which is finite at the poles, and avoids a division by c.
private struct Legendre {
  private static let degree = 12

  private let sine: Double
  private let cosine: Double
  /// The index is n * (degree + 1) + m.
  private var table = Array(repeating: 0.0, count: (degree + 1) * (degree + 1))

  /// Computes all functions at a geocentric latitude in radians.
  init(latitude: Double) {
    sine = sin(latitude)
    cosine = cos(latitude)
    table[0] = 1
    for n in 1...Self.degree {
      for m in 0...n { table[n * (Self.degree + 1) + m] = next(n, m) }
    }
  }

  /// P(n, 0), and P(n, m) / c for m > 0.
  func reduced(_ n: Int, _ m: Int) -> Double { m > n ? 0 : table[n * (Self.degree + 1) + m] }

  func value(_ n: Int, _ m: Int) -> Double { m == 0 ? reduced(n, 0) : cosine * reduced(n, m) }

  /// The derivative of P(n, m) by the latitude, for n > 0.
  ///
  /// sqrt(n^2 - m^2) P(n-1, m) / c - n t P(n, m) / c, and sqrt(n (n+1) / 2) P(n, 1) for m = 0.
  func slope(_ n: Int, _ m: Int) -> Double {
    if m == 0 { return (Double(n * (n + 1)) / 2).squareRoot() * value(n, 1) }
    return Double(n * n - m * m).squareRoot() * reduced(n - 1, m) - Double(n) * sine * reduced(n, m)
  }

  /// One step of the recursion, from lower degrees of the same order or along the diagonal.
  private func next(_ n: Int, _ m: Int) -> Double {
    if n == m {
      // The Schmidt factor doubles the square once, from order 0 to order 1.
      return n == 1 ? 1 : (1 - 1 / Double(2 * n)).squareRoot() * cosine * reduced(n - 1, n - 1)
    }
    let before = Double((n - 1) * (n - 1) - m * m)
    let lower = before > 0 ? before.squareRoot() * reduced(n - 2, m) : 0
    return (Double(2 * n - 1) * sine * reduced(n - 1, m) - lower) / Double(n * n - m * m).squareRoot()
  }
}

/// The magnetic field at a location and time, in the frame north, east, down of the WGS 84 ellipsoid.
public struct MagneticField: Hashable, Sendable {
  /// The usability of a compass, by the horizontal intensity.
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

  /// The change of ``north``, ``east`` or ``down`` in nT per year.
  public let northRate, eastRate, downRate: Double

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

  /// The standard deviations of the model at this place.
  public var uncertainty: MagneticUncertainty {
    let strength = horizontalIntensity
    // At a magnetic pole, the declination is undefined.
    let declination = strength > 0 ? min(hypot(0.26, 5417 / strength), 180) : 180
    return MagneticUncertainty(declination: .degrees(declination))
  }

  /// The usability of a compass at this place.
  public var compassQuality: CompassQuality {
    let strength = horizontalIntensity
    return strength < 2000 ? .blackout : (strength < 6000 ? .caution : .good)
  }
}

/// The error of the World Magnetic Model 2025, one standard deviation, by the error model of its authors.
///
/// It is a global average over the years of validity and includes the sources that the model omits, mostly the crust.
/// All errors except that of the declination are constant.
/// Source: A. Chulliat et al., The US/UK World Magnetic Model for 2025-2030, NOAA NCEI, 2024, section 3.
public struct MagneticUncertainty: Hashable, Sendable {
  /// The error of the component to true north, in nT.
  public let north = 137.0
  /// The error of the component to the east, in nT.
  public let east = 89.0
  /// The error of the downward component, in nT.
  public let down = 141.0
  /// The error of the horizontal intensity, in nT.
  public let horizontalIntensity = 133.0
  /// The error of the total intensity, in nT.
  public let totalIntensity = 138.0
  /// The error of the inclination: 0.20 degrees.
  public let inclination = Angle.degrees(0.20)
  /// The error of the declination: sqrt(0.26^2 + (5417 / H)^2) degrees with H in nT, at most 180.
  public let declination: Angle
}

/// An invalid location or time for the World Magnetic Model.
@nonexhaustive public enum WorldMagneticModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The decimal year is before the first valid one.
  case tooEarly(Double)
  /// The decimal year is after the last valid one.
  case tooLate(Double)
  /// The altitude in metres is outside the valid range.
  case altitude(Double)
  /// The latitude in degrees is not -90...90.
  case latitude(Double)
  /// A number is infinite or not a number.
  case notFinite(Double)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .tooEarly: "the World Magnetic Model 2025 is valid from 2025.0 on"
    case .tooLate: "the World Magnetic Model 2025 is valid until 2030.0"
    case .altitude: "the World Magnetic Model 2025 is valid from -1000 to 850000 m"
    case .latitude: "a latitude is within -90 to 90 degrees"
    case .notFinite: "place and time must be finite"
    }
  }

  public var advice: String {
    switch self {
    case .tooEarly: "Use the model of that time."
    case .tooLate: "Use its successor, which appears at the end of 2029."
    case .altitude: "Give the height above the WGS 84 ellipsoid in metres."
    case .latitude: "Give it as an angle, north positive."
    case .notFinite: "Check where the number comes from."
    }
  }
}
