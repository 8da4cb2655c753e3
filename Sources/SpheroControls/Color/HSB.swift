// Colours by hue, saturation and brightness.

import SpheroOrientation

/// A colour by hue, saturation and brightness (Smith 1978, the hexcone model).
///
/// The conversion from ``RGB`` and back is lossless.
public struct HSB: Hashable, Sendable {
  /// The hue in degrees, 0..<360: 0 red, 120 green, 240 blue.
  public let hue: Double

  /// The saturation, 0 grey ... 1 pure.
  public let saturation: Double

  /// The brightness, 0 black ... 1 full.
  public let brightness: Double

  /// Creates a colour from a hue in degrees, a saturation and a brightness; nil if a number is not finite.
  ///
  /// The hue is wrapped to 0..<360; saturation and brightness are clamped to 0...1.
  public init?(hue: Double, saturation: Double, brightness: Double) {
    guard hue.isFinite, saturation.isFinite, brightness.isFinite else { return nil }
    self.init(wrapping: hue, saturation: saturation, brightness: brightness)
  }

  /// Creates a colour from a hue in degrees, which the caller has checked to be finite.
  init(wrapping hue: Double, saturation: Double, brightness: Double) {
    self.hue = hue.wrapped(to: 360)
    self.saturation = saturation.clampedToUnit
    self.brightness = brightness.clampedToUnit
  }

  /// Converts a colour; a grey has hue 0, and black also has saturation 0.
  ///
  ///     brightness = largest / 255
  ///     saturation = (largest - smallest) / largest
  ///     hue        = 60° · (0, 2 or 4 if red, green or blue is the largest, plus the difference of the others / range)
  ///
  /// ``ColorWheel`` keeps the hue of a grey.
  public init(_ color: RGB) {
    let red = Double(color.red)
    let green = Double(color.green)
    let blue = Double(color.blue)
    let largest = max(red, green, blue)
    let range = largest - min(red, green, blue)
    brightness = largest / 255
    guard range > 0 else {
      (hue, saturation) = (0, 0)
      return
    }
    saturation = range / largest
    let sextant =
      if largest == red {
        (green - blue) / range
      } else if largest == green {
        (blue - red) / range + 2
      } else {
        (red - green) / range + 4
      }
    hue = (60 * sextant).wrapped(to: 360)
  }

  /// The components red, green and blue, each 0...1.
  ///
  /// component = brightness · (1 - saturation · max(0, min(k, 4 - k, 1))), k = (n + hue / 60) mod 6,
  /// with n = 5, 3, 1 for red, green and blue.
  public var components: (red: Double, green: Double, blue: Double) {
    (component(from: 5), component(from: 3), component(from: 1))
  }

  private func component(from n: Double) -> Double {
    let sextant = n + hue / 60
    let k = sextant >= 6 ? sextant - 6 : sextant
    let absence = max(0, min(k, min(4 - k, 1)))
    return brightness * (1 - saturation * absence)
  }
}

#if !hasFeature(Embedded)
  extension HSB: Codable {
    /// - Throws: `DecodingError` for parts outside their ranges.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let hue = try values.decode(Double.self, forKey: .hue)
      let saturation = try values.decode(Double.self, forKey: .saturation)
      let brightness = try values.decode(Double.self, forKey: .brightness)
      guard (0..<360).contains(hue), (0...1).contains(saturation), (0...1).contains(brightness) else {
        throw decoder.refusal(
          "a hue is 0..<360, saturation and brightness are 0...1, not \(hue), \(saturation), \(brightness)")
      }
      self.init(wrapping: hue, saturation: saturation, brightness: brightness)
    }
  }
#endif
