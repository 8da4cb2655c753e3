// Documents a message as a table of its fields.

/// A row of the table of a message.
public struct FieldRow: Hashable, Sendable {
  /// The offset of the field in the payload, or nil after a field of variable length.
  public var offset: Int?
  /// The type on the wire: `u16` or `text[0...48]`.
  public var type: String
  /// The name of the field in its message.
  public var name: String
  /// The unit and scale of an integer; `.count` for other fields.
  public var quantity: Quantity
  /// The names of the values or of their bits.
  public var choices: [String]
  /// The range, the choices or the bits, or an empty text if any value may be sent.
  public var values: String
  /// Whether the payload may end before the field.
  public var isOptional: Bool

  /// The value of one count: `V`, or with a scale `0.01 V`; empty for a number without a unit.
  public var unit: String {
    let unit = "\("\(quantity.unit.symbol)".drop { $0 == " " })"
    return quantity.perCount == 1 ? unit : "\(quantity.perCount) \(unit)"
  }
}

struct TableWriter: Wire {
  private(set) var rows: [FieldRow] = []
  private var offset: Int? = 0
  private var isOptional = false

  mutating func follows(_ isPresent: Bool) -> Bool {
    isOptional = true
    return true
  }

  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    let values = range == .min ... .max ? "" : "\(range.lowerBound)...\(range.upperBound)"
    add(name, Self.type(Value.self), Value.bitWidth / 8, values, quantity)
  }

  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    let values = Value.named.map { choice in
      Value.isFlags
        ? "bit \(choice.rawValue.trailingZeroBitCount) \(choice.name)" : "\(choice.rawValue) \(choice.name)"
    }
    add(
      name, Self.type(Value.RawValue.self), Value.RawValue.bitWidth / 8,
      values.joined(separator: ", "), choices: Value.named.map { $0.name })
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {
    let kind = Value.isText ? "text" : "bytes"
    let isFixed = counts.lowerBound == counts.upperBound
    let count = isFixed ? "\(counts.lowerBound)" : "\(counts.lowerBound)...\(counts.upperBound)"
    add(name, "\(kind)[\(count)]", isFixed ? counts.lowerBound : nil)
  }

  private static func type<Value: WireInteger>(_ type: Value.Type) -> String {
    (Value.isSigned ? "i" : "u") + "\(Value.bitWidth)"
  }

  private mutating func add(
    _ name: StaticString, _ type: String, _ count: Int?, _ values: String = "",
    _ quantity: Quantity = .count, choices: [String] = []
  ) {
    rows.append(
      FieldRow(
        offset: offset, type: type, name: "\(name)", quantity: quantity, choices: choices, values: values,
        isOptional: isOptional))
    offset = count.flatMap { count in offset.map { $0 + count } }
  }
}

extension Message {
  /// The layout of this kind of message, with all optional fields.
  public static var table: [FieldRow] { Self().table }

  /// The layout of this message, with all optional fields.
  public var table: [FieldRow] {
    var writer = TableWriter()
    var copy = self
    // No method of a table writer throws.
    try? copy.layout(&writer)
    return writer.rows
  }
}
