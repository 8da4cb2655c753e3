// The samples of a recording as lines, as a stream prints those of a live robot, or as a plot.

import SpheroDrawing
import SpheroOrientation
import SpheroProtocol
import SpheroRecording
import SpheroSession

/// Prints or plots the samples of a file, which may hold several recordings and several layouts, in one table.
struct RecordedSamplePrinter: RecordingPrinter {
  private let verb: Decode
  private var samples: RecordedSamples
  /// What is known of the recording that begins next.
  private var following: RecordedSamples?
  private var columns: StreamColumns?
  private var records: RecordPrinter?
  /// The title of the plot that takes the samples; with nil they are printed.
  private let plotTitle: String?
  /// The plot; nil before the first sample.
  private(set) var plot: Plot?
  /// The fields that the table shows of the wire.
  private var shown: SensorMask = []
  /// The samples that are still to be printed; nil where the table ends with the recording.
  private var left: Int?
  private(set) var isOver = false
  private var latestMask: SensorMask?
  private var latestDivisor: Int?
  /// What a person should hear now.
  private var news: [String] = []
  /// What the recordings before the present one lack.
  private var earlier = Totals()

  /// The rate where nobody says: what a stream has by itself.
  private static let divisor = 20

  init(_ verb: Decode, plotTitle: String? = nil) {
    (self.verb, self.plotTitle, left) = (verb, plotTitle, verb.bounds.count?.value)
    samples = RecordedSamples()
    samples = recording(nil)
  }

  /// The beginning of a recording: what its header tells goes before what the user says.
  private func recording(_ header: CaptureHeader?) -> RecordedSamples {
    // What nobody asks for is not worked out.
    let start = verb.clocks.clocks.contains(.wall) ? header?.start?.sinceEpoch : nil
    let stream = header?.stream
    guard let mask = stream?.mask ?? verb.streamedMask else { return RecordedSamples(wallClockStart: start) }
    let (divisor, frames) = (verb.divisor?.value ?? Self.divisor, verb.frames?.value)
    return RecordedSamples(
      StreamFormat(
        mask: mask, divisor: stream?.divisor ?? UInt16(clamping: divisor),
        frames: stream?.frames ?? frames.map { UInt16(clamping: $0) }),
      wallClockStart: start)
  }

  mutating func take(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    // What comes after the end of the table is not looked at.
    if !isOver { samples.feed(bytes, from: sender, at: time) }
  }

  mutating func take(_ annotation: CaptureRecord) {
    earlier.lost.note(annotation)
    switch annotation {
    case .header(let header):
      samples.end()
      following = recording(header)
    case .mark(let mark) where mark.kind == .reconnection: samples.reconnect()
    case .line, .mark: break
    }
  }

  mutating func end() { samples.end() }

  mutating func appendNext(to lines: inout [UInt8]) throws(UsageError) -> Bool {
    while !isOver {
      if let sample = samples.next() { return try append(sample, to: &lines) }
      // Copied only where there is one: it is large, and most often there is none.
      guard following != nil, let following else { return false }
      earlier = totals
      if columns != nil { news.append("another recording begins; its times begin with 0") }
      columns?.restart()
      (samples, self.following) = (following, nil)
    }
    return false
  }

  /// Appends a sample, unless the table ends before it.
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
      columns?.follow(divisor: divisor ?? Self.divisor)
      latestDivisor = divisor
    }
    if sample.sample.mask != latestMask { noteChange(sample) }
    if let sentence = columns?.remark(on: sample) { news.append(sentence) }
    if plotTitle != nil {
      if let values = columns?.values(sample) { plot?.append(values.map(\.printedNumber)) }
    } else {
      records?.append(to: &lines) { columns?.add(sample, to: &$0) }
      lines.append(UInt8(ascii: "\n"))
    }
    if let left {
      self.left = left - 1
      isOver = left == 1
    }
    return true
  }

  /// The table has the columns that the user names, or those of the first stream.
  private mutating func makeColumns(_ mask: SensorMask, _ divisor: Int?) throws(UsageError) {
    var fields = verb.fields ?? StreamFields(mask)
    if verb.fields == nil { fields.mask = SensorMask(rawValue: mask.fields.reduce(0) { $0 | $1.bit }) }
    let divisor = divisor ?? Self.divisor
    try verb.printing.validate(fields, divisor: divisor)
    let columns = StreamColumns(fields, divisor: divisor, verb.printing, verb.clocks)
    if let plotTitle {
      plot = Plot(
        title: plotTitle, columns: columns.columns,
        convention: verb.printing.convention?.convention ?? .sphero)
    } else {
      records = RecordPrinter(verb.format, kind: "sample", columns: columns.columns)
    }
    (self.columns, shown) = (columns, fields.mask)
  }

  mutating func appendHeader(to lines: inout [UInt8]) throws(UsageError) {
    guard verb.format == .csv || plotTitle != nil else { return }
    // Without a sample, only the user or a request can have told the columns.
    if columns == nil, let format = samples.format {
      try makeColumns(format.mask, format.divisor.map { Int($0) })
    }
    if var printer = records {
      lines += printer.headerLine()
      records = printer
    }
  }

  /// A stream with other fields goes on in the same table.
  private mutating func noteChange(_ sample: TimedSample) {
    let mask = sample.sample.mask
    defer { latestMask = mask }
    let missing = shown.subtracting(mask)
    let isNews = latestMask != nil && verb.fields == nil && mask != shown
    guard isNews || !missing.isEmpty else { return }
    news.append(
      "from \(sample.time.text(digits: columns?.timeDigits ?? 3)) s on the stream has the fields \(mask); "
        + (missing.isEmpty ? "the columns stay: name them with '--mask'" : "there is no \(missing)"))
  }

  mutating func takeRemark() -> String? { news.isEmpty ? nil : news.removeFirst() }

  /// What all recordings lack.
  private struct Totals {
    var lost = RecordingLosses()
    var lostFrames = 0
    var unreadPackets = 0
    var earlyPackets = 0
  }

  private var totals: Totals {
    var totals = earlier
    for sender in Sender.allCases { totals.lost.note(samples.statistics(of: sender)) }
    totals.lostFrames += samples.lostFrames
    totals.unreadPackets += samples.unreadPackets
    totals.earlyPackets += samples.earlyPackets
    return totals
  }

  var remarks: [String] {
    let totals = totals
    if columns == nil, totals.lost.discarded > 0, let mask = verb.fields?.argumentText {
      return ["no packet has samples of '\(mask)': name the fields that were streamed"]
    }
    var remarks: [String] = []
    if totals.lostFrames > 0 {
      remarks.append(
        "\(totals.lostFrames) sample\(totals.lostFrames == 1 ? " is" : "s are") missing: lost on the way")
    }
    if totals.earlyPackets > 0 {
      let (packets, are) = totals.earlyPackets == 1 ? ("packet", "is") : ("packets", "are")
      remarks.append(
        "\(totals.earlyPackets) sensor \(packets) \(are) left out: on a new line, before the stream was asked for again"
      )
    }
    return remarks
  }

  var losses: [String] {
    let (sentences, packets) = (totals.lost.sentences, totals.unreadPackets)
    guard packets > 0 else { return sentences }
    let unread = "\(packets) sensor packet\(packets == 1 ? " has" : "s have")"
    let why =
      samples.format == nil
      ? "no known layout; name it with '--mask'" : "another length than the stream that was asked for"
    return sentences + ["\(unread) \(why)"]
  }
}

extension Decode {
  /// What must be on the wire for the columns, where the recording does not say.
  fileprivate var streamedMask: SensorMask? {
    fields.map { printing.isEuler ? $0.streamedMask.union(.quat) : $0.streamedMask }
  }
}
