// The offsets of gyroscope and accelerometer, measured while the body is at rest.

/// What a body's sensors read too much, measured at rest.
public struct RestCalibration: Hashable, Sendable {
  /// What the gyroscope reads at rest, in rad/s.
  public var rotationRateOffset: Vector3
  /// What the accelerometer reads beyond 1 g, in g.
  ///
  /// One position at rest shows the length of gravity but not its direction:
  /// the offset lies along the reading and leaves its direction alone.
  /// (Taking away the whole first reading, as is sometimes advised, would take away gravity too.)
  public var accelerationOffset: Vector3
  /// How many readings were averaged.
  public var sampleCount: Int

  /// Makes a calibration from the mean readings at rest; nil if they are not finite or there is no gravity.
  ///
  /// Offset of the gyroscope = mean rate; of the accelerometer = mean - mean / |mean|.
  public init?(meanRotationRate: Vector3, meanAcceleration: Vector3, sampleCount: Int) {
    guard meanRotationRate.isFinite, meanAcceleration.isFinite else { return nil }
    guard let up = meanAcceleration.normalized, meanAcceleration.length > InertialSample.leastGravity else {
      return nil
    }
    rotationRateOffset = meanRotationRate
    accelerationOffset = meanAcceleration - up
    self.sampleCount = sampleCount
  }

  /// Takes a calibration that was stored.
  init(rotationRateOffset: Vector3, accelerationOffset: Vector3, sampleCount: Int) {
    self.rotationRateOffset = rotationRateOffset
    self.accelerationOffset = accelerationOffset
    self.sampleCount = sampleCount
  }

  /// The reading with both offsets removed.
  public func callAsFunction(_ sample: InertialSample) -> InertialSample {
    InertialSample(
      timestamp: sample.timestamp,
      rotationRate: sample.rotationRate - rotationRateOffset,
      acceleration: sample.acceleration - accelerationOffset)
  }
}

/// Measures a ``RestCalibration`` while the body is at rest, and starts anew when it is moved.
///
/// The error of each offset falls with the root of the number of readings.
public struct RestCalibrator: StreamProcessor {
  /// How many readings at rest make a calibration.
  public let sampleCount: Int
  /// The detector that decides what counts.
  public private(set) var detector: RestDetector
  private var rateSum = Vector3.zero
  private var accelerationSum = Vector3.zero
  private var count = 0

  /// Makes a calibrator that asks for a number of readings at rest, at least one.
  public init(sampleCount: Int, limits: RestDetector.Limits = RestDetector.Limits()) {
    self.sampleCount = max(sampleCount, 1)
    detector = RestDetector(limits: limits)
  }

  /// How far the measurement has come, 0...1.
  public var progress: Double { min(Double(count) / Double(sampleCount), 1) }

  /// Takes a reading; gives the calibration so far once there are enough, else nil.
  public mutating func callAsFunction(_ sample: InertialSample) -> RestCalibration? {
    guard sample.isPlausible else { return calibration }
    guard detector(sample) else {
      (rateSum, accelerationSum, count) = (.zero, .zero, 0)
      return nil
    }
    rateSum = rateSum + sample.rotationRate
    accelerationSum = accelerationSum + sample.acceleration
    count += 1
    return calibration
  }

  /// The calibration, once there are enough readings at rest without a break.
  public var calibration: RestCalibration? {
    guard count >= sampleCount else { return nil }
    let share = 1 / Double(count)
    return RestCalibration(
      meanRotationRate: rateSum * share, meanAcceleration: accelerationSum * share, sampleCount: count)
  }

  /// Forgets all samples; settings stay.
  public mutating func reset() {
    self = RestCalibrator(sampleCount: sampleCount, limits: detector.limits)
  }
}

#if !hasFeature(Embedded)
  extension RestCalibration: Codable {
    private enum CodingKeys: CodingKey { case rotationRateOffset, accelerationOffset, sampleCount }

    /// - Throws: `DecodingError` for offsets that are not finite and counts below 1.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let rate = try values.decode(Vector3.self, forKey: .rotationRateOffset)
      let acceleration = try values.decode(Vector3.self, forKey: .accelerationOffset)
      let count = try values.decode(Int.self, forKey: .sampleCount)
      guard rate.isFinite, acceleration.isFinite else {
        throw decoder.refusal("the offsets of a calibration are finite, not \(rate) and \(acceleration)")
      }
      guard count >= 1 else { throw decoder.refusal("a calibration has at least one reading, not \(count)") }
      self.init(rotationRateOffset: rate, accelerationOffset: acceleration, sampleCount: count)
    }
  }
#endif
