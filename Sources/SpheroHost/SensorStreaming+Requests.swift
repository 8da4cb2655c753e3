// What is asked of the robot for a stream, and what its answers mean.

import SpheroProtocol

extension SensorStreaming {
  /// Compares what consumers want with what crosses the wire.
  mutating func change(at now: Duration, roundTrip: Duration) {
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
    if let pending { return pending.renewal.due(roundTrip: roundTrip, isStalled: false) }
    return current.map { $0.renewal.due(roundTrip: roundTrip, isStalled: $0.isStalled) }
  }

  /// When something is due; nil where nothing is.
  @inline(__always) func deadline(roundTrip: Duration) -> Duration? {
    var earliest = Earliest()
    earliest.note(held?.until)
    guard isOnline else { return earliest.time }
    if mustSwitchOff { return .zero }
    if let changeDue, pending == nil { earliest.note(changeDue) }
    earliest.note(renewalDue(roundTrip: roundTrip))
    if let pending { earliest.note(giveUpTime(of: pending)) }
    if let current {
      if !current.isStalled { earliest.note(current.lastSign + current.stallLimit) }
      if !current.hasToldSilence { earliest.note(current.lastSign + current.silenceLimit) }
      if pending == nil { earliest.note(current.lastSign + current.endLimit) }
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
      current?.renewal.confirmed(sentAt)
    }
  }

  /// Notes that the robot got something else than a request for a stream, which goes again.
  mutating func misheard(epoch: Int, status: Status) {
    if pending?.id == epoch { pending?.latestStatus = status }
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

  /// Makes the pending epoch the current one.
  mutating func accept(at now: Duration) {
    guard var epoch = pending else { return }
    if held != nil { release(isAlone: false) }
    // Where only the count is another, the robot streams on as before.
    if let current, current.layout.isReadAs(epoch.layout) {
      (epoch.lastSign, epoch.hasPackets) = (current.lastSign, current.hasPackets)
    } else {
      if let current {
        remember(current, at: now)
        gapReason = .layout
      }
      epoch.lastSign = now
      timeline.begin(divisor: epoch.layout.divisor)
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
