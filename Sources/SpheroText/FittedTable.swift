// A table of records that fits the width of a terminal.

/// Formats records as a table that fits a width in characters.
///
/// A table that fits with all its digits has the form of ``RecordPrinter``. A wider one gets, in this order, a header
/// of two lines, narrower gaps, and fewer decimals, though at least two and all of times. If it is still too wide,
/// each record takes several lines with all decimals. A value that needs more room widens its column from then on.
package struct FittedTable: Sendable {
  private var columns: [FittedColumn]
  private var layout: TableLayout?
  private var width = 0
  private var lineCount = 0

  package init(columns: [Column]) { self.columns = columns.map { FittedColumn($0) } }

  /// Makes room for the values of a later record; `values` may be shorter than the list of columns.
  package mutating func reserve(_ values: [FieldValue]) {
    for (index, value) in zip(columns.indices, values) { _ = columns[index].widen(for: value) }
  }

  /// Appends a record with a value for each column, without the last line feed.
  ///
  /// The header precedes the first record, each record whose columns differ from those before, and the record that would
  /// move it out of sight. `width` and `height` are those of the terminal; nil prints the header only if it changes.
  package mutating func append(
    _ values: [FieldValue], width: Int, height: Int? = nil, to bytes: inout [UInt8]
  ) {
    var isChanged = width != self.width || layout == nil
    for (index, value) in zip(columns.indices, values) where columns[index].widen(for: value) {
      isChanged = true
    }
    var needsHeader = layout == nil
    if isChanged {
      let new = TableLayout(columns, width: width)
      needsHeader = new.header != layout?.header
      (layout, self.width) = (new, width)
    }
    guard let layout else { return }
    // A window of fewer lines has no room for headers between records.
    if let height, height > 2 * (layout.header.count + layout.lines.count),
      lineCount + layout.lines.count >= height
    {
      needsHeader = true
    }
    if needsHeader {
      for line in layout.header { bytes += (line + "\n").utf8 }
      lineCount = layout.header.count
    }
    bytes += layout.lines(of: values).joined(separator: "\n").utf8
    lineCount += layout.lines.count
  }
}

private struct FittedColumn: Sendable {
  let name: String
  let unit: String
  let title: String
  /// The number of characters of the longest value without its decimal point and decimals.
  private(set) var wholeCount: Int
  private(set) var digits = 0
  /// Whether the latest value is a text, which is aligned to the left.
  private(set) var isText = false

  init(_ column: Column) {
    (name, unit, title) = (Key.text(column.name), column.unit.name, column.title)
    wholeCount = Self.expectedCount(column.unit)
  }

  /// The number of characters of usual values with their sign, so that columns keep their widths.
  private static func expectedCount(_ unit: Quantity.Unit) -> Int {
    switch unit {
    case .seconds: 3
    case .degrees, .centimetres: 4
    case .degreesPerSecond, .centimetresPerSecond, .millimetresPerSecond: 5
    default: 2
    }
  }

  /// Makes room for a value; returns whether the layout of the column has changed.
  mutating func widen(for value: FieldValue) -> Bool {
    if case .missing = value { return false }
    let wasText = isText
    if case .text = value { isText = true } else { isText = false }
    var count = value.limited(to: 0).printable.count
    let digits = value.digits
    // Counts vary from record to record, so the column has room for any number of 16 bits.
    if case .integer(_, .count) = value { count = max(count, "-32768".count) }
    guard count > wholeCount || digits > self.digits else { return isText != wasText }
    (wholeCount, self.digits) = (max(wholeCount, count), max(digits, self.digits))
    return true
  }

  /// Whether the decimals may be reduced; times with fewer would be equal in several records.
  var isReducible: Bool { unit != Quantity.Unit.seconds.name }

  /// The width of the values with at most `limit` decimals; nil keeps all.
  func width(_ limit: Int?) -> Int {
    let digits = isReducible ? min(digits, limit ?? digits) : digits
    return wholeCount + (digits > 0 ? digits + 1 : 0)
  }

  /// The name before its last underscore; nil without one.
  var stem: Substring? { name.lastIndex(of: "_").map { name[..<$0] } }
  var component: Substring { name.lastIndex(of: "_").map { name[name.index(after: $0)...] } ?? name[...] }
  /// The name before its last character, if that is a digit.
  var numberedStem: Substring? { name.last.map { ("0"..."9").contains($0) } == true ? name.dropLast() : nil }
}

private struct TableLayout: Sendable {
  /// Columns that share the beginning of their name, or a single column; the header has two lines above them.
  private struct Group: Sendable {
    var range: Range<Int>
    /// The text of the first line, above all columns of the group.
    var title: String
    /// The text of the second line, above each column.
    var subtitles: [String]
  }

  private let columns: [FittedColumn]
  private var widths: [Int]
  private var gap: Int
  /// The largest number of decimals; nil keeps all.
  private var limit: Int?
  /// The indices of the columns of each line of a record.
  private(set) var lines: [[Int]]
  private(set) var header: [String] = []

  private static let minimumDigits = 2

  init(_ columns: [FittedColumn], width: Int) {
    self.columns = columns
    (gap, limit, lines) = (2, nil, [Array(columns.indices)])
    widths = columns.map { max($0.title.count, $0.width(nil), RecordPrinter.minimumWidth) }
    // Some terminals begin a new line after their last column.
    let available = width - 1
    if lineWidth(lines[0]) <= available {
      header = [line(lines[0]) { columns[$0].title }]
      return
    }
    let groups = Self.groups(of: columns)
    let maximumDigits = columns.map { $0.digits }.max() ?? 0
    let candidates =
      [(2, nil), (1, nil)]
      + stride(from: maximumDigits - 1, through: Self.minimumDigits, by: -1).map { (1, $0) }
    for (gap, limit) in candidates {
      (self.gap, self.limit) = (gap, limit)
      setWidths(groups)
      if lineWidth(lines[0]) <= available {
        header = titles(groups)
        return
      }
    }
    (gap, limit) = (2, nil)
    setWidths(groups)
    wrap(groups, available)
    header = lines.indices.flatMap { number in
      titles(groups.filter { lines[number].contains($0.range.lowerBound) }, number)
    }
  }

  /// Groups consecutive columns whose names differ only after the last underscore, or in a digit at the end.
  private static func groups(of columns: [FittedColumn]) -> [Group] {
    var groups: [Group] = []
    var start = 0
    while start < columns.count {
      let first = columns[start]
      // The end of the columns whose names share a beginning with that of the first one.
      func end(_ beginning: (FittedColumn) -> Substring?) -> Int {
        guard let shared = beginning(first) else { return start + 1 }
        let others = columns[(start + 1)...].prefix { beginning($0) == shared && $0.unit == first.unit }
        return others.endIndex
      }
      let unit = first.unit.isEmpty ? "" : "_\(first.unit)"
      let numberedEnd = end { $0.numberedStem }
      var end = end { $0.stem }
      if numberedEnd > end {
        end = numberedEnd
        groups.append(
          Group(range: start..<end, title: "", subtitles: columns[start..<end].map { $0.name + unit }))
      } else if end - start > 1, let stem = first.stem {
        groups.append(
          Group(
            range: start..<end, title: stem + unit,
            subtitles: columns[start..<end].map { String($0.component) }))
      } else if let stem = first.stem, first.name.count > first.width(nil) {
        groups.append(Group(range: start..<end, title: String(stem), subtitles: [first.component + unit]))
      } else {
        groups.append(Group(range: start..<end, title: first.name, subtitles: [first.unit]))
      }
      start = end
    }
    return groups
  }

  private mutating func setWidths(_ groups: [Group]) {
    widths = columns.map { $0.width(limit) }
    for group in groups {
      for (index, subtitle) in zip(group.range, group.subtitles) {
        widths[index] = max(widths[index], subtitle.count)
      }
      // A long title of a group widens its first column.
      let missing = group.title.count - lineWidth(Array(group.range))
      if missing > 0 { widths[group.range.lowerBound] += missing }
    }
  }

  private func lineWidth(_ line: [Int]) -> Int {
    line.reduce(0) { $0 + widths[$1] } + gap * max(0, line.count - 1)
  }

  /// Distributes whole groups over lines; the lines after the first one leave the first column blank.
  private mutating func wrap(_ groups: [Group], _ available: Int) {
    lines = []
    for group in groups {
      let extended = (lines.last ?? []) + group.range
      if !lines.isEmpty, indentation(lines.count - 1) + lineWidth(extended) <= available {
        lines[lines.count - 1] = extended
      } else {
        lines.append(Array(group.range))
      }
    }
  }

  private func indentation(_ line: Int) -> Int { line == 0 ? 0 : (widths.first ?? 0) + gap }

  /// The lines of the header above a line of a record: two, or one if the other one is blank.
  private func titles(_ groups: [Group], _ number: Int = 0) -> [String] {
    var upper = String(repeating: " ", count: indentation(number))
    var start = upper.count
    for group in groups {
      let first = group.range.lowerBound
      // A title ends above the last character of the first column's values; that of a text column begins with them.
      let room = group.range.count == 1 && columns[first].isText ? 0 : widths[first]
      let lead = start - upper.count + max(0, room - group.title.count)
      upper += String(repeating: " ", count: max(lead, 0)) + group.title
      start += lineWidth(Array(group.range)) + gap
    }
    let subtitles = groups.flatMap { Array(zip($0.range, $0.subtitles)) }
    let lower = self.line(lines[number], number) { index in subtitles.first { $0.0 == index }?.1 ?? "" }
    return [upper.withoutSpacesAtEnd, lower].filter { !$0.isEmpty }
  }

  /// A line with a text for each of its columns, without spaces at its end.
  private func line(_ indices: [Int], _ number: Int = 0, _ text: (Int) -> String) -> String {
    var line = String(repeating: " ", count: indentation(number))
    for (place, index) in indices.enumerated() {
      if place > 0 { line += String(repeating: " ", count: gap) }
      let text = text(index)
      let blank = String(repeating: " ", count: max(0, widths[index] - text.count))
      line += columns[index].isText ? text + blank : blank + text
    }
    return line.withoutSpacesAtEnd
  }

  func lines(of values: [FieldValue]) -> [String] {
    lines.enumerated().map { number, indices in
      line(indices, number) { index in
        guard values.indices.contains(index) else { return "" }
        let value = values[index]
        guard let limit, columns[index].isReducible else { return value.printable }
        return value.limited(to: limit).printable
      }
    }
  }
}

extension String {
  fileprivate var withoutSpacesAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension FieldValue {
  fileprivate var digits: Int {
    switch self {
    case .integer(_, let quantity): quantity.digits
    case .decimal(_, let digits): digits
    default: 0
    }
  }

  fileprivate func limited(to limit: Int) -> FieldValue {
    digits > limit ? .decimal(number, digits: limit) : self
  }
}
