// From rotation rates to an attitude, to the fourth order at robot rates.

/// Adds up rotation rates to an attitude (strapdown integration).
///
/// A robot streams every n-th reading of its gyroscope.
/// At rates below about 60 Hz the rate changes between two readings so much that holding it over the step
/// loses more accuracy than any filter behind it can win back.
/// So the rate is taken as a polynomial through the readings.
/// With the readings w0, w1, w2, w3 at even steps of length h, the mean rate over the last step is
/// (-w1 + 8 w2 + 5 w3) / 12 (Adams and Moulton, third order),
/// and over the step before, now that its far side is known, (-w0 + 13 w1 + 13 w2 - w3) / 24.
/// To both comes the coning term h / 12 (w_from x w_to), for the axis turns as well.
/// The last step is thus taken twice: first as well as can be known, then again for good.
/// Uneven steps use the same polynomials through the true times (Newton's divided differences).
///
/// Above about 60 Hz a reading of a common gyroscope is nearly the mean over its own step,
/// and holding it is as good or better (measured on BROAD); for readings that are not, lower
/// ``shortestCurvedStep``.
public struct RateIntegrator: Sendable {
  /// The shortest step in seconds over which the rate is not held.
  public let shortestCurvedStep: Double

  /// The attitude after the last reading: takes body to the frame of the first reading.
  public private(set) var attitude: Rotation
  /// The attitude after the reading before the last, which no longer changes.
  private var settled: Rotation
  /// The last reading, and the two before it as far as they are known.
  private var end: Vector3?
  private var start: Reading?
  private var beforeStart: Reading?

  /// A reading and the time from it to the next.
  private struct Reading: Sendable {
    var rate: Vector3
    var step: Double
  }

  /// Makes an integrator that stands at an attitude.
  public init(attitude: Rotation = .identity, shortestCurvedStep: Double = 1.0 / 60) {
    self.attitude = attitude
    self.shortestCurvedStep = shortestCurvedStep
    settled = attitude
  }

  /// Takes the rate in rad/s, body axes, `interval` seconds after the reading before; gives the attitude.
  ///
  /// The first reading after a start or a gap only begins a step.
  /// A reading that is not finite is ignored, and so is one whose interval is not positive and finite.
  public mutating func callAsFunction(_ rate: Vector3, after interval: Double) -> Rotation {
    guard rate.isFinite else { return attitude }
    guard let last = end else {
      end = rate
      return attitude
    }
    guard interval > 0, interval.isFinite else { return attitude }
    if let start {
      let mean = meanRate(before: beforeStart, start, end: last, next: (rate, interval))
      settled = Self.turned(settled, by: mean, for: start.step)
    }
    beforeStart = start
    start = Reading(rate: last, step: interval)
    end = rate
    let mean = meanRate(before: beforeStart, Reading(rate: last, step: interval), end: rate, next: nil)
    attitude = Self.turned(settled, by: mean, for: interval)
    return attitude
  }

  /// Stays at the attitude but forgets the readings, as after a gap.
  public mutating func interrupt() {
    self = RateIntegrator(attitude: attitude, shortestCurvedStep: shortestCurvedStep)
  }

  /// The mean rate over the step from `start` to `end`, coning included.
  private func meanRate(
    before: Reading?, _ start: Reading, end: Vector3, next: (rate: Vector3, step: Double)?
  ) -> Vector3 {
    let step = start.step
    guard step > shortestCurvedStep else { return end }
    let slope = (end - start.rate) * (1 / step)
    var mean = (start.rate + end) * 0.5 + start.rate.cross(end) * (step / 12)
    func bend(_ earlier: Vector3, _ later: Vector3, over time: Double) -> Vector3 {
      (later - earlier) * (1 / time)
    }
    let slopeBefore = before.map { bend($0.rate, start.rate, over: $0.step) }
    let slopeAfter = next.map { bend(end, $0.rate, over: $0.step) }
    let bendBefore = before.flatMap { reading in
      slopeBefore.map { bend($0, slope, over: reading.step + step) }
    }
    let bendAfter = next.flatMap { reading in
      slopeAfter.map { bend(slope, $0, over: step + reading.step) }
    }
    guard let bending = bendBefore ?? bendAfter else { return mean }
    mean = mean - bending * (step * step / 6)
    if let bendBefore, let bendAfter, let before, let next {
      let change = bend(bendBefore, bendAfter, over: before.step + step + next.step)
      mean = mean - change * (step * step * (step + 2 * before.step) / 12)
    }
    return mean
  }

  /// The attitude after a mean rate for a time; unchanged if that is more than can be counted.
  private static func turned(_ attitude: Rotation, by rate: Vector3, for step: Double) -> Rotation {
    Rotation(rotationVector: rate * step).map { attitude * $0 } ?? attitude
  }
}
