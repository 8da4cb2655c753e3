// The colour of the robot's light as three bytes, by the names of CSS and as text, and the errors of parsing it.

import SpheroOrientation

/// A colour of the robot's light: three bytes, as on the wire (Sphero API 1.50, Set RGB LED Output).
public struct RGB: Hashable, Sendable, CustomStringConvertible {
  public var red, green, blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Converts a colour, with each component rounded half up.
  public init(_ color: HSB) {
    let components = color.components
    red = components.red.byte
    green = components.green.byte
    blue = components.blue.byte
  }

  /// Creates a colour from text: `#rrggbb`, `rrggbb`, `#rgb`, the name of a ``NamedColor``,
  /// or three numbers 0...255 separated by commas or spaces; case is ignored.
  ///
  /// - Throws: ``ColorParsingError``.
  public init(parsing text: String) throws(ColorParsingError) {
    let parts = text.split { $0 == "," || $0 == " " }
    if parts.count > 1 {
      guard parts.count == 3 else { throw .partCount(parts.count) }
      var bytes: [UInt8] = []
      for (part, name) in zip(parts, ["red", "green", "blue"]) {
        // `UInt8` also reads a sign.
        guard part.allSatisfy({ $0 != "+" && $0 != "-" }), let byte = UInt8(part) else {
          throw .notAByte(String(part), of: name)
        }
        bytes.append(byte)
      }
      self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
      return
    }
    let isBare = text.count == 6 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard text.first == "#" || isBare else {
      guard let named = NamedColor(rawValue: text.lowercased()) else { throw .unknownName(text) }
      self = named.rgb
      return
    }
    let digits = text.dropFirst(isBare ? 0 : 1)
    for (offset, digit) in text.enumerated().dropFirst(isBare ? 0 : 1)
    where !digit.isASCII || !digit.isHexDigit { throw .notHexadecimal(digit, offset: offset) }
    // Each digit of #rgb stands for two of #rrggbb.
    let pairs = digits.count == 3 ? String(digits.flatMap { [$0, $0] }) : String(digits)
    guard pairs.count == 6, let hex = UInt32(pairs, radix: 16) else { throw .digitCount(digits.count) }
    self.init(hex: hex)
  }

  /// The colour as lowercase `#rrggbb`, which ``init(parsing:)`` accepts.
  public var description: String {
    "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension RGB {
  package init(hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  public static let black = RGB(hex: 0x000000)
  /// The light is off: `#000000`.
  public static let off = black
  public static let silver = RGB(hex: 0xC0C0C0)
  public static let gray = RGB(hex: 0x808080)
  public static let white = RGB(hex: 0xFFFFFF)
  public static let maroon = RGB(hex: 0x800000)
  public static let red = RGB(hex: 0xFF0000)
  public static let purple = RGB(hex: 0x800080)
  public static let fuchsia = RGB(hex: 0xFF00FF)
  /// `#00ff00`, the full green of the LED; `green` of CSS is `#008000`.
  public static let green = RGB(hex: 0x00FF00)
  public static let lime = RGB(hex: 0x00FF00)
  public static let olive = RGB(hex: 0x808000)
  public static let yellow = RGB(hex: 0xFFFF00)
  public static let navy = RGB(hex: 0x000080)
  public static let blue = RGB(hex: 0x0000FF)
  public static let teal = RGB(hex: 0x008080)
  public static let aqua = RGB(hex: 0x00FFFF)
  public static let cyan = RGB(hex: 0x00FFFF)
  public static let magenta = RGB(hex: 0xFF00FF)
  public static let orange = RGB(hex: 0xFFA500)
  public static let pink = RGB(hex: 0xFFC0CB)
  public static let brown = RGB(hex: 0xA52A2A)
  public static let gold = RGB(hex: 0xFFD700)
  public static let indigo = RGB(hex: 0x4B0082)
  public static let violet = RGB(hex: 0xEE82EE)
  public static let coral = RGB(hex: 0xFF7F50)
  public static let turquoise = RGB(hex: 0x40E0D0)
}

/// A named colour, with the basic and best known names of CSS.
///
/// The values are those of CSS except ``green``, which is the full green of the LED; ``off`` is black.
public enum NamedColor: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case black, off, silver, gray, white, maroon, red, purple, fuchsia, green, lime, olive, yellow, navy
  case blue, teal, aqua, cyan, magenta, orange, pink, brown, gold, indigo, violet, coral, turquoise

  public var rgb: RGB {
    switch self {
    case .black, .off: .black
    case .silver: .silver
    case .gray: .gray
    case .white: .white
    case .maroon: .maroon
    case .red: .red
    case .purple: .purple
    case .fuchsia, .magenta: .magenta
    case .green, .lime: .green
    case .olive: .olive
    case .yellow: .yellow
    case .navy: .navy
    case .blue: .blue
    case .teal: .teal
    case .aqua, .cyan: .cyan
    case .orange: .orange
    case .pink: .pink
    case .brown: .brown
    case .gold: .gold
    case .indigo: .indigo
    case .violet: .violet
    case .coral: .coral
    case .turquoise: .turquoise
    }
  }

  public var description: String { rawValue }
}

#if !hasFeature(Embedded)
  extension NamedColor: Codable {}

  extension RGB: Codable {
    /// Decodes any text that ``init(parsing:)`` accepts.
    public init(from decoder: any Decoder) throws {
      let text = try String(from: decoder)
      do throws(ColorParsingError) { try self.init(parsing: text) } catch {
        throw decoder.refusal(error.message)
      }
    }

    /// Encodes the colour as `"#ff8000"`.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
  }
#endif

/// An invalid text of a colour.
@nonexhaustive public enum ColorParsingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text has no leading `#` and is not the name of a ``NamedColor``.
  case unknownName(String)
  /// The number of digits after the `#` is not 3 or 6.
  case digitCount(Int)
  /// A character is not a hexadecimal digit; `offset` counts characters, with the `#` at 0.
  case notHexadecimal(Character, offset: Int)
  /// The number of words is not 1 or 3.
  case partCount(Int)
  /// The text of a component, `red`, `green` or `blue`, is not a number 0...255.
  case notAByte(String, of: String)

  public var description: String { "\(message). \(advice)" }

  public var message: String {
    switch self {
    case .unknownName(let name): "'\(name)' is not a colour name"
    case .digitCount(let count): "a colour has 3 or 6 hexadecimal digits after the #, not \(count)"
    case .notHexadecimal(let character, let offset):
      "'\(character)' at offset \(offset) is not a hexadecimal digit"
    case .partCount(let count): "a colour is one word or three numbers, not \(count) words"
    case .notAByte(let text, let name): "'\(text)' is not a value for \(name)"
    }
  }

  public var advice: String {
    switch self {
    case .unknownName: "Write a name such as 'red', or rrggbb."
    case .digitCount, .notHexadecimal: "Write #rrggbb or #rgb."
    case .partCount: "Write red, green and blue as numbers 0...255, a name, or rrggbb."
    case .notAByte: "Write a number 0...255."
    }
  }
}
