// When the samples of a stream were measured, and how many stayed away.

import SpheroProtocol

/// Places the packets of a stream on the robot's even grid.
///
/// The index of a frame and the divisor give the grid, the arrivals its true rate; jitter is taken off.
/// A packet that comes late may be one of a burst, of which nothing was lost, or the first after a loss.
/// That is decided after a burst and never inside it:
/// by whether packets are still late when they come at their own rhythm again.
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
  }

  private typealias Arrival = RateEstimate.Arrival

  private struct Lateness: Sendable {
    /// How late packets were before.
    var base: Double
    var since: Double
    /// Whether the robot answered a renewal right before.
    var isRenewed: Bool
    var count = 0
    /// How late they are at least since then.
    var least = Double.infinity
    /// How late the last one was, and how many in a row came at their own rhythm.
    var last = 0.0
    var settled = 0
  }

  private(set) var rate = RateEstimate()
  /// When the first packet came, by the host's clock.
  private var origin: Duration?
  private var divisor = 1.0
  private var index = 0
  /// The tick of the next frame.
  private var tick = 0.0
  private var last: Arrival?
  /// The latest arrivals that were not late, in any order, and where the next one goes.
  private var recent: [Arrival] = []
  private var nextRecent = 0
  private var late: Lateness?
  /// How unevenly packets come: the largest deviation lately, in seconds.
  private var jitter = 0.0
  private var lastTime: Double?
  private var mustBegin = true
  /// Whether the robot may have begun a new grid, since its count may have run out.
  private var mayHaveRestarted = false
  /// Whether the robot has answered a renewal since the last packet: it may have begun its period anew.
  private var isRenewed = false

  private static let recentCount = 8
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
    (mustBegin, mayHaveRestarted, late, last, recent) = (true, false, nil, nil, [])
    isRenewed = false
  }

  /// Begins anew for whoever comes next: what lies before is not a gap.
  mutating func forget() {
    lastTime = nil
    restart()
  }

  /// Lets a new grid begin where the next packets show that some were lost.
  mutating func suspectRestart() { mayHaveRestarted = true }

  /// Notes that the robot answered a renewal: some begin their period anew, which shifts the grid and loses nothing.
  mutating func renewed() { isRenewed = true }

  /// Whether a packet should be kept back for a moment, to see whether it is the first of a burst.
  ///
  /// - Returns: How long to wait for the next; nil where it can be placed now.
  // Inlined, since each call copies the whole timeline.
  @inline(__always) func hold(_ count: Int, at arrival: Double) -> Double? {
    guard let last, late == nil, recent.count >= 4 else { return nil }
    let period = rate.period * divisor * Double(count)
    guard jitter < 0.3 * period, arrival - last.time > 1.6 * period else { return nil }
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
    let period = rate.period * divisor * frames
    var lost = 0
    let own = Arrival(tick: tick + behindFirst, time: arrival)
    let lateness = arrival - rate.time(of: own.tick)
    if let last {
      let spacing = arrival - last.time
      lost = lostPackets(lateness, spacing, period, arrival, isAlone) * count
      if late == nil, lost == 0, !isRenewed { jitter = max(abs(spacing - period), jitter * 0.98) }
    }
    isRenewed = false
    if lost > 0, mayHaveRestarted {
      rate.begin(at: arrival - rate.period * behindFirst - max(0, min(base, period)))
      (tick, recent) = (0, [])
    } else {
      tick += Double(lost) * divisor
    }
    if late == nil { mayHaveRestarted = false }
    index = index > Int.max - lost - count ? 0 : index + lost
    let placement = placed(count: count, lost: lost)
    let noted = Arrival(tick: tick + behindFirst, time: arrival)
    last = noted
    if late == nil {
      noteRecent(noted)
      rate.note(noted)
    }
    tick += divisor * frames
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

  private mutating func noteRecent(_ arrival: Arrival) {
    if recent.count < Self.recentCount {
      recent.append(arrival)
      nextRecent = 0
    } else {
      recent[nextRecent] = arrival
      nextRecent = (nextRecent + 1) % Self.recentCount
    }
  }

  /// The least lateness of the last packets that were not late.
  private var base: Double {
    recent.reduce(Double.infinity) { min($0, $1.time - rate.time(of: $1.tick)) }
  }

  /// Decides whether packets were lost.
  private mutating func lostPackets(
    _ lateness: Double, _ spacing: Double, _ period: Double, _ arrival: Double, _ isAlone: Bool
  ) -> Int {
    func missing(_ excess: Double, since: Double) -> Int {
      // A rate that is not known yet looks like a growing delay.
      let drift = (rate.isMeasured ? 0.002 : 0.06) * (arrival - since)
      guard excess > 0.6 * period + drift else { return 0 }
      if late?.isRenewed ?? isRenewed, excess < 1.2 * period {
        // The robot began its period anew: what seems to be a loss is a shift of a period at most.
        rate.shift(by: excess)
        recent = []
        return 0
      }
      return Int(min((excess / period).rounded(), 1e6))
    }
    guard var present = late else {
      guard !recent.isEmpty, spacing > 1.6 * period + jitter else { return 0 }
      let base = base
      guard lateness - base > 0.6 * period else { return 0 }
      if isAlone { return missing(lateness - base, since: arrival) }
      late = Lateness(
        base: base, since: arrival, isRenewed: isRenewed, count: 1, least: lateness, last: lateness)
      return 0
    }
    let excess = lateness - present.base
    if excess <= 0.6 * period {
      late = nil
      return 0
    }
    present.count += 1
    present.least = min(present.least, lateness)
    present.settled = abs(lateness - present.last) < 0.25 * period ? present.settled + 1 : 0
    present.last = lateness
    late = present
    // On an even link, packets at their own rhythm show that the burst is over; 20 ms of them, or two.
    if jitter < 0.3 * period, present.settled >= max(2, Int(min(0.02 / period, 100))) {
      defer { late = nil }
      return missing(excess, since: present.since)
    }
    // On an uneven one, some time must pass.
    guard present.count >= Self.recentCount, arrival - present.since > max(0.25, jitter * 3) else { return 0 }
    defer { late = nil }
    return missing(present.least - present.base, since: present.since)
  }

  /// Gives the frames of the next packet their times, and leads these back to the grid.
  private mutating func placed(count: Int, lost: Int) -> Placement {
    let step = rate.period * divisor
    let due = rate.time(of: tick)
    guard let lastTime else {
      self.lastTime = due + step * Double(count - 1)
      return Placement(index: index, start: due, step: step, lost: lost, gap: 0)
    }
    let isJump = last == nil || lost > 0
    let next = lastTime + step
    let limit = Self.slew * step
    var start = isJump ? max(due, lastTime + step / 2) : next + min(max(due - next, -limit), limit)
    if isJump, start < next { start = next }
    // Within the packet the rest of the way is made good, too.
    let target = rate.time(of: tick + divisor * Double(count - 1))
    let even = count > 1 ? (target - start) / Double(count - 1) : step
    let inner = min(max(even, step * (1 - Self.slew)), step * (1 + Self.slew))
    self.lastTime = start + inner * Double(count - 1)
    let gap = isJump ? start - next : 0
    return Placement(index: index, start: start, step: inner, lost: lost, gap: gap > step / 2 ? gap : 0)
  }
}
