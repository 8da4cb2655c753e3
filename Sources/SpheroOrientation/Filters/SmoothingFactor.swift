// The strength of a first-order filter: factor, cut-off and time constant, and their conversions.

import SpheroLibc

/// The weight F of the newest sample x in y = F x + (1 - F) y1 with the previous output y1, from 0 (constant output)
/// to 1 (no smoothing).
///
/// This is the "filter factor" of the accelerometer literature, where 0.1 is usual.
/// Its time constant and cut-off depend on the sample rate.
public struct SmoothingFactor: Hashable, Sendable, ExpressibleByFloatLiteral, CustomStringConvertible {
  /// The weight of the newest sample, 0...1.
  public let value: Double

  /// Creates a factor; nil if it is NaN or outside 0...1. A literal, which is not optional, is clamped instead.
  public init?(_ value: Double) {
    guard (0...1).contains(value) else { return nil }
    self.value = value
  }

  /// Creates a factor from a literal, clamped to 0...1.
  public init(floatLiteral value: Double) { self.init(clamping: value) }

  /// Creates a factor clamped to 0...1; NaN counts as 0.
  @inlinable public init(clamping value: Double) {
    self.value = value > 0 ? min(value, 1) : 0
  }

  /// Creates the exact factor of a low pass with a cut-off (-3 dB) at a sample rate, both in Hz.
  ///
  /// F = -k + sqrt(k^2 + 2k), k = 1 - cos(2 pi cutoff / rate).
  /// Returns nil unless 0 < cutoff <= sampleRate / 2; a cut-off of up to 1 % more counts as half the rate.
  public init?(cutoff: Double, sampleRate: Double) {
    guard let sine = Self.halfAngleSine(cutoff: cutoff, sampleRate: sampleRate) else { return nil }
    let k = 2 * sine * sine
    self.init(clamping: (k * (k + 2)).squareRoot() - k)
  }

  /// Returns sin(pi cutoff / rate); nil unless 0 < cutoff <= sampleRate / 2, with a tolerance of 1 %.
  static func halfAngleSine(cutoff: Double, sampleRate: Double) -> Double? {
    let ratio = cutoff / sampleRate
    // The tolerance of 1 % allows for the variation of measured intervals.
    return ratio > 0 && ratio <= 0.505 && cutoff > 0 ? sin(.pi * min(ratio, 0.5)) : nil
  }

  /// Returns the cut-off (-3 dB) of the low pass in Hz: sin(pi fc / rate) = F / (2 sqrt(1 - F)).
  ///
  /// Returns nil for factors of 0 and above 2 (sqrt 2 - 1) = 0.828, which have no cut-off,
  /// and for a rate that is not positive and finite.
  public func cutoff(sampleRate: Double) -> Double? {
    guard value > 0, value < 1, sampleRate > 0, sampleRate.isFinite else { return nil }
    let sine = value / (2 * (1 - value).squareRoot())
    // Tolerates rounding at the bound.
    guard sine <= 1 + 1e-12 else { return nil }
    return sampleRate * (asin(min(sine, 1)) / .pi)
  }

  /// Returns the time constant, tau = -interval / ln(1 - F), at an interval between samples in seconds;
  /// nil for factors of 0 and 1, and for an interval that is not positive and finite.
  public func timeConstant(interval: Double) -> TimeConstant? {
    guard value > 0, value < 1 else { return nil }
    return TimeConstant(seconds: -interval / log1p(-value))
  }

  /// Returns the number of samples, not rounded, after which a step response reaches a share of 0..<1.
  ///
  /// n = ln(1 - share) / ln(1 - F): 0.5 gives the half-life, 0.9 the usual rise time.
  /// Returns nil for a factor of 0 and for a share outside the range.
  public func samples(toReach share: Double) -> Double? {
    guard value > 0, (0..<1).contains(share) else { return nil }
    return value == 1 ? 0 : log1p(-share) / log1p(-value)
  }

  /// The gain of the low pass for the power of white noise, F / (2 - F).
  public var noisePowerGain: Double { value / (2 - value) }

  /// The delay of the low pass for slow signals in samples, (1 - F) / F; nil for a factor of 0.
  public var delay: Double? {
    let delay = (1 - value) / value
    return delay.isFinite ? delay : nil
  }

  public var description: String { "\(value)" }
}

/// The time in seconds after which the response of a first-order filter to the past has decayed to 1/e.
public struct TimeConstant: Hashable, Sendable, CustomStringConvertible {
  /// Positive and finite.
  public let seconds: Double

  /// Creates a time constant; nil unless it is positive and finite.
  public init?(seconds: Double) {
    guard seconds > 0, seconds.isFinite else { return nil }
    self.seconds = seconds
  }

  /// Creates the time constant of a cut-off in Hz, tau = 1 / (2 pi fc); nil unless it is positive and finite.
  public init?(cutoff: Double) { self.init(seconds: 1 / (2 * .pi * cutoff)) }

  /// Creates a time constant from a valid value.
  init(known seconds: Double) { self.seconds = seconds }

  /// The cut-off of the first-order filter in Hz, fc = 1 / (2 pi tau).
  public var cutoff: Double { min(1 / (2 * .pi * seconds), .greatestFiniteMagnitude) }

  /// The conversion from a time constant to the factor of a step.
  public enum Rule: Hashable, Sendable, CaseIterable {
    /// F = 1 - exp(-interval / tau): the filter in continuous time, with its input held between samples.
    case exact
    /// F = interval / (interval + tau): the usual approximation, as in Apple's AccelerometerGraph sample.
    ///
    /// Smaller than the exact factor by 3 % at a cut-off of 1 % of the sample rate, and by 17 % at 10 %.
    case backwardEuler
    /// The factor whose filter has a gain of -3 dB at the cut-off, 1 / (2 pi tau), if the intervals are even.
    ///
    /// With the exact factor, the gain there is -2.5 dB at a cut-off of 20 % of the sample rate.
    /// An interval over half a period of the cut-off has no such factor and gets the exact one.
    /// The factor of a high pass differs: see ``HighPassFilter/factor(cutoff:sampleRate:)``.
    case exactCutoff
  }

  /// Returns the factor of a low pass for a sample that follows the previous one after `interval` seconds.
  ///
  /// A negative, zero or NaN interval gives 0, and an infinite one gives 1.
  @inlinable public func factor(over interval: Double, rule: Rule = .exact) -> SmoothingFactor {
    guard interval > 0 else { return SmoothingFactor(clamping: 0) }
    guard interval.isFinite else { return SmoothingFactor(clamping: 1) }
    switch rule {
    case .exact: break
    case .backwardEuler: return SmoothingFactor(clamping: 1 / (1 + seconds / interval))
    case .exactCutoff:
      if let factor = SmoothingFactor(cutoff: cutoff, sampleRate: 1 / interval) { return factor }
    }
    return SmoothingFactor(clamping: -Self.exponentialMinusOne(-interval / seconds))
  }

  /// Returns exp(x) - 1, for inlinable code in modules that do not import the C library.
  @usableFromInline static func exponentialMinusOne(_ exponent: Double) -> Double { expm1(exponent) }

  public var description: String { "\(seconds) s" }
}
