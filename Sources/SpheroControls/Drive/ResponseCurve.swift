// The response curve of a stick: dead zone and exponential.

import SpheroOrientation

/// The response of a control to the deflection of a stick.
///
/// Both parts are odd functions that map -1, 0 and 1 to themselves, but a dead zone of 1 has no response:
///
///     u = (|x| - d) / (1 - d), 0 where |x| ≤ d     the dead zone d, rescaled to be continuous
///     y = (1 - e) · u + e · u³                     the exponential e, finer around the centre
public struct ResponseCurve: Hashable, Sendable {
  /// The fraction of the deflection without response, 0...1.
  public let deadZone: Double

  /// The weight of the cubic term, 0...1.
  public let exponential: Double

  /// The output equals the input.
  public static let linear = ResponseCurve()

  /// Creates a curve; both parts are clamped to 0...1, and NaN counts as 0.
  public init(deadZone: Double = 0, exponential: Double = 0) {
    (self.deadZone, self.exponential) = (deadZone.clampedToUnit, exponential.clampedToUnit)
  }

  /// Returns the response, -1...1, to a deflection, which is clamped to -1...1; NaN gives 0.
  public func response(to deflection: Double) -> Double {
    let (x, d, e) = (deflection.clampedToSignedUnit, deadZone, exponential)
    guard abs(x) > d else { return 0 }
    let u = (abs(x) - d) / (1 - d)
    let y = min(1, (1 - e) * u + e * u * u * u)
    return x < 0 ? -y : y
  }

  /// Returns the deflection, -1...1, for a response, which is clamped to -1...1: the inverse of ``response(to:)``.
  public func deflection(for response: Double) -> Double {
    let (y, d) = (response.clampedToSignedUnit, deadZone)
    guard y != 0, d < 1 else { return 0 }
    let x = min(1, d + (1 - d) * rescaledDeflection(for: abs(y)))
    return y < 0 ? -x : x
  }

  /// The root u of (1 - e) · u + e · u³ = y, for y above 0.
  private func rescaledDeflection(for y: Double) -> Double {
    let e = exponential
    guard e > 0 else { return y }
    // Each term alone gives an upper bound of the root; the smaller bound is at most twice the root.
    // From an upper bound, Newton's method on a convex function converges monotonically.
    var u = min(1, y / (1 - e), cubeRoot(y / e))
    for _ in 0..<8 {
      let slope = (1 - e) + 3 * e * u * u
      guard slope > 0 else { break }
      u -= ((1 - e) * u + e * u * u * u - y) / slope
    }
    return u.clampedToUnit
  }
}

#if !hasFeature(Embedded)
  extension ResponseCurve: Codable {
    /// - Throws: `DecodingError` for parts outside 0...1.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let deadZone = try values.decode(Double.self, forKey: .deadZone)
      let exponential = try values.decode(Double.self, forKey: .exponential)
      guard (0...1).contains(deadZone), (0...1).contains(exponential) else {
        throw decoder.refusal("dead zone and exponential are 0...1, not \(deadZone) and \(exponential)")
      }
      self.init(deadZone: deadZone, exponential: exponential)
    }
  }
#endif
