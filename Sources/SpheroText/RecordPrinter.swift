// Records with the same columns as text, JSON or CSV.

package enum RecordFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people.
  case text
  /// One JSON object on each line.
  case json
  /// A header and a row for each record (RFC 4180).
  case csv
}

package struct Column: Hashable, Sendable {
  package var name: String
  package var unit: Quantity.Unit

  package init(_ name: String, _ unit: Quantity.Unit = .one) { (self.name, self.unit) = (name, unit) }

  package init(_ field: Field) { self.init(field.name, field.unit) }

  /// Parses a ``title``; an unknown unit is part of the name.
  package init(title: String) {
    // The longest matching unit: deg_s also ends with s.
    let units = Quantity.Unit.known.filter { title.hasSuffix("_\($0.name)") }
    guard let unit = units.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      self.init(title)
      return
    }
    self.init(String(title.dropLast(unit.name.count + 1)), unit)
  }

  /// The columns of tables of samples that have texts; all others have numbers.
  private static let texts: Set<String> = ["robot", "attitude_reference", "attitude_accuracy"]

  package var isText: Bool { Self.texts.contains(name) }

  package var title: String {
    let unit = unit.name
    return Key.text(name) + (unit.isEmpty ? "" : "_" + unit)
  }
}

/// Prints records that have the same columns; a code requires two (see ``Sheet``).
package struct RecordPrinter: Sendable {
  /// The minimum width of a column in text, in characters.
  static let minimumWidth = 8

  private let header: [UInt8]
  private var hasHeader = false
  private var row: Row

  /// Creates a printer; `kind` is the first member of each JSON object, `firstWidth` the minimum width of the first
  /// column in text, such as that of the longest name of a robot.
  package init(_ format: RecordFormat, kind: String, columns: [Column], firstWidth: Int = 0) {
    let widths = columns.enumerated().map { max($1.title.count, Self.minimumWidth, $0 == 0 ? firstWidth : 0) }
    let heads: [[UInt8]]
    switch format {
    case .json:
      var start = Array("{".utf8)
      JSON.append(key: "kind", to: &start)
      JSON.append(text: kind, to: &start)
      heads = columns.enumerated().map { index, column in
        var head = (index == 0 ? start : []) + Array(",".utf8)
        JSON.append(key: column.name, to: &head)
        return head
      }
      header = []
    case .csv:
      heads = columns.map { _ in [] }
      let titles = columns.map { column in String.text { CSV.append(.text(column.title), to: &$0) } }
      header = Array(titles.joined(separator: ",").utf8) + [UInt8(ascii: "\n")]
    case .text:
      heads = columns.indices.map { Array(($0 == 0 ? "" : "  ").utf8) }
      var titles: [UInt8] = []
      for (index, column) in columns.enumerated() {
        titles += heads[index]
        let start = titles.count
        titles += column.title.utf8
        titles.pad(from: start, to: widths[index], alignsRight: true)
      }
      header = titles + [UInt8(ascii: "\n")]
    }
    row = Row(format: format, heads: heads, widths: widths)
  }

  /// The header with a line feed on the first call; no bytes on later calls and in JSON.
  package mutating func headerLine() -> [UInt8] {
    defer { hasHeader = true }
    return hasHeader ? [] : header
  }

  /// The line of a record, without a line feed; in CSV and text, the header precedes the first one.
  package mutating func text(_ values: [FieldValue]) -> String {
    String.text { append(values, to: &$0) }
  }

  package mutating func append(_ values: [FieldValue], to line: inout [UInt8]) {
    append(to: &line) { row in for value in values { row.add(value) } }
  }

  @inline(__always) package mutating func append(to line: inout [UInt8], _ add: (inout Row) -> Void) {
    if !hasHeader { line += headerLine() }
    // Swapping avoids a copy of the bytes.
    swap(&line, &row.line)
    row.index = 0
    add(&row)
    if row.format == .json { row.line.append(UInt8(ascii: "}")) }
    swap(&line, &row.line)
  }

  package struct Row: ValueSink {
    fileprivate let format: RecordFormat
    /// The text before each value; empty in CSV.
    fileprivate let heads: [[UInt8]]
    /// The minimum width of each value in text, in characters.
    fileprivate let widths: [Int]
    fileprivate var line: [UInt8] = []
    fileprivate var index = 0

    package mutating func add(_ value: FieldValue) {
      guard begin() else { return }
      switch format {
      case .json: JSON.append(value, to: &line)
      case .csv: CSV.append(value, to: &line)
      case .text:
        var alignsRight = true
        if case .text = value { alignsRight = false }
        let start = line.count
        value.append(printable: &line)
        line.pad(from: start, to: widths[index - 1], alignsRight: alignsRight)
      }
    }

    package mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn]) {
      let end = min(columns.count, heads.count - index)
      var next = 0
      while next < end {
        if format == .csv, index > 0 { next += append(words, columns[next..<end]) }
        guard next < end else { return }
        // Other formats, the first column, and numbers with more digits.
        add(columns[next].value(of: words))
        next += 1
      }
    }

    /// Appends words of a sample to a line of CSV that has a value, up to the first column whose numbers may exceed eight
    /// bytes; returns the number of words.
    private mutating func append(_ words: SIMD64<Int16>, _ columns: ArraySlice<WordColumn>) -> Int {
      let columns = columns.span
      var count = 0
      line.append(addingCapacity: Decimal.room(forShort: columns.count)) { output in
        let separator = UInt8(ascii: ",")
        var next = 0
        while next < columns.count {
          let column = columns[next]
          guard column.isShort else { break }
          if let place = column.place {
            Decimal.append(short: words[place], of: column.scale, behind: separator, to: &output)
          } else {
            output.append(separator)
          }
          next &+= 1
        }
        count = next
      }
      index += count
      return count
    }

    package mutating func add(_ time: Duration, digits: Int) {
      guard format == .csv else { return add(.seconds(time, digits: digits)) }
      guard begin() else { return }
      Decimal.append(time.inSeconds, digits: digits, to: &line)
    }

    /// Adds the text that `write` appends.
    package mutating func add(text write: (inout [UInt8]) -> Void) {
      guard format == .csv else { return add(.text(String.text(write))) }
      guard begin() else { return }
      let start = line.count
      write(&line)
      CSV.quote(from: start, in: &line)
    }

    /// Begins the next column; false if the row is full.
    private mutating func begin() -> Bool {
      guard index < heads.count else { return false }
      if format == .csv {
        if index > 0 { line.append(UInt8(ascii: ",")) }
      } else {
        line += heads[index]
      }
      index += 1
      return true
    }
  }
}

package struct WordColumn: Sendable {
  /// The index of the word in a sample; nil where samples do not have it.
  let place: Int?
  let scale: Quantity
  let isShort: Bool

  package init(place: Int?, scale: Quantity) {
    self.place = place.flatMap { (0..<SIMD64<Int16>.scalarCount).contains($0) ? $0 : nil }
    self.scale = scale
    isShort = Decimal.isShort(scale)
  }

  package func value(of words: SIMD64<Int16>) -> FieldValue {
    place.map { .integer(Int64(words[$0]), scale) } ?? .missing
  }
}

package protocol ValueSink {
  mutating func add(_ value: FieldValue)
  /// Adds the words of a sample in wire order, one for each column.
  mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn])
  mutating func add(_ time: Duration, digits: Int)
}

extension ValueSink {
  package mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn]) {
    for column in columns { add(column.value(of: words)) }
  }

  package mutating func add(_ time: Duration, digits: Int) { add(.seconds(time, digits: digits)) }
}

extension [FieldValue]: ValueSink {
  package mutating func add(_ value: FieldValue) { append(value) }
}

/// Collects the numbers of a record; nil for other values and for unknown ones.
package struct NumberCollector: ValueSink {
  package private(set) var numbers: [Double?] = []

  package init() {}

  package mutating func removeAll() { numbers.removeAll(keepingCapacity: true) }

  package mutating func add(_ value: FieldValue) { numbers.append(value.number) }
}

extension [UInt8] {
  /// Pads the text from `start` with spaces to a width in characters: before the text if `alignsRight`, else after it.
  package mutating func pad(from start: Int, to width: Int, alignsRight: Bool = false) {
    // Each printable ASCII character is one byte and one character.
    let isPlain = !contains(from: start) { $0.isOutside(0x20...0x7E) }
    let end = count
    let gap = width - (isPlain ? end - start : String(decoding: self[start...], as: UTF8.self).count)
    guard gap > 0 else { return }
    for _ in 0..<gap { append(UInt8(ascii: " ")) }
    guard alignsRight else { return }
    for place in stride(from: end - 1, through: start, by: -1) { swapAt(place, place + gap) }
  }
}

/// Values of CSV (RFC 4180).
package enum CSV {
  /// Appends a value, in quotation marks if necessary; bytes are hexadecimal, missing values are empty.
  static func append(_ value: FieldValue, to line: inout [UInt8]) {
    if case .choice(nil, _) = value { return }
    let start = line.count
    value.append(plain: &line)
    quote(from: start, in: &line)
  }

  private static var mark: UInt8 { UInt8(ascii: "\"") }

  static func quote(from start: Int, in line: inout [UInt8]) {
    guard line.contains(from: start, isQuoted) else { return }
    let text = line[start...]
    line.removeLast(line.count - start)
    line.append(mark)
    for byte in text { line += byte == mark ? [mark, mark] : [byte] }
    line.append(mark)
  }

  @inline(__always) private static func isQuoted(_ byte: UInt8) -> UInt8 {
    byte.isSame(as: mark) | byte.isSame(as: 0x2C) | byte.isSame(as: 0x0A) | byte.isSame(as: 0x0D)
  }
}

/// One record: several lines for people, one line of JSON, or a table of one row.
package enum Sheet {
  /// The lines of a record without the last line feed; `kind` is the first member in JSON, and text omits missing values.
  package static func text(_ fields: [Field], kind: String, _ format: RecordFormat) -> String {
    switch format {
    case .json:
      return JSON.line([Field("kind", .text(kind))] + fields)
    case .csv:
      let plain = fields.flatMap(withCode)
      var printer = RecordPrinter(.csv, kind: kind, columns: plain.map { Column($0) })
      return printer.text(plain.map { $0.value })
    case .text:
      let fields = fields.filter { if case .missing = $0.value { false } else { true } }
      let width = fields.map { Key.text($0.name).count }.max() ?? 0
      let lines = fields.map { field in
        let (name, value) = (Key.text(field.name), field.value.printable)
        return name + String(repeating: " ", count: width - name.count + 2) + value
          + "\(field.unit.symbol)"
      }
      return lines.joined(separator: "\n")
    }
  }

  private static func withCode(_ field: Field) -> [Field] {
    [field] + (field.value.code.map { [Field(field.name + "_code", $0)] } ?? [])
  }
}
