// The samples of a recorded conversation, placed in time as a session places those of a live robot.

package import SpheroProtocol

/// Finds the sensor packets of a recording, and works out when their samples were measured.
///
/// Feed it with ``feed(_:from:at:)`` in the order of time, take samples with ``next()`` until it returns nil,
/// and call ``end()`` at the end. The requests of the recording give the layout of its packets.
/// Where the bytes have times, samples lie on the robot's even grid, by the same ``Timeline`` as in a session;
/// where they have none, each sample lies divisor/400 s after the one before.
package struct RecordedSamples: Sendable {
  /// How the packets of a stream are laid out.
  package struct Layout: Hashable, Sendable {
    /// The fields of a frame.
    package let mask: SensorMask
    /// A frame is taken every `divisor`/400 s; nil where nobody knows.
    package let divisor: Int?
    /// The frames in a packet; nil for any number.
    package let frames: Int?
    /// How many bytes a frame has.
    fileprivate let stride: Int

    /// Makes a layout from its parts.
    package init(mask: SensorMask, divisor: Int?, frames: Int?) {
      (self.mask, self.divisor, self.frames) = (mask, divisor, frames)
      stride = mask.wordCount * 2
    }

    fileprivate init(_ request: Sensing.SetDataStreaming) {
      self.init(
        mask: request.sensorMask, divisor: request.divisor > 0 ? Int(request.divisor) : nil,
        frames: request.frames > 0 ? Int(request.frames) : nil)
    }

    /// How many frames a payload of so many bytes has; nil where it has another layout.
    fileprivate func frameCount(_ byteCount: Int) -> Int? {
      guard stride > 0 else { return nil }
      let (count, rest) = byteCount.quotientAndRemainder(dividingBy: stride)
      return rest == 0 && count > 0 && frames ?? count == count ? count : nil
    }

    /// How long the payloads of its packets can be.
    fileprivate var payloadCounts: Set<Int> {
      guard stride > 0 else { return [] }
      let counts = frames.map { $0...$0 } ?? 1...max(1, StreamLayout.longestPayload / stride)
      return Set(counts.map { $0 * stride })
    }

    /// The time between two packets of so many frames, in seconds.
    fileprivate func period(_ frames: Int) -> Double { 0.0025 * Double(divisor ?? 1) * Double(frames) }
  }

  /// The layout of the packets that come now, or nil where it is not known.
  package private(set) var layout: Layout?
  /// Whether the layout was given beforehand, and not by a request of the recording.
  private var isAssumed = false
  /// The frames that were lost on their way, by the gaps they left.
  package private(set) var lostFrames = 0
  /// The sensor packets of unknown layout.
  package private(set) var unreadPackets = 0
  /// The sensor packets that came on a new line before a stream was asked for there.
  package private(set) var earlyPackets = 0

  private let wallClockStart: Duration?
  private var host = TimedDecoder(from: .host)
  private var robot = TimedDecoder(from: .robot)
  private var requests = OpenRequests()
  /// The newest request, while it has not been answered.
  private var asked: Request?
  /// The number of the request in force, among all commands.
  private var followed = 0
  /// When the newest request that was answered was sent, and how many packets it was for.
  private var renewal: (time: Duration, packets: UInt8)?
  private var phase = Phase.streaming
  /// Whether a packet of the layout has come.
  private var hasPackets = false
  /// Whether the decoder has to hear of other layouts.
  private var hasOtherLayouts = false
  /// The time of the bytes that came last.
  private var now: Duration?

  private var timeline = Timeline()
  private var held: (payload: Range<Int>, count: Int, arrival: Duration, until: Duration)?
  private var lastArrival: Double?
  /// When the latest sample was measured, and the first one.
  private var last: Double?
  private var start: Double?
  private var arrivalStart = Duration.zero
  /// Whether a sample had a time of arrival.
  private var isTimed = false
  /// What leads from the clock of the arrivals to samples that came without one before.
  private var shift = 0.0
  /// The packet whose samples can be taken, and how many were; those after it, and how many of them had their turn.
  private var placed = Placed()
  private var taken = 0
  private var following: [Placed] = []
  private var nextFollowing = 0
  /// The frames of these packets, of the one that is held, and of some that were taken.
  private var frames: [UInt8] = []
  /// Beyond so many bytes, the frames that were taken go.
  private static let mostKept = 4096

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
    var layout: Layout
    /// How many packets it was for, and when it was sent.
    var packets: UInt8
    var time: Duration?
    /// Which command it was, counted from 1.
    var number: Int
    /// When the same was asked for the first time since anything was answered.
    var begun: Duration?

    init(_ request: Sensing.SetDataStreaming, sentAt time: Duration?, number: Int) {
      (layout, packets) = (Layout(request), request.packetCount)
      (self.time, self.number, begun) = (time, number, time)
    }
  }

  /// A packet of samples, and where they lie in time.
  private struct Placed: Sendable {
    var mask: SensorMask = []
    /// Where its frames begin, how many bytes each has, and how many there are.
    var place = 0
    var stride = 0
    var count = 0
    /// When its first frame was measured, and the time between two, in seconds.
    var start = 0.0
    var step = 0.0
    /// How much later that is than by the clock of the arrivals.
    var offset = 0.0
    /// When it came, since the first packet did; nil where that is not known.
    var arrival: Duration?
    /// The divisor of its stream, where it is known.
    var divisor: Int?
  }

  /// Begins a recording.
  ///
  /// - Parameters:
  ///   - layout: That of a stream whose request is not in the recording; nil where nobody knows.
  ///   - wallClockStart: When the recording began, since 1970; nil where nobody knows, or wants to.
  package init(_ layout: Layout? = nil, wallClockStart: Duration? = nil) {
    self.wallClockStart = wallClockStart
    guard let layout else { return }
    (self.layout, isAssumed) = (layout, true)
    if let divisor = layout.divisor { timeline.begin(divisor: divisor) }
    expectPayloads()
  }

  /// How many bytes of frames are kept; a few thousand at most.
  package var keptCount: Int { frames.count }

  /// What the decoder of one direction has seen.
  package func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    (sender == .host ? host : robot).packets.statistics
  }

  /// Takes the next bytes of one direction.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once; it need not be whole packets.
  ///   - sender: Who sent it.
  ///   - time: When it was seen, since the recording began, or nil where that is not known.
  package mutating func feed(_ bytes: Span<UInt8>, from sender: Sender, at time: Duration?) {
    if let time {
      giveUp(at: time)
      if let held, time >= held.until { release(isAlone: true) }
    }
    now = time
    if hasOtherLayouts { expectPayloads() }
    if sender == .host { host.append(bytes, at: time) } else { robot.append(bytes, at: time) }
  }

  /// Ends the recording: looks behind headers whose packet never came.
  package mutating func end() {
    while host.giveUp() { while takeCommand() {} }
    while robot.giveUp() { while takeAnswer() {} }
    release(isAlone: true)
  }

  /// Goes on with another line, on which a stream begins with a request of its own.
  package mutating func reconnect() {
    end()
    (requests, asked, followed, renewal) = (OpenRequests(), nil, 0, nil)
    // What no request has told, none has to tell again.
    if isAssumed, let divisor = layout?.divisor { timeline.begin(divisor: divisor) }
    if !isAssumed { (phase, hasPackets, hasOtherLayouts) = (.reconnected, false, true) }
  }

  /// Looks behind headers whose packet has stayed away too long.
  private mutating func giveUp(at time: Duration) {
    while let deadline = host.giveUp(at: time) {
      now = deadline
      while takeCommand() {}
    }
    while let deadline = robot.giveUp(at: time) {
      now = deadline
      while takeAnswer() {}
    }
  }

  /// Tells the decoder how long sensor packets are, so that a false header of another length holds nothing back.
  ///
  /// As in a session, any length may come until one has the length that was asked for.
  private mutating func expectPayloads() {
    hasOtherLayouts = false
    var counts: Set<Int> = []
    if let layout, hasPackets || isAssumed {
      counts = layout.payloadCounts.union(asked?.layout.payloadCounts ?? [])
    }
    robot.packets.expectedPayloadCounts = counts.isEmpty ? [:] : [Sensing.SensorData.id: counts]
  }

  /// The next sample, or nil until more bytes come.
  package mutating func next() -> TimedSample? { findNext() ? takeFound() : nil }

  /// Looks for the next sample, and finds the same one again until ``takeFound()`` takes it.
  ///
  /// - Returns: Whether there is one; where not, more bytes have to come.
  package mutating func findNext() -> Bool {
    if taken < placed.count { return true }
    // Most lines of a recording are one packet, after which there is nothing to look for.
    return robot.packets.mayHavePackets || host.packets.mayHavePackets ? search() : false
  }

  /// The divisor of the sample that ``findNext()`` has found, where it is known.
  package var foundDivisor: Int? { placed.divisor }

  /// Takes packets until there is a sample.
  private mutating func search() -> Bool {
    while taken == placed.count {
      // Not each time: emptying an array takes longer than filling it with a packet.
      if frames.count > Self.mostKept, held == nil { frames.removeAll(keepingCapacity: true) }
      guard host.packets.mayHavePackets && takeCommand() || takeAnswer() else { return false }
    }
    return true
  }

  // MARK: Requests

  /// Takes the next packet of the host.
  ///
  /// - Returns: Whether there was one.
  private mutating func takeCommand() -> Bool {
    guard let packet = host.packets.next() else { return false }
    guard case .command(let command) = packet else { return true }
    requests.sent(command, at: now)
    guard let streaming = Sensing.SetDataStreaming(recorded: command) else { return true }
    let request = Request(streaming, sentAt: now, number: requests.count)
    if !command.options.contains(.answer) {
      follow(request)
    } else if !request.layout.mask.isEmpty {
      let begun = asked?.layout == request.layout ? asked?.begun : request.begun
      asked = request
      asked?.begun = begun
      // Packets may come before the answer.
      if request.layout != layout { hasOtherLayouts = true }
    }
    return true
  }

  /// Takes the next packet of the robot.
  ///
  /// - Returns: Whether there was one.
  private mutating func takeAnswer() -> Bool {
    let place = frames.count
    guard let header = robot.packets.next(appendingTo: &frames) else { return false }
    if header == .event(Sensing.SensorData.id), take(samples: place..<frames.count) { return true }
    frames.removeLast(frames.count - place)
    if case .response(let status, let sequence) = header { take(status, sequence) }
    return true
  }

  private mutating func take(_ status: Status, _ sequence: UInt8) {
    guard let sent = requests.answered(sequence),
      let request = Sensing.SetDataStreaming(recorded: sent.packet)
    else { return }
    if status == .ok {
      follow(Request(request, sentAt: sent.time, number: sent.number))
    } else if asked?.number == sent.number {
      asked = nil
    }
  }

  /// Takes a request for the one in force, unless a later one is.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isConfirmed: Whether the robot has answered it, or was not to.
  private mutating func follow(_ request: Request, isConfirmed: Bool = true) {
    guard request.number >= followed else { return }
    followed = request.number
    if let asked, asked.number <= followed { self.asked = nil }
    guard !request.layout.mask.isEmpty else {
      phase = .off
      return
    }
    renewal = isConfirmed ? request.time.map { ($0, request.packets) } : nil
    isAssumed = false
    // The same again only keeps a stream going.
    guard request.layout != layout || phase != .streaming else {
      if isConfirmed { timeline.renewed() }
      return
    }
    release(isAlone: false)
    (layout, phase) = (request.layout, .streaming)
    (hasPackets, hasOtherLayouts) = (false, true)
    if let divisor = request.layout.divisor { timeline.begin(divisor: divisor) }
    lastArrival = nil
  }

  // MARK: Samples

  /// Takes a sensor packet, whose payload lies among the frames.
  ///
  /// - Returns: Whether its layout is known.
  private mutating func take(samples payload: Range<Int>) -> Bool {
    var frameCount = phase == .reconnected ? nil : layout?.frameCount(payload.count)
    if frameCount == nil || isAssumed, let asked, let count = asked.layout.frameCount(payload.count),
      mayProve(asked)
    {
      // The packet proves that the robot took the request, also where its answer was lost.
      follow(asked, isConfirmed: false)
      frameCount = count
    }
    guard let layout, let count = frameCount else {
      if phase == .reconnected { earlyPackets += 1 } else { unreadPackets += 1 }
      return false
    }
    if !hasPackets { (hasPackets, hasOtherLayouts) = (true, true) }
    guard let arrival = now, layout.divisor != nil else {
      release(isAlone: false)
      deliver(payload, count, layout, at: now)
      return true
    }
    let (period, seconds) = (layout.period(count), timeline.seconds(of: arrival))
    if let lastArrival, seconds - lastArrival >= period * 3 + 0.25, mayHaveRunOut(by: arrival, period) {
      timeline.suspectRestart()
    }
    lastArrival = seconds
    if let held { release(isAlone: (arrival - held.arrival).inSeconds / period > 0.5) }
    if let wait = timeline.hold(count, at: seconds) {
      held = (payload, count, arrival, arrival + .seconds(wait))
    } else {
      deliver(payload, count, layout, at: arrival)
    }
    return true
  }

  /// Whether a packet of its length proves that the robot took a request that it has not answered, as in a session.
  private func mayProve(_ asked: Request) -> Bool {
    // Where there are no times, packets are taken for what they seem.
    guard let now, let begun = asked.begun else { return true }
    return now - begun >= SensorStreaming.transit || asked.layout == layout
      || layout != nil && !isAssumed && phase == .streaming
  }

  /// Whether the robot may have sent all packets that it was asked for.
  private func mayHaveRunOut(by time: Duration, _ period: Double) -> Bool {
    guard let renewal else { return true }
    // A robot may sample 5 % too fast, and a count of 0 never runs out.
    return renewal.packets > 0
      && (time - renewal.time).inSeconds >= period * Double(renewal.packets) * 0.9
  }

  private mutating func release(isAlone: Bool) {
    guard let packet = held, let layout else { return }
    held = nil
    deliver(packet.payload, packet.count, layout, at: packet.arrival, isAlone: isAlone)
  }

  private mutating func deliver(
    _ payload: Range<Int>, _ count: Int, _ layout: Layout, at arrival: Duration?, isAlone: Bool = false
  ) {
    var step = 0.0025 * Double(layout.divisor ?? 1)
    var (first, offset): (Double, Double) = (0, 0)
    if let arrival, layout.divisor != nil {
      let place = timeline.place(count, at: timeline.seconds(of: arrival), isAlone: isAlone)
      lostFrames += place.lost
      (first, step, offset) = (place.start, place.step, place.offset)
      align(&first, step, at: arrival)
    } else if let arrival {
      // Nobody knows the rate: what is known is when the last frame came.
      let seconds = timeline.seconds(of: arrival)
      if isTimed, let last { step = max(0, seconds + shift - last) / Double(count) }
      first = seconds - step * Double(count - 1)
      align(&first, step, at: arrival)
      if let last { first = max(first, last) }
    } else if layout.divisor != nil, let due = timeline.pass(count) {
      (first, step) = (due.start + shift, due.step)
    } else {
      first = last.map { $0 + step } ?? 0
      if start == nil { start = first }
    }
    let packet = Placed(
      mask: layout.mask, place: payload.lowerBound, stride: layout.stride, count: count, start: first,
      step: step, offset: offset, arrival: arrival.map { $0 - arrivalStart }, divisor: layout.divisor)
    if taken == placed.count { (placed, taken) = (packet, 0) } else { following.append(packet) }
    last = first + step * Double(count - 1)
  }

  /// Leads a time by the clock of the arrivals to the samples before, which may have come without any.
  private mutating func align(_ first: inout Double, _ step: Double, at arrival: Duration) {
    if !isTimed {
      isTimed = true
      if let last { shift = last + step - first }
      let start = start ?? first
      self.start = start
      arrivalStart = arrival - SensorStreaming.rounded(first + shift - start)
    }
    first += shift
  }

  // Samples are large: an optional one would be copied once more.
  /// Takes the sample that ``findNext()`` has found; there must be one.
  package mutating func takeFound() -> TimedSample {
    let measured = placed.start + placed.step * Double(taken)
    let time = SensorStreaming.rounded(measured - (start ?? measured))
    let place = placed.place + taken * placed.stride
    var (hostTime, wallClock) = (time, Duration.zero)
    if let wallClockStart, placed.arrival != nil {
      hostTime = timeline.time(of: measured - shift - placed.offset)
      wallClock = wallClockStart + hostTime
    }
    var sample = TimedSample(
      time: time, arrival: placed.arrival ?? time, hostTime: hostTime, wallClock: wallClock,
      sample: Sample(mask: placed.mask))
    let frame = frames[place..<(place + placed.stride)]
    sample.sample.read(frame.span)
    taken += 1
    // There seldom is a packet after it.
    if taken == placed.count, !following.isEmpty { takeFollowing() }
    return sample
  }

  /// Goes on to the packet that follows.
  private mutating func takeFollowing() {
    (placed, taken) = (following[nextFollowing], 0)
    nextFollowing += 1
    if nextFollowing == following.count { (following, nextFollowing) = ([], 0) }
  }
}
