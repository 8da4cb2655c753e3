// Integration of rotation rates to an attitude.

/// Integrates rotation rates to an attitude (strapdown integration).
///
/// The increment of a step depends on what a reading represents; see ``Readings``.
/// Points are not held over the step: the rate is interpolated by a polynomial through the latest readings.
/// For readings r0, r1, r2 at equal steps of length h, each the mean over a time a before its timestamp,
/// the mean rate over the last step is
///
///     r2 - (1 - a/h)/2 (r2 - r1) - (1 - (a/h)^2)/12 (r2 - 2 r1 + r0)
///
/// For points, a = 0, this is the Adams-Moulton formula with the weights 5, 8, -1 over 12; for means, a = h, it is r2.
/// The coning term h/12 (r1 x r2) is added to both, since the axis rotates as well.
/// Points also get the next two terms of Adams and Moulton, -1/24 of the third difference and -19/720 of the fourth,
/// as long as each difference is smaller than the previous one in the mean square of a second:
/// the steps then resolve the motion and each term improves the series.
/// Otherwise the rate is too low for the motion, or the differences are noise, and the terms are omitted.
/// Unequal steps use the same polynomials in the true times (Newton's divided differences).
/// A late arrival may have a timestamp less than a millisecond before that of the next reading. The difference quotient over
/// so short a step is noise, so the step is integrated linearly and is not part of the polynomials.
public struct RateIntegrator: Sendable {
  /// The meaning of a gyroscope's reading: the rate at its timestamp, or the mean over a time before it.
  public struct Readings: Hashable, Sendable {
    /// The time in seconds over which a reading is the mean; infinite for the whole step.
    let seconds: Double

    /// The rate at its timestamp, as on a robot that streams every n-th reading of its gyroscope.
    public static let points = Readings(seconds: 0)
    /// The mean rate since the previous reading, as for a gyroscope read at its own sample rate, or for averages.
    public static let means = Readings(seconds: .infinity)

    /// Each reading is the mean over a time in seconds before its timestamp, or since the previous one if that is shorter:
    /// every n-th reading of a gyroscope that averages over `seconds` itself.
    ///
    /// A sensor whose low pass delays by some time nearly averages over twice that time.
    /// Negative values and NaN count as 0.
    public static func means(over seconds: Double) -> Readings {
      Readings(seconds: seconds > 0 ? seconds : 0)
    }
  }

  /// Whether readings are points or means of the rate.
  public let readings: Readings
  /// The attitude at the last reading: the rotation from body coordinates to the frame of the first reading.
  public private(set) var attitude: Rotation
  /// The magnitude in radians of the last higher term that the last step considered, whether it was included or not: an estimate
  /// of the truncation error; or the change by a false reading, if that is larger.
  private(set) var neglected = 0.0
  /// The variance in rad^2 about each axis that noise of the readings may have added in the last step.
  ///
  /// Noise makes the fourth differences larger than the third, unlike motion that the readings resolve:
  /// their mean squares are 70 and 20 times the variance of white noise.
  /// This is an upper bound, since unresolved motion has the same effect.
  private(set) var noise = 0.0
  private var last: Vector3?
  private var history = History()
  /// The shortest step in seconds whose difference quotients are used; a robot measures at most every 2.5 ms.
  private static let shortestStep = 0.001

  /// The divided differences of first to third order at the previous reading, the steps before it (the latest first),
  /// and the mean squares of the differences of second to fourth order.
  private struct History: Sendable {
    /// The number of earlier steps, at most 3: the highest order of a difference that is known at the previous reading.
    var count = 0
    var first = Vector3.zero
    var second = Vector3.zero
    var third = Vector3.zero
    var steps = (0.0, 0.0, 0.0)
    var squares = SIMD3<Double>.zero
  }

  public init(attitude: Rotation = .identity, readings: Readings = .points) {
    (self.attitude, self.readings) = (attitude, readings)
  }

  /// Integrates the rate in rad/s on body axes, `interval` seconds after the previous reading, and returns the attitude.
  ///
  /// The first reading after a start or a gap only begins a step.
  /// Ignores a reading that is not finite or whose interval is not positive and finite.
  public mutating func callAsFunction(_ rate: Vector3, after interval: Double) -> Rotation {
    guard rate.isFinite else { return attitude }
    guard let start = last else {
      last = rate
      return attitude
    }
    guard interval > 0, interval.isFinite else { return attitude }
    let mean = rate + start.cross(rate) * (interval / 12) - excess(from: start, to: rate, over: interval)
    last = rate
    if let turn = Rotation(rotationVector: mean * interval) { attitude = attitude * turn }
    return attitude
  }

  /// Returns the excess of the rate at the end of a step over its mean over the step.
  private mutating func excess(from start: Vector3, to rate: Vector3, over h: Double) -> Vector3 {
    // The part of the step over which the reading is the mean, and the rest.
    let averaged = min(readings.seconds, h)
    let open = h - averaged
    guard h >= Self.shortestStep else {
      history.steps.0 += h
      (neglected, noise) = (0, 0)
      return (rate - start) * (open / h / 2)
    }
    // The times from the earlier readings to the last one.
    let p = h + history.steps.0
    let q = p + history.steps.1
    let first = (rate - start) * (1 / h)
    let second = history.count > 0 ? (first - history.first) * (1 / p) : .zero
    let third = history.count > 1 ? (second - history.second) * (1 / q) : .zero
    let fourth = history.count > 2 ? (third - history.third) * (1 / (q + history.steps.2)) : .zero
    var excess = first * (open / 2) + second * (open * (h + averaged) / 6)
    if history.count == 1 {
      // The first step was linear, because its curvature was unknown.
      let missed = history.steps.0
      excess = excess + second * (missed * missed * missed * open / (6 * h * h))
    }
    // The second to fourth differences of readings at equal steps of this length, in rad/s.
    let differences = SIMD3(
      2 * h * h * second.length, 6 * h * h * h * third.length, 24 * h * h * h * h * fourth.length)
    // A second difference of ten standard deviations may be due to a false reading entirely.
    let isOutlier = differences.x * differences.x > 100 * history.squares.x
    history.squares += (differences * differences - history.squares) * min(h, 1)
    // An extreme rate or step overflows them, and a mean would stay infinite.
    if !history.squares.sum().isFinite { history.squares = .zero }
    neglected = differences.y / 24 * open
    if averaged == 0, history.squares.y < history.squares.x {
      excess = excess + third * (h * h * (2 * p - h) / 12)
      if history.squares.z < history.squares.y {
        let part = h * h / 5 - (h + p + q) * h / 4 + (h * p + h * q + p * q) / 3 - p * q / 2
        excess = excess - fourth * (h * h * part)
        neglected = differences.z * 19 / 720 * open
      }
    }
    noise = max(history.squares.z - history.squares.y, 0) / (3 * (70 - 20)) * open * open
    // A false reading changes three second differences by 1, -2 and 1 times its error: the sum of the squares is six.
    if isOutlier { neglected = max(neglected, differences.x / 6.0.squareRoot() * open) }
    history.steps = (h, history.steps.0, history.steps.1)
    (history.first, history.second, history.third) = (first, second, third)
    history.count = min(history.count + 1, 3)
    return excess
  }

  /// Discards the readings, as after a gap, and keeps the attitude.
  public mutating func interrupt() { self = RateIntegrator(attitude: attitude, readings: readings) }
}
