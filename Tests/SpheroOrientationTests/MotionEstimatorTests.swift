// Device motion on simulated motion with known truth, and on invalid input.
import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

/// A body that rotates smoothly about all axes at once.
struct Swing {
  var size = 1.0

  /// The attitude at a time, as rotations about z, x and y by varying angles.
  func attitude(at time: Double) -> Rotation {
    let angles = (0.9 * time, size * 0.7 * sin(2.1 * time), size * 0.6 * cos(3.3 * time))
    let turns = [(Axis.z, angles.0), (.x, angles.1), (.y, angles.2)].compactMap { axis, angle in
      Rotation(angle: .radians(angle), axis: axis.vector)
    }
    return turns.reduce(.identity, *)
  }

  /// The rotation rate at a time in rad/s, body axes, from the difference of adjacent attitudes.
  func rate(at time: Double) -> Vector3 {
    let step = 1e-5
    let turn = attitude(at: time - step).inverse * attitude(at: time + step)
    return turn.rotationVector / (2 * step)
  }

  /// An ideal reading plus a bias of the gyroscope in rad/s.
  func sample(at time: Double, bias: Vector3 = .zero) -> InertialSample {
    InertialSample(
      timestamp: time, rotationRate: rate(at: time) + bias, acceleration: attitude(at: time).specificForce())
  }
}

@Suite(.ownThread) struct MotionEstimatorTests {
  private static let seed: UInt64 = 0x5EED_0E57

  /// The next reading covers the time of one that is not plausible.
  @Test func anImplausibleReadingLosesNoRotation() throws {
    var estimator = MotionEstimator()
    for count in 0...100 {
      let rate: Vector3 = count % 2 == 0 ? [0, 0, 1] : [0, 0, .nan]
      estimator.update(rotationRate: rate, acceleration: [0, 0, 1], interval: 0.01)
    }
    #expect(abs(try #require(estimator.motion).attitude.yaw.radians - 1) < 0.01)
  }

  @Test func everyInputGivesFiniteResults() {
    for round in 0..<60 {
      let seed = Self.seed + UInt64(round)
      var random = SeededGenerator(seed: seed)
      var settings = MotionEstimator.Settings()
      if round > 9 {
        settings.accelerationTimeConstant = random.awkwardNumber()
        settings.readings = .means(over: random.awkwardNumber())
        settings.rest.bias = random.awkwardNumber()
        settings.rest.duration = random.awkwardNumber()
        settings.rest.rotationRate = random.awkwardNumber()
        settings.initialBiasError = random.awkwardNumber()
        settings.biasForgettingTime = random.awkwardNumber()
        settings.restBiasError = random.awkwardNumber()
        settings.sensitivityError = random.awkwardNumber()
        settings.angleRandomWalk = random.awkwardNumber()
        settings.tiltError = random.awkwardNumber()
        settings.magneticError = random.awkwardNumber()
        settings.magneticCorrelationTime = random.awkwardNumber()
        settings.hardIronError = random.awkwardNumber()
        var calibration = MotionEstimator().calibration
        calibration.x.bias = random.awkwardNumber()
        calibration.y.biasError = random.awkwardNumber()
        calibration.z.sensitivity = random.awkwardVector()
        settings.calibration = calibration
      }
      var estimator = MotionEstimator(settings: settings)
      var detector = RestDetector(limits: settings.rest)
      var calibrator = RestCalibrator(sampleCount: 3)
      var integrator = RateIntegrator()
      var time = 0.0
      for count in 0..<300 {
        let isAwkward = Bool.random(using: &random)
        let interval = isAwkward ? random.awkwardNumber() : abs(random.number())
        time = Bool.random(using: &random) ? interval : time + 0.02
        let rate = isAwkward ? random.awkwardVector() : random.vector() * 30
        let acceleration = Bool.random(using: &random) ? random.awkwardVector() : random.vector()
        let field = Bool.random(using: &random) ? random.awkwardVector() : nil
        let sample = InertialSample(
          timestamp: time, rotationRate: rate, acceleration: acceleration, magneticField: field)
        _ = detector(sample)
        let calibration = calibrator(sample)
        let attitude = integrator(rate, after: interval)
        let motions = [
          estimator(sample),
          estimator.update(rotationRate: rate, acceleration: acceleration, interval: interval),
        ]
        #expect(attitude.quaternion.isFinite, "seed \(seed), sample \(count)")
        #expect(abs(attitude.quaternion.norm - 1) < 1e-12, "seed \(seed), sample \(count)")
        #expect(estimator.rotationRateBias.isFinite, "seed \(seed), sample \(count)")
        let accuracy = estimator.accuracy
        for angle in [accuracy.heading, accuracy.tilt] {
          #expect((0...1.82).contains(angle.radians), "seed \(seed), sample \(count): \(accuracy)")
        }
        #expect(calibration?.rotationRateOffset.isFinite != false, "seed \(seed), sample \(count)")
        #expect(calibration?.accelerationOffset.isFinite != false, "seed \(seed), sample \(count)")
        for motion in motions.compactMap({ $0 }) {
          let isFinite =
            motion.attitude.quaternion.isFinite && motion.rotationRate.isFinite && motion.gravity.isFinite
            && motion.userAcceleration.isFinite && motion.specificForce.isFinite && motion.timestamp.isFinite
          #expect(isFinite, "seed \(seed), sample \(count): \(motion)")
        }
      }
    }
  }

  @Test func implausibleReadingsAreIgnored() {
    var clean = MotionEstimator()
    var disturbed = MotionEstimator()
    let swing = Swing()
    for count in 0..<300 {
      let sample = swing.sample(at: Double(count) * 0.02)
      let expected = clean(sample)
      let motion = disturbed(sample)
      #expect(motion == expected, "sample \(count)")
      for value in [Double.nan, .infinity, 1e300] {
        var bad = sample
        bad.timestamp += 0.01
        bad.acceleration.y = value
        #expect(disturbed(bad) == motion)
        bad = sample
        bad.timestamp += 0.01
        bad.rotationRate.z = value
        #expect(disturbed(bad) == motion)
      }
      #expect(disturbed(sample) == motion, "a repeated reading")
    }
  }

  @Test(arguments: [20.0, 50, 100, 400])
  func followsAnIdealSwing(rate: Double) throws {
    let swing = Swing()
    var estimator = MotionEstimator()
    // Without a magnetometer the heading is relative to the first reading.
    let first = try #require(estimator(swing.sample(at: 0)))
    let offset = swing.attitude(at: 0) * first.attitude.inverse
    var worst = 0.0
    for count in 1..<Int(20 * rate) {
      let sample = swing.sample(at: Double(count) / rate)
      let motion = try #require(estimator(sample))
      let truth = swing.attitude(at: sample.timestamp)
      worst = max(worst, (offset * motion.attitude).angle(to: truth).degrees)
      #expect((motion.specificForce - sample.acceleration).length < 1e-12)
      #expect(abs(motion.gravity.length - 1) < 1e-12)
    }
    #expect(worst < 0.1, "\(rate) Hz: \(worst) degrees")
  }

  /// The largest error, in degrees, after the first four readings of a swing of ±60 degrees at 1 Hz about `axis`.
  private func swingError(rate: Double, axis: Vector3, settings: MotionEstimator.Settings) throws -> Double {
    let (size, speed) = (Double.pi / 3, 2 * Double.pi)
    var estimator = MotionEstimator(settings: settings)
    var offset = Rotation.identity
    var worst = 0.0
    for count in 0..<Int(60 * rate) {
      let time = Double(count) / rate
      let truth = try #require(Rotation(angle: .radians(size * sin(speed * time)), axis: axis))
      let sample = InertialSample(
        timestamp: time, rotationRate: axis * (size * speed * cos(speed * time)),
        acceleration: truth.specificForce())
      let attitude = try #require(estimator(sample)).attitude
      if count == 0 { offset = truth * attitude.inverse }
      if count > 3 { worst = max(worst, (offset * attitude).angle(to: truth).degrees) }
    }
    return worst
  }

  @Test(arguments: [20.4, 47.6, 60.1, 66.7, 400])
  func followsPointsOfASwingAtAnyRate(rate: Double) throws {
    for axis in [Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0.6, 0, 0.8)] {
      let error = try swingError(rate: rate, axis: axis, settings: MotionEstimator.Settings())
      // At 20.4 Hz the first three steps, integrated at a lower order, cost 0.03 degrees of heading permanently.
      #expect(error < (rate < 40 ? 0.04 : 0.01), "\(rate) Hz about \(axis): \(error) degrees")
    }
  }

  @Test func pointsIntegratedAsMeansLagByHalfAStep() throws {
    var settings = MotionEstimator.Settings()
    settings.readings = .means
    let error = try swingError(rate: 100, axis: Vector3(0, 0, 1), settings: settings)
    // 377 degrees per second for half of 10 ms, from one end of the swing to the other.
    #expect((1.8...4).contains(error), "\(error) degrees")
  }

  @Test func estimatesTheBiasAtRest() throws {
    var random = SeededGenerator(seed: Self.seed)
    let bias = Vector3(0.006, -0.004, 0.003)
    var estimator = MotionEstimator()
    for count in 0..<1500 {
      let noise = random.vector() * 0.003
      _ = estimator(
        InertialSample(
          timestamp: Double(count) * 0.02, rotationRate: bias + noise,
          acceleration: Vector3(0.6, 0, 0.8) + random.vector() * 0.005))
    }
    let motion = try #require(estimator.motion)
    #expect(estimator.isAtRest)
    #expect((motion.rotationRateBias - bias).length < 3e-4, "seed \(Self.seed)")
    #expect((motion.gravity - Vector3(-0.6, 0, -0.8)).length < 2e-3, "seed \(Self.seed)")
    #expect(motion.userAcceleration.length < 0.02, "seed \(Self.seed)")
  }

  @Test(arguments: [Double.nan, 0, -1, .infinity])
  func anInvalidBoundOfTheBiasIsReplacedByTheDefault(bias: Double) {
    var settings = MotionEstimator.Settings()
    settings.rest.bias = bias
    for (rate, isAtRest) in [(0.0, true), (0.5, false)] {
      var estimator = MotionEstimator(settings: settings)
      for count in 0..<500 {
        _ = estimator(
          InertialSample(
            timestamp: Double(count) * 0.02, rotationRate: Vector3(0, 0, rate), acceleration: Vector3(0, 0, 1)
          ))
      }
      #expect(estimator.isAtRest == isAtRest, "\(rate) rad/s")
    }
  }

  @Test func estimatesTheBiasInMotion() {
    let bias = Vector3(0.006, -0.005, 0.004)
    let swing = Swing(size: 1.5)
    // A gyroscope without other errors than bias, in a body with little acceleration.
    var settings = MotionEstimator.Settings()
    settings.sensitivityError = 1e-6
    settings.tiltError = 0.1 * Double.pi / 180
    var estimator = MotionEstimator(settings: settings)
    for count in 0..<6000 { _ = estimator(swing.sample(at: Double(count) * 0.02, bias: bias)) }
    #expect(!estimator.isAtRest)
    #expect((estimator.rotationRateBias - bias).length < 0.5 * bias.length, "\(estimator.rotationRateBias)")
  }

  @Test func returnsNilBeforeTheFirstGravity() {
    var estimator = MotionEstimator()
    let still = Vector3.zero
    #expect(estimator.update(rotationRate: still, acceleration: .zero, interval: 0.02) == nil)
    #expect(estimator.update(rotationRate: still, acceleration: Vector3(.nan, 0, 1), interval: 0.02) == nil)
    #expect(estimator.update(rotationRate: still, acceleration: Vector3(0, 0, 1), interval: 0.02) != nil)
  }

  @Test func aGapRestartsTheInclinationAndKeepsTheHeading() throws {
    var estimator = MotionEstimator()
    let up = Vector3(0, 0, 1)
    for count in 0..<50 {
      _ = estimator(
        InertialSample(timestamp: Double(count) * 0.02, rotationRate: up, acceleration: up))
    }
    let before = try #require(estimator.motion).attitude
    let tilted = Vector3(0.6, 0, 0.8)
    let motion = try #require(
      estimator(InertialSample(timestamp: 60, rotationRate: .zero, acceleration: tilted)))
    #expect((motion.gravity + tilted).length < 1e-9)
    #expect(abs(motion.attitude.angle(to: before).degrees - 36.87) < 0.1)
  }

  @Test func aClockThatJumpsBackDoesNotStopTheMotion() throws {
    var estimator = MotionEstimator()
    let up = Vector3(0, 0, 1)
    for time in [0, 0.02, 9e11, 5, 5.02] {
      let motion = try #require(
        estimator(InertialSample(timestamp: time, rotationRate: .zero, acceleration: up)))
      #expect(motion.timestamp == time)
    }
    let stale = InertialSample(timestamp: 4.9, rotationRate: .zero, acceleration: up)
    #expect(try #require(estimator(stale)).timestamp == 5.02)
  }

  @Test func asynchronousSamplesGiveTheSameMotion() async {
    let swing = Swing()
    let samples = (0..<100).map { swing.sample(at: Double($0) * 0.02) }
    let (stream, continuation) = AsyncStream.makeStream(of: InertialSample.self)
    for sample in samples { continuation.yield(sample) }
    continuation.finish()
    var arrived: [DeviceMotion?] = []
    for await motion in stream.processed(by: MotionEstimator()) { arrived.append(motion) }
    #expect(arrived == samples.processed(by: MotionEstimator()))
  }

  @Test func motionOfAKnownAttitudeMatchesTheTable() throws {
    struct Table: Decodable {
      struct Case: Decodable {
        var qWxyz: [Double]
        var gravityBodyG: [Double]
        var accelerationBodyG: [Double]
        var specificForceBodyG: [Double]
      }
      var cases: [Case]
    }
    for row in try Fixture.table("gravity", as: Table.self).cases {
      let sample = InertialSample(
        timestamp: 1, rotationRate: Vector3(1, 2, 3), acceleration: Vector3(row.specificForceBodyG))
      let motion = DeviceMotion(
        attitude: try #require(Rotation(Quaternion(wxyz: row.qWxyz))), sample: sample,
        rotationRateBias: Vector3(0, 1, 0))
      #expect(motion.gravity.isApproximatelyEqual(to: Vector3(row.gravityBodyG), tolerance: 1e-14))
      #expect(
        motion.userAcceleration.isApproximatelyEqual(to: Vector3(row.accelerationBodyG), tolerance: 1e-13))
      #expect(motion.rotationRate == Vector3(1, 1, 3))
    }
  }
}
