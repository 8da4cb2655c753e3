// Describes the fields of a payload as sent: invalid values are reported in remarks, not refused.

/// Describes the visited fields of a payload, including invalid values.
///
/// A ``Reader`` throws an error for a value outside its range, or without a meaning;
/// a `PayloadDescriber` describes it by its number and adds a remark. It throws only at the end of a payload that is too short.
struct PayloadDescriber: Wire {
  private var reader: Reader
  private(set) var fields: [FieldDescription] = []
  /// The errors for which a ``Reader`` would refuse the payload.
  private(set) var remarks: [WireError] = []

  init(_ bytes: [UInt8], from offset: Int = 0) { reader = Reader(bytes, from: offset) }

  var offset: Int { reader.offset }

  var remaining: Int? { reader.remaining }

  mutating func follows(_ isPresent: Bool) -> Bool { reader.follows(isPresent) }

  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    let start = offset
    try reader.field(name, &value)
    if !range.contains(value) { remarks.append(.outOfRange(name, value, range)) }
    add(name, .integer(Int64(value), quantity), from: start)
  }

  mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    let start = offset
    var raw = value.rawValue
    try reader.field(name, &raw)
    if let known = Value(rawValue: raw) {
      value = known
    } else {
      remarks.append(.unknownValue(field: "\(name)", value: Int64(raw), offset: start))
    }
    add(name, Value.described(raw), from: start)
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    let start = offset
    var bytes: [UInt8] = []
    try reader.field(name, &bytes, count: counts)
    value = Value(bytes: bytes)
    add(name, Value.described(bytes), from: start)
  }

  private mutating func add(_ name: StaticString, _ value: FieldValue, from start: Int) {
    fields.append(FieldDescription(name: name.description, value: value, range: start..<offset))
  }

  /// The fields and remarks, with the bytes after the last complete field.
  fileprivate consuming func result(
    for payload: [UInt8], failure: WireError?
  ) -> (fields: [FieldDescription], remarks: [WireError]) {
    if let failure { remarks.append(failure) }
    if offset < payload.count {
      if failure == nil { remarks.append(.excess(offset: offset, count: payload.count - offset)) }
      let (name, bytes) = (failure == nil ? "excess" : "rest", Array(payload[offset...]))
      fields.append(FieldDescription(name: name, value: .bytes(bytes), range: offset..<payload.count))
    }
    return (fields, remarks)
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
    var describer = PayloadDescriber(payload)
    var message = Self()
    do throws(WireError) { try message.layout(&describer) } catch {
      return describer.result(for: payload, failure: error)
    }
    return describer.result(for: payload, failure: nil)
  }
}
