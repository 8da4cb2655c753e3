// The visitor of message layouts, which writes, reads, describes or fills the fields.

/// Visits the fields of a message in wire order.
///
/// A message declares its layout once, in ``Message/layout(_:)``; the visitor determines what is done with it:
/// ``Writer`` encodes, ``Reader`` decodes, ``Describer`` describes each field,
/// and the property test assigns random values.
/// Integers are big-endian (Sphero API 1.50, "Packet structures").
public protocol Wire {
  /// Visits an integer of one, two or four bytes, with its name in output and the values that may be sent.
  ///
  /// - Throws: ``WireError`` if the payload is truncated or the value is out of range.
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError)

  /// Visits a field whose values have names; throws ``WireError/unknownValue(field:value:offset:)`` for other raw values.
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) throws(WireError)

  /// Visits a run of bytes with its permitted lengths; a reader reads all remaining bytes, up to the upper bound.
  ///
  /// - Throws: ``WireError`` if there are too few or too many bytes.
  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError)

  /// Whether an optional field follows, since the last fields of some records are absent in old firmware.
  ///
  /// A reader returns whether bytes remain; others return `isPresent`: whether the message has a value for the field.
  mutating func follows(_ isPresent: Bool) -> Bool

  /// The number of bytes that remain to be read; nil if the visitor is not a reader.
  var remaining: Int? { get }
}

extension Wire {
  /// Visits an integer that may have any value.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity = .count
  ) throws(WireError) {
    try field(name, &value, quantity, in: .min ... .max)
  }

  /// Visits an integer without a unit and with limits.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, in range: ClosedRange<Value>
  ) throws(WireError) {
    try field(name, &value, .count, in: range)
  }

  /// Visits exactly `count` bytes.
  public mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count: Int
  ) throws(WireError) {
    try field(name, &value, count: count...count)
  }

  /// Visits an integer at the end of the payload that old firmware or programs omit.
  public mutating func trailing<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value?, _ quantity: Quantity = .count
  ) throws(WireError) {
    guard follows(value != nil) else {
      value = nil
      return
    }
    var present = value ?? 0
    try field(name, &present, quantity)
    value = present
  }

  /// Visits a named value at the end of the payload that old firmware or programs omit.
  public mutating func trailing<Value: WireChoice>(
    _ name: StaticString, _ value: inout Value?, default fallback: Value
  ) throws(WireError) {
    guard follows(value != nil) else {
      value = nil
      return
    }
    var present = value ?? fallback
    try field(name, &present)
    value = present
  }
}
