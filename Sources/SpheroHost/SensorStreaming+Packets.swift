// What becomes of a sensor packet: its epoch, its place in time, and the samples of each consumer.

import SpheroProtocol

extension SensorStreaming {
  /// Takes a sensor packet.
  ///
  /// - Returns: Whether it belongs to nobody: to a stream that a former program began.
  mutating func take(_ payload: [UInt8], at now: Duration) -> Bool {
    if let pending, payload.count == pending.layout.payloadCount, mayProve(pending, at: now) {
      // The packet proves that the robot took the request, also where its answer was lost.
      accept(at: now)
    }
    guard let epoch = current, payload.count == epoch.layout.payloadCount else {
      let until = former.first { $0.length == payload.count }?.until ?? now
      noteForeign(payload.count, at: now)
      if current?.hasPackets == false {
        current?.misfitCount = payload.count
        endUnanswerable(at: now)
      }
      guard current == nil, pending == nil, !mustSwitchOff, now >= nextComplaint, now >= until - Self.memory
      else {
        return false
      }
      nextComplaint = now + Self.memory
      return true
    }
    if now - epoch.lastSign >= epoch.stallLimit, epoch.renewal.mayHaveRunOut(by: now) {
      timeline.suspectRestart()
      hasStopped = true
    }
    if epoch.isStalled { resumedAt = now }
    current?.noteSign(at: now)
    (lostSince, hasDelivered) = (nil, true)
    if let held { release(isAlone: now >= held.until) }
    if let wait = timeline.hold(epoch.layout.frames, at: timeline.seconds(of: now)) {
      held = Held(payload: payload, arrival: now, until: now + .seconds(wait))
    } else {
      deliver(payload, at: now, isAlone: false)
    }
    return false
  }

  /// Whether a packet of its length proves that the robot took a request that it has not answered.
  ///
  /// The stream of a former program may have packets of that length, too, and some of them may be on their way.
  /// Those of its own layouts differ in length.
  private func mayProve(_ pending: Epoch, at now: Duration) -> Bool {
    guard pending.renewal.sentAt != nil else { return false }
    return current != nil || now - pending.renewal.begunAt >= Self.transit
      || former.contains { $0.layout?.isReadAs(pending.layout) ?? false && now <= $0.until }
  }

  /// Notes the length of a packet that a former program asked for, so that none is taken for one of this program's.
  mutating func noteForeign(_ length: Int, at now: Duration) {
    guard let place = former.firstIndex(where: { $0.length == length }) else {
      return remember(Former(length: length, layout: nil, until: now + Self.memory))
    }
    former[place].until = max(former[place].until, now + Self.memory)
  }

  mutating func release(isAlone: Bool) {
    guard let packet = held else { return }
    held = nil
    deliver(packet.payload, at: packet.arrival, isAlone: isAlone)
  }

  /// Places a packet in time and gives each consumer its part.
  mutating func deliver(_ payload: [UInt8], at arrival: Duration, isAlone: Bool) {
    let bytes = payload[...]
    guard let epoch = current, epoch.frame.frameCount(in: bytes.span) == epoch.layout.frames else { return }
    let place = timeline.place(epoch.layout.frames, at: timeline.seconds(of: arrival), isAlone: isAlone)
    if place.lost > 0 {
      lostFrames &+= place.lost
      gapReason = hasStopped ? .restart : .lost
    }
    if place.gap > 0 {
      let frames = gapReason == .lost ? place.lost : nil
      news.append(
        .notice(.gap(StreamGap(reason: gapReason, duration: .seconds(place.gap), frames: frames))))
    }
    if place.gap > 0 || place.lost > 0 { hasStopped = false }
    if let period = timeline.rate.oddPeriod, !epoch.hasReportedRate {
      current?.hasReportedRate = true
      let divisor = Double(epoch.layout.divisor)
      news.append(.notice(.oddRate(1 / (period * divisor), wanted: 400 / divisor)))
    }
    gapReason = .restart
    for number in subscriptions.indices where subscriptions[number].isStarted {
      let samples = samples(of: number, payload, epoch, place, arrival)
      if !samples.isEmpty { news.append(.samples(subscriptions[number].id, samples)) }
    }
  }

  mutating func samples(
    of number: Int, _ payload: [UInt8], _ epoch: Epoch, _ place: Timeline.Placement, _ arrival: Duration
  ) -> [TimedSample] {
    let consumer = subscriptions[number]
    let payload = payload[...]
    var samples: [TimedSample] = []
    for offset in 0..<epoch.layout.frames where (place.index + offset).isMultiple(of: consumer.stride) {
      guard let frame = epoch.frame.sample(in: payload.span, frame: offset) else { continue }
      let measured = place.start + place.step * Double(offset)
      if subscriptions[number].start == nil {
        (subscriptions[number].start, subscriptions[number].arrivalStart) = (measured, arrival)
      }
      let start = subscriptions[number].start ?? measured
      let sample =
        consumer.columns.map { columns in
          Sample(mask: consumer.request.mask, words: columns.map { frame.rawWord(at: $0) })
        } ?? frame
      let hostTime = timeline.time(of: measured - place.offset)
      samples.append(
        TimedSample(
          time: Self.rounded(measured - start), arrival: arrival - subscriptions[number].arrivalStart,
          hostTime: hostTime, wallClock: settings.wallClockStart + hostTime, sample: sample))
    }
    return samples
  }

  /// Whole microseconds: sums of periods keep their exact look.
  static func rounded(_ seconds: Double) -> Duration {
    let microseconds = (seconds * 1e6).rounded()
    return abs(microseconds) < 9e18 ? .microseconds(Int64(microseconds)) : .zero
  }
}
