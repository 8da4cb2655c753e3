// ASCII characters in place of the symbols of pictures, for terminals without UTF-8.

extension Unicode.Scalar {
  /// The printable ASCII character that resembles a character of a canvas; `?` for a character without one.
  var ascii: Unicode.Scalar {
    switch value {
    case 0x20...0x7E: self
    case 0x2800...0x28FF: Self.ascii(dots: UInt8(truncatingIfNeeded: value))
    case 0x2580...0x258C, 0x2590...0x259F: "#"
    // Left blocks of up to three eighths, and vertical lines.
    case 0x258D...0x258F, 0x2502, 0x2503, 0x2551: "|"
    case 0x2500, 0x2501, 0x2550, 0x2010...0x2015, 0x2212: "-"
    case 0x2504...0x257F: "+"
    case 0xB7, 0x2022, 0x2026: "."
    case 0x25CB, 0x25CF: "o"
    case 0x25B2: "^"
    case 0x25B6, 0x25BA, 0x2192: ">"
    case 0x25BC: "v"
    case 0x25C0, 0x25C4, 0x2190: "<"
    // A no-break space, and a degree sign, which is left out after its number.
    case 0xA0, 0xB0: " "
    case 0x2018, 0x2019: "'"
    case 0x201C, 0x201D: "\""
    default: "?"
    }
  }

  /// A character of similar shape as a braille pattern, whose rows from the top are the bits 0x09, 0x12,
  /// 0x24 and 0xC0.
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
