// The check of a payload's length, independent of its values.

import SpheroProtocol

/// A visitor of a layout that subtracts the size of each field from a length.
struct LengthCheck: Wire {
  private var left: Int

  /// Whether the layout of a request permits a payload of `count` bytes.
  static func allows<R: Request>(_ type: R.Type, _ count: Int) -> Bool {
    var (request, check) = (R(), LengthCheck(left: count))
    do throws(WireError) { try request.layout(&check) } catch { return false }
    return check.left == 0
  }

  var remaining: Int? { left }

  mutating func follows(_ isPresent: Bool) -> Bool { left > 0 }

  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError) { try take(Value.bitWidth / 8) }

  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) throws(WireError) {
    try take(Value.RawValue.bitWidth / 8)
  }

  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError) { try take(max(counts.lowerBound, min(counts.upperBound, left))) }

  private mutating func take(_ count: Int) throws(WireError) {
    guard count <= left else { throw .truncated(field: "payload", offset: left) }
    left -= count
  }
}
