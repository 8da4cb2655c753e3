// Bytes as other programs print them: tried where a line is not hexadecimal text.

/// Bytes of a line in a notation of another program.
///
/// | line | of |
/// |---|---|
/// | `b'\xff\xffA'`, `bytearray(b'\xff')` | Python |
/// | `<Buffer ff ff 00>` | Node |
/// | `255, 255, 2`, `[255, 255, 2]` | lists in decimal |
/// | `FF-FF-00` | .NET |
struct ForeignBytes {
  /// The bytes.
  var bytes: [UInt8]
  /// Whether they are decimal; then so are the lines after this one, also where they would pass for hexadecimal.
  var isDecimal = false

  /// Reads a line; nil where it is in none of these notations, or not whole.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - isDecimal: Whether an earlier line was decimal.
  init?(_ line: ArraySlice<UInt8>, isDecimal: Bool) {
    let text = Self.trimmed(line)
    if isDecimal, let numbers = Self.numbers(text) {
      (bytes, self.isDecimal) = (numbers, true)
    } else if let literal = Self.literal(text) {
      bytes = literal
    } else if let pairs = Self.buffer(text) ?? Self.pairs(text, separator: UInt8(ascii: "-")) {
      bytes = pairs
    } else if let numbers = Self.numbers(text) {
      (bytes, self.isDecimal) = (numbers, true)
    } else {
      return nil
    }
  }

  /// Whether a line begins as these notations do, and no capture does.
  static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    ["b'", "b\"", "bytearray(b", "<Buffer ", "["].contains { line.starts(with: $0.utf8) }
  }

  /// The bytes of a list of numbers, each 0...255, with commas between them.
  private static func numbers(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    var text = line
    if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") { text = text.dropFirst().dropLast() }
    guard text.contains(UInt8(ascii: ",")) else { return nil }
    // A line of a longer list may end with a comma.
    if text.last == UInt8(ascii: ",") { text = text.dropLast() }
    var bytes: [UInt8] = []
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = trimmed(part)
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

  /// `<Buffer ff ff>`; one that Node has cut short is not whole.
  private static func buffer(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let start = "<Buffer ".utf8
    guard text.starts(with: start), text.last == UInt8(ascii: ">") else { return nil }
    return pairs(text.dropFirst(start.count).dropLast(), separator: 0x20)
  }

  /// Pairs of hexadecimal digits with one separator between them.
  private static func pairs(_ text: ArraySlice<UInt8>, separator: UInt8) -> [UInt8]? {
    var bytes: [UInt8] = []
    for pair in text.split(separator: separator, omittingEmptySubsequences: false) {
      guard pair.count == 2, let first = pair.first, let last = pair.last,
        let high = LineScanner.hexadecimalDigit(first), let low = LineScanner.hexadecimalDigit(last)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  // MARK: - Python

  /// `b'...'` with its escapes (Python language reference, 2.4.1), as `repr` writes them.
  private static func literal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text
    let wrapping = "bytearray(".utf8
    if text.starts(with: wrapping), text.last == UInt8(ascii: ")") {
      text = text.dropFirst(wrapping.count).dropLast()
    }
    guard text.popFirst() == UInt8(ascii: "b"), let quote = text.popFirst(),
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), text.popLast() == quote
    else { return nil }
    var bytes: [UInt8] = []
    while let byte = text.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        // The end of the literal, and more after it.
        if byte == quote || byte >= 0x80 { return nil }
        bytes.append(byte)
        continue
      }
      guard let escaped = escaped(&text) else { return nil }
      bytes.append(escaped)
    }
    return bytes
  }

  /// The byte that stands after a backslash.
  private static func escaped(_ text: inout ArraySlice<UInt8>) -> UInt8? {
    switch text.popFirst() {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "\\"): UInt8(ascii: "\\")
    case UInt8(ascii: "'"): UInt8(ascii: "'")
    case UInt8(ascii: "\""): UInt8(ascii: "\"")
    case UInt8(ascii: "x"):
      if let high = text.popFirst().flatMap(LineScanner.hexadecimalDigit),
        let low = text.popFirst().flatMap(LineScanner.hexadecimalDigit)
      {
        high << 4 | low
      } else {
        nil
      }
    default: nil
    }
  }
}
