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
///
/// Call ``append(_:)`` with bytes, ``next(into:)`` until it returns false, and ``finish()`` at the end.
/// Memory is bounded by ``maximumLineLength`` and the longest piece appended.
package struct TableReader: Sendable {
  /// The longest line, 64 KiB.
  package static let maximumLineLength = 1 << 16
  /// The maximum number of columns, for each of which a picture keeps thousands of values.
  private static let maximumColumnCount = 1_000

  /// The columns of each row; nil before the header has been read.
  package private(set) var columns: [Column]?
  /// The name in the column `robot` of the last row; nil without that column.
  package private(set) var robot: String?
  /// The cell from which ``robot`` was read, since consecutive rows often have the same.
  private var robotCell: ArraySlice<UInt8> = []
  private var contents: [CellContent] = []
  /// The index of the column of the times.
  private var timeColumn: Int?
  private var lines = LineSplitter(limit: Self.maximumLineLength)

  private enum CellContent {
    case number
    case robot
    case text
  }

  package init() {}

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

  /// Replaces `row` by the next row; returns false if more bytes are needed.
  ///
  /// A repeated header, as in concatenated files, is skipped.
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
        contents = columns.map { $0.name == "robot" ? .robot : $0.isText ? .text : .number }
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
      if row.count < contents.count {
        switch contents[row.count] {
        case .number:
          if let number = Self.shortNumber(bytes.extracting(start..<end)) {
            row.append(number)
          } else {
            row.append(
              try number(text[(text.startIndex + start)..<(text.startIndex + end)], columns[row.count]))
          }
        case .robot:
          setRobot(text[(text.startIndex + start)..<(text.startIndex + end)])
          row.append(nil)
        case .text: row.append(nil)
        }
      } else {
        row.append(nil)
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

  /// The offset of the comma after a cell, or of the end of the line; a comma in quotes is part of the cell.
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

  /// The number of up to 15 digits with or without a sign and a point; nil for other texts.
  ///
  /// Digits and power of ten are exact as `Double`, so that their quotient is correctly rounded, as by `Double(_:)`.
  private static func shortNumber(_ cell: Span<UInt8>) -> Double? {
    var index = 0
    let isNegative = cell.count > 0 && cell[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    // A sign, 15 digits and a point.
    guard cell.count <= 17 else { return nil }
    var digits: Int64 = 0
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

  private mutating func setRobot(_ cell: ArraySlice<UInt8>) {
    guard robot == nil || cell != robotCell else { return }
    // A copy, since a slice would keep the whole window of lines.
    robotCell = Array(cell)[...]
    robot = String(decoding: cell.filter { $0 != 0x22 }.prefix(64), as: UTF8.self)
  }

  private func number(_ cell: ArraySlice<UInt8>, _ column: Column) throws(TableError) -> Double? {
    let text = String(decoding: cell.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }, as: UTF8.self)
    if text.isEmpty { return nil }
    // Double accepts more than tables contain, for example "inf" and "0x1p3", and reads 1e999 as infinite.
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text),
      value.isFinite
    else {
      throw error("\(FieldValue.text(String(text.prefix(40)))) in column '\(column.title)' is not a number")
    }
    return value
  }

  private func error(_ message: String) -> TableError { TableError(line: lines.count, message: message) }

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
