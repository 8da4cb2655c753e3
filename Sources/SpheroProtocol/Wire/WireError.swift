// Why a payload could not be written or read: where, and what was seen.

/// Why a payload could not be written or read.
public enum WireError: Error, Hashable, Sendable {
  /// The payload ends before the field does; `offset` is where the field begins.
  case truncated(field: String, offset: Int)
  /// Bytes are left behind the last field; `offset` is where they begin.
  case excess(offset: Int, count: Int)
  /// The value lies outside the range that the protocol allows.
  case outOfRange(field: String, value: Int64, allowed: ClosedRange<Int64>)
  /// The raw value has no meaning in this field.
  case unknownValue(field: String, value: Int64, offset: Int)
  /// The bytes do not fit the field or the packet.
  case wrongCount(field: String, count: Int, allowed: ClosedRange<Int>)
  /// The words that a person wrote for the field mean nothing; `expected` says what would.
  case unreadable(field: String, text: String, expected: String)
}

extension WireError: CustomStringConvertible {
  /// One sentence for people.
  public var description: String {
    switch self {
    case .truncated(let field, let offset):
      "the payload ends inside '\(field)', which begins at byte \(offset)"
    case .excess(let offset, let count):
      "\(count) more byte\(count == 1 ? "" : "s") than the layout has, from byte \(offset)"
    case .outOfRange(let field, let value, let allowed):
      "'\(field)' is \(value), but must be \(allowed.lowerBound)...\(allowed.upperBound)"
    case .unknownValue(let field, let value, let offset):
      "'\(field)' at byte \(offset) is \(value), which has no meaning"
    case .wrongCount(let field, let count, let allowed):
      "'\(field)' has \(count) bytes, but must have \(allowed.lowerBound)...\(allowed.upperBound)"
    case .unreadable(let field, let text, let expected):
      "'\(field)=\(text)' makes no sense; expected \(expected)"
    }
  }
}
