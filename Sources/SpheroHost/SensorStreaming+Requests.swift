// The requests for a stream: when they are due, the change of the layout on the wire, the answers of the robot, and the
// schedule of the renewals.

import SpheroProtocol

extension SensorStreaming {
  /// Compares the layout that the consumers need with the one on the wire, and prepares a new epoch if they differ.
  mutating func change(at now: Duration, roundTrip: Duration) {
    // The robot may still accept an unanswered request.
    if let pending { remember(pending, at: now) }
    mustSwitchOff = mustSwitchOff || pending != nil
    pending = nil
    guard let wanted = StreamRequest(joining: wireRequests, roundTrip: roundTrip) else {
      if let current { remember(current, at: now) }
      mustSwitchOff = current != nil || mustSwitchOff
      current = nil
      follower.forget()
      return
    }
    // The current layout stays if its count is long enough for the round trip, and if it sends less than twice as many bytes as the wanted one.
    if let current, current.layout.covers(wanted), current.layout.span >= roundTrip * Self.minimumRoundTrips,
      wanted.cost > current.layout.cost / 2
    {
      mustSwitchOff = false
      for place in subscriptions.indices where !subscriptions[place].isStarted {
        bind(place, to: current.layout)
      }
      return
    }
    former.removeAll { now > $0.until }
    if let current { remember(current, at: now) }
    lastID += 1
    let layout = wanted.distinct { layout in
      former.contains { $0.length == layout.payloadCount && $0.layout?.format != layout.format }
    }
    pending = Epoch(id: lastID, layout: layout, begunAt: now)
    mustSwitchOff = false
    // A round trip may require more frames than requested; those that `distinct` adds are not reported.
    let requested = StreamRequest(joining: wireRequests, roundTrip: .zero)
    if let requested, layout.frames > requested.frames, wanted.frames > requested.frames {
      updates.append(.notice(.sharedPackets(frames: Int(layout.frames))))
    }
  }

  // MARK: Answers of the robot

  mutating func confirm(epoch: Int, sentAt: Duration, at now: Duration) {
    if pending?.id == epoch {
      pending?.renewal.confirmed(sentAt)
      accept(at: now)
    } else if current?.id == epoch {
      // The answer to an earlier request shows that the robot is alive, but not that it accepted the newest one.
      if let newest = current?.renewal.sentAt, sentAt < newest { lastResponse = now }
      current?.renewal.confirmed(sentAt)
      current?.refusedSince = nil
      follower.timeline.renewed()
      if current?.isStalled == true, current?.answeredSince == nil { current?.answeredSince = now }
      endUndeliveredStream(at: now)
    }
  }

  /// Records that the robot refused a request for a stream, or received a damaged one.
  ///
  /// The refusal of a new layout by a robot that streams, or has never streamed, is final. A robot that is silent or has a
  /// new line may have restarted: it receives more requests, and only a lasting refusal is an error. The refusal of a
  /// renewal has no effect before the count may have run out.
  mutating func refuse(epoch: Int, status: Status, at now: Duration) {
    let error = SessionError.refused(command: Sensing.SetDataStreaming.name, status: status)
    let isFinal = !status.isLinkError && (current.map { !$0.isStalled } ?? !hasDelivered)
    let limit = status.isLinkError ? settings.timeout * settings.attempts : Self.refusalLimit
    func lasts(_ epoch: Epoch) -> Bool { epoch.refusedSince.map { now - $0 >= limit } ?? false }
    if let refused = pending, refused.id == epoch {
      if isFinal || lasts(refused) {
        // After repeated requests, the robot may have accepted one.
        if !isFinal { remember(refused, at: refused.renewal.sentAt ?? refused.begunAt) }
        return discardPending(error)
      }
      pending?.refusedSince = refused.refusedSince ?? now
    } else if let running = current, running.id == epoch, running.renewal.mayHaveRunOut(by: now) {
      if lasts(running) { return end(error) }
      current?.refusedSince = running.refusedSince ?? now
    }
  }

  var mismatch: SessionError? {
    guard let current, !current.hasPackets, let count = current.mismatchedLength else { return nil }
    return .mismatchedStream(payloadCount: count, expected: current.layout.payloadCount)
  }

  /// Ends the stream if the robot has accepted it and answers, but sends no packet of it.
  ///
  /// A robot that has streamed before receives more requests: only the link or a pause explains its silence.
  mutating func endUndeliveredStream(at now: Duration) {
    guard let epoch = current, pending == nil, !epoch.hasPackets, let answeredSince = epoch.answeredSince,
      now - lastActivity >= epoch.endLimit,
      now - answeredSince >= epoch.answerLimit
    else { return }
    if let mismatch {
      end(mismatch)
    } else if !hasDelivered {
      end(.silentStream)
    } else {
      return
    }
    mustSwitchOff = true
  }

  /// Remembers that packets of a layout may arrive until the count of its last request has run out, with a margin of 20 %.
  mutating func remember(_ epoch: Epoch, at now: Duration) {
    let last = max(epoch.renewal.sentAt ?? now, now)
    remember(
      FormerPackets(
        length: epoch.layout.payloadCount, layout: epoch.layout,
        until: last + epoch.layout.span * 6 / 5 + Self.formerPacketTimeout))
  }

  mutating func remember(_ packets: FormerPackets) {
    former.removeAll { $0.length == packets.length && $0.layout == packets.layout }
    former.append(packets)
    if former.count > Self.maximumFormer { former.removeFirst() }
  }

  /// Discards the pending epoch and the consumers that wait for it; the robot still streams the current epoch, if any.
  private mutating func discardPending(_ error: SessionError) {
    pending = nil
    guard current != nil else {
      end(error)
      mustSwitchOff = true
      return
    }
    for subscription in subscriptions where !subscription.isStarted {
      updates.append(.streamEnded(subscription.id, error))
    }
    subscriptions.removeAll { !$0.isStarted }
  }

  mutating func accept(at now: Duration) {
    guard var epoch = pending else { return }
    epoch.refusedSince = nil
    if isSilent(at: now) { resumedAt = now }
    release(isAlone: false)
    // If only the count differs, the stream continues unchanged.
    if let current, current.layout.format == epoch.layout.format {
      epoch.hasPackets = current.hasPackets
    } else {
      if let current {
        remember(current, at: now)
        gapReason = .layout
      }
      follower.begin(epoch.layout.format, at: now)
      newest = nil
    }
    (current, pending) = (epoch, nil)
    for place in subscriptions.indices { bind(place, to: epoch.layout) }
  }

  /// Selects the words and frames of a layout that a consumer receives, and starts its samples.
  private mutating func bind(_ place: Int, to layout: StreamRequest) {
    let request = subscriptions[place].request
    // A consumer that subscribed during the change may need another one.
    let wireMask = follower.axes.streamed(for: request.mask)
    guard layout.mask.isSuperset(of: wireMask), layout.divisor <= request.divisor else {
      changeDue = changeDue ?? .zero
      return
    }
    subscriptions[place].columns =
      request.mask == layout.mask ? nil : request.mask.fields.compactMap { layout.mask.index(of: $0) }
    subscriptions[place].stride = Int(request.divisor / layout.divisor)
    if !subscriptions[place].isStarted {
      subscriptions[place].isStarted = true
      updates.append(.streamStarted(subscriptions[place].id))
    }
  }

  // MARK: Time

  mutating func advance(to now: Duration, roundTrip: Duration) {
    if let due = follower.deadline, now >= due { release(isAlone: true) }
    guard isOnline else { return }
    // A count that has become too short for the round trip is replaced by a longer one if the layout allows it,
    // but not more often than every 10 s.
    if let current, current.renewal.span < roundTrip * Self.minimumRoundTrips, current.hasPackets,
      pending == nil,
      current.layout.packets < .max || current.layout.payloadCount * 2 <= StreamRequest.maximumPayload,
      now - current.begunAt > .seconds(10)
    {
      scheduleChange(at: now)
    }
    if let changeDue, now >= changeDue, !awaitsModel, pending.map({ now >= replacementTime(of: $0) }) ?? true
    {
      self.changeDue = nil
      change(at: now, roundTrip: roundTrip)
    }
    detectSilence(at: now)
  }

  /// When another layout may replace an unanswered one: two at once would be hard to distinguish.
  func replacementTime(of epoch: Epoch) -> Duration {
    epoch.begunAt + settings.timeout * settings.attempts
  }

  private mutating func detectSilence(at now: Duration) {
    if let epoch = current, !epoch.isStalled, now - lastActivity >= epoch.stallLimit {
      current?.isStalled = true
      stalls += 1
    }
    guard let epoch = current ?? pending, !epoch.hasReportedSilence,
      now - lastActivity >= epoch.silenceLimit
    else { return }
    if current == nil { pending?.hasReportedSilence = true } else { current?.hasReportedSilence = true }
    updates.append(.notice(.silence(now - lastActivity)))
  }

  /// Whether expected samples are missing.
  func isSilent(at now: Duration) -> Bool {
    guard let epoch = current ?? pending else { return false }
    return epoch.isStalled || now - lastActivity >= epoch.silenceLimit
  }

  // MARK: Requests to the robot

  /// Returns the next request that is due; `epoch` is nil for the one that ends the stream.
  mutating func takeDueCommand(
    at now: Duration, roundTrip: Duration
  ) -> (command: Sensing.SetDataStreaming, epoch: Int?)? {
    guard isOnline else { return nil }
    if mustSwitchOff {
      mustSwitchOff = false
      return (Sensing.SetDataStreaming(), nil)
    }
    guard let epoch = pending ?? current, let due = renewalDue(roundTrip: roundTrip), now >= due else {
      return nil
    }
    pending?.renewal.sent(at: now)
    if pending == nil {
      current?.renewal.sent(at: now)
      renewals += 1
    }
    return (epoch.layout.command, epoch.id)
  }

  private func renewalDue(roundTrip: Duration) -> Duration? {
    let silentSince = pending?.begunAt ?? (current?.isStalled == true ? lastActivity : nil)
    return (pending ?? current)?.renewal.due(
      roundTrip: roundTrip, silentSince: silentSince, lastResponse: lastResponse)
  }

  /// When ``advance(to:roundTrip:)`` or ``takeDueCommand(at:roundTrip:)`` is due; nil if nothing is.
  func deadline(roundTrip: Duration) -> Duration? {
    guard isOnline else { return follower.deadline }
    let awaitsModel = awaitsModel
    if mustSwitchOff || awaitsModel && !isAskingForModel { return .zero }
    var earliest = follower.deadline
    earliest.formEarlier(renewalDue(roundTrip: roundTrip))
    if let changeDue, !awaitsModel {
      earliest.formEarlier(pending.map { max(changeDue, replacementTime(of: $0)) } ?? changeDue)
    }
    if let current, !current.isStalled { earliest.formEarlier(lastActivity + current.stallLimit) }
    if let epoch = current ?? pending, !epoch.hasReportedSilence {
      earliest.formEarlier(lastActivity + epoch.silenceLimit)
    }
    return earliest
  }
}

/// The schedule of the requests that keep a stream running.
///
/// A request is due at most a third of a count after the last confirmed one, whether or not others are in flight:
/// two thirds remain for retries and for a host that runs late.
/// An unanswered request is repeated soon; any answer to any of them counts, including a late one.
struct Renewal: Hashable, Sendable {
  /// How long one count lasts at the nominal rate.
  let span: Duration
  /// How long a count lasts at least: 90 % of ``span``, since a robot may sample 5 % too fast, with a margin.
  private let certainSpan: Duration
  /// The time from a confirmed request to the next one; stored, because each packet compares it.
  private let interval: Duration
  private(set) var sentAt: Duration?
  /// When the newest confirmed request was sent.
  private var confirmedAt: Duration?
  /// The number of requests sent since a renewal became due; 0 after a confirmation.
  private(set) var unconfirmed = 0
  /// When the first of the ``unconfirmed`` requests was sent.
  private(set) var begunAt: Duration = .zero

  private static let minimumRetry = Duration.milliseconds(50)
  private static let minimumSlowRetry = Duration.milliseconds(250)
  /// Beyond this number of unanswered requests, retries slow down to spare the robot.
  private static let maximumFastRetries = 8
  /// The maximum of the delay that grows with the silence; two round trips may be longer.
  private static let maximumDelay = Duration.seconds(1)

  init(span: Duration, confirmedAt: Duration? = nil) {
    (self.span, self.confirmedAt) = (span, confirmedAt)
    certainSpan = .seconds(span.inSeconds * 0.9)
    interval = certainSpan / 3
  }

  /// When the next request is due; zero before the first.
  ///
  /// `silentSince` is the last sign of a stream whose samples are missing: the interval is then at most a quarter of the
  /// silence, limited to 1 s, or 250 ms or two round trips if that is more. This limit does not grow if `lastResponse`,
  /// when the robot last sent anything but samples and answers to the newest request, is after that request.
  func due(roundTrip: Duration, silentSince: Duration? = nil, lastResponse: Duration? = nil) -> Duration {
    guard let sentAt else { return .zero }
    var due: Duration
    if unconfirmed == 0 {
      due = (confirmedAt ?? sentAt) + interval
    } else if unconfirmed <= Self.maximumFastRetries {
      due = sentAt + min(max(roundTrip * 2, Self.minimumRetry), span / 4)
    } else {
      due = sentAt + max(span / 4, Self.minimumSlowRetry)
    }
    if let silentSince {
      let responds = lastResponse.map { $0 > sentAt } ?? false
      let backoff = responds ? .zero : min((sentAt - silentSince) / 4, Self.maximumDelay)
      due = min(due, sentAt + max(roundTrip * 2, Self.minimumSlowRetry, backoff))
    }
    return due
  }

  mutating func sent(at now: Duration) {
    if unconfirmed == 0 { begunAt = now }
    unconfirmed += 1
    sentAt = now
  }

  /// Records that the robot confirmed the request that was sent at `time`.
  mutating func confirmed(_ time: Duration) {
    confirmedAt = max(confirmedAt ?? time, time)
    if time >= begunAt { unconfirmed = 0 }
  }

  /// Whether the robot confirmed a request that was sent at `time` or later.
  func isConfirmed(since time: Duration) -> Bool { confirmedAt.map { $0 >= time } ?? false }

  /// Whether the robot may have sent its whole count by `now`.
  func mayHaveRunOut(by now: Duration) -> Bool {
    guard let confirmedAt else { return true }
    return now >= confirmedAt + certainSpan
  }
}
