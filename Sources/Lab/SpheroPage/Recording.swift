// Records the line as a capture and the samples as a table.

import SpheroCapture
import SpheroHost
import SpheroMotion
import SpheroProtocol

/// A recording in progress, as bounded text that the page removes.
struct Recording: Sendable {
  /// The size of the queue of records in bytes.
  private static let capacity = 1 << 22
  /// The approximate size of a result in bytes.
  static let resultSize = 1 << 20
  /// The largest number of bytes in a line.
  private static let lineSize = 1 << 14

  /// The columns of the table, which do not change with the stream.
  private var columns: StreamColumns
  private(set) var isOn = false
  private(set) var start = Duration.zero
  /// The time of the last bytes on the line.
  private(set) var latest = Duration.zero
  private(set) var byteCount = 0
  private(set) var sampleCount = 0
  private var queue = CaptureQueue(capacity: Self.capacity)
  private var printer: RecordPrinter
  private var rows: [UInt8] = []

  /// Makes a recording that has not begun.
  init() { self.init(columns: Page.columns(of: [], divisor: 20)) }

  private init(columns: StreamColumns) {
    self.columns = columns
    printer = RecordPrinter(.csv, kind: "sample", columns: columns.columns)
  }

  /// Begins a recording of an active stream at a time since 1970.
  init(columns: StreamColumns, stream: StreamFormat?, at now: Duration, wallClock: Duration) {
    self.init(columns: columns)
    (isOn, start, latest) = (true, now, now)
    let start = WallTime(sinceEpoch: wallClock)
    queue.append(.header(CaptureHeader(start: start, program: "sphero page", stream: stream)))
  }

  mutating func append(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    guard isOn else { return }
    latest = now
    byteCount += bytes.count
    for first in stride(from: 0, to: bytes.count, by: Self.lineSize) {
      let piece = Array(bytes[first..<min(first + Self.lineSize, bytes.count)])
      queue.append(.line(CaptureLine(time: now - start, from: sender, bytes: piece)))
    }
  }

  mutating func append(_ kind: CaptureMark.Kind, at now: Duration) {
    if isOn { queue.append(.mark(CaptureMark(kind, time: now - start))) }
  }

  /// Appends a row; rows that exceed the memory are dropped, since the capture contains the samples, too.
  mutating func append(_ sample: TimedSample) {
    guard isOn else { return }
    sampleCount += 1
    guard rows.count < Self.resultSize else { return }
    printer.append(to: &rows) { columns.add(sample, to: &$0) }
    rows.append(UInt8(ascii: "\n"))
  }

  /// Ends the recording, whose text can still be removed.
  mutating func end() { isOn = false }

  /// Removes and returns about ``resultSize`` of the capture; empty if there is none.
  mutating func takeCapture() -> [UInt8] {
    var text: [UInt8] = []
    while text.count < Self.resultSize, let record = queue.next() {
      text += "\(record)\n".utf8
    }
    return text
  }

  mutating func takeRows() -> [UInt8] {
    defer { rows = [] }
    return rows
  }
}
