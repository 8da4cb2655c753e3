// Notations of bytes in programming languages, tried if a line is not hexadecimal text.

/// The bytes of a line in the notation of a programming language.
///
/// | line | language |
/// |---|---|
/// | `b'\xff\xffA'`, `bytearray(b'\xff')` | Python |
/// | `<Buffer ff ff 00>` | Node |
/// | `255, 255, 2`, `[255, 255, 2]` | lists of decimal numbers |
/// | `FF-FF-00` | .NET |
struct ExternalNotation {
  let bytes: [UInt8]
  /// Whether the line is a list of numbers; all later lines must then be such lists, even if they are
  /// valid hexadecimal.
  let isDecimal: Bool

  /// Parses a line; nil if it is in none of these notations, or incomplete.
  init?(_ line: ArraySlice<UInt8>) {
    let text = Self.trimmed(line)
    let numbers = Self.numbers(text)
    guard
      let bytes = numbers ?? Self.literal(text) ?? Self.buffer(text) ?? Self.pairs(text, separator: "-")
    else { return nil }
    (self.bytes, isDecimal) = (bytes, numbers != nil)
  }

  /// Whether the first characters of a line belong to one of these notations and to no capture.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    ["b'", "b\"", "bytearray(b", "<Buffer ", "["].contains { line.starts(with: $0.utf8) }
  }

  /// The bytes of a comma-separated list of numbers: 0...255, or `0x` and two digits.
  private static func numbers(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    var text = line
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
      text = text.dropFirst().dropLast()
    } else if !text.contains(UInt8(ascii: ",")) {
      return nil
    }
    // A line of a longer list may end with a comma.
    if text.last == UInt8(ascii: ",") { text = text.dropLast() }
    var bytes: [UInt8] = []
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = trimmed(part)
      if digits.starts(with: "0x".utf8), let byte = LineScanner.hexadecimalByte(digits.dropFirst(2)) {
        bytes.append(byte)
        continue
      }
      // `UInt8` also reads a sign.
      guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let byte = UInt8(String(decoding: digits, as: UTF8.self))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text
  }

  /// The bytes of `<Buffer ff ff>`; nil for a long buffer, which Node abbreviates.
  private static func buffer(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let start = "<Buffer ".utf8
    guard text.starts(with: start), text.last == UInt8(ascii: ">") else { return nil }
    return pairs(text.dropFirst(start.count).dropLast(), separator: " ")
  }

  /// The bytes of pairs of hexadecimal digits with one separator between them.
  private static func pairs(_ text: ArraySlice<UInt8>, separator: Unicode.Scalar) -> [UInt8]? {
    var bytes: [UInt8] = []
    for pair in text.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false) {
      guard let byte = LineScanner.hexadecimalByte(pair) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The bytes of `b'...'` with the escapes that `repr` writes (Python language reference, String and Bytes literals).
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
      guard byte == UInt8(ascii: "\\") else {
        // A quotation mark here ends the literal before the end of the line.
        if byte == quote || byte >= 0x80 { return nil }
        bytes.append(byte)
        continue
      }
      guard let escaped = escaped(&text) else { return nil }
      bytes.append(escaped)
    }
    return bytes
  }

  /// Removes the characters of an escape after its backslash, and returns its byte; nil if it is not valid.
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
