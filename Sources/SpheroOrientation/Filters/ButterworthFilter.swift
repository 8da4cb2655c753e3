// Butterworth filters for even and uneven intervals.

import SpheroLibc

/// A Butterworth low or high pass of order 1 to 16 for samples at even intervals.
///
/// Designed by the bilinear transform with an exact cut-off:
/// K = tan(pi fc / rate), n = 1 / (1 + d K + K^2), a1 = 2 n (K^2 - 1), a2 = n (1 - d K + K^2),
/// b = n K^2 (1, 2, 1) for the low pass, n (1, -2, 1) for the high pass;
/// y = b0 x + b1 x1 + b2 x2 - a1 y1 - a2 y2.
/// The damping d is sqrt2 for second order. Order N has N / 2 such sections, d = 2 sin(pi (2 k + 1) / (2 N)) for k = 0 ..< N / 2,
/// followed by one of first order if N is odd.
/// For uneven intervals see ``TimedButterworthFilter``.
public struct ButterworthFilter<Value: VectorSpace>: SampleFilter {
  /// The frequencies that pass.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case lowPass
    case highPass
  }

  /// The weights b0, b1, b2 of the input and a1, a2 of the output (a0 is 1), of the first section.
  public var coefficients: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    first.coefficients
  }
  @usableFromInline let kind: Kind
  private let history: Value?
  /// Up to two sections are outside the array, so that filters of order 1 to 4 stay in registers.
  @usableFromInline let first: Section
  @usableFromInline let second: Section?
  @usableFromInline var firstState = State(.zero, .zero)
  @usableFromInline var secondState = State(.zero, .zero)
  @usableFromInline var rest: ContiguousArray<Stage>
  @usableFromInline var output: Value?

  @usableFromInline struct State: Sendable {
    @usableFromInline var first = Value.zero
    @usableFromInline var second = Value.zero

    @inlinable @inline(__always) init(_ first: Value, _ second: Value) {
      (self.first, self.second) = (first, second)
    }

    // A value that is not finite times zero is NaN, so one check of the sum is enough.
    @inlinable @inline(__always) var isFinite: Bool { (first * 0 + second * 0).isFinite }
  }

  /// A section after the second, with its state before and after the current sample.
  @usableFromInline struct Stage: Sendable {
    @usableFromInline let section: Section
    @usableFromInline var state = State(.zero, .zero)
    @usableFromInline var next = State(.zero, .zero)
  }

  /// A section of first or second order in transposed direct form II.
  @usableFromInline struct Section: Sendable {
    @usableFromInline let coefficients: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)

    /// Creates a section of second order from the tangent of half the cut-off angle.
    init(_ kind: Kind, damping: Double, tangent k: Double) {
      let n = 1 / (1 + damping * k + k * k)
      let a1 = 2 * n * (k * k - 1)
      let a2 = n * (1 - damping * k + k * k)
      switch kind {
      case .lowPass: coefficients = (n * k * k, 2 * n * k * k, n * k * k, a1, a2)
      case .highPass: coefficients = (n, -2 * n, n, a1, a2)
      }
    }

    /// Creates a section of first order from the tangent of half the cut-off angle.
    init(_ kind: Kind, tangent k: Double) {
      let n = 1 / (1 + k)
      switch kind {
      case .lowPass: coefficients = (n * k, n * k, 0, n * (k - 1), 0)
      case .highPass: coefficients = (n, -n, 0, n * (k - 1), 0)
      }
    }

    /// Filters a sample and returns the next state, which is finite only if sample and output are.
    @inlinable @inline(__always) func callAsFunction(_ sample: Value, _ state: State) -> (Value, State) {
      let (b0, b1, b2, a1, a2) = coefficients
      let output = sample * b0 + state.first
      return (output, State((sample * b1 + state.second) - output * a1, sample * b2 - output * a2))
    }

    /// The output and the state that a constant input leads to: the constant for a low pass, zero for a high pass.
    @inlinable @inline(__always) func steadyState(at constant: Value, _ kind: Kind) -> (Value, State) {
      let (b0, _, b2, _, a2) = coefficients
      let output = kind == .lowPass ? constant : .zero
      return (output, State(output - constant * b0, constant * b2 - output * a2))
    }
  }

  /// Creates a filter for a cut-off (-3 dB) and a sample rate in Hz.
  ///
  /// The filter starts as if its input had always been `history`, or the first sample if that is nil.
  /// Returns nil unless 1e-6 <= cutoff / sampleRate < 0.5 and the order is 1...16: at lower ratios, rounding of the
  /// coefficients changes the gain of a constant.
  public init?(
    _ kind: Kind, order: Int = 2, cutoff: Double, sampleRate: Double, history: Value? = nil
  ) {
    let ratio = cutoff / sampleRate
    guard ratio >= 1e-6, ratio < 0.5, cutoff > 0, (1...16).contains(order) else { return nil }
    let tangent = tan(.pi * ratio)
    var sections = (0..<order / 2).map { index in
      let damping =
        order == 2 ? 2.0.squareRoot() : 2 * sin(.pi * Double(2 * index + 1) / Double(2 * order))
      return Section(kind, damping: damping, tangent: tangent)
    }
    if order % 2 == 1 { sections.append(Section(kind, tangent: tangent)) }
    first = sections[0]
    second = sections.dropFirst().first
    rest = ContiguousArray(sections.dropFirst(2).map { Stage(section: $0) })
    self.kind = kind
    self.history = history?.isFinite == true ? history : nil
    reset()
  }

  /// Filters the next sample.
  @inlinable @inline(__always) public mutating func callAsFunction(_ sample: Value) -> Value {
    let last = output
    if last == nil {
      guard sample.isFinite else { return .zero }
      setSteadyState(at: sample)
    }
    guard let result = step(sample) else {
      output = last
      return last ?? .zero
    }
    output = result
    return result
  }

  /// Filters a sample with all sections; nil, without a change of state, if a state is not finite.
  @inlinable @inline(__always) mutating func step(_ sample: Value) -> Value? {
    let (output, next) = first(sample, firstState)
    guard _fastPath(next.isFinite) else { return nil }
    guard _slowPath(second != nil), let second else {
      firstState = next
      return output
    }
    let (filtered, secondNext) = second(output, secondState)
    guard _fastPath(secondNext.isFinite),
      let result = _fastPath(rest.isEmpty) ? filtered : withRest({ Self.filter(filtered, with: &$0) })
    else { return nil }
    (firstState, secondState) = (next, secondNext)
    return result
  }

  /// Filters a sample with the sections of the array; nil, without a change of state, if a state is not finite.
  @inlinable @inline(never) static func filter(
    _ sample: Value, with sections: inout ContiguousArray<Stage>
  ) -> Value? {
    var stages = sections.mutableSpan
    var result = sample
    for index in stages.indices {
      (result, stages[index].next) = stages[index].section(result, stages[index].state)
      guard stages[index].next.isFinite else { return nil }
    }
    for index in stages.indices { stages[index].state = stages[index].next }
    return result
  }

  public mutating func reset() {
    output = nil
    if let history { setSteadyState(at: history) }
  }

  @inlinable @inline(__always) mutating func setSteadyState(at constant: Value) {
    var value: Value
    (value, firstState) = first.steadyState(at: constant, kind)
    if let second { (value, secondState) = second.steadyState(at: value, kind) }
    let kind = kind
    output = _fastPath(rest.isEmpty) ? value : withRest { Self.setSteadyState(of: &$0, at: value, kind) }
  }

  @inlinable @inline(never) static func setSteadyState(
    of sections: inout ContiguousArray<Stage>, at constant: Value, _ kind: Kind
  ) -> Value {
    var value = constant
    for index in sections.indices {
      (value, sections[index].state) = sections[index].section.steadyState(at: value, kind)
    }
    return value
  }

  /// Passes the array alone to `body`: a reference to the filter would keep the whole filter in memory
  /// instead of in registers.
  @inlinable @inline(__always) mutating func withRest<Result>(
    _ body: (inout ContiguousArray<Stage>) -> Result
  ) -> Result {
    var lent = rest
    rest = []
    defer { rest = lent }
    return body(&lent)
  }
}

/// A Butterworth low pass of second order for uneven intervals.
///
/// It solves y'' + 2 (y' / tau) + 2 (y - x) / tau^2 = 0 exactly between samples,
/// with the input held at the mean of two samples, for any interval.
/// The cut-off (-3 dB) is sqrt2 / (2 pi tau).
public struct TimedButterworthFilter<Value: VectorSpace>: Sendable {
  /// The initial behaviour of the filter.
  public enum Start: Hashable, Sendable {
    /// The filter starts in the steady state of the first sample.
    case firstSample
    /// For one time constant, the filter returns a running mean, which converges fastest. The weight of a sample is
    /// h / (t + h), for the interval h before it and the time t since the first sample: with even intervals, the
    /// result is the mean of all samples.
    case mean
  }

  /// The time in which an oscillation of the filter falls to 1/e.
  public let timeConstant: TimeConstant
  /// The state before the first sample.
  public let start: Start
  /// The last output; nil before the first sample.
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?
  /// The derivative of the output per second.
  @usableFromInline var slope = Value.zero
  @usableFromInline var last = Value.zero
  /// The time since ``last`` in seconds.
  @usableFromInline var elapsed = 0.0
  /// The time since the first sample in seconds, limited to the time constant; counted only for ``Start/mean``.
  @usableFromInline var age = 0.0
  @usableFromInline var weights = Weights(step: 0, timeConstant: 1)

  /// The transition matrix of a step in seconds, kept because it is expensive, and the same for even intervals.
  @usableFromInline struct Weights: Sendable {
    @usableFromInline var step: Double
    @usableFromInline var distanceToDistance: Double
    @usableFromInline var slopeToDistance: Double
    @usableFromInline var distanceToSlope: Double
    @usableFromInline var slopeToSlope: Double

    @usableFromInline init(step: Double, timeConstant tau: Double) {
      let turn = step / tau
      let (decay, cosine, sine) = (exp(-turn), cos(turn), sin(turn))
      self.step = step
      distanceToDistance = (cosine + sine) * decay
      slopeToDistance = sine * tau * decay
      distanceToSlope = -2 * sine / tau * decay
      slopeToSlope = (cosine - sine) * decay
    }

    /// Whether the weights apply to a step, apart from rounding errors of the times.
    @inlinable func matches(_ other: Double) -> Bool { abs(other - step) <= 1e-8 * step }
  }

  public init(timeConstant: TimeConstant, start: Start = .firstSample) {
    (self.timeConstant, self.start) = (timeConstant, start)
  }

  /// Filters a sample that follows the previous one after `interval` seconds.
  ///
  /// A negative or NaN interval counts as 0; the interval of the first sample is ignored.
  /// The interval of a sample that is not finite is added to that of the next sample.
  @inlinable public mutating func callAsFunction(_ sample: Value, after interval: Double) -> Value {
    if interval > 0 { elapsed += interval }
    guard sample.isFinite else { return output ?? .zero }
    guard let previous = output else {
      (result, last, elapsed) = (sample, sample, 0)
      return sample
    }
    let step = min(elapsed, .greatestFiniteMagnitude)
    let tau = timeConstant.seconds
    if start == .mean, age + step < tau {
      let weight = step / (age + 2 * step)
      let mean = previous * (1 - weight) + sample * weight
      guard step > 0, mean.isFinite else { return previous }
      (result, last, elapsed) = (mean, sample, 0)
      age += step
      return mean
    }
    let held = last * 0.5 + sample * 0.5
    guard step / tau < 700 else {
      // The past has decayed completely, and sin and cos of the angle would be noise.
      (result, slope, last, elapsed, age) = (held, .zero, sample, 0, tau)
      return held
    }
    if !weights.matches(step) { weights = Weights(step: step, timeConstant: tau) }
    let distance = previous - held
    let next = held + distance * weights.distanceToDistance + slope * weights.slopeToDistance
    let nextSlope = slope * weights.slopeToSlope + distance * weights.distanceToSlope
    guard next.isFinite, nextSlope.isFinite else { return previous }
    (result, slope, last, elapsed, age) = (next, nextSlope, sample, 0, tau)
    return next
  }

  /// Filters the mean of the input since the previous sample; the filter holds this mean over the interval.
  mutating func average(_ mean: Value, after interval: Double) -> Value {
    if mean.isFinite, output != nil { last = mean }
    return self(mean, after: interval)
  }

  /// Sets the steady state of a constant input; ignored if it is not finite.
  mutating func setSteadyState(at constant: Value) {
    guard constant.isFinite else { return }
    (result, slope, last, elapsed, age) = (constant, .zero, constant, 0, timeConstant.seconds)
  }

  /// Discards all samples and keeps the settings.
  public mutating func reset() {
    self = TimedButterworthFilter(timeConstant: timeConstant, start: start)
  }
}
