// The errors of the World Magnetic Model.

/// An invalid location or time for the World Magnetic Model.
@nonexhaustive public enum WorldMagneticModelError: Error, Hashable, Sendable {
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
}

extension WorldMagneticModelError: CustomStringConvertible {
  public var description: String { "\(message). \(advice)" }

  /// What is wrong: one sentence without a full stop.
  public var message: String {
    switch self {
    case .tooEarly: "the World Magnetic Model 2025 is valid from 2025.0 on"
    case .tooLate: "the World Magnetic Model 2025 is valid until 2030.0"
    case .altitude: "the World Magnetic Model 2025 is valid from -1000 to 850000 m"
    case .latitude: "a latitude is within -90 to 90 degrees"
    case .notFinite: "place and time must be finite"
    }
  }

  /// The next step.
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
