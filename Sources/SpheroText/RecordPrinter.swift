// Records with the same columns, one after the other: as text, JSON or CSV.

/// A form in which results are printed.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// An object on each line.
  case json
  /// A header, and a row for each record.
  case csv
}

/// A column of records: everything about a value but the value.
package struct Column: Hashable, Sendable {
  /// The name, which is printed in snake case.
  package var name: String
  /// The unit of all values.
  package var unit: Quantity.Unit

  /// Names a column.
  package init(_ name: String, _ unit: Quantity.Unit = .one) { (self.name, self.unit) = (name, unit) }

  /// Takes a field's name and unit.
  package init(_ field: Field) { self.init(field.name, field.unit) }

  /// Takes a ``title`` apart; a unit that is not known counts as part of the name.
  package init(title: String) {
    // The longest unit that fits: deg_s also ends with s.
    let units = Quantity.Unit.known.filter { title.hasSuffix("_\($0.name)") }
    guard let unit = units.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      self.init(title)
      return
    }
    self.init(String(title.dropLast(unit.name.count + 1)), unit)
  }

  /// The name with the unit, as it stands at the head of a column.
  package var title: String {
    let unit = unit.name
    return Key.text(name) + (unit.isEmpty ? "" : "_" + unit)
  }
}

/// Prints records that all have the same columns; what is the same in all of them is made once.
///
/// A value is not a code: codes have two columns, see ``Sheet``.
package struct RecordPrinter: Sendable {
  private let header: [UInt8]
  private var hasHeader = false
  private var row: Row

  /// Where the values of a column stand.
  fileprivate struct Place: Sendable {
    /// What stands in front of each; nothing in CSV, which has a comma in front of all but the first.
    let head: [UInt8]
    /// How many characters each has at least, in text.
    let width: Int
  }

  /// Prepares for records.
  ///
  /// - Parameters:
  ///   - format: How to print.
  ///   - kind: What a record is: the first member of each object of JSON.
  ///   - columns: What each record has.
  package init(_ format: RecordFormat, kind: String, columns: [Column]) {
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
      header = Array(columns.map { CSV.quoted($0.title) }.joined(separator: ",").utf8)
    case .text:
      heads = columns.indices.map { Array(($0 == 0 ? "" : "  ").utf8) }
      var titles: [UInt8] = []
      for (column, head) in zip(columns, heads) {
        titles += head
        let start = titles.count
        titles += column.title.utf8
        titles.pad(from: start, to: 8, isRight: true)
      }
      header = titles
    }
    let places = zip(columns, heads).map { Place(head: $1, width: max($0.title.count, 8)) }
    row = Row(format: format, places: places)
  }

  /// The header as a line of its own, with its end; empty where the form has none, or where it has been printed.
  package mutating func headerLine() -> [UInt8] {
    guard !hasHeader, row.format != .json else { return [] }
    hasHeader = true
    return header + [UInt8(ascii: "\n")]
  }

  /// The line for a record; in CSV and text, the first comes with a header.
  ///
  /// - Parameter values: A value for each column.
  /// - Returns: A line, or two, without the end of the last.
  package mutating func text(_ values: [FieldValue]) -> String {
    var line: [UInt8] = []
    append(values, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  /// Appends what ``text(_:)`` returns.
  package mutating func append(_ values: [FieldValue], to line: inout [UInt8]) {
    append(to: &line) { row in for value in values { row.add(value) } }
  }

  /// Appends what ``text(_:)`` returns, of values that are added one by one.
  @inline(__always) package mutating func append(to line: inout [UInt8], _ add: (inout Row) -> Void) {
    if !hasHeader, row.format != .json { line += header + [UInt8(ascii: "\n")] }
    hasHeader = true
    // The values are appended in place: the bytes move there and back.
    swap(&line, &row.line)
    row.index = 0
    add(&row)
    if row.format == .json { row.line.append(UInt8(ascii: "}")) }
    swap(&line, &row.line)
  }

  /// A line that is being made.
  package struct Row: ValueSink {
    fileprivate let format: RecordFormat
    private let places: [Place]
    fileprivate var line: [UInt8] = []
    /// How many columns have a value.
    fileprivate var index = 0

    fileprivate init(format: RecordFormat, places: [Place]) {
      (self.format, self.places) = (format, places)
    }

    /// Adds any value.
    package mutating func add(_ value: FieldValue) {
      guard begin() else { return }
      switch format {
      case .json: JSON.append(value, to: &line)
      case .csv: CSV.append(value, to: &line)
      case .text:
        var isRight = true
        if case .text = value { isRight = false }
        let start = line.count
        value.append(printable: &line)
        line.pad(from: start, to: places[index - 1].width, isRight: isRight)
      }
    }

    /// Adds words of a sample.
    package mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn]) {
      let end = min(columns.count, places.count - index)
      var next = 0
      while next < end {
        if format == .csv, index > 0 { next += append(words, columns[next..<end]) }
        guard next < end else { return }
        // In another form, at the beginning of the line, or with more digits than most.
        add(columns[next].value(of: words))
        next += 1
      }
    }

    /// Appends words of a sample to a line of CSV that has a value: those before the first column that may need more digits than fit a word of memory.
    ///
    /// - Returns: How many.
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

    /// Adds seconds.
    package mutating func add(_ time: Duration, digits: Int) {
      guard format == .csv else { return add(.seconds(time, digits: digits)) }
      guard begin() else { return }
      Decimal.append(time.inSeconds, digits: digits, to: &line)
    }

    /// Adds a text that `write` appends.
    package mutating func add(text write: (inout [UInt8]) -> Void) {
      guard format == .csv else {
        var text: [UInt8] = []
        write(&text)
        return add(.text(String(decoding: text, as: UTF8.self)))
      }
      guard begin() else { return }
      let start = line.count
      write(&line)
      CSV.quote(from: start, in: &line)
    }

    /// Steps to the next column.
    private mutating func begin() -> Bool {
      guard index < places.count else { return false }
      if format == .csv {
        if index > 0 { line.append(UInt8(ascii: ",")) }
      } else {
        line += places[index].head
      }
      index += 1
      return true
    }
  }
}

/// A column of words of samples.
package struct WordColumn: Sendable {
  /// The index of the word in a sample; nil where samples do not have it.
  let place: Int?
  /// What its counts stand for.
  let scale: Quantity
  /// Whether few digits are enough for each of its words.
  let isShort: Bool

  /// Makes a column.
  package init(place: Int?, scale: Quantity) {
    self.place = place.flatMap { (0..<SIMD64<Int16>.scalarCount).contains($0) ? $0 : nil }
    self.scale = scale
    isShort = Decimal.isShort(scale)
  }

  /// The value of a sample.
  package func value(of words: SIMD64<Int16>) -> FieldValue {
    place.map { .integer(Int64(words[$0]), scale) } ?? .missing
  }
}

/// Takes the values of a record, column by column.
package protocol ValueSink {
  /// Takes any value.
  mutating func add(_ value: FieldValue)
  /// Takes words of a sample, one for each column.
  mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn])
  /// Takes seconds with so many decimals.
  mutating func add(_ time: Duration, digits: Int)
}

/// Keeps the values of a record.
package struct ValueCollector: ValueSink {
  /// The values so far.
  package private(set) var values: [FieldValue] = []

  /// Starts with no values.
  package init() {}

  /// Adds any value.
  package mutating func add(_ value: FieldValue) { values.append(value) }

  /// Adds words of a sample.
  package mutating func add(_ words: SIMD64<Int16>, _ columns: [WordColumn]) {
    for column in columns { add(column.value(of: words)) }
  }

  /// Adds seconds.
  package mutating func add(_ time: Duration, digits: Int) { add(.seconds(time, digits: digits)) }
}

extension [UInt8] {
  /// Adds blanks to the text that begins at `start`, after it or in front of it, until it has so many characters.
  package mutating func pad(from start: Int, to width: Int, isRight: Bool = false) {
    // A character of ASCII is a byte, but for a carriage return and a line feed.
    let isPlain = !contains(from: start) { $0.isOutside(0x20...0x7E) }
    let end = count
    let gap = width - (isPlain ? end - start : String(decoding: self[start...], as: UTF8.self).count)
    guard gap > 0 else { return }
    for _ in 0..<gap { append(UInt8(ascii: " ")) }
    guard isRight else { return }
    for place in stride(from: end - 1, through: start, by: -1) { swapAt(place, place + gap) }
  }
}

/// Values in rows with commas between them (RFC 4180).
package enum CSV {
  /// Appends a value; bytes are hexadecimal, and what is missing is empty.
  static func append(_ value: FieldValue, to line: inout [UInt8]) {
    switch value {
    case .integer(_, let quantity) where !quantity.perCount.isFinite: break
    case .number(let number) where !number.isFinite: break
    case .choice(nil, _): break
    case .integer, .decimal, .number, .flag, .bytes, .missing: value.append(plain: &line)
    case .text(let text): append(text.utf8, to: &line)
    default: append(value.plain.utf8, to: &line)
    }
  }

  /// A text in quotation marks where it needs them.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static var mark: UInt8 { UInt8(ascii: "\"") }

  private static func append(_ text: String.UTF8View, to line: inout [UInt8]) {
    let start = line.count
    line += text
    quote(from: start, in: &line)
  }

  /// Puts the text from a place on in quotation marks where it needs them.
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

/// One record over several lines, for people, or as one line for programs.
package enum Sheet {
  /// The text of a record.
  ///
  /// - Parameters:
  ///   - fields: The values.
  ///   - kind: What the record is.
  ///   - format: How to print.
  /// - Returns: One line or several, without the end of the last.
  package static func text(_ fields: [Field], kind: String, _ format: RecordFormat) -> String {
    switch format {
    case .json:
      return JSON.line([Field("kind", .text(kind))] + fields)
    case .csv:
      let plain = fields.flatMap(withCode)
      var printer = RecordPrinter(.csv, kind: kind, columns: plain.map { Column($0) })
      return printer.text(plain.map { $0.value })
    case .text:
      let width = fields.map { Key.text($0.name).count }.max() ?? 0
      let lines = fields.map { field in
        let (name, value) = (Key.text(field.name), field.value.printable)
        return name + String(repeating: " ", count: width - name.count + 2) + value
          + (value.isEmpty ? "" : "\(field.unit.symbol)")
      }
      return lines.joined(separator: "\n")
    }
  }

  /// A code has two columns: its name, and its number.
  private static func withCode(_ field: Field) -> [Field] {
    guard let raw = field.value.code else { return [field] }
    return [field, Field(field.name + "_code", raw.map { .count($0) } ?? .missing)]
  }
}
