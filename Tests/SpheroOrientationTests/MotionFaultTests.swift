// Motion in which something goes wrong: what the estimator makes of it, and what it reports of its accuracy.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.aCoreEach) struct MotionFaultTests {
  private static let seeds: ClosedRange<UInt64> = 500...507

  private func scores(
    _ fault: MotionTrial.Fault, rate: Double = 50, seconds: Double = 120, sensitivity: Double = 0.01
  ) -> [MotionScore] {
    Self.seeds.map { seed in
      let trial = MotionTrial(fault, seed: seed, rate: rate, seconds: seconds, sensitivity: sensitivity)
      let run = trial.run()
      return MotionScore(run.attitudes, accuracy: run.accuracy, in: trial)
    }
  }

  private func mean(_ scores: [MotionScore], _ value: (MotionScore) -> Double) -> Double {
    scores.reduce(0) { $0 + value($1) } / Double(scores.count)
  }

  @Test func aStartInMotionIsForgotten() {
    let scores = scores(.start)
    let (heading, tilt) = (mean(scores, \.headingError), mean(scores, \.tiltError))
    // VQF 2.1.2 on the trials of Tests/Tools/fusion: 9.3 and 2.8 degrees.
    #expect(heading < 5.5, "\(heading) degrees")
    #expect(tilt < 1.6, "\(tilt) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
  }

  @Test func aStartInMotionCostsLessWithABetterGyroscope() {
    let scores = scores(.start, sensitivity: 0.004)
    let heading = mean(scores, \.headingError)
    // VQF 2.1.2 on 32 such motions: 11 degrees, this estimator 5.8.
    #expect(heading < 6, "\(heading) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9)
  }

  @Test(arguments: [MotionTrial.Fault.zeros, .spike, .nonsense])
  func aFaultOfTheGyroscopeIsCorrectedWithinTenSeconds(fault: MotionTrial.Fault) {
    let scores = scores(fault, seconds: 90)
    for (seed, score) in zip(Self.seeds, scores) {
      let seconds = score.recovery(after: MotionTrial.moment)
      #expect(seconds < 10, "\(fault), seed \(seed): \(seconds) s")
    }
    #expect(mean(scores, \.tiltCoverage) >= 0.9, "\(fault)")
    // A spike about the vertical shows in the readings alone; zeros there leave no trace.
    let coverage = mean(scores, \.headingCoverage)
    #expect(coverage >= 0.85, "\(fault): \(coverage)")
  }

  @Test func aReadingBeyondTheSensorsIsLost() {
    for (clean, disturbed) in zip(scores(.none, seconds: 60), scores(.nonsense, seconds: 60)) {
      #expect(disturbed.headingError < clean.headingError + 3)
      #expect(disturbed.tiltError < clean.tiltError + 0.5)
    }
  }

  @Test func vibrationIsNoMotion() {
    let scores = scores(.vibration)
    let heading = mean(scores, \.headingError)
    #expect(heading < 9, "\(heading) degrees")
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
  }

  @Test func withoutAnAccelerometerTheGyroscopeCarriesTheAttitude() {
    let scores = scores(.weightless, seconds: 90)
    for (seed, score) in zip(Self.seeds, scores) {
      #expect(score.worstTilt < 8, "seed \(seed): \(score.worstTilt) degrees")
    }
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
  }

  @Test func aBiasBeyondThePromiseMakesTheHeadingUnknown() {
    let scores = scores(.bias)
    #expect(mean(scores, \.headingCoverage) >= 0.9 && mean(scores, \.tiltCoverage) >= 0.9)
    for (seed, score) in zip(Self.seeds, scores) {
      #expect((score.figures.last?.heading.degrees ?? 0) > 103, "seed \(seed)")
      #expect(score.tilt.suffix(1000).allSatisfy { $0 < 8 }, "seed \(seed)")
    }
  }

  @Test func ironInTheBodyWidensTheHeading() {
    let scores = scores(.iron)
    let coverage = mean(scores, \.headingCoverage)
    // For the first ten seconds the body lies still and shows nothing of the iron.
    #expect(coverage >= 0.85, "\(coverage)")
    #expect(mean(scores, \.headingError) < 12)
  }

  @Test func theGyroscopeCarriesAFallUntilTheAccelerometerReadsAgain() throws {
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
    feed(.zero, seconds: 20)
    #expect((try #require(estimator.motion).gravity - before).length < 1e-9)
  }
}
