// Types of fields: integers, values with names, bytes and text.

/// An integer that is sent most significant byte first.
public protocol WireInteger: FixedWidthInteger, Sendable {}
extension UInt8: WireInteger {}
extension UInt16: WireInteger {}
extension UInt32: WireInteger {}
extension Int16: WireInteger {}
extension Int32: WireInteger {}

extension Duration {
  /// The nearest number of seconds, clamped to 0...65,535.
  var clampedSeconds: UInt16 { UInt16(min(max(inSeconds.rounded(), 0), 65_535)) }
}

/// A field whose raw values have names.
///
/// A value that the host chooses is a closed enum. A value that the robot reports is an open struct (``WireCode``),
/// so that a code of later firmware is kept and printed as its number.
public protocol WireChoice: Hashable, Sendable, CustomStringConvertible {
  /// The integer on the wire.
  associatedtype RawValue: WireInteger
  /// Decodes the integer on the wire; nil if it has no meaning.
  init?(rawValue: RawValue)
  /// The integer on the wire.
  var rawValue: RawValue { get }
  /// The values that have names, in the order of their raw values.
  static var named: [Self] { get }
  /// The name of this value, or a text with its number.
  var name: String { get }
  /// The name of this value, or nil.
  var knownName: String? { get }
  /// A raw value as the dissector prints it, whether it has a meaning or not.
  static func described(_ raw: RawValue) -> FieldValue
  /// Whether each value is a bit, so that several can be set at once; false by default.
  static var isFlags: Bool { get }
}

extension WireChoice {
  public static var isFlags: Bool { false }
  public var knownName: String? { name }
  public static func described(_ raw: RawValue) -> FieldValue {
    .choice(Self(rawValue: raw)?.knownName, Int64(raw))
  }
  public var description: String { name }
}

/// A choice with a table of names.
public protocol WireNamed: WireChoice {
  /// The values that have names, in the order of their raw values.
  static var names: KeyValuePairs<Self, String> { get }
}

extension WireNamed {
  public static var named: [Self] { names.map { $0.key } }
  public var knownName: String? { Self.names.first { $0.key == self }?.value }
  /// The name, or `unknown` and the number in hexadecimal.
  public var name: String { knownName ?? FieldValue.unknown(Int64(rawValue)) }
}

extension Bool: WireChoice {
  /// Decodes 0 and 1; nil for other numbers.
  public init?(rawValue: UInt8) {
    guard rawValue <= 1 else { return nil }
    self = rawValue == 1
  }
  public var rawValue: UInt8 { self ? 1 : 0 }
  public static var named: [Bool] { [false, true] }
  public var name: String { description }
  public static func described(_ raw: UInt8) -> FieldValue {
    raw <= 1 ? .flag(raw == 1) : .choice(nil, Int64(raw))
  }
}

/// A code that the robot reports: an open set, in which an unknown code is kept and printed as its number.
public protocol WireCode: WireNamed {
  /// Creates the code of an integer on the wire, which need not have a name.
  init(rawValue: RawValue)
}

/// A set of option bits; bits without a name are kept.
public protocol WireFlags: OptionSet, WireChoice where RawValue: WireInteger, Element == Self {
  /// The bits that have names, lowest first.
  static var bits: [(flag: Self, name: String)] { get }
}

extension WireFlags {
  public static var isFlags: Bool { true }
  public static var named: [Self] { bits.map { $0.flag } }

  /// The names of the bits that are set, followed by the unnamed bits in hexadecimal.
  public var names: [String] {
    var names = Self.bits.filter { contains($0.flag) }.map { $0.name }
    let rest = rawValue & ~Self.bits.reduce(0) { $0 | $1.flag.rawValue }
    if rest != 0 { names.append("0x" + String(rest, radix: 16, uppercase: true)) }
    return names
  }

  /// The ``names`` joined by `+`, or `none`.
  public var name: String { FieldValue.joined(names) }

  public static func described(_ raw: RawValue) -> FieldValue {
    .flags(Self(rawValue: raw).names, Int64(raw))
  }
}

/// A field of raw bytes: data or text.
public protocol WireBytes: Hashable, Sendable {
  /// The bytes on the wire.
  var bytes: [UInt8] { get }
  /// Creates a field from the bytes on the wire; any bytes are valid.
  init(bytes: [UInt8])
  /// Whether the bytes are printed as text; false by default.
  static var isText: Bool { get }
}

extension WireBytes {
  public static var isText: Bool { false }

  static func described(_ bytes: [UInt8]) -> FieldValue {
    isText ? .text("\(WireText(bytes: bytes))") : .bytes(bytes)
  }
}

extension [UInt8]: WireBytes {
  public var bytes: [UInt8] { self }
  public init(bytes: [UInt8]) { self = bytes }
}

/// Text on the wire, which keeps all bytes, also padding and invalid UTF-8, and encodes them unchanged.
public struct WireText: WireBytes, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes on the wire, padding included.
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public static var isText: Bool { true }
  /// Encodes a string as UTF-8, without a terminator.
  public init(_ string: String) { bytes = Array(string.utf8) }
  /// Encodes a string, truncated or padded with NUL to `count` bytes.
  public init(_ string: String, paddedTo count: Int) {
    bytes = Array((Array(string.utf8) + Array(repeating: 0, count: max(0, count))).prefix(max(0, count)))
  }
  public init(stringLiteral value: String) { self.init(value) }

  /// The text without the NUL padding at its end; invalid UTF-8 becomes U+FFFD.
  public var description: String {
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
