// Describes the fields of a message or of a payload as sent: name, value, unit and range in the payload.

/// A field with its value and its range in the payload.
public struct FieldDescription: Hashable, Sendable, CustomStringConvertible {
  /// The name of the field in its message.
  public var name: String
  /// The decoded value in its unit.
  public var value: FieldValue
  /// The bytes of the field in the payload.
  public var range: Range<Int>
  /// The steps of a macro, the lines of a program, or the known fields of a block.
  public var parts: [FieldDescription]

  public init(name: String, value: FieldValue, range: Range<Int>, parts: [FieldDescription] = []) {
    (self.name, self.value, self.range, self.parts) = (name, value, range, parts)
  }

  public var description: String { "\(name)=\(value)" }
}

/// Describes the visited fields: the values of a message, or the bytes of a payload.
///
/// An invalid value, which a ``Reader`` refuses, is described by its number and a remark.
struct Describer: Wire {
  /// Reads the payload; nil if the values of a message are described.
  private var reader: Reader?
  private(set) var offset = 0
  fileprivate(set) var fields: [FieldDescription] = []
  /// The errors for which a ``Reader`` would refuse the payload.
  fileprivate(set) var remarks: [WireError] = []

  init() {}

  init(_ bytes: [UInt8], from offset: Int = 0) {
    (reader, self.offset) = (Reader(bytes, from: offset), offset)
  }

  var remaining: Int? { reader?.remaining }

  mutating func follows(_ isPresent: Bool) -> Bool { reader?.follows(isPresent) ?? isPresent }

  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    try reader?.field(name, &value)
    if !range.contains(value) { remarks.append(.outOfRange(name, value, range)) }
    add(name, .integer(Int64(value), quantity), Value.bitWidth / 8)
  }

  mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    var raw = value.rawValue
    try reader?.field(name, &raw)
    if let known = Value(rawValue: raw) {
      value = known
    } else {
      remarks.append(.unknownValue(field: "\(name)", value: Int64(raw), offset: offset))
    }
    add(name, Value.described(raw), Value.RawValue.bitWidth / 8)
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    try reader?.field(name, &value, count: counts)
    add(name, Value.described(value.bytes), value.bytes.count)
  }

  private mutating func add(_ name: StaticString, _ value: FieldValue, _ count: Int) {
    fields.append(FieldDescription(name: "\(name)", value: value, range: offset..<(offset + count)))
    offset += count
  }
}

extension Message {
  /// Describes a payload of this kind as sent.
  ///
  /// The fields, in wire order, cover all bytes; the remarks are the errors for which a ``Reader`` would refuse them.
  /// If the payload ends inside a field, its last bytes are a field `rest`; bytes after the layout are a field `excess`.
  public static func describe(
    _ payload: [UInt8]
  ) -> (fields: [FieldDescription], remarks: [WireError]) {
    var describer = Describer(payload)
    var message = Self()
    var failure: WireError?
    do throws(WireError) { try message.layout(&describer) } catch { failure = error }
    if let failure { describer.remarks.append(failure) }
    let (start, count) = (describer.offset, payload.count - describer.offset)
    guard count > 0 else { return (describer.fields, describer.remarks) }
    if failure == nil { describer.remarks.append(.excess(offset: start, count: count)) }
    let name = failure == nil ? "excess" : "rest"
    let bytes = FieldValue.bytes(Array(payload[start...]))
    describer.fields.append(FieldDescription(name: name, value: bytes, range: start..<payload.count))
    return (describer.fields, describer.remarks)
  }
}
