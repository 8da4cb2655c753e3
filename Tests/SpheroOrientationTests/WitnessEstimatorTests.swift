// What the motion estimator assumes, against literal numbers.
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.oneAtATime) struct WitnessEstimatorTests {
  @Test func settingsOfTheEstimator() {
    let settings = MotionEstimator.Settings()
    #expect(settings.accelerationTimeConstant == 2.25)
    #expect(abs(settings.shortestCurvedStep - 0.0166666667) < 1e-9)
    #expect(RateIntegrator().shortestCurvedStep == settings.shortestCurvedStep)
    #expect(settings.rest == RestDetector.Limits())
    #expect(abs(settings.initialBiasError - 0.00872664626) < 1e-11)
    #expect(settings.biasMemory == 100)
    #expect(abs(settings.restBiasError - 0.000523598776) < 1e-12)
    #expect(abs(settings.motionBiasError - 0.000785398163) < 1e-12)
    #expect(abs(settings.motionHintLimit - 0.00872664626) < 1e-11)
  }

  /// The variance of the bias settles at p where p^2 / v + p = w, with v = (0.1 deg/s)^2 in 100 s.
  @Test func theBiasWandersByATenthOfADegreeInAHundredSeconds() {
    let tracker = BiasEstimator(settings: MotionEstimator.Settings())
    // 0.1 deg/s = 0.00174532925 rad/s; its square in 100 s is 3.04617e-8 per second.
    // p = 0.001^2, every second: 1e-12 / 3.04617e-8 + 1e-6 = 3.38281e-5.
    #expect(abs(tracker.variance(settlingAt: 0.001, every: 1) - 3.38281e-5) < 1e-9)
  }
}
