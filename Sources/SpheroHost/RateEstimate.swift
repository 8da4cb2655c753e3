// The true rate of a robot that samples evenly, from arrivals that a link makes uneven.

/// Estimates when a robot takes its samples from when they arrive.
///
/// Every delivery is late by some time, never early. The least late one of each stretch of time is kept,
/// and the median of the slopes between all pairs of them (Theil and Sen) is the period;
/// stalls and bursts, even in a quarter of the stretches, leave it alone.
/// Memory is bounded: stretches grow to 4000 ticks, ten seconds of the robot's 400 Hz, then the oldest goes.
package struct RateEstimate: Sendable {
  /// A place in the stream, in ticks, and when it arrived, in seconds.
  package struct Arrival: Sendable {
    var tick: Double
    var time: Double

    /// Names the place and the time.
    package init(tick: Double, time: Double) { (self.tick, self.time) = (tick, time) }
  }

  private static let capacity = 32
  /// How many ticks the first stretches last, and the longest ones.
  private static let (firstStretch, longestStretch) = (40.0, 4_000.0)
  /// How slow a crystal is at most, against the nominal rate or one that was measured for this long, in seconds.
  private static let (slowestCrystal, knownSpan) = (1.01, 4.0)
  /// How far the middle half of the slopes may spread.
  private static let spread = 0.02

  /// The time between two ticks that is assumed until one is measured, in seconds.
  private let nominal: Double
  /// The times between two ticks that can be meant.
  private let believable: ClosedRange<Double>
  /// The time between two ticks, in seconds.
  package private(set) var period: Double
  /// When tick 0 was taken, in seconds, by the same estimate.
  private(set) var origin = 0.0
  /// Whether the period is measured and not assumed.
  private(set) var isMeasured = false
  /// The time between two ticks that the arrivals show, where no robot's clock is that far off; nil where they do not.
  private(set) var oddPeriod: Double?

  /// The longest period that is believed on a line with losses; nil on another.
  private var longestPeriod: Double?

  private var arrivals: [Arrival] = []
  /// The earliest arrival of the stretch that lasts, by the grid.
  private var best: Arrival?
  /// The stretch in which `best` came, so that it is not worked out for each arrival.
  private var bestStretch = 0.0
  private var start: Double?
  /// How long a stretch is, in seconds.
  private var length: Double

  /// Knows nothing yet; by default of a robot that takes samples at 400 Hz, whose clock may be off by 15 %.
  package init(
    nominal: Double = 0.0025, believable: ClosedRange<Double> = (0.85 * 0.0025)...(1.15 * 0.0025)
  ) {
    (self.nominal, self.believable, period) = (nominal, believable, nominal)
    length = Self.firstStretch * nominal
  }

  /// When a tick was taken, in seconds.
  func time(of tick: Double) -> Double { origin + period * tick }

  /// Begins to count ticks anew, at `time`; the period is kept, since the robot is the same.
  mutating func begin(at time: Double) {
    (origin, arrivals, best, start, length, oddPeriod) = (
      time, [], nil, nil, Self.firstStretch * nominal, nil
    )
  }

  /// Moves the grid alone.
  mutating func moveOrigin(by distance: Double) { origin += distance }

  /// Moves the grid, and all that was noted with it.
  mutating func shift(by distance: Double) {
    origin += distance
    best?.time += distance
    for place in arrivals.indices { arrivals[place].time += distance }
  }

  /// Notes that the line loses packets: from now on, a slower clock cannot be told from more losses.
  mutating func noteLosses() {
    guard longestPeriod == nil else { return }
    let span = (arrivals.last?.time ?? 0) - (arrivals.first?.time ?? 0)
    let known = isMeasured && span >= Self.knownSpan ? max(period, nominal) : nominal
    longestPeriod = known * Self.slowestCrystal
  }

  /// Notes an arrival.
  package mutating func note(_ arrival: Arrival) {
    let began = start ?? arrival.time
    start = began
    let stretch = stretch(of: arrival.time, since: began)
    guard let best else {
      (self.best, bestStretch) = (arrival, stretch)
      return
    }
    if stretch == bestStretch {
      if arrival.time - period * arrival.tick < best.time - period * best.tick { self.best = arrival }
      return
    }
    arrivals.append(best)
    self.best = arrival
    bestStretch = stretch
    if arrivals.count >= Self.capacity {
      makeRoom(since: began)
      bestStretch = self.stretch(of: arrival.time, since: began)
    }
    measure()
  }

  private func stretch(of time: Double, since began: Double) -> Double {
    ((time - began) / length).rounded(.down)
  }

  /// Joins stretches two by two, or lets the oldest go where they are long enough.
  private mutating func makeRoom(since began: Double) {
    guard length < Self.longestStretch * nominal else {
      arrivals.removeFirst()
      return
    }
    length *= 2
    var joined: [Arrival] = []
    for arrival in arrivals {
      if let last = joined.last,
        stretch(of: last.time, since: began) == stretch(of: arrival.time, since: began)
      {
        let isLess = arrival.time - period * arrival.tick < last.time - period * last.tick
        if isLess { joined[joined.count - 1] = arrival }
      } else {
        joined.append(arrival)
      }
    }
    arrivals = joined
  }

  private mutating func measure() {
    // A robot that samples much too fast soon has sent its count.
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
      let high = Self.quantile(slopes, 0.75), high - low <= Self.spread * median
    else { return }
    let factor = median / nominal
    guard arrivals.count >= 6 || factor < 0.5 || factor > 2 else { return }
    guard believable.contains(median) else {
      oddPeriod = median
      return
    }
    (period, oddPeriod) = (longestPeriod.map { min(median, $0) } ?? median, nil)
    isMeasured = true
    var residuals = arrivals.map { $0.time - period * $0.tick }
    residuals.sort()
    if let middle = Self.quantile(residuals, 0.5) { origin = middle }
  }

  private static func quantile(_ sorted: [Double], _ part: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
