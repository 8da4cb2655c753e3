// Rows of named values as text, JSON or CSV.

import SpheroProtocol

/// A named value with its unit, as every format needs it.
struct Cell {
  enum Value {
    case number(Double, digits: Int)
    case integer(Int)
    case text(String)
    case flag(Bool)
    case missing
  }
  var name: String
  /// The unit as it stands in a CSV header; empty where there is none.
  var unit = ""
  var value: Value
}

/// Prints records that all have the same columns.
struct Records {
  private let format: Format
  private var hasHeader = false

  init(_ format: Format) { self.format = format }

  /// The lines for one record: in CSV and text, the first comes with a header.
  mutating func lines(_ cells: [Cell]) -> [String] {
    defer { hasHeader = true }
    switch format {
    case .json:
      var object = JSONObject()
      for cell in cells { object.add(cell.name, JSON.value(cell.value)) }
      return [object.text]
    case .csv:
      let row = cells.map { Self.quoted(Self.plain($0.value)) }.joined(separator: ",")
      return hasHeader ? [row] : [cells.map { Self.quoted(Self.title($0)) }.joined(separator: ","), row]
    case .text:
      let row = cells.map { Self.padded(Self.plain($0.value), for: $0) }.joined(separator: "  ")
      return hasHeader
        ? [row] : [cells.map { Self.padded(Self.title($0), for: $0) }.joined(separator: "  "), row]
    }
  }

  private static func title(_ cell: Cell) -> String {
    cell.unit.isEmpty ? cell.name : "\(cell.name)_\(cell.unit)"
  }

  private static func padded(_ text: String, for cell: Cell) -> String {
    let width = max(title(cell).count, 8)
    let gap = String(repeating: " ", count: max(0, width - text.count))
    return if case .text = cell.value { text + gap } else { gap + text }
  }

  static func plain(_ value: Cell.Value) -> String {
    switch value {
    case .number(let number, let digits): Decimal.text(number, digits: digits)
    case .integer(let number): "\(number)"
    case .text(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .missing: ""
    }
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

/// One record over several lines, for people, or as one line for programs.
enum Sheet {
  static func lines(_ cells: [Cell], _ format: Format) -> [String] {
    guard format == .text else {
      var records = Records(format)
      return records.lines(cells)
    }
    let width = cells.map(\.name.count).max() ?? 0
    return cells.map { cell in
      var unit = cell.unit.isEmpty ? "" : " \(cell.unit)"
      if case .missing = cell.value { unit = "" }
      return cell.name + String(repeating: " ", count: width - cell.name.count + 2)
        + Records.plain(cell.value) + unit
    }
  }
}

extension JSON {
  /// The value of a cell.
  fileprivate static func value(_ value: Cell.Value) -> String {
    switch value {
    case .number(let number, let digits): number.isFinite ? Decimal.text(number, digits: digits) : "null"
    case .integer(let number): "\(number)"
    case .text(let text): Self.text(text)
    case .flag(let flag): "\(flag)"
    case .missing: "null"
    }
  }
}
