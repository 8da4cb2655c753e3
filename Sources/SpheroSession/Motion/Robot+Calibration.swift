// The offsets of a robot's sensors, measured while the ball lies still.

import SpheroMotion
public import SpheroOrientation
import SpheroProtocol
import SpheroTransport

extension Robot {
  /// The stream for a measurement of offsets.
  private static let offsetStream = StreamRequest(mask: [.accel, .gyro], hertz: 50)
  /// The number of averaged readings: those of 2 s, after the 1.5 s in which `RestDetector` detects rest.
  private static let offsetReadings = 100

  /// Measures the offsets of accelerometer and gyroscope while the ball lies still, which takes 3.5 s of rest.
  ///
  /// A ball that moves restarts the measurement, until the time limit. The offsets are on the body axes of
  /// `Convention.sphero`; `MotionTracker` subtracts them, and `RestCalibration.storedText` stores them.
  ///
  /// - Throws: `CalibrationError`, and the errors of ``samples(_:buffering:ageLimit:)``.
  public func measureOffsets(timeLimit: Duration = .seconds(15)) async throws -> RestCalibration {
    let samples = try await samples(Self.offsetStream)
    let timer = time.start { [time] in
      do { try await time.sleep(for: timeLimit) } catch { return }
      samples.end()
    }
    defer {
      timer.cancel()
      samples.end()
    }
    var calibrator = RestCalibrator(sampleCount: Self.offsetReadings, limits: .offsetMeasurement)
    var hasReadings = false
    for try await sample in samples {
      guard let reading = sample.sample.inertialSample(at: sample.time / .seconds(1), by: .sphero) else {
        continue
      }
      hasReadings = true
      guard let calibration = calibrator(reading) else { continue }
      try calibration.validate()
      return calibration
    }
    try Task.checkCancellation()
    throw hasReadings ? CalibrationError.notAtRest(within: timeLimit) : .noReadings
  }
}
