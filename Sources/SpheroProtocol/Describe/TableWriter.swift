// Documents a message: every field it visits becomes a row of a table.

/// A field as documentation shows it.
public struct FieldRow: Hashable, Sendable {
  /// Where the field begins in the payload, or nil after a field whose length varies.
  public var offset: Int?
  /// What lies on the wire, like `u16` or `text[0...48]`.
  public var type: String
  /// The field's name.
  public var name: String
  /// The unit in which people read it, or nothing.
  public var unit: String
  /// What one count stands for; of anything but an integer, a plain number.
  public var quantity: Quantity
  /// Whether the values have names or are bits that have names.
  public var isCode: Bool
  /// The range, the choices or the bits, or nothing where any value may be sent.
  public var values: String
  /// Whether the payload may end before it.
  public var isOptional: Bool
}

/// Collects a row for every field it visits.
public struct TableWriter: Wire {
  /// The rows in wire order.
  public private(set) var rows: [FieldRow] = []
  private var offset: Int? = 0
  private var isOptional = false

  /// Starts with no rows.
  public init() {}

  /// Nothing is being read.
  public var remaining: Int? { nil }

  /// An optional field is shown, and so is all that follows it.
  public mutating func follows(_ isPresent: Bool) -> Bool {
    isOptional = true
    return true
  }

  /// Adds a row for an integer.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    let perCount = quantity.perCount
    let unit = "\(quantity.unit.symbol)".drop { $0 == " " }
    let values = range == .min ... .max ? "" : "\(range.lowerBound)...\(range.upperBound)"
    add(
      name, Self.type(Value.self), Value.bitWidth / 8, values,
      perCount == 1 ? "\(unit)" : "\(perCount) \(unit)", quantity)
  }

  /// Adds a row for a value that has a name.
  public mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    let values = Value.named.map { choice in
      Value.isFlags
        ? "bit \(choice.rawValue.trailingZeroBitCount) \(choice.name)" : "\(choice.rawValue) \(choice.name)"
    }
    add(
      name, Self.type(Value.RawValue.self), Value.RawValue.bitWidth / 8,
      values.joined(separator: ", "), isCode: true)
  }

  /// Adds a row for bytes or text.
  public mutating func field<Value: WireBytes>(
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
    _ name: StaticString, _ type: String, _ count: Int?, _ values: String = "", _ unit: String = "",
    _ quantity: Quantity = .count, isCode: Bool = false
  ) {
    rows.append(
      FieldRow(
        offset: offset, type: type, name: "\(name)", unit: unit, quantity: quantity, isCode: isCode,
        values: values, isOptional: isOptional))
    offset = count.flatMap { count in offset.map { $0 + count } }
  }
}

extension Message {
  /// The layout of this kind of message as documentation shows it; of a record that grew, the longest form.
  public static var table: [FieldRow] { Self().table }

  /// The layout as documentation shows it.
  public var table: [FieldRow] {
    var writer = TableWriter()
    var copy = self
    // A table writer refuses nothing.
    try? copy.layout(&writer)
    return writer.rows
  }
}
