// The true rate of a stream of samples, from the times at which they arrive.

/// Estimates the interval of samples that a robot takes evenly and a radio link delivers unevenly.
///
/// A clock that is wrong by 5 % (400 Hz against 420 Hz) ruins a heading, so the rate must be measured.
/// Every delivery is late by some time, never early.
/// The clock keeps the least late sample of each of up to 64 stretches of the stream
/// and takes the median of the slopes between all pairs of them (Theil and Sen):
/// stalls and bursts, even in a quarter of the stretches, leave it alone.
/// As the stream goes on the stretches grow, so memory and time per sample stay bounded.
///
/// With arrivals late by up to 50 ms the interval is good to 1 in 10,000 after a few minutes.
public struct SampleClock: StreamProcessor {
  /// The interval that is assumed until there is enough to measure one, in seconds; positive.
  public let nominalInterval: Double
  /// The measured interval in seconds; the nominal one before the stream spans four stretches.
  public private(set) var interval: Double
  /// The intervals in seconds that can be meant.
  private static let intervals = 1e-6...1e3
  private static let latestArrival = 1e12
  private var index = 0.0
  private var first: Double?
  private var time: Double?
  private var stretch: [Arrival] = []
  private var length = 16.0
  private var current: Arrival?

  /// A sample's place in the stream and the time at which it arrived after the first.
  private struct Arrival: Sendable {
    var index: Double
    var seconds: Double

    func slope(to other: Arrival) -> Double { (other.seconds - seconds) / (other.index - index) }
  }

  /// Makes a clock for a stream of about `nominalRate` samples per second; nil outside 0.001...1,000,000.
  public init?(nominalRate: Double) {
    guard Self.intervals.contains(1 / nominalRate) else { return nil }
    nominalInterval = 1 / nominalRate
    interval = nominalInterval
  }

  /// The measured rate in Hz.
  public var sampleRate: Double { 1 / interval }

  /// Takes the arrival of the next sample, in seconds since any fixed moment;
  /// gives its time without jitter.
  ///
  /// That time counts from the arrival of the first sample and grows by ``interval`` each time.
  /// For several samples in one packet call with the same arrival for each.
  /// An arrival that is not finite, or beyond 1e12 seconds, counts as a sample whose time was not noted.
  public mutating func callAsFunction(_ arrival: Double) -> Double {
    defer { index += 1 }
    guard let started = first, let last = time else {
      guard abs(arrival) < Self.latestArrival else { return 0 }
      (first, time, index) = (arrival, arrival, 0)
      note(Arrival(index: 0, seconds: 0))
      return arrival
    }
    let now = last + interval
    time = now
    if abs(arrival) < Self.latestArrival { note(Arrival(index: index, seconds: arrival - started)) }
    return now
  }

  /// Counts samples that are known to be lost; a negative count is ignored.
  public mutating func skip(_ count: Int) {
    guard count > 0, let last = time else { return }
    index += Double(count)
    time = last + Double(count) * interval
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    self = SampleClock(nominalInterval: nominalInterval)
  }

  private init(nominalInterval: Double) {
    self.nominalInterval = nominalInterval
    interval = nominalInterval
  }

  /// Keeps the arrival if it is the least late of its stretch.
  private mutating func note(_ arrival: Arrival) {
    guard let best = current else {
      current = arrival
      return
    }
    let isSameStretch = (best.index / length).rounded(.down) == (arrival.index / length).rounded(.down)
    guard isSameStretch else {
      stretch.append(best)
      current = arrival
      if stretch.count == 64 { merge() }
      measure()
      return
    }
    if lateness(arrival) < lateness(best) { current = arrival }
  }

  /// How late an arrival is, against the rate known so far.
  private func lateness(_ arrival: Arrival) -> Double { arrival.seconds - arrival.index * interval }

  /// Makes two stretches one, all along.
  private mutating func merge() {
    length *= 2
    var merged: [Arrival] = []
    for arrival in stretch {
      guard let last = merged.last,
        (last.index / length).rounded(.down) == (arrival.index / length).rounded(.down)
      else {
        merged.append(arrival)
        continue
      }
      if lateness(arrival) < lateness(last) { merged[merged.count - 1] = arrival }
    }
    stretch = merged
  }

  /// Takes the median of all slopes as the interval.
  private mutating func measure() {
    guard stretch.count >= 4 else { return }
    var slopes: [Double] = []
    slopes.reserveCapacity(stretch.count * (stretch.count - 1) / 2)
    for (position, start) in stretch.enumerated() {
      for end in stretch[(position + 1)...] { slopes.append(start.slope(to: end)) }
    }
    slopes.sort()
    guard !slopes.isEmpty else { return }
    let median = slopes[slopes.count / 2]
    // A stream that stands still or runs backwards has no rate.
    if Self.intervals.contains(median) { interval = median }
  }
}
