// Names every field of a message for people and programs: value, unit and place on the wire.

/// A field as a dissector shows it.
public struct FieldDescription: Hashable, Sendable {
  /// What a field holds.
  public typealias Value = FieldValue

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
    add(name, Value.described(value.rawValue), Value.RawValue.bitWidth / 8)
  }

  /// Describes bytes or text.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {
    let bytes = value.bytes
    add(name, Value.isText ? .text("\(WireText(bytes: bytes))") : .bytes(bytes), bytes.count)
  }

  private mutating func add(_ name: StaticString, _ value: FieldValue, _ count: Int) {
    fields.append(FieldDescription(name: "\(name)", value: value, range: offset..<(offset + count)))
    offset += count
  }
}
