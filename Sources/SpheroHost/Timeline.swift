// Computes when the samples of a stream were measured, and how many samples were lost.

import SpheroProtocol

/// Places the packets of a stream on the robot's even grid.
///
/// The index of a frame and the divisor determine the grid, and the arrivals its rate; jitter is removed.
/// A packet is never early. Its lateness on the grid is therefore an upper bound of the packets lost before it,
/// and a punctual packet shows their number exactly.
/// Packets count as lost if the packets after them stay late for longer than the usual delays of the line.
///
/// Times are `Double` seconds since the first arrival. The result depends only on the arrivals, so a recording yields
/// the times of the session to the last bit. Ticks are periods of the robot's sample clock, nominally 1/400 s.
struct Timeline: Sendable {
  /// The place of a packet on the grid.
  struct Placement: Hashable, Sendable {
    /// The index of its first frame since the start of the stream, including lost ones.
    var index: Int
    var start: Double
    var step: Double
    var lost: Int
    /// The time without samples before it, beyond one frame; 0 without a gap.
    var gap: Double
    /// The amount in `start` that compensates for the lateness of the first packet; subtract it for the host's clock.
    var offset: Double
  }

  private typealias Arrival = RateEstimate.Arrival

  private(set) var rate = RateEstimate()
  /// The arrival of the first packet by the host's clock.
  private var origin: Duration?
  private var divisor = 1.0
  private var index = 0
  /// The tick of the next frame.
  private var tick = 0.0
  private var last: Arrival?
  /// The latest punctual arrivals, oldest first.
  private var recent: [Arrival] = []
  /// The packets since the last punctual one that are later than the grid predicts, ``maximumRun`` at most.
  ///
  /// Each stands for all packets that arrived together with it; `excess` is the maximum number of losses before it.
  private var late: [(arrival: Arrival, excess: Int)] = []
  /// Whether the robot answered a renewal right before the first of them.
  private var isLateSinceRenewal = false
  /// The number of packets that were late without a loss, and the number of runs of such packets, both with
  /// exponential decay.
  private var (lateCount, runCount) = (0.0, 0.0)
  /// The weight of the first assumption about the runs, which decays like these numbers.
  private var prior = 1.0
  /// The maximum lateness of recent runs of late packets, in seconds, with exponential decay.
  private var recentLateness = 0.0
  /// The number of recent runs in which a packet was later than ``maximumBatch``, with exponential decay.
  private var delayCount = 0.0
  /// The maximum lateness of the run of late packets, in seconds.
  private var peakLateness = 0.0
  /// The fraction of recent packets that were lost.
  private var lossRate = 0.0
  /// The packets that were counted as lost recently, and those of them that proved to be delayed.
  private var (countedLosses, retractedLosses) = (0.0, 0.0)
  /// The packets counted as lost that may still prove to be delayed.
  private var retractable = 0
  /// The packets counted as lost that arrived after all; the same number of later losses is not reported.
  private var overcount = 0
  /// The minimum time between two packets that do not arrive together.
  private var minimumSpacing = Double.infinity
  /// The known lateness of the first packet, and the part of it that ``Placement/offset`` contains so far.
  ///
  /// Times count from the first packet: if it proves to be late, the times of all later ones include its lateness. The
  /// offset grows slowly, so that times of the host, `start - offset`, do not jump.
  private var (firstLateness, offset) = (0.0, 0.0)
  private var lastTime: Double?
  /// Whether the robot may have started a new grid, because its count may have run out.
  private var mayHaveRestarted = false
  /// Whether the robot has answered a renewal since the last packet, which may restart its period.
  private var isRenewed = false
  /// The consecutive renewals after which a packet was punctual: a robot that restarts its period has few of them.
  private var punctualRenewals = 0

  private static let recentCount = 8
  /// The lateness in seconds up to which a link batches packets instead of delaying some.
  private static let maximumBatch = 0.025
  /// The number of ``punctualRenewals`` that show that the robot keeps its period.
  private static let enoughPunctualRenewals = 6
  private static let maximumRun = 256
  /// The decay length of ``lossRate`` in packets; that of ``runCount`` is half as long.
  private static let memory = 100.0
  /// The maximum relative change of the rate while times return to a corrected grid.
  private static let slew = 0.05

  /// Converts a time of the host's clock to seconds since the first one.
  mutating func seconds(of time: Duration) -> Double {
    guard let origin else {
      origin = time
      return 0
    }
    return (time - origin).inSeconds
  }

  /// Converts seconds to a time of the host's clock, in whole microseconds from the first arrival.
  func time(of seconds: Double) -> Duration { (origin ?? .zero) + .rounded(seconds: seconds) }

  /// Starts a stream with frames every `divisor` ticks, on a new grid.
  mutating func begin(divisor: Int) {
    self.divisor = Double(max(1, divisor))
    index = 0
    restart()
  }

  /// Starts a new grid with the next packet, because the robot restarted; the index of frames continues.
  mutating func restart() {
    (mayHaveRestarted, late, last, recent) = (false, [], nil, [])
    (isRenewed, minimumSpacing, retractable, overcount) = (false, .infinity, 0, 0)
  }

  /// Starts again for the next consumer, which receives no gap for the time before its first sample.
  mutating func forget() {
    lastTime = nil
    (firstLateness, offset) = (0, 0)
    restart()
  }

  /// Permits a new grid if the next packets indicate a loss; late packets before it belong to the old grid.
  mutating func suspectRestart() { (mayHaveRestarted, late) = (true, []) }

  /// Records the answer to a renewal: some robots restart their period, which shifts the grid without a loss.
  mutating func renewed() { isRenewed = true }

  /// Returns how many seconds to hold back a packet that may be the first of a burst; nil if it can be placed now.
  // Mutating, because a nonmutating call copies the whole timeline.
  mutating func hold(_ count: Int, at arrival: Double) -> Double? {
    guard let last, late.isEmpty, !recent.isEmpty else { return nil }
    let period = rate.period * divisor * Double(count)
    let jitter = jitter
    // A single packet shows a loss only on a line without delays, or if the robot may have restarted its stream.
    let isPunctual = recent.count >= Self.recentCount - 1 && jitter < 0.3 * period
    let isEvidence = isPunctual && (!hasDelays || neededRun(lateness: 0) == 2)
    // A delay of less than a period is no loss.
    guard isEvidence || mayHaveRestarted, arrival - last.time > 1.9 * period - jitter else { return nil }
    // After a loss, the next packet arrives a period later; after a delay, it arrives sooner, with the rest of the burst.
    return min(max(0.9 * period - jitter, period / 2), Self.maximumBatch)
  }

  /// Places a packet of `count` frames; `isAlone` states that no burst follows it.
  mutating func place(_ count: Int, at arrival: Double, isAlone: Bool = false) -> Placement {
    let frames = Double(max(1, count))
    let ticksAfterFirst = divisor * (frames - 1)
    if last == nil {
      // The first grid assumes that its first packet is punctual.
      tick = 0
      rate.begin(at: arrival - rate.period * ticksAfterFirst)
    }
    let packetTicks = divisor * frames
    let period = rate.period * packetTicks
    /// Whether the packet arrives together with the previous one.
    let isTogether = last.map { arrival - $0.time < period / 2 } ?? true
    // Find the losses before the late packets, and the lateness of this packet.
    var lost = isTogether ? 0 : lossesBefore(arrival, packetTicks)
    var own = Arrival(tick: tick + ticksAfterFirst, time: arrival)
    var excess = last == nil ? 0 : excess(of: own, period, isAlone: isAlone)
    if isRenewed, excess == 0 {
      let isPunctual = abs(lateness(of: own)) < 0.3 * period
      punctualRenewals = isPunctual ? min(punctualRenewals + 1, Self.enoughPunctualRenewals) : 0
    }
    /// Whether the packet is treated as punctual, although it is late and arrives together with the previous one.
    var isInBurst = false
    if late.isEmpty, excess > 0 {
      isLateSinceRenewal = isRenewed
      if isAlone {
        lost = accepted(excess, lateness(of: own), period)
        tick += Double(lost) * packetTicks
        own.tick += Double(lost) * packetTicks
        excess = 0
      } else if !rate.isMeasured, minimumSpacing > 1.03 * period, let last,
        arrival - last.time < 1.6 * minimumSpacing
      {
        // The cause is the unmeasured rate, not a growing delay.
        (excess, isInBurst) = (0, isTogether)
      }
    }
    if let last, !isTogether { minimumSpacing = min(minimumSpacing, arrival - last.time) }
    isRenewed = false
    // After a loss that may be a restart, the packet begins a new grid.
    if lost > 0, mayHaveRestarted {
      rate.begin(at: arrival - rate.period * ticksAfterFirst - max(0, min(base, period)))
      (tick, own.tick, recent, late, excess) = (0, ticksAfterFirst, [], [], 0)
    }
    // End the run of late packets at a punctual one, or continue it.
    if excess == 0 {
      noteRun(late.count)
      peakLateness = 0
      if retractable > 0 { retract(&own, period, packetTicks) }
      late = []
      if !rate.isMeasured { findLateness(ofFirst: own, period) }
    } else {
      peakLateness = max(peakLateness, lateness(of: own))
      if isTogether, !late.isEmpty { late.removeLast() }
      late.append((own, excess))
    }
    if late.isEmpty { mayHaveRestarted = false }
    // Report a loss only beyond the number of packets that were reported as lost and arrived after all.
    let known = min(overcount, lost)
    overcount -= known
    let (lostFrames, overflows) = (lost - known).multipliedReportingOverflow(by: count)
    lost = overflows ? .max : lostFrames
    index = index > Int.max - lost - count ? 0 : index + lost
    let placement = placed(count: count, lost: lost)
    last = own
    if excess == 0, !isInBurst { record(own) }
    // Advance to the next packet.
    lossRate *= 1 - 1 / Self.memory
    if lossRate < 0.2 / Self.memory { rate.forgetLosses() }
    tick += packetTicks
    index += count
    return placement
  }

  /// Places the frames of a packet of unknown arrival where they are due; nil before the first placed packet.
  mutating func extrapolate(_ count: Int) -> (start: Double, step: Double)? {
    guard let lastTime else { return nil }
    let (step, ticks) = (rate.period * divisor, divisor * Double(count))
    self.lastTime = lastTime + step * Double(count)
    if let last {
      index = index > Int.max - count ? 0 : index + count
      tick += ticks
      self.last = Arrival(tick: last.tick + ticks, time: last.time + rate.period * ticks)
    }
    return (lastTime + step, step)
  }

  private mutating func record(_ arrival: Arrival) {
    rate.record(arrival)
    if recent.count == Self.recentCount { recent.removeFirst() }
    recent.append(arrival)
  }

  /// The minimum lateness of the last punctual packets.
  private var base: Double {
    recent.isEmpty ? 0 : recent.reduce(Double.infinity) { min($0, $1.time - rate.time(of: $1.tick)) }
  }

  /// The range of the lateness of the last punctual packets.
  private var jitter: Double {
    recent.reduce(-Double.infinity) { max($0, $1.time - rate.time(of: $1.tick)) } - base
  }

  /// The lateness of a packet relative to the last punctual ones, in seconds, if the rate is off by `uncertainty`.
  private func lateness(of arrival: Arrival, _ uncertainty: Double = 0) -> Double {
    guard !recent.isEmpty else { return 0 }
    let own = arrival.time - rate.time(of: arrival.tick)
    return recent.reduce(-Double.infinity) { lateness, earlier in
      max(
        lateness,
        own - (earlier.time - rate.time(of: earlier.tick)) - uncertainty * (arrival.time - earlier.time))
    }
  }

  /// The number of lost packets that explains the lateness of an arrival; 0 for a lateness of up to 0.6 of the period.
  ///
  /// While one further packet would not distinguish a loss from a delay, only the lateness counts that remains if the rate
  /// is off by its uncertainty.
  private func excess(of arrival: Arrival, _ period: Double, isAlone: Bool) -> Int {
    // The uncertainty of the rate decreases with the duration of its measurement.
    let uncertainty = rate.isMeasured ? 0.002 + 2 * period / max(arrival.time, 1) : 0.02
    let late = lateness(of: arrival, uncertainty)
    guard late > 0.6 * period else { return 0 }
    let isUncertain = neededRun(lateness: late) > 2 && !mayHaveRestarted && !isAlone
    let counted = isUncertain ? late : lateness(of: arrival)
    return max(1, Int(min((counted / period + 0.4).rounded(.down), 1e6)))
  }

  /// Corrects the lateness of the first packet by one that is earlier on the grid.
  private mutating func findLateness(ofFirst own: Arrival, _ period: Double) {
    let early = -lateness(of: own)
    guard early > 0.6 * period else { return }
    rate.origin -= early
    firstLateness += early
  }

  /// Records that a run of late packets has ended without a loss; a length of 0 is that of a punctual packet.
  private mutating func noteRun(_ length: Int) {
    let decay = 1 - 2 / Self.memory
    let lateness = length > 0 ? peakLateness : 0
    prior *= decay
    lateCount = lateCount * decay + Double(length)
    runCount = runCount * decay + (length > 0 ? 1 : 0)
    recentLateness = max(recentLateness * decay, lateness)
    delayCount = delayCount * decay + (lateness > Self.maximumBatch ? 1 : 0)
  }

  /// Whether a packet was late without a loss.
  private var hasDelays: Bool { runCount > 0 }

  /// Returns the number of successive packets late by `lateness` seconds that indicates a loss.
  ///
  /// A delay of that length is about 17 times less likely than a loss. At least 3 losses in a million packets are assumed.
  private func neededRun(lateness: Double) -> Int {
    // The chance that a late packet without a loss is followed by another one. At first, a run of 10 packets is assumed;
    // later, a punctual packet counts as a tenth of a run, so that the mean length decreases on a line without delays.
    let (assumedLate, assumedRuns) = (10 * prior, prior + (1 - prior) * Self.memory / 2 / 10)
    var chanceOfNext = 1 - (runCount + assumedRuns) / (lateCount + assumedLate)
    // On a line that loses packets, a loss is more likely than these delays, unless the losses prove to be delays.
    if lossRate < 2 / Self.memory || retractedLosses > countedLosses / 5 {
      // Another delay may begin within a delay.
      let chanceOfDelay = min(delayCount * 2 / Self.memory, 1)
      // A link that sends at intervals delays packets again and again; the longest run may not have occurred yet.
      let isUsual = runCount > 0.05 && lateness < 2 * recentLateness
      // 0.2 is a margin for the mean of a few runs.
      let recentMean = isUsual ? lateCount / runCount + 0.2 : 1
      chanceOfNext = max(chanceOfNext, chanceOfDelay, 1 - 1 / recentMean)
    }
    let limit = 0.06 * max(lossRate, 0.000_003)
    var (run, chance) = (1, 1.0)
    while chance > limit, run < Self.maximumRun { (run, chance) = (run + 1, chance * chanceOfNext) }
    return max(2, run)
  }

  /// Whether packets are late by the same amount, on a line without delays so far.
  ///
  /// After the loss of a single packet, more may be lost: the lateness then grows by whole periods, unlike that of delays.
  private func isLateEvenly(_ period: Double) -> Bool {
    guard !hasDelays, let first = late.first else { return false }
    let isSingle = lateness(of: first.arrival) < 1.5 * period
    let length = isSingle ? 5 : 8
    let run = late.suffix(length)
    guard run.count == length else { return false }
    return zip(run, run.dropFirst()).allSatisfy { earlier, later in
      let steps = (lateness(of: later.arrival) - lateness(of: earlier.arrival)) / period
      return steps > -0.25 && abs(steps - (isSingle ? steps.rounded() : 0)) < 0.25
    }
  }

  /// Decides how many packets were lost before the late ones, and moves the ticks of these; `arrival` is the next one.
  private mutating func lossesBefore(_ arrival: Double, _ packetTicks: Double) -> Int {
    let period = rate.period * packetTicks
    guard let first = late.first, let least = late.min(by: { $0.excess < $1.excess })?.excess,
      let lastLeast = late.lastIndex(where: { $0.excess == least })
    else { return 0 }
    let duration = arrival - first.arrival.time
    // A robot whose count ran out starts a new grid.
    let neededRun = mayHaveRestarted ? 2 : neededRun(lateness: peakLateness)
    let isRun = (late.count >= neededRun || isLateEvenly(period)) && duration >= min(0.02, 3 * period) * 0.99
    // No line delays packets for 2 s in a row.
    guard isRun || late.count >= 8 && duration > 2 else { return 0 }
    let lost = accepted(least, lateness(of: late[lastLeast].arrival), period)
    guard lost > 0 else {
      late = []
      return 0
    }
    tick += Double(lost) * packetTicks
    last?.tick += Double(lost) * packetTicks
    // Packets whose lateness the loss explains were punctual.
    recent = []
    var run = 0
    for place in late.indices {
      late[place].arrival.tick += Double(lost) * packetTicks
      late[place].excess -= lost
      run += 1
      guard late[place].excess == 0 else { continue }
      record(late[place].arrival)
      noteRun(run - 1)
      run = 0
    }
    late.removeSubrange(...lastLeast)
    return lost
  }

  /// Counts packets as lost, unless the robot restarted its period with a renewal, which shifts the grid by at most a period.
  private mutating func accepted(_ excess: Int, _ lateness: Double, _ period: Double) -> Int {
    // A restarted stream is no evidence that the line loses packets, so the loss rate stays.
    if mayHaveRestarted { return excess }
    // On a line with many losses, a loss right after a renewal is likely.
    if isLateSinceRenewal, lateness < 1.2 * period, lossRate < 2 / Self.memory,
      punctualRenewals < Self.enoughPunctualRenewals
    {
      punctualRenewals = 0
      rate.shift(by: lateness)
      // The next sample was measured on the new grid; the times need no gradual return to it.
      if let lastTime { self.lastTime = lastTime + lateness }
      recent = []
      return 0
    }
    lossRate = min(1, lossRate + Double(excess) / Self.memory)
    let decay = 1 - 2 / Self.memory
    (countedLosses, retractedLosses) = (countedLosses * decay + Double(excess), retractedLosses * decay)
    if lossRate > 2.5 / Self.memory { rate.noteLosses() }
    retractable = min(retractable + excess, 1_000)
    return excess
  }

  /// Retracts losses if a packet is so early that fewer packets were lost than counted.
  private mutating func retract(_ own: inout Arrival, _ period: Double, _ packetTicks: Double) {
    let early = Int(min(max(-lateness(of: own) / period + 0.4, 0), 1_000).rounded(.down))
    let count = min(early, retractable)
    guard count > 0 else { return }
    retractable -= count
    retractedLosses += Double(count)
    overcount += count
    lossRate = max(0, lossRate - Double(count) / Self.memory)
    tick -= Double(count) * packetTicks
    own.tick -= Double(count) * packetTicks
    for place in recent.indices { recent[place].tick -= Double(count) * packetTicks }
  }

  /// Computes the times of the frames of the next packet, which return gradually to the grid.
  private mutating func placed(count: Int, lost: Int) -> Placement {
    let step = rate.period * divisor
    let due = rate.time(of: tick) + firstLateness
    let limit = Self.slew * step
    let maximumChange = limit * Double(count)
    offset += min(max(firstLateness - offset, -maximumChange), maximumChange)
    guard let lastTime else {
      self.lastTime = due + step * Double(count - 1)
      return Placement(index: index, start: due, step: step, lost: lost, gap: 0, offset: offset)
    }
    let isJump = last == nil || lost > 0
    let next = lastTime + step
    let start = isJump ? max(due, next) : next + min(max(due - next, -limit), limit)
    // The frames within the packet return to the grid as well.
    let target = rate.time(of: tick + divisor * Double(count - 1)) + firstLateness
    let even = count > 1 ? (target - start) / Double(count - 1) : step
    let inner = min(max(even, step * (1 - Self.slew)), step * (1 + Self.slew))
    self.lastTime = start + inner * Double(count - 1)
    let gap = isJump ? start - next : 0
    return Placement(
      index: index, start: start, step: inner, lost: lost, gap: gap > step / 2 ? gap : 0, offset: offset)
  }
}
