// The true rate of a stream of samples, from the times at which they arrive.

import SpheroHost
public import SpheroOrientation

/// Estimates the interval of samples that a robot takes evenly and a radio link delivers unevenly.
///
/// A clock that is wrong by 5 % (400 Hz against 420 Hz) ruins a heading, so the rate must be measured.
/// It is measured as a session measures that of its robot: every delivery is late by some time, never early,
/// so the median slope between the least late samples of up to 32 stretches of time is the interval (Theil and Sen).
/// Stalls and bursts, even in a quarter of the stretches, leave it alone, and memory and time per sample stay bounded.
public struct SampleClock: StreamProcessor {
  /// The interval that is assumed until there is enough to measure one, in seconds; positive.
  public let nominalInterval: Double
  /// The intervals in seconds that can be meant.
  private static let intervals = 1e-6...1e3
  private static let latestArrival = 1e12
  private var rate: RateEstimate
  private var index = 0.0
  private var first: Double?
  private var time: Double?

  /// Makes a clock for a stream of about `nominalRate` samples per second; nil outside 0.001...1,000,000.
  public init?(nominalRate: Double) {
    guard Self.intervals.contains(1 / nominalRate) else { return nil }
    self.init(nominalInterval: 1 / nominalRate)
  }

  private init(nominalInterval: Double) {
    self.nominalInterval = nominalInterval
    rate = RateEstimate(nominal: nominalInterval, believable: Self.intervals)
  }

  /// The measured interval in seconds; the nominal one until the arrivals of a few stretches agree within 2 %.
  public var interval: Double { rate.period }

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
      rate.note(RateEstimate.Arrival(tick: 0, time: 0))
      return arrival
    }
    let now = last + interval
    time = now
    if abs(arrival) < Self.latestArrival {
      rate.note(RateEstimate.Arrival(tick: index, time: arrival - started))
    }
    return now
  }

  /// Counts samples that are known to be lost; a negative count is ignored.
  public mutating func skip(_ count: Int) {
    guard count > 0, let last = time else { return }
    index += Double(count)
    time = last + Double(count) * interval
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { self = SampleClock(nominalInterval: nominalInterval) }
}
