// Reads CSV tables of numbers, such as the output of `sphero stream`.

package import SpheroProtocol

/// A line that is not a row of the table.
package struct TableError: Error, Hashable, CustomStringConvertible {
  /// The number of the line, counted from 1.
  package let line: Int
  /// The cause, as a sentence without a full stop.
  package let message: String

  package var description: String { "line \(line): \(message)" }
}

/// Parses the bytes of a CSV file into rows of numbers, with nil for an empty cell and for a text.
///
/// Call ``append(_:)`` with each piece of the file, and then ``next(into:)`` until it returns false. After the last
/// piece, call ``finish()`` and read the remaining rows.
/// The reader holds at most ``maximumLineLength`` bytes and the longest piece.
package struct TableReader: Sendable {
  package static let maximumLineLength = 1 << 16
  /// The maximum number of columns; it bounds memory, since a plot keeps thousands of values of each column.
  private static let maximumColumnCount = 1_000

  /// The columns of each row; nil before the header has been read.
  package private(set) var columns: [Column]?
  /// The name in the column `robot` of the last row; nil without that column.
  package private(set) var robot: String?
  /// The bytes of the cell that contained ``robot``; an equal cell, as in most rows, is not decoded again.
  private var robotCell: [UInt8] = []
  private var kinds: [CellKind] = []
  private var timeColumn: Int?
  private var lines = LineSplitter(limit: Self.maximumLineLength)

  /// What the reader does with the cells of a column: it parses numbers and the robot's name, and skips other texts.
  private enum CellKind {
    case number
    case robot
    case text
  }

  package init() {}

  /// Whether the first line of a file is the header of a table of samples: it has a column `time`.
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

  /// Replaces `row` by the next row; returns false if more bytes are needed. A repeated header is skipped.
  package mutating func next(into row: inout [Double?]) throws(TableError) -> Bool {
    while let line = lines.next() {
      guard case .text(let text) = line else {
        throw error("the line is longer than \(Self.maximumLineLength) bytes")
      }
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      guard let columns else {
        let columns = Self.columns(of: text)
        guard columns.count <= Self.maximumColumnCount else {
          throw error(
            "the table has \(columns.count) columns, but at most \(Self.maximumColumnCount) are read")
        }
        kinds = columns.map { $0.name == "robot" ? .robot : $0.isText ? .text : .number }
        timeColumn = columns.firstIndex { $0.name == "time" }
        self.columns = columns
        continue
      }
      row.removeAll(keepingCapacity: true)
      do throws(TableError) { try read(text, columns, into: &row) } catch {
        if Self.columns(of: text) == columns { continue }
        throw error
      }
      return true
    }
    return false
  }

  private mutating func read(
    _ text: ArraySlice<UInt8>, _ columns: [Column], into row: inout [Double?]
  ) throws(TableError) {
    let bytes = text.span
    var start = 0
    while start <= bytes.count {
      let end = Self.endOfCell(from: start, in: bytes)
      let cell = (text.startIndex + start)..<(text.startIndex + end)
      // Excess cells are counted for the error below.
      switch row.count < kinds.count ? kinds[row.count] : .text {
      case .number:
        if let number = Self.shortNumber(bytes.extracting(start..<end)) {
          row.append(number)
        } else {
          row.append(try number(text[cell], columns[row.count]))
        }
      case .robot:
        if robot == nil || !text[cell].elementsEqual(robotCell) {
          robotCell = Array(text[cell])
          robot = String(decoding: robotCell.filter { $0 != 0x22 }.prefix(64), as: UTF8.self)
        }
        row.append(nil)
      case .text: row.append(nil)
      }
      start = end + 1
    }
    guard row.count == columns.count else {
      throw error("\(row.count) value\(row.count == 1 ? "" : "s") for \(columns.count) columns")
    }
    if let timeColumn, let time = row[timeColumn], abs(time) >= Double(TimeLimit.seconds) {
      throw error("the number in column '\(columns[timeColumn].title)' is too large for a time")
    }
  }

  /// The offset of the comma that ends a cell, or the end of the line; a comma in quotation marks is part of the cell.
  private static func endOfCell(from start: Int, in bytes: Span<UInt8>) -> Int {
    var isQuoted = false
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: ",") && !isQuoted { return index }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      index &+= 1
    }
    return index
  }

  /// Parses a number of at most 15 digits with an optional minus and an optional point; nil for other texts.
  ///
  /// `Double` represents 15 digits and their power of ten exactly, so the quotient is correctly rounded and equals
  /// the result of `Double(_:)`, which takes longer.
  private static func shortNumber(_ cell: Span<UInt8>) -> Double? {
    var index = 0
    let isNegative = cell.count > 0 && cell[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    // A minus, 15 digits and a point.
    guard cell.count <= 17 else { return nil }
    var digits: Int64 = 0
    // The power of ten of the digits after the point; 0 before the point.
    var (count, power) = (0, 0.0)
    while index < cell.count {
      let digit = cell[index] &- UInt8(ascii: "0")
      if digit < 10 {
        digits = digits &* 10 &+ Int64(digit)
        count &+= 1
        power *= 10
      } else if cell[index] == UInt8(ascii: "."), power == 0 {
        power = 1
      } else {
        return nil
      }
      index &+= 1
    }
    guard (1...15).contains(count) else { return nil }
    let number = power > 1 ? Double(digits) / power : Double(digits)
    return isNegative ? -number : number
  }

  /// Parses any decimal number in spaces or quotation marks; nil for an empty cell.
  private func number(_ cell: ArraySlice<UInt8>, _ column: Column) throws(TableError) -> Double? {
    let text = String(decoding: cell.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }, as: UTF8.self)
    if text.isEmpty { return nil }
    // `Double` also parses "inf" and "0x1p3", and "1e999" as infinity.
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text),
      value.isFinite
    else {
      throw error("\(FieldValue.text(String(text.prefix(40)))) in column '\(column.title)' is not a number")
    }
    return value
  }

  private func error(_ message: String) -> TableError { TableError(line: lines.count, message: message) }

  /// Parses a header; a comma in quotation marks is part of the cell.
  private static func columns(of line: ArraySlice<UInt8>) -> [Column] {
    var isQuoted = false
    let cells = line.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    return cells.map { cell in
      Column(title: String(decoding: cell.filter { $0 != 0x22 && $0 != 0x20 }.prefix(64), as: UTF8.self))
    }
  }
}
