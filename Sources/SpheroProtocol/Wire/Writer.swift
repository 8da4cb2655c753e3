// Encodes a message: appends each visited field to the bytes.

/// Encodes the visited fields, most significant byte first.
public struct Writer: Wire {
  /// The bytes written.
  public private(set) var bytes: [UInt8]
  private var checksRanges = true

  /// Appends to `bytes`, so that a payload follows its header without a copy.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Starts empty; writes values outside their ranges if `checksRanges` is false.
  init(checksRanges: Bool) { (bytes, self.checksRanges) = ([], checksRanges) }

  public var remaining: Int? { nil }

  public mutating func follows(_ isPresent: Bool) -> Bool { isPresent }

  /// Appends an integer; throws ``WireError/outOfRange(field:value:allowed:)``.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    guard !checksRanges || range.contains(value) else { throw .outOfRange(name, value, range) }
    var shift = Value.bitWidth
    while shift > 0 {
      shift &-= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends the raw value.
  public mutating func field<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value
  ) throws(WireError) {
    var raw = value.rawValue
    try field(name, &raw, .count, in: .min ... .max)
  }

  /// Appends the bytes; throws ``WireError/wrongCount(field:count:allowed:)``.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    guard !checksRanges || counts.contains(value.bytes.count) else {
      throw .wrongCount(field: "\(name)", count: value.bytes.count, allowed: counts)
    }
    bytes += value.bytes
  }
}
