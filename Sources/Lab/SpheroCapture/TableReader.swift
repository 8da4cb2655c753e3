// Reads tables of numbers in CSV, as streams print them.

package import SpheroProtocol

/// Why a line of a table makes no sense.
package struct TableError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// What is wrong, without a full stop.
  package let message: String

  /// The line and what is wrong.
  package var description: String { "line \(line): \(message)" }
}

/// Turns the bytes of a CSV file into rows of numbers: a header, then a number for each column, or nothing.
///
/// Feed it with ``append(_:)``, take rows with ``next()`` until it returns nil, and call ``finish()`` at the end.
/// Memory is bounded by ``longestLine`` and the longest piece appended.
package struct TableReader: Sendable {
  /// The longest line, 64 KiB.
  package static let longestLine = 1 << 16

  /// What each row has; nil before the header has been read.
  package private(set) var columns: [Column]?
  private var bytes: [UInt8] = []
  private var head = 0
  private var line = 0
  private var isFinished = false

  /// Makes a reader.
  package init() {}

  /// Whether a text begins as a table of samples does: a column of its first line is the time.
  package static func isTable(_ beginning: some Sequence<UInt8>) -> Bool {
    let first = Array(beginning.prefix(longestLine).prefix { $0 != 0x0A && $0 != 0x0D })
    return columns(of: first[...]).contains { $0.name == "time" }
  }

  /// Takes the next bytes of the file.
  package mutating func append(_ bytes: [UInt8]) {
    self.bytes.removeFirst(head)
    head = 0
    self.bytes += bytes
  }

  /// Says that no more bytes come, so that a last line without a line break is read.
  package mutating func finish() { isFinished = true }

  /// The next row, or nil until more bytes come; the same header again, as files have that were joined, is left out.
  ///
  /// - Throws: ``TableError`` for the first line that makes no sense.
  package mutating func next() throws(TableError) -> [Double?]? {
    while let text = try nextLine() {
      guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
      guard let columns else {
        columns = Self.columns(of: text)
        continue
      }
      let cells = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      if cells.count == columns.count, Self.columns(of: text) == columns { continue }
      guard cells.count == columns.count else {
        throw TableError(
          line: line,
          message: "\(cells.count) value\(cells.count == 1 ? "" : "s") for \(columns.count) columns")
      }
      var row: [Double?] = []
      row.reserveCapacity(cells.count)
      for (cell, column) in zip(cells, columns) { row.append(try number(cell, column)) }
      return row
    }
    return nil
  }

  private func number(_ cell: ArraySlice<UInt8>, _ column: Column) throws(TableError) -> Double? {
    let text = String(decoding: cell.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }, as: UTF8.self)
    if text.isEmpty { return nil }
    // What Double takes beyond that, like "inf" or "0x1p3", is not a value of a table.
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text) else {
      throw TableError(
        line: line,
        message: "\(FieldValue.text(String(text.prefix(40)))) in column '\(column.title)' is not a number")
    }
    return value
  }

  /// The next line without its end.
  private mutating func nextLine() throws(TableError) -> ArraySlice<UInt8>? {
    let rest = bytes[head...]
    let end = rest.firstIndex(of: 0x0A)
    guard (end ?? bytes.count) - head <= Self.longestLine else {
      throw TableError(line: line + 1, message: "the line is longer than \(Self.longestLine) bytes")
    }
    guard let end else {
      guard isFinished, !rest.isEmpty else { return nil }
      head = bytes.count
      line += 1
      return Self.trimmed(rest)
    }
    head = end + 1
    line += 1
    return Self.trimmed(rest[..<end])
  }

  /// Without a carriage return at the end, and without a byte order mark in front.
  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == 0x0D { line.removeLast() }
    if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    return line
  }

  private static func columns(of line: ArraySlice<UInt8>) -> [Column] {
    trimmed(line).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
      Column(title: String(decoding: cell.filter { $0 != 0x22 && $0 != 0x20 }.prefix(64), as: UTF8.self))
    }
  }
}
