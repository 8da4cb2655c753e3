// A block of the robot's flash as it lies there: kept whole, read by offset.

/// A block of the robot's flash as it lies there.
///
/// It is kept whole, so that it encodes to the bytes it came from.
/// Unlike all else on the wire, what lies in it is little-endian.
public struct FlashImage: WireBytes {
  /// The bytes as they lie on the wire.
  public var bytes: [UInt8]

  /// Takes the bytes of the wire.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// An erased block: all bits set.
  public init(erased count: Int) { bytes = Array(repeating: 0xFF, count: max(0, count)) }

  /// The integer at an offset, or nil where the block ends before it does.
  public func integer<Value: WireInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value? {
    let count = Value.bitWidth / 8
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    return bytes[offset..<(offset + count)].reversed().reduce(0) { ($0 << 8) | Value(truncatingIfNeeded: $1) }
  }

  /// The single-precision number at an offset, or nil where the block ends before it does or it is not finite.
  public func float(at offset: Int) -> Float? {
    integer(at: offset, as: UInt32.self).map(Float.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The bytes of a range, or nil where the block ends before it does.
  public func slice(_ range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    return Array(bytes[range])
  }
}
