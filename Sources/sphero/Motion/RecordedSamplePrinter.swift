// The samples of a recording, printed as `sphero stream` prints those of a robot, or drawn as a plot.

import SpheroCapture
import SpheroDrawing
import SpheroMotion
import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession

/// Prints or plots the samples of a file, which may contain several recordings and layouts, in one table.
struct RecordedSamplePrinter: RecordingPrinter {
  private struct Totals {
    var losses = RecordingLosses()
    var lostFrames = 0
    var unknownFormatPackets = 0
    var unknownFormatSize: Int?
    var earlyPackets = 0
  }

  private let verb: Decode
  private var samples = RecordedSamples()
  private var header: CaptureHeader?
  /// The start of a recording whose header does not state the stream, until its fields and its rate are known.
  private var leading: LeadingPackets?
  /// The header or the mark of a reconnection that takes effect when the samples before it are printed.
  private var annotation: CaptureRecord?
  private var columns: StreamColumns?
  private var records: RecordOutput?
  /// The title and the content of the plot; nil prints the samples.
  private let plotted: (title: String, selection: PlotSelection)?
  private(set) var plot: Plot?
  private var remaining: Int?
  private(set) var isOver = false
  private var latestMask: SensorMask?
  private var latestDivisor: Int?
  var pendingRemarks: [String] = []
  private var isRateRemarked = false
  private var lastTime: Duration?
  /// Whether the next sample is the first one after a reconnection.
  private var isReconnected = false
  private var shakes: ShakeDetector?
  private var recordedOffsets: RestCalibration?
  /// The totals of the recordings before the present one, and the decreasing times of all recordings.
  private var earlier = Totals()

  init(_ verb: Decode, plot: (title: String, selection: PlotSelection)? = nil) {
    (self.verb, plotted, remaining) = (verb, plot, verb.bounds.count)
    begin(nil)
  }

  /// Begins a recording; its header has priority over the options.
  private mutating func begin(_ header: CaptureHeader?) {
    self.header = header
    let stream = header?.stream
    let givenMask = verb.fields.map { verb.printing.isEuler ? $0.streamedMask.union(.quat) : $0.streamedMask }
    let format = (stream?.mask ?? givenMask).map { mask in
      StreamFormat(
        mask: mask, divisor: stream?.divisor ?? UInt16(clamping: verb.rate.divisor),
        frames: stream?.frames ?? UInt16(clamping: verb.frames ?? 1))
    }
    samples = recording(of: format)
    shakes = verb.events.shakeDetector
    leading = nil
    guard let format, stream?.divisor == nil else { return }
    var masks = [format.mask]
    // 'motion' adds fields to the mask; a recording may contain only the fields that are named beside it.
    if stream == nil, let fields = verb.fields, !fields.mask.isEmpty, fields.mask != format.mask {
      masks.append(fields.mask)
    }
    leading = LeadingPackets(masks, frames: Int(format.frames ?? 1))
  }

  /// The samples of a recording that may begin with a stream of a format.
  private func recording(of format: StreamFormat?) -> RecordedSamples {
    // Without a start, the wall clock of the samples is not computed.
    let start = verb.times.contains(.wall) ? header?.start?.sinceEpoch : nil
    return RecordedSamples(format, wallClockStart: start, keepsEvents: plotted != nil || verb.events.isOn)
  }

  mutating func receive(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    if isOver { return }
    guard leading != nil else { return process(bytes, from: sender, at: time) }
    let record = CaptureLine(time: time, from: sender, bytes: bytes.indices.map { bytes[$0] })
    if leading?.append(record) == true { endLeadingPackets() }
  }

  private mutating func endLeadingPackets() {
    guard let leading, var format = samples.format else { return }
    self.leading = nil
    format.mask = leading.mask ?? format.mask
    let (stated, measured) = (verb.rate.statedDivisor, leading.divisor)
    if stated == nil, let measured { format.divisor = UInt16(measured) }
    // A program renews its own stream by a request for the same format; another format ends that of a former program.
    if let request = leading.request,
      request.mask != format.mask || request.frames != format.frames || leading.contradicts(request.divisor)
    {
      samples = recording(of: nil)
      samples.reconnect()
    } else {
      remarkOnRate(of: leading, stated, measured)
      if format != samples.format { samples = recording(of: format) }
    }
    for record in leading.records {
      // A slice has a span on all supported systems.
      let bytes = record.bytes[...]
      process(bytes.span, from: record.sender, at: record.time)
    }
  }

  private mutating func process(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    earlier.losses.add(time)
    samples.feed(bytes, from: sender, at: time)
  }

  mutating func receive(_ annotation: CaptureRecord) {
    // The bytes that are held back precede a new stream; other marks do not interrupt the stream.
    let isStart = if case .mark(let mark) = annotation { mark.kind == .reconnection } else { true }
    if isStart {
      if leading?.records.isEmpty == false { endLeadingPackets() }
      samples.end()
      self.annotation = annotation
    }
    earlier.losses.add(annotation)
    if case .mark(let mark) = annotation, mark.kind == .calibration {
      recordedOffsets = mark.offsets.flatMap { try? RestCalibration(parsing: $0) }
      applyRecordedOffsets()
    }
  }

  /// Subtracts the offsets that the recording contains, unless an option names others.
  private mutating func applyRecordedOffsets() {
    guard !verb.printing.calibration.isGiven, columns?.setCalibration(recordedOffsets) == true,
      recordedOffsets != nil
    else { return }
    pendingRemarks.append(
      "the recording contains offsets at rest, which are subtracted; '--calibration none' leaves them in")
  }

  mutating func end() {
    endLeadingPackets()
    samples.end()
  }

  mutating func appendNext(to lines: inout [UInt8]) throws(UsageError) -> Bool {
    while !isOver {
      while let (event, arrival, time) = samples.nextEvent() {
        // An event of a recording without samples so far has no time.
        plot?.append(event, at: time.map { $0 / .seconds(1) })
        guard verb.events.isOn else { continue }
        lines += "\(Dissection(event).eventLine(at: arrival, verb.format))\n".utf8
        return true
      }
      if let sample = samples.next() { return try append(sample, to: &lines) }
      guard let annotation else { return false }
      self.annotation = nil
      begin(after: annotation)
    }
    return false
  }

  /// Begins another recording, or another line of the present one.
  private mutating func begin(after annotation: CaptureRecord) {
    guard case .header(let header) = annotation else {
      samples.reconnect()
      isReconnected = true
      if case .mark(let mark) = annotation {
        plot?.appendMark("reconnection", at: samples.placed(mark.time).map { $0 / .seconds(1) })
      }
      return
    }
    earlier = totals
    if columns != nil { pendingRemarks.append("another recording begins; its times begin with 0") }
    columns?.restart()
    begin(header)
    (recordedOffsets, lastTime, isRateRemarked) = (nil, nil, false)
    applyRecordedOffsets()
  }

  /// Appends a sample; returns false at the end of the table.
  private mutating func append(
    _ sample: TimedSample, to lines: inout [UInt8]
  ) throws(UsageError) -> Bool {
    let divisor = samples.divisor.map { Int($0) }
    if let time = verb.bounds.time, sample.time >= time {
      isOver = true
      return false
    }
    if columns == nil { try makeColumns(sample.sample.mask, divisor) }
    if divisor != latestDivisor {
      columns?.follow(divisor: divisor ?? StreamRate.defaultDivisor)
      if let option = verb.rate.givenOption, let divisor, verb.rate.divisor != divisor {
        pendingRemarks.append("the recording states divisor \(divisor), so '\(option)' has no effect on it")
      }
      latestDivisor = divisor
    }
    if sample.sample.mask != latestMask { remarkOnFields(of: sample) }
    pendingRemarks += columns?.remarks(on: sample) ?? []
    remarkOnGap(before: sample, divisor ?? StreamRate.defaultDivisor)
    remarkOnRate(divisor ?? StreamRate.defaultDivisor)
    if plotted != nil {
      if let values = columns?.values(sample) { plot?.append(values.map(\.printedNumber)) }
      if plot?.isOver == true {
        isOver = true
        return false
      }
    } else {
      records?.append(columns?.values(sample) ?? [], to: &lines) { columns?.add(sample, to: &$0) }
      lines.append(UInt8(ascii: "\n"))
      if let shake = shakes?(sample, by: verb.printing.robotConvention) {
        lines += "\(shake.eventLine(verb.format))\n".utf8
      }
    }
    if let remaining {
      self.remaining = remaining - 1
      isOver = remaining == 1
    }
    return true
  }

  private mutating func makeColumns(_ mask: SensorMask, _ divisor: Int?) throws(UsageError) {
    var fields = verb.fields ?? StreamFields(mask)
    // Only known fields have columns: a recorded mask may contain reserved bits.
    if verb.fields == nil { fields.mask = SensorMask(rawValue: mask.fields.reduce(0) { $0 | $1.bit }) }
    let divisor = divisor ?? StreamRate.defaultDivisor
    try verb.printing.validate(fields, divisor: divisor)
    let columns = StreamColumns(fields, divisor: divisor, verb.printing, verb.times)
    if let plotted {
      try plotted.selection.validate(columns.columns)
      plot = Plot(
        title: plotted.title, columns: columns.columns, convention: verb.printing.robotConvention,
        reporting: verb.printing.reporting, selection: plotted.selection)
    } else {
      records = RecordOutput(verb.format, kind: "sample", columns: columns.columns)
    }
    self.columns = columns
    applyRecordedOffsets()
  }

  mutating func appendHeader(to lines: inout [UInt8]) throws(UsageError) {
    guard verb.format == .csv || plotted != nil else { return }
    // Without a sample, the columns follow from the options or from a recorded request.
    if columns == nil, let format = samples.format {
      try makeColumns(format.mask, format.divisor.map { Int($0) })
    }
    lines += records?.headerLine() ?? []
  }

  private mutating func remarkOnGap(before sample: TimedSample, _ divisor: Int) {
    defer { lastTime = sample.time }
    guard isReconnected else { return }
    isReconnected = false
    guard let lastTime else { return }
    let duration = sample.time - lastTime - .microseconds(2_500) * divisor
    pendingRemarks.append(
      "after \(lastTime.text(digits: columns?.timeDigits ?? 3)) s: \(StreamGap(reason: .reconnection, duration: max(.zero, duration)))"
    )
  }

  /// Adds a remark if the times of the first packets determine the rate, contradict an option, or are unknown.
  private mutating func remarkOnRate(of leading: LeadingPackets, _ stated: Int?, _ measured: Int?) {
    switch (stated, measured) {
    case (nil, let measured?):
      pendingRemarks.append(
        "no request states the rate of the first samples: '--divisor \(measured)' follows from their times")
    case (nil, nil):
      guard !leading.hasTimes, leading.mask != nil else { return }
      pendingRemarks.append(
        "neither a request nor a time states the rate: \(400 / StreamRate.defaultDivisor) samples a second are assumed, which '--hz' corrects"
      )
    case (let stated?, let measured?):
      guard leading.contradicts(UInt16(stated)) else { return }
      remarkOnRate(Double(stated) / Double(measured), stated, likely: measured)
    case (_?, nil): break
    }
  }

  /// Adds a remark if the robot samples faster than the divisor states.
  ///
  /// Delays and losses explain samples that arrive later, but not sooner.
  private mutating func remarkOnRate(_ divisor: Int) {
    guard !isRateRemarked, let factor = samples.implausibleRate, factor > 1 else { return }
    // A header and a request have priority over the option.
    let isOption = samples.isAssumed && header?.stream?.divisor == nil
    let likely = max(1, Int((Double(divisor) / factor).rounded()))
    if isOption, likely == divisor { return }
    remarkOnRate(factor, divisor, likely: isOption ? likely : nil)
  }

  /// Adds a remark that the samples are `factor` times as fast as a divisor states; the option `likely` corrects it.
  private mutating func remarkOnRate(_ factor: Double, _ divisor: Int, likely: Int?) {
    isRateRemarked = true
    let (factor, pace) = factor > 1 ? (factor, "fast") : (1 / factor, "slow")
    let consequence =
      likely.map { " unless '--divisor \($0)' corrects them" }
      ?? "; '--times arrival' prints those of the arrivals, too"
    pendingRemarks.append(
      "the samples arrived \(((10 * factor).rounded() / 10).shortText) times as \(pace) as divisor \(divisor) states: "
        + "times are wrong\(consequence)")
  }

  private mutating func remarkOnFields(of sample: TimedSample) {
    let (mask, shown) = (sample.sample.mask, columns?.options.mask ?? [])
    defer { latestMask = mask }
    let missing = shown.subtracting(mask)
    let isChange = latestMask != nil && verb.fields == nil && mask != shown
    guard isChange || !missing.isEmpty else { return }
    pendingRemarks.append(
      "from \(sample.time.text(digits: columns?.timeDigits ?? 3)) s on the stream has the fields \(mask); "
        + (missing.isEmpty ? "the columns stay: name them with '--mask'" : "there is no \(missing)"))
  }

  private var totals: Totals {
    var totals = earlier
    for sender in Sender.allCases { totals.losses.add(samples.statistics(of: sender)) }
    totals.lostFrames += samples.lostFrames
    totals.unknownFormatPackets += samples.unknownFormatPackets
    totals.unknownFormatSize = totals.unknownFormatSize ?? samples.unknownFormatSize
    totals.earlyPackets += samples.earlyPackets
    return totals
  }

  var remarks: [String] {
    let totals = totals
    var remarks: [String] = []
    if latestMask == nil, failure == nil { remarks.append("the recording has no samples") }
    if totals.lostFrames > 0 {
      remarks.append(
        "\(totals.lostFrames) sample\(totals.lostFrames == 1 ? " is" : "s are") missing: lost on the way")
    }
    if totals.earlyPackets > 0 {
      let (packets, are) = totals.earlyPackets == 1 ? ("packet", "is") : ("packets", "are")
      remarks.append(
        "\(totals.earlyPackets) sensor \(packets) \(are) left out: on a new line, before the stream was asked for"
      )
    }
    return remarks
  }

  var losses: [String] {
    let (sentences, packets) = (totals.losses.sentences, totals.unknownFormatPackets)
    guard packets > 0, latestMask != nil else { return sentences }
    let unread = "\(packets) sensor packet\(packets == 1 ? " has" : "s have")"
    let why =
      samples.format == nil
      ? "no known layout"
      : "another length than the requested stream, or come before its request; '--mask' names the fields of the latter"
    return sentences + ["\(unread) \(why)"]
  }

  var failure: Failure? {
    guard latestMask == nil else { return nil }
    let totals = totals
    if let size = totals.unknownFormatSize {
      let packets = totals.unknownFormatPackets
      if let mask = verb.fields?.streamedMask { return mismatch(of: mask, packets, size / 2) }
      return Failure(
        .badData,
        "no samples: \(packets) sensor packet\(packets == 1 ? " has" : "s have") no known layout; "
          + "the first has \(size) bytes, which are \(size / 2) values",
        advice:
          "Name the streamed fields with '--mask', or the recorded masks as 0xMASK:0xMASK2; without a mask of this length, only 'sphero decode -v' shows the bytes."
      )
    }
    guard totals.losses.discarded > 0, verb.fields != nil else { return nil }
    return Failure(
      .badData, "no samples: the bytes contain no whole sensor packet",
      advice: "'sphero decode -v' shows the bytes; '--input' names the form of the recording.")
  }

  /// The failure of a recording whose sensor packets, the first with `values` values, do not have the length of `mask`.
  private func mismatch(of mask: SensorMask, _ packets: Int, _ values: Int) -> Failure {
    let expected = mask.wordCount * (verb.frames ?? 1)
    let (frames, rest) = values.quotientAndRemainder(dividingBy: max(mask.wordCount, 1))
    let hint =
      frames > 0 && rest == 0 ? ", or the samples in each packet with '--frames \(frames)'" : ""
    return Failure(
      .badData,
      "no samples: \(packets) sensor packet\(packets == 1 ? " has" : "s have") other lengths than the "
        + "\(expected) values of '\(mask)'; the first has \(values) values",
      advice:
        "Name the streamed fields with '--mask'\(hint); 'sphero decode -v' shows the bytes of the packets.")
  }
}

/// Holds back the start of a recording until the length of its first sensor packet determines the fields of the stream,
/// and the times of its sensor packets determine the divisor, or until a request states both.
struct LeadingPackets: Sendable {
  private static let (sufficientSpan, sufficientPackets) = (Duration.seconds(2), 256)
  private static let (maximumLines, maximumBytes) = (4_096, 1 << 20)

  private(set) var records: [CaptureLine] = []
  /// The first mask that fits the length of a sensor packet; nil before such a packet.
  private(set) var mask: SensorMask?
  /// The format of the first request for a stream, with which the held packets end.
  private(set) var request: StreamFormat?
  private let masks: [SensorMask]
  private let frames: Int
  private var (robot, host) = (PacketDecoder(from: .robot), PacketDecoder(from: .host))
  private var arrivals: [Duration] = []
  private var byteCount = 0

  /// Expects packets of `frames` samples with the fields of one of the masks.
  init(_ masks: [SensorMask], frames: Int) {
    // A header may state no frames.
    (self.masks, self.frames) = (masks, max(frames, 1))
  }

  var hasTimes: Bool { records.contains { $0.time != nil } }

  /// Adds a line of the recording; returns whether no more are needed.
  mutating func append(_ record: CaptureLine) -> Bool {
    records.append(record)
    byteCount += record.bytes.count
    guard byteCount <= Self.maximumBytes, records.count <= Self.maximumLines else { return true }
    if record.sender == .host {
      host.append(record.bytes)
      while request == nil, let packet = host.next() {
        // A request without fields ends a stream.
        guard case .command(let command) = packet,
          let format = Sensing.SetDataStreaming(recorded: command).map({ StreamFormat($0) }),
          !format.mask.isEmpty
        else { continue }
        request = format
      }
      return request != nil
    }
    robot.append(record.bytes)
    while let packet = robot.next() {
      guard case .event(let event) = packet, event.id == Sensing.SensorData.id else { continue }
      let fitting = masks.first { event.payload.count == $0.wordCount * 2 * frames }
      mask = mask ?? fitting
      if let mask, mask == fitting, let time = record.time { arrivals.append(time) }
    }
    guard let time = record.time else { return mask != nil }
    guard let first = arrivals.first else { return false }
    return arrivals.count >= Self.sufficientPackets || time - first >= Self.sufficientSpan
  }

  /// The divisor of 400 Hz that fits the times of the packets; nil with fewer than three packets that have times.
  var divisor: Int? {
    guard arrivals.count >= 3, let first = arrivals.first, let last = arrivals.last else { return nil }
    let intervals = zip(arrivals.dropFirst(), arrivals).map { $0 - $1 }.sorted()
    let median = intervals[intervals.count / 2]
    // A lost packet lengthens an interval, so the mean excludes unusual intervals. If packets arrive in groups, the usual
    // intervals are those within a group, and only the mean of all intervals states the rate.
    let usual = intervals.filter { $0 > median / 2 && $0 < median * 3 / 2 }
    let (mean, usualMean) = ((last - first) / intervals.count, usual.reduce(.zero, +) / max(usual.count, 1))
    let isRegular = usual.count * 10 >= intervals.count * 6 && usualMean > mean / 2
    return Self.divisor(ofPeriod: (isRegular ? usualMean : mean) / frames)
  }

  /// Whether the times of at least ten packets, over at least 0.2 s, contradict a divisor; within a second, jitter hides a
  /// small error.
  func contradicts(_ stated: UInt16?) -> Bool {
    guard let stated, let divisor, arrivals.count >= 10, let first = arrivals.first, let last = arrivals.last,
      last - first >= .milliseconds(200)
    else { return false }
    let plausible = last - first < .seconds(1) ? 0.6...1.6 : 0.9...1.1
    return !plausible.contains(Double(divisor) / Double(stated))
  }

  /// The divisor of a stream whose samples are a period apart. A robot may sample up to 5 % too fast, so a period that is
  /// up to 6 % too short still gives one of the divisors of 400, as most streams have.
  private static func divisor(ofPeriod period: Duration) -> Int {
    let exact = 400 * (period / .seconds(1))
    let divisorsOf400 = [1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 200, 400]
    if let near = divisorsOf400.first(where: { (0.94...1.03).contains(exact / Double($0)) }) { return near }
    return Int(min(max(exact.rounded(), 1), 65_535))
  }
}
