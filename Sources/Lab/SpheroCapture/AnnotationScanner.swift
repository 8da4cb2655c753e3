// Reads headers and marks; whatever is wrong with one makes it a comment, never an error.

import SpheroProtocol

extension LineScanner {
  /// The longest value after a key, in bytes; a longer one is left out.
  static let longestValue = 4_096
  /// The keys that are looked at in one line.
  static let mostValues = 32

  /// `#: 12.031 incomplete lines=37 reason="..."`, from the `#`.
  ///
  /// - Returns: Nil for a comment, and for what another version means something by.
  mutating func annotation() -> CaptureRecord? {
    skipBlanks()
    guard skip("#"), skip(":") else { return nil }
    skipBlanks()
    let time: Duration?
    do throws(CaptureError) { time = try optionalTime() } catch { return nil }
    skipBlanks()
    guard let word = annotationWord() else { return nil }
    var values: [String: String] = [:]
    for _ in 0..<Self.mostValues {
      skipBlanks()
      guard let key = annotationWord(), skip("=") else { break }
      if let value = annotationValue() { values[key] = values[key] ?? value }
    }
    return CaptureRecord(word: word, time: time, values: values)
  }

  /// Letters, digits, `-` and `_`.
  private mutating func annotationWord() -> String? {
    var word: [UInt8] = []
    while let byte = next, Self.isWordByte(byte), word.count < 32 {
      word.append(byte)
      step()
    }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A value in quotation marks, or up to the next blank; nil where it is too long or does not end.
  private mutating func annotationValue() -> String? {
    var value: [UInt8] = []
    let isQuoted = skip("\"")
    var isEscaped = false
    while let byte = next {
      if isQuoted ? byte == UInt8(ascii: "\"") && !isEscaped : byte == 0x20 || byte == 0x09 { break }
      step()
      if isEscaped, byte == UInt8(ascii: "x"), let code = hexadecimalByte() {
        value.append(code)
        isEscaped = false
      } else if isQuoted, !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        value.append(byte)
        isEscaped = false
      }
    }
    if isQuoted, !skip("\"") { return nil }
    return value.count <= Self.longestValue ? String(decoding: value, as: UTF8.self) : nil
  }

  /// Two hexadecimal digits, or nothing.
  private mutating func hexadecimalByte() -> UInt8? {
    let start = place
    if let high = next.flatMap(Self.hexadecimalDigit) {
      step()
      if let low = next.flatMap(Self.hexadecimalDigit) {
        step()
        return high << 4 | low
      }
    }
    place = start
    return nil
  }
}
