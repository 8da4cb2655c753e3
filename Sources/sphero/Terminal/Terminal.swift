// The output of a command: results on stdout; remarks, the progress line and statistics on stderr.

import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Terminal: Sendable {
  static let output = BufferedOutput(.output, on: Program.time)

  var line: LineOutput?

  func print(_ line: String) async throws { try await print(Array((line + "\n").utf8)) }

  nonisolated(nonsending) func print(_ lines: [UInt8]) async throws {
    guard let line else { return try await Self.output.write(lines) }
    try await line.print(lines)
  }

  func note(_ line: String, _ connection: Connection) async {
    await note(connection.label + line, isQuiet: connection.isQuiet)
  }

  /// Prints what the robot does now, for a person: only if stderr is a terminal, and not in a run.
  func announce(_ line: String, _ connection: Connection) async {
    guard self.line == nil, StandardStream.error.isTerminal else { return }
    await note(line, connection)
  }

  /// Prints a remark; on the screen of a panel, prints it after the panel ends.
  func note(_ line: String, isQuiet: Bool) async {
    if let answer = self.line { return answer.add(remark: line) }
    guard !isQuiet else { return }
    let text = "sphero: \(FieldValue.text(line).printable)\n"
    if TerminalScreen.hold(text) { return }
    // A closed stderr does not end the command.
    try? await Self.writeError(Progress.takeBack() + text)
  }

  /// Writes to the standard error, after the results so far: both may be redirected to one file.
  static func writeError(_ text: String) async throws {
    try? output.flush()
    try await StandardStream.error.write(text)
  }
}

/// Prints records: on a terminal as a table that fits the window, elsewhere with all columns and digits on one line.
///
/// Copies share the table, so several tasks may print to it.
struct RecordOutput: Sendable {
  private let table: Locked<FittedTable>?
  private var records: RecordPrinter

  /// The first column has room for the names of `robots`.
  init(_ format: Format, kind: String, columns: [Column], robots: [String] = []) {
    let nameWidth = robots.map(\.count).max() ?? 0
    records = RecordPrinter(format, kind: kind, columns: columns, firstWidth: nameWidth)
    var table = FittedTable(columns: columns)
    for robot in robots { table.reserve([.text(robot)]) }
    self.table = format == .text && StandardStream.output.size != nil ? Locked(table) : nil
  }

  mutating func headerLine() -> [UInt8] { table == nil ? records.headerLine() : [] }

  /// The lines of a record with a value for each column, without the last line feed.
  mutating func text(_ values: [FieldValue]) -> String {
    String.text { append(values, to: &$0) { row in for value in values { row.add(value) } } }
  }

  /// Appends a record as ``text(_:)`` returns it.
  ///
  /// A row takes the values of `add` instead, which creates none of them in memory.
  mutating func append(
    _ values: @autoclosure () -> [FieldValue], to line: inout [UInt8],
    _ add: (inout RecordPrinter.Row) -> Void
  ) {
    guard let table else { return records.append(to: &line, add) }
    let (values, window) = (values(), StandardStream.output.size)
    let width = Layout.statedWidth(ProcessContext.environment("COLUMNS")) ?? window?.width ?? 80
    line += table.withLock { table in
      var bytes: [UInt8] = []
      table.append(values, width: width, height: window?.height, to: &bytes)
      return bytes
    }
  }
}

/// The progress of a stream: lines on stderr, each of which replaces the previous one.
struct Progress: Sendable {
  let count: Int?
  let time: Duration?
  var next = Duration.zero

  private static let isShown = Locked(false)

  /// Returns a line like `22 %: 45 of 200 samples`; nil before the next period.
  mutating func text(_ samples: Int, _ elapsed: Duration, at now: Duration) -> String? {
    guard now >= next else { return nil }
    next = now + .milliseconds(200)
    let parts = [count.map { Double(samples) / Double($0) }, time.map { elapsed / $0 }].compactMap { $0 }
    let percent = Int((min(max(parts.max() ?? 0, 0), 1) * 100).rounded(.down))
    let noun = (count ?? samples) == 1 ? "sample" : "samples"
    return "\(percent) %: \(samples)\(count.map { " of \($0)" } ?? "") \(noun)"
  }

  mutating func show(_ samples: Int, _ elapsed: Duration) async {
    if let text = text(samples, elapsed, at: Program.time.now) { await Self.show(text) }
  }

  static var isPossible: Bool { StandardStream.error.isTerminal && Style.isCapable() }

  /// Replaces the line; a text that is wider than the terminal is cut, since only one line can be replaced.
  static func show(_ text: String) async {
    isShown.withLock { $0 = true }
    let width = max(1, (StandardStream.error.size?.width ?? 80) - 1)
    try? await StandardStream.error.write("\r\u{1B}[K\(FieldValue.text(text).printable.prefix(width))")
  }

  static func takeBack() -> String {
    isShown.withLock { isShown in
      defer { isShown = false }
      return isShown ? "\r\u{1B}[K" : ""
    }
  }
}

struct Style: Sendable {
  var hasColor: Bool

  static func of(_ stream: StandardStream) -> Style {
    Style(hasColor: hasColor(isTerminal: stream.isTerminal, ProcessContext.environment))
  }

  /// Whether escape sequences are printed: never with `NO_COLOR`, else always with a `CLICOLOR_FORCE` other than 0,
  /// else on a terminal that is not dumb. `environment` returns nil for an unset or empty variable.
  static func hasColor(isTerminal: Bool, _ environment: (String) -> String?) -> Bool {
    if environment("NO_COLOR") != nil { return false }
    if let force = environment("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && isCapable(environment)
  }

  static func isCapable(_ environment: (String) -> String? = ProcessContext.environment) -> Bool {
    environment("TERM") != nil && environment("TERM") != "dumb"
  }

  /// Whether the locale has UTF-8 characters: the first of LC_ALL, LC_CTYPE and LANG that is set decides (POSIX); without
  /// any of them, as in containers, the terminal is assumed to have them.
  static func hasUTF8(_ environment: (String) -> String? = ProcessContext.environment) -> Bool {
    guard let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first else { return true }
    return locale.lowercased().filter { $0 != "-" }.contains("utf8")
  }

  // ECMA-48, SGR 1, 31 and 48;2.
  func bold(_ text: String) -> String { hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func red(_ text: String) -> String { hasColor ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
  /// Four cells of a colour and two blank ones; empty without colours.
  func patch(red: UInt8, green: UInt8, blue: UInt8) -> String {
    hasColor ? "\u{1B}[48;2;\(red);\(green);\(blue)m    \u{1B}[0m  " : ""
  }
}

extension HostStatistics {
  var fields: [Field] {
    let counts = [
      ("packets", decoder.packets), ("bytes_received", bytesReceived), ("bytes_sent", bytesSent),
      ("commands", commandsSent), ("repetitions", repetitions), ("checksum_failures", decoder.badChecksums),
      ("discarded_bytes", decoder.discarded), ("lost_frames", lostFrames), ("stalls", stalls),
      ("renewals", renewals), ("reconnections", reconnections), ("dropped_samples", droppedSamples),
      ("stray_answers", strayAnswers),
    ]
    let times = [
      ("round_trip_min", roundTrip.minimum), ("round_trip_median", roundTrip.median),
      ("round_trip_p99", roundTrip.percentile99),
    ]
    return counts.map { Field($0.0, .count($0.1)) }
      // Without an answer, the times are missing.
      + times.map { Field($0.0, .seconds, .seconds(roundTrip.count == 0 ? nil : $0.1)) }
  }

  var line: String {
    let parts = fields.map { field in
      let words = field.name.split(separator: "_").joined(separator: " ")
      let value = field.value == .missing ? "unknown" : field.value.plain + "\(field.unit.symbol)"
      return "\(words) \(value)"
    }
    return "statistics: " + parts.joined(separator: ", ")
  }

  func json(of robot: String? = nil, _ figures: [Field] = []) -> String {
    let subject = robot.map { [Field("robot", .text($0))] } ?? []
    return Sheet.text(subject + fields + figures, kind: "statistics", .json)
  }
}
