// The curve between the way of a stick and its effect: dead zone and exponential.

import SpheroOrientation

/// How the effect of a stick grows with its way.
///
/// Both parts are odd functions that leave -1, 0 and 1 where they are:
///
///     u = (|x| - d) / (1 - d), 0 where |x| ≤ d     the dead zone d, rescaled: no jump at its edge
///     y = (1 - e) · u + e · u³                     the exponential e, finer about the middle
public struct ResponseCurve: Hashable, Sendable {
  /// The part of the way without effect, 0...1; other values count as the nearest of these.
  public var deadZone: Double

  /// The part of the cube in the effect, 0...1; other values count as the nearest of these.
  public var exponential: Double

  /// The effect is the way.
  public static let linear = ResponseCurve()

  /// Creates a curve from its dead zone and its exponential.
  public init(deadZone: Double = 0, exponential: Double = 0) {
    self.deadZone = deadZone
    self.exponential = exponential
  }

  /// Returns the effect, -1...1, of a way held to -1...1; a way that is not a number has none.
  public func effect(of way: Double) -> Double {
    let x = way.clampedToSignedUnit
    let d = deadZone.clampedToUnit
    let e = exponential.clampedToUnit
    guard abs(x) > d else { return 0 }
    let u = (abs(x) - d) / (1 - d)
    let y = min(1, (1 - e) * u + e * u * u * u)
    return x < 0 ? -y : y
  }

  /// Returns the way, -1...1, of an effect held to -1...1: the inverse of ``effect(of:)``.
  ///
  /// No effect gives the middle, although the whole dead zone has none.
  public func way(of effect: Double) -> Double {
    let y = effect.clampedToSignedUnit
    let d = deadZone.clampedToUnit
    guard y != 0, d < 1 else { return 0 }
    let x = min(1, d + (1 - d) * rescaledWay(of: abs(y)))
    return y < 0 ? -x : x
  }

  /// The root u of (1 - e) · u + e · u³ = y, for y above 0.
  private func rescaledWay(of y: Double) -> Double {
    let e = exponential.clampedToUnit
    guard e > 0 else { return y }
    // Either term alone bounds the root from above by less than a factor of two.
    // From above, Newton's steps on a convex function fall to the root and never past it.
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
    private enum CodingKeys: CodingKey { case deadZone, exponential }

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

    /// - Throws: `EncodingError` for parts outside 0...1, which decoding rejects.
    public func encode(to encoder: any Encoder) throws {
      guard (0...1).contains(deadZone), (0...1).contains(exponential) else {
        throw EncodingError.invalidValue(
          self,
          .init(
            codingPath: encoder.codingPath,
            debugDescription: "dead zone and exponential are 0...1, not \(deadZone) and \(exponential)"))
      }
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(deadZone, forKey: .deadZone)
      try values.encode(exponential, forKey: .exponential)
    }
  }
#endif
