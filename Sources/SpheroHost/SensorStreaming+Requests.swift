// What is asked of the robot for a stream, and what its answers mean.

import SpheroProtocol

extension SensorStreaming {
  /// Compares what consumers want with what crosses the wire.
  mutating func change(at now: Duration, roundTrip: Duration) {
    // The robot may still accept what it has not answered.
    if let pending { remember(pending, at: now) }
    mustSwitchOff = mustSwitchOff || pending != nil
    pending = nil
    guard let wanted = StreamLayout(joining: subscriptions.map { $0.request }, roundTrip: roundTrip) else {
      if let current { remember(current, at: now) }
      mustSwitchOff = current != nil || mustSwitchOff
      current = nil
      follower.forget()
      return
    }
    if let current, current.layout.covers(wanted), current.layout.span >= roundTrip * 4,
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
    count += 1
    let layout = wanted.distinct { layout in
      former.contains { $0.length == layout.payloadCount && $0.layout?.format != layout.format }
    }
    pending = Epoch(id: count, layout: layout, begunAt: now)
    mustSwitchOff = false
    let asked = StreamLayout(joining: subscriptions.map { $0.request }, roundTrip: .zero)
    if let asked, layout.frames > asked.frames, wanted.frames > asked.frames {
      news.append(.notice(.sharedPackets(frames: layout.frames)))
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

  func demand(of epoch: inout Epoch?, at now: Duration) -> Demand? {
    epoch?.renewal.sent(at: now)
    return epoch.map { .stream($0.layout.command, epoch: $0.id) }
  }

  @inline(__always) func renewalDue(roundTrip: Duration) -> Duration? {
    if let pending {
      return pending.renewal.due(roundTrip: roundTrip, silentSince: pending.begunAt, heardAt: heardAt)
    }
    return current.map {
      $0.renewal.due(
        roundTrip: roundTrip, silentSince: $0.isStalled ? $0.lastSign : nil, heardAt: heardAt)
    }
  }

  /// When something is due; nil where nothing is.
  @inline(__always) func deadline(roundTrip: Duration) -> Duration? {
    var earliest = Earliest()
    earliest.note(follower.deadline)
    guard isOnline else { return earliest.time }
    if mustSwitchOff { return .zero }
    if let changeDue { earliest.note(pending.map { max(changeDue, replacementTime(of: $0)) } ?? changeDue) }
    earliest.note(renewalDue(roundTrip: roundTrip))
    if let current, !current.isStalled { earliest.note(current.lastSign + current.stallLimit) }
    if let epoch = current ?? pending, !epoch.hasReportedSilence {
      earliest.note(epoch.lastSign + epoch.silenceLimit)
    }
    return earliest.time
  }

  // MARK: What the robot says

  /// Notes that the robot answered a request for a stream with ok.
  mutating func confirmed(epoch: Int, sentAt: Duration, at now: Duration) {
    if pending?.id == epoch {
      pending?.renewal.confirmed(sentAt)
      accept(at: now)
    } else if current?.id == epoch {
      // An answer that was late tells nothing of the newest request.
      if let newest = current?.renewal.sentAt, sentAt < newest { heardAt = now }
      current?.renewal.confirmed(sentAt)
      current?.refusedSince = nil
      follower.timeline.renewed()
      if current?.isStalled == true, current?.answeredSince == nil { current?.answeredSince = now }
      endUnanswerable(at: now)
    }
  }

  /// Notes that the robot refused a request for a stream, or got it in pieces.
  ///
  /// What a streaming robot refuses ends at once. One that has fallen silent or has a new line may have restarted:
  /// it is asked again, and only a refusal that lasts is an error.
  mutating func refused(epoch: Int, status: Status, at now: Duration) {
    let error = SessionError.refused(command: Sensing.SetDataStreaming.name, status: status)
    let isFinal = !status.isOfLink && (current.map { !$0.isStalled } ?? !hasDelivered)
    let limit = status.isOfLink ? settings.timeout * max(1, settings.attempts) : Self.refusalLimit
    func lasts(_ epoch: Epoch) -> Bool { epoch.refusedSince.map { now - $0 >= limit } ?? false }
    if let refused = pending, refused.id == epoch {
      if isFinal || lasts(refused) { return fail(refused, error) }
      pending?.refusedSince = refused.refusedSince ?? now
    } else if let running = current, running.id == epoch, running.renewal.mayHaveRunOut(by: now) {
      if lasts(running) { return end(error) }
      current?.refusedSince = running.refusedSince ?? now
    }
  }

  /// Ends a stream that the robot accepts and does not send, though it answers.
  ///
  /// A robot that has streamed before is asked on: only the link or a pause of the robot explains its silence.
  mutating func endUnanswerable(at now: Duration) {
    guard let epoch = current, pending == nil, epoch.isUnanswerable(at: now) else { return }
    if let misfit = epoch.misfitCount {
      end(.misfitStream(payloadCount: misfit, expected: epoch.layout.payloadCount))
    } else if !hasDelivered {
      end(.silentStream)
    } else {
      return
    }
    mustSwitchOff = true
  }

  /// Remembers that packets of a layout may come until the count of its last request has run out.
  mutating func remember(_ epoch: Epoch, at now: Duration) {
    let last = max(epoch.renewal.sentAt ?? now, now)
    remember(
      Former(
        length: epoch.layout.payloadCount, layout: epoch.layout,
        until: last + epoch.layout.span * 6 / 5 + Self.memory))
  }

  mutating func remember(_ packets: Former) {
    former.removeAll { $0.length == packets.length && $0.layout == packets.layout }
    former.append(packets)
    if former.count > Self.mostFormer { former.removeFirst() }
  }

  /// Goes back to what the robot streams already, since it streams nothing else.
  mutating func fail(_ epoch: Epoch, _ error: SessionError) {
    pending = nil
    remember(epoch, at: epoch.renewal.sentAt ?? epoch.begunAt)
    guard current != nil else {
      end(error)
      mustSwitchOff = true
      return
    }
    for subscription in subscriptions where !subscription.isStarted {
      news.append(.streamEnded(subscription.id, error))
    }
    subscriptions.removeAll { !$0.isStarted }
  }

  /// Whether samples stay away, though they should come.
  func isSilent(at now: Duration) -> Bool {
    guard let epoch = current ?? pending else { return false }
    return epoch.isStalled || now - epoch.lastSign >= epoch.silenceLimit
  }

  /// Makes the pending epoch the current one.
  mutating func accept(at now: Duration) {
    guard var epoch = pending else { return }
    if isSilent(at: now) { resumedAt = now }
    release(isAlone: false)
    // Where only the count is another, the robot streams on as before.
    if let current, current.layout.format == epoch.layout.format {
      (epoch.lastSign, epoch.hasPackets) = (current.lastSign, current.hasPackets)
    } else {
      if let current {
        remember(current, at: now)
        gapReason = .layout
      }
      epoch.lastSign = now
      follower.begin(epoch.layout.format, at: now)
    }
    (current, pending) = (epoch, nil)
    for place in subscriptions.indices { bind(place, to: epoch.layout) }
  }

  /// Tells a consumer which words of the wire are its own.
  mutating func bind(_ place: Int, to layout: StreamLayout) {
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
      news.append(.streamStarted(subscriptions[place].id))
    }
  }
}
