// sphero stream: samples of sensors as they arrive.

import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Stream: Subcommand {
  static let name = "stream"
  static let abstract = "Prints sensor samples, and the motion they show, as they come."
  static let otherNames = ["sensors", "watch"]
  static let examples = [
    "sphero stream --mask accel,imu,quat --divisor 20", "sphero stream --mask yaw --count 100 --format csv",
    "sphero stream --port sim: --mask all --divisor 4 --for 10s --format json",
    "sphero stream --mask motion --euler --format csv", "sphero stream --mask accel,gyro --low-pass 2",
    "sphero stream --hz 50 --times wall,arrival --format csv",
    "sphero stream --port /dev/rfcomm0 --port /dev/rfcomm1 --format csv",
  ]

  var connection = Connection(takesSeveral: true)
  var fields = StreamFields([.accel, .imu, .quat])
  var rate = StreamRate()
  var packets = PacketOptions()
  var bounds = StreamBounds()
  var format = Format.text
  var clocks = StreamClocks()
  var printing = SampleOptions()
  var events = EventOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to stream, joined by commas; motion is attitude, gravity, user acceleration and rotation rate.")
    try rate.options(&line)
    try packets.options(&line)
    try bounds.options(&line)
    try line.option("format", "f", &format, "How to print.")
    try clocks.options(&line)
    try printing.options(&line)
    try events.options(&line)
    try connection.options(&line)
  }

  var request: StreamRequest {
    var mask = fields.streamedMask
    if printing.isEuler { mask.formUnion(.quat) }
    mask.formUnion(events.additionalFields(of: mask, divisor: rate.divisor))
    return packets.request(mask, rate)
  }

  /// The printed columns; the name of one of several robots is in each row.
  func columns(of robot: String? = nil) -> StreamColumns {
    StreamColumns(fields, divisor: rate.divisor, printing, clocks, of: robot)
  }

  func validate() throws(UsageError) {
    try events.validate(format)
    try connection.validate()
    try printing.validate(fields, divisor: rate.divisor)
    if connection.ports.count > 1, printing.calibration.isGiven {
      throw UsageError(
        "'--calibration' has the offsets of one robot",
        advice: "Stream each robot by itself, with its own file.")
    }
    do throws(SessionError) { try request.validate() } catch { throw UsageError(error.message) }
  }

  func run(_ terminal: Terminal) async throws {
    var verb = self
    verb.printing = try await printing.loaded()
    try await verb.print(terminal)
  }

  private func print(_ terminal: Terminal) async throws {
    for remark in [rate.remark, events.remark(divisor: rate.divisor)] {
      if let remark { await terminal.note(remark, connection) }
    }
    let connections = connection.each
    if connections.count > 1 { return try await print(connections, terminal) }
    try await print(
      connection, hasHeader: Locked(format != .csv), TerminalTable(format, columns().columns), terminal)
  }

  /// Prints the samples of several robots until all streams end; a failure of one does not end the others.
  private func print(_ connections: [Connection], _ terminal: Terminal) async throws {
    for connection in connections { _ = try connection.resolvedPort() }
    let hasHeader = Locked(false)
    let table = TerminalTable(
      format, columns(of: "").columns, robots: connections.compactMap(\.port))
    var failures: [(port: String, code: ExitCode)] = []
    try await withThrowingTaskGroup(of: (port: String, code: ExitCode)?.self) { group in
      for connection in connections {
        group.addTask {
          do {
            try await print(connection, hasHeader: hasHeader, table, terminal)
            return nil
          } catch let error where error is CancellationError || error is OutputError {
            throw error
          } catch {
            try Task.checkCancellation()
            let failure = Failure(error)
            let advice = failure.advice.map { ". \($0)" } ?? ""
            await terminal.note(connection.label + failure.message + advice, isQuiet: false)
            return (connection.port ?? "", failure.code)
          }
        }
      }
      for try await case let failure? in group { failures.append(failure) }
    }
    guard let first = failures.first else { return }
    throw Failure(
      first.code,
      "\(failures.count) of \(connections.count) robots failed: \(failures.map(\.port).joined(separator: ", "))",
      advice: "See the errors above.")
  }

  /// Prints the samples of one robot: in the table of the terminal, or after the header unless `hasHeader` is true.
  private func print(
    _ connection: Connection, hasHeader: Locked<Bool>, _ table: TerminalTable?, _ terminal: Terminal
  ) async throws {
    let name = connection.label.isEmpty ? nil : connection.port
    var columns = columns(of: name)
    var records = RecordPrinter(format, kind: "sample", columns: columns.columns)
    var shakes = events.shakeDetector
    var line: [UInt8] = []
    var tally = StreamStatistics()
    var isFirst = true
    let start = Locked<Duration?>(nil)
    func figures() -> [Field] { tally.fields }
    try await connection.withRobot(
      reopens: true, watch: printing.calibration.mark(_:in:), figures: figures
    ) { robot in
      let samples = try await robot.samples(request)
      if table == nil, name != nil || format == .csv {
        let header = records.headerLine()
        let isPrinted = hasHeader.withLock { hasHeader in
          defer { hasHeader = true }
          return hasHeader
        }
        if !isPrinted { try await terminal.print(header) }
      }
      let packets = events.isOn ? try await printEvents(of: robot, since: start, name, terminal) : nil
      defer { packets?.cancel() }
      do {
        try await bounds.follow(samples, request, of: robot, connection, terminal, &tally) { sample in
          for remark in columns.remarks(on: sample) { await terminal.note(remark, connection) }
          line.removeAll(keepingCapacity: true)
          if let table {
            table.append(columns.values(sample), to: &line)
          } else {
            records.append(to: &line) { columns.add(sample, to: &$0) }
          }
          line.append(UInt8(ascii: "\n"))
          try await terminal.print(line)
          if isFirst { start.withLock { $0 = sample.hostTime - sample.time } }
          isFirst = false
          if let shake = shakes?(sample, by: printing.reading) {
            try await terminal.print(shake.eventLine(of: name, format))
          }
        }
      } catch LinkError.closed where bounds.count == nil && bounds.time == nil && connection.isReplay {
        // The end of a recording is an error only if it precedes '--count' or '--for'.
        await terminal.note("the recording is over", connection)
      }
    }
  }

  /// Prints events as they arrive; their times are on the scale of the samples, and missing before the first one.
  private func printEvents(
    of robot: Robot, since start: Locked<Duration?>, _ name: String?, _ terminal: Terminal
  ) async throws -> Task<Void, any Error> {
    let events = try await robot.reportedEvents()
    return Task(executorPreference: Program.time) { [format] in
      for try await packet in events {
        let time = start.withLock { $0 }.map { packet.arrival - $0 }
        try await terminal.print(Dissection(packet.event).eventLine(at: time, of: name, format))
      }
    }
  }
}
