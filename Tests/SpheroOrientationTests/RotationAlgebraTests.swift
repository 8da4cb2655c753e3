// The algebra of rotations: identities and examples.
import TestSupport
import Testing

@testable import SpheroOrientation

private let tiny = Angle(radians: 4e-15)

@Suite(.ownThread) struct RotationAlgebraTests {
  @Test func quarterTurnAboutZTakesXToY() throws {
    let turn = try #require(Rotation(angle: .degrees(90), axis: Vector3(0, 0, 5)))
    #expect(turn.act(on: Vector3(1, 0, 0)).isApproximatelyEqual(to: Vector3(0, 1, 0), tolerance: 1e-15))
    #expect(
      turn.inverse.act(on: Vector3(0, 1, 0)).isApproximatelyEqual(to: Vector3(1, 0, 0), tolerance: 1e-15))
    #expect(turn.axis == Vector3(0, 0, 1))
    #expect(abs(turn.angle.degrees - 90) < 1e-13)
  }

  @Test func productAppliesItsSecondFactorFirst() throws {
    let x = try #require(Rotation(angle: .degrees(90), axis: Vector3(1, 0, 0)))
    let z = try #require(Rotation(angle: .degrees(90), axis: Vector3(0, 0, 1)))
    #expect((z * x).act(on: Vector3(0, 1, 0)).isApproximatelyEqual(to: Vector3(0, 0, 1), tolerance: 1e-15))
    #expect((x * z).act(on: Vector3(1, 0, 0)).isApproximatelyEqual(to: Vector3(0, 0, 1), tolerance: 1e-15))
  }

  @Test func oppositeQuaternionsAreEqualRotations() throws {
    let a = try #require(Rotation(w: 0.5, x: -0.5, y: 0.5, z: 0.5))
    let b = try #require(Rotation(w: -2, x: 2, y: -2, z: -2))
    #expect(a == b)
    #expect(Set([a, b]).count == 1)
    #expect(a.angle(to: b).radians < 1e-15)
    #expect(try #require(Rotation(ix: -0.5, iy: 0.5, iz: 0.5, r: 0.5)) == a)
  }

  @Test func logarithmAndAxisAtZeroAndHalfTurns() throws {
    #expect(Rotation.identity.rotationVector == .zero)
    #expect(Rotation.identity.axis == nil)
    let half = try #require(Rotation(w: 0, x: 0, y: -3, z: 0))
    #expect(half.rotationVector == Vector3(0, .pi, 0))
    #expect(half.axis == Vector3(0, 1, 0))
    let least = try #require(Rotation(rotationVector: Vector3(1e-300, 0, 0)))
    #expect(least.rotationVector == Vector3(1e-300, 0, 0))
  }

  @Test func logarithmIsTheInverseOfExponential() throws {
    var random = SeededGenerator(seed: 7)
    for exponent in -320...0 {
      let direction = try #require(random.vector().normalized)
      let vector = direction * (Double(sign: .plus, exponent: exponent * 3, significand: 3.1))
      let back = try #require(Rotation(rotationVector: vector)).rotationVector
      #expect((back - vector).length <= 1e-15 * max(vector.length, 1e-300), "2^\(exponent * 3), \(vector)")
    }
  }

  @Test func shortestRotationIsExactNearOppositeVectors() throws {
    var random = SeededGenerator(seed: 8)
    for exponent in 0...60 {
      let start = try #require(random.vector().normalized)
      let aside = random.vector() * Double(sign: .plus, exponent: -exponent, significand: 1)
      for end in [-start + aside, start + aside] {
        let turn = try #require(Rotation(from: start * 1e200, to: end * 1e-200), "seed 8")
        let arrived = turn.act(on: start)
        let target = try #require(end.normalized)
        #expect(arrived.isApproximatelyEqual(to: target, tolerance: 1e-15), "seed 8, 2^-\(exponent)")
        // The axis of the shortest rotation is perpendicular to both vectors.
        #expect(abs(turn.quaternion.imaginary.dot(start)) < 1e-15, "seed 8, 2^-\(exponent)")
      }
    }
    let opposite = try #require(Rotation(from: Vector3(0, 0, 1), to: Vector3(0, 0, -1)))
    #expect(opposite.act(on: Vector3(0, 0, 1)) == Vector3(0, 0, -1))
  }

  @Test func productsKeepTheLengthOne() throws {
    let step = try #require(Rotation(rotationVector: Vector3(0.1, -0.2, 0.05)))
    var rotation = Rotation.identity
    for _ in 0..<100_000 { rotation = rotation * step }
    #expect(abs(rotation.quaternion.norm - 1) < 1e-15)
  }

  @Test func slerpHasAConstantRateOnBothPaths() throws {
    let start = try #require(Rotation(angle: .degrees(20), axis: Vector3(0, 0, 1)))
    let end = try #require(Rotation(angle: .degrees(140), axis: Vector3(0, 0, 1)))
    for (path, expected) in [(SlerpPath.shortest, 50.0), (.longest, -40)] {
      let quarter = Rotation.slerp(from: start, to: end, t: 0.25, along: path)
      let angle = try #require(quarter.twistAngle(about: Vector3(0, 0, 1)))
      #expect(abs(angle.degrees - expected) < 1e-13)
      #expect(Rotation.slerp(from: start, to: end, t: 0, along: path).quaternion == start.quaternion)
      #expect(Rotation.slerp(from: start, to: end, t: 1, along: path).quaternion == end.quaternion)
    }
    // The sign of the words does not change the shortest path.
    let negative = try #require(Rotation(-end.quaternion))
    let half = Rotation.slerp(from: start, to: negative, t: 0.5)
    #expect(half.isApproximatelyEqual(to: Rotation.nlerp(from: start, to: negative, t: 0.5), tolerance: tiny))
    let around = Rotation.slerp(from: .identity, to: .identity, t: 0.5, along: .longest)
    #expect(abs(around.angle.degrees - 180) < 1e-13)
  }

  @Test func nlerpStaysNearSlerp() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      let (a, b, t) = (random.rotation(), random.rotation(), random.number(0...1))
      let difference = Rotation.nlerp(from: a, to: b, t: t).angle(to: Rotation.slerp(from: a, to: b, t: t))
      #expect(difference.degrees < 8.2, "seed 9")
    }
  }

  @Test func powersAreAdditive() {
    var random = SeededGenerator(seed: 10)
    for _ in 0..<200 {
      let rotation = random.rotation()
      let (s, t) = (random.number(), random.number())
      #expect(
        (rotation.power(s) * rotation.power(t)).isApproximatelyEqual(
          to: rotation.power(s + t), tolerance: tiny))
      #expect(rotation.power(-1).isApproximatelyEqual(to: rotation.inverse, tolerance: tiny))
    }
  }

  @Test func meanIgnoresSignsAndAppliesWeights() throws {
    let start = try #require(Rotation(angle: .degrees(10), axis: Vector3(1, 2, 3)))
    let end = try #require(Rotation(angle: .degrees(70), axis: Vector3(1, 2, 3)))
    let negative = try #require(Rotation(-end.quaternion))
    let middle = Rotation.slerp(from: start, to: end, t: 0.5)
    #expect(
      try #require(Rotation.mean(of: [start, negative])).isApproximatelyEqual(to: middle, tolerance: tiny))
    #expect(
      try #require(Rotation.mean(of: [start, end], weights: [0, 1e300])).isApproximatelyEqual(
        to: end, tolerance: tiny))
    var random = SeededGenerator(seed: 11)
    for _ in 0..<50 {
      let turn = random.rotation()
      let rotations = (0..<7).map { _ in random.rotation() }
      let weights = rotations.map { _ in random.number(0...1) }
      let mean = try #require(Rotation.mean(of: rotations, weights: weights))
      // No nearby rotation has a smaller sum, and rotating the input rotates the mean.
      let cost = { (candidate: Rotation) in
        zip(rotations, weights).reduce(0) { $0 - $1.1 * pow2($1.0.quaternion.dot(candidate.quaternion)) }
      }
      for _ in 0..<10 {
        let nearby = try #require(Rotation(rotationVector: random.vector() * 0.3)) * mean
        #expect(cost(mean) <= cost(nearby) + 1e-14, "seed 11")
      }
      let turned = try #require(Rotation.mean(of: rotations.map { turn * $0 }, weights: weights))
      #expect(turned.angle(to: turn * mean).radians < 1e-12, "seed 11")
    }
    #expect(Rotation.mean(of: []) == nil)
    #expect(Rotation.mean(of: [start], weights: [1, 1]) == nil)
    #expect(Rotation.mean(of: [start], weights: [-1]) == nil)
    #expect(Rotation.mean(of: [start], weights: [0]) == nil)
    #expect(Rotation.mean(of: [start], weights: [.nan]) == nil)
  }

  @Test func swingAndTwistComposeTheRotation() throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<500 {
      let (rotation, axis) = (random.rotation(), random.vector())
      let unit = try #require(axis.normalized)
      let parts = try #require(rotation.swingTwist(twistAxis: axis))
      #expect((parts.swing * parts.twist).isApproximatelyEqual(to: rotation, tolerance: tiny), "seed 12")
      #expect(abs(parts.swing.quaternion.imaginary.dot(unit)) < 1e-15, "seed 12")
      #expect(parts.twist.quaternion.imaginary.cross(unit).length < 1e-15, "seed 12")
    }
    let over = try #require(Rotation(w: 0, x: 1, y: 0, z: 0))
    #expect(try #require(over.swingTwist(twistAxis: Vector3(0, 0, 1))).twist == .identity)
    #expect(over.swingTwist(twistAxis: .zero) == nil)
  }

  @Test func rateIsTheInverseOfIntegration() throws {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<200 {
      let (start, rate, seconds) = (random.rotation(), random.vector(), random.number(0.001...1))
      let end = try #require(start.integrating(rate: rate, seconds: seconds), "seed 13")
      let back = try #require(Rotation.angularVelocity(from: start, to: end, seconds: seconds), "seed 13")
      #expect(back.isApproximatelyEqual(to: rate, tolerance: 2e-15 / seconds), "seed 13")
    }
    #expect(Rotation.angularVelocity(from: .identity, to: .identity, seconds: 0) == nil)
    #expect(Rotation.angularVelocity(from: .identity, to: .identity, seconds: -1) == nil)
  }

  @Test func invalidMatricesAreRejected() {
    let x = Vector3(1, 0, 0)
    let (y, z) = (Vector3(0, 1, 0), Vector3(0, 0, 1))
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, y, -z)) == nil)
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, y, z * 1.1)) == nil)
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, x, z)) == nil)
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, y, z * .nan)) == nil)
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, y, z * 1.0001)) == .identity)
  }

  @Test func axisMapsAreTheRightHandedOnes() {
    #expect(Set(AxisMap.all).count == 24)
    let v = Vector3(1, 2, 3)
    for map in AxisMap.all {
      #expect(map.rotation.act(on: v).isApproximatelyEqual(to: map.act(on: v), tolerance: 4e-15))
    }
    #expect(AxisMap(x: .x, y: .y, z: .minusZ) == nil)
    #expect(AxisMap(x: .x, y: .x, z: .z) == nil)
    #expect(AxisMap(x: .y, y: .minusX, z: .z)?.act(on: v) == Vector3(2, -1, 3))
  }

  /// Results are bit-identical within a few turns and near half turns; zero may have either sign.
  @Test func wrappedMatchesTheRemainder() {
    var random = SeededGenerator(seed: 0x5EED_0114)
    var angles = (0..<2_000).map { _ in Double.random(in: -14...14, using: &random) }
    for half in -9...9 {
      let angle = Double(half) * .pi
      angles += [angle, angle.nextUp, angle.nextDown, angle + 1e-9, angle - 1e-9]
    }
    let least = Double.leastNonzeroMagnitude
    for angle in angles + [-0.0, least, -least, 1e9, -1e300] {
      let remainder = angle.remainder(dividingBy: 2 * .pi)
      let expected = remainder == -.pi ? .pi : remainder
      let wrapped = Angle(radians: angle).wrapped.radians
      #expect(wrapped == expected, "\(angle)")
    }
  }

  @Test func anglesWrapIntoBothRanges() {
    for (degrees, signed, positive) in [
      (0.0, 0.0, 0.0), (180, 180, 180), (-180, 180, 180), (190, -170, 190), (360, 0, 0), (-90, -90, 270),
      (720 + 45, 45, 45), (-720 - 45, -45, 315), (540, 180, 180),
    ] {
      #expect(abs(Angle(degrees: degrees).wrapped.degrees - signed) < 1e-12, "\(degrees)")
      #expect(abs(Angle(degrees: degrees).wrappedPositive.degrees - positive) < 1e-12, "\(degrees)")
    }
    #expect(Angle(radians: -.pi).wrapped.radians == .pi)
    #expect(Angle(radians: -1e-20).wrappedPositive.radians == 0)
    #expect(Angle(degrees: 45).radians == .pi / 4)
    #expect(Angle(radians: .pi / 2).degrees == 90)
  }

  @Test func wrappedStreamUnwraps() {
    var random = SeededGenerator(seed: 14)
    var (truth, unwrapped) = (Angle.zero, Angle.zero)
    for _ in 0..<1_000 {
      truth = truth + Angle(degrees: random.number(-179...179))
      unwrapped = truth.wrapped.unwrapped(after: unwrapped)
      #expect(abs((unwrapped - truth).radians) < 1e-9, "seed 14")
    }
  }
}

private func pow2(_ x: Double) -> Double { x * x }
