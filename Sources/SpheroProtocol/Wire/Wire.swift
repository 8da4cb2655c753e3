// The visitor that every message walks through: it writes, reads, describes or fills the fields.

/// Visits the fields of a message in the order in which they lie on the wire.
///
/// A message says its layout once, in ``Message/layout(_:)``.
/// What happens there depends on the wire that walks through it:
/// ``Writer`` encodes, ``Reader`` decodes, ``Describer`` names every field for people,
/// and the property test fills in random values.
/// Integers are big-endian (Sphero API 1.50, "Packet structures").
public protocol Wire {
  /// Visits an integer of one, two or four bytes.
  ///
  /// - Parameters:
  ///   - name: The field's name, as it is printed.
  ///   - value: The field.
  ///   - quantity: What one count of it stands for.
  ///   - range: The values that may be sent.
  /// - Throws: ``WireError`` where the payload ends too early or the value is out of range.
  mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity, in range: ClosedRange<Value>
  ) throws(WireError)

  /// Visits a field whose values have names.
  ///
  /// - Parameters:
  ///   - name: The field's name, as it is printed.
  ///   - value: The field.
  /// - Throws: ``WireError/unknownValue(field:value:offset:)`` where the raw value has no meaning.
  mutating func field<Value: WireChoice>(_ name: StaticString, _ value: inout Value) throws(WireError)

  /// Visits a run of bytes.
  ///
  /// - Parameters:
  ///   - name: The field's name, as it is printed.
  ///   - value: The bytes.
  ///   - counts: How many there may be; a reader takes as many as are left, up to the upper bound.
  /// - Throws: ``WireError`` where there are too few or too many.
  mutating func field<Value: WireBytes>(
    _ name: StaticString, _ value: inout Value, count counts: ClosedRange<Int>
  ) throws(WireError)

  /// Whether an optional field follows at the end of the payload.
  ///
  /// Records grew between firmware versions, so the last fields of some may be absent.
  ///
  /// - Parameter isPresent: Whether the message holds a value for it.
  /// - Returns: For a reader, whether bytes are left; otherwise `isPresent`.
  mutating func follows(_ isPresent: Bool) -> Bool

  /// The bytes that are left to read, or nil where nothing is being read.
  var remaining: Int? { get }
}

extension Wire {
  /// Visits an integer that may take any value.
  public mutating func field<Value: WireInteger>(
    _ name: StaticString, _ value: inout Value, _ quantity: Quantity = .count
  ) throws(WireError) {
    try field(name, &value, quantity, in: .min ... .max)
  }

  /// Visits an integer that counts plain things and has limits.
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

  /// Visits an integer at the end that older firmware or programs leave out.
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

  /// Visits a named value at the end that older firmware or programs leave out.
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
