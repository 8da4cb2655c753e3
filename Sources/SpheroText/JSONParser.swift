// A parser for small JSON texts (RFC 8259), such as settings that a person stores.

package enum JSONValue: Hashable, Sendable {
  case null
  case flag(Bool)
  /// A finite number.
  case number(Double)
  case text(String)
  case list([JSONValue])
  /// The members by their names; if a name is repeated, the last member counts.
  case object([String: JSONValue])

  /// The member of an object; nil for other values and missing members.
  package subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// Parses a text; lists and objects may be nested 16 deep.
  package init(parsing text: String) throws(JSONError) {
    var parser = JSONParser(bytes: Array(text.utf8))
    self = try parser.document()
  }
}

/// An error in a JSON text; line and column count from 1, the column in bytes.
package struct JSONError: Error, Hashable, Sendable {
  package let line: Int
  package let column: Int
  /// The token that JSON requires at this place, in words such as `a value`.
  package let expected: String
}

private struct JSONParser {
  private static let maximumDepth = 16

  let bytes: [UInt8]
  var position = 0

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw error("the end of the text") }
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ expected: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let lineBreak = UInt8(ascii: "\n")
    let start = before.lastIndex(of: lineBreak).map { $0 + 1 } ?? 0
    return JSONError(
      line: before.count { $0 == lineBreak } + 1, column: before.count - start + 1, expected: expected)
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  /// Skips blanks, and the next byte if it is `byte`; returns whether it is.
  private mutating func skip(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skip(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipBlanks()
    let isNested = peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[")
    guard !isNested || depth < Self.maximumDepth else { throw error("at most \(Self.maximumDepth) levels") }
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return .text(try string())
    default: break
    }
    if skip(word: "null") { return .null }
    if skip(word: "true") { return .flag(true) }
    if skip(word: "false") { return .flag(false) }
    return .number(try number())
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw error("a name in quotation marks") }
      let name = try string()
      guard skip(UInt8(ascii: ":")) else { throw error("':'") }
      members[name] = try value(depth: depth + 1)
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw error("',' or '}'") }
    return .object(members)
  }

  private mutating func list(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var values: [JSONValue] = []
    if skip(UInt8(ascii: "]")) { return .list(values) }
    repeat { values.append(try value(depth: depth + 1)) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw error("',' or ']'") }
    return .list(values)
  }

  private mutating func number() throws(JSONError) -> Double {
    let start = position
    let characters = bytes[start...].prefix { $0.isDigit || "+-.eE".utf8.contains($0) }
    // JSON requires a digit on both sides of the point, and allows neither a plus sign nor zeros in front.
    let digits = characters.drop { $0 == UInt8(ascii: "-") }
    let isZeroFirst = digits.first == UInt8(ascii: "0") && digits.dropFirst().first?.isDigit == true
    let pointIndex = digits.firstIndex(of: UInt8(ascii: "."))
    let hasFraction = pointIndex.map { digits[($0 + 1)...].first?.isDigit == true } ?? true
    guard digits.first?.isDigit == true, !isZeroFirst, hasFraction,
      let number = Double(String(decoding: characters, as: UTF8.self)), number.isFinite
    else { throw error("a value") }
    position = characters.endIndex
    return number
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("no control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") { text += try escaped() } else { text.append(byte) }
    }
    guard peek != nil else { throw error("a closing quotation mark") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses the escape after a backslash, and returns the bytes of its character.
  private mutating func escaped() throws(JSONError) -> [UInt8] {
    let escapes = zip("\"\\/bfnrtu".utf8, "\"\\/\u{8}\u{C}\n\r\tu".utf8)
    guard let (letter, character) = escapes.first(where: { $0.0 == peek }) else {
      throw error("an escape sequence")
    }
    position += 1
    return letter == UInt8(ascii: "u") ? try codeUnits() : [character]
  }

  /// Parses the digits after `\u`, and the escapes `\u` that follow; an unpaired surrogate becomes U+FFFD.
  private mutating func codeUnits() throws(JSONError) -> [UInt8] {
    var units: [UInt16] = []
    repeat {
      let digits = bytes[position...].prefix(4)
      guard digits.count == 4,
        let unit: UInt16 = Hexadecimal.number(String(decoding: digits, as: UTF8.self))
      else { throw error("four hexadecimal digits") }
      units.append(unit)
      position += 4
    } while skip(word: "\\u")
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
