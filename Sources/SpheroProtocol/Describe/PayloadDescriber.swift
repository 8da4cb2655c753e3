// Names every field of a payload as it was sent: what the document forbids is remarked upon, not refused.

/// Describes the fields it visits, whatever their bytes say.
///
/// A ``Reader`` judges, as a robot must; this one reports what was sent.
/// A value outside its range, or without a meaning, is described by its number and leaves a remark.
public struct PayloadDescriber: Wire {
  private let bytes: [UInt8]
  /// Where the next field begins.
  public private(set) var offset: Int
  /// The fields in wire order.
  public private(set) var fields: [FieldDescription] = []
  /// What a ``Reader`` would have refused.
  public private(set) var remarks: [WireError] = []

  /// Reads from a place in a payload.
  public init(_ bytes: [UInt8], from offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, min(max(0, offset), bytes.count))
  }

  /// The bytes that are left.
  public var remaining: Int? { bytes.count - offset }

  /// An optional field follows where bytes are left.
  public mutating func follows(_ isPresent: Bool) -> Bool { offset < bytes.count }

  /// Takes and describes an integer.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)``.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    let start = offset
    value = try taken(name)
    if !range.contains(value) {
      let allowed = Int64(range.lowerBound)...Int64(range.upperBound)
      remarks.append(.outOfRange(field: "\(name)", value: Int64(value), allowed: allowed))
    }
    add(name, .integer(Int64(value), quantity), from: start)
  }

  /// Takes and describes a value that should have a name.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)``.
  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    let start = offset
    let raw: Value.RawValue = try taken(name)
    if let known = Value(rawValue: raw) {
      value = known
    } else {
      remarks.append(.unknownValue(field: "\(name)", value: Int64(raw), offset: start))
    }
    add(name, Value.described(raw), from: start)
  }

  /// Takes and describes the bytes that are left, up to the upper bound.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)`` where fewer are left than the lower bound.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    let start = offset
    let end = offset + min(counts.upperBound, bytes.count - offset)
    guard end - offset >= counts.lowerBound else { throw .truncated(field: "\(name)", offset: offset) }
    // A field that is all of the payload shares its bytes.
    let part = end - offset == bytes.count ? bytes : Array(bytes[offset..<end])
    (value, offset) = (Value(bytes: part), end)
    add(name, Value.isText ? .text("\(WireText(bytes: part))") : .bytes(part), from: start)
  }

  private mutating func taken<Value: WireInteger>(_ name: StaticString) throws(WireError) -> Value {
    let end = offset + Value.bitWidth / 8
    guard end <= bytes.count else { throw .truncated(field: "\(name)", offset: offset) }
    defer { offset = end }
    return bytes[offset..<end].reduce(0) { ($0 << 8) | Value(truncatingIfNeeded: $1) }
  }

  private mutating func add(_ name: StaticString, _ value: FieldValue, from start: Int) {
    fields.append(FieldDescription(name: name.description, value: value, range: start..<offset))
  }
}

extension Message {
  /// Describes a payload of this kind as it was sent.
  ///
  /// Where it ends inside a field, its last bytes are a field `rest`; bytes after the layout are a field `excess`.
  ///
  /// - Parameter payload: The bytes between the header and CHK.
  /// - Returns: The fields in wire order, which cover all bytes, and what a ``Reader`` would have refused.
  public static func describe(
    _ payload: [UInt8]
  ) -> (fields: [FieldDescription], remarks: [WireError]) {
    var describer = PayloadDescriber(payload)
    var message = Self()
    var remarks: [WireError] = []
    var name = "excess"
    do throws(WireError) { try message.layout(&describer) } catch {
      (remarks, name) = ([error], "rest")
    }
    var fields = describer.fields
    let offset = describer.offset
    if offset < payload.count {
      if remarks.isEmpty { remarks = [.excess(offset: offset, count: payload.count - offset)] }
      fields.append(
        FieldDescription(name: name, value: .bytes(Array(payload[offset...])), range: offset..<payload.count))
    }
    return (fields, remarks.isEmpty ? describer.remarks : describer.remarks + remarks)
  }
}
