// Encodes a message: every field it visits is appended to the bytes.

/// Encodes the fields it visits, most significant byte first.
public struct Writer: Wire {
  /// What has been written.
  public private(set) var bytes: [UInt8]
  /// Whether values outside their range are refused.
  private var isJudging = true

  /// Starts after the bytes given, so that a payload can follow a header without a copy.
  public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// Starts with nothing, and may let every value pass.
  init(isJudging: Bool) { (bytes, self.isJudging) = ([], isJudging) }

  /// Nothing is being read.
  public var remaining: Int? { nil }

  /// An optional field is written where the message has it.
  public mutating func follows(_ isPresent: Bool) -> Bool { isPresent }

  /// Appends an integer.
  ///
  /// - Throws: ``WireError/outOfRange(field:value:allowed:)``.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) {
    guard !isJudging || range.contains(value) else {
      throw .outOfRange(
        field: "\(name)", value: Int64(value), allowed: Int64(range.lowerBound)...Int64(range.upperBound))
    }
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

  /// Appends the bytes.
  ///
  /// - Throws: ``WireError/wrongCount(field:count:allowed:)``.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) {
    guard !isJudging || counts.contains(value.bytes.count) else {
      throw .wrongCount(field: "\(name)", count: value.bytes.count, allowed: counts)
    }
    bytes += value.bytes
  }
}
