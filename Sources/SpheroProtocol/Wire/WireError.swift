// Why a payload could not be written or read: where, and what was seen.

/// Why a payload could not be written or read.
///
/// `catch let error where error.code == .truncated` tells one kind from the others; a switch over ``code`` has a `default`.
public struct WireError: Error, Hashable, Sendable {
  /// What is wrong; later versions of the library may have more codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name, like `truncated`.
    public let description: String
    private init(_ name: String) { description = name }

    /// The payload ends before the field does.
    public static let truncated = Code("truncated")
    /// Bytes are left after the last field.
    public static let excess = Code("excess")
    /// The value lies outside the range that the protocol allows.
    public static let outOfRange = Code("outOfRange")
    /// The raw value has no meaning in this field.
    public static let unknownValue = Code("unknownValue")
    /// The bytes do not fit the field or the packet.
    public static let wrongCount = Code("wrongCount")
    /// The words that a person wrote for the field mean nothing.
    public static let unreadable = Code("unreadable")
  }

  /// What is wrong.
  public let code: Code
  /// One sentence for people, without a full stop; it says what would do.
  public let description: String
  /// The field; nil for ``Code/excess``.
  public private(set) var field: String?
  /// Where the field or the excess begins in the payload; nil where only a value or a count is wrong.
  public private(set) var offset: Int?
  /// The value that was seen.
  public private(set) var value: Int64?
  /// How many bytes were seen.
  public private(set) var count: Int?
  /// What a person wrote.
  public private(set) var text: String?
  /// The values or counts that the protocol allows.
  public private(set) var allowed: ClosedRange<Int64>?

  private init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// The payload ends before the field does; `offset` is where the field begins.
  public static func truncated(field: String, offset: Int) -> WireError {
    var error = WireError(.truncated, "the payload ends inside '\(field)', which begins at byte \(offset)")
    (error.field, error.offset) = (field, offset)
    return error
  }

  /// Bytes are left after the last field; `offset` is where they begin.
  public static func excess(offset: Int, count: Int) -> WireError {
    var error = WireError(
      .excess, "\(count) more byte\(count == 1 ? "" : "s") than the layout has, from byte \(offset)")
    (error.offset, error.count) = (offset, count)
    return error
  }

  /// The value lies outside the range that the protocol allows.
  public static func outOfRange(field: String, value: Int64, allowed: ClosedRange<Int64>) -> WireError {
    var error = WireError(
      .outOfRange, "'\(field)' is \(value), but must be \(allowed.lowerBound)...\(allowed.upperBound)")
    (error.field, error.value, error.allowed) = (field, value, allowed)
    return error
  }

  /// The raw value has no meaning in this field.
  public static func unknownValue(field: String, value: Int64, offset: Int) -> WireError {
    var error = WireError(
      .unknownValue, "'\(field)' at byte \(offset) is \(value), which has no meaning")
    (error.field, error.value, error.offset) = (field, value, offset)
    return error
  }

  /// The bytes do not fit the field or the packet.
  public static func wrongCount(field: String, count: Int, allowed: ClosedRange<Int>) -> WireError {
    var error = WireError(
      .wrongCount,
      "'\(field)' has \(count) bytes, but must have \(allowed.lowerBound)...\(allowed.upperBound)")
    (error.field, error.count) = (field, count)
    error.allowed = Int64(allowed.lowerBound)...Int64(allowed.upperBound)
    return error
  }

  /// The words that a person wrote for the field mean nothing; `expected` says what would.
  public static func unreadable(field: String, text: String, expected: String) -> WireError {
    var error = WireError(.unreadable, "'\(field)=\(text)' is not valid; expected \(expected)")
    (error.field, error.text) = (field, text)
    return error
  }

  /// A word is not of the form `field=value`, or it repeats a field.
  static func unassignable(word: String, repeated field: String? = nil) -> WireError {
    var error = WireError(
      .unreadable, field.map { "'\($0)' is given twice" } ?? "'\(word)' is not of the form field=value")
    (error.field, error.text) = (field, word)
    return error
  }
}

extension WireError: CustomStringConvertible {}
