// What is reported of a message, a sample, a robot: values by name, for every printer.

/// What a field holds.
public enum FieldValue: Hashable, Sendable {
  /// An integer and what its counts stand for.
  case integer(Int64, Quantity)
  /// A number in the unit of its field, with so many decimals.
  case decimal(Double, digits: Int)
  /// A single-precision number of the wire.
  case number(Float)
  /// A code: its name, where it has one, and its number; without a number, it is not known.
  case choice(String?, Int64?)
  /// Option bits: the names of those that are set, and their number; without a number, they are not known.
  case flags([String], Int64?)
  /// Yes or no.
  case flag(Bool)
  /// Raw bytes.
  case bytes([UInt8])
  /// Text.
  case text(String)
  /// Nothing is known.
  case missing
  /// Values one after the other.
  case list([FieldValue])
  /// Values by name.
  case record([Field])

  /// A plain integer.
  package static func count(_ number: some BinaryInteger) -> FieldValue {
    .integer(Int64(clamping: number), .count)
  }

  /// Text, or nothing.
  package static func text(_ text: String?) -> FieldValue { text.map { .text($0) } ?? .missing }

  /// A number with so many decimals, or nothing.
  package static func decimal(_ number: Double?, digits: Int) -> FieldValue {
    number.map { .decimal($0, digits: digits) } ?? .missing
  }

  /// Seconds with so many decimals, or nothing.
  package static func seconds(_ time: Duration?, digits: Int = 6) -> FieldValue {
    .decimal(time?.inSeconds, digits: digits)
  }

  /// What stands for a code without a name.
  package static func unknown(_ raw: Int64) -> String {
    "unknown \(String(raw, radix: 16, uppercase: true))h"
  }

  /// Names of option bits in a row.
  package static func joined(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: "+")
  }
}

/// A value by its name.
public struct Field: Hashable, Sendable {
  /// The name, in camel case or in snake case; printers write it in snake case.
  public var name: String
  /// The unit in which the value is given; it does not depend on whether there is one.
  public var unit: Quantity.Unit
  /// The value.
  public var value: FieldValue

  /// Names a value.
  public init(_ name: String, _ unit: Quantity.Unit, _ value: FieldValue) {
    (self.name, self.unit, self.value) = (name, unit, value)
  }

  /// Names a value that has no unit.
  public init(_ name: String, _ value: FieldValue) { self.init(name, .one, value) }

  /// Names counts of a quantity, or their absence.
  package init(_ name: String, _ quantity: Quantity, counts: Int64?) {
    self.init(name, quantity.unit, counts.map { .integer($0, quantity) } ?? .missing)
  }
}

extension FieldValue: CustomStringConvertible {
  /// The value as people read it, a count with its unit; text is quoted, bytes are hexadecimal.
  public var description: String { Self.text { append(readable: &$0) } }

  /// The value alone, as it stands in a column: without unit and quotation marks.
  package var plain: String { Self.text { append(plain: &$0) } }

  /// The value alone, safe to print on a terminal: control characters that a robot may send are escaped.
  package var printable: String { Self.text { append(printable: &$0) } }

  /// Appends the ``description``.
  package func append(readable bytes: inout [UInt8]) {
    switch self {
    case .integer(_, let quantity):
      append(plain: &bytes)
      bytes += "\(quantity.unit.symbol)".utf8
    case .bytes(let raw):
      if raw.isEmpty {
        bytes.append(UInt8(ascii: "-"))
      } else {
        Hexadecimal.append(raw, separator: [0x20], to: &bytes)
      }
    case .text(let text): bytes += "\"\(text.map(Self.escaped).joined())\"".utf8
    default: append(plain: &bytes)
    }
  }

  /// Appends the value alone.
  package func append(plain bytes: inout [UInt8]) {
    switch self {
    case .integer(let count, let quantity): Decimal.append(count, of: quantity, to: &bytes)
    case .decimal(let number, let digits):
      if number.isFinite { Decimal.append(number, digits: digits, to: &bytes) }
    case .number(let number): bytes += Decimal.text(number).utf8
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

  /// Appends the value alone, safe to print.
  func append(printable bytes: inout [UInt8]) {
    let start = bytes.count
    append(plain: &bytes)
    guard bytes[start...].contains(where: { !(0x20..<0x7F).contains($0) }) else { return }
    let text = String(decoding: bytes[start...], as: UTF8.self)
    bytes.removeLast(bytes.count - start)
    bytes += text.map { $0 == "\"" || $0 == "\\" ? String($0) : Self.escaped($0) }.joined().utf8
  }

  private static func text(_ append: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    append(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default:
      let isControl = character.unicodeScalars.contains {
        // Those of ASCII and Latin 1, and those that turn the direction of writing.
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x200E...0x200F).contains($0.value)
          || (0x2028...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
      }
      return isControl
        ? character.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined() : "\(character)"
    }
  }
}
