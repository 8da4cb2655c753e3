// A recording that a page looks at: its packets, its samples, its picture.

import SpheroCapture
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A recording, taken in piece by piece; what was found in it waits to be taken.
///
/// A table of samples, as `sphero stream --format csv` prints it, has a picture and no packets.
struct OpenedRecording: Sendable {
  /// An answer is not longer, so that it fits the shelf.
  private static let answerLimit = 1 << 20
  /// The bytes of a file that may pass before the first record or packet; after more, it is not a recording.
  private static let patience = 1 << 16
  /// The lines since the latest record or packet that are listed although they are not part of a recording; of more, the number is.
  private static let mostRemarks = 20
  /// The lines since the latest record or packet that may be something else before reading ends.
  private static let mostWrongLines = 1_000
  /// The rate of a stream that does not tell it.
  private static let divisor: UInt16 = 20

  private let name: String
  private var reader = CaptureReader()
  private var dissector = Dissector()
  private var samples = RecordedSamples()
  private var columns: StreamColumns?
  private var printer: RecordPrinter?
  private var plot: Plot?
  /// Whether it is a table; nil before its first bytes.
  private var isTable: Bool?
  private var table = TableReader()
  /// Whether the rest of the file is not read.
  private var isBroken = false
  /// The bytes of the file so far.
  private var byteCount = 0
  /// Whether a record or a packet was found.
  private var hasContent = false
  /// The lines since the latest record or packet that are not part of a recording.
  private var wrongLines = 0
  /// What is wrong with the first of them.
  private var firstError: CaptureError?
  /// Why the file is not a recording; nil as long as it may be one.
  private var rejection: PageError?
  private var packets: [[UInt8]] = []
  private var firstPacket = 0
  private var rows: [[UInt8]] = []
  private var firstRow = 0

  init(name: String) { self.name = name }

  /// Takes the next bytes of the file.
  mutating func take(_ bytes: [UInt8]) {
    guard !isBroken else { return }
    byteCount += bytes.count
    defer { if !hasContent, byteCount >= Self.patience { reject() } }
    if isTable ?? TableReader.isTable(bytes) {
      isTable = true
      table.append(bytes)
      takeTableRows()
    } else {
      isTable = false
      reader.append(bytes)
      takeRecords()
    }
  }

  /// Ends the recording.
  mutating func end() {
    guard !isBroken else { return }
    if isTable == true {
      table.finish()
      takeTableRows()
    } else {
      reader.finish()
      takeRecords()
      endWrongLines()
      endLine()
    }
    if !hasContent { reject() }
  }

  /// Reads no more of a file that is not a recording, and forgets what it seemed to have.
  private mutating func reject() {
    let reason =
      firstError.map { "\($0)" }
      ?? (byteCount == 0 ? "it is empty" : "it has no packet of a robot and no table of samples")
    rejection = PageError("'\(name)' is not a recording: \(reason)")
    (isBroken, reader, table, dissector) = (true, CaptureReader(), TableReader(), Dissector())
    (packets, firstPacket, rows, firstRow, plot) = ([], 0, [], 0, nil)
  }

  // MARK: A capture

  private mutating func takeRecords() {
    while !isBroken {
      do throws(CaptureError) {
        guard let record = try reader.next() else { return }
        switch record {
        case .line(let line): take(line)
        case .header(let header): begin(header)
        case .mark(let mark): take(mark)
        }
        // Hexadecimal digits and bytes alone may be anything: they need a packet.
        if reader.format != .hexadecimal, reader.format != .raw { noteContent() }
      } catch { take(error) }
    }
  }

  /// Notes a line that is not part of a recording.
  private mutating func take(_ error: CaptureError) {
    if firstError == nil { firstError = error }
    wrongLines += 1
    if wrongLines <= Self.mostRemarks { remark(error.description, at: nil) }
    guard wrongLines >= Self.mostWrongLines else { return }
    guard hasContent else { return reject() }
    endWrongLines()
    remark("reading ends at line \(error.line): the file goes on with something else", at: nil)
    endLine()
    (isBroken, reader) = (true, CaptureReader())
  }

  private mutating func noteContent() {
    hasContent = true
    endWrongLines()
  }

  /// Reports those of the lines before that were not listed.
  private mutating func endWrongLines() {
    let more = wrongLines - Self.mostRemarks
    if more > 0 { remark("\(more) more lines are not part of a recording", at: nil) }
    wrongLines = 0
  }

  private mutating func take(_ line: CaptureLine) {
    let bytes = line.bytes[...]
    dissector.feed(bytes.span, from: line.sender, at: line.time)
    takeDissections()
    samples.feed(bytes.span, from: line.sender, at: line.time)
    takeSamples()
  }

  private mutating func take(_ mark: CaptureMark) {
    if mark.kind == .reconnection {
      endLine()
      samples.reconnect()
    }
    remark("\(mark)", at: mark.time)
  }

  /// The bytes that come are those of another line.
  private mutating func endLine() {
    dissector.end()
    takeDissections()
    samples.end()
    takeSamples()
  }

  /// Another recording begins.
  private mutating func begin(_ header: CaptureHeader) {
    endLine()
    columns?.restart()
    let stream = header.stream
    dissector = Dissector(mask: stream?.mask ?? [], frames: stream?.frames.map { Int($0) })
    samples = RecordedSamples(stream)
  }

  private mutating func takeDissections() {
    while let item = dissector.next() {
      if item.packet != nil { noteContent() }
      var line: [UInt8] = []
      item.append(json: &line)
      // People read the sentence, programs the rest.
      line.removeLast()
      line += ",\"message\":".utf8
      JSON.append(text: item.meaning, to: &line)
      line.append(UInt8(ascii: "}"))
      packets.append(line)
    }
  }

  private mutating func remark(_ sentence: String, at time: Duration?) {
    var line: [UInt8] = []
    JSON.append(
      [Field("kind", .text("remark")), Field("time", .seconds(time)), Field("message", .text(sentence))],
      to: &line)
    packets.append(line)
  }

  private mutating func takeSamples() {
    while let sample = samples.next() {
      let divisor = samples.divisor ?? Self.divisor
      if columns == nil {
        let mask = SensorMask(rawValue: sample.sample.mask.fields.reduce(0) { $0 | $1.bit })
        let made = Page.columns(of: mask, divisor: divisor)
        columns = made
        printer = RecordPrinter(.csv, kind: "sample", columns: made.columns)
        plot = Plot(title: name, columns: made.columns)
      }
      columns?.follow(divisor: Int(divisor))
      var row: [UInt8] = []
      printer?.append(to: &row) { columns?.add(sample, to: &$0) }
      row.append(UInt8(ascii: "\n"))
      rows.append(row)
      if let values = columns?.values(sample) { plot?.append(values.map { $0.number }) }
    }
  }

  // MARK: A table

  /// Takes rows until there are no more; the first line that makes no sense ends the table, as in `sphero plot`.
  private mutating func takeTableRows() {
    do throws(TableError) {
      while let row = try table.next() {
        hasContent = true
        if plot == nil, let columns = table.columns { plot = Plot(title: name, columns: columns) }
        plot?.append(row)
      }
    } catch {
      remark("\(error); the picture ends before it", at: nil)
      (isBroken, table) = (true, TableReader())
    }
  }

  // MARK: What was found

  /// Takes lines of JSON, a packet each; empty where there are none now.
  ///
  /// - Throws: A ``PageError`` if the file is not a recording.
  mutating func takePackets() throws(PageError) -> [UInt8] {
    if let rejection { throw rejection }
    return Self.take(from: &packets, &firstPacket, end: [UInt8(ascii: "\n")])
  }

  /// Takes rows of the samples; empty where there are none now.
  mutating func takeTable() -> [UInt8] { Self.take(from: &rows, &firstRow, end: []) }

  private static func take(from lines: inout [[UInt8]], _ first: inout Int, end: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    while first < lines.count, text.count + lines[first].count <= answerLimit || text.isEmpty {
      text += lines[first]
      text += end
      first += 1
    }
    if first == lines.count { (lines, first) = ([], 0) }
    return text
  }

  /// The picture; empty where there is no sample.
  var picture: [UInt8] {
    guard let plot, plot.count > 0 else { return [] }
    return Array(plot.svg().utf8)
  }
}
