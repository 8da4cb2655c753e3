// The recordings of the page: one in progress, and one that is opened from a file.

import SpheroCapture
import SpheroDrawing
import SpheroHost
import SpheroMotion
import SpheroOrientation
import SpheroProtocol

/// A recording in progress: its capture and its table wait in bounded buffers until the page removes them.
struct Recording: Sendable {
  private static let capacity = 1 << 22
  /// The approximate size of a result in bytes.
  static let resultSize = 1 << 20
  private static let lineSize = 1 << 14
  /// The number of pieces of rows that wait at most: ten minutes of a simulated robot at 200 Hz.
  private static let maximumPieces = 32

  /// The columns of the table; they remain if the stream changes.
  private var columns = Page.columns(of: [], divisor: 20)
  /// The offsets that are subtracted from the rows.
  private var calibration: RestCalibration?
  private(set) var isOn = false
  private(set) var start = Duration.zero
  /// The time of the last bytes on the line.
  private(set) var latest = Duration.zero
  /// The number of bytes in both directions.
  private(set) var byteCount = 0
  /// The number of samples, including those without a row.
  private(set) var sampleCount = 0
  private var queue = CaptureQueue(capacity: Self.capacity)
  private var printer = RecordPrinter(.csv, kind: "sample", columns: [])
  private var rows = RowQueue()

  init() {}

  /// Begins a recording; `stream` is the active one, nil if none is active, and `wallClock` the present time since 1970.
  init(columns: StreamColumns, stream: StreamFormat?, at now: Duration, wallClock: Duration) {
    (self.columns, isOn, start, latest) = (columns, true, now, now)
    printer = RecordPrinter(.csv, kind: "sample", columns: columns.columns)
    let start = WallTime(sinceEpoch: wallClock)
    queue.append(.header(CaptureHeader(start: start, program: "sphero page", stream: stream)))
  }

  mutating func append(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    guard isOn else { return }
    latest = now
    byteCount += min(bytes.count, .max - byteCount)
    for first in stride(from: 0, to: bytes.count, by: Self.lineSize) {
      let piece = Array(bytes[first..<min(first + Self.lineSize, bytes.count)])
      queue.append(.line(CaptureLine(time: now - start, from: sender, bytes: piece)))
    }
  }

  mutating func append(_ kind: CaptureMark.Kind, at now: Duration) {
    if isOn { queue.append(.mark(CaptureMark(kind, time: now - start))) }
  }

  /// Subtracts other offsets from the next rows, and adds a mark with them to the capture.
  mutating func setCalibration(_ calibration: RestCalibration?, at now: Duration) {
    guard isOn, calibration != self.calibration else { return }
    self.calibration = calibration
    _ = columns.setCalibration(calibration)
    queue.append(
      .mark(CaptureMark(.calibration, time: now - start, offsets: calibration?.storedText)))
  }

  /// Appends a row, unless rows that the page has not removed fill the buffer; the capture contains the sample anyway.
  mutating func append(_ sample: TimedSample) {
    guard isOn else { return }
    sampleCount += 1
    guard rows.pieceCount <= Self.maximumPieces else { return }
    rows.append { text in printer.append(to: &text) { columns.add(sample, to: &$0) } }
  }

  mutating func end() { isOn = false }

  /// Removes and returns about ``resultSize`` bytes of the capture; empty if nothing is pending.
  mutating func takeCapture() -> [UInt8] {
    var text: [UInt8] = []
    while text.count < Self.resultSize, let record = queue.next() { text += "\(record)\n".utf8 }
    return text
  }

  mutating func takeRows() -> [UInt8] { rows.take() }
}

/// The rows of a table as text, in pieces of whole rows with about ``Recording/resultSize`` bytes.
struct RowQueue: Sendable {
  private var pieces: [[UInt8]] = [[]]
  var pieceCount: Int { pieces.count }

  /// Appends a row; `write` appends its text without a line break.
  mutating func append(_ write: (inout [UInt8]) -> Void) {
    let last = pieces.count - 1
    write(&pieces[last])
    pieces[last].append(UInt8(ascii: "\n"))
    if pieces[last].count >= Recording.resultSize { pieces.append([]) }
  }

  mutating func take() -> [UInt8] {
    defer { if pieces.isEmpty { pieces = [[]] } }
    return pieces.removeFirst()
  }
}

/// A recording that is read piece by piece: its packets, its samples and their picture; a table has no packets.
struct OpenedRecording: Sendable {
  /// The number of bytes within which a recording has its first record or packet.
  private static let prologueSize = 1 << 16
  /// The size of a file from which the rest is not read; the module has 32-bit addresses.
  private static let maximumSize = 1 << 29
  /// The number of malformed lines since the latest record or packet that are listed; the others are counted.
  private static let maximumListedErrors = 20
  /// The number of malformed lines since the latest record or packet at which reading ends.
  private static let maximumErrors = 1_000
  /// The divisor of a stream whose divisor is unknown.
  private static let defaultDivisor: UInt16 = 20
  /// The largest number of robots that are shown; the samples of others are ignored.
  private static let maximumTracks = 8

  private let name: String
  private var reader = CaptureReader()
  private var samples = RecordedSamples()
  private var columns: StreamColumns?
  private var printer: RecordPrinter?
  /// The offsets that the present recording contains.
  private var calibration: RestCalibration?
  /// The samples of each robot; a capture has one robot, a table may have several.
  private var tracks: [Track] = []
  private var shownTrack = 0
  /// Whether the file is a table of samples; nil before the first bytes.
  private var isTable: Bool?
  private var table = TableReader()
  private var tableRow: [Double?] = []
  private var hasEnded = false
  private var byteCount = 0
  private var hasContent = false
  /// The number of malformed lines since the latest record or packet, and the first error of the file.
  private var errorCount = 0
  private var firstError: CaptureError?
  /// The reason if the file is not a recording; nil while it may be one.
  private var rejection: PageError?
  /// Whether a remark has reported that the file has too many robots.
  private var hasSurplusTracks = false
  private var packets = PacketList()
  private var rows = RowQueue()
  /// The bytes of the present line of the capture, and the numbers of the present sample.
  private var lineBytes: [UInt8] = []
  private var numbers = NumberCollector()

  init(name: String) { self.name = name }

  mutating func append(_ bytes: [UInt8]) {
    guard !hasEnded else { return }
    guard bytes.count <= Self.maximumSize - byteCount else {
      end()
      report("only the first \(Self.maximumSize >> 20) MiB of the file are read")
      hasEnded = true
      return
    }
    byteCount += bytes.count
    if isTable ?? TableReader.isTable(bytes) {
      isTable = true
      table.append(bytes)
      readTable()
    } else {
      isTable = false
      reader.append(bytes)
      readCapture()
    }
    if !hasContent, byteCount >= Self.prologueSize { reject() }
  }

  mutating func end() {
    guard !hasEnded else { return }
    if isTable == true {
      table.finish()
      readTable()
    } else {
      reader.finish()
      readCapture()
      reportUnlistedErrors()
      endConnection()
    }
    if !hasContent { reject() }
  }

  /// Stops reading a file that is not a recording, and discards its apparent content.
  private mutating func reject() {
    let reason =
      firstError.map { "\($0)" }
      ?? (byteCount == 0 ? "it is empty" : "it has no packet of a robot and no table of samples")
    rejection = PageError("'\(name)' is not a recording: \(reason)")
    (hasEnded, reader, table) = (true, CaptureReader(), TableReader())
    (packets, rows, tracks) = (PacketList(), RowQueue(), [])
  }

  // MARK: A capture

  private mutating func readCapture() {
    while !hasEnded {
      do throws(CaptureError) {
        lineBytes.removeAll(keepingCapacity: true)
        guard let record = try reader.next(appendingTo: &lineBytes) else { return }
        switch record {
        case .line(let time, let sender): appendLine(from: sender, at: time)
        case .annotation(.header(let header)): begin(header)
        case .annotation(.mark(let mark)): append(mark)
        case .annotation(.line): break
        }
        // Hexadecimal text and raw bytes may be anything: they are a recording only if they contain a packet.
        if reader.format != .hexadecimal, reader.format != .raw { recordContent() }
      } catch { append(error) }
    }
  }

  private mutating func append(_ error: CaptureError) {
    firstError = firstError ?? error
    errorCount += 1
    if errorCount <= Self.maximumListedErrors { report(error.description) }
    guard errorCount >= Self.maximumErrors else { return }
    guard hasContent else { return reject() }
    reportUnlistedErrors()
    report("reading ends at line \(error.line): the rest of the file is no recording")
    endConnection()
    (hasEnded, reader) = (true, CaptureReader())
  }

  private mutating func recordContent() {
    hasContent = true
    reportUnlistedErrors()
  }

  private mutating func reportUnlistedErrors() {
    let more = errorCount - Self.maximumListedErrors
    if more > 0 { report("\(more) more lines are not part of a recording") }
    errorCount = 0
  }

  private mutating func appendLine(from sender: Sender, at time: Duration?) {
    // A collision has the position of the samples before it, some of which its own line may contain.
    let bytes = lineBytes[...]
    samples.feed(bytes.span, from: sender, at: time)
    readSamples()
    packets.append(lineBytes, from: sender, at: time)
    readPackets()
  }

  private mutating func append(_ mark: CaptureMark) {
    switch mark.kind {
    case .reconnection:
      endConnection()
      samples.reconnect()
    case .calibration:
      calibration = mark.offsets.flatMap { try? RestCalibration(parsing: $0) }
      _ = columns?.setCalibration(calibration)
    default: break
    }
    report("\(mark)", at: mark.time)
  }

  private mutating func endConnection() {
    packets.end()
    readPackets()
    samples.end()
    readSamples()
  }

  private mutating func begin(_ header: CaptureHeader) {
    endConnection()
    columns?.restart()
    calibration = nil
    _ = columns?.setCalibration(nil)
    let stream = header.stream
    packets.start(Dissector(mask: stream?.mask ?? [], frames: stream?.frames.map { Int($0) }))
    samples = RecordedSamples(stream)
  }

  private mutating func readPackets() {
    var hasPackets = false
    while let item = packets.next() {
      if item.packet != nil { hasPackets = true }
      if case .event(let event)? = item.packet, event.id == Sensing.Collision.id {
        let impact = try? Sensing.Collision(payload: event.payload)
        if !tracks.isEmpty { tracks[0].appendMark(direction: impact?.direction?.degrees(digits: 0)) }
      }
    }
    if hasPackets { recordContent() }
  }

  private mutating func report(_ message: String, at time: Duration? = nil) {
    packets.append(
      remark: Page.json(["kind": "remark", "time": .seconds(time), "message": .text(message)]))
  }

  private mutating func readSamples() {
    while let sample = samples.next() {
      let divisor = samples.divisor ?? Self.defaultDivisor
      if columns == nil {
        let mask = SensorMask(rawValue: sample.sample.mask.fields.reduce(0) { $0 | $1.bit })
        var new = Page.columns(of: mask, divisor: divisor)
        _ = new.setCalibration(calibration)
        columns = new
        printer = RecordPrinter(.csv, kind: "sample", columns: new.columns)
        tracks = Track(name: nil, title: name, columns: new.columns).map { [$0] } ?? []
      }
      columns?.follow(divisor: Int(divisor))
      // These columns have neither filters nor motion, so the same sample may be added twice.
      rows.append { text in
        printer?.append(to: &text) { columns?.add(sample, to: &$0) }
      }
      guard !tracks.isEmpty else { continue }
      numbers.removeAll()
      columns?.add(sample, to: &numbers)
      tracks[0].append(numbers.numbers)
    }
  }

  /// Reads rows up to the first malformed line, as `sphero plot` does.
  private mutating func readTable() {
    do throws(TableError) {
      while try table.next(into: &tableRow) {
        hasContent = true
        if let index = trackIndex(of: table.robot) { tracks[index].append(tableRow) }
      }
    } catch {
      report("\(error); the picture ends before it")
      (hasEnded, table) = (true, TableReader())
    }
  }

  /// Returns the index of the track of a robot, which it creates if necessary; nil if there are too many robots.
  private mutating func trackIndex(of robot: String?) -> Int? {
    if let index = tracks.lastIndex(where: { $0.name == robot }) { return index }
    guard tracks.count < Self.maximumTracks else {
      if !hasSurplusTracks { report("only the first \(Self.maximumTracks) robots of the file are shown") }
      hasSurplusTracks = true
      return nil
    }
    let title = robot.map { "\(name), \($0)" } ?? name
    guard let columns = table.columns, let track = Track(name: robot, title: title, columns: columns) else {
      return nil
    }
    tracks.append(track)
    return tracks.count - 1
  }

  // MARK: Content

  /// The packets and remarks so far; throws if the file is not a recording.
  func list() throws(PageError) -> PacketList {
    if let rejection { throw rejection }
    return packets
  }

  mutating func takeTable() -> [UInt8] { rows.take() }

  /// The plot as SVG; empty if there is none, or if it is larger than the buffer of the module.
  var picture: [UInt8] {
    guard let track, track.plot.count > 0 else { return [] }
    let svg = Array(track.plot.svg().utf8)
    return svg.count <= Page.maximumAnswerSize ? svg : []
  }

  var track: Track? { tracks.indices.contains(shownTrack) ? tracks[shownTrack] : nil }

  var robots: [String] { tracks.compactMap { $0.name } }

  mutating func showRobot(_ name: String) throws(PageError) {
    guard let index = tracks.firstIndex(where: { $0.name == name }) else {
      throw PageError("the recording has no robot '\(name)'")
    }
    shownTrack = index
  }
}
