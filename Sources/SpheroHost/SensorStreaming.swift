// The one stream of a robot, shared by all consumers: its start, supervision, requests, packets and end.

import SpheroProtocol

/// The consumers of the robot's stream, and the layouts on the wire that serve them.
///
/// A robot has one stream. Its layout joins the fields of all consumers at the fastest requested rate;
/// each consumer receives its own fields, and every nth frame if it requested a lower rate.
/// An epoch is a layout on the wire. If possible, its packets differ in length from those of recent epochs with other
/// layouts, which prevents that a packet is decoded by the layout of another epoch.
struct SensorStreaming: Sendable {
  /// The time during which new consumers are collected before the robot receives a request for all of them.
  static let coalescingDelay = Duration.milliseconds(10)
  /// How long a layout that has more fields than the consumers need is kept, in case another consumer follows.
  static let shrinkingDelay = Duration.seconds(1)
  /// How long packets of a former layout may arrive after its finite count should have run out,
  /// and those of a former program after the last one.
  static let formerPacketTimeout = Duration.seconds(2)
  /// The maximum number of ``former`` entries; the oldest one is discarded.
  static let maximumFormer = 12
  /// The minimum duration of a count, in round trips, before a longer count is requested.
  static let minimumRoundTrips = 4

  let settings: HostSettings
  var subscriptions: [Subscription] = []
  /// The epoch that the robot has accepted, and the one that was requested since.
  var current: Epoch?
  var pending: Epoch?
  var changeDue: Duration?
  var mustSwitchOff = false
  /// Places the packets of the current epoch in time.
  var follower = StreamFollower()
  var gapReason = StreamGap.Reason.restart
  /// The last number that identifies a subscription or an epoch.
  var lastID = 0
  /// The packets that may still arrive by former layouts or for a former program.
  var former: [FormerPackets] = []
  /// The newest packet of the present layout, for ``heading``.
  var newest: StreamFollower.Packet?
  var isOnline = false
  /// When the first line was lost after the last sample; nil if none was.
  var lostSince: Duration?
  var hasDelivered = false
  /// When the robot last sent anything but samples and answers to the newest request for them.
  var lastResponse: Duration?
  /// When the last silence of the stream ended.
  var resumedAt = Duration.zero
  /// When a stream of a former program is reported again.
  var nextStrayReport = Duration.zero
  /// Whether the model of the robot is known, or cannot be determined on this line.
  var hasModel = false
  /// Whether the robot has stated its model on any line.
  var isModelKnown = false
  /// Whether the robot was asked for its model on this line.
  var isAskingForModel = false
  /// The updates of the streams, which ``Conversation/flush()`` moves to those of the conversation.
  var updates: [Conversation.Update] = []
  var stalls = 0
  var renewals = 0

  init(_ settings: HostSettings) { self.settings = settings }

  /// Whether the robot may be sending samples for this program.
  var mayStream: Bool { current != nil || pending != nil || mustSwitchOff }

  // MARK: The model

  /// Whether the stream waits for the model, because the axes of requested fields depend on it.
  var awaitsModel: Bool {
    !hasModel && subscriptions.contains { ModelTraits.LocatorAxes.affect($0.request.mask) }
  }

  /// Records the model, or that it cannot be determined.
  mutating func identify(_ model: Core.GetVersioning.Model?, at now: Duration) {
    if awaitsModel { changeDue = changeDue ?? now }
    hasModel = true
    isModelKnown = isModelKnown || model != nil
    if let model { follower.axes = model.traits.locatorAxes }
  }

  /// The requests of the consumers, with the fields that their values need on the wire.
  var wireRequests: [StreamRequest] {
    subscriptions.map { subscription in
      var request = subscription.request
      request.mask = follower.axes.streamed(for: request.mask)
      return request
    }
  }

  // MARK: Consumers

  mutating func subscribe(_ request: StreamRequest, at now: Duration) throws(SessionError) -> SubscriptionID {
    try request.validate()
    if subscriptions.isEmpty { lostSince = nil }
    lastID += 1
    let id = SubscriptionID(number: lastID)
    let isFirst = subscriptions.isEmpty && current == nil
    subscriptions.append(Subscription(id: id, request: request))
    scheduleChange(at: isFirst ? now : now + Self.coalescingDelay)
    return id
  }

  mutating func unsubscribe(_ id: SubscriptionID, at now: Duration) {
    guard let place = subscriptions.firstIndex(where: { $0.id == id }) else { return }
    subscriptions.remove(at: place)
    updates.append(.streamEnded(id, nil))
    scheduleChange(at: subscriptions.isEmpty ? now : now + Self.shrinkingDelay)
  }

  mutating func end(_ error: SessionError?) {
    release(isAlone: true)
    for subscription in subscriptions { updates.append(.streamEnded(subscription.id, error)) }
    (subscriptions, current, pending, changeDue, mustSwitchOff) = ([], nil, nil, nil, false)
    follower.forget()
  }

  mutating func scheduleChange(at time: Duration) { changeDue = min(changeDue ?? time, time) }

  // MARK: The line

  /// Records that the robot accepts requests, on a new line or again.
  mutating func connected(at now: Duration) {
    (isOnline, isAskingForModel, hasModel) = (true, false, isModelKnown)
    if !subscriptions.isEmpty { changeDue = now }
  }

  /// Records that the line is lost, and ends a stream that has had no sample for `limit` on this line and those before it.
  ///
  /// Lines that are lost one after another may each be too short for ``Epoch/endLimit``.
  mutating func lineLost(at now: Duration, limit: Duration) {
    // The line is not reopened, so the packets of another length, and not the silence, are the reason.
    if limit == .zero, let mismatch { end(mismatch) }
    let limit = max(limit, (current ?? pending)?.endLimit ?? .zero)
    let wasOnline = isOnline
    disconnected(at: now)
    guard wasOnline, !subscriptions.isEmpty else { return }
    if let lostSince, now - lostSince >= limit { end(.silentStream) }
    lostSince = lostSince ?? now
  }

  /// Records that the line is lost; the consumers remain.
  mutating func disconnected(at now: Duration) {
    release(isAlone: true)
    // A robot may continue to stream without a line, and into the next one.
    for case let epoch? in [current, pending] { remember(epoch, at: now) }
    if current?.hasPackets == true { gapReason = .reconnection }
    (current, pending, isOnline, mustSwitchOff) = (nil, nil, false, false)
  }

  mutating func shift(by pause: Duration) {
    pending?.begunAt += pause
    pending?.refusedSince? += pause
    current?.refusedSince? += pause
    current?.answeredSince? += pause
    lostSince = lostSince.map { $0 + pause }
    follower.shift(by: pause)
  }

  /// When the last packet of the current epoch arrived or the robot accepted it, or else when the pending one was requested.
  var lastActivity: Duration {
    (current == nil ? pending?.begunAt : follower.lastActivity) ?? .zero
  }

  /// The payload lengths that sensor packets may have; nil for any, before the first packet of the epoch.
  var payloadCounts: (current: Int?, pending: Int?) {
    guard let current, current.hasPackets else { return (nil, nil) }
    return (current.layout.payloadCount, pending?.layout.payloadCount)
  }
}

extension SensorStreaming {
  /// Returns true, at most once in ``formerPacketTimeout``, to report that a stream of a former program continues.
  mutating func process(_ payload: [UInt8], at now: Duration) -> Bool {
    if let pending, payload.count == pending.layout.payloadCount, mayProve(pending, at: now) {
      // The packet proves that the robot accepted the request, even if the answer was lost.
      accept(at: now)
    }
    guard let epoch = current, payload.count == epoch.layout.payloadCount else {
      let until = former.first { $0.length == payload.count }?.until ?? now
      recordStrayPacket(payload.count, at: now)
      if current?.hasPackets == false {
        current?.mismatchedLength = payload.count
        endUndeliveredStream(at: now)
      }
      guard current == nil, pending == nil, !mustSwitchOff, now >= nextStrayReport,
        now >= until - Self.formerPacketTimeout
      else {
        return false
      }
      nextStrayReport = now + Self.formerPacketTimeout
      return true
    }
    if epoch.isStalled { resumedAt = now }
    current?.recordPacket()
    (lostSince, hasDelivered) = (nil, true)
    let (before, own) = follower.receive(payload, frames: Int(epoch.layout.frames), at: now, epoch.renewal)
    if let before { deliver(before) }
    if let own { deliver(own) }
    return false
  }

  /// Whether a packet proves an unanswered request: delayed packets of a former program may have the same length.
  private func mayProve(_ pending: Epoch, at now: Duration) -> Bool {
    guard pending.renewal.sentAt != nil else { return false }
    let isOwn =
      current != nil || former.contains { $0.layout?.format == pending.layout.format && now <= $0.until }
    return isOwn || now - pending.renewal.begunAt >= StreamFollower.transit
  }

  /// New layouts avoid the length of a packet that this stream has not requested.
  mutating func recordStrayPacket(_ length: Int, at now: Duration) {
    guard let place = former.firstIndex(where: { $0.length == length }) else {
      return remember(FormerPackets(length: length, layout: nil, until: now + Self.formerPacketTimeout))
    }
    former[place].until = max(former[place].until, now + Self.formerPacketTimeout)
  }

  mutating func release(isAlone: Bool) {
    if let packet = follower.release(isAlone: isAlone) { deliver(packet) }
  }

  private mutating func deliver(_ packet: StreamFollower.Packet) {
    guard let epoch = current else { return }
    newest = packet
    let place = packet.place
    if place.lost > 0 { gapReason = follower.mayHaveStopped ? .restart : .lost }
    if place.gap > 0 {
      let frames = gapReason == .lost ? place.lost : nil
      updates.append(
        .notice(.gap(StreamGap(reason: gapReason, duration: .seconds(place.gap), frames: frames))))
    }
    if place.gap > 0 || place.lost > 0 { follower.mayHaveStopped = false }
    if let period = follower.timeline.rate.implausiblePeriod, !epoch.hasReportedRate {
      current?.hasReportedRate = true
      let divisor = Double(epoch.layout.divisor)
      updates.append(.notice(.implausibleRate(1 / (period * divisor), wanted: 400 / divisor)))
    }
    gapReason = .restart
    for number in subscriptions.indices where subscriptions[number].isStarted {
      let samples = samples(of: number, packet)
      if !samples.isEmpty { updates.append(.samples(subscriptions[number].id, samples)) }
    }
  }

  /// The heading that the newest packet of the present stream measures; nil without the yaw.
  var heading: UInt16? {
    guard current != nil, let newest else { return nil }
    let payload = newest.payload[...]
    let frame = follower.sample(in: payload.span, frame: newest.frames - 1)
    guard let yaw = frame?.word(.yaw) else { return nil }
    // The yaw counts counter-clockwise; a faulty robot may send more than half a turn.
    return UInt16((360 - Int(yaw) % 360) % 360)
  }

  private mutating func samples(of number: Int, _ packet: StreamFollower.Packet) -> [TimedSample] {
    let (consumer, place, arrival) = (subscriptions[number], packet.place, packet.arrival)
    let payload = packet.payload[...]
    var samples: [TimedSample] = []
    for offset in 0..<packet.frames where (place.index + offset).isMultiple(of: consumer.stride) {
      guard let frame = follower.sample(in: payload.span, frame: offset) else { continue }
      let measured = place.start + place.step * Double(offset)
      let start = subscriptions[number].start ?? (measured, arrival)
      subscriptions[number].start = start
      let sample =
        consumer.columns.map { columns in
          Sample(mask: consumer.request.mask, words: columns.map { frame.rawWord(at: $0) })
        } ?? frame
      let hostTime = follower.timeline.time(of: measured - place.offset)
      samples.append(
        TimedSample(
          time: .rounded(seconds: measured - start.measured), arrival: arrival - start.arrival,
          hostTime: hostTime, wallClock: settings.wallClockStart + hostTime, sample: sample))
    }
    return samples
  }
}

extension SensorStreaming {
  struct Subscription: Sendable {
    let id: SubscriptionID
    let request: StreamRequest
    var isStarted = false
    /// The indices of its words in a frame; nil for all words.
    var columns: [Int]?
    /// It receives every `stride`th frame.
    var stride = 1
    /// When its first sample was measured, in seconds, and when it arrived.
    var start: (measured: Double, arrival: Duration)?
  }

  struct Epoch: Sendable {
    let id: Int
    let layout: StreamRequest
    /// The silence after which the stream is requested again.
    var stallLimit: Duration { StreamFollower.stallLimit(packetPeriod: layout.packetPeriod) }
    /// The silence after which it is reported.
    var silenceLimit: Duration { max(.seconds(2), layout.packetPeriod * 3) }
    /// The silence after which a stream without a sample in this epoch ends with an error.
    var endLimit: Duration { max(.seconds(3), layout.packetPeriod * 6) }
    /// How long the robot must have accepted requests without sending a sample before the stream ends.
    var answerLimit: Duration { endLimit - silenceLimit }
    var begunAt: Duration
    var renewal: Renewal
    var hasPackets = false
    var hasReportedSilence = false
    var isStalled = false
    var hasReportedRate = false
    /// The payload length of the last packet of another length, until one has the expected length.
    var mismatchedLength: Int?
    /// When the robot first accepted the stream in the present silence.
    var answeredSince: Duration?
    /// When the robot first refused the stream after it last accepted it; nil if it does not refuse.
    var refusedSince: Duration?

    init(id: Int, layout: StreamRequest, begunAt: Duration) {
      (self.id, self.layout, self.begunAt) = (id, layout, begunAt)
      renewal = Renewal(span: layout.span)
    }

    mutating func recordPacket() {
      (hasPackets, isStalled, hasReportedSilence, answeredSince) = (true, false, false, nil)
    }
  }

  /// Packets of one length that may still arrive, and until when.
  struct FormerPackets: Sendable {
    let length: Int
    /// Nil if a former program requested it.
    let layout: StreamRequest?
    var until: Duration
  }

  /// How long a robot that has streamed must refuse the stream, since one that restarts may refuse once.
  static let refusalLimit = Duration.seconds(1)
}
