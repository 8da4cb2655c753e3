// Low-pass and high-pass filters of first order, and the published high pass that is a low pass.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A filter of first order whose ``SmoothingFactor`` may change from sample to sample.
///
/// ``TimedFilter`` and ``AdaptiveFilter`` drive one by its factor.
public protocol FirstOrderFilter<Value>: SampleFilter {
  /// The weight of the newest sample.
  var factor: SmoothingFactor { get set }
  /// The last output; nil before the first sample if the filter starts at it.
  var output: Value? { get }
  /// Makes a filter as if `history` had come in for ever; nil means the first sample.
  init(factor: SmoothingFactor, history: Value?)
  /// The factor that ``AdaptiveFilter`` puts for a nominal one, for a change of 0 (still) to 1 (moving).
  static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor
}

/// The low pass y = F x + (1 - F) y1: slow changes pass, a constant passes unchanged.
///
/// As printed in the iPhone accelerometer literature with F = 0.1, there started at zero.
/// Starting at zero costs 22 samples to 90 % for F = 0.1, so the default start is the first sample.
public struct LowPassFilter<Value: VectorSpace>: FirstOrderFilter {
  /// The weight of the newest sample.
  public var factor: SmoothingFactor
  /// The last output; nil before the first sample if the filter starts at it.
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?
  private let history: Value?

  /// Makes a filter as if `history` had come in for ever; nil means the first sample.
  public init(factor: SmoothingFactor, history: Value? = nil) {
    self.factor = factor
    self.history = history?.isFinite == true ? history : nil
    result = self.history
  }

  /// Filters the next sample.
  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    guard let previous = output else {
      guard sample.isFinite else { return .zero }
      result = sample
      return sample
    }
    // A multiple of what is not finite is not finite either, even by zero: one look is enough.
    let next = sample * factor.value + previous * (1 - factor.value)
    guard _fastPath(next.isFinite) else { return previous }
    result = next
    return next
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { result = history }

  /// Smooths less while moving: the factor falls to a third at rest (AccelerometerGraph).
  @inlinable public static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor {
    SmoothingFactor(clamping: nominal.value * (change + (1 - change) / 3))
  }
}

/// The high pass y = (1 - F)(y1 + x - x1): fast changes pass, a constant gives zero.
///
/// It is x minus ``LowPassFilter`` of the same factor, so both add up to the input.
public struct HighPassFilter<Value: VectorSpace>: FirstOrderFilter {
  @usableFromInline var lowPass: LowPassFilter<Value>
  /// The last output; nil before the first sample if the filter starts at it.
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?

  /// Makes a filter as if `history` had come in for ever; nil means the first sample.
  public init(factor: SmoothingFactor, history: Value? = nil) {
    lowPass = LowPassFilter(factor: factor, history: history)
    result = lowPass.output == nil ? nil : .zero
  }

  /// The weight of the newest sample.
  public var factor: SmoothingFactor {
    @inlinable get { lowPass.factor }
    @inlinable set { lowPass.factor = newValue }
  }

  /// Filters the next sample.
  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    var next = lowPass
    let fast = sample - next(sample)
    guard _fastPath(fast.isFinite) else { return output ?? .zero }
    lowPass = next
    result = fast
    return fast
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    lowPass.reset()
    result = lowPass.output == nil ? nil : .zero
  }

  /// Lets the past fade faster while moving: the weight 1 - F of the past falls to a third (AccelerometerGraph).
  @inlinable public static func adapted(_ nominal: SmoothingFactor, to change: Double) -> SmoothingFactor {
    SmoothingFactor(clamping: 1 - (1 - nominal.value) * (change / 3 + (1 - change)))
  }
}

extension LowPassFilter {
  /// Makes a filter for a cut-off (-3 dB) and a sample rate in Hz; nil unless 0 < cutoff <= sampleRate / 2.
  public init?(cutoff: Double, sampleRate: Double, history: Value? = nil) {
    guard let factor = SmoothingFactor(cutoff: cutoff, sampleRate: sampleRate) else { return nil }
    self.init(factor: factor, history: history)
  }
}

extension HighPassFilter {
  /// Makes a filter for a cut-off (-3 dB) and a sample rate in Hz; nil unless 0 < cutoff <= sampleRate / 2.
  ///
  /// F = e / (1 + e), e = 2 s (sqrt(1 + s^2) - s), s = sin(pi cutoff / rate): exact for the sampled filter,
  /// which weakens half the sample rate itself to (1 - F) / (1 - F / 2).
  public init?(cutoff: Double, sampleRate: Double, history: Value? = nil) {
    let ratio = cutoff / sampleRate
    guard ratio > 0, ratio <= 0.5, cutoff > 0 else { return nil }
    let sine = sin(.pi * ratio)
    let e = 2 * sine * ((1 + sine * sine).squareRoot() - sine)
    self.init(factor: SmoothingFactor(clamping: e / (1 + e)), history: history)
  }
}

/// The formula often printed as a high pass, y = x - F x + (1 - F) y1. **It is a low pass with gain.**
///
/// It lacks the term -x1 of ``HighPassFilter``.
/// A constant comes out (1 - F) / F times as large: nine times for F = 0.1, so a phone at rest reads -9 g.
/// The fastest signal comes out weakened to (1 - F) / (2 - F), 0.47.
/// It is here for the sake of programs that were tuned to it.
public struct PrintedHighPassFilter<Value: VectorSpace>: SampleFilter {
  /// The weight F of the formula.
  public var factor: SmoothingFactor
  @usableFromInline var output = Value.zero

  /// Makes a filter that starts at zero, as printed.
  public init(factor: SmoothingFactor) {
    self.factor = factor
  }

  /// How many times larger a constant comes out, (1 - F) / F; nil for a factor of 0, which adds up without end.
  public var constantGain: Double? { factor.delay }

  /// Filters the next sample.
  @inlinable public mutating func callAsFunction(_ sample: Value) -> Value {
    let next = sample - sample * factor.value + output * (1 - factor.value)
    if next.isFinite { output = next }
    return output
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() { output = .zero }
}
