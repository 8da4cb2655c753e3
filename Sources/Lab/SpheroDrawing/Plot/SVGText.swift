// The few elements of SVG that pictures are made of, as text.

import SpheroControls
import SpheroProtocol

/// An SVG picture that is being written: elements one after the other.
struct SVGText: Sendable {
  private(set) var text = ""

  /// A number with two decimals at most.
  static func number(_ value: Double) -> String {
    var text = Decimal.text(value.isFinite ? value : 0, digits: 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Text without what means something in XML, or must not be there.
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

  /// Adds a line of source as it is.
  mutating func raw(_ line: String) { text += line + "\n" }

  /// Adds a line through points; a single one becomes a dot.
  mutating func line(_ points: [Point], class name: String, style: String = "") {
    let style = style.isEmpty ? "" : " style=\"\(style)\""
    if points.count == 1, let point = points.first {
      raw(
        "<circle class=\"\(name) dot\"\(style) cx=\"\(Self.number(point.x))\" cy=\"\(Self.number(point.y))\" r=\"1.5\"/>"
      )
    } else if points.count > 1 {
      let places = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
      raw("<polyline class=\"\(name)\"\(style) points=\"\(places)\"/>")
    }
  }

  /// Adds a circle.
  mutating func circle(_ center: Point, radius: Double, class name: String) {
    raw(
      "<circle class=\"\(name)\" cx=\"\(Self.number(center.x))\" cy=\"\(Self.number(center.y))\" r=\"\(Self.number(radius))\"/>"
    )
  }

  /// Adds a text; `class` may align it: `end`, `middle`.
  mutating func label(_ content: String, x: Double, y: Double, class name: String = "") {
    let name = name.isEmpty ? "" : " class=\"\(name)\""
    raw("<text\(name) x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(Self.escaped(content))</text>")
  }
}
