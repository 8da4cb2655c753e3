// Elements of SVG as text, with presentation attributes that every program understands.

import SpheroControls
import SpheroProtocol

/// The colour of an element: an attribute that all programs read, and a CSS rule for browsers in dark mode.
enum Ink: String, CaseIterable {
  case paper, text, note, grid, frame
  case mark
  // The parts of the ball.
  case nose, tail
  // The series of a panel; the colours are distinguishable with the usual colour deficiencies (Okabe and Ito).
  case s0, s1, s2, s3

  static let series: [Ink] = [.s0, .s1, .s2, .s3]

  private var colors: (light: String, dark: String) {
    switch self {
    case .paper: ("#ffffff", "#14171a")
    case .text, .nose: ("#1b1f24", "#e6e9ec")
    case .note, .frame: ("#5b646e", "#9aa4ae")
    case .grid: ("#dfe3e8", "#343b43")
    case .mark: ("#7a5195", "#c9a2e0")
    case .tail: ("#3070ff", "#3070ff")
    case .s0: ("#0072b2", "#56b4e9")
    case .s1: ("#d55e00", "#f0904a")
    case .s2: ("#00805c", "#2fc79a")
    case .s3: ("#b0558c", "#e08fc4")
    }
  }

  private var property: String {
    [.paper, .text, .note, .nose, .tail].contains(self) ? "fill" : "stroke"
  }

  var attributes: String { "class=\"\(rawValue)\" \(property)=\"\(colors.light)\"" }

  static var darkStyle: String {
    let rules = allCases.map { ".\($0.rawValue){\($0.property):\($0.colors.dark)}" }
    return "@media (prefers-color-scheme:dark){\(rules.joined())}"
  }
}

struct SVG {
  enum Alignment: String {
    case start, middle, end
  }

  private(set) var text = ""

  /// A number with at most two decimals.
  static func number(_ value: Double) -> String {
    String.text { append(value, to: &$0) }
  }

  private static func append(_ value: Double, to bytes: inout [UInt8]) {
    let start = bytes.count
    Decimal.append(value.isFinite ? value : 0, digits: 2, to: &bytes)
    guard bytes[start...].contains(UInt8(ascii: ".")) else { return }
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
  }

  /// Text with markup escaped; a question mark replaces control characters and noncharacters.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default:
        let isForbidden =
          scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
        escaped.unicodeScalars.append(isForbidden ? "?" : scalar)
      }
    }
    return escaped
  }

  mutating func raw(_ line: String) { text += line + "\n" }

  /// Adds a line through points; a single point becomes a dot. `more` contains further attributes.
  mutating func line(_ points: [Point], _ ink: Ink, _ more: String = "") {
    line(points, attributes: ink.attributes + (more.isEmpty ? "" : " " + more))
  }

  mutating func line(_ points: [Point], attributes: String) {
    if points.count == 1, let point = points.first {
      raw("<circle \(attributes) cx=\"\(Self.number(point.x))\" cy=\"\(Self.number(point.y))\" r=\"0.6\"/>")
    } else if points.count > 1 {
      var bytes: [UInt8] = []
      for point in points {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        Self.append(point.x, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        Self.append(point.y, to: &bytes)
      }
      raw("<polyline \(attributes) points=\"\(String(decoding: bytes, as: UTF8.self))\"/>")
    }
  }

  mutating func line(x: Double, from top: Double, to bottom: Double, _ ink: Ink, _ more: String = "") {
    line([Point(x: x, y: top), Point(x: x, y: bottom)], ink, more)
  }

  mutating func line(y: Double, from left: Double, to right: Double, _ ink: Ink, _ more: String = "") {
    line([Point(x: left, y: y), Point(x: right, y: y)], ink, more)
  }

  mutating func circle(_ center: Point, radius: Double, _ ink: Ink) {
    raw(
      "<circle \(ink.attributes) cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\" r=\"\(Self.number(radius))\"/>"
    )
  }

  mutating func rectangle(x: Double, y: Double, width: Double, height: Double, _ attributes: String) {
    let (x, y, width, height) = (Self.number(x), Self.number(y), Self.number(width), Self.number(height))
    raw("<rect \(attributes) x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>")
  }

  /// Adds text on a baseline; `more` contains further attributes after a space.
  mutating func label(
    _ content: String, x: Double, y: Double, _ alignment: Alignment = .start, _ ink: Ink = .text,
    _ more: String = ""
  ) {
    let anchor = alignment == .start ? "" : " text-anchor=\"\(alignment.rawValue)\""
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    raw("<text \(ink.attributes)\(anchor)\(more) \(place)>\(Self.escaped(content))</text>")
  }
}

/// The colours of time: steps of Oklab (Ottosson 2020) with the lightness 0.40...0.82, the hue 300°...110° and the
/// chroma 0.14, or the largest that sRGB contains. The even lightness shows the order also in greyscale.
enum TimeColors {
  private static let steps = [
    0x552F86, 0x444AA2, 0x1866B1, 0x077FA6, 0x0195A1, 0x09AA97, 0x45BD80, 0x8EC767, 0xCACC56,
  ].map { RGB(hex: $0) }

  /// The colour of a fraction of the time, 0...1.
  static func color(_ fraction: Double) -> RGB {
    let place = min(max(fraction.isFinite ? fraction : 0, 0), 1) * Double(steps.count - 1)
    let index = min(Int(place), steps.count - 2)
    let (first, second, part) = (steps[index], steps[index + 1], place - Double(index))
    func between(_ low: UInt8, _ high: UInt8) -> UInt8 {
      UInt8((Double(low) + part * (Double(high) - Double(low))).rounded())
    }
    return RGB(
      red: between(first.red, second.red), green: between(first.green, second.green),
      blue: between(first.blue, second.blue))
  }
}
