// Notations of bytes in programming languages, in which a program may have printed a recording.

/// The bytes of a line that is not hexadecimal text: `b'\xff\xffA'` and `bytearray(b'\xff')` of Python,
/// `<Buffer ff ff 00>` of Node, `FF-FF-00` of .NET, or a list of decimal numbers.
struct ExternalNotation {
  let bytes: [UInt8]
  /// Whether the line is a list of numbers. Later lines are then not hexadecimal text, even if they are valid as such.
  let isDecimal: Bool

  /// Parses a line; returns nil for an incomplete line, and for one in another notation.
  ///
  /// After a line of decimal numbers, a single number needs no comma.
  init?(_ line: ArraySlice<UInt8>, afterDecimal isDecimal: Bool) {
    let text = Self.trimmed(line)
    let numbers = Self.numbers(text, allowsSingle: isDecimal)
    guard
      let bytes = numbers ?? Self.literal(text) ?? Self.buffer(text)
        ?? Self.parts(of: text, separator: "-", byte: LineScanner.hexadecimalByte)
    else { return nil }
    (self.bytes, self.isDecimal) = (bytes, numbers != nil)
  }

  /// Whether a line begins like one of these notations, and unlike every capture.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    ["b'", "b\"", "bytearray(b", "<Buffer ", "["].contains { line.starts(with: $0.utf8) }
  }

  /// The bytes of a comma-separated list of numbers, in brackets or not: 0...255, or `0x` and two digits.
  private static func numbers(_ line: ArraySlice<UInt8>, allowsSingle: Bool) -> [UInt8]? {
    var text = line
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
      text = text.dropFirst().dropLast()
    } else if !allowsSingle, !text.contains(UInt8(ascii: ",")) {
      return nil
    }
    // The list may continue on the next line.
    if text.last == UInt8(ascii: ",") { text = text.dropLast() }
    return parts(of: text, separator: ",") { part in
      let digits = trimmed(part)
      if digits.starts(with: "0x".utf8) { return LineScanner.hexadecimalByte(digits.dropFirst(2)) }
      // `UInt8(_:)` also accepts a sign.
      let isNumber = digits.allSatisfy { (0x30...0x39).contains($0) }
      return isNumber ? UInt8(String(decoding: digits, as: UTF8.self)) : nil
    }
  }

  /// The bytes of parts with one separator between two of them; nil if a part is not a byte.
  private static func parts(
    of text: ArraySlice<UInt8>, separator: Unicode.Scalar, byte: (ArraySlice<UInt8>) -> UInt8?
  ) -> [UInt8]? {
    let bytes = text.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map(byte)
    return bytes.contains(nil) ? nil : bytes.compactMap { $0 }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text
  }

  /// The bytes of `<Buffer ff ff>`; nil for a long buffer, which Node prints in part.
  private static func buffer(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let start = "<Buffer ".utf8
    guard text.starts(with: start), text.last == UInt8(ascii: ">") else { return nil }
    let pairs = text.dropFirst(start.count).dropLast()
    return parts(of: pairs, separator: " ", byte: LineScanner.hexadecimalByte)
  }

  /// The bytes of `b'...'` with the escapes that Python's `repr` writes (Python language reference, String and Bytes
  /// literals).
  private static func literal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text
    let wrapper = "bytearray(".utf8
    if text.starts(with: wrapper), text.last == UInt8(ascii: ")") {
      text = text.dropFirst(wrapper.count).dropLast()
    }
    guard text.popFirst() == UInt8(ascii: "b"), let quote = text.popFirst(),
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), text.popLast() == quote
    else { return nil }
    var bytes: [UInt8] = []
    while let byte = text.popFirst() {
      if byte == UInt8(ascii: "\\") {
        guard let value = escaped(&text) else { return nil }
        bytes.append(value)
      } else {
        // Text after the closing quotation mark is not part of the notation.
        guard byte != quote, byte < 0x80 else { return nil }
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Removes the characters that follow the backslash of an escape, and returns its byte; nil for an unknown escape.
  private static func escaped(_ text: inout ArraySlice<UInt8>) -> UInt8? {
    guard let character = text.popFirst() else { return nil }
    switch Unicode.Scalar(character) {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "\\", "'", "\"": return character
    case "x":
      defer { text = text.dropFirst(2) }
      return LineScanner.hexadecimalByte(text.prefix(2))
    default: return nil
    }
  }
}
