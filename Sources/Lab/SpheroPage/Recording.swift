// What a page writes down: the line as a capture, the samples as a table.

import SpheroCapture
import SpheroHost
import SpheroMotion
import SpheroProtocol

/// A recording of a page: text that waits to be taken, bounded.
struct Recording: Sendable {
  /// The records that wait at most, in bytes.
  private static let capacity = 1 << 22
  /// The text of an answer, about.
  private static let answerCount = 1 << 20
  /// The bytes of a line.
  private static let lineCount = 1 << 14

  /// The columns of the table, which stay whatever is streamed.
  private var columns: StreamColumns
  private(set) var isOn = false
  private(set) var start = Duration.zero
  /// When something crossed the line last.
  private(set) var latest = Duration.zero
  /// The bytes that crossed the line.
  private(set) var byteCount = 0
  private(set) var sampleCount = 0
  private var queue = CaptureQueue(capacity: Self.capacity)
  private var printer: RecordPrinter
  private var rows: [UInt8] = []

  /// Waits for a recording.
  init() { self.init(columns: Page.columns(of: [], divisor: 20)) }

  private init(columns: StreamColumns) {
    self.columns = columns
    printer = RecordPrinter(.csv, kind: "sample", columns: columns.columns)
  }

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - columns: What the table shows.
  ///   - stream: The stream that is on.
  ///   - now: The time.
  ///   - wallClock: The time since 1970.
  init(
    columns: StreamColumns, stream: StreamFormat?, at now: Duration,
    wallClock: Duration
  ) {
    self.init(columns: columns)
    (isOn, start, latest) = (true, now, now)
    queue.append(
      .header(
        CaptureHeader(start: WallTime(sinceEpoch: wallClock), program: "sphero page", stream: stream)))
  }

  /// Notes bytes that cross the line.
  mutating func passed(_ bytes: [UInt8], from sender: Sender, at now: Duration) {
    guard isOn else { return }
    latest = now
    byteCount += bytes.count
    for first in stride(from: 0, to: bytes.count, by: Self.lineCount) {
      let piece = Array(bytes[first..<min(first + Self.lineCount, bytes.count)])
      queue.append(.line(CaptureLine(time: now - start, from: sender, bytes: piece)))
    }
  }

  /// Notes that something happened to the line.
  mutating func note(_ kind: CaptureMark.Kind, at now: Duration) {
    if isOn { queue.append(.mark(CaptureMark(kind, time: now - start))) }
  }

  /// Adds a row.
  mutating func take(_ sample: TimedSample) {
    guard isOn else { return }
    sampleCount += 1
    // A page that takes nothing loses rows; the capture has the samples too, and says what it lost.
    guard rows.count < Self.answerCount else { return }
    printer.append(to: &rows) { columns.add(sample, to: &$0) }
    rows.append(UInt8(ascii: "\n"))
  }

  /// Ends the recording; what waits can still be taken.
  mutating func end() { isOn = false }

  /// Takes text of the capture, as much as fits an answer; empty where there is none.
  mutating func takeCapture() -> [UInt8] {
    var text: [UInt8] = []
    while text.count < Self.answerCount, let record = queue.next() {
      text += "\(record)\n".utf8
    }
    return text
  }

  /// Takes rows of the table.
  mutating func takeRows() -> [UInt8] {
    defer { rows = [] }
    return rows
  }
}
