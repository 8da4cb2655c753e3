// Decodes a message: reads each visited field from the payload.

/// Decodes the visited fields from an untrusted payload.
public struct Reader: Wire {
  private let bytes: [UInt8]
  /// The offset of the next field.
  public private(set) var offset: Int

  /// Reads a payload from an offset on.
  public init(_ bytes: [UInt8], from offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, min(max(0, offset), bytes.count))
  }

  public var remaining: Int? { bytes.count - offset }

  public mutating func follows(_ isPresent: Bool) -> Bool { offset < bytes.count }

  /// Reads an integer; throws ``WireError/truncated(field:offset:)`` or ``WireError/outOfRange(field:value:allowed:)``.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    let end = offset + Value.bitWidth / 8
    guard end <= bytes.count else { throw .truncated(field: "\(name)", offset: offset) }
    var decoded: Value = 0
    // The smart shift `<<` yields zero where an 8-bit value is shifted by eight.
    for index in offset..<end { decoded = (decoded << 8) | Value(truncatingIfNeeded: bytes[index]) }
    guard range.contains(decoded) else { throw .outOfRange(name, decoded, range) }
    value = decoded
    offset = end
  }

  /// Reads a raw value; throws ``WireError/truncated(field:offset:)`` or ``WireError/unknownValue(field:value:offset:)``.
  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    let start = offset
    var raw = value.rawValue
    try field(name, &raw, .count, in: .min ... .max)
    guard let known = Value(rawValue: raw) else {
      throw .unknownValue(field: "\(name)", value: Int64(raw), offset: start)
    }
    value = known
  }

  /// Reads the remaining bytes, up to the upper bound; throws ``WireError/truncated(field:offset:)`` if there are too few.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    let end = offset + min(counts.upperBound, bytes.count - offset)
    guard end - offset >= counts.lowerBound else { throw .truncated(field: "\(name)", offset: offset) }
    // A field that is the whole payload shares its storage.
    value = Value(bytes: end - offset == bytes.count ? bytes : Array(bytes[offset..<end]))
    offset = end
  }

  /// Checks that every byte has been read; throws ``WireError/excess(offset:count:)``.
  public func finish() throws(WireError) {
    guard offset == bytes.count else { throw .excess(offset: offset, count: bytes.count - offset) }
  }
}
