// Reads captures, hexadecimal text, dumps and raw bytes, and tells them apart by their content.

public import SpheroProtocol

/// The forms in which recorded bytes come.
///
/// Later versions of the library may have more, so a switch over it has a `default`.
public enum CaptureFormat: String, Hashable, Sendable, CaseIterable {
  /// Our own: `0.031 < FF FF 00`, see ``CaptureLine``.
  case capture
  /// Hexadecimal text: `FF FF 00`, `ffff00`, `0xFF,0xFF`, a line for each read; also what Python, Node and .NET
  /// print for bytes, and lists of decimal numbers with commas: `b'\xff'`, `<Buffer ff>`, `FF-FF`, `255, 255`.
  case hexadecimal
  /// What `xxd` prints: `00000000: ffff 0001  ....`.
  case xxd
  /// What `hexdump -C` prints: `00000000  ff ff 00 01  |....|`.
  case hexdump
  /// What bus loggers print: `(1.234) sphero FFFF00`.
  case logger
  /// The bytes themselves.
  case raw
}

/// Turns the bytes of a file or pipe into the records of a capture: lines, headers and marks.
///
/// Feed it with ``append(_:)``, take records with ``next()`` until it returns nil, and call ``finish()`` at the end.
/// An error costs one line: ``next()`` goes on after it.
/// Memory is bounded by ``longestLine`` and the longest piece appended.
public struct CaptureReader: Sendable {
  /// The longest line of text, 16 MiB.
  public static let longestLine = 1 << 24

  /// The form of the bytes: as given or, once enough of them have been seen, as detected.
  public private(set) var format: CaptureFormat?
  /// The lines of text read so far, comments included.
  public private(set) var lineCount = 0

  private let sender: Sender
  private var window = ByteWindow()
  /// Where the next line begins, and where the search for its end goes on.
  private var head = 0
  private var searched = 0
  /// Up to where there is nothing but text, while the form is not known.
  private var textEnd = 0
  private var isFinished = false
  /// Inside a line that is too long.
  private var isSkipping = false
  private var dump = Dump()
  /// Whether a line was a list of decimal numbers: "10, 20" would pass for hexadecimal.
  private var isDecimal = false

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - format: The form of the bytes, or nil to find it out.
  ///   - sender: Whose bytes they are, where the form does not say.
  public init(_ format: CaptureFormat? = nil, from sender: Sender = .robot) {
    (self.format, self.sender) = (format, sender)
  }

  /// Reads a whole capture at once.
  ///
  /// - Parameters:
  ///   - bytes: The content of a file.
  ///   - format: The form of the bytes, or nil to find it out.
  ///   - sender: Whose bytes they are, where the form does not say.
  /// - Returns: All lines, without headers and marks.
  /// - Throws: ``CaptureError`` for the first line that does not fit the form.
  public static func lines(
    in bytes: some Sequence<UInt8>, format: CaptureFormat? = nil, from sender: Sender = .robot
  ) throws(CaptureError) -> [CaptureLine] {
    try records(in: bytes, format: format, from: sender).compactMap(\.line)
  }

  /// Reads a whole capture at once, with its headers and marks.
  ///
  /// - Parameters:
  ///   - bytes: The content of a file.
  ///   - format: The form of the bytes, or nil to find it out.
  ///   - sender: Whose bytes they are, where the form does not say.
  /// - Returns: All records.
  /// - Throws: ``CaptureError`` for the first line that does not fit the form.
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

  /// Takes the next bytes of the input.
  public mutating func append(_ bytes: some Sequence<UInt8>) {
    window.forget(before: head)
    window.append(bytes)
  }

  /// Says that no more bytes come, so that a last line without a line break is read.
  public mutating func finish() { isFinished = true }

  /// The next record, or nil until more bytes come.
  ///
  /// Headers and marks of another version are skipped like comments.
  ///
  /// - Throws: ``CaptureError`` for a line that does not fit the form.
  public mutating func next() throws(CaptureError) -> CaptureRecord? {
    var bytes: [UInt8] = []
    switch try next(appendingTo: &bytes) {
    case .line(let time, let sender): return .line(CaptureLine(time: time, from: sender, bytes: bytes))
    case .annotation(let record): return record
    case nil: return nil
    }
  }

  /// A record but for its bytes.
  package enum Item: Sendable {
    /// A line.
    case line(time: Duration?, from: Sender)
    /// A header or a mark; apart, since it is large and seldom comes.
    indirect case annotation(CaptureRecord)
  }

  /// The next record, as ``next()`` returns it; the bytes of a line are appended to `bytes`.
  ///
  /// - Throws: ``CaptureError`` for a line that does not fit the form; then nothing is appended.
  package mutating func next(appendingTo bytes: inout [UInt8]) throws(CaptureError) -> Item? {
    if format == nil {
      if window[max(head, textEnd)..<window.end].contains(where: Self.isNoText) { format = .raw }
      textEnd = window.end
    }
    if format == .raw {
      guard head < window.end else { return nil }
      bytes += window[head..<window.end]
      head = window.end
      return .line(time: nil, from: sender)
    }
    let count = bytes.count
    while var scanner = try nextLine() {
      scanner.skipBlanks()
      guard let first = scanner.next else { continue }
      if first == UInt8(ascii: "#") {
        guard let record = annotation(&scanner) else { continue }
        return .annotation(record)
      }
      let format = self.format ?? CaptureFormat(of: scanner.text)
      self.format = format
      do throws(CaptureError) {
        guard !isDecimal else { throw scanner.expected("numbers 0...255 with commas") }
        if let line = try self.line(&scanner, format, into: &bytes) { return line }
      } catch {
        bytes.removeLast(bytes.count - count)
        guard format == .hexadecimal, let foreign = ForeignBytes(scanner.text, isDecimal: isDecimal) else {
          throw error
        }
        bytes += foreign.bytes
        isDecimal = foreign.isDecimal
        return .line(time: nil, from: sender)
      }
    }
    return nil
  }

  /// U+FEFF in UTF-8.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A control character, or a byte that UTF-8 never has; SOP1 is one.
  private static func isNoText(_ byte: UInt8) -> Bool {
    byte >= 0xF5 || byte == 0x7F || (byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D)
  }

  /// Takes a line of text, without its line break, from the window.
  private mutating func nextLine() throws(CaptureError) -> LineScanner? {
    while head < window.end {
      let lineBreak = firstLineBreak
      searched = lineBreak.map { $0 + 1 } ?? window.end
      let end = lineBreak ?? window.end
      if isSkipping {
        isSkipping = lineBreak == nil
        head = searched
        continue
      }
      guard end - head <= Self.longestLine else {
        lineCount += 1
        isSkipping = lineBreak == nil
        head = searched
        throw .lineTooLong(line: lineCount)
      }
      guard lineBreak != nil || isFinished else { return nil }
      lineCount += 1
      var text = window[head..<end]
      head = searched
      if text.last == 0x0D { text = text.dropLast() }
      // Windows programs put a byte order mark in front.
      if lineCount == 1, text.starts(with: Self.byteOrderMark) { text = text.dropFirst(3) }
      return LineScanner(text, line: lineCount)
    }
    return nil
  }

  /// Where the next line break is, after what was searched.
  private var firstLineBreak: Int? {
    let rest = window.bytes.span.extracting((searched - window.base)...)
    let count = rest.count(before: 0x0A)
    return count < rest.count ? searched + count : nil
  }

  /// A header or mark, which tells the form too; other forms have comments alone.
  private mutating func annotation(_ scanner: inout LineScanner) -> CaptureRecord? {
    guard format == nil || format == .capture else { return nil }
    guard let record = scanner.annotation() else { return nil }
    format = .capture
    return record
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
  /// Tells the form of a text by its first line that is not a comment.
  init(of line: ArraySlice<UInt8>) {
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    let digits = text.prefix { LineScanner.hexadecimalDigit($0) != nil }.count
    let rest = text.dropFirst(digits)
    if ForeignBytes.begins(text) {
      self = .hexadecimal
    } else if text.first == UInt8(ascii: "(") {
      self = .logger
    } else if digits >= 4, rest.starts(with: ": ".utf8) {
      self = .xxd
    } else if digits >= 7, rest.starts(with: "  ".utf8), text.contains(UInt8(ascii: "|")) {
      self = .hexdump
    } else if text.contains(UInt8(ascii: "<")) || text.contains(UInt8(ascii: ">")) {
      self = .capture
    } else {
      self = .hexadecimal
    }
  }
}

/// The rows of a dump, which follow each other by their offsets.
private struct Dump: Sendable {
  /// The row before, and where it ends.
  private var row: [UInt8] = []
  private var end: Int?
  /// Whether a `*` stands for repetitions of the row before.
  private var isSqueezed = false

  /// The bytes of a row, after those that a `*` before it stands for.
  mutating func row(_ scanner: inout LineScanner, _ format: CaptureFormat) throws(CaptureError) -> [UInt8] {
    if scanner.skip("*") {
      guard !row.isEmpty else { throw scanner.expected("a row before '*'") }
      isSqueezed = true
      return []
    }
    let start = try scanner.offset()
    if format == .xxd, !scanner.skip(":") { throw scanner.expected("':'") }
    let bytes = try scanner.dumpBytes(format)
    defer { (row, end, isSqueezed) = (bytes.isEmpty ? row : bytes, start + bytes.count, false) }

    // A dump may begin anywhere, and another may follow.
    guard let end, start != end, start != 0 else { return bytes }
    let gap = start - end
    guard isSqueezed, gap > 0, gap <= CaptureReader.longestLine, gap.isMultiple(of: row.count) else {
      throw .wrongOffset(start, expected: end, line: scanner.line, column: 1)
    }
    return (0..<(gap / row.count)).flatMap { _ in row } + bytes
  }
}
