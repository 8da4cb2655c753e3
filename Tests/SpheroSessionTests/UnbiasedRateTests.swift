// The rotation rate without the gyroscope's bias, with the quaternion of a simulated robot.

import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct UnbiasedRateTests {
  private func take(_ count: Int, of motion: MotionSequence) async throws -> [DeviceMotion] {
    var taken: [DeviceMotion] = []
    for try await motion in motion.prefix(count) { taken.append(motion) }
    return taken
  }

  private static let degree = Double.pi / 180

  /// A robot whose gyroscope has a bias of up to 3 degrees per second about each axis.
  private func biased() -> Game { Game { $0.model.errors.rateBias = 3 } }

  /// The bias in rad/s: the mean of raw readings of a robot at rest.
  private func witness() async throws -> Vector3 {
    let game = biased()
    let readings = try await game.play { robot in
      try await robot.samples(StreamRequest(mask: [.gyro], divisor: 1)).prefix(2_000)
        .reduce(into: []) { $0.append($1.sample.rotationRate()) }
    }
    let sum = readings.compactMap(\.self).reduce(.zero, +)
    return sum / Double(readings.count)
  }

  @Test(arguments: [20, 100, 400]) func restRemovesTheBias(rate: Int) async throws {
    let bias = try await witness()
    #expect(max(abs(bias.x), abs(bias.y), abs(bias.z)) > 2 * Self.degree, "\(bias / Self.degree)")
    let motion = try await biased().play { robot in
      try await take(11 * rate, of: try await robot.motion(StreamRequest(mask: .motion, hertz: Double(rate))))
    }
    let first = try #require(motion.first)
    #expect(first.rotationRateBias == .zero && first.rotationRate.length > 2 * Self.degree)
    let later = motion.suffix(rate)
    let mean = later.map(\.rotationRate).reduce(.zero, +) / Double(later.count)
    // The mean of readings with a noise of 0.12 degrees per second, and of the estimate's own error.
    #expect(mean.length < 0.12 * Self.degree, "\(mean / Self.degree)")
    #expect(later.allSatisfy { ($0.rotationRateBias - bias).length < 0.1 * Self.degree })
    #expect(later.allSatisfy { ($0.rotationRateBiasError?.length ?? 1) < 0.2 * Self.degree })
    // Noise of 0.2 degrees per second about each axis, and a count.
    #expect(later.allSatisfy { $0.rotationRate.length < 0.55 * Self.degree })
  }

  /// Rolls with a new heading each second, for 30 seconds.
  @Test(arguments: [20, 100, 400]) func motionRemovesTheBias(rate: Int) async throws {
    let bias = try await witness()
    let game = biased()
    let motion = try await game.play { robot in
      let motion = try await robot.motion(StreamRequest(mask: .motion, hertz: Double(rate)))
      async let drive: Void = {
        for second in 0..<30 {
          try await robot.send(Motion.Roll(speed: 80, heading: UInt16(second * 97 % 360)))
          try await game.time.sleep(for: .seconds(1))
        }
      }()
      let taken = try await take(30 * rate, of: motion)
      try await drive
      return taken
    }
    let last = try #require(motion.last)
    #expect(motion.contains { $0.rotationRate.length > 50 * Self.degree })
    let rest = (last.rotationRateBias - bias) / Self.degree
    #expect(rest.length < 0.3, "\(rest), \(bias / Self.degree)")
    #expect(try #require(last.rotationRateBiasError).length < 0.7 * Self.degree)
  }
}
