// Errors of encoding and decoding payloads.

/// An error in a payload, or in a text from which a payload is made.
@nonexhaustive public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The payload ends before the field that begins at the byte `offset`.
  case truncated(field: String, offset: Int)
  /// `count` bytes follow the last field, from the byte `offset` on.
  case excess(offset: Int, count: Int)
  /// The value is outside the range that the protocol allows.
  case outOfRange(field: String, value: Int64, allowed: ClosedRange<Int64>)
  /// The raw value at the byte `offset` has no meaning in this field.
  case unknownValue(field: String, value: Int64, offset: Int)
  /// The number of bytes does not fit the field or the packet.
  case wrongCount(field: String, count: Int, allowed: ClosedRange<Int>)
  /// The text is not a value of the field; `expected` describes one that is.
  case unreadable(field: String, text: String, expected: String)
  /// A word of the text is not of the form `field=value`.
  case unassignable(word: String)
  /// The text has two values for the field.
  case repeated(field: String)
  /// The text has no value for these fields, which have to be given.
  case missing(fields: [String])

  /// A sentence without a full stop, with the position of the error and the permitted values.
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
      "'\(field)=\(text)' is not valid; expected \(expected)"
    case .unassignable(let word): "'\(word)' is not of the form field=value"
    case .repeated(let field): "'\(field)' is given twice"
    case .missing(let fields):
      fields.map { "'\($0)'" }.joined(separator: ", ") + (fields.count == 1 ? " is missing" : " are missing")
    }
  }

  static func outOfRange<Value: WireInteger>(
    _ name: StaticString, _ value: Value, _ range: ClosedRange<Value>
  ) -> WireError {
    .outOfRange(
      field: "\(name)", value: Int64(value), allowed: Int64(range.lowerBound)...Int64(range.upperBound))
  }

  package var field: String? {
    switch self {
    case .truncated(let field, _), .outOfRange(let field, _, _), .unknownValue(let field, _, _),
      .wrongCount(let field, _, _), .unreadable(let field, _, _), .repeated(let field):
      field
    case .excess, .unassignable, .missing: nil
    }
  }
}
