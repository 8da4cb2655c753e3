// The size of a picture on a page or a screen, and the measures that follow from it.

import SpheroProtocol

/// The size of a picture: a width, and a height unless it follows from the content.
///
/// A picture that is narrower than 127 mm, for the column of a paper, has text of 7 pt; a wider one has text of 9 pt.
package struct PictureSize: Hashable, Sendable {
  /// A unit of length with its number of pixels; there are 96 pixels in an inch.
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
  /// In pixels; nil if it follows from the content.
  package let height: Double?
  private let unit: Unit

  /// The default size: 960 pixels wide, with the height of the content.
  package static let standard = PictureSize(width: 960, height: nil, unit: .pixels)

  /// The widths and heights that ``init(parsing:)`` accepts, in pixels.
  package static let limits = 75.0...20_000

  private init(width: Double, height: Double?, unit: Unit) {
    (self.width, self.height, self.unit) = (width, height, unit)
  }

  /// Parses `85x60mm` or `85mm`; the unit is mm, cm, in, pt or px.
  ///
  /// Returns nil for another form, or for a size outside ``limits``.
  package init?(parsing text: String) {
    let digits = text.prefix { "0123456789.x".contains($0) }
    let suffix = text.dropFirst(digits.count)
    guard let unit = Unit(rawValue: String(suffix)) else { return nil }
    let numbers = digits.split(separator: "x", omittingEmptySubsequences: false).map { Double(String($0)) }
    let sizes = numbers.compactMap { $0.map { $0 * unit.pixels } }
    guard sizes.count == numbers.count, (1...2).contains(sizes.count), sizes.allSatisfy(Self.limits.contains)
    else { return nil }
    self.init(width: sizes[0], height: sizes.count == 2 ? sizes[1] : nil, unit: unit)
  }

  /// Whether the picture is for the column of a paper: narrower than 127 mm.
  var isNarrow: Bool { width < 480 }

  /// A length in pixels as a text with the unit of the size, for SVG; pixels have no unit there.
  func text(_ length: Double) -> String {
    SVG.number(length / unit.pixels) + (unit == .pixels ? "" : unit.rawValue)
  }

  /// A width and a height in pixels in the form that ``init(parsing:)`` reads.
  ///
  /// Inches and centimetres are rounded up to tenths, other units to whole numbers.
  package func text(_ width: Double, _ height: Double) -> String {
    let digits = unit == .inches || unit == .centimetres ? 1 : 0
    let scale = digits == 1 ? 10.0 : 1
    // The conversion of an exact number may exceed it by a rounding error, which must not add a step.
    let sizes = [width, height].map { length in
      Decimal.text((length / unit.pixels * scale - 1e-6).rounded(.up) / scale, digits: digits)
    }
    return sizes.joined(separator: "x") + unit.rawValue
  }
}
