// JSON on one line.

/// Prints values as JSON (RFC 8259).
///
/// Keys are in snake case. A code is a member with its name or null, and one with its number, whose key ends in `_code`;
/// option bits are a list of names and their number. Numbers have the decimals of their quantity and no exponent.
package enum JSON {
  package static func line(_ fields: [Field]) -> String { String.text { append(fields, to: &$0) } }

  package static func append(_ fields: [Field], to bytes: inout [UInt8]) {
    object(in: &bytes) { for field in fields { $0.field(field) } }
  }

  /// Appends an object whose members `visit` appends.
  package static func object(in bytes: inout [UInt8], _ visit: (inout JSONMembers) -> Void) {
    var members = JSONMembers()
    // Swapping avoids a copy of the bytes.
    swap(&bytes, &members.bytes)
    members.bytes.append(UInt8(ascii: "{"))
    visit(&members)
    members.bytes.append(UInt8(ascii: "}"))
    swap(&bytes, &members.bytes)
  }

  /// Appends a value; for a code or option bits, the names without the number.
  package static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
    switch value {
    case .integer, .decimal, .number:
      let start = bytes.count
      value.append(plain: &bytes)
      if bytes.count == start { bytes += null }
    case .choice(let name?, _): append(text: name, to: &bytes)
    case .choice(nil, _), .flags(_, nil), .missing: bytes += null
    case .flags(let names, _): append(list: names, to: &bytes) { append(text: $0, to: &$1) }
    case .flag: value.append(plain: &bytes)
    case .bytes(let raw):
      bytes.append(quote)
      Hexadecimal.append(raw, to: &bytes)
      bytes.append(quote)
    case .text(let text): append(text: text, to: &bytes)
    case .list(let values): append(list: values, to: &bytes) { append($0, to: &$1) }
    case .record(let fields): append(fields, to: &bytes)
    }
  }

  /// Appends a string; quotation marks, backslashes, control characters and line separators are escaped.
  package static func append(text: String, to bytes: inout [UInt8]) {
    bytes.append(quote)
    let start = bytes.count
    bytes += text.utf8
    if bytes.contains(from: start, mayNeedEscape) {
      bytes.removeLast(bytes.count - start)
      for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
    }
    bytes.append(quote)
  }

  @inline(__always) private static func mayNeedEscape(_ byte: UInt8) -> UInt8 {
    byte.isOutside(0x20...0x7E) | byte.isSame(as: quote) | byte.isSame(as: backslash)
  }

  /// Appends the key of a member in snake case, with its colon.
  package static func append(key name: String, _ suffix: String = "", to bytes: inout [UInt8]) {
    bytes.append(quote)
    let start = bytes.count
    bytes += name.utf8
    // Lower-case letters and underscores need no conversion.
    if bytes.contains(from: start, { $0.isOutside(0x61...0x7A) & ~$0.isSame(as: 0x5F) }) {
      bytes.removeLast(bytes.count - start)
      for scalar in Key.text(name).unicodeScalars { append(scalar, to: &bytes) }
    }
    bytes += suffix.utf8
    bytes.append(quote)
    bytes.append(UInt8(ascii: ":"))
  }

  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var backslash: UInt8 { UInt8(ascii: "\\") }
  private static let null = Array("null".utf8)

  package static func append<Element>(
    list: [Element], to bytes: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    // Not `enumerated()`, which is generic here and looks up its metadata for each element.
    var isFirst = true
    for element in list {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends a character, escaped if JSON requires it, if it is DEL, or if it ends lines in JavaScript.
  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    switch scalar {
    case "\"", "\\": bytes += [backslash, UInt8(ascii: scalar)]
    case "\n": bytes += "\\n".utf8
    case "\r": bytes += "\\r".utf8
    case "\t": bytes += "\\t".utf8
    case "\0"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
      bytes += "\\u".utf8
      Hexadecimal.append([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)], to: &bytes)
    default: bytes += scalar.utf8
    }
  }
}

/// The members of a JSON object, which are appended one by one.
package struct JSONMembers {
  package var bytes: [UInt8] = []

  package mutating func field(_ field: Field) {
    begin(field.name)
    JSON.append(field.value, to: &bytes)
    guard let code = field.value.code else { return }
    begin(field.name, "_code")
    JSON.append(code, to: &bytes)
  }

  /// Appends a value that is neither a code nor option bits.
  package mutating func field(_ member: Member, _ value: FieldValue) {
    begin(member)
    JSON.append(value, to: &bytes)
  }

  /// Begins a member whose value the caller appends to ``bytes``.
  package mutating func begin(_ member: Member) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(member.key.span)
  }

  private mutating func begin(_ name: String, _ suffix: String = "") {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    JSON.append(key: name, suffix, to: &bytes)
  }
}

package enum Key {
  /// Converts `secondsSinceCharge` to `seconds_since_charge`.
  package static func text(_ name: String) -> String {
    var mayBreak = false
    return String.text { bytes in
      for byte in name.utf8 {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isCapital, mayBreak { bytes.append(UInt8(ascii: "_")) }
        mayBreak = !isCapital && byte != UInt8(ascii: "_")
        bytes.append(isCapital ? byte | 0x20 : byte)
      }
    }
  }
}

/// The name of a member that many objects have, with its JSON key, which is encoded only once.
package struct Member: Sendable {
  package let text: String
  package let unit: Quantity.Unit
  let key: ContiguousArray<UInt8>

  package init(_ name: String, _ unit: Quantity.Unit = .one) {
    var key: [UInt8] = []
    JSON.append(key: name, to: &key)
    (text, self.unit, self.key) = (name, unit, ContiguousArray(key))
  }
}
