// Reads CSV tables of numbers, such as the output of `sphero stream`.

package import SpheroProtocol

package struct TableError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The error without a full stop.
  package let message: String

  package var description: String { "line \(line): \(message)" }
}

/// Turns the bytes of a CSV file into rows of numbers, with nil for an empty cell and for a text.
/// Call ``append(_:)`` with bytes, ``next()`` until it returns nil, and ``finish()`` at the end.
/// Memory is bounded by ``maximumLineLength`` and the longest piece appended.
package struct TableReader: Sendable {
  /// The longest line, 64 KiB.
  package static let maximumLineLength = 1 << 16

  /// The columns of each row; nil before the header has been read.
  package private(set) var columns: [Column]?
  /// The name in the column `robot` of the last row; nil without that column.
  package private(set) var robot: String?
  private let acceptsRobots: Bool
  private var lines = LineSplitter(limit: Self.maximumLineLength)

  /// Creates a reader; unless it accepts robots, a name in the column `robot` is an error, because all rows
  /// are those of one robot.
  package init(acceptsRobots: Bool = false) { self.acceptsRobots = acceptsRobots }

  /// Whether text begins like a table of samples, that is with a header that has a time column.
  package static func isTable(_ beginning: some Sequence<UInt8>) -> Bool {
    var lines = LineSplitter(limit: maximumLineLength)
    lines.append(beginning.prefix(maximumLineLength).prefix { $0 != 0x0A && $0 != 0x0D })
    lines.finish()
    guard case .text(let first)? = lines.next() else { return false }
    return columns(of: first).contains { $0.name == "time" }
  }

  package mutating func append(_ bytes: [UInt8]) { lines.append(bytes) }

  /// Marks the end of the input, so that a last line without a line break is read.
  package mutating func finish() { lines.finish() }

  /// The next row, or nil if more bytes are needed; a repeated header, as in concatenated files, is skipped.
  package mutating func next() throws(TableError) -> [Double?]? {
    while let line = lines.next() {
      guard case .text(let text) = line else {
        throw error("the line is longer than \(Self.maximumLineLength) bytes")
      }
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      guard let columns else {
        columns = Self.columns(of: text)
        continue
      }
      let cells = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      if cells.count == columns.count, Self.columns(of: text) == columns { continue }
      guard cells.count == columns.count else {
        throw error("\(cells.count) value\(cells.count == 1 ? "" : "s") for \(columns.count) columns")
      }
      var row: [Double?] = []
      row.reserveCapacity(cells.count)
      for (cell, column) in zip(cells, columns) {
        if acceptsRobots, column.name == "robot" {
          robot = String(decoding: cell.filter { $0 != 0x22 }.prefix(64), as: UTF8.self)
          row.append(nil)
        } else {
          row.append(column.isText && column.name != "robot" ? nil : try number(cell, column))
        }
      }
      return row
    }
    return nil
  }

  private func number(_ cell: ArraySlice<UInt8>, _ column: Column) throws(TableError) -> Double? {
    let text = String(decoding: cell.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }, as: UTF8.self)
    if text.isEmpty { return nil }
    // Double accepts more than tables contain, for example "inf" and "0x1p3".
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text) else {
      throw error("\(FieldValue.text(String(text.prefix(40)))) in column '\(column.title)' is not a number")
    }
    return value
  }

  private func error(_ message: String) -> TableError { TableError(line: lines.count, message: message) }

  private static func columns(of line: ArraySlice<UInt8>) -> [Column] {
    line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
      Column(title: String(decoding: cell.filter { $0 != 0x22 && $0 != 0x20 }.prefix(64), as: UTF8.self))
    }
  }
}
