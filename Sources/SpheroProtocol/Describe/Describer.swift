// Describes the fields of a message: name, value, unit and range in the payload.

/// A field with its value and its range in the payload.
public struct FieldDescription: Hashable, Sendable, CustomStringConvertible {
  /// The type of a decoded value.
  public typealias Value = FieldValue

  /// The name of the field in its message.
  public var name: String
  /// The decoded value in its unit.
  public var value: Value
  /// The bytes of the field in the payload.
  public var range: Range<Int>
  /// The steps of a macro, the lines of a program, or the known fields of a block.
  public var parts: [FieldDescription]

  public init(name: String, value: Value, range: Range<Int>, parts: [FieldDescription] = []) {
    (self.name, self.value, self.range, self.parts) = (name, value, range, parts)
  }

  public var description: String { "\(name)=\(value)" }
}

/// Describes the visited fields.
struct Describer: Wire {
  private(set) var fields: [FieldDescription] = []
  private var offset = 0

  mutating func follows(_ isPresent: Bool) -> Bool { isPresent }

  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) {
    add(name, .integer(Int64(value), quantity), Value.bitWidth / 8)
  }

  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) {
    add(name, Value.described(value.rawValue), Value.RawValue.bitWidth / 8)
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) {
    add(name, Value.described(value.bytes), value.bytes.count)
  }

  private mutating func add(_ name: StaticString, _ value: FieldValue, _ count: Int) {
    fields.append(FieldDescription(name: "\(name)", value: value, range: offset..<(offset + count)))
    offset += count
  }
}
