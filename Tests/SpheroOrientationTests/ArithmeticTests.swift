// Sums, matrices, simd vectors, splines and descriptions against literal numbers.
import SpheroOrientation
import TestSupport
import Testing

@Suite struct ArithmeticTests {
  let turn = Rotation(angle: .degrees(90), axis: [0, 0, 1]) ?? .identity

  @Test func angles() {
    var angle = Angle(radians: 3)
    angle += Angle(radians: 1)
    angle -= Angle(radians: 0.5)
    angle *= 4
    angle /= 2
    #expect(angle.radians == 7)
    #expect((2 * angle).radians == 14 && (angle / 4).radians == 1.75 && angle / Angle(radians: 2) == 3.5)
    #expect([Angle(radians: 1), Angle(radians: 2)].reduce(.zero, +).radians == 3)
  }

  @Test func vectors() {
    var vector: Vector3 = [1, 2, 3]
    vector += [1, 1, 1]
    vector -= [0, 0, 2]
    vector *= 6
    vector /= 4
    #expect(vector == Vector3(3, 4.5, 3))
    #expect(SIMD3<Double>(vector) == SIMD3(3, 4.5, 3) && Vector3(SIMD3(4, 5, 6)) == [4, 5, 6])
  }

  @Test func quaternions() {
    let q = Quaternion(w: 1, x: 2, y: 3, z: 4)
    #expect(q.vector == SIMD4(2, 3, 4, 1) && Quaternion(vector: SIMD4(2, 3, 4, 1)) == q)
    #expect(q - Quaternion(w: 1, x: 1, y: 1, z: 1) == Quaternion(w: 0, x: 1, y: 2, z: 3))
    #expect([q, q].reduce(.zero, +) == Quaternion(w: 2, x: 4, y: 6, z: 8))
  }

  /// The product is computed by hand.
  @Test func matrices() {
    var a = RotationMatrix(rows: [1, 2, 3], [4, 5, 6], [7, 8, 10])
    let b = RotationMatrix(rows: [0, 1, 0], [2, 0, 1], [1, 1, 1])
    #expect(a * b == RotationMatrix(rows: [7, 4, 5], [16, 10, 11], [26, 17, 18]))
    #expect(a * Vector3(1, 0, -1) == [-2, -2, -3])
    #expect([a.m11, a.m12, a.m13, a.m21, a.m22, a.m23, a.m31, a.m32, a.m33] == [1, 2, 3, 4, 5, 6, 7, 8, 10])
    (a.m11, a.m12, a.m13) = (11, 12, 13)
    (a.m21, a.m22, a.m23) = (21, 22, 23)
    (a.m31, a.m32, a.m33) = (31, 32, 33)
    #expect(a == RotationMatrix(rows: [11, 12, 13], [21, 22, 23], [31, 32, 33]))
    (a.row1, a.row2, a.row3) = (a.row2, a.row3, a.row1)
    #expect(a == RotationMatrix(rows: [21, 22, 23], [31, 32, 33], [11, 12, 13]))
  }

  /// Rotations of 30, 10 and -20 degrees about z, x, y, and gimbal lock with the nose straight up.
  @Test func pitchRollAndYaw() throws {
    let attitude = try #require(
      Rotation(eulerAngles: EulerAngles(.degrees(30), .degrees(10), .degrees(-20), order: .intrinsic(.zxy))))
    #expect(abs(attitude.pitch.degrees - 10) < 1e-12)
    #expect(abs(attitude.roll.degrees + 20) < 1e-12)
    #expect(abs(attitude.yaw.degrees - 30) < 1e-12)
    #expect(abs(Heading(attitude: attitude).degrees - 330) < 1e-12)
    let forward = attitude.act(on: [0, 1, 0])
    #expect(abs(try #require(Heading(towardX: forward.x, y: forward.y)).degrees - 330) < 1e-12)
    let up = try #require(Rotation(angle: .degrees(90), axis: [1, 0, 0]))
    #expect(up.roll == .zero && abs(up.pitch.degrees - 90) < 1e-12)
    #expect(turn.conjugate == turn.inverse)
    var since = attitude
    since.multiply(byInverseOf: turn)
    #expect(since == turn.inverse * attitude)
  }

  /// A quarter turn about z rotates x to y and y to -x.
  @Test func aligning() throws {
    let starts: [Vector3] = [[1, 0, 0], [0, 2, 0]]
    let best = try #require(Rotation.aligning(starts, to: [[0, 1, 0], [-2, 0, 0]]))
    #expect(best.isApproximatelyEqual(to: turn))
    // A pair with weight 0 has no influence; two pairs of equal weight give the rotation halfway.
    let ends: [Vector3] = [[0, 1, 0], [-2, 0, 0], [0, 0, 1]]
    let ignored = try #require(Rotation.aligning(starts + [[1, 0, 0]], to: ends, weights: [1, 1, 0]))
    #expect(ignored.isApproximatelyEqual(to: turn))
    let votes = try #require(
      Rotation.aligning([[1, 0, 0], [1, 0, 0], [0, 0, 1]], to: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    #expect(abs(votes.yaw.degrees - 45) < 1e-12)
    #expect(Rotation.aligning([], to: []) == nil && Rotation.aligning(starts, to: [[1, 0, 0]]) == nil)
    #expect(Rotation.aligning([.zero], to: [.zero]) == nil)
    #expect(Rotation.aligning([[.nan, 0, 0]], to: [[1, 0, 0]]) == nil)
    #expect(Rotation.aligning(starts, to: starts, weights: [1, -1]) == nil)
    #expect(Rotation.aligning(starts, to: starts, weights: [1, .infinity]) == nil)
  }

  @Test func splineHasAContinuousRate() throws {
    let rotations = [
      Rotation.identity, turn, turn * (Rotation(angle: .degrees(50), axis: [1, 0, 0]) ?? .identity),
    ]
    let spline = try #require(RotationSpline([0, 1, 3], rotations))
    for (time, rotation) in zip([0.0, 1, 3], rotations) {
      #expect(spline(at: time).isApproximatelyEqual(to: rotation))
    }
    #expect(spline(at: -5) == .identity && spline(at: 9) == rotations[2] && spline(at: .nan) == .identity)
    let step = 1e-5
    let before = try #require(
      Rotation.angularVelocity(from: spline(at: 1 - step), to: spline(at: 1), seconds: step))
    let after = try #require(
      Rotation.angularVelocity(from: spline(at: 1), to: spline(at: 1 + step), seconds: step))
    #expect((before - after).length < 1e-3)
    // The rate of the parabola weights 90 degrees in 1 s about z twice as much as 50 degrees in 2 s about x.
    let rate: Vector3 = [25 * .pi / 180 / 3, 0, 60 * .pi / 180]
    #expect((before - rate).length < 1e-3)
    // A constant rate stays constant.
    let even = try #require(RotationSpline([0, 2], [.identity, turn]))
    #expect(abs(even(at: 0.5).yaw.degrees - 22.5) < 1e-9)
    #expect(RotationSpline([], []) == nil && RotationSpline([0], []) == nil)
    #expect(RotationSpline([0, 0], [turn, turn]) == nil && RotationSpline([0, .nan], [turn, turn]) == nil)
  }

  @Test func coreMotionSigns() {
    let sample = InertialSample(timestamp: 3, rotationRate: [0.1, 0.2, 0.3], acceleration: [0.5, -0.25, 1])
    let motion = DeviceMotion(attitude: .identity, sample: sample)
    let phone = Convention.coreMotion.motion(motion)
    #expect(phone.userAcceleration == [-0.5, 0.25, 0] && phone.accelerometer == [-0.5, 0.25, -1])
    #expect(phone.gravity == [0, 0, -1] && phone.rotationRate == [0.1, 0.2, 0.3] && phone.timestamp == 3)
    #expect(phone.heading == .ahead && phone.pitchRollYaw.yaw == .zero)
    #expect(phone.quaternionWords == QuaternionWords(0, 0, 0, 1))
    // x right, y back, z down.
    let glasses = Convention.boseWearable.motion(motion)
    #expect(glasses.userAcceleration == [0.5, 0.25, 0] && glasses.gravity == [0, 0, 1])
    #expect(glasses.rotationRate == [0.1, -0.2, -0.3])
    // The device's x axis points north at yaw 0.
    #expect(Convention.coreMotionNorth.motion(motion).pitchRollYaw.yaw.description == "-90°")
  }

  @Test func estimatorThatKnowsTheAttitude() throws {
    var estimator = MotionEstimator(attitude: turn, headingAccuracy: .degrees(5))
    #expect(abs(estimator.accuracy.heading.degrees - 5) < 0.5)
    let motion = estimator(InertialSample(timestamp: 0, rotationRate: .zero, acceleration: [0, 0, 1]))
    #expect(abs(try #require(motion).heading.degrees - 270) < 1e-9)
  }
}

@Suite struct DescriptionTests {
  @Test func valuesReadWell() throws {
    let turn = try #require(Rotation(angle: .degrees(30), axis: [0, 0, 1]))
    let sample = InertialSample(timestamp: 1.5, rotationRate: [0, 0, 1], acceleration: [0, 0, 1])
    let calibration = RestCalibration(
      meanRotationRate: [0.01, 0, 0], meanAcceleration: [0, 0, 1.25], sampleCount: 100)
    let pairs: [(any CustomStringConvertible, String)] = [
      (Angle.degrees(30), "30°"), (Angle.degrees(-0.125), "-0.125°"), (Angle.radians(.nan), "nan°"),
      (Heading(degrees: 270), "270°"),
      (Vector3(0.5, 0, -1), "(0.5, 0, -1)"), (Quaternion.identity, "(w: 1, x: 0, y: 0, z: 0)"),
      (turn, "30° about (0, 0, 1)"), (Rotation.identity, "no rotation"),
      (RotationMatrix(rows: [1, 0, 0], [0, 1, 0], [0, 0, 1]), "[(1, 0, 0), (0, 1, 0), (0, 0, 1)]"),
      (Axis.y, "y"), (SignedAxis.minusY, "-y"), (SignedAxis.z, "z"),
      (try #require(AxisMap(x: .y, y: .minusX, z: .z)), "(y, -x, z)"),
      (EulerOrder.intrinsic(.zxy), "intrinsic zxy"), (EulerSequence.xyx, "xyx"),
      (
        EulerAngles(.degrees(10), .degrees(20), .degrees(30), order: .extrinsic(.xyz)),
        "extrinsic xyz 10°, 20°, 30°"
      ),
      (
        PitchRollYaw(pitch: .degrees(10), roll: .degrees(-20), yaw: .degrees(30)),
        "pitch 10°, roll -20°, yaw 30°"
      ),
      (QuaternionWords(9985, -539, 86, 0), "9985 -539 86 0"),
      (QuaternionLayout(.scalarFirst, .referenceToBody), "scalar first, reference to body"),
      (QuaternionLayout(.scalarLast, .bodyToReference), "scalar last, body to reference"),
      (AccelerometerSign.minusSpecificForce, "minus specific force"),
      (Convention.sphero.angles, "pitch about -x, roll about -y, yaw about z, intrinsic zxy"),
      (
        Convention.boseWearable.angles, "pitch about x plus 180°, roll about -y, yaw about -z, intrinsic zyx"
      ),
      (sample, "1.5 s: turns at (0, 0, 1) rad/s, feels (0, 0, 1) g"),
      (
        DeviceMotion(attitude: turn, sample: sample),
        "1.5 s: 30° about (0, 0, 1), turns at (0, 0, 1) rad/s, speeds up by (0, 0, 0) g"
      ),
      (try #require(calibration), "(0.01, 0, 0) rad/s and (0, 0, 0.25) g of 100 readings"),
      (AttitudeAccuracy(heading: .degrees(5), tilt: .degrees(0.5)), "heading ±5°, tilt ±0.5°"),
      (SmoothingFactor(clamping: 0.1), "0.1"), (try #require(TimeConstant(seconds: 0.5)), "0.5 s"),
    ]
    for (value, text) in pairs { #expect("\(value)" == text) }
  }
}

@Suite struct FilterDesignTests {
  /// Returns the gain of a filter for a sine in the steady state.
  private func gain(_ filter: some SampleFilter<Double>, at frequency: Double, rate: Double) -> Double {
    var filter = filter
    let turn = 2 * Double.pi * frequency / rate
    var (inPhase, across) = (0.0, 0.0)
    for index in 0..<12_000 {
      let angle = turn * Double(index)
      let output = filter(Double(Angle(radians: angle).wrapped.radians.sine))
      guard index >= 6_000 else { continue }
      inPhase += output * Angle(radians: angle).wrapped.radians.sine
      across += output * Angle(radians: angle + .pi / 2).wrapped.radians.sine
    }
    return (inPhase * inPhase + across * across).squareRoot() / 3_000
  }

  @Test(arguments: [5.0, 1, 12]) func cutOffIsWhereHalfThePowerPasses(frequency: Double) throws {
    let half = 0.5.squareRoot()
    let low = try #require(LowPassFilter<Double>(cutoff: frequency, sampleRate: 60))
    #expect(abs(gain(low, at: frequency, rate: 60) - half) < 1e-3)
    let high = try #require(HighPassFilter<Double>(cutoff: frequency, sampleRate: 60))
    #expect(abs(gain(high, at: frequency, rate: 60) - half) < 1e-3)
    for order in 1...6 {
      for kind in ButterworthFilter<Double>.Kind.allCases {
        let filter = try #require(
          ButterworthFilter<Double>(kind, order: order, cutoff: frequency, sampleRate: 60))
        #expect(abs(gain(filter, at: frequency, rate: 60) - half) < 1e-3, "\(kind) \(order)")
      }
    }
  }

  /// |H|^2 = 1 / (1 + (tan(pi f / rate) / tan(pi fc / rate))^2N): 15 Hz of 60 has tangent 1, 6 Hz 0.3249197.
  @Test func slopeFollowsTheOrder() throws {
    for (order, expected) in [(1, 0.3090170), (2, 0.1049895), (3, 0.0342825), (4, 0.0111444), (5, 0.0036213)]
    {
      let filter = try #require(ButterworthFilter<Double>(.lowPass, order: order, cutoff: 6, sampleRate: 60))
      #expect(abs(gain(filter, at: 15, rate: 60) - expected) < 1e-5, "\(order)")
    }
  }

  /// If a later section overflows, the earlier sections must not keep the sample either.
  @Test(arguments: [1, 2, 4, 6, 9, 16]) func samplesTooLargeForAnySectionLeaveAllAsTheyAre(order: Int) throws
  {
    var random = SeededGenerator(seed: 22)
    var lost = 0
    for _ in 0..<100 {
      var filter = try #require(
        ButterworthFilter<Double>(.highPass, order: order, cutoff: 3, sampleRate: 60))
      var last = filter(0)
      for _ in 0..<20 {
        let before = filter
        let output = filter(.greatestFiniteMagnitude * Double.random(in: -1...1, using: &random))
        defer { last = output }
        guard output == last else { continue }
        lost += 1
        var (lasting, expected) = (filter, before)
        for next in [1, 0, 2, 0, 0.0] { #expect(lasting(next) == expected(next)) }
      }
    }
    #expect(lost > 0)
  }

  @Test func constantsAndRefusals() throws {
    for order in 1...7 {
      var low = try #require(ButterworthFilter<Double>(.lowPass, order: order, cutoff: 6, sampleRate: 60))
      var high = try #require(ButterworthFilter<Double>(.highPass, order: order, cutoff: 6, sampleRate: 60))
      for _ in 0..<50 { #expect(abs(low(7) - 7) < 1e-9 && abs(high(7)) < 1e-9) }
      low.reset()
      #expect(abs(low(-2) + 2) < 1e-9)
      #expect(low(.nan) == low(.infinity) && abs(low(-2) + 2) < 1e-9)
      var started = try #require(
        ButterworthFilter<Double>(.lowPass, order: order, cutoff: 6, sampleRate: 60, history: 3))
      #expect(abs(started(3) - 3) < 1e-9)
    }
    #expect(ButterworthFilter<Double>(.lowPass, order: 0, cutoff: 6, sampleRate: 60) == nil)
    #expect(ButterworthFilter<Double>(.lowPass, order: 17, cutoff: 6, sampleRate: 60) == nil)
    #expect(LowPassFilter<Double>(cutoff: 31, sampleRate: 60) == nil)
    #expect(HighPassFilter<Double>(cutoff: 31, sampleRate: 60) == nil)
    #expect(HighPassFilter<Double>(cutoff: 0, sampleRate: 60) == nil)
    #expect(SmoothingFactor(clamping: 2).value == 1 && SmoothingFactor(clamping: -.infinity).value == 0)
  }

  @Test(arguments: [
    (0, "0"), (-0.0, "0"), (0.5, "0.5"), (-1, "-1"), (0.1, "0.1"), (0.00005, "0.00005"),
    (-0.000_001, "-0.000001"),
    (4e-7, "0"), (-4e-7, "0"), (0.999_999_6, "1"), (12.340_5, "12.3405"),
    (123_456_789.123_457, "123456789.123457"),
    (.nan, "nan"), (-.infinity, "-inf"),
  ])
  func numeralsHaveNoExponent(number: Double, text: String) { #expect(number.numeral == text) }
}

extension Double {
  /// The sine of this many radians, from a rotation, because this file imports no C library.
  fileprivate var sine: Double {
    (Rotation(angle: .radians(self), axis: [0, 0, 1]) ?? .identity).act(on: [1, 0, 0]).y
  }
}
