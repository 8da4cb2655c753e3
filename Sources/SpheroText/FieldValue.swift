// Named values with units, and their text.

/// The value of a field.
public enum FieldValue: Hashable, Sendable {
  /// An integer in counts of a quantity; like every number, it is printed as missing if its value is not finite.
  case integer(Int64, Quantity)
  /// A number in the unit of its field, and its number of decimals in text.
  case decimal(Double, digits: Int)
  /// A single-precision number of the wire.
  case number(Float)
  /// A code: its name, or nil if it has none, and its number; nil and nil if the value is missing.
  case choice(String?, Int64?)
  /// Option bits: the names of the set bits, and the raw value; nil if the value is missing.
  case flags([String], Int64?)
  case flag(Bool)
  case bytes([UInt8])
  case text(String)
  /// The value is unknown or absent.
  case missing
  case list([FieldValue])
  case record([Field])

  @inlinable package static func count(_ number: some BinaryInteger) -> FieldValue {
    .integer(Int64(clamping: number), .count)
  }

  package static func text(_ text: String?) -> FieldValue { text.map { .text($0) } ?? .missing }

  package static func decimal(_ number: Double?, digits: Int) -> FieldValue {
    number.map { .decimal($0, digits: digits) } ?? .missing
  }

  package static func seconds(_ time: Duration?, digits: Int = 6) -> FieldValue {
    .decimal(time?.inSeconds, digits: digits)
  }

  /// The text of a code without a name: `unknown 1Fh`.
  package static func unknown(_ raw: Int64) -> String {
    "unknown \(String(raw, radix: 16, uppercase: true))h"
  }

  /// The text of option bits: `a+b`, or `none`.
  package static func joined(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: "+")
  }
}

/// A named value with its unit.
public struct Field: Hashable, Sendable {
  /// The name in camel case or snake case; printers write snake case.
  public var name: String
  /// The unit of the value, also of a missing one.
  public var unit: Quantity.Unit
  public var value: FieldValue

  public init(_ name: String, _ unit: Quantity.Unit, _ value: FieldValue) {
    (self.name, self.unit, self.value) = (name, unit, value)
  }

  /// Creates a field without a unit.
  public init(_ name: String, _ value: FieldValue) { self.init(name, .one, value) }

  /// Creates a field in counts of a quantity; nil counts are a missing value.
  package init(_ name: String, _ quantity: Quantity, counts: Int64?) {
    self.init(name, quantity.unit, counts.map { .integer($0, quantity) } ?? .missing)
  }
}

extension FieldValue {
  /// The value as a finite number in its unit; nil for any other value.
  package var number: Double? {
    let number: Double? =
      switch self {
      case .integer(let count, let quantity): quantity.value(of: count)
      case .decimal(let number, _): number
      case .number(let number): Double(number)
      default: nil
      }
    return number?.isFinite == true ? number : nil
  }

  /// The number of a code or of option bits as a separate value; nil for values of other kinds.
  var code: FieldValue? {
    switch self {
    case .choice(_, let raw), .flags(_, let raw): raw.map { .count($0) } ?? .missing
    default: nil
    }
  }
}

extension FieldValue: CustomStringConvertible {
  /// The value in readable form: counts with their unit, quoted text, hexadecimal bytes and masks.
  public var description: String { String.text { append(readable: &$0) } }

  /// The value without unit and quotation marks, as in the column of a table.
  package var plain: String { String.text { append(plain: &$0) } }

  /// The ``plain`` value with escaped control characters, since a robot may send any byte to the terminal.
  package var printable: String { String.text { append(printable: &$0) } }

  package func append(readable bytes: inout [UInt8]) {
    switch self {
    case .integer(let bits, let quantity) where quantity.isMask:
      bytes += "0x\(Hexadecimal.text(UInt32(truncatingIfNeeded: bits)))".utf8
    case .integer(_, let quantity) where number != nil:
      append(plain: &bytes)
      bytes += "\(quantity.unit.symbol)".utf8
    case .bytes(let raw):
      if raw.isEmpty { bytes.append(UInt8(ascii: "-")) }
      Hexadecimal.append(raw, separator: [0x20], to: &bytes)
    case .text(let text): bytes += "\"\(text.map(Self.escaped).joined())\"".utf8
    default: append(plain: &bytes)
    }
  }

  /// Appends the ``plain`` value; nothing for a missing value and for a number that is not finite.
  package func append(plain bytes: inout [UInt8]) {
    switch self {
    case .integer(let count, let quantity): Decimal.append(count, of: quantity, to: &bytes)
    case .decimal(let number, let digits):
      if number.isFinite { Decimal.append(number, digits: digits, to: &bytes) }
    case .number(let number): if number.isFinite { bytes += Decimal.text(number).utf8 }
    case .choice(let name, let raw): bytes += (name ?? raw.map(Self.unknown) ?? "").utf8
    case .flags(let names, let raw): bytes += (raw == nil ? "" : Self.joined(names)).utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .bytes(let raw): Hexadecimal.append(raw, to: &bytes)
    case .text(let text): bytes += text.utf8
    case .missing: break
    case .list(let values):
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: " ")) }
        value.append(plain: &bytes)
      }
    case .record(let fields):
      for (index, field) in fields.enumerated() {
        bytes += ((index > 0 ? " " : "") + field.name + "=").utf8
        field.value.append(plain: &bytes)
      }
    }
  }

  func append(printable bytes: inout [UInt8]) {
    let start = bytes.count
    append(plain: &bytes)
    guard bytes[start...].contains(where: { !(0x20..<0x7F).contains($0) }) else { return }
    let text = String(decoding: bytes[start...], as: UTF8.self)
    bytes.removeLast(bytes.count - start)
    bytes += text.map { $0 == "\"" || $0 == "\\" ? String($0) : Self.escaped($0) }.joined().utf8
  }

  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default:
      let isControl = character.unicodeScalars.contains {
        switch $0.value {
        // Control characters of ASCII and Latin 1, line separators, and characters that change the writing direction.
        case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
      }
      return isControl
        ? character.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined() : "\(character)"
    }
  }
}
