// Reads CSV tables of numbers, such as the output of `sphero stream`.

package import SpheroProtocol

/// An error in a line of a table.
package struct TableError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The error without a full stop.
  package let message: String

  package var description: String { "line \(line): \(message)" }
}

/// Turns the bytes of a CSV file into rows of numbers, with nil for an empty cell.
///
/// Call ``append(_:)`` with bytes, ``next()`` until it returns nil, and ``finish()`` at the end.
/// Memory is bounded by ``longestLine`` and the longest piece appended.
package struct TableReader: Sendable {
  /// The longest line, 64 KiB.
  package static let longestLine = 1 << 16

  /// The columns of each row; nil before the header has been read.
  package private(set) var columns: [Column]?
  private var bytes: [UInt8] = []
  private var head = 0
  private var line = 0
  private var isFinished = false

  package init() {}

  /// Whether text begins like a table of samples, that is with a header that has a time column.
  package static func isTable(_ beginning: some Sequence<UInt8>) -> Bool {
    let first = Array(beginning.prefix(longestLine).prefix { $0 != 0x0A && $0 != 0x0D })
    return columns(of: first[...]).contains { $0.name == "time" }
  }

  package mutating func append(_ bytes: [UInt8]) {
    self.bytes.removeFirst(head)
    head = 0
    self.bytes += bytes
  }

  /// Marks the end of the input, so that a last line without a line break is read.
  package mutating func finish() { isFinished = true }

  /// The next row, or nil if more bytes are needed; a repeated header, as in concatenated files, is skipped.
  ///
  /// - Throws: ``TableError`` for a malformed line.
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
    // Double accepts more than tables contain, for example "inf" and "0x1p3".
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text) else {
      throw TableError(
        line: line,
        message: "\(FieldValue.text(String(text.prefix(40)))) in column '\(column.title)' is not a number")
    }
    return value
  }

  /// The next line without its line break.
  private mutating func nextLine() throws(TableError) -> ArraySlice<UInt8>? {
    let rest = bytes[head...]
    let end = rest.firstIndex(of: 0x0A)
    guard (end ?? bytes.count) - head <= Self.longestLine else {
      throw TableError(line: line + 1, message: "the line is longer than \(Self.longestLine) bytes")
    }
    guard end != nil || isFinished && !rest.isEmpty else { return nil }
    head = end.map { $0 + 1 } ?? bytes.count
    line += 1
    return Self.trimmed(rest[..<(end ?? bytes.count)])
  }

  /// Removes a carriage return at the end and a byte order mark at the start.
  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    if line.last == 0x0D { line.removeLast() }
    return line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
  }

  private static func columns(of line: ArraySlice<UInt8>) -> [Column] {
    trimmed(line).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
      Column(title: String(decoding: cell.filter { $0 != 0x22 && $0 != 0x20 }.prefix(64), as: UTF8.self))
    }
  }
}
