// The lexical scanner of orbBasic.

import SpheroProtocol

/// The scanner, the parser and the interpreter throw the error code that ends a program.
extension OrbBasic.ErrorCode: Error {}

/// Scans words, numbers and quoted text of a line, and skips blanks.
struct OrbBasicScanner {
  private let text: [UInt8]
  private(set) var position: Int
  private(set) var end: Int
  /// The position at which the last call of ``word()`` began, after blanks.
  private(set) var wordStart = 0

  /// Creates a scanner for the bytes of a text in a range, which may end beyond the text.
  init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    (position, end) = (range.lowerBound, min(range.upperBound, text.count))
  }

  private static let blanks: [UInt8] = [0x20, 0x09, 0x0D]

  /// Skips blanks and returns the next byte without consuming it; nil at the end.
  mutating func peek() -> UInt8? {
    while position < end, Self.blanks.contains(text[position]) { position += 1 }
    return position < end ? text[position] : nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next = peek(), UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  /// Consumes and returns the next character if it is one of several.
  mutating func take(anyOf characters: [Unicode.Scalar]) -> Unicode.Scalar? {
    for character in characters where take(character) { return character }
    return nil
  }

  /// Consumes a run of letters; nil if the next character is not a letter.
  mutating func word() -> String? {
    guard peek() != nil else { return nil }
    let start = position
    while position < end, text[position].isLetter { position += 1 }
    wordStart = start
    return start == position ? nil : String(decoding: text[start..<position], as: UTF8.self)
  }

  /// Moves back to the beginning of the last word, so that it is scanned again.
  mutating func unreadWord() { position = wordStart }

  mutating func take(word expected: String) -> Bool {
    let start = position
    if word() == expected { return true }
    position = start
    return false
  }

  /// Consumes a run of digits; nil if the next character is not a digit.
  ///
  /// - Throws: `OrbBasic.ErrorCode.badParameter` above 2^31.
  mutating func digits() throws(OrbBasic.ErrorCode) -> Int64? {
    guard let next = peek(), next.isDigit else { return nil }
    var value: Int64 = 0
    while position < end, text[position].isDigit {
      value = value * 10 + Int64(text[position] - 0x30)
      guard value <= 1 << 31 else { throw .badParameter }
      position += 1
    }
    return value
  }

  /// Consumes a number with an optional minus sign; nil if there is neither sign nor digit.
  mutating func number() throws(OrbBasic.ErrorCode) -> Int32? {
    let isNegative = take("-")
    guard let value = try digits() else {
      guard !isNegative else { throw .syntax }
      return nil
    }
    guard let number = Int32(exactly: isNegative ? -value : value) else { throw .badParameter }
    return number
  }

  /// Consumes the number of a line, 0...65,535.
  ///
  /// - Throws: `syntax` if the next character is not a digit, `badLineNumber` above the range.
  mutating func lineNumber() throws(OrbBasic.ErrorCode) -> UInt16 {
    guard let value = try digits() else { throw .syntax }
    guard let number = UInt16(exactly: value) else { throw .badLineNumber }
    return number
  }

  /// Consumes text in quotation marks and returns it without them; nil if the next character is not a
  /// quotation mark.
  mutating func quoted() throws(OrbBasic.ErrorCode) -> [UInt8]? {
    guard take("\"") else { return nil }
    let start = position
    while position < end, text[position] != 0x22 { position += 1 }
    guard position < end else { throw .syntax }
    position += 1
    return Array(text[start..<(position - 1)])
  }

  /// Checks that the line ends here.
  mutating func finish() throws(OrbBasic.ErrorCode) {
    guard peek() == nil else { throw .syntax }
  }

  /// Ends the range before the first apostrophe outside quotation marks, which begins a comment.
  mutating func dropComment() {
    var copy = self
    while let next = copy.peek() {
      guard next != 0x27 else {
        end = copy.position
        return
      }
      copy.skip()
    }
  }

  /// Limits the range to the statement before the next `else` if a condition holds, otherwise to the one after it;
  /// returns whether there is one.
  mutating func choose(_ holds: Bool) -> Bool {
    var copy = self
    while copy.peek() != nil {
      let start = copy.position
      guard copy.take(word: "else") else {
        copy.skip()
        continue
      }
      if holds { end = start } else { position = copy.position }
      return true
    }
    return holds
  }

  /// Skips a word, a quoted text or a character.
  private mutating func skip() {
    if word() != nil { return }
    let isQuote = take("\"")
    if isQuote { while position < end, text[position] != 0x22 { position += 1 } }
    if position < end { position += 1 }
  }
}
