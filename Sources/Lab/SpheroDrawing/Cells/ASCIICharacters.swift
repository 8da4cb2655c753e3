// ASCII characters in place of the symbols of pictures, for terminals without UTF-8.

extension Unicode.Scalar {
  /// The printable ASCII character that resembles a character of a canvas; `?` for a character without one.
  var ascii: Unicode.Scalar {
    switch self {
    case " "..."~": self
    // Braille patterns: the low byte has a bit for each dot.
    case "\u{2800}"..."\u{28FF}": Self.ascii(dots: UInt8(truncatingIfNeeded: value))
    case "▀"..."▌", "▐"..."▟": "#"
    case "▍"..."▏", "│", "┃", "║": "|"
    case "─", "━", "═", "\u{2010}"..."\u{2015}", "−": "-"
    // All other box-drawing characters.
    case "┄"..."╿": "+"
    case "·", "•", "…": "."
    case "○", "●": "o"
    case "▲": "^"
    case "▶", "►", "→": ">"
    case "▼": "v"
    case "◀", "◄", "←": "<"
    // A degree sign follows a number, which is legible without it.
    case "\u{A0}", "°": " "
    case "‘", "’": "'"
    case "“", "”": "\""
    default: "?"
    }
  }

  /// Returns a character of a shape similar to that of a braille pattern.
  ///
  /// The rows of the pattern, from the top, are the bits 0x09, 0x12, 0x24 and 0xC0; its left column is 0x47.
  private static func ascii(dots: UInt8) -> Unicode.Scalar {
    let (left, right) = (dots & 0x47, dots & 0xB8)
    let (top, bottom) = (dots & 0x1B, dots & 0xE4)
    if dots == 0 { return " " }
    if dots.nonzeroBitCount >= 6 { return "#" }
    if bottom == 0 { return dots & 0x12 == 0 ? "'" : "-" }
    if top == 0 { return dots & 0xC0 == 0 ? "-" : dots & 0x24 == 0 ? "_" : "." }
    if left == 0 || right == 0 { return "|" }
    let rises = left & bottom != 0 && right & top != 0
    let falls = left & top != 0 && right & bottom != 0
    if rises == falls { return dots & 0xC9 == 0 ? "-" : "+" }
    return rises ? "/" : "\\"
  }
}
