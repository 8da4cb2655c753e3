// The estimator on simulated motion with faults of the sensors: errors, recovery and reported accuracy.

import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct MotionFaultTests {
  private static let seeds: ClosedRange<UInt64> = 500...507
  private static let degree = Double.pi / 180

  private func scores(
    _ fault: MotionTrial.Fault, seconds: Double = 120,
    sensors: SimulatedMotion.Sensors = SimulatedMotion.Sensors(), settings: MotionEstimator.Settings = .init()
  ) -> [MotionScore] {
    Self.seeds.map { seed in
      let trial = MotionTrial(fault, seed: seed, seconds: seconds, sensors: sensors)
      let run = trial.run(settings)
      return MotionScore(run.attitudes, accuracy: run.accuracy, in: trial)
    }
  }

  private func mean(_ scores: [MotionScore], _ value: (MotionScore) -> Double) -> Double {
    scores.reduce(0) { $0 + value($1) } / Double(scores.count)
  }

  @Test func aStartInMotionIsCorrected() {
    let scores = scores(.start)
    let (heading, tilt) = (mean(scores, \.headingError), mean(scores, \.tiltError))
    // VQF 2.1.2 on such motion: 15 and 2.7 degrees.
    #expect(heading < 3.2, "\(heading) degrees")
    #expect(tilt < 1.6, "\(tilt) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
  }

  @Test func aStartInMotionCostsLessWithABetterGyroscope() {
    var sensors = SimulatedMotion.Sensors()
    (sensors.bias, sensors.sensitivity) = (0.1 * Self.degree, 0.002)
    let scores = scores(.start, sensors: sensors)
    let heading = mean(scores, \.headingError)
    // VQF 2.1.2 on 64 such motions: 5.0 degrees.
    #expect(heading < 1.6, "\(heading) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9)
  }

  @Test func storedCalibrationIsEffectiveAtOnce() throws {
    var fresh: [MotionScore] = []
    var calibrated: [MotionScore] = []
    for seed in Self.seeds.prefix(4) {
      var estimator = MotionEstimator()
      for sample in MotionTrial(.none, seed: seed).samples { _ = estimator(sample) }
      let text = try JSONEncoder().encode(estimator.calibration)
      var settings = MotionEstimator.Settings()
      settings.calibration = try JSONDecoder().decode(GyroscopeCalibration.self, from: text)
      // The same sensors in another motion.
      let trial = MotionTrial(.start, seed: seed)
      for (settings, isFresh) in [(MotionEstimator.Settings(), true), (settings, false)] {
        let run = trial.run(settings)
        let score = MotionScore(run.attitudes, accuracy: run.accuracy, in: trial)
        if isFresh { fresh.append(score) } else { calibrated.append(score) }
      }
    }
    let (before, after) = (mean(fresh, \.headingError), mean(calibrated, \.headingError))
    #expect(after < before / 1.5, "\(before) and \(after) degrees")
    #expect(mean(calibrated, \.headingCoverage) >= 0.9)
    #expect(
      mean(calibrated) { $0.figures[2000].heading.degrees } < mean(fresh) { $0.figures[2000].heading.degrees }
        / 2)
  }

  @Test func anInvalidCalibrationIsReplacedByTheDefaults() {
    var settings = MotionEstimator.Settings()
    let unknown = MotionEstimator().calibration
    var calibration = unknown
    (calibration.x.bias, calibration.y.biasError) = (.nan, -0.001)
    calibration.z.sensitivityError.y = .infinity
    settings.calibration = calibration
    #expect(MotionEstimator(settings: settings).calibration == unknown)
    calibration = unknown
    calibration.x.sensitivity.x = 3
    calibration.z.bias = 9
    settings.calibration = calibration
    let bounded = MotionEstimator(settings: settings)
    #expect(bounded.calibration.x.sensitivity.x == 0.1)
    #expect(abs(bounded.rotationRateBias.z - 20 * Self.degree) < 1e-12)
  }

  @Test(arguments: [MotionTrial.Fault.gyroscopeZeros, .spike, .implausible])
  func aFaultOfTheGyroscopeIsCorrectedWithinTenSeconds(fault: MotionTrial.Fault) {
    let scores = scores(fault, seconds: 90)
    for (seed, score) in zip(Self.seeds, scores) {
      let seconds = score.recovery(after: MotionTrial.faultTime)
      #expect(seconds < 10, "\(fault), seed \(seed): \(seconds) s")
    }
    #expect(mean(scores, \.tiltCoverage) >= 0.9, "\(fault)")
    // A spike about the vertical shows in the readings alone; zeros have no visible effect there.
    let coverage = mean(scores, \.headingCoverage)
    #expect(coverage >= 0.85, "\(fault): \(coverage)")
  }

  @Test func aSpikeWidensTheAccuracyAtOnce() {
    let spike = Int(MotionTrial.faultTime * 50)
    for (seed, score) in zip(Self.seeds, scores(.spike, seconds: MotionTrial.faultTime + 1)) {
      let (before, after) = (score.figures[spike - 1].tilt, score.figures[spike + 25].tilt)
      // 2000 degrees per second for 20 ms.
      #expect(before.degrees < 5 && after.degrees > 10, "seed \(seed): \(before) and \(after)")
    }
  }

  @Test func anImplausibleReadingIsIgnored() {
    for (clean, disturbed) in zip(scores(.none, seconds: 60), scores(.implausible, seconds: 60)) {
      #expect(disturbed.headingError < clean.headingError + 3)
      #expect(disturbed.tiltError < clean.tiltError + 0.5)
    }
  }

  @Test func vibrationCausesLittleError() {
    let scores = scores(.vibration)
    let heading = mean(scores, \.headingError)
    // VQF 2.1.2 on such motion: 13 degrees.
    #expect(heading < 10, "\(heading) degrees")
    // 92 and 94 % of 64 motions (Tests/Tools/fusion).
    #expect(mean(scores, \.headingCoverage) >= 0.85 && mean(scores, \.tiltCoverage) >= 0.85)
  }

  @Test func withoutAnAccelerometerTheGyroscopeCarriesTheAttitude() {
    let scores = scores(.accelerometerZeros, seconds: 90)
    for (seed, score) in zip(Self.seeds, scores) {
      #expect(score.worstTilt < 8, "seed \(seed): \(score.worstTilt) degrees")
    }
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
  }

  @Test func aBiasBeyondTheSettingsMakesTheHeadingUnknown() {
    let scores = scores(.bias)
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
    for (seed, score) in zip(Self.seeds, scores) {
      #expect((score.figures.last?.heading.degrees ?? 0) > 103, "seed \(seed)")
      #expect(score.tilt.suffix(1000).allSatisfy { $0 < 8 }, "seed \(seed)")
    }
  }

  @Test func hardIronIsEstimatedAndIncludedInTheAccuracy() {
    let scores = scores(.hardIron)
    #expect(mean(scores, \.headingCoverage) >= 0.9)
    // VQF 2.1.2 on such motion: 9 degrees, of which it unlearns nothing.
    #expect(mean(scores, \.headingError) < 8)
    let late = mean(scores) { MotionScore.rootMeanSquare($0.heading.suffix(3000)) }
    #expect(late < 2, "\(late) degrees in the second minute")
  }

  @Test(arguments: [4, 6] as [UInt64]) func aSilentMagnetometerDoesNotTurnTheHeading(seed: UInt64) {
    // The magnetometer reads zero for half a second; its hard iron is known by then.
    var trial = MotionTrial(.hardIron, seed: seed)
    let silent = 4000..<4025
    for index in silent { trial.samples[index].magneticField = .zero }
    let score = MotionScore(trial.run().attitudes, in: trial)
    let worst = score.heading[silent.lowerBound...].max() ?? .infinity
    #expect(worst < 5, "\(worst) degrees")
  }

  @Test func rotationConfirmsAnUndisturbedMagnetometer() {
    let scores = scores(.magnetometer)
    let heading = mean(scores, \.headingError)
    #expect(heading < 1.5, "\(heading) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9)
    for (seed, score) in zip(Self.seeds, scores) {
      // Hard iron of 10 % along each axis rotates the horizontal component, 45 % of the field, by 13 degrees.
      #expect(score.figures[400].heading.degrees > 8, "seed \(seed), at rest")
      #expect((score.figures.last?.heading.degrees ?? 99) < 4, "seed \(seed), after two minutes")
    }
  }

  @Test func theGyroscopeCarriesTheAttitudeInFreeFall() throws {
    var estimator = MotionEstimator()
    let tilted = try #require(Rotation(angle: .degrees(20), axis: Vector3(1, 0, 0)))
    var count = 0.0
    func feed(_ force: Vector3, seconds: Double) {
      for _ in 0..<Int(seconds * 50) {
        count += 1
        _ = estimator(InertialSample(timestamp: count / 50, rotationRate: .zero, acceleration: force))
      }
    }
    feed(tilted.specificForce(), seconds: 5)
    let before = try #require(estimator.motion).gravity
    // An offset of the accelerometer is all that it reads.
    feed(Vector3(0.05, 0, 0), seconds: 20)
    #expect((try #require(estimator.motion).gravity - before).length < 1e-9)
  }
}
