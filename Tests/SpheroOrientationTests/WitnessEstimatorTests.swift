// The default assumptions of the motion estimator as literal numbers.

import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct WitnessEstimatorTests {
  @Test func settingsOfTheEstimator() {
    let settings = MotionEstimator.Settings()
    #expect(settings.readings == .points)
    #expect(settings.accelerationTimeConstant == 3)
    #expect(settings.rest == RestDetector.Limits())
    // 0.5, 0.03, 0.03, 0.7 and 3 degrees in radians.
    #expect(abs(settings.initialBiasError - 0.00872664626) < 1e-11)
    #expect(abs(settings.restBiasError - 0.000523598776) < 1e-12)
    #expect(abs(settings.angleRandomWalk - 0.000523598776) < 1e-12)
    #expect(abs(settings.tiltError - 0.0122173048) < 1e-10)
    #expect(abs(settings.magneticError - 0.0523598776) < 1e-10)
    #expect(settings.biasForgettingTime == 100 && settings.magneticCorrelationTime == 5)
    #expect(settings.sensitivityError == 0.01 && settings.hardIronError == 0.1)
    #expect(settings.calibration == nil)
  }
}
