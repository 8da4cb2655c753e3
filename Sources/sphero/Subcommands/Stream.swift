// sphero stream: samples of sensors as they arrive; the columns and the end of a stream of samples.

import SpheroMotion
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Stream: Subcommand {
  static let name = "stream"
  static let abstract = "Prints sensor samples as they arrive."
  static let group = SubcommandGroup.start
  static let otherNames = ["sensors", "watch"]
  static let examples = [
    "sphero stream --mask accel,imu,quat --divisor 20", "sphero stream --mask yaw --count 100 --format csv",
    "sphero stream --port sim: --mask all --divisor 4 --for 10s --format json",
    "sphero stream --mask motion --euler --format csv", "sphero stream --mask accel,gyro --low-pass 2",
    "sphero stream --hz 50 --times wall,arrival --format csv",
    "sphero stream --port /dev/rfcomm0 --port /dev/rfcomm1 --format csv",
  ]

  var connection = Connection()
  var fields = StreamFields([.accel, .imu, .quat])
  var rate = StreamRate()
  var packets = PacketOptions()
  var bounds = StreamBounds()
  var format = Format.text
  var times: [SampleTime] = []
  var printing = SampleOptions()
  var events = EventOptions()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "mask", "m", &fields,
      "What to stream, joined by commas; motion is attitude, gravity, user acceleration and rotation rate.")
    try rate.options(&line)
    try packets.options(&line)
    try bounds.options(&line)
    try line.option("format", "f", &format, "How to print.")
    try times.options(&line)
    try printing.options(&line)
    try events.options(&line)
    try connection.options(&line, takesSeveral: true)
  }

  var request: StreamRequest {
    var mask = fields.streamedMask
    if printing.isEuler { mask.formUnion(.quat) }
    mask.formUnion(events.additionalFields(of: mask, divisor: rate.divisor))
    return packets.request(mask, rate)
  }

  func columns(of robot: String? = nil) -> StreamColumns {
    StreamColumns(fields, divisor: rate.divisor, printing, times, of: robot)
  }

  func validate() throws(UsageError) {
    try events.validate(format)
    try printing.validate(fields, divisor: rate.divisor)
    if connection.ports.count > 1, printing.calibration.isGiven {
      throw UsageError(
        "'--calibration' has the offsets of one robot",
        advice: "Stream each robot by itself, with its own file.")
    }
    try fields.validateForStream()
    do throws(SessionError) { try request.validate() } catch { throw UsageError(error.message) }
  }

  func run(_ terminal: Terminal) async throws {
    var verb = self
    verb.printing = try await printing.loaded()
    for remark in [rate.remark, events.remark(divisor: rate.divisor)] {
      if let remark { await terminal.note(remark, connection) }
    }
    let isAlone = connection.ports.count < 2
    let hasHeader = Locked(false)
    let records = RecordOutput(
      format, kind: "sample", columns: columns(of: isAlone ? nil : "").columns,
      robots: isAlone ? [] : connection.ports)
    try await connection.forEachRobot(terminal) { [verb] in
      try await verb.print($0, records, hasHeader, terminal)
    }
  }

  private func print(
    _ connection: Connection, _ records: RecordOutput, _ hasHeader: Locked<Bool>, _ terminal: Terminal
  ) async throws {
    let name = connection.label.isEmpty ? nil : connection.port
    var (columns, records) = (columns(of: name), records)
    var shakes = events.shakeDetector
    var line: [UInt8] = []
    var tally = StreamStatistics()
    let start = Locked<Duration?>(nil)
    try await connection.withRobot(
      reopens: true, onCaptures: printing.calibration.mark(in:), figures: tally.fields
    ) { robot in
      let samples = try await robot.samples(request)
      if name != nil || format == .csv {
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
          records.append(columns.values(sample), to: &line) { columns.add(sample, to: &$0) }
          line.append(UInt8(ascii: "\n"))
          try await terminal.print(line)
          start.withLock { $0 = $0 ?? sample.hostTime - sample.time }
          if let shake = shakes?(sample, by: printing.robotConvention) {
            try await terminal.print(shake.eventLine(of: name, format))
          }
        }
      } catch LinkError.closed where !bounds.isLimited && connection.isReplay {
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

extension StreamColumns {
  /// Creates columns: the divisor of 400 Hz determines the digits of times, and `robot` is the name in each row.
  init(
    _ fields: StreamFields, divisor: Int, _ printing: SampleOptions, _ times: [SampleTime] = [],
    of robot: String? = nil
  ) {
    var options = StreamColumnOptions(mask: fields.mask, divisor: divisor)
    (options.clocks, options.robot) = (times, robot)
    (options.hasMotion, options.isRaw, options.isEuler) = (fields.hasMotion, printing.isRaw, printing.isEuler)
    (options.convention, options.reporting) = (printing.robotConvention, printing.reporting)
    (options.filter, options.showsUnfiltered) = (printing.filters.filter, printing.filters.showsUnfiltered)
    options.ignoresQuaternion = printing.ignoresQuaternion
    options.calibration = printing.calibration.offsets
    self.init(options)
  }

  static let missingQuaternion =
    "the robot streams no quaternion (firmware before 1.20; 'sphero info' shows it)"

  /// Returns remarks on a sample; each remark is returned once.
  mutating func remarks(on sample: TimedSample) -> [String] {
    var remarks: [String] = []
    let isFirst = takeFirst()
    if isFirst, options.hasMotion, !sample.sample.mask.isSuperset(of: Self.motionInputs) {
      let missing = Self.motionInputs.subtracting(sample.sample.mask)
      remarks.append("the samples have no \(missing), without which the columns of 'motion' stay empty")
    }
    if isFirst, lacksQuaternion(sample) {
      let isAbsent = sample.sample.mask.isDisjoint(with: .quat)
      let consequences = [
        isAbsent ? nil : "its columns are 0", options.isEuler ? "the columns of '--euler' stay empty" : nil,
        options.hasMotion && sample.sample.mask.isSuperset(of: Self.motionInputs)
          ? "the attitude of 'motion' is computed from accelerometer and gyroscope" : nil,
      ].compactMap { $0 }
      if !consequences.isEmpty {
        remarks.append(
          (isAbsent ? "the samples have no quaternion" : Self.missingQuaternion) + ": "
            + consequences.joined(separator: ", and "))
      }
    }
    if let acceleration = takeContradiction() {
      remarks.append(
        "the robot is at rest, but its quaternion and its accelerometer differ by \(Decimal.text(acceleration, digits: 2)) g: "
          + "'--convention' may name another reading; 'sphero survey --conventions' finds it")
    }
    // No Sphero measures such a reference.
    if isFirst, let convention = options.reporting, convention.attitudeReference != .arbitrary {
      remarks.append(
        "'\(convention.name ?? "this convention")' counts yaw from \(convention.attitudeReference), "
          + "but a Sphero has no magnetometer: yaw and attitude count from heading 0; aim the robot to the north, "
          + "or add the heading of its aim")
    }
    return remarks
  }
}

struct StreamBounds: Sendable {
  var count: Int?
  var time: Duration?

  var isLimited: Bool { count != nil || time != nil }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("count", "n", &count, as: .count, "End after this many samples.")
    try line.option("for", "t", &time, as: .duration(minimum: .milliseconds(1)), "End after this time.")
  }

  /// The maximum delay of the last packet after the end of the time.
  private static let gracePeriod = Duration.milliseconds(250)

  /// Passes samples to `body` until the stream ends, and reports their number and rate.
  ///
  /// Throws a ``Failure`` if the link was lost or the samples stopped before the end of the time.
  func follow(
    _ samples: SampleSequence, _ request: StreamRequest, of robot: Robot, _ connection: Connection,
    _ terminal: Terminal, _ tally: inout StreamStatistics, _ body: (TimedSample) async throws -> Void
  ) async throws {
    // The session of a run counts the losses of all its streams.
    let lostBefore = await robot.statistics.lostFrames
    let timer = limit(samples, request, of: robot)
    defer { timer?.cancel() }
    // Several robots would overwrite each other's line, and samples on a terminal need none.
    let showsProgress =
      isLimited && connection.label.isEmpty && !connection.isQuiet && Progress.isPossible
      && !StandardStream.output.isTerminal
    var progress = showsProgress ? Progress(count: count, time: time) : nil
    var isPastEnd = false
    let outcome = await result {
      for try await sample in samples {
        isPastEnd = time.map { sample.time >= $0 } ?? false
        if isPastEnd { break }
        try await body(sample)
        tally.add(sample, at: robot.time.now)
        await progress?.show(tally.count, sample.time)
        if tally.count == count { break }
      }
    }
    let lost = await robot.statistics.lostFrames - lostBefore
    await tally.report(samples, lost: lost, connection, terminal)
    try outcome.get()
    if !isPastEnd { try await expectEnd(tally, request, of: robot) }
  }

  /// Starts a timer that ends the samples, even if none arrive any more; the caller cancels it when the stream ends.
  private func limit(
    _ samples: SampleSequence, _ request: StreamRequest, of robot: Robot
  ) -> Task<Void, any Error>? {
    time.map { time in
      Task(executorPreference: Program.time) {
        let before = await robot.statistics.suspended
        // The first packet arrives a period after the start of the stream; a second period allows for a slow link.
        try await robot.time.sleep(for: time + min(request.packetPeriod * 2, Self.gracePeriod))
        // After a suspension, samples resume later; the first one beyond the time ends the stream.
        try await robot.time.sleep(for: await robot.statistics.suspended - before)
        samples.end()
      }
    }
  }

  private func expectEnd(_ tally: StreamStatistics, _ request: StreamRequest, of robot: Robot) async throws {
    guard tally.count != count else { return }
    if let lostAt = await robot.lostAt {
      throw Failure(
        .linkLost,
        "the link was lost \((robot.time.now - lostAt).text(digits: 1)) s before the end, and has not come back",
        advice: "Move closer and wake the robot. All samples before that are complete.")
    }
    guard let time else { return }
    let silence = tally.count > 0 ? robot.time.now - tally.last : time
    guard tally.count == 0 || silence >= max(.seconds(2), request.packetPeriod * 3) else { return }
    throw Failure(
      .timedOut, "the robot sent no samples for the last \(silence.text(digits: 1)) s",
      advice: tally.count == 0 && request.packetPeriod >= time + Self.gracePeriod
        ? "The first packet takes \(request.packetPeriod.text(digits: 1)) s: choose a longer '--for', or a higher rate."
        : "Move closer and wake the robot."
          + (tally.count > 0 ? " All samples before that are complete." : ""))
  }
}

extension StreamStatistics {
  var fields: [Field] {
    [Field("samples", .count(count)), Field("sample_rate", .hertz, .decimal(rate, digits: 2))]
  }

  /// A summary like `200 samples in 9.950 s, 20.00 a second; 0 lost on the way, 0 dropped`.
  func sentence(lost: Int, dropped: Int) -> String {
    let pace = rate.map { " in \(span.text(digits: 3)) s, \(Decimal.text($0, digits: 2)) a second" } ?? ""
    return "\(count == 0 ? "no" : "\(count)") sample\(count == 1 ? "" : "s")\(pace); "
      + "\(lost) lost on the way, \(dropped) dropped"
  }

  fileprivate func report(
    _ samples: SampleSequence, lost: Int, _ connection: Connection, _ terminal: Terminal
  ) async {
    if samples.dropped > 0 {
      await terminal.note(
        "\(samples.dropped) samples were lost: the output was read too slowly", connection)
    }
    await terminal.note(sentence(lost: lost, dropped: samples.dropped), connection)
  }
}
