// Tables on the terminal: records as text that fits the width of the window.

import SpheroProcess
import SpheroProtocol
import SpheroSystem

/// A table on the terminal, to which several tasks may print.
struct TerminalTable: Sendable {
  private let table: Locked<FittedTable>

  /// Returns nil for pipes, files and formats for programs, which get all columns and digits on one line.
  ///
  /// The first column has room for the names of `robots`.
  init?(_ format: Format, _ columns: [Column], robots: [String] = []) {
    guard format == .text, StandardStream.output.size != nil else { return nil }
    var table = FittedTable(columns: columns)
    for robot in robots { table.reserve([.text(robot)]) }
    self.table = Locked(table)
  }

  /// Appends a record in the present size of the window, without the last line feed.
  func append(_ values: [FieldValue], to line: inout [UInt8]) {
    let window = StandardStream.output.size
    let width = Layout.statedWidth(ProcessContext.environment("COLUMNS")) ?? window?.width ?? 80
    line += table.withLock { table in
      var bytes: [UInt8] = []
      table.append(values, width: width, height: window?.height, to: &bytes)
      return bytes
    }
  }
}

/// Prints records: on a terminal as a ``TerminalTable``, elsewhere with all columns and digits.
struct RecordOutput: Sendable {
  private let table: TerminalTable?
  private var records: RecordPrinter

  init(_ format: Format, kind: String, columns: [Column]) {
    table = TerminalTable(format, columns)
    records = RecordPrinter(format, kind: kind, columns: columns)
  }

  /// The header with a line feed; empty if there is none, or if it is printed with the first record.
  mutating func headerLine() -> [UInt8] { table == nil ? records.headerLine() : [] }

  /// The lines of a record with a value for each column, without the last line feed.
  mutating func text(_ values: [FieldValue]) -> String {
    guard let table else { return records.text(values) }
    return String.text { table.append(values, to: &$0) }
  }
}
