// From rotation rates to an attitude, to the third order in the step.

/// Adds up rotation rates to an attitude (strapdown integration).
///
/// What a step adds depends on what a reading stands for; see ``Readings``.
/// A point of a curve must not be held over the step: the rate is a parabola through the last three readings.
/// With the readings r0, r1, r2 at even steps of length h, each the mean over a time a up to its moment,
/// the mean rate over the last step is
///
///     r2 - (1 - a/h)/2 (r2 - r1) - (1 - (a/h)^2)/12 (r2 - 2 r1 + r0)
///
/// For points, a = 0, these are the weights 5, 8, -1 over 12 of Adams and Moulton; for means, a = h, it is r2.
/// To both comes the coning term h/12 (r1 x r2), for the axis turns as well.
/// Uneven steps use the same parabola through the true times (Newton's divided differences).
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
    public static func means(over seconds: Double) -> Readings { Readings(seconds: seconds > 0 ? seconds : 0) }
  }

  /// What a reading stands for.
  public let readings: Readings
  /// The attitude after the last reading: takes body to the frame of the first reading.
  public private(set) var attitude: Rotation
  /// The size in radians of the first term of the last step that was left out:
  /// what a step is wrong by where the rate is not the parabola it is taken for.
  private(set) var neglected = 0.0
  private var last: Vector3?
  /// The slope over the step before, its bend, and its length; nil as far as there was none.
  private var before: (slope: Vector3, bend: Vector3?, step: Double)?

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
    let averaged = min(readings.seconds, interval)
    let open = interval - averaged
    let slope = (rate - start) * (1 / interval)
    var mean = rate - slope * (open / 2) + start.cross(rate) * (interval / 12)
    var bend: Vector3?
    neglected = 0
    if let before {
      let curvature = (slope - before.slope) * (1 / (interval + before.step))
      mean = mean - curvature * (open * (interval + averaged) / 6)
      if let earlier = before.bend {
        // The third difference over 24, as in the formula of the fourth order.
        neglected = (curvature - earlier).length * (interval * interval * open / 12)
      }
      bend = curvature
    }
    (last, before) = (rate, (slope, bend, interval))
    if let turn = Rotation(rotationVector: mean * interval) { attitude = attitude * turn }
    return attitude
  }

  /// Stays at the attitude but forgets the readings, as after a gap.
  public mutating func interrupt() { self = RateIntegrator(attitude: attitude, readings: readings) }
}
