// Why the World Magnetic Model gives no field.

/// Why the World Magnetic Model gives no field.
public struct WorldMagneticModelError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `tooLate`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The year is before the first valid one.
    public static let tooEarly = Code("tooEarly")
    /// The year is after the last valid one.
    public static let tooLate = Code("tooLate")
    /// The altitude is outside the valid ones.
    public static let altitude = Code("altitude")
    /// The latitude is not -90...90 degrees.
    public static let latitude = Code("latitude")
    /// A number is not finite.
    public static let notFinite = Code("notFinite")
  }

  /// What is wrong.
  public let code: Code
  /// One sentence for people, without a full stop.
  public let message: String
  /// The next step.
  public let advice: String
  /// The number that is wrong: a decimal year, metres or degrees.
  public let seen: Double

  private init(_ code: Code, _ seen: Double, _ message: String, advice: String) {
    (self.code, self.seen, self.message, self.advice) = (code, seen, message, advice)
  }

  static func tooEarly(_ year: Double) -> WorldMagneticModelError {
    WorldMagneticModelError(
      .tooEarly, year, "the World Magnetic Model 2025 is valid from 2025.0 on",
      advice: "Use the model of that time.")
  }

  static func tooLate(_ year: Double) -> WorldMagneticModelError {
    WorldMagneticModelError(
      .tooLate, year, "the World Magnetic Model 2025 is valid until 2030.0",
      advice: "Use its successor, which appears at the end of 2029.")
  }

  static func altitude(_ altitude: Double) -> WorldMagneticModelError {
    WorldMagneticModelError(
      .altitude, altitude, "the World Magnetic Model 2025 is valid from -1000 to 850000 m",
      advice: "Give the height above the WGS 84 ellipsoid in metres.")
  }

  static func latitude(_ degrees: Double) -> WorldMagneticModelError {
    WorldMagneticModelError(
      .latitude, degrees, "a latitude is within -90 to 90 degrees",
      advice: "Give it as an angle, north positive.")
  }

  static func notFinite(_ number: Double) -> WorldMagneticModelError {
    WorldMagneticModelError(
      .notFinite, number, "place and time must be finite", advice: "Check where the number comes from.")
  }
}

extension WorldMagneticModelError: CustomStringConvertible {
  /// What is wrong, and the next step.
  public var description: String { "\(message). \(advice)" }
}
