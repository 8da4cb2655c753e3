// From rotation rates to an attitude, to the order that the readings are good for.

/// Adds up rotation rates to an attitude (strapdown integration).
///
/// What a step adds depends on what a reading stands for; see ``Readings``.
/// A point of a curve must not be held over the step: the rate is a polynomial through the last readings.
/// With the readings r0, r1, r2 at even steps of length h, each the mean over a time a up to its moment,
/// the mean rate over the last step is
///
///     r2 - (1 - a/h)/2 (r2 - r1) - (1 - (a/h)^2)/12 (r2 - 2 r1 + r0)
///
/// For points, a = 0, these are the weights 5, 8, -1 over 12 of Adams and Moulton; for means, a = h, it is r2.
/// To both comes the coning term h/12 (r1 x r2), for the axis turns as well.
/// Points get the next two terms of Adams and Moulton, -1/24 of the third difference and -19/720 of the fourth,
/// as long as each difference is smaller than the one before, on average over a second:
/// then the steps are short beside what the body does, and the series gets better with each term.
/// Where it does not, the rate is too low for the motion or the noise is all there is, and the terms are left out.
/// Uneven steps use the same polynomials through the true times (Newton's divided differences).
public struct RateIntegrator: Sendable {
  /// What a reading of a gyroscope stands for: the rate at its moment, or the mean over some time up to it.
  public struct Readings: Hashable, Sendable {
    /// The time in seconds up to the moment of a reading over which it is the mean; infinite for the whole step.
    let seconds: Double

    /// Each reading is the rate at its moment, as on a robot that streams every n-th reading of its gyroscope.
    public static let points = Readings(seconds: 0)
    /// Each reading is the mean rate since the one before, as of a gyroscope that is read as often as it samples,
    /// or where every n readings were averaged.
    public static let means = Readings(seconds: .infinity)

    /// Each reading is the mean over a time in seconds up to its moment, or since the one before if that is shorter:
    /// every n-th reading of a gyroscope that averages over `seconds` itself.
    ///
    /// A sensor whose low pass delays it by a time is nearly one that averages over twice that time.
    /// What is negative or NaN counts as 0.
    public static func means(over seconds: Double) -> Readings {
      Readings(seconds: seconds > 0 ? seconds : 0)
    }
  }

  /// What a reading stands for.
  public let readings: Readings
  /// The attitude after the last reading: takes body to the frame of the first reading.
  public private(set) var attitude: Rotation
  /// The size in radians of the first term of the last step that was left out:
  /// what a step is wrong by where the rate is not the parabola it is taken for.
  private(set) var neglected = 0.0
  /// The variance in rad^2 about each axis that noise of the readings may have added in the last step.
  ///
  /// Noise makes the fourth differences larger than the third, motion that the readings resolve does not:
  /// their mean squares are 70 and 20 times the variance of a noise alike in all readings.
  /// It is an upper bound, for motion that the readings do not resolve looks the same.
  private(set) var noise = 0.0
  private var last: Vector3?
  private var past = Past()

  /// The divided differences at the reading before and the steps before it, as far as there were any,
  /// and the mean squares of the second to fourth differences.
  private struct Past: Sendable {
    var count = 0
    var first = Vector3.zero
    var second = Vector3.zero
    var third = Vector3.zero
    var steps = (0.0, 0.0, 0.0)
    var squares = (0.0, 0.0, 0.0)
  }

  /// Makes an integrator that stands at an attitude.
  public init(attitude: Rotation = .identity, readings: Readings = .points) {
    self.attitude = attitude
    self.readings = readings
  }

  /// Takes the rate in rad/s, body axes, `interval` seconds after the reading before; gives the attitude.
  ///
  /// The first reading after a start or a gap only begins a step.
  /// A reading that is not finite is ignored, and so is one whose interval is not positive and finite.
  public mutating func callAsFunction(_ rate: Vector3, after interval: Double) -> Rotation {
    guard rate.isFinite else { return attitude }
    guard let start = last else {
      last = rate
      return attitude
    }
    guard interval > 0, interval.isFinite else { return attitude }
    let mean = rate + start.cross(rate) * (interval / 12) - bending(from: start, to: rate, over: interval)
    last = rate
    if let turn = Rotation(rotationVector: mean * interval) { attitude = attitude * turn }
    return attitude
  }

  /// How much the rate at the end of a step exceeds its mean over the step.
  private mutating func bending(from start: Vector3, to rate: Vector3, over h: Double) -> Vector3 {
    let averaged = min(readings.seconds, h)
    let open = h - averaged
    // The distances from the last reading to the ones before.
    let p = h + past.steps.0
    let q = p + past.steps.1
    let first = (rate - start) * (1 / h)
    let second = past.count > 0 ? (first - past.first) * (1 / p) : .zero
    let third = past.count > 1 ? (second - past.second) * (1 / q) : .zero
    let fourth = past.count > 2 ? (third - past.third) * (1 / (q + past.steps.2)) : .zero
    var excess = first * (open / 2) + second * (open * (h + averaged) / 6)
    if past.count == 1 {
      // The first step of all could only be taken along a straight line; now its bend is known.
      let missed = past.steps.0
      excess = excess + second * (missed * missed * missed * open / (6 * h * h))
    }
    let differences = (
      2 * h * h * second.length, 6 * h * h * h * third.length, 24 * h * h * h * h * fourth.length
    )
    // A reading ten standard deviations out of line with the two before may be false, all of it.
    let isOutlier = differences.0 * differences.0 > 100 * past.squares.0
    let share = min(h, 1)
    past.squares.0 += (differences.0 * differences.0 - past.squares.0) * share
    past.squares.1 += (differences.1 * differences.1 - past.squares.1) * share
    past.squares.2 += (differences.2 * differences.2 - past.squares.2) * share
    neglected = differences.1 / 24 * open
    if averaged == 0, past.squares.1 < past.squares.0 {
      excess = excess + third * (h * h * (2 * p - h) / 12)
      if past.squares.2 < past.squares.1 {
        let part = h * h / 5 - (h + p + q) * h / 4 + (h * p + h * q + p * q) / 3 - p * q / 2
        excess = excess - fourth * (h * h * part)
        neglected = differences.2 * 19 / 720 * open
      }
    }
    noise = max(past.squares.2 - past.squares.1, 0) / (3 * (70 - 20)) * open * open
    // One false reading makes six times its square in three second differences.
    if isOutlier { neglected = max(neglected, differences.0 / 6.0.squareRoot() * open) }
    past.steps = (h, past.steps.0, past.steps.1)
    (past.first, past.second, past.third, past.count) = (first, second, third, past.count + 1)
    return excess
  }

  /// Stays at the attitude but forgets the readings, as after a gap.
  public mutating func interrupt() { self = RateIntegrator(attitude: attitude, readings: readings) }
}
