// The bias of a gyroscope from attitudes that another source computes: at rest, in motion, and with faults.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct RateBiasEstimatorTests {
  private static let degree = Double.pi / 180
  /// 2 degrees per second about each axis.
  private static let bias = Vector3(2, -2, 2) * degree

  /// A robot with a gyroscope of a known bias, whose quaternion has steps of 1/10000.
  private struct Source {
    var motion: SimulatedMotion
    var bias: Vector3
    /// The rate in rad/s at which the robot's own heading drifts.
    var drift = 0.0
    /// The amplitude in g of an acceleration that changes sign ten times a second.
    var vibration = 0.0
    /// The rotation of the robot's heading, as after a command that sets it.
    var aim = Rotation.identity

    init(rest: Double, seed: UInt64 = 7, bias: Vector3 = RateBiasEstimatorTests.bias) {
      var sensors = SimulatedMotion.Sensors()
      (sensors.bias, sensors.biasDrift) = (0, 0)
      motion = SimulatedMotion(seed: seed, sensors: sensors)
      motion.rest = rest
      self.bias = bias
    }

    mutating func next(at time: Double) -> (sample: InertialSample, attitude: Rotation) {
      var sample = motion.sample(at: time)
      sample.rotationRate = sample.rotationRate + bias
      sample.acceleration.x += Int(time * 10).isMultiple(of: 2) ? vibration : -vibration
      let turn = Rotation(rotationVector: Vector3(0, 0, drift * time)) ?? .identity
      let q = (aim * turn * motion.attitude(at: time)).quaternion
      func word(_ part: Double) -> Double { (part * 10_000).rounded() / 10_000 }
      let read = Rotation(w: word(q.w), x: word(q.x), y: word(q.y), z: word(q.z))
      return (sample, read ?? .identity)
    }

    /// Feeds an estimator with the samples of a time at a rate.
    mutating func feed(_ estimator: inout RateBiasEstimator, _ times: Range<Double>, rate: Double) {
      for tick in Int(times.lowerBound * rate)..<Int(times.upperBound * rate) {
        let (sample, attitude) = next(at: Double(tick) / rate)
        estimator.update(sample, attitude: attitude)
      }
    }
  }

  private func error(_ estimator: RateBiasEstimator, _ bias: Vector3) -> Double {
    (estimator.bias - bias).length / Self.degree
  }

  @Test func isUnknownAtFirst() {
    let estimator = RateBiasEstimator()
    #expect(estimator.bias == .zero)
    #expect(estimator.error.isApproximatelyEqual(to: Vector3(2, 2, 2) * Self.degree, tolerance: 1e-12))
  }

  @Test(arguments: [20.0, 100, 400]) func restShowsTheBias(rate: Double) {
    var source = Source(rest: 1e3)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<10, rate: rate)
    #expect(error(estimator, Self.bias) < 0.05, "\(estimator.bias / Self.degree)")
    #expect(max(estimator.error.x, estimator.error.y) < 0.1 * Self.degree)
  }

  /// Motion of up to 200 degrees per second with errors of scale and misalignment of 1 %.
  @Test(arguments: [20.0, 100, 400], [1 as UInt64, 2, 3, 4])
  func motionShowsTheBias(rate: Double, seed: UInt64) {
    var source = Source(rest: 0, seed: seed)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<30, rate: rate)
    let rest = (estimator.bias - Self.bias) / Self.degree
    #expect(rest.length < 0.6, "\(rest), error \(estimator.error / Self.degree)")
    for axis in Axis.allCases {
      #expect(abs(rest[axis]) < 2.5 * estimator.error[axis] / Self.degree, "\(axis)")
    }
  }

  /// A bias that is larger than the limit of rest is known to be one because the attitude is constant.
  @Test func aLargeBiasIsMeasuredAtRest() {
    let bias = Vector3(-6, 4, 9) * Self.degree
    var source = Source(rest: 1e3, bias: bias)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<10, rate: 50)
    #expect(error(estimator, bias) < 0.05, "\(estimator.bias / Self.degree)")
    #expect(estimator.error.length < 0.2 * Self.degree)
  }

  /// A slow and steady rotation is not taken for rest.
  @Test func aSteadyRotationIsNoBias() {
    var source = Source(rest: 1e3)
    // The body turns about the vertical, which its gyroscope shows on its own axes.
    source.drift = 5 * Self.degree
    source.bias = source.motion.attitude(at: 0).inverse.act(on: Vector3(0, 0, source.drift))
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<20, rate: 50)
    #expect(estimator.bias.length < 0.1 * Self.degree, "\(estimator.bias / Self.degree)")
  }

  /// The vertical shows only at rest, if the robot's heading follows the same bias.
  @Test func aDriftingHeadingIsAllowedFor() {
    let bias = Vector3(0, 0, 1.2) * Self.degree
    var source = Source(rest: 1e3, bias: bias)
    source.drift = 1.2 * Self.degree
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<10, rate: 20)
    #expect(error(estimator, bias) < 0.05, "\(estimator.bias / Self.degree)")
    #expect(estimator.error.z < 0.1 * Self.degree)
    // Not at rest, but with little rotation, so that the attitude determines the bias accurately.
    source.vibration = 0.2
    source.feed(&estimator, 10..<130, rate: 20)
    #expect(error(estimator, bias) < 0.25, "\(estimator.bias / Self.degree)")
  }

  @Test func withoutRestTheErrorAboutTheVerticalStays() {
    var source = Source(rest: 0)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<60, rate: 50)
    #expect(estimator.error.length >= 0.45 * Self.degree, "\(estimator.error / Self.degree)")
  }

  @Test func settingTheHeadingDoesNotDisturb() {
    var source = Source(rest: 0)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<20, rate: 50)
    for second in 20..<30 {
      let before = estimator.bias
      source.aim = Rotation(angle: .degrees(Double(second) * 77), axis: Vector3(0, 0, 1)) ?? .identity
      source.feed(&estimator, Double(second)..<Double(second) + 0.1, rate: 50)
      #expect((estimator.bias - before).length < 0.2 * Self.degree)
      source.feed(&estimator, Double(second) + 0.1..<Double(second) + 1, rate: 50)
    }
    #expect(error(estimator, Self.bias) < 0.3)
  }

  @Test func faultsAreIgnored() {
    var source = Source(rest: 5)
    var estimator = RateBiasEstimator()
    source.feed(&estimator, 0..<20, rate: 50)
    let known = estimator.bias
    // A gap, a repeated time, a backward jump, an implausible reading and a spike.
    source.feed(&estimator, 25..<25.4, rate: 50)
    source.feed(&estimator, 25.2..<25.4, rate: 50)
    source.feed(&estimator, 3..<3.4, rate: 50)
    var (sample, attitude) = source.next(at: 3.4)
    sample.rotationRate.x = .nan
    estimator.update(sample, attitude: attitude)
    (sample, attitude) = source.next(at: 3.42)
    sample.rotationRate.x = 30
    estimator.update(sample, attitude: attitude)
    source.feed(&estimator, 3.44..<4.1, rate: 50)
    #expect((estimator.bias - known).length < 0.05 * Self.degree)
    estimator.reset()
    #expect(estimator.bias == .zero)
  }

  @Test func startsWithACalibration() {
    var settings = MotionEstimator.Settings()
    var calibration = GyroscopeCalibration(settings: settings)
    (calibration.x.bias, calibration.x.biasError) = (0.01, 0.002)
    settings.calibration = calibration
    let estimator = RateBiasEstimator(settings: settings)
    #expect(estimator.bias == Vector3(0.01, 0, 0))
    #expect(abs(estimator.error.x - 0.002) < 1e-12)
    settings.calibration?.y.bias = .nan
    #expect(RateBiasEstimator(settings: settings).bias == .zero)
  }
}
