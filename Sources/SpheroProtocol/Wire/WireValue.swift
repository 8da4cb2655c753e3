// What a field can be: an integer, a value with a name, bytes or text.

/// An integer that lies on the wire, most significant byte first.
public protocol WireInteger: FixedWidthInteger, Sendable {}
extension UInt8: WireInteger {}
extension UInt16: WireInteger {}
extension UInt32: WireInteger {}
extension Int16: WireInteger {}
extension Int32: WireInteger {}

/// A field whose raw values have names.
///
/// What the host chooses is a closed enum; what the robot reports is an open struct,
/// so that a code of later firmware survives and prints as its number.
public protocol WireChoice: Hashable, Sendable, CustomStringConvertible {
  /// The integer on the wire.
  associatedtype RawValue: WireInteger
  /// Takes the integer of the wire, or is nil where it has no meaning.
  init?(rawValue: RawValue)
  /// The integer on the wire.
  var rawValue: RawValue { get }
  /// The values that have a name, in the order of their raw values.
  static var named: [Self] { get }
  /// The name of this value, or words with its number where it has none.
  var name: String { get }
  /// The name of this value, or nil where it has none.
  var knownName: String? { get }
  /// What a raw value says to a dissector, whether it has a meaning or not.
  static func described(_ raw: RawValue) -> FieldValue
  /// Whether several values can hold at once, each of them a bit.
  static var isFlags: Bool { get }
}

extension WireChoice {
  /// One value holds at a time.
  public static var isFlags: Bool { false }

  /// Every value has a name unless its type says otherwise.
  public var knownName: String? { name }

  /// The name and the number.
  public static func described(_ raw: RawValue) -> FieldValue {
    .choice(Self(rawValue: raw)?.knownName, Int64(raw))
  }

  /// The name of this value.
  public var description: String { name }
}

/// A choice whose names stand in a table.
public protocol WireNamed: WireChoice {
  /// The values that have a name, in the order of their raw values.
  static var names: KeyValuePairs<Self, String> { get }
}

extension WireNamed {
  /// The values that have a name.
  public static var named: [Self] { names.map { $0.key } }

  /// The name, or nil where the table has none.
  public var knownName: String? { Self.names.first { $0.key == self }?.value }

  /// The name, or `unknown` and the number in hexadecimal.
  public var name: String { knownName ?? FieldValue.unknown(Int64(rawValue)) }
}

extension Bool: WireChoice {
  /// 0 or 1 makes a Boolean; anything else is refused.
  public init?(rawValue: UInt8) {
    guard rawValue <= 1 else { return nil }
    self = rawValue == 1
  }
  /// 1 for true, 0 for false.
  public var rawValue: UInt8 { self ? 1 : 0 }
  /// Both values.
  public static var named: [Bool] { [false, true] }
  /// "true" or "false".
  public var name: String { description }
  /// True or false; any other number has no meaning.
  public static func described(_ raw: UInt8) -> FieldValue {
    raw <= 1 ? .flag(raw == 1) : .choice(nil, Int64(raw))
  }
}

/// A code that the robot reports: an open set, in which a code of later firmware survives and prints as its number.
public protocol WireCode: WireNamed {
  /// Takes the integer of the wire, whatever it is.
  init(rawValue: RawValue)
}

/// A set of option bits; bits without a name are kept as they are.
public protocol WireFlags: OptionSet, WireChoice where RawValue: WireInteger, Element == Self {
  /// The bits that have a name, lowest first.
  static var bits: [(flag: Self, name: String)] { get }
}

extension WireFlags {
  /// Each value is a bit.
  public static var isFlags: Bool { true }

  /// The single bits that have a name.
  public static var named: [Self] { bits.map { $0.flag } }

  /// The names of the bits that are set, unnamed bits in hexadecimal.
  public var names: [String] {
    var names = Self.bits.filter { contains($0.flag) }.map { $0.name }
    let rest = rawValue & ~Self.bits.reduce(0) { $0 | $1.flag.rawValue }
    if rest != 0 { names.append("0x" + String(rest, radix: 16, uppercase: true)) }
    return names
  }

  /// The names of the bits that are set, joined by `+`, unnamed bits in hexadecimal, or `none`.
  public var name: String { FieldValue.joined(names) }

  /// The names and the number.
  public static func described(_ raw: RawValue) -> FieldValue {
    .flags(Self(rawValue: raw).names, Int64(raw))
  }
}

/// A field of raw bytes: bytes proper or text.
public protocol WireBytes: Hashable, Sendable {
  /// The bytes as they lie on the wire.
  var bytes: [UInt8] { get }
  /// Makes the field from the bytes of the wire.
  init(bytes: [UInt8])
  /// Whether people read the bytes as text.
  static var isText: Bool { get }
}

extension WireBytes {
  /// The bytes are no text.
  public static var isText: Bool { false }
}

extension [UInt8]: WireBytes {
  /// The bytes themselves.
  public var bytes: [UInt8] { self }
  /// Takes the bytes as they are.
  public init(bytes: [UInt8]) { self = bytes }
}

/// Text on the wire: UTF-8 of any validity, padding included, so that it encodes to the bytes it came from.
public struct WireText: WireBytes, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes as they lie on the wire, padding included.
  public var bytes: [UInt8]

  /// Takes the bytes as they lie on the wire.
  public init(bytes: [UInt8]) { self.bytes = bytes }
  /// The bytes are text.
  public static var isText: Bool { true }
  /// Encodes a string as UTF-8, without a terminator.
  public init(_ string: String) { bytes = Array(string.utf8) }
  /// Encodes a string and fills it up with NUL bytes, or cuts it, to `count` bytes.
  public init(_ string: String, paddedTo count: Int) {
    bytes = Array((Array(string.utf8) + Array(repeating: 0, count: max(0, count))).prefix(max(0, count)))
  }
  /// Encodes a literal as UTF-8, without a terminator.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text without the NUL bytes that pad it; bytes that are no UTF-8 show as U+FFFD.
  public var description: String {
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
