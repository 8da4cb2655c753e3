// Butterworth filters: flat in the pass band; of second order, 12 dB per octave beyond the cut-off.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A Butterworth low or high pass, of second order unless another is asked for, for samples at even intervals.
///
/// Designed by the bilinear transform with the cut-off exact:
/// K = tan(pi fc / rate), n = 1 / (1 + d K + K^2), a1 = 2 n (K^2 - 1), a2 = n (1 - d K + K^2),
/// b = n K^2 (1, 2, 1) for the low pass, n (1, -2, 1) for the high pass;
/// y = b0 x + b1 x1 + b2 x2 - a1 y1 - a2 y2.
/// The damping d is sqrt2 for second order; order N has N / 2 such sections, d = 2 sin(pi (2 k + 1) / 2 N),
/// and where it is odd one of first order after them.
/// For uneven intervals see ``TimedButterworthFilter``.
public struct ButterworthFilter<Value: VectorSpace>: SampleFilter {
  /// Which side of the cut-off passes.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Slow changes pass.
    case lowPass
    /// Fast changes pass.
    case highPass
  }

  /// The weights b0, b1, b2 of the input and a1, a2 of the output (a0 is 1), of the first section.
  public var coefficients: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) { first.coefficients }
  @usableFromInline let kind: Kind
  private let history: Value?
  @usableFromInline let count: Int
  @usableFromInline let first: Section
  /// The section after the first, where there are two.
  @usableFromInline let second: Section
  @usableFromInline var firstDelays: Delays
  @usableFromInline var secondDelays: Delays
  /// All sections, where there are more than two.
  @usableFromInline var stages: ContiguousArray<Stage>
  @usableFromInline var output: Value?

  /// What a section keeps from sample to sample.
  @usableFromInline struct Delays: Sendable {
    @usableFromInline var first: Value
    @usableFromInline var second: Value

    @inlinable @inline(__always) init(_ first: Value, _ second: Value) {
      (self.first, self.second) = (first, second)
    }

    /// A sum without branches, since a multiple by zero of what is not finite is NaN.
    @inlinable @inline(__always) var isFinite: Bool { (first * 0 + second * 0).isFinite }
  }

  /// A filter of at most second order, in the form with two delays of the sums (transposed direct form II).
  @usableFromInline struct Section: Sendable {
    @usableFromInline let coefficients: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)

    /// Takes a damping, and the tangent of half the angle of the cut-off.
    init(_ kind: Kind, damping: Double, tangent k: Double) {
      let n = 1 / (1 + damping * k + k * k)
      let a1 = 2 * n * (k * k - 1)
      let a2 = n * (1 - damping * k + k * k)
      switch kind {
      case .lowPass: coefficients = (n * k * k, 2 * n * k * k, n * k * k, a1, a2)
      case .highPass: coefficients = (n, -2 * n, n, a1, a2)
      }
    }

    /// Takes the tangent of half the angle of the cut-off for a section of first order.
    init(_ kind: Kind, tangent k: Double) {
      let n = 1 / (1 + k)
      switch kind {
      case .lowPass: coefficients = (n * k, n * k, 0, n * (k - 1), 0)
      case .highPass: coefficients = (n, -n, 0, n * (k - 1), 0)
      }
    }

    /// The output for a sample, and what the next one needs, which is finite only if sample and output are.
    @inlinable @inline(__always) func callAsFunction(_ sample: Value, _ delays: Delays) -> (Value, Delays) {
      let (b0, b1, b2, a1, a2) = coefficients
      // In this order the next output waits for three operations on this one.
      let output = sample * b0 + delays.first
      return (output, Delays((sample * b1 + delays.second) - output * a1, sample * b2 - output * a2))
    }

    /// The output after a constant for ever, and what the next sample needs:
    /// a low pass gives the constant out, a high pass gives zero.
    @inlinable @inline(__always) func settled(at constant: Value, _ kind: Kind) -> (Value, Delays) {
      let (b0, _, b2, _, a2) = coefficients
      let output = kind == .lowPass ? constant : .zero
      return (output, Delays(output - constant * b0, constant * b2 - output * a2))
    }
  }

  /// A section with what it keeps, and room for what it will keep once all sections have taken a sample.
  @usableFromInline struct Stage: Sendable {
    @usableFromInline let section: Section
    @usableFromInline var delays: Delays
    @usableFromInline var next: Delays

    init(_ section: Section, _ delays: Delays) {
      (self.section, self.delays, next) = (section, delays, delays)
    }
  }

  /// Makes a filter for a cut-off (-3 dB) and a sample rate in Hz,
  /// as if `history` had come in for ever; nil means the first sample.
  ///
  /// Returns nil unless 0 < cutoff < sampleRate / 2, and unless the order is 1...16.
  public init?(
    _ kind: Kind, order: Int = 2, cutoff: Double, sampleRate: Double, history: Value? = nil
  ) {
    let ratio = cutoff / sampleRate
    guard ratio > 0, ratio < 0.5, cutoff > 0, (1...16).contains(order) else { return nil }
    let tangent = tan(.pi * ratio)
    var sections = (0..<order / 2).map { index in
      let damping = order == 2 ? 2.0.squareRoot() : 2 * sin(.pi * Double(2 * index + 1) / Double(2 * order))
      return Section(kind, damping: damping, tangent: tangent)
    }
    if order % 2 == 1 { sections.append(Section(kind, tangent: tangent)) }
    self.kind = kind
    self.history = history?.isFinite == true ? history : nil
    count = sections.count
    first = sections[0]
    second = sections[min(1, count - 1)]
    let delays = Delays(.zero, .zero)
    (firstDelays, secondDelays) = (delays, delays)
    stages = count > 2 ? ContiguousArray(sections.map { Stage($0, delays) }) : []
    reset()
  }

  /// Filters the next sample.
  @inlinable @inline(__always) public mutating func callAsFunction(_ sample: Value) -> Value {
    guard let last = output else { return begin(at: sample) }
    guard let result = step(sample) else { return last }
    output = result
    return result
  }

  /// Takes the first sample; until one gets through there is nothing to go on from.
  @inlinable @inline(__always) mutating func begin(at sample: Value) -> Value {
    guard sample.isFinite else { return .zero }
    settle(at: sample)
    output = step(sample)
    return output ?? .zero
  }

  /// Sends a sample through all sections; nil, and nothing changes, where the result would not be finite.
  ///
  /// Nothing that is worked out here is needed behind the call, so it stays in registers.
  @inlinable @inline(__always) mutating func step(_ sample: Value) -> Value? {
    if _slowPath(count > 2) { return withStages { Self.step(sample, &$0) } }
    let (output, next) = first(sample, firstDelays)
    // Most filters have one section: registers are given out for those.
    guard _slowPath(count > 1) else {
      guard _fastPath(next.isFinite) else { return nil }
      firstDelays = next
      return output
    }
    let (result, secondNext) = second(output, secondDelays)
    guard _fastPath(next.isFinite && secondNext.isFinite) else { return nil }
    (firstDelays, secondDelays) = (next, secondNext)
    return result
  }

  /// Sends a sample through stages; nil, and nothing changes, where the result would not be finite.
  @inlinable @inline(never) static func step(_ sample: Value, _ stages: inout ContiguousArray<Stage>)
    -> Value?
  {
    var span = stages.mutableSpan
    var result = sample
    for index in span.indices {
      (result, span[index].next) = span[index].section(result, span[index].delays)
      guard span[index].next.isFinite else { return nil }
    }
    for index in span.indices { span[index].delays = span[index].next }
    return result
  }

  /// Lends the array alone: were it changed in its place, the filter would be in memory and not in registers.
  @inlinable @inline(__always) mutating func withStages<Result>(
    _ body: (inout ContiguousArray<Stage>) -> Result
  ) -> Result {
    var lent = stages
    stages = []
    defer { stages = lent }
    return body(&lent)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    output = nil
    if let history { settle(at: history) }
  }

  @inlinable @inline(__always) mutating func settle(at constant: Value) {
    if count > 2 {
      let kind = kind
      output = withStages { Self.settle(at: constant, kind, &$0) }
      return
    }
    var value: Value
    (value, firstDelays) = first.settled(at: constant, kind)
    if count > 1 { (value, secondDelays) = second.settled(at: value, kind) }
    output = value
  }

  @inlinable @inline(never) static func settle(
    at constant: Value, _ kind: Kind, _ stages: inout ContiguousArray<Stage>
  )
    -> Value
  {
    var value = constant
    for index in stages.indices {
      (value, stages[index].delays) = stages[index].section.settled(at: value, kind)
    }
    return value
  }
}

/// A Butterworth low pass of second order for uneven intervals.
///
/// It solves y'' + 2 (y' / tau) + 2 (y - x) / tau^2 = 0 exactly from sample to sample,
/// with the input held at the mean of the two; so any interval will do, and 0 changes nothing.
/// The cut-off (-3 dB) is sqrt2 / (2 pi tau).
public struct TimedButterworthFilter<Value: VectorSpace>: Sendable {
  /// How the filter begins.
  public enum Start: Hashable, Sendable {
    /// As if the first sample had come in for ever.
    case firstSample
    /// With the mean of all samples until the time constant is over: the quickest way to a calm value.
    case mean
  }

  /// The time in which an oscillation of the filter falls to 1/e.
  public let timeConstant: TimeConstant
  /// How the filter begins.
  public let start: Start
  /// The last output; nil before the first sample.
  @inlinable public var output: Value? { result }
  @usableFromInline var result: Value?
  @usableFromInline var slope = Value.zero
  @usableFromInline var last = Value.zero
  @usableFromInline var elapsed = 0.0
  @usableFromInline var age = 0.0
  @usableFromInline var weights = Weights(step: 0, timeConstant: 1)

  /// What a step does to the distance from the input and to the slope; costly, and the same for every even step.
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

    /// Whether the weights are those of a step to rounding: times of even samples do not differ evenly to the last digit.
    @inlinable func fit(_ other: Double) -> Bool { abs(other - step) <= 1e-8 * step }
  }

  /// Makes a filter.
  public init(timeConstant: TimeConstant, start: Start = .firstSample) {
    self.timeConstant = timeConstant
    self.start = start
  }

  /// Filters a sample that comes `interval` seconds after the one before.
  ///
  /// An interval that is negative or NaN counts as 0; that of the first sample does not matter.
  /// The time of a sample that is not finite is added to that of the next.
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
      // Nothing is left of the past; sin and cos of the turn would be noise.
      (result, slope, last, elapsed, age) = (held, .zero, sample, 0, tau)
      return held
    }
    if !weights.fit(step) { weights = Weights(step: step, timeConstant: tau) }
    let distance = previous - held
    let next = held + distance * weights.distanceToDistance + slope * weights.slopeToDistance
    let nextSlope = slope * weights.slopeToSlope + distance * weights.distanceToSlope
    guard next.isFinite, nextSlope.isFinite else { return previous }
    (result, slope, last, elapsed, age) = (next, nextSlope, sample, 0, tau)
    return next
  }

  /// Filters a mean over the time since the sample before: it is held over its interval.
  mutating func average(_ mean: Value, after interval: Double) -> Value {
    if mean.isFinite, output != nil { last = mean }
    return self(mean, after: interval)
  }

  /// Goes on as if a constant had come in for ever; ignored if it is not finite.
  mutating func settle(at constant: Value) {
    guard constant.isFinite else { return }
    (result, slope, last, elapsed, age) = (constant, .zero, constant, 0, timeConstant.seconds)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    self = TimedButterworthFilter(timeConstant: timeConstant, start: start)
  }
}
