// The size of a picture on a page or a screen.

import SpheroProtocol

/// The size of a picture: a width, and optionally a height.
///
/// Text has 7 pt in a picture that is narrower than 127 mm, for the column of a paper, and 9 pt in a wider one.
package struct PictureSize: Hashable, Sendable {
  /// A unit of length; an inch has 96 pixels.
  private enum Unit: String, CaseIterable {
    case pixels = "px"
    case millimetres = "mm"
    case centimetres = "cm"
    case inches = "in"
    case points = "pt"

    var pixels: Double {
      switch self {
      case .pixels: 1
      case .millimetres: 96 / 25.4
      case .centimetres: 96 / 2.54
      case .inches: 96
      case .points: 96.0 / 72
      }
    }
  }

  /// In pixels.
  package let width: Double
  /// In pixels; nil if the content determines it.
  package let height: Double?
  private let unit: Unit

  /// The default size: 960 pixels wide, with a height that the content determines.
  package static let standard = PictureSize(width: 960, height: nil, unit: .pixels)

  /// The widths and heights that ``init(parsing:)`` accepts, in pixels.
  package static let limits = 75.0...20_000

  private init(width: Double, height: Double?, unit: Unit) {
    (self.width, self.height, self.unit) = (width, height, unit)
  }

  /// Parses a size such as `85x60mm` or `85mm`; the unit is mm, cm, in, pt or px.
  ///
  /// Returns nil for a text of another form, and for a size outside ``limits``.
  package init?(parsing text: String) {
    let digits = text.prefix { "0123456789.x".contains($0) }
    let suffix = text.dropFirst(digits.count)
    guard let unit = Unit(rawValue: String(suffix)) else { return nil }
    let sizes = digits.split(separator: "x", omittingEmptySubsequences: false).map { number in
      // 0 is outside the limits.
      (Double(String(number)) ?? 0) * unit.pixels
    }
    guard (1...2).contains(sizes.count), sizes.allSatisfy(Self.limits.contains) else { return nil }
    self.init(width: sizes[0], height: sizes.count == 2 ? sizes[1] : nil, unit: unit)
  }

  var isNarrow: Bool { width < 480 }

  /// A length in pixels as an attribute of SVG, in the unit of the size; SVG writes pixels without a unit.
  func text(_ length: Double) -> String {
    SVG.number(length / unit.pixels) + (unit == .pixels ? "" : unit.rawValue)
  }

  /// A width and a height in pixels as a text that ``init(parsing:)`` parses.
  ///
  /// Inches and centimetres are rounded up to tenths, other units to whole numbers.
  package func text(_ width: Double, _ height: Double) -> String {
    let digits = unit == .inches || unit == .centimetres ? 1 : 0
    let scale = digits == 1 ? 10.0 : 1
    // The tolerance prevents that a rounding error of the division increases a whole number by a step.
    let sizes = [width, height].map { length in
      Decimal.text((length / unit.pixels * scale - 1e-6).rounded(.up) / scale, digits: digits)
    }
    return sizes.joined(separator: "x") + unit.rawValue
  }
}
