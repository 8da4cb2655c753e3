// The samples of a recorded conversation, placed in time as a session places those of a live robot.

package import SpheroProtocol

/// Finds the sensor packets of a recording, and works out when their samples were measured.
///
/// Feed it with ``feed(_:from:at:)`` in the order of time, take samples with ``next()`` until it returns nil,
/// and call ``end()`` at the end. The requests of the recording give the format of its packets.
/// Where the bytes have times, samples lie on the robot's even grid, by the same ``StreamFollower`` as in a session;
/// where they have none, each sample lies divisor/400 s after the one before.
package struct RecordedSamples: Sendable {
  /// The sensor packets of unknown format.
  package private(set) var unreadPackets = 0
  /// The sensor packets that came on a new line before a stream was asked for there.
  package private(set) var earlyPackets = 0
  /// The divisor of the sample that ``next()`` returned last, where it is known.
  package private(set) var divisor: UInt16?

  private let wallClockStart: Duration?
  private var host = TimedDecoder(from: .host)
  private var robot = TimedDecoder(from: .robot)
  private var requests = OpenRequests()
  private var follower = StreamFollower()
  /// Whether the format was given beforehand, and not by a request of the recording.
  private var isAssumed = false
  /// The newest request, while it has not been answered.
  private var asked: Request?
  /// The number of the request in force, among all commands.
  private var followed = 0
  /// The newest request that was answered, where it has a time.
  private var renewal: Request?
  private var phase = Phase.streaming
  /// Whether a packet of the format has come.
  private var hasPackets = false
  /// Whether the decoder has to hear of other formats.
  private var hasOtherFormats = false
  /// The time of the bytes that came last.
  private var now: Duration?

  /// When the latest sample was measured, and the first one.
  private var last: Double?
  private var start: Double?
  private var arrivalStart = Duration.zero
  /// Whether a sample had a time of arrival.
  private var isTimed = false
  /// What leads from the clock of the arrivals to samples that came without one before.
  private var shift = 0.0
  /// The samples that were found, and how many of them were taken.
  private var found: [(sample: TimedSample, divisor: UInt16?)] = []
  private var taken = 0

  /// What packets are.
  private enum Phase: Sendable {
    /// Those of the stream that was asked for.
    case streaming
    /// The last ones of a stream that was switched off.
    case off
    /// On a new line, those of an earlier stream, until one is asked for: a program takes none of them.
    case reconnected
  }

  /// A request for a stream.
  private struct Request: Sendable {
    let format: StreamFormat
    /// How many packets it was for, and when it was sent.
    let packets: UInt8
    let time: Duration?
    /// Which command it was, counted from 1.
    let number: Int
    /// When the same was asked for the first time since anything was answered.
    var begun: Duration?

    init(_ request: Sensing.SetDataStreaming, sentAt time: Duration?, number: Int) {
      (format, packets) = (StreamFormat(request), request.packetCount)
      (self.time, self.number, begun) = (time, number, time)
    }

    /// Whether the robot may have sent all packets by a time.
    func mayHaveRunOut(by now: Duration, frames: Int) -> Bool {
      guard let time else { return true }
      // A robot may sample 5 % too fast, and a count of 0 never runs out.
      let span = format.framePeriod * Double(frames) * Double(packets)
      return packets > 0 && (now - time).inSeconds >= span * 0.9
    }
  }

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - format: That of a stream whose request is not in the recording; nil where it is not known.
  ///   - wallClockStart: When the recording began, since 1970; nil where that is not known or not wanted.
  package init(_ format: StreamFormat? = nil, wallClockStart: Duration? = nil) {
    self.wallClockStart = wallClockStart
    guard let format else { return }
    follower.begin(format, at: nil)
    isAssumed = true
    expectPayloads()
  }

  /// The format of the packets that come now, or nil where it is not known.
  package var format: StreamFormat? { follower.format }
  /// The frames that were lost on their way, by the gaps they left.
  package var lostFrames: Int { follower.lostFrames }
  /// How many samples are kept.
  package var keptCount: Int { found.count }

  /// What the decoder of one direction has seen.
  package func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.packets.statistics : robot.packets.statistics
  }

  /// Takes the next bytes of one direction.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once; it need not be whole packets.
  ///   - sender: Who sent it.
  ///   - time: When it was seen, since the recording began, or nil where that is not known.
  package mutating func feed(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    if let time {
      while let deadline = host.giveUp(at: time) { takeCommands(at: deadline) }
      while let deadline = robot.giveUp(at: time) { takeAnswers(at: deadline) }
      if let until = follower.deadline, time >= until { release(isAlone: true) }
    }
    if hasOtherFormats { expectPayloads() }
    if sender == .host {
      host.append(bytes, at: time)
      takeCommands(at: time)
    } else {
      robot.append(bytes, at: time)
      takeAnswers(at: time)
    }
    now = time
  }

  /// Ends the recording: looks behind headers whose packet never came.
  package mutating func end() {
    while host.giveUp() { takeCommands(at: now) }
    while robot.giveUp() { takeAnswers(at: now) }
    release(isAlone: true)
  }

  /// Goes on with another line, on which a stream begins with a request of its own.
  package mutating func reconnect() {
    end()
    (requests, asked, followed, renewal) = (OpenRequests(), nil, 0, nil)
    // What no request has told, none has to tell again.
    if isAssumed, let format { follower.begin(format, at: nil) }
    if !isAssumed { (phase, hasPackets, hasOtherFormats) = (.reconnected, false, true) }
  }

  /// The next sample, or nil until more bytes come.
  package mutating func next() -> TimedSample? {
    guard taken < found.count else {
      if taken > 0 { found.removeAll(keepingCapacity: true) }
      taken = 0
      return nil
    }
    defer { taken += 1 }
    divisor = found[taken].divisor
    return found[taken].sample
  }

  /// Tells the decoder how long sensor packets are, so that a false header of another length holds nothing back.
  ///
  /// As in a session, any length may come until one has the length that was asked for.
  private mutating func expectPayloads() {
    hasOtherFormats = false
    var counts: Set<Int> = []
    if let format, hasPackets || isAssumed {
      counts = format.payloadCounts.union(asked?.format.payloadCounts ?? [])
    }
    robot.packets.expectedPayloadCounts = counts.isEmpty ? [:] : [Sensing.SensorData.id: counts]
  }

  // MARK: Requests

  private mutating func takeCommands(at now: Duration?) {
    while let packet = host.packets.next() {
      if case .command(let command) = packet { take(command, at: now) }
    }
  }

  private mutating func take(_ command: CommandPacket, at now: Duration?) {
    requests.sent(command, at: now)
    guard let streaming = Sensing.SetDataStreaming(recorded: command) else { return }
    var request = Request(streaming, sentAt: now, number: requests.count)
    if !command.options.contains(.answer) {
      follow(request, at: now)
    } else if !request.format.mask.isEmpty {
      if let asked, asked.format == request.format { request.begun = asked.begun }
      asked = request
      // Packets may come before the answer.
      if request.format != format { hasOtherFormats = true }
    }
  }

  private mutating func takeAnswers(at now: Duration?) {
    while let packet = robot.packets.next() {
      switch packet {
      case .event(let event) where event.id == Sensing.SensorData.id: take(event.payload, at: now)
      case .response(let response): take(response, at: now)
      case .event, .command: break
      }
    }
  }

  private mutating func take(_ response: ResponsePacket, at now: Duration?) {
    guard let sent = requests.answered(response.sequence),
      let request = Sensing.SetDataStreaming(recorded: sent.packet)
    else { return }
    if response.status == .ok {
      follow(Request(request, sentAt: sent.time, number: sent.number), at: now)
    } else if asked?.number == sent.number {
      asked = nil
    }
  }

  /// Takes a request for the one in force, unless a later one is.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - now: When the robot showed that it took it.
  ///   - isConfirmed: Whether the robot has answered it, or was not to.
  private mutating func follow(_ request: Request, at now: Duration?, isConfirmed: Bool = true) {
    guard request.number >= followed else { return }
    followed = request.number
    if let asked, asked.number <= followed { self.asked = nil }
    guard !request.format.mask.isEmpty else {
      phase = .off
      return
    }
    renewal = isConfirmed && request.time != nil ? request : nil
    isAssumed = false
    // The same again only keeps a stream going.
    guard request.format != format || phase != .streaming else {
      if isConfirmed { follower.timeline.renewed() }
      return
    }
    release(isAlone: false)
    follower.begin(request.format, at: now)
    (phase, hasPackets, hasOtherFormats) = (.streaming, false, true)
  }

  // MARK: Samples

  /// Takes the payload of a sensor packet.
  private mutating func take(_ payload: [UInt8], at now: Duration?) {
    var count = phase == .reconnected ? nil : format?.frameCount(in: payload.count)
    if count == nil || isAssumed, let asked, let other = asked.format.frameCount(in: payload.count),
      mayProve(asked, at: now)
    {
      // The packet proves that the robot took the request, also where its answer was lost.
      follow(asked, at: now, isConfirmed: false)
      count = other
    }
    guard let format, let count else {
      if phase == .reconnected { earlyPackets += 1 } else { unreadPackets += 1 }
      return
    }
    if !hasPackets { (hasPackets, hasOtherFormats) = (true, true) }
    guard let now, format.divisor != nil else {
      release(isAlone: false)
      return appendUntimed(payload, count, format, at: now)
    }
    let mayHaveRunOut = renewal?.mayHaveRunOut(by: now, frames: count) ?? true
    let held = follower.noteArrival(frames: count, at: now, mayHaveRunOut: mayHaveRunOut)
    if let held { append(held) }
    if let packet = follower.take(payload, frames: count, at: now) { append(packet) }
  }

  /// Whether a packet of its length proves that the robot took a request that it has not answered, as in a session.
  private func mayProve(_ asked: Request, at now: Duration?) -> Bool {
    // Where there are no times, packets are taken for what they seem.
    guard let now, let begun = asked.begun else { return true }
    let isOwn = asked.format == format || format != nil && !isAssumed && phase == .streaming
    return StreamFollower.proves(begun, at: now, isOwn: isOwn)
  }

  private mutating func release(isAlone: Bool) {
    if let packet = follower.release(isAlone: isAlone) { append(packet) }
  }

  private mutating func append(_ packet: StreamFollower.Packet) {
    let first = aligned(packet.place.start, packet.place.step, at: packet.arrival)
    append(
      packet.payload, packet.frames, from: first, step: packet.place.step, offset: packet.place.offset,
      at: packet.arrival)
  }

  /// Appends the samples of a packet of which the rate or the time is not known.
  private mutating func appendUntimed(
    _ payload: [UInt8], _ count: Int, _ format: StreamFormat, at arrival: Duration?
  ) {
    var step = format.framePeriod
    var first: Double
    if let arrival {
      // What is known is when the last frame came.
      let seconds = follower.timeline.seconds(of: arrival)
      if isTimed, let last { step = max(0, seconds + shift - last) / Double(count) }
      first = aligned(seconds - step * Double(count - 1), step, at: arrival)
      if let last { first = max(first, last) }
    } else if format.divisor != nil, let due = follower.timeline.pass(count) {
      (first, step) = (due.start + shift, due.step)
    } else {
      first = last.map { $0 + step } ?? 0
      if start == nil { start = first }
    }
    append(payload, count, from: first, step: step, offset: 0, at: arrival)
  }

  /// Leads a time by the clock of the arrivals to the samples before, which may have come without any.
  private mutating func aligned(_ first: Double, _ step: Double, at arrival: Duration) -> Double {
    if !isTimed {
      isTimed = true
      if let last { shift = last + step - first }
      let start = start ?? first
      self.start = start
      arrivalStart = arrival - SensorStreaming.rounded(first + shift - start)
    }
    return first + shift
  }

  /// Appends the samples of a packet.
  ///
  /// - Parameters:
  ///   - payload: Its frames.
  ///   - count: How many there are.
  ///   - first: When the first one was measured.
  ///   - step: The time between two.
  ///   - offset: How much later `first` is than by the clock of the arrivals.
  ///   - arrival: When it came; nil where that is not known.
  private mutating func append(
    _ payload: [UInt8], _ count: Int, from first: Double, step: Double, offset: Double, at arrival: Duration?
  ) {
    let bytes = payload[...]
    for frame in 0..<count {
      guard let sample = follower.layout.sample(in: bytes.span, frame: frame) else { continue }
      let measured = first + step * Double(frame)
      let time = SensorStreaming.rounded(measured - (start ?? measured))
      var (hostTime, wallClock) = (time, Duration.zero)
      if let wallClockStart, arrival != nil {
        hostTime = follower.timeline.time(of: measured - shift - offset)
        wallClock = wallClockStart + hostTime
      }
      let timed = TimedSample(
        time: time, arrival: arrival.map { $0 - arrivalStart } ?? time, hostTime: hostTime,
        wallClock: wallClock, sample: sample)
      found.append((timed, format?.divisor))
    }
    last = first + step * Double(count - 1)
  }
}
