// The samples of a recording, placed in time like those of a live robot.

public import SpheroProtocol

/// Decodes the sensor packets of a recording, and reconstructs the times of their samples.
///
/// Pass the bytes to ``append(_:from:at:)`` in the order of time, and call ``finish()`` at the end.
/// The requests of the recording determine the format of its packets; packets of unknown format are counted and discarded.
/// Samples of bytes with times lie on the robot's even grid, as in a session; without times, each sample lies
/// divisor/400 s after the previous one. Bytes with a time are decoded when the next bytes arrive, because only the time
/// of those shows whether the earlier time is wrong.
public struct RecordedSamples: Sendable {
  /// The sensor packets of unknown format.
  public private(set) var unknownFormatPackets = 0
  /// The size in bytes of the samples in the first sensor packet of unknown format; nil without one.
  public private(set) var unknownFormatSize: Int?
  /// The sensor packets on a new line before the first request for a stream.
  package private(set) var earlyPackets = 0
  /// The measured rate as a multiple of the requested one, if it is not plausible; nil if it is, or unknown.
  // Stored, because a computed property would copy the whole value for each sample.
  package private(set) var implausibleRate: Double?
  /// The divisor of the sample that ``next()`` returned last; nil if unknown.
  package private(set) var divisor: UInt16?

  /// The events of the robot other than samples, until ``nextEvent()`` returns them; nil if they are not kept.
  ///
  /// `arrival` is nil if it is unknown; `earliest` is the time of the last sample before the event, if any, and
  /// `sampleCount` the number of samples before it.
  private var events: Queue<(event: EventPacket, arrival: Duration?, earliest: Duration?, sampleCount: Int)>?

  private let wallClockStart: Duration?
  private var host = TimedDecoder(from: .host)
  private var robot = TimedDecoder(from: .robot)
  private var requests = OutstandingRequests()
  private var follower = StreamFollower()
  /// Whether the format was given by the caller, and not by a request of the recording.
  package private(set) var isAssumed = false
  /// The newest request, while it is unanswered.
  private var unanswered: Request?
  /// The ``Request/number`` of the request that determines the current stream; 0 without one.
  private var followed = 0
  /// The newest answered request with a time.
  private var renewal: Renewal?
  private var phase = Phase.streaming
  private var hasPackets = false
  private var mustExpectPayloads = false
  private var now: Duration?
  private var lineTimes = LineTimes()
  /// The bytes of the line that ``lineTimes`` holds.
  private var heldBytes: [UInt8] = []
  private var heldSender = Sender.robot

  /// When the last sample was measured, in seconds: on the timeline, or since the first sample if no arrival is known yet.
  private var last: Double?
  /// The zeros of the times of samples; nil before the first sample with an arrival time.
  ///
  /// `seconds` on the timeline and `time` on the clock of the recording are the zero of `TimedSample.time`; `arrival` on
  /// the clock of the recording is that of `TimedSample.arrival`.
  private var zero: (seconds: Double, time: Duration, arrival: Duration)?
  /// The samples that ``next()`` has not returned yet.
  private var decoded = Queue<(sample: TimedSample, divisor: UInt16?)>()
  /// The number of all decoded samples.
  private var decodedCount = 0

  /// The stream to which packets belong.
  private enum Phase: Sendable {
    /// The requested stream.
    case streaming
    /// A stream that was switched off.
    case off
    /// On a new line, an earlier stream, whose packets a program discards until it requests one.
    case reconnected
  }

  private struct Request: Sendable {
    let format: StreamFormat
    /// Its number among all commands, counted from 1.
    let number: Int
    /// When the same stream was first requested since the last answer; nil if unknown.
    var begun: Duration?
    /// The schedule that its answer begins; nil if its time is unknown.
    let renewal: Renewal?

    init(_ request: Sensing.SetDataStreaming, sentAt time: Duration?, number: Int) {
      (format, self.number, begun) = (StreamFormat(request), number, time)
      let period = format.framePeriod * Double(format.frames ?? 1)
      // A count of 0 never runs out.
      let span = request.packetCount > 0 ? period * Double(request.packetCount) : Double(TimeLimit.seconds)
      renewal = time.map { Renewal(span: .seconds(span), confirmedAt: $0) }
    }
  }

  /// Creates a decoder of a recording that may begin with a stream of a known `format`, without its request.
  ///
  /// `wallClockStart` is the time of its start since 1970, to which `TimedSample.wallClock` refers.
  public init(_ format: StreamFormat? = nil, wallClockStart: Duration? = nil) {
    self.init(format, wallClockStart: wallClockStart, keepsEvents: false)
  }

  package init(_ format: StreamFormat? = nil, wallClockStart: Duration? = nil, keepsEvents: Bool) {
    self.wallClockStart = wallClockStart
    if keepsEvents { events = Queue() }
    guard let format else { return }
    follower.begin(format, at: nil)
    isAssumed = true
  }

  /// The format of the current stream; nil if unknown.
  public var format: StreamFormat? { follower.format }
  /// The frames lost on the link.
  public var lostFrames: Int { follower.lostFrames }

  package func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.packets.statistics : robot.packets.statistics
  }

  /// Appends the bytes of one read or write, which need not be whole packets, and returns the complete samples.
  ///
  /// `time` is since the start of the recording, or nil if unknown. If it decreases, either a line has a wrong time, or
  /// another recording begins; the times of that recording continue those of the previous one.
  public mutating func append(
    _ bytes: some Collection<UInt8>, from sender: Sender, at time: Duration? = nil
  ) -> [TimedSample] {
    let bytes = ContiguousArray(bytes)
    feed(bytes.span, from: sender, at: time)
    return samples()
  }

  /// Ends the recording, and returns the samples that were held back.
  public mutating func finish() -> [TimedSample] {
    end()
    return samples()
  }

  private mutating func samples() -> [TimedSample] {
    var samples: [TimedSample] = []
    while let sample = next() { samples.append(sample) }
    return samples
  }

  /// Processes bytes as ``append(_:from:at:)``; ``next()`` then returns the complete samples.
  package mutating func feed(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    guard let time else {
      processHeldLine()
      return process(bytes, from: sender, at: nil)
    }
    if let held = lineTimes.append(time, in: format) { processHeldLine(at: held) }
    heldBytes.removeAll(keepingCapacity: true)
    // Without bytes, the standard library would write to the storage that all empty arrays share.
    if !bytes.isEmpty { heldBytes.append(addingCapacity: bytes.count) { $0.append(bytes) } }
    heldSender = sender
  }

  private mutating func processHeldLine() {
    if let held = lineTimes.release() { processHeldLine(at: held) }
  }

  private mutating func processHeldLine(at time: Duration?) {
    // The span of an array requires macOS 26; that of a slice does not.
    let bytes = heldBytes[...]
    process(bytes.span, from: heldSender, at: time)
  }

  private mutating func process(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    if let time {
      while let deadline = host.discardExpired(at: time) { processCommands(at: deadline) }
      while let deadline = robot.discardExpired(at: time) { processAnswers(at: deadline) }
      if let until = follower.deadline, time >= until { release(isAlone: true) }
    }
    if mustExpectPayloads { expectPayloads() }
    if sender == .host {
      host.append(bytes, at: time)
      processCommands(at: time)
    } else {
      robot.append(bytes, at: time)
      processAnswers(at: time)
    }
    now = time
  }

  /// Ends the recording: decodes the bytes after incomplete packets.
  package mutating func end() {
    processHeldLine()
    while host.discardIncomplete() { processCommands(at: now) }
    while robot.discardIncomplete() { processAnswers(at: now) }
    release(isAlone: true)
  }

  /// Continues with another line, on which a stream starts with its own request.
  package mutating func reconnect() {
    end()
    (requests, unanswered, followed, renewal) = (OutstandingRequests(), nil, 0, nil)
    // A format that the caller gave applies to every line.
    if isAssumed {
      if let format { follower.begin(format, at: nil) }
    } else {
      (phase, hasPackets, mustExpectPayloads) = (.reconnected, false, true)
    }
  }

  /// The next sample, or nil if more bytes are needed.
  package mutating func next() -> TimedSample? {
    guard let next = decoded.popFirst() else { return nil }
    divisor = next.divisor
    return next.sample
  }

  /// Removes and returns the next event other than samples, unless ``next()`` has a sample that precedes it.
  ///
  /// Both times are on the scale of `TimedSample.time`. `time` is that of the arrival, but not before the last sample ahead
  /// of the event, since the robot sent that first and the delay of packets varies. Both are nil as long as no sample is
  /// decoded.
  package mutating func nextEvent() -> (event: EventPacket, arrival: Duration?, time: Duration?)? {
    guard let first = events?.first, first.sampleCount <= decodedCount - decoded.count,
      let next = events?.popFirst()
    else { return nil }
    let arrival = placed(next.arrival)
    return (next.event, arrival, [arrival, next.earliest].compactMap { $0 }.max())
  }

  /// A time of the recording on the scale of `TimedSample.time`; nil before the first sample with a time.
  package func placed(_ time: Duration?) -> Duration? {
    time.flatMap { time in zero.map { time - $0.time } }
  }

  /// As in a session, any length is possible until a packet has the requested one.
  private mutating func expectPayloads() {
    mustExpectPayloads = false
    var counts: Set<Int> = []
    if let format, hasPackets {
      counts = format.payloadCounts.union(unanswered?.format.payloadCounts ?? [])
    }
    robot.packets.expectedPayloadCounts = counts.isEmpty ? [:] : [Sensing.SensorData.id: counts]
  }

  // MARK: Requests

  private mutating func processCommands(at now: Duration?) {
    while let packet = host.packets.next() {
      if case .command(let command) = packet { process(command, at: now) }
    }
  }

  private mutating func process(_ command: CommandPacket, at now: Duration?) {
    requests.sent(command, at: now)
    guard let streaming = Sensing.SetDataStreaming(recorded: command) else { return }
    var request = Request(streaming, sentAt: now, number: requests.count)
    if !command.options.contains(.answer) {
      follow(request, at: now)
    } else if !request.format.mask.isEmpty {
      if let unanswered, unanswered.format == request.format { request.begun = unanswered.begun }
      unanswered = request
      // Packets may arrive before the answer.
      if request.format != format { mustExpectPayloads = true }
    }
  }

  private mutating func processAnswers(at now: Duration?) {
    while let (packet, time) = robot.next() {
      let now = time ?? now
      switch packet {
      case .event(let event) where event.id == Sensing.SensorData.id: process(event.payload, at: now)
      case .response(let response): process(response, at: now)
      case .event(let event):
        let earliest = last.map { Duration.rounded(seconds: $0 - (zero?.seconds ?? 0)) }
        events?.append((event, arrival: now, earliest, sampleCount: decodedCount))
      case .command: break
      }
    }
  }

  private mutating func process(_ response: ResponsePacket, at now: Duration?) {
    guard let sent = requests.answered(by: response, at: now) else { return }
    if let version = Core.GetVersioning.Response(to: sent.packet.id, response) {
      follower.axes = version.model.traits.locatorAxes
    }
    guard let request = Sensing.SetDataStreaming(recorded: sent.packet) else { return }
    if response.status == .ok {
      follow(Request(request, sentAt: sent.time, number: sent.number), at: now)
    } else if unanswered?.number == sent.number {
      unanswered = nil
    }
  }

  /// Switches to the stream of an accepted request, unless a later one has been followed.
  ///
  /// `isConfirmed` is false if only a packet of the stream proves that the robot accepted the request.
  private mutating func follow(_ request: Request, at now: Duration?, isConfirmed: Bool = true) {
    guard request.number >= followed else { return }
    followed = request.number
    if let unanswered, unanswered.number <= followed { self.unanswered = nil }
    guard !request.format.mask.isEmpty else {
      phase = .off
      return
    }
    renewal = isConfirmed ? request.renewal : nil
    isAssumed = false
    // A request for the same format only renews the stream.
    guard request.format != format || phase != .streaming else {
      if isConfirmed { follower.timeline.renewed() }
      return
    }
    release(isAlone: false)
    follower.begin(request.format, at: now)
    (phase, hasPackets, mustExpectPayloads) = (.streaming, false, true)
  }

  // MARK: Samples

  private mutating func process(_ payload: [UInt8], at now: Duration?) {
    var count = phase == .reconnected ? nil : format?.frameCount(in: payload.count)
    if count == nil || isAssumed, let unanswered,
      let other = unanswered.format.frameCount(in: payload.count), mayProve(unanswered, at: now)
    {
      // The packet proves that the robot accepted the request, even if the answer was lost.
      follow(unanswered, at: now, isConfirmed: false)
      count = other
    }
    guard let format, let count else {
      if phase == .reconnected {
        earlyPackets += 1
      } else {
        unknownFormatPackets += 1
        unknownFormatSize = unknownFormatSize ?? payload.count
      }
      return
    }
    if !hasPackets { (hasPackets, mustExpectPayloads) = (true, true) }
    guard let now, format.divisor != nil else {
      release(isAlone: false)
      return appendUntimed(payload, count, format, at: now)
    }
    let (before, own) = follower.receive(payload, frames: count, at: now, renewal)
    if let before { append(before) }
    if let own { append(own) }
  }

  /// Whether a packet of its length proves that the robot accepted an unanswered request.
  ///
  /// Until the first stream that the recording itself requested, packets of a former program may have that length, as in
  /// a session; they no longer arrive after `StreamFollower.transit`.
  private func mayProve(_ request: Request, at now: Duration?) -> Bool {
    // Without times, the length is the only evidence.
    guard let now, let begun = request.begun else { return true }
    let hasRequestedStream = format != nil && !isAssumed && phase == .streaming
    return hasRequestedStream || request.format == format || now - begun >= StreamFollower.transit
  }

  private mutating func release(isAlone: Bool) {
    if let packet = follower.release(isAlone: isAlone) { append(packet) }
  }

  private mutating func append(_ packet: StreamFollower.Packet) {
    let place = packet.place
    implausibleRate = follower.timeline.rate.implausiblePeriod.map { follower.timeline.rate.nominal / $0 }
    setZero(at: place.start, place.step, offset: place.offset, at: packet.arrival)
    append(
      packet.payload, packet.frames, from: place.start, step: place.step, offset: place.offset,
      at: packet.arrival)
  }

  /// Appends the samples of a packet whose rate or time is unknown.
  private mutating func appendUntimed(
    _ payload: [UInt8], _ count: Int, _ format: StreamFormat, at arrival: Duration?
  ) {
    var step = format.framePeriod
    var first: Double
    if let arrival {
      // The arrival time is that of the last frame.
      let seconds = follower.timeline.seconds(of: arrival)
      if zero != nil, let last { step = max(0, seconds - last) / Double(count) }
      first = seconds - step * Double(count - 1)
      setZero(at: first, step, offset: 0, at: arrival)
      if let last { first = max(first, last) }
    } else if format.divisor != nil, let due = follower.timeline.extrapolate(count) {
      (first, step) = due
    } else {
      first = last.map { $0 + step } ?? 0
    }
    append(payload, count, from: first, step: step, offset: 0, at: arrival)
  }

  /// Places the first packet with an arrival time, whose first frame was measured at `first`, behind the samples before it.
  private mutating func setZero(at first: Double, _ step: Double, offset: Double, at arrival: Duration) {
    guard zero == nil else { return }
    let time = last.map { $0 + step } ?? 0
    let seconds = first - time
    last = last.map { $0 + seconds }
    zero = (
      seconds, time: follower.timeline.time(of: seconds - offset), arrival: arrival - .rounded(seconds: time)
    )
  }

  /// Appends the samples of a packet of `count` frames.
  ///
  /// The time of the first frame, the step and the offset of that time from the clock of the arrivals are in seconds.
  private mutating func append(
    _ payload: [UInt8], _ count: Int, from first: Double, step: Double, offset: Double, at arrival: Duration?
  ) {
    // The span of an array requires macOS 26.
    let bytes = payload[...]
    for frame in 0..<count {
      guard let sample = follower.sample(in: bytes.span, frame: frame) else { continue }
      let measured = first + step * Double(frame)
      let time = Duration.rounded(seconds: measured - (zero?.seconds ?? 0))
      var (hostTime, wallClock) = (time, Duration.zero)
      if let wallClockStart, arrival != nil {
        hostTime = follower.timeline.time(of: measured - offset)
        wallClock = wallClockStart + hostTime
      }
      let timed = TimedSample(
        time: time, arrival: arrival.flatMap { arrival in zero.map { arrival - $0.arrival } } ?? time,
        hostTime: hostTime, wallClock: wallClock, sample: sample)
      decoded.append((timed, format?.divisor))
      decodedCount += 1
    }
    last = first + step * Double(count - 1)
  }
}

/// Finds the lines of a recording whose times are wrong: times never decrease.
///
/// Each time is held until the next one arrives, which may show that it is wrong. If a time decreases, one of the two
/// times is wrong; if the times before them do not show which one, both count as wrong. If two successive times are less
/// than the time before them, they begin another recording, whose times continue those of the previous one.
/// If the second of all times is less than the first, only the first counts as wrong, unless no third one follows.
package struct LineTimes: Sendable {
  private var held: (time: Duration, isWrong: Bool)?
  /// The last released time, in the recording to which it belongs; nil at the start.
  private var last: Duration?
  /// The start of the current recording, measured from the start of the first one.
  private var offset = Duration.zero
  /// The offset from which no other recording is recognized: it bounds the sum of the times of a hostile file.
  private static let maximumOffset = Duration.seconds(TimeLimit.seconds)

  package init() {}

  /// Holds a time, and returns the one that was held before: `.some(nil)` if it is wrong, nil if no time was held.
  ///
  /// Another recording starts one packet of `format` after the end of the previous one.
  package mutating func append(_ time: Duration, in format: StreamFormat?) -> Duration?? {
    guard let held else {
      self.held = (time, isWrong: false)
      return nil
    }
    guard let last else {
      // Only `release()` reads the mark: a third time shows that the second one is right.
      self.held = (time, isWrong: time < held.time)
      return time < held.time ? .some(nil) : release(held.time)
    }
    if held.isWrong {
      self.held = (time, isWrong: time < last)
      guard held.time < last, time < last, offset < Self.maximumOffset else { return .some(nil) }
      let period = format.map { $0.framePeriod * Double($0.frames ?? 1) } ?? 0
      offset += last - held.time + .rounded(seconds: period)
      self.held?.isWrong = time < held.time
      return release(held.time)
    }
    self.held = (time, isWrong: time < held.time)
    return time < held.time && time >= last ? .some(nil) : release(held.time)
  }

  /// Releases the held time, and returns it: `.some(nil)` if it is wrong, nil if no time is held.
  package mutating func release() -> Duration?? {
    defer { held = nil }
    guard let held else { return nil }
    return held.isWrong ? .some(nil) : release(held.time)
  }

  private mutating func release(_ time: Duration) -> Duration {
    last = time
    return time + offset
  }
}
