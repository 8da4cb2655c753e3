// The samples of a recorded conversation, placed in time as a session places those of a live robot.

package import SpheroProtocol

/// Finds the sensor packets of a recording, and tells when their samples were measured.
///
/// Feed it with ``feed(_:from:at:)`` in the order of time, take samples with ``next()`` until it returns nil,
/// and call ``end()`` at the end. The requests of the recording tell the layout of its packets.
/// Where the bytes have times, samples lie on the robot's even grid, by the same ``Timeline`` as in a session;
/// where they have none, each sample lies divisor/400 s behind the one before.
package struct RecordedSamples: Sendable {
  /// How the packets of a stream are laid out.
  package struct Layout: Hashable, Sendable {
    /// The fields of a frame.
    package var mask: SensorMask
    /// A frame is taken every `divisor`/400 s; nil where nobody knows.
    package var divisor: Int?
    /// The frames in a packet; nil for any number.
    package var frames: Int?

    /// Makes a layout from its parts.
    package init(mask: SensorMask, divisor: Int?, frames: Int?) {
      (self.mask, self.divisor, self.frames) = (mask, divisor, frames)
    }

    fileprivate init(_ request: Sensing.SetDataStreaming) {
      mask = request.sensorMask
      divisor = request.divisor > 0 ? Int(request.divisor) : nil
      frames = request.frames > 0 ? Int(request.frames) : nil
    }

    fileprivate var stride: Int { mask.wordCount * 2 }

    fileprivate func fits(_ payload: [UInt8]) -> Bool {
      stride > 0 && !payload.isEmpty
        && (frames.map { payload.count == $0 * stride } ?? payload.count.isMultiple(of: stride))
    }

    /// The time between two packets of so many frames, in seconds.
    fileprivate func period(_ frames: Int) -> Double { 0.0025 * Double(divisor ?? 1) * Double(frames) }
  }

  /// The layout of the packets that come now, or nil where nobody has told it.
  package private(set) var layout: Layout? { didSet { frame = SampleLayout(layout?.mask ?? []) } }
  /// How its frames are read.
  private var frame = SampleLayout([])
  /// The frames that were lost on their way, by the gaps they left.
  package private(set) var lostFrames = 0
  /// The sensor packets whose layout nobody has told.
  package private(set) var unreadPackets = 0

  private var host = Direction(.host)
  private var robot = Direction(.robot)
  private var requests = OpenRequests()
  /// A request that has not been answered, and when it was sent.
  private var asked: (layout: Layout, packets: UInt8, time: Duration?)?
  /// When the newest request that was answered was sent, and how many packets it was for.
  private var renewal: (time: Duration, packets: UInt8)?
  private var isOff = false
  /// The time of the bytes that came last.
  private var now: Arrival?

  private var timeline = Timeline()
  private var held: (payload: [UInt8], arrival: Arrival, until: Duration)?
  private var lastArrival: Double?
  /// When the latest sample was measured, and the first one.
  private var last: Double?
  private var start: Double?
  private var arrivalStart = Duration.zero
  /// The packets whose samples can be taken, and how many of the first one's were.
  private var ready: [Placed] = []
  private var first = 0
  private var taken = 0

  /// When bytes came.
  private struct Arrival: Sendable {
    var time: Duration
    /// The same in seconds, worked out once.
    var seconds: Double

    init(_ time: Duration) { (self.time, seconds) = (time, time.inSeconds) }
  }

  /// A packet of samples, and where they lie in time.
  private struct Placed: Sendable {
    var payload: [UInt8]
    var mask: SensorMask
    /// How many frames it has.
    var count: Int
    /// When its first frame was measured, and the time between two, in seconds.
    var start: Double
    var step: Double
    /// When it came, since the first packet did; nil where that is not known.
    var arrival: Duration?
  }

  /// Begins a recording.
  ///
  /// - Parameter layout: That of a stream whose request is not in the recording; nil where nobody knows.
  package init(_ layout: Layout? = nil) {
    guard let layout else { return }
    self.layout = layout
    frame = SampleLayout(layout.mask)
    if let divisor = layout.divisor { timeline.begin(divisor: divisor) }
    // A false header that claims another length must not hold packets back.
    let most = layout.stride > 0 ? max(1, StreamLayout.longestPayload / layout.stride) : 0
    let counts = layout.frames.map { $0...$0 } ?? 1...max(1, most)
    robot.decoder.expectedPayloadCounts[Sensing.SensorData.id] = Set(counts.map { $0 * layout.stride })
  }

  /// What the decoder of one direction has seen.
  package func statistics(of sender: Sender) -> PacketDecoder.Statistics {
    sender == .host ? host.decoder.statistics : robot.decoder.statistics
  }

  /// Takes the next bytes of one direction.
  ///
  /// - Parameters:
  ///   - bytes: What was written or read at once; it need not be whole packets.
  ///   - sender: Who sent it.
  ///   - time: When it was seen, since the recording began, or nil where that is not known.
  package mutating func feed(_ bytes: [UInt8], from sender: Sender, at time: Duration?) {
    if let time {
      if let held, time >= held.until { release(isAlone: true) }
      while host.giveUp(at: time) { while let packet = host.decoder.next() { take(packet) } }
      while robot.giveUp(at: time) { while let packet = robot.decoder.next() { take(packet) } }
    }
    now = time.map { Arrival($0) }
    if sender == .host { host.append(bytes, at: time) } else { robot.append(bytes, at: time) }
  }

  /// Ends the recording: looks behind headers whose packet never came.
  package mutating func end() {
    while host.giveUp(at: nil) { while let packet = host.decoder.next() { take(packet) } }
    while robot.giveUp(at: nil) { while let packet = robot.decoder.next() { take(packet) } }
    release(isAlone: true)
  }

  /// The next sample, or nil until more bytes come.
  package mutating func next() -> TimedSample? {
    while first == ready.count {
      // One by one, since there is one most often; all at once takes as long as replacing any part of an array.
      while !ready.isEmpty { ready.removeLast() }
      first = 0
      if host.isUsed, let packet = host.decoder.next() {
        take(packet)
      } else if let packet = robot.decoder.next() {
        take(packet)
      } else {
        return nil
      }
    }
    return nextPlaced()
  }

  // MARK: Requests

  private mutating func take(_ packet: Packet) {
    switch packet {
    case .command(let command):
      requests.sent(command, at: now?.time)
      guard let request = Sensing.SetDataStreaming(recorded: command) else { return }
      if !command.options.contains(.answer) {
        follow(request, sentAt: now?.time)
      } else if !request.sensorMask.isEmpty {
        asked = (Layout(request), request.packetCount, now?.time)
      }
    case .response(let response):
      guard let (command, time) = requests.answered(response.sequence),
        let request = Sensing.SetDataStreaming(recorded: command)
      else { return }
      asked = nil
      if response.status == .ok { follow(request, sentAt: time) }
    case .event(let event):
      if event.id == Sensing.SensorData.id { take(samples: event.payload) }
    }
  }

  private mutating func follow(_ request: Sensing.SetDataStreaming, sentAt time: Duration?) {
    if request.sensorMask.isEmpty {
      isOff = true
    } else {
      follow(Layout(request), packets: request.packetCount, sentAt: time)
    }
  }

  private mutating func follow(_ new: Layout, packets: UInt8, sentAt time: Duration?) {
    asked = nil
    renewal = time.map { ($0, packets) }
    // The same again only keeps a stream going.
    guard new != layout || isOff else { return }
    release(isAlone: false)
    (layout, isOff) = (new, false)
    if let divisor = new.divisor { timeline.begin(divisor: divisor) }
    if robot.decoder.expectedPayloadCounts[Sensing.SensorData.id] != nil {
      robot.decoder.expectedPayloadCounts[Sensing.SensorData.id]?.insert(new.stride * (new.frames ?? 1))
    }
  }

  // MARK: Samples

  private mutating func take(samples payload: [UInt8]) {
    if layout?.fits(payload) != true, let asked, asked.layout.fits(payload) {
      // The packet proves that the robot took the request, also where its answer was lost.
      follow(asked.layout, packets: asked.packets, sentAt: asked.time)
    }
    guard let layout, layout.fits(payload) else {
      unreadPackets += 1
      return
    }
    guard let arrival = now, layout.divisor != nil else { return deliver(payload, layout, at: now) }
    let count = payload.count / layout.stride
    let (period, seconds) = (layout.period(count), arrival.seconds)
    if let lastArrival, seconds - lastArrival >= period * 3 + 0.25, mayHaveRunOut(by: seconds, period) {
      timeline.suspectRestart()
    }
    lastArrival = seconds
    if let held { release(isAlone: (seconds - held.arrival.seconds) / period > 0.5) }
    if let wait = timeline.hold(count, at: seconds) {
      held = (payload, arrival, arrival.time + .seconds(wait))
    } else {
      deliver(payload, layout, at: arrival)
    }
  }

  /// Whether the robot may have sent all packets that it was asked for.
  private func mayHaveRunOut(by time: Double, _ period: Double) -> Bool {
    guard let renewal else { return true }
    // A robot may sample 5 % too fast, and a count of 0 never runs out.
    return renewal.packets > 0 && time >= renewal.time.inSeconds + period * Double(renewal.packets) * 0.9
  }

  private mutating func release(isAlone: Bool) {
    guard let packet = held, let layout else { return }
    held = nil
    deliver(packet.payload, layout, at: packet.arrival, isAlone: isAlone)
  }

  private mutating func deliver(
    _ payload: [UInt8], _ layout: Layout, at arrival: Arrival?, isAlone: Bool = false
  ) {
    let count = frame.frameCount(in: payload.span) ?? 0
    guard count > 0 else { return }
    var step = 0.0025 * Double(layout.divisor ?? 1)
    var first: Double
    if let arrival, layout.divisor != nil {
      let place = timeline.place(count, at: arrival.seconds, isAlone: isAlone)
      lostFrames += place.lost
      (first, step) = (place.start, place.step)
    } else if let arrival {
      // Nobody knows the rate: what is known is when the last frame came.
      if let last { step = max(0, arrival.seconds - last) / Double(count) }
      first = arrival.seconds - step * Double(count - 1)
    } else {
      first = last.map { $0 + step } ?? 0
    }
    if start == nil { (start, arrivalStart) = (first, arrival?.time ?? .zero) }
    ready.append(
      Placed(
        payload: payload, mask: layout.mask, count: count, start: first, step: step,
        arrival: arrival.map { $0.time - arrivalStart }))
    last = first + step * Double(count - 1)
  }

  /// The next sample of the packets that are placed; there must be one.
  @inline(__always) private mutating func nextPlaced() -> TimedSample {
    let packet = ready[first]
    let measured = packet.start + packet.step * Double(taken)
    let time = SensorStreaming.rounded(measured - (start ?? measured))
    let stride = packet.payload.count / packet.count
    let frame = packet.payload.span.extracting((taken * stride)..<((taken + 1) * stride))
    taken += 1
    if taken == packet.count { (first, taken) = (first + 1, 0) }
    return TimedSample(
      time: time, arrival: packet.arrival ?? time, sample: Sample(mask: packet.mask, bytes: frame))
  }
}

/// The packets of one direction, and since when bytes wait for the rest of theirs.
private struct Direction: Sendable {
  var decoder: PacketDecoder
  /// The bytes that came, piece by piece, as far as they wait.
  private var pieces: [(count: Int, time: Duration?)] = []
  private var count = 0
  /// How long bytes may wait for the rest of their packet.
  private static let patience = Duration.seconds(1)

  init(_ sender: Sender) { decoder = PacketDecoder(from: sender) }

  /// Whether bytes ever came.
  var isUsed: Bool { !pieces.isEmpty }

  mutating func append(_ bytes: [UInt8], at time: Duration?) {
    forget()
    pieces.append((bytes.count, time))
    count += bytes.count
    decoder.append(bytes)
  }

  /// Gives up on a header that has waited too long, or on any at the end.
  ///
  /// - Returns: Whether there was one: packets may be found behind it.
  mutating func giveUp(at time: Duration?) -> Bool {
    guard isUsed, decoder.pendingCount > 0 else { return false }
    forget()
    if let time { guard let since = pieces.first?.time, since <= time - Self.patience else { return false } }
    decoder.giveUpOnIncomplete()
    return true
  }

  /// Lets the pieces go of which nothing waits.
  private mutating func forget() {
    guard decoder.pendingCount > 0 else {
      count = 0
      while !pieces.isEmpty { pieces.removeLast() }
      return
    }
    var gone = 0
    while gone < pieces.count, count - pieces[gone].count >= decoder.pendingCount {
      count -= pieces[gone].count
      gone += 1
    }
    if gone > 0 { pieces.removeFirst(gone) }
  }
}
