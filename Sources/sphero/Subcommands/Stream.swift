// sphero stream: sensor samples as they come.

import SpheroProtocol
import SpheroSession
import SpheroTransport

struct Stream: Subcommand {
  static let name = "stream"
  static let abstract = "Prints sensor samples, and the motion they show, as they come."
  static let otherNames = ["sensors", "watch"]
  static let examples = [
    "sphero stream --mask accel,imu,quat --divisor 20", "sphero stream --mask yaw --count 100 --format csv",
    "sphero stream --port sim: --mask all --divisor 4 --for 10s --format json",
    "sphero stream --mask motion --euler --format csv", "sphero stream --mask accel,gyro --low-pass 2",
  ]

  var connection = Connection()
  var fields = StreamFields([.accel, .imu, .quat])
  var divisor: Whole<PositiveWord> = 20
  var frames: Whole<PositiveWord> = 1
  var packets: Whole<PositiveByte> = 200
  var count: Whole<Positive>?
  var time: Duration?
  var format = Format.text
  var printing = SampleOptions()
  var tellsEvents = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to stream, joined by commas; motion is attitude, gravity, own acceleration and turning rate.")
    try line.option("divisor", "d", &divisor, "A sample every divisor/400 s: 20 is 20 samples a second.")
    try line.option("frames", nil, &frames, "Samples in each packet; more need less air, but come later.")
    try line.option("packets", nil, &packets, "The finite count of one request, renewed in time.")
    try line.option("count", "n", &count, "End after this many samples.")
    try line.option("for", "t", &time, "End after this time.")
    try line.option("format", "f", &format, "How to print.")
    try printing.options(&line)
    try line.flag(
      "events", nil, &tellsEvents, "Also print collisions, battery and sleep warnings, between the samples.")
    try connection.options(&line)
  }

  /// What the robot is asked for.
  var request: StreamRequest {
    StreamRequest(
      mask: printing.isEuler ? fields.streamedMask.union(.quat) : fields.streamedMask,
      divisor: UInt16(divisor.value),
      frames: UInt16(frames.value), packets: UInt8(packets.value))
  }

  func validate() throws(UsageError) {
    if tellsEvents, format == .csv {
      throw UsageError("'--events' have no columns; leave it out, or use '--format json'")
    }
    try printing.validate(fields, divisor: divisor.value)
  }

  func run(_ terminal: Terminal) async throws {
    var columns = StreamColumns(self)
    var records = RecordPrinter(format, kind: "sample", columns: columns.columns)
    var left = count?.value
    var line: [UInt8] = []
    try await connection.withRobot(reopens: true) { robot in
      let samples = try await robot.samples(request)
      let teller = tellsEvents ? try await tellEvents(of: robot, terminal) : nil
      defer { teller?.cancel() }
      // Samples may come rarely, or never again: the time is up all the same.
      let limit = time.map { time in
        Task(executorPreference: Program.time) {
          try await Program.time.sleep(for: time + request.packetPeriod)
          samples.end()
        }
      }
      defer { limit?.cancel() }
      do {
        for try await sample in samples {
          if let time, sample.time >= time { break }
          if let remark = columns.remark(on: sample) { await terminal.note(remark, connection) }
          line.removeAll(keepingCapacity: true)
          records.append(to: &line) { columns.add(sample, to: &$0) }
          line.append(UInt8(ascii: "\n"))
          try await terminal.print(line)
          if let remaining = left {
            left = remaining - 1
            if remaining == 1 { break }
          }
        }
      } catch {
        await tellLosses(samples, terminal)
        // A recording that is too short for '--count' or '--for' is an error as before.
        guard left == nil, time == nil, connection.isReplay, (error as? LinkError)?.code == .closed else {
          throw error
        }
        await terminal.note("the recording is over", connection)
        return
      }
      await tellLosses(samples, terminal)
    }
  }

  /// Prints events as they come.
  private func tellEvents(of robot: Robot, _ terminal: Terminal) async throws -> Task<Void, any Error> {
    let events = try await robot.reportedEvents()
    return Task(executorPreference: Program.time) { [format] in
      for try await packet in events {
        let event = Dissection(packet)
        try await terminal.print(
          format == .json ? Sheet.text(event.message, kind: event.kind.rawValue, .json) : event.meaning)
      }
    }
  }

  private func tellLosses(_ samples: SampleSequence, _ terminal: Terminal) async {
    guard samples.dropped > 0 else { return }
    await terminal.note("\(samples.dropped) samples were lost: the output was read too slowly", connection)
  }
}
