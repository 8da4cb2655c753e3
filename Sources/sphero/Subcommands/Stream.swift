// sphero stream: sensor samples as they come.

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
  var frames: Whole<PositiveWord> = 1
  var packets: Whole<PositiveByte> = 200
  var bounds = StreamBounds()
  var format = Format.text
  var clocks = StreamClocks()
  var printing = SampleOptions()
  var tellsEvents = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to stream, joined by commas; motion is attitude, gravity, user acceleration and rotation rate.")
    try rate.options(&line)
    try line.option(
      "frames", nil, &frames, "Samples in each packet; more samples use less radio time, but arrive later.")
    try line.option("packets", nil, &packets, "Packets per request; it is renewed before they run out.")
    try bounds.options(&line)
    try line.option("format", "f", &format, "How to print.")
    try clocks.options(&line)
    try printing.options(&line)
    try line.flag(
      "events", nil, &tellsEvents, "Also print collisions, battery and sleep warnings, between the samples.")
    try connection.options(&line)
  }

  /// What the robot is asked for.
  var request: StreamRequest {
    StreamRequest(
      mask: printing.isEuler ? fields.streamedMask.union(.quat) : fields.streamedMask,
      divisor: UInt16(rate.divisor),
      frames: UInt16(frames.value), packets: UInt8(packets.value))
  }

  func validate() throws(UsageError) {
    if tellsEvents, format == .csv {
      throw UsageError("'--events' have no columns; leave it out, or use '--format json'")
    }
    try connection.validate()
    try printing.validate(fields, divisor: rate.divisor)
    do throws(SessionError) { try request.validate() } catch { throw UsageError(error.message) }
  }

  func run(_ terminal: Terminal) async throws {
    if let remark = rate.remark { await terminal.note(remark, connection) }
    let connections = connection.each
    if connections.count > 1 { return try await print(connections, terminal) }
    try await print(connection, Heading(isOwnLine: format == .csv), terminal)
  }

  /// What stands above the rows of all robots, once.
  private final class Heading: Sendable {
    private let isDue: Locked<Bool>

    /// Makes it, to be printed ahead of the rows or with the first of them.
    init(isOwnLine: Bool) { isDue = Locked(isOwnLine) }

    /// Takes it: whoever gets it prints it.
    func take() -> Bool {
      isDue.withLock { isDue in
        defer { isDue = false }
        return isDue
      }
    }
  }

  /// Prints the samples of several robots until all have ended; one that fails does not end the others.
  private func print(_ connections: [Connection], _ terminal: Terminal) async throws {
    for connection in connections { _ = try connection.resolvedPort() }
    let heading = Heading(isOwnLine: true)
    var failures: [(port: String, code: ExitCode)] = []
    try await withThrowingTaskGroup(of: (port: String, code: ExitCode)?.self) { group in
      for connection in connections {
        group.addTask {
          do {
            try await print(connection, heading, terminal)
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

  /// Prints the samples of one robot.
  private func print(_ connection: Connection, _ heading: Heading, _ terminal: Terminal) async throws {
    let name = connection.label.isEmpty ? nil : connection.port
    var columns = StreamColumns(self, of: name)
    var records = RecordPrinter(format, kind: "sample", columns: columns.columns)
    var left = bounds.count?.value
    var line: [UInt8] = []
    var tally = StreamTally()
    var progress = bounds.progress(of: connection)
    let start = Locked<Duration?>(nil)
    func figures() -> [Field] { tally.fields }
    try await connection.withRobot(reopens: true, figures: figures) { robot in
      let samples = try await robot.samples(request)
      if name != nil || format == .csv {
        let header = records.headerLine()
        if heading.take() { try await terminal.print(header) }
      }
      let teller = tellsEvents ? try await tellEvents(of: robot, since: start, name, terminal) : nil
      defer { teller?.cancel() }
      let limit = bounds.limit(samples, request)
      defer { limit?.cancel() }
      do {
        for try await sample in samples {
          if let time = bounds.time, sample.time >= time { break }
          if let remark = columns.remark(on: sample) { await terminal.note(remark, connection) }
          line.removeAll(keepingCapacity: true)
          records.append(to: &line) { columns.add(sample, to: &$0) }
          line.append(UInt8(ascii: "\n"))
          try await terminal.print(line)
          if tally.count == 0 { start.withLock { $0 = sample.hostTime - sample.time } }
          tally.add(at: sample.hostTime)
          await progress?.show(tally.count, sample.time)
          if let remaining = left {
            left = remaining - 1
            if remaining == 1 { break }
          }
        }
      } catch {
        await tally.tell(samples, of: robot, connection, terminal)
        // A recording that is too short for '--count' or '--for' is an error as before.
        guard left == nil, bounds.time == nil, connection.isReplay, case LinkError.closed = error
        else { throw error }
        await terminal.note("the recording is over", connection)
        return
      }
      await tally.tell(samples, of: robot, connection, terminal)
      try await bounds.expectEnd(tally, request, of: robot)
    }
  }

  /// Prints events as they come, with their times on the scale of the samples, once there is one.
  private func tellEvents(
    of robot: Robot, since start: Locked<Duration?>, _ name: String?, _ terminal: Terminal
  ) async throws -> Task<Void, any Error> {
    let events = try await robot.reportedEvents()
    return Task(executorPreference: Program.time) { [format] in
      for try await packet in events {
        var event = Dissection(packet.event)
        event.time = start.withLock { $0 }.map { packet.arrival - $0 }
        guard format == .json else {
          try await terminal.print((name.map { "\($0): " } ?? "") + event.description)
          continue
        }
        let subject = name.map { [Field("robot", .text($0))] } ?? []
        let fields = subject + [Field("time", .seconds, .seconds(event.time))] + event.message
        try await terminal.print(Sheet.text(fields, kind: event.kind.rawValue, .json))
      }
    }
  }
}
