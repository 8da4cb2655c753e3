// Reads captures, hexadecimal text, dumps and raw bytes, and detects their format.

public import SpheroProtocol

/// The formats of recorded bytes; later versions may add more.
public enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
  /// The format of this package, `0.031 < FF FF 00`; see ``CaptureLine``.
  case capture
  /// Hexadecimal text with a line for each read: `FF FF 00`, `ffff00`, `0xFF,0xFF`; also the notations of Python,
  /// Node and .NET, and comma-separated decimal numbers: `b'\xff'`, `<Buffer ff>`, `FF-FF`, `255, 255`.
  case hexadecimal
  /// The output of `xxd`: `00000000: ffff 0001  ....`.
  case xxd
  /// The output of `hexdump -C` or `od -Ax -tx1`: `00000000  ff ff 00 01  |....|`.
  case hexdump
  /// The log format of candump: `(1.234) sphero FFFF00`.
  case logger
  case raw
}

/// Turns the bytes of a file or pipe into the records of a capture.
///
/// Call ``append(_:)`` with bytes, ``next()`` until it returns nil, and ``finish()`` at the end.
/// An error affects one line: ``next()`` continues after it.
/// Memory is bounded by ``maximumLineLength`` and the longest piece appended.
public struct CaptureReader: Sendable {
  /// The longest line of text, 16 MiB.
  public static let maximumLineLength = 1 << 24

  /// The given or detected format; nil until there are enough bytes to detect it.
  public private(set) var format: CaptureFormat?

  private let sender: Sender
  private var lines = LineSplitter(limit: Self.maximumLineLength)
  /// While the format is unknown, all bytes before this offset are text.
  private var textEnd = 0
  /// Whether the file is compressed or UTF-16, so that it has no records.
  private var isEncoded = false
  private let isDetected: Bool
  private var dump = Dump()
  /// Whether a line was a list of decimal numbers: "10, 20" is also valid hexadecimal.
  private var isDecimal = false

  /// Makes a reader that detects the format if `format` is nil; `sender` is that of bytes without a direction.
  public init(_ format: CaptureFormat? = nil, from sender: Sender = .robot) {
    (self.format, self.sender, isDetected) = (format, sender, format == nil)
  }

  /// Reads the lines of a whole capture, without headers and marks; see ``records(in:format:from:)``.
  public static func lines(
    in bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, from sender: Sender = .robot
  ) throws(CaptureError) -> [CaptureLine] {
    try records(in: bytes, format: format, from: sender).compactMap { $0.line }
  }

  /// Reads a whole capture; the parameters are those of ``init(_:from:)``.
  ///
  /// - Throws: ``CaptureError`` for the first malformed line.
  public static func records(
    in bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, from sender: Sender = .robot
  ) throws(CaptureError) -> [CaptureRecord] {
    var reader = CaptureReader(format, from: sender)
    reader.append(bytes)
    reader.finish()
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }

  /// Appends any number of bytes, the next ones of the file.
  public mutating func append(_ bytes: some Sequence<UInt8>) { lines.append(bytes) }

  /// Marks the end of the input, so that a last line without a line break is read.
  public mutating func finish() { lines.finish() }

  /// The next record, or nil if more bytes are needed; annotations of other versions are skipped like comments.
  ///
  /// - Throws: ``CaptureError`` for a malformed line.
  public mutating func next() throws(CaptureError) -> CaptureRecord? {
    var bytes: [UInt8] = []
    switch try next(appendingTo: &bytes) {
    case .line(let time, let sender): return .line(CaptureLine(time: time, from: sender, bytes: bytes))
    case .annotation(let record): return record
    case nil: return nil
    }
  }

  /// A record without its bytes.
  package enum Item: Sendable {
    case line(time: Duration?, from: Sender)
    /// A header or a mark; indirect, because it is large and rare.
    indirect case annotation(CaptureRecord)
  }

  /// The next record as ``next()`` returns it; the bytes of a well-formed line are appended to `bytes`.
  package mutating func next(appendingTo bytes: inout [UInt8]) throws(CaptureError) -> Item? {
    if format == nil {
      let rest = lines.rest(from: textEnd)
      if textEnd == 0, let encoding = Self.encoding(of: rest) {
        (format, isEncoded) = (.raw, true)
        throw .unexpected(encoding, expected: "a recording", line: 1, column: 1)
      }
      if textEnd == 0, !lines.isFinished, Self.mayBecomeEncoded(rest) { return nil }
      if rest.contains(where: Self.isBinary) { format = beginsAsCapture ? .capture : .raw }
      textEnd = lines.end
    }
    if format == .raw {
      let rest = lines.takeRest()
      guard !isEncoded else { return nil }
      bytes += rest
      return rest.isEmpty ? nil : .line(time: nil, from: sender)
    }
    let count = bytes.count
    while let line = lines.next() {
      guard case .text(let text) = line else { throw .lineTooLong(line: lines.count) }
      var scanner = LineScanner(text, line: lines.count)
      scanner.skipBlanks()
      guard let first = scanner.peek else { continue }
      if first == UInt8(ascii: "#") {
        // Only captures have annotations; in other formats they are comments.
        guard format == nil || format == .capture, let record = scanner.annotation() else { continue }
        format = .capture
        return .annotation(record)
      }
      let format = self.format ?? CaptureFormat(of: scanner.text[scanner.position...])
      self.format = format
      do throws(CaptureError) {
        guard !isDecimal else { throw scanner.expected("numbers 0...255 with commas") }
        if let line = try self.line(&scanner, format, into: &bytes) { return line }
      } catch {
        // The format of hexadecimal text is also that of notations which the scanner does not read, and of a capture
        // whose first line is cut at its start and looks like hexadecimal text.
        bytes.removeLast(bytes.count - count)
        guard format == .hexadecimal else { throw error }
        if isDetected, !isDecimal {
          var scanner = LineScanner(text, line: lines.count)
          if let (time, sender) = try? scanner.captureLine(into: &bytes) {
            self.format = .capture
            return .line(time: time, from: sender)
          }
          bytes.removeLast(bytes.count - count)
        }
        guard let line = ExternalNotation(scanner.text, afterDecimal: isDecimal) else { throw error }
        bytes += line.bytes
        isDecimal = isDecimal || line.isDecimal
        return .line(time: nil, from: sender)
      }
    }
    return nil
  }

  /// Whether the first line other than a comment is a header or a line of a capture, so that a damaged byte
  /// after it belongs to a malformed line.
  private var beginsAsCapture: Bool {
    var lines = lines
    while case .text(let line)? = lines.next(), !line.contains(where: Self.isBinary) {
      if line.starts(with: "#: capture ".utf8) { return true }
      var scanner = LineScanner(line, line: 1)
      scanner.skipBlanks()
      guard let first = scanner.peek, first != UInt8(ascii: "#") else { continue }
      var bytes: [UInt8] = []
      return (try? scanner.captureLine(into: &bytes)) != nil
    }
    return false
  }

  /// The first bytes of compressed files, and the programs that print their contents: gzip, xz, Zstandard,
  /// bzip2 and ZIP.
  private static let compressions: [(magic: [UInt8], tool: String)] = [
    ([0x1F, 0x8B], "zcat"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xzcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstdcat"),
    ([0x42, 0x5A, 0x68], "bzcat"), ([0x50, 0x4B, 0x03, 0x04], "unzip -p"),
  ]

  /// The encoding of a file that another program has to convert; nil for a recording.
  private static func encoding(of bytes: some Collection<UInt8>) -> String? {
    if let (_, tool) = compressions.first(where: { bytes.starts(with: $0.magic) }) {
      return "compressed data, which '\(tool) FILE' prints"
    }
    return bytes.count >= markedTextLength && beginsAsUTF16(bytes)
      ? "text in UTF-16, which 'iconv -f UTF-16 -t UTF-8 FILE' converts" : nil
  }

  /// Whether bytes are the beginning of an encoding that only more bytes identify.
  private static func mayBecomeEncoded(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count < markedTextLength && beginsAsUTF16(bytes)
      || !bytes.isEmpty
        && compressions.contains { bytes.count < $0.magic.count && $0.magic.starts(with: bytes) }
  }

  /// The bytes that distinguish text in UTF-16 from an event: a byte order mark may equal SOP1 and SOP2, but in
  /// no event is every second of the 16 bytes after them 0.
  private static let markedTextLength = 18

  /// Whether bytes begin like a byte order mark and text in UTF-16.
  private static func beginsAsUTF16(_ bytes: some Collection<UInt8>) -> Bool {
    let isLittleEndian = bytes.first == 0xFF
    let mark: [UInt8] = isLittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
    guard !bytes.isEmpty, bytes.prefix(2).elementsEqual(mark.prefix(bytes.count)) else { return false }
    return bytes.prefix(markedTextLength).dropFirst(2).enumerated().allSatisfy { offset, byte in
      offset.isMultiple(of: 2) == isLittleEndian ? !isBinary(byte) && byte > 0 : byte == 0
    }
  }

  /// Whether a byte is a control character or never occurs in UTF-8, such as SOP1.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte >= 0xF5 || byte == 0x7F || (byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D)
  }

  private mutating func line(
    _ scanner: inout LineScanner, _ format: CaptureFormat, into bytes: inout [UInt8]
  ) throws(CaptureError) -> Item? {
    switch format {
    case .capture:
      let (time, sender) = try scanner.captureLine(into: &bytes)
      return .line(time: time, from: sender)
    case .logger:
      let (time, sender) = try scanner.loggerLine(from: sender, into: &bytes)
      return .line(time: time, from: sender)
    case .hexadecimal, .raw: try scanner.hexadecimalBytes(into: &bytes)
    case .xxd, .hexdump:
      let row = try dump.row(&scanner, format)
      if row.isEmpty { return nil }
      bytes += row
    }
    return .line(time: nil, from: sender)
  }
}

extension CaptureFormat {
  /// Detects the format of a text from its first line that is not a comment, without the blanks before it.
  fileprivate init(of text: ArraySlice<UInt8>) {
    let digits = text.prefix { LineScanner.hexadecimalDigit($0) != nil }.count
    let rest = text.dropFirst(digits)
    if ExternalNotation.begins(text) {
      self = .hexadecimal
    } else if text.first == UInt8(ascii: "(") {
      self = .logger
    } else if digits >= 4, rest.starts(with: ": ".utf8) {
      self = .xxd
    } else if digits >= 8, rest.starts(with: "  ".utf8), text.contains(UInt8(ascii: "|")) {
      self = .hexdump
    } else if (6...8).contains(digits), LineScanner.hexadecimalByte(text.prefix(2)) != 0xFF,
      rest.first == 0x20,
      rest.drop(while: { $0 == 0x20 }).prefix(while: { LineScanner.hexadecimalDigit($0) != nil }).count == 2
    {
      // An offset before a single byte, as od prints it; hexadecimal text has groups of one length, or a first group
      // that begins with SOP1.
      self = .hexdump
    } else if text.contains(UInt8(ascii: "<")) || text.contains(UInt8(ascii: ">")) {
      self = .capture
    } else {
      self = .hexadecimal
    }
  }
}

/// The rows of a dump, whose offsets must be consecutive.
private struct Dump: Sendable {
  /// The previous row and the offset of its end.
  private var row: [UInt8] = []
  private var end: Int?
  /// Whether a `*` abbreviates repetitions of the previous row.
  private var isSqueezed = false
  /// The number of bytes that may still be abbreviated, since a few characters can stand for any number of them.
  private var expandable = CaptureReader.maximumLineLength

  /// The bytes of a row, after those that a `*` before it abbreviates.
  mutating func row(_ scanner: inout LineScanner, _ format: CaptureFormat) throws(CaptureError) -> [UInt8] {
    if scanner.skip("*") {
      guard !self.row.isEmpty else { throw scanner.expected("a row before '*'") }
      self.isSqueezed = true
      return []
    }
    let (row, end, isSqueezed) = (row, end, isSqueezed)
    // After a malformed row, the next one may have any offset.
    (self.row, self.end, self.isSqueezed) = ([], nil, false)
    let start = try scanner.offset()
    if format == .xxd, !scanner.skip(":") { throw scanner.expected("':'") }
    let bytes = try scanner.dumpBytes(format)
    (self.row, self.end) = (bytes.isEmpty ? row : bytes, start + bytes.count)

    // A dump may begin at any offset, and another dump may follow.
    guard let end, start != end, start != 0 else { return bytes }
    let gap = start - end
    guard isSqueezed, gap > 0, gap.isMultiple(of: row.count) else {
      throw .wrongOffset(start, expected: end, line: scanner.line, column: 1)
    }
    guard gap <= expandable else { throw .abbreviatedTooMuch(line: scanner.line, column: 1) }
    expandable -= gap
    return (0..<(gap / row.count)).flatMap { _ in row } + bytes
  }
}
