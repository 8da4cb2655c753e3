// A parser for the numbers of small JSON texts (RFC 8259), such as a calibration that a person stores.

package struct JSONParser {
  private static let maximumDepth = 16

  private let bytes: [UInt8]
  private var position = 0
  private var numbers: [[String]: Double] = [:]

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the numbers of a text by the names of the members that lead to them; elements of lists have an empty name.
  ///
  /// Names are not unescaped. Of several numbers with the same names, the last counts; one beyond the range of `Double` is
  /// an error. Other values are checked and skipped. Lists and objects may be nested 16 deep.
  package static func numbers(in text: String) throws(JSONError) -> [[String]: Double] {
    var parser = JSONParser(text)
    try parser.value(at: [])
    parser.skipBlanks()
    guard parser.peek == nil else { throw parser.error("the end of the text") }
    return parser.numbers
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ expected: String) -> JSONError {
    let before = bytes[..<position]
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

  private mutating func value(at path: [String]) throws(JSONError) {
    skipBlanks()
    let isNested = peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[")
    guard !isNested || path.count < Self.maximumDepth else {
      throw error("at most \(Self.maximumDepth) levels")
    }
    switch peek {
    case UInt8(ascii: "{"): try object(at: path)
    case UInt8(ascii: "["): try list(at: path)
    case UInt8(ascii: "\""): _ = try string()
    default:
      for word in ["null", "true", "false"] where skip(word: word) { return }
      numbers[path] = try number()
    }
  }

  private mutating func object(at path: [String]) throws(JSONError) {
    position += 1
    if skip(UInt8(ascii: "}")) { return }
    repeat {
      skipBlanks()
      guard peek == UInt8(ascii: "\"") else { throw error("a name in quotation marks") }
      let name = try string()
      guard skip(UInt8(ascii: ":")) else { throw error("':'") }
      try value(at: path + [name])
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw error("',' or '}'") }
  }

  private mutating func list(at path: [String]) throws(JSONError) {
    position += 1
    if skip(UInt8(ascii: "]")) { return }
    repeat { try value(at: path + [""]) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw error("',' or ']'") }
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

  /// Parses a string, and returns its characters as they are written.
  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("no control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") { try skipEscape() }
    }
    guard peek != nil else { throw error("a closing quotation mark") }
    defer { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Skips the characters of an escape after its backslash.
  private mutating func skipEscape() throws(JSONError) {
    guard let letter = peek, "\"\\/bfnrtu".utf8.contains(letter) else { throw error("an escape sequence") }
    position += 1
    guard letter == UInt8(ascii: "u") else { return }
    let digits = bytes[position...].prefix(4)
    let unit: UInt16? = Hexadecimal.number(String(decoding: digits, as: UTF8.self))
    guard digits.count == 4, unit != nil else { throw error("four hexadecimal digits") }
    position += 4
  }
}

/// An error in a JSON text; line and column count from 1, the column in bytes.
package struct JSONError: Error, Hashable, Sendable {
  package let line: Int
  package let column: Int
  /// The token that JSON requires at this place, in words such as `a value`.
  package let expected: String
}
