// The sample rate of a robot, estimated from arrivals with the jitter of a link.

/// Estimates the even grid of sample times from arrival times.
///
/// An arrival may be late, never early. The median of the slopes between the least late arrivals of each interval
/// (Theil and Sen) is robust against stalls and bursts in a quarter of the intervals.
/// Memory is bounded: intervals double up to 5120 ticks, 12.8 s at 400 Hz; then the oldest is discarded.
package struct RateEstimate: Sendable {
  /// An arrival: the position in the stream in ticks, and the time in seconds.
  package struct Arrival: Sendable {
    var tick: Double
    var time: Double

    package init(tick: Double, time: Double) { (self.tick, self.time) = (tick, time) }
  }

  /// The number of past intervals at which pairs are joined or one is discarded; it bounds the number of slopes.
  private static let capacity = 32
  /// The length of the first intervals, and of the last ones after doublings, in ticks.
  private static let (minimumInterval, maximumInterval) = (40.0, 5_120.0)
  /// On a line that loses packets, the maximum ratio of a period to the known one.
  private static let maximumPeriodRatio = 1.01
  /// The span of arrivals in seconds after which the measured period counts as known; before, the nominal one does.
  private static let knownSpan = 4.0
  /// The maximum relative interquartile range of the slopes.
  private static let maximumSpread = 0.02

  /// The period in seconds that is assumed before the measurement.
  let nominal: Double
  private let plausible: ClosedRange<Double>
  /// The time between two ticks; all times are in seconds.
  package private(set) var period: Double
  /// The time of tick 0.
  var origin = 0.0
  private(set) var isMeasured = false
  /// A measured period that is not plausible, in seconds; nil without one.
  private(set) var implausiblePeriod: Double?

  /// The maximum period on a line that loses packets; nil on another.
  private var maximumPeriod: Double?

  /// The least late arrivals of the past intervals.
  private var arrivals: [Arrival] = []
  /// The least late arrival of the current interval.
  private var best: Arrival?
  /// The start of the first interval, and the length of all intervals, in seconds.
  private var (start, length) = (0.0, 0.0)

  /// Creates an estimate, by default for a robot that samples at 400 Hz, whose clock may be off by 15 %.
  package init(
    nominal: Double = 0.0025, plausible: ClosedRange<Double> = (0.85 * 0.0025)...(1.15 * 0.0025)
  ) {
    (self.nominal, self.plausible, period) = (nominal, plausible, nominal)
    length = Self.minimumInterval * nominal
  }

  func time(of tick: Double) -> Double { origin + period * tick }

  /// Restarts the ticks at `time`; the period of the robot remains.
  mutating func begin(at time: Double) {
    (origin, arrivals, best, implausiblePeriod) = (time, [], nil, nil)
    length = Self.minimumInterval * nominal
  }

  /// Moves the grid and the recorded arrivals.
  mutating func shift(by distance: Double) {
    origin += distance
    best?.time += distance
    for place in arrivals.indices { arrivals[place].time += distance }
  }

  /// Records that the line loses packets: a slower clock can then not be distinguished from more losses.
  mutating func noteLosses() {
    guard maximumPeriod == nil else { return }
    let span = (arrivals.last?.time ?? 0) - (arrivals.first?.time ?? 0)
    let known = isMeasured && span >= Self.knownSpan ? max(period, nominal) : nominal
    maximumPeriod = known * Self.maximumPeriodRatio
  }

  /// Records that the line has lost no packets for a while: a slow clock can be measured again.
  mutating func forgetLosses() { maximumPeriod = nil }

  package mutating func record(_ arrival: Arrival) {
    guard let best else {
      (self.best, start) = (arrival, arrival.time)
      return
    }
    if interval(of: arrival) == interval(of: best) {
      if delay(of: arrival) < delay(of: best) { self.best = arrival }
      return
    }
    arrivals.append(best)
    self.best = arrival
    if arrivals.count >= Self.capacity { makeRoom() }
    measure()
  }

  /// The time of an arrival after that of its tick, up to a constant, in seconds.
  private func delay(of arrival: Arrival) -> Double { arrival.time - period * arrival.tick }

  private func interval(of arrival: Arrival) -> Double { ((arrival.time - start) / length).rounded(.down) }

  /// Joins pairs of intervals, or discards the oldest one if they have the maximum length.
  private mutating func makeRoom() {
    guard length < Self.maximumInterval * nominal else {
      arrivals.removeFirst()
      return
    }
    length *= 2
    var joined: [Arrival] = []
    for arrival in arrivals {
      if let last = joined.last, interval(of: last) == interval(of: arrival) {
        if delay(of: arrival) < delay(of: last) { joined[joined.count - 1] = arrival }
      } else {
        joined.append(arrival)
      }
    }
    arrivals = joined
  }

  private mutating func measure() {
    guard arrivals.count >= 4 else { return }
    var slopes: [Double] = []
    slopes.reserveCapacity(arrivals.count * arrivals.count / 2)
    for (place, earlier) in arrivals.enumerated() {
      for later in arrivals[(place + 1)...] where later.tick > earlier.tick {
        slopes.append((later.time - earlier.time) / (later.tick - earlier.tick))
      }
    }
    slopes.sort()
    guard let median = Self.quantile(slopes, 0.5), let low = Self.quantile(slopes, 0.25),
      let high = Self.quantile(slopes, 0.75), high - low <= Self.maximumSpread * median
    else { return }
    let factor = median / nominal
    // Four arrivals suffice for a very wrong period: a robot that samples much too fast soon runs out of its count.
    guard arrivals.count >= 6 || factor < 0.5 || factor > 2 else { return }
    guard plausible.contains(median) else {
      implausiblePeriod = median
      return
    }
    (period, implausiblePeriod) = (maximumPeriod.map { min(median, $0) } ?? median, nil)
    isMeasured = true
    if let middle = Self.quantile(arrivals.map { delay(of: $0) }.sorted(), 0.5) { origin = middle }
  }

  private static func quantile(_ sorted: [Double], _ part: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
