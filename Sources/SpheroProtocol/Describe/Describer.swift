// Names every field of a message for people and programs: value, unit and place on the wire.

/// A field as a dissector shows it.
public struct FieldDescription: Hashable, Sendable {
  /// What a field holds.
  public enum Value: Hashable, Sendable {
    /// An integer and what its counts stand for.
    case integer(Int64, Quantity)
    /// A value with a name, and its raw number.
    case choice(String, Int64)
    /// Raw bytes.
    case bytes([UInt8])
    /// Text.
    case text(String)
    /// A single-precision number.
    case number(Float)
  }

  /// The field's name.
  public var name: String
  /// What it holds.
  public var value: Value
  /// Where it lies in the payload.
  public var range: Range<Int>
  /// What it holds in turn: the steps of a macro, the lines of a program, the known places of a block.
  public var parts: [FieldDescription]

  /// Describes a field.
  public init(name: String, value: Value, range: Range<Int>, parts: [FieldDescription] = []) {
    (self.name, self.value, self.range, self.parts) = (name, value, range, parts)
  }
}

extension FieldDescription: CustomStringConvertible {
  /// The field as `name=value`, with its unit.
  public var description: String { "\(name)=\(value)" }
}

extension FieldDescription.Value: CustomStringConvertible {
  /// The value with its unit; text is quoted, bytes are hexadecimal.
  public var description: String {
    switch self {
    case .integer(let count, let quantity):
      let (symbol, perCount) = quantity.unit
      return (perCount == 1 ? "\(count)" : Decimal.text(Double(count) * perCount, digits: 2)) + symbol
    case .choice(let name, _): return name
    case .number(let number): return "\(number)"
    case .bytes(let bytes): return bytes.isEmpty ? "-" : Hexadecimal.text(bytes)
    case .text(let text): return "\"\(text.map(Self.escaped).joined())\""
    }
  }

  private static func escaped(_ character: Character) -> String {
    switch character {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\"": return "\\\""
    case "\\": return "\\\\"
    default:
      let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      return isControl
        ? character.unicodeScalars.map { "\\u{\(String($0.value, radix: 16))}" }.joined() : "\(character)"
    }
  }
}

/// Collects a description of every field it visits.
public struct Describer: Wire {
  /// The fields in wire order.
  public private(set) var fields: [FieldDescription] = []
  private var offset = 0

  /// Starts with no fields.
  public init() {}

  /// Nothing is being read.
  public var remaining: Int? { nil }

  /// An optional field is shown where the message has it.
  public mutating func follows(_ isPresent: Bool) -> Bool { isPresent }

  /// Describes an integer.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    add(name, .integer(Int64(value), quantity), Value.bitWidth / 8)
  }

  /// Describes a value that has a name.
  public mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    add(name, .choice(value.name, Int64(value.rawValue)), Value.RawValue.bitWidth / 8)
  }

  /// Describes bytes or text.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {
    let bytes = value.bytes
    add(name, Value.isText ? .text("\(WireText(bytes: bytes))") : .bytes(bytes), bytes.count)
  }

  private mutating func add(_ name: StaticString, _ value: FieldDescription.Value, _ count: Int) {
    fields.append(FieldDescription(name: "\(name)", value: value, range: offset..<(offset + count)))
    offset += count
  }
}
