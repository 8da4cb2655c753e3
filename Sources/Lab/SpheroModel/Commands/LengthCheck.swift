// Whether a payload has a length that its command can have, whatever its values are.

import SpheroProtocol

/// Walks a layout and takes the bytes of each field, without a look at what they mean.
struct LengthCheck: Wire {
  private var left: Int

  private init(_ count: Int) { left = count }

  /// Whether a payload of so many bytes can be one of a request.
  static func allows<R: Request>(_ type: R.Type, _ count: Int) -> Bool {
    var (request, check) = (R(), LengthCheck(count))
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
