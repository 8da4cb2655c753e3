// The picture of one or several plots as SVG and HTML: one section per plot, from top to bottom, on one time axis.

import SpheroControls
import SpheroProtocol

package struct PlotPicture: Sendable {
  private let title: String
  private let plots: [Plot]
  let size: PictureSize
  /// The times of the left and the right edge, in seconds.
  let start: Double
  let end: Double
  let measures: Measures

  /// Makes a picture of plots; if there are several, the section of each has its own title.
  package init(title: String, _ plots: [Plot], size: PictureSize = .standard) {
    (self.title, self.plots, self.size) = (title, plots, size)
    start = plots.compactMap { $0.start }.min() ?? 0
    end = max(start, plots.filter { $0.start != nil }.map { $0.end }.max() ?? start)
    measures = Measures(size, labelCount: plots.map { $0.longestLabelCount }.max() ?? 0)
  }

  /// The positions and sizes of parts in pixels; a narrow picture has smaller text and smaller margins.
  struct Measures: Sendable {
    let isNarrow: Bool
    /// The left edge of all panels, and their width.
    let left: Double
    let panelWidth: Double

    init(_ size: PictureSize, labelCount: Int) {
      isNarrow = size.isNarrow
      let labelWidth = Self.width(labelCount, Self.fontSize(isNarrow))
      left = isNarrow ? max(24, labelWidth + 8) : max(72, labelWidth + 16)
      panelWidth = max(40, size.width - left - (isNarrow ? 10 : 24))
    }

    /// 7 pt and 9 pt.
    private static func fontSize(_ isNarrow: Bool) -> Double { isNarrow ? 28.0 / 3 : 12 }

    var fontSize: Double { Self.fontSize(isNarrow) }
    /// The distance from the middle of a line of text down to its baseline.
    var baselineOffset: Double { 0.34 * fontSize }
    var lineHeight: Double { isNarrow ? 12 : 16 }
    var headHeight: Double { isNarrow ? 2 : 66 }
    var legendHeight: Double { isNarrow ? 16 : 22 }
    /// The height of the time labels below a panel, and of the space before the next part.
    var timeLabelHeight: Double { isNarrow ? 15 : 26 }
    var gap: Double { isNarrow ? 5 : 16 }
    var lineWidth: Double { isNarrow ? 0.9 : 1.2 }
    var gridStyle: String { isNarrow ? "stroke-width=\"0.5\"" : "stroke-width=\"0.8\"" }
    /// The number of attitudes in a row, and the radius of each.
    var attitudeCount: Int { max(1, Int(panelWidth / (isNarrow ? 84 : 108))) }
    var attitudeRadius: Double { isNarrow ? 26 : 44 }
    /// The width of the colour bar of the trail, with its space and its labels.
    var barWidth: Double { isNarrow ? 58 : 112 }

    func width(of text: String) -> Double { Self.width(text.unicodeScalars.count, fontSize) }

    /// The width of characters of the average width of a sans-serif font.
    private static func width(_ count: Int, _ fontSize: Double) -> Double { 0.58 * fontSize * Double(count) }
  }

  /// The horizontal position of a time; the middle of the panels if the duration is 0.
  func x(_ time: Double) -> Double { measures.left + measures.panelWidth * (fraction(of: time) ?? 0.5) }

  /// The position of a time between the edges, 0...1; nil if the duration is 0.
  func fraction(of time: Double) -> Double? { end > start ? (time - start) / (end - start) : nil }

  // MARK: Heights

  struct Heights: Sendable {
    let panel: Double
    /// Also the width of the floor, which is a square.
    let floor: Double
  }

  private var minimumHeights: Heights {
    Heights(panel: 3 * measures.fontSize, floor: 9 * measures.fontSize)
  }

  /// The heights with which the parts fill the height of the picture.
  private var heights: Heights {
    let least = minimumHeights
    // The width beside the colour bar.
    let widest = measures.panelWidth - measures.barWidth
    let usual = Heights(panel: measures.isNarrow ? 72 : 120, floor: max(least.floor, min(480, widest)))
    guard let height = size.height else { return usual }
    let available = height - self.height(with: Heights(panel: 0, floor: 0))
    let panels = Double(plots.reduce(0) { $0 + $1.shownPanels.count })
    let floors = Double(plots.count { $0.showsFloor })
    guard panels + floors > 0 else { return usual }
    // A floor is as high as three panels.
    var floor = max(least.floor, min(widest, 3 * available / (panels + 3 * floors)))
    guard panels > 0 else { return Heights(panel: usual.panel, floor: floor) }
    // The panels share the rest. If it is too small for them, the floors become smaller.
    let panel = max(least.panel, (available - floors * floor) / panels)
    if panel == least.panel, floors > 0 {
      floor = max(least.floor, min(floor, (available - panels * panel) / floors))
    }
    return Heights(panel: panel, floor: floor)
  }

  private func height(with heights: Heights) -> Double {
    plots.reduce(measures.headHeight) { height, plot in
      var section = Section(of: self, plot, heights, top: height)
      return section.draw(hasName: plots.count > 1)
    } + (measures.isNarrow ? 0 : 16)
  }

  /// The smallest size with readable labels, as a text; nil if the picture is high enough.
  package var requiredSize: String? {
    guard let height = size.height else { return nil }
    let least = self.height(with: minimumHeights)
    return least > height + 1e-6 ? size.text(size.width, least) : nil
  }

  // MARK: Documents

  /// A complete SVG document for light and dark backgrounds.
  package func svg() -> String {
    let heights = heights
    var body = ""
    var top = measures.headHeight
    for plot in plots {
      var section = Section(of: self, plot, heights, top: top)
      top = section.draw(hasName: plots.count > 1)
      body += section.body.text
    }
    let height = size.height ?? (measures.isNarrow ? top : top + 16)
    let (width, fontSize) = (SVG.number(size.width), SVG.number(measures.fontSize))
    var picture = SVG()
    picture.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(SVG.number(height))\""
        + " width=\"\(size.text(size.width))\" height=\"\(size.text(height))\" role=\"img\""
        + " font-family=\"Helvetica,Arial,'Liberation Sans',sans-serif\" font-size=\"\(fontSize)\" fill=\"none\""
        + " stroke-width=\"\(SVG.number(measures.lineWidth))\" stroke-linejoin=\"round\">")
    picture.raw("<title>\(SVG.escaped(title))</title>")
    picture.raw("<style>\(Ink.darkStyle)</style>")
    picture.rectangle(x: 0, y: 0, width: size.width, height: height, Ink.paper.attributes)
    if !measures.isNarrow {
      picture.label(
        title, x: measures.left, y: 32, .start, .text, " font-size=\"18\" font-weight=\"bold\"")
      picture.label(summary, x: measures.left, y: 52, .start, .note)
    }
    picture.raw(body + "</svg>")
    return picture.text
  }

  package func html() -> String {
    """
    <!DOCTYPE html>
    <html lang="en"><head><meta charset="utf-8"><title>\(SVG.escaped(title))</title>
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
    <style>body{margin:0;background:#fff}svg{display:block;margin:auto;max-width:100%;height:auto}
    @media (prefers-color-scheme:dark){body{background:#14171a}}</style></head><body>
    \(svg())</body></html>

    """
  }

  private var summary: String {
    let count = plots.reduce(0) { $0 + $1.count }
    var text = "\(count) sample\(count == 1 ? "" : "s") in \(Decimal.text(end - start, digits: 3)) s"
    if plots.count > 1 { text = "\(plots.count) robots, \(text)" }
    let restarts = plots.map { $0.restarts }.max() ?? 0
    if restarts > 0 { text += ", \(restarts + 1) recordings one after the other" }
    return text
  }
}

extension Plot {
  /// A complete SVG document for light and dark backgrounds.
  public func svg() -> String { PlotPicture(title: title, [self]).svg() }

  var shownPanels: [Panel] { panels.filter { !$0.isOptional || $0.hasValues } }

  var showsFloor: Bool { !trail.points.isEmpty }

  var longestLabelCount: Int {
    shownPanels.map { panel in
      let scale = panel.scale(ticks: 4)
      return scale.ticks.map { Decimal.text($0, digits: scale.digits).utf8.count }.max() ?? 0
    }.max() ?? 0
  }
}

extension Plot.Panel {
  func scale(ticks: Int) -> Scale {
    let range = range ?? 0...0
    return Scale(range.lowerBound, range.upperBound, ticks: ticks, degrees: unit == "°")
  }

  var range: ClosedRange<Double>? {
    let ranges = series.compactMap { $0.extremes.range }
    return ranges.reduce(ranges.first) { $0?.extended(to: $1.lowerBound).extended(to: $1.upperBound) }
  }
}

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
