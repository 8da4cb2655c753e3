// The offsets of a robot's sensors: measured on simulated robots, stored, and subtracted from samples.

import Foundation
import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct CalibrationTests {
  private static let degree = Double.pi / 180

  private func biased(_ rate: Double = 3) -> Game {
    Game {
      $0.model.errors.rateBias = rate
      $0.model.errors.accelerationBias = 0.05
    }
  }

  /// The mean readings of a robot at rest, in rad/s and g on body axes.
  private func means(_ game: Game) async throws -> (rate: Vector3, force: Vector3) {
    let samples = try await game.play { robot in
      try await robot.samples(StreamRequest(mask: [.gyro, .accel], divisor: 1)).prefix(2_000)
        .reduce(into: []) { $0.append($1.sample) }
    }
    let rates = samples.compactMap { $0.rotationRate() }
    let forces = samples.compactMap { $0.specificForce() }
    return (rates.reduce(.zero, +) / Double(rates.count), forces.reduce(.zero, +) / Double(forces.count))
  }

  @Test func aRobotAtRestIsMeasuredIn4Seconds() async throws {
    let truth = try await means(biased())
    #expect(truth.rate.length > 2 * Self.degree && abs(truth.force.length - 1) > 0.01)
    let game = biased()
    let (offsets, duration) = try await game.play { robot in
      let start = game.time.now
      return (try await robot.measureOffsets(), game.time.now - start)
    }
    #expect(duration > .milliseconds(3_400) && duration < .milliseconds(4_500), "\(duration)")
    #expect(offsets.sampleCount == 100)
    #expect((offsets.rotationRateOffset - truth.rate).length < 0.1 * Self.degree)
    // The length of the reading without the offset is 1 g, and its direction is unchanged.
    let corrected = truth.force - offsets.accelerationOffset
    #expect(abs(corrected.length - 1) < 0.001)
    #expect(offsets.accelerationOffset.cross(truth.force).length < 0.001)
  }

  @Test func motionWithoutOffsetsRestsFromTheFirstSample() async throws {
    let game = biased()
    let motion = try await game.play { robot in
      let offsets = try await robot.measureOffsets()
      var taken: [DeviceMotion] = []
      for try await motion in try await robot.motion(calibration: offsets).prefix(10) { taken.append(motion) }
      return taken
    }
    // Noise of 0.2 degrees per second about each axis, and a count.
    #expect(motion.count == 10 && motion.allSatisfy { $0.rotationRate.length < 0.55 * Self.degree })
    // One position shows the offset along gravity only.
    #expect(motion.allSatisfy { abs($0.userAcceleration.dot($0.gravity)) < 0.012 })
  }

  @Test func aMovingBallIsAnError() async throws {
    let game = Game()
    await #expect(throws: CalibrationError.notAtRest(within: .seconds(6))) {
      try await game.play { robot in
        async let drive: Void = {
          for second in 0..<8 {
            try await robot.send(Motion.Roll(speed: 80, heading: UInt16(second * 97 % 360)))
            try await game.time.sleep(for: .seconds(1))
          }
        }()
        _ = try await robot.measureOffsets(timeLimit: .seconds(6))
        try await drive
      }
    }
  }

  @Test func aSensorBeyondItsRangeIsAnError() async throws {
    let game = Game { $0.model.errors.accelerationBias = 1.5 }
    let truth = try await means(Game { $0.model.errors.accelerationBias = 1.5 })
    let excess = truth.force.length - 1
    #expect(abs(excess) > 0.5, "\(truth.force)")
    await #expect {
      _ = try await game.play { try await $0.measureOffsets() }
    } throws: { error in
      guard case .outOfRange(let name, let value, limit: 0.5)? = error as? CalibrationError else {
        return false
      }
      return name.hasPrefix("accelerationOffset.") && abs(value) > 0.5
    }
  }

  // MARK: Stored text

  @Test func theStoredTextIsThatOfCodable() throws {
    let offsets = RestCalibration(
      rotationRateOffset: Vector3(0.015625, -0.25, 1e-5), accelerationOffset: Vector3(0, 0.125, -0.03125),
      sampleCount: 100)
    let text = try #require(offsets.storedText)
    #expect(
      text
        == #"{"rotationRateOffset": {"x": 0.015625, "y": -0.25, "z": 1e-05}, "accelerationOffset": {"x": 0.0, "y": 0.125, "z": -0.03125}, "sampleCount": 100}"#
    )
    #expect(try JSONDecoder().decode(RestCalibration.self, from: Data(text.utf8)) == offsets)
    #expect(try RestCalibration(parsing: text) == offsets)
    let encoded = String(decoding: try JSONEncoder().encode(offsets), as: UTF8.self)
    #expect(try RestCalibration(parsing: encoded) == offsets)
    // Members of later versions are ignored.
    #expect(try RestCalibration(parsing: #"{"robot": ["A"], "# + text.dropFirst()) == offsets)
    var invalid = offsets
    invalid.accelerationOffset.x = .infinity
    #expect(invalid.storedText == nil)
  }

  private static let valid =
    #"{"rotationRateOffset": {"x": 0, "y": 0, "z": 0}, "accelerationOffset": {"x": 0, "y": 0, "z": 0}, "sampleCount": 9}"#

  @Test(arguments: [
    ("", CalibrationError.malformed(line: 1, column: 1, expected: "a value")),
    ("0.1 0.2", .malformed(line: 1, column: 5, expected: "the end of the text")),
    ("[]", .missing("rotationRateOffset.x")), (#"{"x": {"bias": 0}}"#, .missing("rotationRateOffset.x")),
    (valid.replacing(#""z": 0}, "s"#, with: #""z": null}, "s"#), .missing("accelerationOffset.z")),
    (valid.replacing("sampleCount", with: "count"), .missing("sampleCount")),
    (valid.replacing("9", with: "0"), .invalidCount(0)),
    (valid.replacing("9", with: "2.5"), .invalidCount(2.5)),
    (valid.replacing("9", with: "1e300"), .invalidCount(1e300)),
    (
      valid.replacing(#"{"x": 0, "y": 0, "z": 0}, "a"#, with: #"{"x": 0, "y": -2.5, "z": 0}, "a"#),
      .outOfRange("rotationRateOffset.y", -2.5, limit: 20 * .pi / 180)
    ),
    (
      valid.replacing(#""z": 0}, "s"#, with: #""z": 0.75}, "s"#),
      .outOfRange("accelerationOffset.z", 0.75, limit: 0.5)
    ),
  ])
  func invalidTextsAreErrors(text: String, error: CalibrationError) {
    #expect(throws: error) { try RestCalibration(parsing: text) }
  }
}
