// The one stream of a robot, shared by all who want samples: begun, renewed, watched, changed and ended.

import SpheroProtocol

/// Who wants what of the robot's stream, and what crosses the wire for all of them.
///
/// A robot has one stream. Its layout joins the fields of all consumers at the fastest rate that one of them wants;
/// each consumer gets its own fields, and every nth frame where it wants fewer.
/// An epoch is a layout on the wire. Its packets tell it by their length,
/// so a packet is never read by the layout of another epoch.
struct SensorStreaming: Sendable {
  /// What consumers and people hear.
  enum Output: Sendable {
    case started(SubscriptionID)
    case samples(SubscriptionID, [TimedSample])
    case ended(SubscriptionID, SessionError?)
    case notice(Notice)
  }

  private struct Subscription: Sendable {
    let id: SubscriptionID
    let request: StreamRequest
    var isStarted = false
    /// The words of the wire that make up its samples; nil where they are all of them.
    var columns: [Int]?
    /// Every how many frames it gets one.
    var stride = 1
    /// When its first sample was measured, and when that one came.
    var start: Double?
    var arrivalStart: Duration = .zero
  }

  private struct Epoch: Sendable {
    let id: Int
    let layout: StreamLayout
    var begunAt: Duration
    var renewal: Renewal
    /// When the last packet came, or the robot accepted the stream.
    var lastSign: Duration
    var hasPackets = false
    var hasToldSilence = false
    var isStalled = false

    /// How long packets may stay away before the stream is asked for again.
    var stallLimit: Duration { layout.packetPeriod * 3 + .milliseconds(250) }
    /// How long they may stay away before that is told.
    var silenceLimit: Duration { max(.seconds(2), layout.packetPeriod * 3) }
    /// How long they may stay away before the stream is given up.
    ///
    /// Leaving takes up to a second more, and a program shall say within four that the robot is gone.
    var endLimit: Duration { max(.seconds(3), layout.packetPeriod * 6) }
  }

  private struct Former: Sendable {
    let length: Int
    /// Nil where a former program asked for it.
    let layout: StreamLayout?
    var until: Duration
  }

  private struct Held: Sendable {
    let payload: [UInt8]
    let arrival: Duration
    let until: Duration
  }

  /// How long changes are collected before the robot hears of them.
  private static let coalescing = Duration.milliseconds(10)
  /// How long a layout that is wider than needed is kept, for somebody may want it again.
  private static let shrinking = Duration.seconds(1)
  /// How long packets of a former layout may come after its finite count should have run out,
  /// and those of a former program after the last one.
  private static let memory = Duration.seconds(2)
  private static let mostFormer = 12

  private let settings: HostSettings
  private var subscriptions: [Subscription] = []
  /// The epoch that the robot has accepted, and the one that it was asked for.
  private var current: Epoch?
  private var pending: Epoch?
  private var changeDue: Duration?
  private var mustSwitchOff = false
  private var timeline = Timeline()
  private var held: Held?
  private var gapReason = StreamGap.Reason.restart
  /// Whether the robot may have stopped streaming behind its count.
  private var hasStopped = false
  private var count = 0
  /// The packets that may still come, by former layouts or for a former program, and until when.
  private var former: [Former] = []
  private var isOnline = false
  /// When a stream that belongs to nobody is worth another word.
  private var nextComplaint = Duration.zero

  /// Whether the robot may be sending samples for this program.
  var mayStream: Bool { current != nil || pending != nil || mustSwitchOff }
  private(set) var outputs: [Output] = []
  private(set) var stalls = 0
  private(set) var lostFrames = 0
  private(set) var renewals = 0

  init(_ settings: HostSettings) { self.settings = settings }

  /// Takes what consumers have to hear.
  mutating func takeOutputs() -> [Output] {
    guard !outputs.isEmpty else { return [] }
    defer { outputs = [] }
    return outputs
  }

  /// The true rate of the robot's clock against its nominal 400 Hz, as far as it is known.
  var rateFactor: Double? { timeline.rate.isMeasured ? 0.0025 / timeline.rate.period : nil }

  // MARK: Consumers

  mutating func subscribe(_ request: StreamRequest, at now: Duration) throws(SessionError) -> SubscriptionID {
    try request.validate()
    count += 1
    let id = SubscriptionID(number: count)
    let isFirst = subscriptions.isEmpty && current == nil
    subscriptions.append(Subscription(id: id, request: request))
    scheduleChange(at: isFirst ? now : now + Self.coalescing)
    return id
  }

  /// Ends the samples of one consumer; those of the others go on.
  mutating func unsubscribe(_ id: SubscriptionID, at now: Duration) {
    guard subscriptions.contains(where: { $0.id == id }) else { return }
    subscriptions.removeAll { $0.id == id }
    outputs.append(.ended(id, nil))
    scheduleChange(at: subscriptions.isEmpty ? now : now + Self.shrinking)
  }

  /// Ends the samples of all consumers.
  mutating func end(_ error: SessionError?) {
    for subscription in subscriptions { outputs.append(.ended(subscription.id, error)) }
    (subscriptions, current, pending, changeDue, held, mustSwitchOff) = ([], nil, nil, nil, nil, false)
    timeline.forget()
  }

  private mutating func scheduleChange(at time: Duration) { changeDue = min(changeDue ?? time, time) }

  // MARK: The line

  /// Notes that the robot can be asked, on a new line or again.
  mutating func connected(at now: Duration) {
    isOnline = true
    if !subscriptions.isEmpty { changeDue = now }
  }

  /// Notes that the line is gone; consumers wait for it to come back.
  mutating func disconnected(at now: Duration) {
    // A robot may stream on for a line that is gone, and into the next one.
    for epoch in [current, pending] { if let epoch { remember(epoch, at: now) } }
    if current?.hasPackets == true { gapReason = .reconnection }
    (current, pending, held, isOnline, mustSwitchOff) = (nil, nil, nil, false, false)
  }

  /// Puts off all deadlines, since the host itself stood still.
  mutating func shift(by pause: Duration) {
    current?.lastSign += pause
    pending?.lastSign += pause
    pending?.begunAt += pause
    timeline.suspectRestart()
  }

  /// The payload lengths that sensor packets may have; empty for any.
  var expectedPayloadCounts: Set<Int> {
    guard let current else { return [] }
    var counts: Set<Int> = [current.layout.payloadCount]
    if let pending { counts.insert(pending.layout.payloadCount) }
    return counts
  }

  // MARK: Time

  /// Does what is due.
  mutating func advance(to now: Duration, roundTrip: Duration) {
    if let held, now >= held.until { release(isAlone: true) }
    guard isOnline else { return }
    if let current, current.layout.span < roundTrip * 4, current.hasPackets,
      pending == nil,
      current.layout.packets < .max || current.layout.payloadCount * 2 <= StreamLayout.longestPayload,
      now - current.begunAt > .seconds(10)
    {
      scheduleChange(at: now)
    }
    if let changeDue, now >= changeDue, pending == nil {
      self.changeDue = nil
      change(at: now, roundTrip: roundTrip)
    }
    if let epoch = pending, now >= giveUpTime(of: epoch) {
      fail(
        epoch,
        .timedOut(command: Sensing.SetDataStreaming.name, hasEverAnswered: true))
    }
    watch(at: now)
  }

  private func giveUpTime(of epoch: Epoch) -> Duration {
    epoch.begunAt + settings.timeout * max(1, settings.attempts)
  }

  /// Tells of silence, and ends a stream that stays silent.
  private mutating func watch(at now: Duration) {
    guard var epoch = current else { return }
    let silence = now - epoch.lastSign
    if silence >= epoch.stallLimit, !epoch.isStalled {
      epoch.isStalled = true
      stalls += 1
    }
    if silence >= epoch.silenceLimit, !epoch.hasToldSilence {
      epoch.hasToldSilence = true
      outputs.append(.notice(.silence(silence)))
    }
    current = epoch
    if silence >= epoch.endLimit, pending == nil {
      end(.silentStream)
      mustSwitchOff = true
    }
  }

  /// Compares what consumers want with what crosses the wire.
  private mutating func change(at now: Duration, roundTrip: Duration) {
    guard let wanted = StreamLayout(joining: subscriptions.map { $0.request }, roundTrip: roundTrip) else {
      if let current { remember(current, at: now) }
      mustSwitchOff = current != nil || mustSwitchOff
      (current, held) = (nil, nil)
      timeline.forget()
      return
    }
    if let current, current.layout.covers(wanted), current.layout.span >= roundTrip * 4,
      wanted.cost > current.layout.cost / 2
    {
      for place in subscriptions.indices where !subscriptions[place].isStarted {
        bind(place, to: current.layout)
      }
      return
    }
    former.removeAll { now > $0.until }
    if let current { remember(current, at: now) }
    count += 1
    let layout = wanted.distinct { layout in
      former.contains { $0.length == layout.payloadCount && $0.layout?.isReadAs(layout) != true }
    }
    pending = Epoch(
      id: count, layout: layout, begunAt: now, renewal: Renewal(span: layout.span), lastSign: now)
    mustSwitchOff = false
    let asked = StreamLayout(joining: subscriptions.map { $0.request }, roundTrip: .zero)
    if let asked, layout.frames > asked.frames, wanted.frames > asked.frames {
      outputs.append(.notice(.sharedPackets(frames: layout.frames)))
    }
  }

  // MARK: Requests to the robot

  /// What has to be asked of the robot now.
  enum Demand: Sendable {
    case switchOff
    case stream(Sensing.SetDataStreaming, epoch: Int)
  }

  /// Takes the next demand that is due.
  mutating func takeDemand(at now: Duration, roundTrip: Duration) -> Demand? {
    guard isOnline else { return nil }
    if mustSwitchOff {
      mustSwitchOff = false
      return .switchOff
    }
    if pending != nil {
      guard let due = renewalDue(roundTrip: roundTrip), now >= due else { return nil }
      return demand(of: &pending, at: now)
    }
    guard current != nil, let due = renewalDue(roundTrip: roundTrip), now >= due else { return nil }
    renewals += 1
    return demand(of: &current, at: now)
  }

  private func demand(of epoch: inout Epoch?, at now: Duration) -> Demand? {
    epoch?.renewal.sent(at: now)
    return epoch.map { .stream($0.layout.command, epoch: $0.id) }
  }

  private func renewalDue(roundTrip: Duration) -> Duration? {
    if let pending { return pending.renewal.due(roundTrip: roundTrip, isStalled: false) }
    return current.map { $0.renewal.due(roundTrip: roundTrip, isStalled: $0.isStalled) }
  }

  /// When something is due; nil where nothing is.
  func deadline(roundTrip: Duration) -> Duration? {
    var times: [Duration] = []
    if let held { times.append(held.until) }
    guard isOnline else { return times.min() }
    if mustSwitchOff { return .zero }
    if let changeDue, pending == nil { times.append(changeDue) }
    if let due = renewalDue(roundTrip: roundTrip) { times.append(due) }
    if let pending { times.append(giveUpTime(of: pending)) }
    if let current {
      if !current.isStalled { times.append(current.lastSign + current.stallLimit) }
      if !current.hasToldSilence { times.append(current.lastSign + current.silenceLimit) }
      if pending == nil { times.append(current.lastSign + current.endLimit) }
    }
    return times.min()
  }

  // MARK: What the robot says

  /// Notes that the robot answered a request for a stream with ok.
  mutating func confirmed(epoch: Int, sentAt: Duration, at now: Duration) {
    if pending?.id == epoch {
      pending?.renewal.confirmed(sentAt)
      accept(at: now)
    } else if current?.id == epoch {
      current?.renewal.confirmed(sentAt)
    }
  }

  /// Notes that the robot refused a request for a stream.
  mutating func refused(epoch: Int, status: Status, at now: Duration) {
    let error = SessionError.refused(command: Sensing.SetDataStreaming.name, status: status)
    if let refused = pending, refused.id == epoch {
      fail(refused, error)
    } else if let running = current, running.id == epoch, running.renewal.mayHaveRunOut(by: now) {
      end(error)
    }
  }

  /// Remembers that packets of a layout may come until the count of its last request has run out.
  private mutating func remember(_ epoch: Epoch, at now: Duration) {
    let last = max(epoch.renewal.sentAt ?? now, now)
    remember(
      Former(
        length: epoch.layout.payloadCount, layout: epoch.layout,
        until: last + epoch.layout.span * 6 / 5 + Self.memory))
  }

  private mutating func remember(_ packets: Former) {
    former.removeAll { $0.length == packets.length && $0.layout == packets.layout }
    former.append(packets)
    if former.count > Self.mostFormer { former.removeFirst() }
  }

  /// Goes back to what the robot streams already, since it streams nothing else.
  private mutating func fail(_ epoch: Epoch, _ error: SessionError) {
    pending = nil
    remember(epoch, at: epoch.renewal.sentAt ?? epoch.begunAt)
    guard current != nil else {
      end(error)
      mustSwitchOff = true
      return
    }
    for subscription in subscriptions where !subscription.isStarted {
      outputs.append(.ended(subscription.id, error))
    }
    subscriptions.removeAll { !$0.isStarted }
  }

  /// Makes the pending epoch the current one.
  private mutating func accept(at now: Duration) {
    guard var epoch = pending else { return }
    if held != nil { release(isAlone: false) }
    if let current {
      remember(current, at: now)
      gapReason = .layout
    }
    epoch.lastSign = now
    (current, pending) = (epoch, nil)
    timeline.begin(divisor: epoch.layout.divisor)
    for place in subscriptions.indices { bind(place, to: epoch.layout) }
  }

  /// Tells a consumer which words of the wire are its own.
  private mutating func bind(_ place: Int, to layout: StreamLayout) {
    let request = subscriptions[place].request
    // Somebody who came while the change was under way may want more than it brings.
    guard layout.mask.isSuperset(of: request.mask), layout.divisor <= Int(request.divisor) else {
      changeDue = changeDue ?? .zero
      return
    }
    subscriptions[place].columns =
      request.mask == layout.mask ? nil : request.mask.fields.compactMap { layout.mask.index(of: $0) }
    subscriptions[place].stride = max(1, Int(request.divisor) / layout.divisor)
    if !subscriptions[place].isStarted {
      subscriptions[place].isStarted = true
      outputs.append(.started(subscriptions[place].id))
    }
  }

  /// Takes a sensor packet.
  ///
  /// - Returns: Whether it belongs to nobody: to a stream that a former program began.
  mutating func take(_ payload: [UInt8], at now: Duration) -> Bool {
    if let pending, pending.renewal.sentAt != nil, payload.count == pending.layout.payloadCount {
      // The packet proves that the robot took the request, also where its answer was lost.
      accept(at: now)
    }
    guard var epoch = current, payload.count == epoch.layout.payloadCount else {
      let until = former.first { $0.length == payload.count }?.until ?? now
      noteForeign(payload.count, at: now)
      guard current == nil, pending == nil, !mustSwitchOff, now >= nextComplaint, now >= until - Self.memory
      else {
        return false
      }
      nextComplaint = now + Self.memory
      return true
    }
    if epoch.isStalled, epoch.renewal.mayHaveRunOut(by: now) {
      timeline.suspectRestart()
      hasStopped = true
    }
    (epoch.lastSign, epoch.hasPackets, epoch.isStalled, epoch.hasToldSilence) = (now, true, false, false)
    current = epoch
    if let held { release(isAlone: (now - held.arrival) / epoch.layout.packetPeriod > 0.5) }
    if let wait = timeline.hold(epoch.layout.frames, at: now.inSeconds) {
      held = Held(payload: payload, arrival: now, until: now + .seconds(wait))
    } else {
      deliver(payload, at: now, isAlone: false)
    }
    return false
  }

  /// Notes the length of a packet that a former program asked for, so that none is taken for one of this program's.
  mutating func noteForeign(_ length: Int, at now: Duration) {
    guard let place = former.firstIndex(where: { $0.length == length }) else {
      return remember(Former(length: length, layout: nil, until: now + Self.memory))
    }
    former[place].until = max(former[place].until, now + Self.memory)
  }

  private mutating func release(isAlone: Bool) {
    guard let packet = held else { return }
    held = nil
    deliver(packet.payload, at: packet.arrival, isAlone: isAlone)
  }

  /// Places a packet in time and gives each consumer its part.
  private mutating func deliver(_ payload: [UInt8], at arrival: Duration, isAlone: Bool) {
    guard let layout = current?.layout,
      let frames = Sample.samples(in: payload, mask: layout.mask, frames: layout.frames)
    else { return }
    let place = timeline.place(frames.count, at: arrival.inSeconds, isAlone: isAlone)
    if place.lost > 0 {
      lostFrames &+= place.lost
      gapReason = hasStopped ? .restart : .lost(frames: place.lost)
    }
    if place.gap > 0 {
      outputs.append(.notice(.gap(StreamGap(reason: gapReason, duration: .seconds(place.gap)))))
    }
    if place.gap > 0 || place.lost > 0 { hasStopped = false }
    gapReason = .restart
    for number in subscriptions.indices where subscriptions[number].isStarted {
      let samples = samples(of: number, frames, place, arrival)
      if !samples.isEmpty { outputs.append(.samples(subscriptions[number].id, samples)) }
    }
  }

  private mutating func samples(
    of number: Int, _ frames: [Sample], _ place: Timeline.Placement, _ arrival: Duration
  ) -> [TimedSample] {
    let consumer = subscriptions[number]
    var samples: [TimedSample] = []
    for (offset, frame) in frames.enumerated() where (place.index + offset).isMultiple(of: consumer.stride) {
      let measured = place.start + place.step * Double(offset)
      if subscriptions[number].start == nil {
        (subscriptions[number].start, subscriptions[number].arrivalStart) = (measured, arrival)
      }
      let start = subscriptions[number].start ?? measured
      let sample =
        consumer.columns.map { columns in
          Sample(mask: consumer.request.mask, words: columns.map { frame.rawWord(at: $0) })
        } ?? frame
      let hostTime = Self.rounded(measured)
      samples.append(
        TimedSample(
          time: Self.rounded(measured - start), arrival: arrival - subscriptions[number].arrivalStart,
          hostTime: hostTime, wallClock: settings.wallClockStart + hostTime, sample: sample))
    }
    return samples
  }

  /// Whole microseconds: sums of periods keep their exact look.
  private static func rounded(_ seconds: Double) -> Duration {
    let microseconds = (seconds * 1e6).rounded()
    return abs(microseconds) < 9e18 ? .microseconds(Int64(microseconds)) : .zero
  }
}
