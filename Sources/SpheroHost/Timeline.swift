// When the samples of a stream were measured, and how many stayed away.

import SpheroProtocol

/// Places the packets of a stream on the robot's even grid.
///
/// The index of a frame and the divisor give the grid, the arrivals its true rate; jitter is removed.
/// A packet is never early, so that its lateness on the grid bounds the number of packets that were lost before it,
/// and a punctual packet shows that number exactly.
/// Packets count as lost where all packets after them are late for longer than the delays of the line explain.
///
/// Times are seconds since the first arrival, by any clock:
/// the same arrivals have the same places to the last bit.
struct Timeline: Sendable {
  /// Where a packet lies on the grid.
  struct Placement: Hashable, Sendable {
    /// The number of its first frame since the stream began, lost ones counted.
    var index: Int
    /// When its first frame was measured.
    var start: Double
    /// The time between two of its frames.
    var step: Double
    /// The frames that were lost right before it.
    var lost: Int
    /// The time without samples before it, beyond one frame; 0 where none is missing.
    var gap: Double
    /// How much later `start` is than by the host's clock, since the first packet was late.
    var offset: Double
  }

  private typealias Arrival = RateEstimate.Arrival

  /// A packet that is later than the grid expects; of several that arrive together, the last.
  private struct Late: Sendable {
    var arrival: Arrival
    /// The largest possible number of lost packets before it.
    var excess: Int
  }

  private(set) var rate = RateEstimate()
  /// When the first packet came, by the host's clock.
  private var origin: Duration?
  private var divisor = 1.0
  private var index = 0
  /// The tick of the next frame.
  private var tick = 0.0
  private var last: Arrival?
  /// The latest punctual arrivals, in any order, and where the next one goes.
  private var recent: [Arrival] = []
  private var nextRecent = 0
  /// The late packets since the last punctual one; ``maximumRun`` at most.
  private var late: [Late] = []
  /// Whether the robot answered a renewal right before the first of them.
  private var isLateSinceRenewal = false
  /// The delays of the line: the number of late packets without a loss, and the number of runs of them.
  /// Older ones count less. A line starts with the suspicion of long runs.
  private var (lateCount, runCount) = (10.0, 1.0)
  /// Whether a packet was late without a loss.
  private var hasDelays = false
  /// The share of packets that were lost lately.
  private var lossRate = 0.0
  /// The lost packets that were counted, as far as they may prove to be delayed.
  private var retractable = 0
  /// The packets that were counted as lost and arrived after all; later losses are not reported until they make up for it.
  private var overcount = 0
  /// The least time between two packets that do not arrive together.
  private var leastSpacing = Double.infinity
  /// How late the first packet was, as far as later ones have shown, and how much of that the placements have made good.
  /// Times count from the first packet, so that they keep the offset; the host's clock does not.
  private var (firstLateness, offset) = (0.0, 0.0)
  private var lastTime: Double?
  private var mustBegin = true
  /// Whether the robot may have begun a new grid, since its count may have run out.
  private var mayHaveRestarted = false
  /// Whether the robot has answered a renewal since the last packet: it may have begun its period anew.
  private var isRenewed = false

  private static let recentCount = 8
  private static let maximumRun = 256
  /// How many packets count for ``lossRate``, and half as many for ``runCount``.
  private static let memory = 100.0
  /// How fast times are led back to the grid, where a better estimate moves it.
  private static let slew = 0.05

  /// Gives a time of the host's clock in seconds; the first one is 0.
  mutating func seconds(of time: Duration) -> Double {
    guard let origin else {
      origin = time
      return 0
    }
    return (time - origin).inSeconds
  }

  /// Gives a time in seconds by the host's clock, in whole microseconds from the first arrival.
  func time(of seconds: Double) -> Duration { (origin ?? .zero) + SensorStreaming.rounded(seconds) }

  /// Begins a stream with frames every `divisor` ticks; its first packet begins a new grid.
  mutating func begin(divisor: Int) {
    self.divisor = Double(max(1, divisor))
    index = 0
    restart()
  }

  /// Lets the next packet begin a new grid, since the robot began anew; frames are counted on.
  mutating func restart() {
    (mustBegin, mayHaveRestarted, late, last, recent) = (true, false, [], nil, [])
    (isRenewed, leastSpacing, retractable, overcount) = (false, .infinity, 0, 0)
  }

  /// Begins anew for the next consumer: the time before is not a gap.
  mutating func forget() {
    lastTime = nil
    (firstLateness, offset) = (0, 0)
    restart()
  }

  /// Lets a new grid begin where the next packets show that some were lost.
  mutating func suspectRestart() { mayHaveRestarted = true }

  /// Notes that the robot answered a renewal: some begin their period anew, which shifts the grid and loses nothing.
  mutating func renewed() { isRenewed = true }

  /// Whether a packet should be kept back for a moment, to see whether it is the first of a burst.
  ///
  /// - Returns: How long to wait for the next; nil where it can be placed now.
  // Mutating: a nonmutating call copies the whole timeline.
  mutating func hold(_ count: Int, at arrival: Double) -> Double? {
    // On a line with delays, a packet alone proves no loss.
    guard let last, late.isEmpty, recent.count >= 7, !hasDelays || lateCount < 0.5 else { return nil }
    let period = rate.period * divisor * Double(count)
    guard arrival - last.time > 1.6 * period, jitter < 0.3 * period else { return nil }
    return min(period / 2, 0.025)
  }

  /// Places a packet.
  ///
  /// - Parameters:
  ///   - count: Its frames.
  ///   - arrival: When it came.
  ///   - isAlone: Whether it is known that no burst follows.
  /// - Returns: Where it lies.
  mutating func place(_ count: Int, at arrival: Double, isAlone: Bool = false) -> Placement {
    let frames = Double(max(1, count))
    let behindFirst = divisor * (frames - 1)
    if mustBegin {
      // The first grid takes its first packet for punctual; a later one takes it for as late as others were.
      tick = 0
      rate.begin(at: arrival - rate.period * behindFirst)
      mustBegin = false
    }
    let packet = divisor * frames
    let period = rate.period * packet
    let isTogether = last.map { arrival - $0.time < period / 2 } ?? true
    var lost = isTogether ? 0 : lossesBefore(arrival, packet)
    var own = Arrival(tick: tick + behindFirst, time: arrival)
    var excess = last == nil ? 0 : excess(of: own, period, isAlone: isAlone)
    if late.isEmpty, excess > 0 {
      isLateSinceRenewal = isRenewed
      if isAlone {
        lost = accepted(excess, lateness(of: own), period)
        tick += Double(lost) * packet
        own.tick += Double(lost) * packet
        excess = 0
      } else if !rate.isMeasured, leastSpacing > 1.03 * period, let last,
        arrival - last.time < 1.6 * leastSpacing
      {
        // A rate that is not known yet, and not a growing delay.
        excess = 0
      }
    }
    if let last, !isTogether { leastSpacing = min(leastSpacing, arrival - last.time) }
    isRenewed = false
    if lost > 0, mayHaveRestarted {
      rate.begin(at: arrival - rate.period * behindFirst - max(0, min(base, period)))
      (tick, own.tick, recent, late, excess) = (0, behindFirst, [], [], 0)
    }
    if excess == 0 {
      noteRun(late.count)
      if retractable > 0 { retract(&own, period, packet) }
      late = []
      if !rate.isMeasured, rate.oddPeriod == nil { findLateness(ofFirst: own, period) }
    } else if isTogether, !late.isEmpty {
      late[late.count - 1] = Late(arrival: own, excess: excess)
    } else {
      late.append(Late(arrival: own, excess: excess))
    }
    if late.isEmpty { mayHaveRestarted = false }
    let known = min(overcount, lost)
    overcount -= known
    lost = (lost - known) * count
    index = index > Int.max - lost - count ? 0 : index + lost
    let placement = placed(count: count, lost: lost)
    last = own
    if excess == 0 { note(own) }
    lossRate *= 1 - 1 / Self.memory
    tick += packet
    index += count
    return placement
  }

  /// Counts the frames of a packet whose arrival is not known: they lie where they are due.
  ///
  /// - Returns: When the first of them was measured, and the time between two; nil before the first packet that was placed.
  mutating func pass(_ count: Int) -> (start: Double, step: Double)? {
    guard let lastTime else { return nil }
    let (step, ticks) = (rate.period * divisor, divisor * Double(count))
    self.lastTime = lastTime + step * Double(count)
    if !mustBegin {
      index = index > Int.max - count ? 0 : index + count
      tick += ticks
      if let last { self.last = Arrival(tick: last.tick + ticks, time: last.time + rate.period * ticks) }
    }
    return (lastTime + step, step)
  }

  /// Notes a punctual arrival.
  private mutating func note(_ arrival: Arrival) {
    rate.note(arrival)
    if recent.count < Self.recentCount {
      recent.append(arrival)
      nextRecent = 0
    } else {
      recent[nextRecent] = arrival
      nextRecent = (nextRecent + 1) % Self.recentCount
    }
  }

  /// The least lateness of the last punctual packets.
  private var base: Double {
    recent.isEmpty ? 0 : recent.reduce(Double.infinity) { min($0, $1.time - rate.time(of: $1.tick)) }
  }

  /// The difference between the lateness of the last punctual packets.
  private var jitter: Double {
    recent.reduce(-Double.infinity) { max($0, $1.time - rate.time(of: $1.tick)) } - base
  }

  /// How much later a packet is than the last punctual ones, in seconds; the rate may be off by the fraction `uncertainty`.
  private func lateness(of arrival: Arrival, _ uncertainty: Double = 0) -> Double {
    guard !recent.isEmpty else { return 0 }
    let own = arrival.time - rate.time(of: arrival.tick)
    return recent.reduce(-Double.infinity) { lateness, earlier in
      max(
        lateness,
        own - (earlier.time - rate.time(of: earlier.tick)) - uncertainty * (arrival.time - earlier.time))
    }
  }

  /// The largest possible number of lost packets before one.
  private func excess(of arrival: Arrival, _ period: Double, isAlone: Bool) -> Int {
    // The longer the rate is measured, the better it is known.
    let uncertainty = rate.isMeasured ? 0.002 + 2 * period / max(arrival.time, 1) : 0.02
    let late = lateness(of: arrival, uncertainty)
    guard late > 0.6 * period else { return 0 }
    let certain = neededRun > 2 && !mayHaveRestarted && !isAlone ? late : lateness(of: arrival)
    return max(1, Int(min((certain / period + 0.4).rounded(.down), 1e6)))
  }

  /// Learns how late the first packet was from one that is earlier on the grid.
  private mutating func findLateness(ofFirst own: Arrival, _ period: Double) {
    let early = -lateness(of: own)
    guard early > 0.6 * period else { return }
    rate.moveOrigin(by: -early)
    firstLateness += early
  }

  /// Notes a number of late packets in a row that were only delayed.
  private mutating func noteRun(_ length: Int) {
    let decay = 1 - 2 / Self.memory
    if length > 0 { hasDelays = true }
    lateCount = lateCount * decay + Double(length)
    // Punctual packets in a row are evidence as well, of a line without delays.
    runCount = runCount * decay + (length > 0 ? 1 : 0.1)
  }

  /// How many late packets in a row show a loss: a delay of so many is 16 times less likely.
  private var neededRun: Int {
    let mean = lateCount / runCount
    guard mean > 1 else { return 2 }
    let limit = 0.06 * max(lossRate, 0.000_003)
    var (run, chance) = (1, 1.0)
    while chance > limit, run < Self.maximumRun { (run, chance) = (run + 1, chance * (1 - 1 / mean)) }
    return max(2, run)
  }

  /// Whether packets are late at their own rhythm, on a line that has not delayed any so far.
  private func isLateEvenly(_ period: Double) -> Bool {
    let run = late.suffix(8)
    guard !hasDelays, run.count == 8 else { return false }
    return zip(run, run.dropFirst()).allSatisfy { earlier, later in
      abs(lateness(of: later.arrival) - lateness(of: earlier.arrival)) < 0.25 * period
    }
  }

  /// Decides whether packets were lost before the late ones.
  ///
  /// - Parameters:
  ///   - arrival: When the next packet came, apart from those.
  ///   - packet: The ticks of a packet.
  /// - Returns: The number of lost packets; the ticks of the late ones are moved by it.
  private mutating func lossesBefore(_ arrival: Double, _ packet: Double) -> Int {
    let period = rate.period * packet
    guard let first = late.first, let least = late.min(by: { $0.excess < $1.excess })?.excess,
      let lastLeast = late.lastIndex(where: { $0.excess == least })
    else { return 0 }
    let duration = arrival - first.arrival.time
    // A robot that has been silent for so long that its count ran out begins a new grid.
    let neededRun = mayHaveRestarted ? 2 : neededRun
    // No line delays packets for 2 s in a row.
    let isRun = (late.count >= neededRun || isLateEvenly(period)) && duration >= min(0.02, 3 * period) * 0.99
    guard isRun || late.count >= 8 && duration > 2 else { return 0 }
    let lost = accepted(least, lateness(of: late[lastLeast].arrival), period)
    guard lost > 0 else {
      late = []
      return 0
    }
    tick += Double(lost) * packet
    last?.tick += Double(lost) * packet
    // Packets that were late by the loss alone were punctual.
    recent = []
    var run = 0
    for place in late.indices {
      late[place].arrival.tick += Double(lost) * packet
      late[place].excess -= lost
      run += 1
      guard late[place].excess == 0 else { continue }
      note(late[place].arrival)
      noteRun(run - 1)
      run = 0
    }
    late.removeSubrange(...lastLeast)
    return lost
  }

  /// Counts packets as lost, unless the robot began its period anew with a renewal: that shifts the grid by a period at most.
  private mutating func accepted(_ excess: Int, _ lateness: Double, _ period: Double) -> Int {
    // Where many are lost, one of them right behind a renewal is nothing special.
    if isLateSinceRenewal, lateness < 1.2 * period, lossRate < 2 / Self.memory {
      rate.shift(by: lateness)
      recent = []
      return 0
    }
    lossRate = min(1, lossRate + Double(excess) / Self.memory)
    if lossRate > 2.5 / Self.memory { rate.noteLosses() }
    retractable = min(retractable + excess, 1_000)
    return excess
  }

  /// Takes losses back where a packet is as early as if they had not been.
  private mutating func retract(_ own: inout Arrival, _ period: Double, _ packet: Double) {
    let early = Int(min(max(-lateness(of: own) / period + 0.4, 0), 1_000).rounded(.down))
    let count = min(early, retractable)
    guard count > 0 else { return }
    retractable -= count
    overcount += count
    lossRate = max(0, lossRate - Double(count) / Self.memory)
    tick -= Double(count) * packet
    own.tick -= Double(count) * packet
    for place in recent.indices { recent[place].tick -= Double(count) * packet }
  }

  /// Gives the frames of the next packet their times, and leads these back to the grid.
  private mutating func placed(count: Int, lost: Int) -> Placement {
    let step = rate.period * divisor
    let due = rate.time(of: tick) + firstLateness
    let limit = Self.slew * step
    let way = limit * Double(count)
    offset += min(max(firstLateness - offset, -way), way)
    guard let lastTime else {
      self.lastTime = due + step * Double(count - 1)
      return Placement(index: index, start: due, step: step, lost: lost, gap: 0, offset: offset)
    }
    let isJump = last == nil || lost > 0
    let next = lastTime + step
    var start = isJump ? max(due, lastTime + step / 2) : next + min(max(due - next, -limit), limit)
    if isJump, start < next { start = next }
    // Within the packet the rest of the way is made good, too.
    let target = rate.time(of: tick + divisor * Double(count - 1)) + firstLateness
    let even = count > 1 ? (target - start) / Double(count - 1) : step
    let inner = min(max(even, step * (1 - Self.slew)), step * (1 + Self.slew))
    self.lastTime = start + inner * Double(count - 1)
    let gap = isJump ? start - next : 0
    return Placement(
      index: index, start: start, step: inner, lost: lost, gap: gap > step / 2 ? gap : 0, offset: offset)
  }
}
