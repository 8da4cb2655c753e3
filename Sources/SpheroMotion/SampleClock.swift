// The true rate of a stream of samples, estimated from their arrivals.

import SpheroHost
public import SpheroOrientation
import SpheroProtocol

/// Estimates the interval of samples that a robot measures evenly and a radio link delivers unevenly.
///
/// The interval is the median slope (Theil–Sen) between the least delayed samples of up to 32 segments of the stream.
/// Stalls and bursts in up to a quarter of the segments do not change it; memory and time per sample are bounded.
public struct SampleClock: StreamProcessor {
  private let nominalInterval: Double
  /// The valid intervals in seconds.
  private static let intervals = 1e-6...1e3
  private var rate: RateEstimate
  /// The number of samples since the first one, including lost ones.
  private var index = 0.0
  private var firstArrival: Double?
  private var lastTime: Double?

  /// Creates a clock for a stream of about `nominalRate` samples per second; nil outside 0.001...1,000,000.
  public init?(nominalRate: Double) {
    guard Self.intervals.contains(1 / nominalRate) else { return nil }
    self.init(nominalInterval: 1 / nominalRate)
  }

  private init(nominalInterval: Double) {
    self.nominalInterval = nominalInterval
    rate = RateEstimate(nominal: nominalInterval, plausible: Self.intervals)
  }

  /// The measured interval in seconds; the nominal one until the arrivals of a few segments agree within 2 %.
  public var interval: Double { rate.period }

  /// The measured rate in Hz.
  public var sampleRate: Double { 1 / interval }

  /// Processes the arrival of the next sample, in seconds since any fixed time, and returns its time without jitter.
  ///
  /// The returned time starts at the arrival of the first sample and grows by ``interval`` per sample.
  /// For several samples in one packet, pass the same arrival for each.
  /// An arrival that is not finite or beyond ±1e12 s counts as a sample with an unknown arrival; before the first known one,
  /// the returned time is 0.
  public mutating func callAsFunction(_ arrival: Double) -> Double {
    defer { index += 1 }
    let isKnown = abs(arrival) < Double(TimeLimit.seconds)
    guard let firstArrival, let lastTime else {
      guard isKnown else { return 0 }
      (self.firstArrival, self.lastTime, index) = (arrival, arrival, 0)
      rate.record(RateEstimate.Arrival(tick: 0, time: 0))
      return arrival
    }
    let time = lastTime + interval
    self.lastTime = time
    if isKnown { rate.record(RateEstimate.Arrival(tick: index, time: arrival - firstArrival)) }
    return time
  }

  /// Advances by a number of lost samples; a negative count is ignored.
  public mutating func skip(_ count: Int) {
    guard count > 0, let lastTime else { return }
    index += Double(count)
    self.lastTime = lastTime + Double(count) * interval
  }

  /// Discards the state, and keeps the nominal interval.
  public mutating func reset() { self = SampleClock(nominalInterval: nominalInterval) }
}
