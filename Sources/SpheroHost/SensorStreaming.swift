// The one stream of a robot, shared by all who want samples: begun, renewed, watched, changed and ended.

import SpheroProtocol

/// Who wants what of the robot's stream, and what crosses the wire for all of them.
///
/// A robot has one stream. Its layout joins the fields of all consumers at the fastest rate that one of them wants;
/// each consumer gets its own fields, and every nth frame where it wants fewer.
/// An epoch is a layout on the wire. Its packets tell it by their length,
/// so a packet is never read by the layout of another epoch.
struct SensorStreaming: Sendable {
  /// How long changes are collected before the robot hears of them.
  static let coalescing = Duration.milliseconds(10)
  /// How long a layout that is wider than needed is kept, for somebody may want it again.
  static let shrinking = Duration.seconds(1)
  /// How long packets of a former layout may come after its finite count should have run out,
  /// and those of a former program after the last one.
  static let memory = Duration.seconds(2)
  static let mostFormer = 12

  let settings: HostSettings
  var subscriptions: [Subscription] = []
  /// The epoch that the robot has accepted, and the one that it was asked for.
  var current: Epoch?
  var pending: Epoch?
  var changeDue: Duration?
  var mustSwitchOff = false
  /// Places the packets of the current epoch in time.
  var follower = StreamFollower()
  var gapReason = StreamGap.Reason.restart
  var count = 0
  /// The packets that may still come, by former layouts or for a former program, and until when.
  var former: [Former] = []
  var isOnline = false
  /// When the first line was lost after the last sample; nil where none was.
  var lostSince: Duration?
  /// Whether the robot has ever sent a sample.
  var hasDelivered = false
  /// When the robot was last heard, other than by samples.
  var heardAt: Duration?
  /// When the last silence of the stream ended.
  var resumedAt = Duration.zero
  /// When a stream that belongs to nobody is worth another word.
  var nextComplaint = Duration.zero

  /// Whether the robot may be sending samples for this program.
  var mayStream: Bool { current != nil || pending != nil || mustSwitchOff }
  /// What consumers and people have to hear; ``Conversation`` takes it.
  var news: [Conversation.News] = []
  var stalls = 0
  var renewals = 0

  init(_ settings: HostSettings) { self.settings = settings }

  /// The true rate of the robot's clock against its nominal 400 Hz, as far as it is known.
  var rateFactor: Double? {
    let rate = follower.timeline.rate
    return rate.isMeasured ? 0.0025 / rate.period : nil
  }

  // MARK: Consumers

  mutating func subscribe(_ request: StreamRequest, at now: Duration) throws(SessionError) -> SubscriptionID {
    try request.validate()
    if subscriptions.isEmpty { lostSince = nil }
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
    news.append(.streamEnded(id, nil))
    scheduleChange(at: subscriptions.isEmpty ? now : now + Self.shrinking)
  }

  /// Ends the samples of all consumers.
  mutating func end(_ error: SessionError?) {
    release(isAlone: true)
    for subscription in subscriptions { news.append(.streamEnded(subscription.id, error)) }
    (subscriptions, current, pending, changeDue, mustSwitchOff) = ([], nil, nil, nil, false)
    follower.forget()
  }

  mutating func scheduleChange(at time: Duration) { changeDue = min(changeDue ?? time, time) }

  // MARK: The line

  /// Notes that the robot can be asked, on a new line or again.
  mutating func connected(at now: Duration) {
    isOnline = true
    if !subscriptions.isEmpty { changeDue = now }
  }

  /// Notes that the line is lost, and ends a stream that no line has brought a sample of for a while.
  ///
  /// Each line has its own ``Epoch/endLimit``, which one that is lost sooner never reaches.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - limit: How long lines may be lost one after the other without a sample between.
  mutating func lineLost(at now: Duration, limit: Duration) {
    let limit = max(limit, (current ?? pending)?.endLimit ?? .zero)
    let wasOnline = isOnline
    disconnected(at: now)
    guard wasOnline, !subscriptions.isEmpty else { return }
    if let lostSince, now - lostSince >= limit { end(.silentStream) }
    lostSince = lostSince ?? now
  }

  /// Notes that the line is gone; consumers wait for it to come back.
  mutating func disconnected(at now: Duration) {
    release(isAlone: true)
    // A robot may stream on for a line that is gone, and into the next one.
    for epoch in [current, pending] { if let epoch { remember(epoch, at: now) } }
    if current?.hasPackets == true { gapReason = .reconnection }
    (current, pending, isOnline, mustSwitchOff) = (nil, nil, false, false)
  }

  /// Puts off all deadlines, since the host itself stood still.
  mutating func shift(by pause: Duration) {
    current?.lastSign += pause
    pending?.lastSign += pause
    pending?.begunAt += pause
    lostSince = lostSince.map { $0 + pause }
    follower.shift(by: pause)
  }

  /// The payload lengths that sensor packets may have; none for any, before the first one has come.
  var payloadCounts: (current: Int?, pending: Int?) {
    guard let current, current.hasPackets else { return (nil, nil) }
    return (current.layout.payloadCount, pending?.layout.payloadCount)
  }

  // MARK: Time

  /// Does what is due.
  mutating func advance(to now: Duration, roundTrip: Duration) {
    if let due = follower.deadline, now >= due { release(isAlone: true) }
    guard isOnline else { return }
    if let current, current.renewal.span < roundTrip * 4, current.hasPackets, pending == nil,
      current.layout.packets < .max || current.layout.payloadCount * 2 <= StreamLayout.longestPayload,
      now - current.begunAt > .seconds(10)
    {
      scheduleChange(at: now)
    }
    if let changeDue, now >= changeDue, pending.map({ now >= replacementTime(of: $0) }) ?? true {
      self.changeDue = nil
      change(at: now, roundTrip: roundTrip)
    }
    watch(at: now)
  }

  /// When another layout may take the place of one that the robot has not answered: two requests
  /// on the way at once would be hard to tell apart.
  @inline(__always) func replacementTime(of epoch: Epoch) -> Duration {
    epoch.begunAt + settings.timeout * max(1, settings.attempts)
  }

  /// Tells of silence.
  mutating func watch(at now: Duration) {
    if let epoch = current, !epoch.isStalled, now - epoch.lastSign >= epoch.stallLimit {
      current?.isStalled = true
      stalls += 1
    }
    guard let epoch = current ?? pending, !epoch.hasReportedSilence,
      now - epoch.lastSign >= epoch.silenceLimit
    else { return }
    if current == nil { pending?.hasReportedSilence = true } else { current?.hasReportedSilence = true }
    news.append(.notice(.silence(now - epoch.lastSign)))
  }
}
