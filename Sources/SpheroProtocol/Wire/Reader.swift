// Decodes a message: every field it visits takes its bytes from the payload.

/// Decodes the fields it visits from a payload that nobody vouches for.
public struct Reader: Wire {
  private let bytes: [UInt8]
  /// Where the next field begins.
  public private(set) var offset = 0

  /// Reads from the first byte of a payload.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes that are left.
  public var remaining: Int? { bytes.count - offset }

  /// An optional field follows where bytes are left.
  public mutating func follows(_ isPresent: Bool) -> Bool { offset < bytes.count }

  /// Takes an integer.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)``, ``WireError/outOfRange(field:value:allowed:)``.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    let end = offset + Value.bitWidth / 8
    guard end <= bytes.count else { throw .truncated(field: "\(name)", offset: offset) }
    var taken: Value = 0
    // An 8-bit value has no room for a shift by eight: `<<` is smart and gives zero there.
    for index in offset..<end { taken = (taken << 8) | Value(truncatingIfNeeded: bytes[index]) }
    guard range.contains(taken) else {
      throw .outOfRange(
        field: "\(name)", value: Int64(taken), allowed: Int64(range.lowerBound)...Int64(range.upperBound))
    }
    value = taken
    offset = end
  }

  /// Takes a raw value and looks up its meaning.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)``, ``WireError/unknownValue(field:value:offset:)``.
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

  /// Takes the bytes that are left, up to the upper bound.
  ///
  /// - Throws: ``WireError/truncated(field:offset:)`` where fewer are left than the lower bound.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    let end = offset + min(counts.upperBound, bytes.count - offset)
    guard end - offset >= counts.lowerBound else { throw .truncated(field: "\(name)", offset: offset) }
    value = Value(bytes: Array(bytes[offset..<end]))
    offset = end
  }

  /// Makes sure that every byte has been read.
  ///
  /// - Throws: ``WireError/excess(offset:count:)``.
  public func finish() throws(WireError) {
    guard offset == bytes.count else { throw .excess(offset: offset, count: bytes.count - offset) }
  }
}
