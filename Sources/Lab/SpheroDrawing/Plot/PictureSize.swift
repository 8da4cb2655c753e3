// The size of a picture on a page or a screen.

import SpheroProtocol

/// The size of a picture. Text has 7 pt in one that is narrower than 127 mm, for the column of a paper, else 9 pt.
package struct PictureSize: Hashable, Sendable {
  /// The pixels of the units of length; an inch has 96 pixels.
  private static let units = ["px": 1, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96, "pt": 96.0 / 72]

  /// In pixels.
  package let width: Double
  /// In pixels; nil if the content determines it.
  package let height: Double?
  private let unit: String
  /// The pixels of the unit.
  private let scale: Double

  /// The default size: 960 pixels wide, with a height that the content determines.
  package static let standard = PictureSize(width: 960, height: nil, unit: "px", scale: 1)

  /// The widths and heights that ``init(parsing:)`` accepts, in pixels.
  package static let limits = 75.0...20_000

  private init(width: Double, height: Double?, unit: String, scale: Double) {
    (self.width, self.height, self.unit, self.scale) = (width, height, unit, scale)
  }

  /// Parses a size within ``limits`` such as `85x60mm` or `85mm`; the unit is mm, cm, in, pt or px.
  package init?(parsing text: String) {
    let digits = text.prefix { "0123456789.x".contains($0) }
    let unit = String(text.dropFirst(digits.count))
    guard let scale = Self.units[unit] else { return nil }
    let sizes = digits.split(separator: "x", omittingEmptySubsequences: false).map { number in
      // 0 is outside the limits.
      (Double(String(number)) ?? 0) * scale
    }
    guard (1...2).contains(sizes.count), sizes.allSatisfy(Self.limits.contains) else { return nil }
    self.init(width: sizes[0], height: sizes.count == 2 ? sizes[1] : nil, unit: unit, scale: scale)
  }

  var isNarrow: Bool { width < 480 }

  /// A length in pixels as an attribute of SVG, in the unit of the size; SVG writes pixels without a unit.
  func text(_ length: Double) -> String {
    SVG.number(length / scale) + (unit == "px" ? "" : unit)
  }

  /// A width and a height in pixels as a text that ``init(parsing:)`` parses, rounded up to tenths or whole units.
  package func text(_ width: Double, _ height: Double) -> String {
    let (digits, parts) = unit == "in" || unit == "cm" ? (1, 10.0) : (0, 1)
    // The tolerance prevents that a rounding error of the division increases a whole number by a step.
    let sizes = [width, height].map { length in
      Decimal.text((length / scale * parts - 1e-6).rounded(.up) / parts, digits: digits)
    }
    return sizes.joined(separator: "x") + unit
  }
}
