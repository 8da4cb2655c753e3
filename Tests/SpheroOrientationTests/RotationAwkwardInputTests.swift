// Every function with zero, subnormal, huge, infinite, NaN and opposite values returns no NaN.
import TestSupport
import Testing

@testable import SpheroOrientation

/// Whether a rotation is valid: finite and of length 1.
private func isSound(_ rotation: Rotation?) -> Bool {
  guard let rotation else { return true }
  return abs(rotation.quaternion.norm - 1) < 1e-15
}

private func isSound(_ vector: Vector3?) -> Bool { vector?.isFinite ?? true }

private func isSound(_ angles: [Angle]) -> Bool { angles.allSatisfy(\.isFinite) }

@Suite(.ownThread) struct RotationAwkwardInputTests {
  private static let seeds = [UInt64](0..<2_000)

  /// Returns a rotation of extreme words; about one in ten is at lock or a half turn.
  private func rotation(_ random: inout SeededGenerator) -> Rotation {
    Rotation(random.awkwardQuaternion()) ?? .identity
  }

  @Test func vectorsAndQuaternions() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (v, q) = (random.awkwardVector(), random.awkwardQuaternion())
      let note: Comment = "seed \(seed), \(v), \(q)"
      #expect((v.normalized == nil) == (!v.isFinite || v == .zero), note)
      #expect(abs((v.normalized ?? Vector3(1, 0, 0)).length - 1) < 1e-15, note)
      if let unit = v.normalized, let aside = v.anyPerpendicular {
        #expect(abs(aside.dot(unit)) < 1e-15 && abs(aside.length - 1) < 1e-15, note)
      }
      #expect(!v.length.isNaN && !q.norm.isNaN, note)
      let isAbsent = !q.isFinite || max(abs(q.w), abs(q.x), abs(q.y), abs(q.z)) == 0
      #expect((Rotation(q) == nil) == isAbsent, note)
      #expect(isSound(Rotation(q)), note)
      #expect(Rotation(q) == Rotation(-q), note)
    }
  }

  @Test func makingRotations() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (random.awkwardVector(), random.awkwardVector())
      let angle = Angle(radians: random.awkwardNumber())
      let note: Comment = "seed \(seed), \(a), \(b), \(angle)"
      #expect(isSound(Rotation(angle: angle, axis: a)), note)
      #expect(isSound(Rotation(rotationVector: a)), note)
      for end in [b, -a, a * 2, -a + b * 1e-17, a.anyPerpendicular ?? b] {
        let turn = Rotation(from: a, to: end)
        #expect(isSound(turn), note)
        if let turn, let start = a.normalized, let arrival = end.normalized {
          #expect(turn.act(on: start).isApproximatelyEqual(to: arrival, tolerance: 2e-15), note)
        }
      }
      let matrix = RotationMatrix(rows: a, b, random.awkwardVector())
      #expect(isSound(Rotation(activeMatrix: matrix, tolerance: .infinity)), note)
      #expect(isSound(Rotation(passiveMatrix: matrix, tolerance: random.awkwardNumber())), note)
      for order in EulerOrder.all {
        let angles = EulerAngles(Angle(radians: a.x), Angle(radians: a.y), Angle(radians: a.z), order: order)
        #expect((Rotation(eulerAngles: angles) == nil) == !a.isFinite, note)
        #expect(isSound(Rotation(eulerAngles: angles)), note)
      }
    }
  }

  @Test func usingRotations() throws {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (rotation(&random), rotation(&random))
      let (v, t) = (random.awkwardVector(), random.awkwardNumber())
      let note: Comment = "seed \(seed), \(a), \(b), \(v), \(t)"
      #expect(isSound(a * b) && isSound(a.inverse) && isSound(a.power(t)), note)
      #expect(a.act(on: v).isFinite == v.isFinite, note)
      if !v.isFinite { #expect("\(a.act(on: v))" == "\(v)", note) }
      #expect(isSound(a.rotationVector) && isSound(a.axis) && isSound([a.angle, a.angle(to: b)]), note)
      #expect(a.rotationVector.length <= .pi * (1 + 1e-15), note)
      for path in SlerpPath.allCases {
        #expect(isSound(Rotation.slerp(from: a, to: b, t: t, along: path)), note)
        #expect(isSound(Rotation.slerp(from: a, to: a, t: t, along: path)), note)
        #expect(isSound(Rotation.slerp(from: a, to: a * .boseMap, t: t, along: path)), note)
      }
      #expect(isSound(Rotation.nlerp(from: a, to: b, t: t)), note)
      #expect(isSound(Rotation.nlerp(from: a, to: a * .boseMap, t: t)), note)
      #expect(
        isSound(Rotation.mean(of: [a, b, a * .boseMap], weights: [abs(v.x), abs(v.y), abs(v.z)])), note)
      let parts = a.swingTwist(twistAxis: v)
      #expect(isSound(parts?.swing) && isSound(parts?.twist), note)
      #expect(isSound([a.twistAngle(about: v) ?? .zero]), note)
      #expect(isSound(a.integrating(rate: v, seconds: t)), note)
      #expect(isSound(Rotation.angularVelocity(from: a, to: b, seconds: t)), note)
      #expect(a.activeMatrix.orthogonalityError < 4e-15, note)
      #expect(isSound(a.gravity) && isSound([a.tilt]), note)
      #expect(isSound(Rotation(uprightAgainst: v)), note)
      for order in EulerOrder.all {
        let angles = a.eulerAngles(order: order, thirdAtLock: Angle(radians: t))
        #expect(isSound([angles.first, angles.second, angles.third]), note)
        let rebuilt = try #require(Rotation(eulerAngles: angles), note)
        #expect(rebuilt.angle(to: a).radians < 4e-15, note)
      }
    }
  }

  @Test func anglesAndHeadings() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (Angle(radians: random.awkwardNumber()), Angle(degrees: random.awkwardNumber()))
      let note: Comment = "seed \(seed), \(a), \(b)"
      for angle in [a, b] where angle.isFinite {
        #expect(angle.wrapped.radians > -.pi && angle.wrapped.radians <= .pi, note)
        #expect(angle.wrappedPositive.radians >= 0 && angle.wrappedPositive.radians < 2 * .pi, note)
        #expect(angle.degrees.isFinite && angle.unwrapped(after: b).isFinite == true, note)
      }
      for heading in [Heading(angle: a), Heading(yaw: b), Heading(towardX: a.radians, y: b.radians)] {
        guard let heading else { continue }
        #expect((0..<360).contains(heading.degrees) && (0..<360).contains(heading.wholeDegrees), note)
        #expect(heading.yaw == heading.yaw.wrapped, note)
        #expect((heading.turned(by: b) == nil) == !b.isFinite, note)
      }
      let field = WorldMagneticModel.field(
        latitude: a, longitude: b, altitude: random.awkwardNumber(), year: 2025 + random.number(-1...6))
      if let field {
        #expect(field.totalIntensity.isFinite && isSound([field.declination, field.inclination]), note)
      }
    }
  }

  @Test func conventions() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let (q, v) = (random.awkwardQuaternion(), random.awkwardVector())
      let words = QuaternionWords(q.w, q.x, q.y, q.z)
      let angles = PitchRollYaw(
        pitch: Angle(radians: v.x), roll: Angle(radians: v.y), yaw: Angle(radians: v.z))
      let note: Comment = "seed \(seed), \(words), \(angles)"
      for convention in [Convention.sphero, .spheroLater, .boseWearable, .coreMotionNorth, .rosEastNorthUp] {
        #expect((convention.attitude(of: words) == nil) == (Rotation(q) == nil), note)
        #expect(isSound(convention.attitude(of: words)), note)
        #expect(isSound(convention.attitude(of: angles)), note)
        let attitude = convention.attitude(of: words) ?? .identity
        let own = convention.pitchRollYaw(of: attitude, previous: angles)
        #expect(isSound([own.pitch, own.roll, own.yaw]), note)
        #expect((convention.heading(ofYaw: angles.yaw) == nil) == !angles.yaw.isFinite, note)
        let atRest = convention.pitchRollYaw(atRestReading: v)
        #expect((atRest == nil) == (v.normalized == nil), note)
        #expect(isSound([atRest?.pitch ?? .zero, atRest?.roll ?? .zero]), note)
      }
      guard seed < 40 else { continue }
      let samples = [v, Vector3(0, 0, 1)].map {
        ConventionSample(words: words, accelerometer: $0, angles: angles, pose: seed % 2 == 0 ? .level : nil)
      }
      let turn = ConventionRotation(from: words, to: words, gyroscope: Rotation(q) ?? .identity)
      if let probe = ConventionProbe(samples, turns: [turn]) {
        let best = probe.candidates[0]
        #expect(isSound([best.accelerometerResidual, best.poseResidual ?? .zero]), note)
        #expect(isSound([best.angleResidual ?? .zero, probe.angles?.residual ?? .zero]), note)
        #expect(isSound([probe.gyroscope?.residual ?? .zero]), note)
      }
    }
  }
}
