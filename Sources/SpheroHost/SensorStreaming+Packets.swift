// The way of a sensor packet: its epoch, its place in time, and the samples of each consumer.

import SpheroProtocol

extension SensorStreaming {
  /// Processes the payload of a sensor packet.
  ///
  /// - Returns: Whether it belongs to the stream of a former program, and that has to be reported.
  mutating func process(_ payload: [UInt8], at now: Duration) -> Bool {
    if let pending, payload.count == pending.layout.payloadCount, mayProve(pending, at: now) {
      // The packet proves that the robot accepted the request, even if the answer was lost.
      accept(at: now)
    }
    guard let epoch = current, payload.count == epoch.layout.payloadCount else {
      let until = former.first { $0.length == payload.count }?.until ?? now
      recordForeign(payload.count, at: now)
      if current?.hasPackets == false {
        current?.mismatchedCount = payload.count
        endUnanswerable(at: now)
      }
      guard current == nil, pending == nil, !mustSwitchOff, now >= nextStrayReport,
        now >= until - Self.memory
      else {
        return false
      }
      nextStrayReport = now + Self.memory
      return true
    }
    if epoch.isStalled { resumedAt = now }
    current?.recordPacket(at: now)
    (lostSince, hasDelivered) = (nil, true)
    let (frames, mayHaveRunOut) = (epoch.layout.frames, epoch.renewal.mayHaveRunOut(by: now))
    let held = follower.recordArrival(frames: frames, at: now, mayHaveRunOut: mayHaveRunOut)
    if let held { deliver(held) }
    if let packet = follower.process(payload, frames: frames, at: now) { deliver(packet) }
    return false
  }

  /// Whether a packet of its length proves that the robot accepted a request that it has not answered.
  ///
  /// Delayed packets of a former program may have that length, but not those of other layouts of this program.
  private func mayProve(_ pending: Epoch, at now: Duration) -> Bool {
    guard pending.renewal.sentAt != nil else { return false }
    let isOwn =
      current != nil || former.contains { $0.layout?.format == pending.layout.format && now <= $0.until }
    return StreamFollower.proves(pending.renewal.begunAt, at: now, isOwn: isOwn)
  }

  /// Records the length of a packet that a former program requested; new layouts avoid that length.
  mutating func recordForeign(_ length: Int, at now: Duration) {
    guard let place = former.firstIndex(where: { $0.length == length }) else {
      return remember(Former(length: length, layout: nil, until: now + Self.memory))
    }
    former[place].until = max(former[place].until, now + Self.memory)
  }

  mutating func release(isAlone: Bool) {
    if let packet = follower.release(isAlone: isAlone) { deliver(packet) }
  }

  /// Delivers to each consumer its part of a packet.
  private mutating func deliver(_ packet: StreamFollower.Packet) {
    guard let epoch = current else { return }
    let place = packet.place
    if place.lost > 0 { gapReason = follower.hasStopped ? .restart : .lost }
    if place.gap > 0 {
      let frames = gapReason == .lost ? place.lost : nil
      news.append(
        .notice(.gap(StreamGap(reason: gapReason, duration: .seconds(place.gap), frames: frames))))
    }
    if place.gap > 0 || place.lost > 0 { follower.hasStopped = false }
    if let period = follower.timeline.rate.oddPeriod, !epoch.hasReportedRate {
      current?.hasReportedRate = true
      let divisor = Double(epoch.layout.divisor)
      news.append(.notice(.oddRate(1 / (period * divisor), wanted: 400 / divisor)))
    }
    gapReason = .restart
    for number in subscriptions.indices where subscriptions[number].isStarted {
      let samples = samples(of: number, packet)
      if !samples.isEmpty { news.append(.samples(subscriptions[number].id, samples)) }
    }
  }

  private mutating func samples(of number: Int, _ packet: StreamFollower.Packet) -> [TimedSample] {
    let (consumer, place, arrival) = (subscriptions[number], packet.place, packet.arrival)
    let payload = packet.payload[...]
    var samples: [TimedSample] = []
    for offset in 0..<packet.frames where (place.index + offset).isMultiple(of: consumer.stride) {
      guard let frame = follower.layout.sample(in: payload.span, frame: offset) else { continue }
      let measured = place.start + place.step * Double(offset)
      if subscriptions[number].start == nil {
        (subscriptions[number].start, subscriptions[number].arrivalStart) = (measured, arrival)
      }
      let start = subscriptions[number].start ?? measured
      let sample =
        consumer.columns.map { columns in
          Sample(mask: consumer.request.mask, words: columns.map { frame.rawWord(at: $0) })
        } ?? frame
      let hostTime = follower.timeline.time(of: measured - place.offset)
      samples.append(
        TimedSample(
          time: .rounded(seconds: measured - start), arrival: arrival - subscriptions[number].arrivalStart,
          hostTime: hostTime, wallClock: settings.wallClockStart + hostTime, sample: sample))
    }
    return samples
  }
}
