// Splits bytes into lines of bounded length, and scans their times, directions, bytes and offsets.

import SpheroLibc
import SpheroProtocol

/// A cursor over the bytes of a line whose errors state what was expected and where.
struct LineScanner {
  let text: ArraySlice<UInt8>
  let line: Int
  var position: Int

  init(_ text: ArraySlice<UInt8>, line: Int) {
    (self.text, self.line, position) = (text, line, text.startIndex)
  }

  var peek: UInt8? { position < text.endIndex ? text[position] : nil }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  @inline(__always) mutating func skipBlanks() {
    while let byte = peek, Self.isBlank(byte) { position += 1 }
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    position += 1
    return true
  }

  private var column: Int { position - text.startIndex + 1 }

  func expected(_ what: String) -> CaptureError {
    let rest = text[position...].prefix { !Self.isBlank($0) }.prefix(20)
    let seen = rest.isEmpty ? (peek == nil ? "the end of the line" : "a blank") : "'\(Self.printable(rest))'"
    return .unexpected(seen, expected: what, line: line, column: column)
  }

  private static func printable(_ bytes: some Sequence<UInt8>) -> String {
    String(
      String.UnicodeScalarView(bytes.map { (0x20..<0x7F).contains($0) ? Unicode.Scalar($0) : "\u{FFFD}" }))
  }

  // MARK: - Elements

  /// `0.031 < FF FF 00` with an optional time.
  mutating func captureLine(
    into bytes: inout [UInt8]
  ) throws(CaptureError) -> (time: Duration?, sender: Sender) {
    skipBlanks()
    let time = try optionalTime()
    skipBlanks()
    guard let sender = sender() else { throw expected(time == nil ? "a time, '>' or '<'" : "'>' or '<'") }
    try hexadecimalBytes(into: &bytes)
    return (time, sender)
  }

  mutating func sender() -> Sender? { skip(">") ? .host : skip("<") ? .robot : nil }

  /// Decimal seconds, exact to 18 decimals; nil if no digit is next.
  mutating func optionalTime() throws(CaptureError) -> Duration? {
    let text = text
    let rest = text.span.extracting((position &- text.startIndex)...)
    var index = 0
    var seconds: Int64 = 0
    while index < rest.count, rest[index].isDigit {
      seconds = seconds &* 10 &+ Int64(rest[index] & 0x0F)
      guard seconds < TimeLimit.seconds else {
        throw .unexpected("a larger number", expected: "a time", line: line, column: column)
      }
      index &+= 1
    }
    guard index > 0 else { return nil }
    var attoseconds: Int64 = 0
    if index < rest.count, rest[index] == UInt8(ascii: ".") {
      index &+= 1
      let first = index
      while index < rest.count, rest[index].isDigit {
        if index &- first < 18 { attoseconds = attoseconds &* 10 &+ Int64(rest[index] & 0x0F) }
        index &+= 1
      }
      attoseconds *= Self.powersOfTen[max(0, 18 &- (index &- first))]
    }
    position += index
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// The time that a text states, as in ``optionalTime()``; nil if the text has another form.
  static func time(_ text: String) -> Duration? {
    var scanner = LineScanner(Array(text.utf8)[...], line: 1)
    guard let time = try? scanner.optionalTime(), scanner.peek == nil else { return nil }
    return time
  }

  private static let powersOfTen: [Int64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// Bytes up to the end of the line, a `#` or `end`: `FF FF`, `ffff`, `0xFF, 0xFF`, `\xFF\xFF`.
  mutating func hexadecimalBytes(until end: Int? = nil, into bytes: inout [UInt8]) throws(CaptureError) {
    let end = end ?? text.endIndex
    while position < end {
      consumePairs(before: end, into: &bytes)
      guard position < end else { break }
      let byte = text[position]
      if byte == UInt8(ascii: "#") { break }
      if Self.isSeparator(byte) {
        position += 1
        continue
      }
      let isPrefixed = skipPrefix()
      let digits = text[position..<max(position, end)].prefix { Self.hexadecimalDigit($0) != nil }
      position = digits.endIndex
      guard let first = digits.first.flatMap(Self.hexadecimalDigit) else {
        throw expected("hexadecimal bytes")
      }
      if digits.count == 1, isPrefixed {
        bytes.append(first)
        continue
      }
      guard digits.count.isMultiple(of: 2) else {
        throw .oddDigits(
          Self.printable(digits.prefix(20)), line: line, column: digits.startIndex - text.startIndex + 1)
      }
      for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
        bytes.append(Self.hexadecimalByte(digits[index..<(index + 2)]) ?? 0)
      }
    }
  }

  /// Reads pairs of digits with separators between them, and stops at the first byte of another form.
  private mutating func consumePairs(before end: Int, into bytes: inout [UInt8]) {
    let (text, values) = (text, Self.digitValues)
    let value = values.span
    guard value.count == 256 else { return }
    let pairs = text.span.extracting((position &- text.startIndex)..<(end &- text.startIndex))
    var restCount = pairs.count
    bytes.append(addingCapacity: pairs.count / 3 + 1) { output in
      var rest = pairs
      defer { restCount = rest.count }
      if rest.count > 0, Self.isSeparator(rest[0]) { rest = rest.extracting(1...) }
      while rest.count > 2 {
        let group = rest.extracting(first: 3)
        let (high, low) = (value[Int(group[0])], value[Int(group[1])])
        guard high | low < 0x10, Self.isSeparator(group[2]) else {
          guard Self.isSeparator(group[0]) else { return }
          rest = rest.extracting(1...)
          continue
        }
        output.append(high << 4 | low)
        rest = rest.extracting(3...)
      }
      // The last pair has no separator after it.
      guard rest.count == 2 else { return }
      let (high, low) = (value[Int(rest[0])], value[Int(rest[1])])
      guard high | low < 0x10 else { return }
      output.append(high << 4 | low)
      rest = rest.extracting(2...)
    }
    position = end - restCount
  }

  /// `(1.234) sphero FFFF00`, the line of a bus logger; the word names the port and is skipped.
  mutating func loggerLine(
    from sender: Sender, into bytes: inout [UInt8]
  ) throws(CaptureError) -> (time: Duration?, sender: Sender) {
    guard skip("(") else { throw expected("'('") }
    guard let time = try optionalTime() else { throw expected("a time") }
    guard skip(")") else { throw expected("')'") }
    skipBlanks()
    guard let byte = peek, byte > 0x20 else { throw expected("the name of a port") }
    while let byte = peek, !Self.isBlank(byte) { position += 1 }
    skipBlanks()
    let sender = self.sender() ?? sender
    try hexadecimalBytes(into: &bytes)
    return (time, sender)
  }

  /// The hexadecimal offset at the start of a row of a dump, below 2^52.
  mutating func offset() throws(CaptureError) -> Int {
    let start = column
    var offset = 0
    while let byte = peek, let digit = Self.hexadecimalDigit(byte) {
      // On 32-bit systems, the offset after the row must not overflow either.
      guard offset < min(Int(clamping: 1 << 48 as UInt64), .max >> 5) else {
        throw .unexpected("a larger number", expected: "an offset", line: line, column: start)
      }
      offset = offset << 4 | Int(digit)
      position += 1
    }
    guard column > start else { throw expected("an offset") }
    return offset
  }

  /// The bytes of a row of a dump up to its text column, which begins at `|` or, in the format of xxd, at two blanks.
  mutating func dumpBytes(_ format: CaptureFormat) throws(CaptureError) -> [UInt8] {
    skipBlanks()
    var end = position
    while end < text.endIndex, text[end] != UInt8(ascii: "|") {
      if format == .xxd, Self.isBlank(text[end]), end + 1 == text.endIndex || Self.isBlank(text[end + 1]) {
        break
      }
      end += 1
    }
    var bytes: [UInt8] = []
    try hexadecimalBytes(until: end, into: &bytes)
    return bytes
  }

  private mutating func skipPrefix() -> Bool {
    let isZeroOrBackslash = peek == UInt8(ascii: "0") || peek == UInt8(ascii: "\\")
    guard isZeroOrBackslash, position + 1 < text.endIndex, text[position + 1] | 0x20 == UInt8(ascii: "x")
    else { return false }
    position += 2
    return true
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
      || byte == UInt8(ascii: ":")
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    let value = digitValues[Int(byte)]
    return value < 0x10 ? value : nil
  }

  static func hexadecimalByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, let high = digits.first.flatMap(hexadecimalDigit),
      let low = digits.last.flatMap(hexadecimalDigit)
    else { return nil }
    return high << 4 | low
  }

  /// The values of all bytes as hexadecimal digits; 0xFF for other characters.
  private static let digitValues = ContiguousArray(
    (0...255 as ClosedRange<UInt8>).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: 0xFF
      }
    })
}

/// Splits bytes into lines, and skips the rest of lines that are too long.
package struct LineSplitter: Sendable {
  package enum Line: Hashable, Sendable {
    /// A line without its line break, a line feed with an optional carriage return.
    case text(ArraySlice<UInt8>)
    /// The beginning of a line that exceeds the limit.
    case tooLong(ArraySlice<UInt8>)

    package var bytes: ArraySlice<UInt8> {
      switch self {
      case .text(let bytes), .tooLong(let bytes): bytes
      }
    }
  }

  private let limit: Int
  private var window = ByteWindow()
  /// The offset of the next line, and the offset at which the search for its end continues.
  private var head = 0
  private var searched = 0
  private(set) var isFinished = false
  private var isSkipping = false
  private(set) var count = 0

  /// Creates a splitter for lines of at most `limit` bytes.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    window.forget(before: head)
    window.append(bytes)
  }

  /// Marks the end of the input, so that a last line without a line break is complete.
  package mutating func finish() { isFinished = true }

  var end: Int { window.end }

  /// The remaining bytes from an offset of the input.
  func rest(from offset: Int) -> ArraySlice<UInt8> { window[max(head, offset)..<window.end] }

  /// Removes and returns the remaining bytes; ``next()`` must not be called afterwards.
  mutating func takeRest() -> ArraySlice<UInt8> {
    defer { head = window.end }
    return rest(from: head)
  }

  /// Removes and returns the next line; nil if more bytes are needed.
  package mutating func next() -> Line? {
    while head < window.end {
      let lineBreak = nextLineBreak
      let end = lineBreak ?? window.end
      searched = lineBreak.map { $0 + 1 } ?? end
      var text = window[head..<end]
      if text.last == 0x0D { text = text.dropLast() }
      let isTooLong = text.count > limit
      guard lineBreak != nil || isFinished || isTooLong || isSkipping else { return nil }
      head = searched
      let wasSkipping = isSkipping
      isSkipping = (isTooLong || isSkipping) && lineBreak == nil
      if wasSkipping { continue }
      count += 1
      if isTooLong { return .tooLong(text.prefix(limit)) }
      // Windows programs write a byte order mark, and files may be concatenated.
      return .text(text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text)
    }
    return nil
  }

  private var nextLineBreak: Int? {
    let rest = window.bytes.span.extracting((searched - window.base)...)
    return unsafe rest.withUnsafeBytes { rest in
      // `memchr` reads only the bytes of the span.
      guard let start = rest.baseAddress, let found = unsafe memchr(start, 0x0A, rest.count)
      else { return nil }
      return unsafe searched + start.distance(to: UnsafeRawPointer(found))
    }
  }
}
