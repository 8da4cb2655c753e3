// Device motion against the cameras of the BROAD recordings, and against other algorithms.
import Foundation
import Testing

@testable import SpheroOrientation

@Suite struct MotionRecordingTests {
  @Test(arguments: [Recording.slow, Recording.fast], [true, false])
  func staysBelowTheErrorsOfItsPeers(name: String, quantized: Bool) throws {
    let recording = try Recording(name, quantized: quantized)
    let motions = recording.rows.map(\.sample).processed(by: MotionEstimator())
    let error = AttitudeError(motions.map { $0?.attitude }, in: recording)
    print(name, quantized, error)
  }
}
