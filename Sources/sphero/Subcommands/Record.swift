// sphero record: the capture of a session with samples.

import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Record: Subcommand {
  static let name = "record"
  static let abstract = "Records samples in a file."
  static let group = SubcommandGroup.look
  static let otherNames = ["capture", "rec", "log"]
  static let examples = [
    "sphero record new.capture --for 30s", "sphero record --hz 100 --mask accel,gyro,quat --count 1000",
    "sphero record hits.capture --events", "sphero record exact.capture --calibration ball.json",
    "sphero record - --for 10s | sphero plot - -o record.svg",
  ]

  var file: String?
  var connection = Connection()
  var fields = StreamFields([.accel, .gyro, .imu, .quat, .odometer, .velocity])
  var rate = StreamRate()
  var packets = PacketOptions()
  var bounds = StreamBounds()
  var asksForEvents = false
  var calibration = CalibrationOptions()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "file", &file, as: .newFile,
      "Where the recording goes; - is stdout, and an existing file is not overwritten. By default a file named after the time, whose name is printed."
    )
    try line.option("mask", "m", &fields, "What to stream, joined by commas.")
    try rate.options(&line)
    try packets.options(&line)
    try bounds.options(&line)
    try line.flag(
      "events", nil, &asksForEvents, "Also ask the robot to report collisions, battery and sleep.")
    try calibration.options(
      &line,
      "Include the offsets that 'sphero survey --offsets' has stored in this file; 'decode' and 'plot' then subtract them."
    )
    try connection.options(&line, captures: false)
  }

  var request: StreamRequest { packets.request(fields.streamedMask, rate) }

  func validate() throws(UsageError) {
    if let file, [".csv", ".json", ".jsonl"].contains(where: file.lowercased().hasSuffix) {
      throw UsageError(
        "'\(file)' is the name of a table, and a recording is a capture",
        advice:
          "Name it like FILE.capture; 'sphero decode --samples FILE.capture --format csv' prints its table.")
    }
    try fields.validateForStream()
    do throws(SessionError) { try request.validate() } catch { throw UsageError(error.message) }
  }

  func run(_ terminal: Terminal) async throws {
    if let remark = rate.remark { await terminal.note(remark, connection) }
    var (connection, calibration) = (connection, calibration)
    try await calibration.load()
    let file = file ?? Recorder.freshName(of: Self.name)
    let output = Self.isOutput(file) ? CaptureOutput() : nil
    if output == nil { connection.captureFile = file } else { connection.captureOutput = output }
    var (tally, hasFile) = (StreamStatistics(), false)
    var columns = StreamColumns(fields, divisor: rate.divisor, SampleOptions())
    do {
      try await connection.withRobot(
        reopens: true, onCaptures: calibration.mark(in:), figures: tally.fields
      ) { robot in
        // The result is the name of the file, which exists now.
        hasFile = output == nil
        if hasFile { try await terminal.print(file) }
        if !bounds.isLimited, !connection.isReplay {
          await terminal.announce("recording until Ctrl-C", connection)
        }
        let samples = try await robot.samples(request)
        let events = asksForEvents ? try await robot.reportedEvents() : nil
        // The capture has all bytes of the line, so events need no reader, only a subscription that stays alive.
        defer { withExtendedLifetime(events) {} }
        do {
          try await bounds.follow(samples, request, of: robot, connection, terminal, &tally) { sample in
            try output?.check()
            guard columns.takeFirst(), columns.lacksQuaternion(sample) else { return }
            await terminal.note("\(StreamColumns.missingQuaternion): the recording has zeros", connection)
          }
        } catch LinkError.closed where !bounds.isLimited && connection.isReplay {
          await terminal.note("the recording is over", connection)
        }
      }
      try output?.check()
    } catch {
      if hasFile { await terminal.note("\(file) contains what was recorded until then", connection) }
      throw error
    }
    guard hasFile else { return }
    // The recording does not contain the columns of `motion`; `decode` computes them if its mask names them.
    let mask = fields.hasMotion ? fields.argumentText.map { " --mask \($0)" } ?? "" : ""
    await terminal.note("look at it with 'sphero decode --samples \(file.shellWord)\(mask)'", connection)
  }

  private static func isOutput(_ file: String) -> Bool {
    guard file != "-" else { return true }
    return System.identity(of: file).map { $0 == System.identity(of: "/dev/stdout") } ?? false
  }
}
