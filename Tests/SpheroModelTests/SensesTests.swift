// Tests of the sensors: consistency, and poses and motions calculated by hand.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

@Suite(.ownThread) struct SensesTests {
  /// A robot with ideal sensors and the given axes.
  private func ideal(_ reading: SensorAxes = .a, on floor: Floor = Floor()) -> Talk {
    Talk(on: floor) {
      $0.sensorAxes = reading
      ($0.errors.accelerationNoise, $0.errors.rateNoise) = (0, 0)
    }
  }

  /// Body to room, of streamed words: the table of four readings.
  private func attitude(_ reading: SensorAxes, _ words: ArraySlice<Int16>) -> Rotation? {
    let q = words.map { Double($0) / 10_000 }
    switch reading {
    case .a: return Rotation(w: q[0], x: -q[1], y: -q[2], z: -q[3])
    case .b: return Rotation(w: q[0], x: q[1], y: q[2], z: q[3])
    case .c: return Rotation(w: q[0], x: q[1], y: q[2], z: -q[3])
    case .d1: return Rotation(w: q[0], x: q[1], y: -q[2], z: -q[3])
    case .d2: return Rotation(w: q[0], x: -q[1], y: q[2], z: -q[3])
    }
  }

  /// On x right, y ahead, z up, of the words of a vector: B, C and D1 have x left and y back.
  private func vector(_ reading: SensorAxes, _ words: ArraySlice<Int16>, _ perCount: Double) -> Vector3 {
    let v = words.map { Double($0) * perCount }
    return isTurned(reading) ? Vector3(-v[0], -v[1], v[2]) : Vector3(v[0], v[1], v[2])
  }

  /// Whether the sensors have x left and y back.
  private func isTurned(_ reading: SensorAxes) -> Bool {
    reading == .b || reading == .c || reading == .d1
  }

  // MARK: Ranges

  /// A knock of 4 m/s is 20 g, and a spin of 60 radians per second is 3438 degrees per second.
  @Test(arguments: [(UInt8(0), 2), (2, 8)])
  func aProgramReadsWithinTheRanges(_ range: UInt8, _ g: Int) {
    var talk = ideal()
    func values(of text: String) -> [Int] {
      _ = talk.send(0x02, 0x60, [0])
      _ = talk.send(0x02, 0x61, [0] + Array(text.utf8) + [0])
      let pieces = talk.send(0x02, 0x62, [0, 0, 10]) + talk.wait(.milliseconds(2))
      return events(pieces, 0x08).flatMap { text in
        String(decoding: text, as: UTF8.self).split { " \n".contains($0) }.compactMap { Int($0) }
      }
    }
    _ = talk.send(0x02, 0x14, [range])
    talk.robot.knock(Planar(4, 0), at: talk.now)
    _ = talk.wait(.milliseconds(5))
    let forces = values(of: "10 print accelX, accelone\n")
    // With the gravity, the magnitude of (2, 1) or (8, 1) g.
    let magnitudes = (g * 1_000)...(g * 1_000 + 300)
    #expect(forces.first == 4_096 * g && magnitudes.contains(forces.last ?? 0), "\(forces)")
    talk.robot.spin(Vector3(0, 0, 60), at: talk.now)
    _ = talk.wait(.seconds(2))
    #expect(values(of: "10 print gyroZ\n") == [20_000])
  }

  // MARK: Gyroscope against attitude

  /// The tolerance is five standard deviations of what rounding and noise add up to in 24,000 steps of 2.5 ms:
  /// 0.1/sqrt(12) degrees a second of rounding and 0.2/sqrt(3) of noise, each times 0.0025 sqrt(24,000);
  /// and 0.02 degrees for the rounding of two quaternions.
  @Test(arguments: [(0, 0.076), (0.2, 0.2505)] as [(Double, Double)])
  func aMinuteOfRatesAddsUpToTheAttitude(_ noise: Double, _ tolerance: Double) throws {
    var talk = Talk {
      $0.sensorAxes = .a
      $0.errors.rateNoise = noise
    }
    // Filtered rates and the quaternion at 400 Hz.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x1C, 0, 0, 0xF0, 0, 0, 0])
    var pieces: [OutputPiece] = []
    for leg in 0..<40 {
      talk.roll([90, 140, 0, 200][leg % 4], UInt16(leg * 77 % 360))
      pieces += talk.wait(.milliseconds(1_500))
    }
    let frames = frames(pieces)
    #expect((23_990...24_000).contains(frames.count))
    var integral = try #require(frames.first.flatMap { attitude(.a, $0[3...6]) })
    var furthest = 0.0
    for frame in frames.dropFirst() {
      let rate = vector(.a, frame[0...2], 0.1 * .pi / 180)
      let turn = try #require(Rotation(rotationVector: rate * 0.0025))
      integral = integral * turn
      let reported = try #require(attitude(.a, frame[3...6]))
      furthest = max(furthest, integral.angle(to: reported).degrees)
    }
    #expect(furthest < tolerance)
    #expect(furthest > 0.001, "the words are rounded")
  }

  @Test(arguments: SensorAxes.allCases)
  func inEachReadingTheQuaternionIsTheIntegralOfTheRates(_ reading: SensorAxes) throws {
    var talk = ideal(reading)
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x1C, 0, 0, 0xF0, 0, 0, 0])
    talk.robot.spin(Vector3(60, 110, -90) * (.pi / 180), at: talk.now)
    let frames = frames(talk.wait(.seconds(2)))
    var integral = try #require(frames.first.flatMap { attitude(reading, $0[3...6]) })
    for frame in frames.dropFirst() {
      let rate = vector(reading, frame[0...2], 0.1 * .pi / 180)
      let turn = try #require(Rotation(rotationVector: rate * 0.0025))
      integral = integral * turn
    }
    let reported = try #require(frames.last.flatMap { attitude(reading, $0[3...6]) })
    // Full counts after a tenth of a second: what is left is the rounding of the quaternions.
    #expect(integral.angle(to: reported).degrees < 0.1)
    #expect(reported.angle(to: .identity).degrees > 20)
  }

  @Test(arguments: SensorAxes.allCases, [0, 1, 2])
  func ratesHaveTheSignsOfTheReading(_ reading: SensorAxes, _ axis: Int) throws {
    var talk = ideal(reading)
    var rate = [0.0, 0.0, 0.0]
    rate[axis] = 136 * .pi / 180
    talk.robot.spin(Vector3(rate[0], rate[1], rate[2]), at: talk.now)
    _ = talk.wait(.milliseconds(300))
    // Raw and filtered rates.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0x1C, 0, 0x1C, 0, 0])
    let frame = try #require(frames(talk.wait(.milliseconds(100))).last)
    // Nose up, right over and counter-clockwise are positive about right, ahead and up.
    let sign: Int16 = axis < 2 && isTurned(reading) ? -1 : 1
    var expected = [Int16](repeating: 0, count: 6)
    // 136 degrees a second in steps of 0.068 and of 0.1.
    (expected[axis], expected[3 + axis]) = (2_000 * sign, 1_360 * sign)
    #expect(zip(frame, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(frame)")
  }

  // MARK: Accelerometer

  @Test(
    arguments: SensorAxes.allCases,
    [
      // A turn from level, and what points up then: right, ahead, up.
      ([0, 0, 0], [0, 0, 1]), ([0, 180, 0], [0, 0, -1]), ([90, 0, 0], [0, 1, 0]), ([-90, 0, 0], [0, -1, 0]),
      ([0, 90, 0], [-1, 0, 0]), ([0, -90, 0], [1, 0, 0]),
    ] as [([Double], [Int])])
  func eachPoseHasOneGOnItsAxis(_ reading: SensorAxes, _ pose: ([Double], [Int])) throws {
    var talk = ideal(reading)
    let (turn, up) = pose
    talk.robot.hold(Rotation(rotationVector: Vector3(turn[0], turn[1], turn[2]) * (.pi / 180)), at: .zero)
    _ = talk.wait(.milliseconds(1_200))
    // Raw and filtered acceleration, and its size.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0xE0, 0, 0xE0, 0, 1, 0x02, 0, 0, 0])
    let frame = try #require(frames(talk.wait(.milliseconds(20))).first)
    let sign = isTurned(reading) ? -1 : 1
    let read: [Int] = [up[0] * sign, up[1] * sign, up[2]]
    let (raw, filtered) = (read.map { $0 * 250 }, read.map { $0 * 4_096 })
    #expect(frame.map { Int($0) } == raw + filtered + [100])
    #expect(talk.robot.body.isResting)
  }

  @Test func aHandTakesHalfASecondForHalfATurn() {
    var talk = ideal()
    talk.robot.hold(Rotation(rotationVector: Vector3(0, .pi, 0)), at: .zero)
    _ = talk.wait(.milliseconds(400))
    #expect(talk.robot.body.tilt < 3.1)
    _ = talk.wait(.milliseconds(300))
    #expect(abs(talk.robot.body.tilt - .pi) < 1e-3)
  }

  @Test func putDownItRightsItselfWithoutAJump() {
    var talk = ideal()
    talk.robot.hold(Rotation(rotationVector: Vector3(0.6, 0.3, 1)), at: .zero)
    _ = talk.wait(.seconds(1))
    let before = talk.robot.body.attitude
    talk.robot.hold(nil, at: talk.now)
    _ = talk.wait(.microseconds(2_500))
    #expect(before.angle(to: talk.robot.body.attitude).degrees < 2)
    _ = talk.wait(.seconds(2))
    #expect(talk.robot.body.isResting && talk.robot.body.tilt < 1e-6)
    #expect(abs(talk.robot.locatorPosition.heading) > 30, "it points where it was put")
  }

  @Test func aClimbIsFeltAsALeanOfOneG() {
    // Downhill is back: 1 m/s².
    var talk = ideal(on: Floor(slope: Planar(0, -1)))
    _ = talk.send(0x02, 0x35, [0, 0, 0, 0])
    talk.roll(64, 0)
    _ = talk.wait(.seconds(2))
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0xE0, 0, 0])
    let climbing = frames(talk.wait(.seconds(1)))
    // The carriage leans by 0.058 for each m/s²: sin and cos of it in 1/4096 g.
    #expect(climbing.count > 390)
    #expect(climbing.allSatisfy { $0[0] == 0 && abs($0[1] - 237) <= 1 && abs($0[2] - 4_089) <= 1 })
  }

  @Test func whatClimbsGainsHeight() {
    var body = Body()
    body.effort = .controlled(speed: 1, yaw: 0, turnRate: 3)
    let floor = Floor(slope: Planar(0, -2))
    var climb = 0.0
    for _ in 0..<800 {
      body.step(on: floor)
      climb += body.acceleration.z * Body.stepLength
    }
    // At 1 m/s up a slope of 2/9.80665.
    #expect(abs(climb - 2 / 9.80665) < 1e-3)
  }

  /// Rounding of a quaternion that stays leans gravity by 1.9e-4 g at most: 3 mm/s in 1.6 s.
  /// Noise of 0.003/sqrt(3) g adds up to 1.1 mm/s in 640 steps; five times that, and a step of 4 m/s² is 10 mm/s.
  @Test func whatTheAccelerometerFeelsAddsUpToTheVelocity() throws {
    var talk = Talk { $0.sensorAxes = .a }
    // Filtered acceleration, quaternion and velocity.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0xE0, 0, 0, 0xF1, 0x80, 0, 0])
    _ = talk.wait(.milliseconds(50))
    talk.roll(150, 0)
    var pieces = talk.wait(.milliseconds(800))
    talk.roll(150, 60)
    pieces += talk.wait(.milliseconds(800))
    var velocity = Vector3.zero
    var fastest = 0.0
    for frame in frames(pieces) {
      let reported = try #require(attitude(.a, frame[3...6]))
      let force = reported.act(on: vector(.a, frame[0...2], 1 / 4_096.0))
      velocity = velocity + (force - Vector3(0, 0, 1)) * (9.80665 * 0.0025)
      let speed = Vector3(Double(frame[7]) / 1_000, Double(frame[8]) / 1_000, 0)
      #expect((velocity - speed).length < 0.01)
      fastest = max(fastest, speed.length)
    }
    #expect(fastest > 1.1)
  }

  // MARK: Motors, ranges, errors

  @Test func backEMFAndDutyFollowTheSpeed() throws {
    var talk = ideal()
    // Back EMF raw right and left, duty left and right, back EMF right and left.
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0x78, 0, 0x60, 0])
    talk.roll(230, 0)
    // 1.804 m/s: 8.02 times 22.5 cm/s, and 90.2 % of 2048.
    #expect(frames(talk.wait(.milliseconds(1_900))).last == [8, 8, 1_847, 1_847, 8, 8])
    _ = talk.send(0x02, 0x33, [1, 255, 3, 0])
    #expect(frames(talk.wait(.milliseconds(1_900))).last == [0, 9, 2_047, 0, 0, 9])
  }

  @Test(arguments: [(0, 2_000, 1_000), (1, 4_000, 500), (2, 8_000, 250), (3, 16_000, 125)])
  func rangesClipAndScaleTheRawWords(_ index: UInt8, _ milliG: Int, _ raw: Int16) throws {
    var talk = ideal()
    _ = talk.send(0x02, 0x14, [index])
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0xE0, 0, 0xE0, 0, 0])
    #expect(frames(talk.wait(.milliseconds(20))).last == [0, 0, raw, 0, 0, 4_096])
    talk.robot.shake(Vector3(200, 0, 0), at: talk.now)
    let shaken = try #require(frames(talk.wait(.milliseconds(20))).last)
    // 20 g is more than any range, and a filtered word ends at 8 g.
    #expect(shaken[0] >= 1_999 && shaken[0] <= 2_047)
    #expect(Int(shaken[3]) == min(milliG * 4_096 / 1_000, 32_767))
  }

  @Test func theSeedDecidesNoiseAndBias() throws {
    func mean(_ seed: UInt64) -> [Double] {
      var talk = Talk {
        $0.seed = seed
        ($0.errors.accelerationBias, $0.errors.rateBias) = (0.05, 2)
      }
      _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0xFC, 0, 0])
      let frames = frames(talk.wait(.seconds(2)))
      return (0..<6).map { axis in
        frames.reduce(0) { $0 + Double($1[axis]) } / Double(frames.count)
      }
    }
    let (one, other) = (mean(1), mean(2))
    // Means of noise differ by 0.2 counts at most; so it is the bias that differs.
    #expect(one == mean(1) && zip(one, other).contains { abs($0 - $1) > 5 })
    for means in [one, other] {
      // 0.05 g and 2 degrees a second at most, and the mean of 800 noises.
      #expect(abs(means[0]) < 210 && abs(means[1]) < 210 && abs(means[2] - 4_096) < 210)
      #expect(means[3...].allSatisfy { abs($0) < 20.5 })
      #expect(means[3...].contains { abs($0) > 1 }, "there is a bias")
    }
  }

  @Test func aGyroscopeAtItsLimitSaysSoOnceUntilTheHeadingIsSet() {
    var talk = ideal()
    _ = talk.send(0x02, 0x35, [0, 0, 0x01, 0x02])
    talk.robot.spin(Vector3(0, 0, -40), at: talk.now)
    // 40 radians are 2292 degrees; the sensor ends at 2000.
    #expect(talk.wait(.seconds(3)).map(\.bytes) == [[0xFF, 0xFE, 0x0C, 0x00, 0x02, 0x20, 0xD1]])
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0x04, 0, 0x04, 0, 1])
    #expect(frames(talk.wait(.milliseconds(20))) == [[-29_412, -20_000]])
    _ = talk.send(0x02, 0x01, [0, 0])
    #expect(events(talk.wait(.seconds(1)), 0x0C) == [[0x20]])
  }

  @Test func programsReadTheWordsThatAreStreamed() throws {
    for reading in [SensorAxes.a, .c] {
      var talk = ideal(reading)
      talk.robot.hold(Rotation(rotationVector: Vector3(0.5, 0.2, 0.1)), at: .zero)
      _ = talk.wait(.seconds(1))
      _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 0, 0x40, 0, 1, 0x70, 0, 0, 0])
      let frame = try #require(frames(talk.wait(.milliseconds(20))).first)
      _ = talk.send(0x02, 0x61, [0] + Array("10 print accelY,Qone,Qtwo,Qthree\n".utf8) + [0])
      let pieces = talk.send(0x02, 0x62, [0, 0, 10]) + talk.wait(.seconds(1))
      let text = frame.map { String($0) }.joined(separator: " ") + "\n"
      #expect(events(pieces, 0x08) == [Array(text.utf8)])
    }
  }

  @Test func halfATurnIsTheLargestAngle() throws {
    var talk = ideal()
    talk.robot.hold(Rotation(rotationVector: Vector3(0, 0, -179.8 * .pi / 180)), at: .zero)
    _ = talk.wait(.seconds(1))
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0, 1, 0, 0, 1])
    #expect(frames(talk.wait(.milliseconds(20))) == [[180]])
  }

  @Test(arguments: [Double.nan, .infinity, 1e308]) func errorsBeyondAllBoundsReachNoWord(_ value: Double) {
    var talk = Talk {
      let vector = Vector3(value, value, value)
      ($0.errors.accelerationNoise, $0.errors.rateNoise) = (value, value)
      ($0.errors.accelerationBias, $0.errors.rateBias) = (value, value)
      ($0.errors.gyroscope.bias, $0.errors.gyroscope.scale) = (vector, vector)
      ($0.errors.gyroscope.misalignment, $0.errors.gyroscope.drift) = (vector, vector * -1)
    }
    _ = talk.send(0x02, 0x11, [0, 1, 0, 1, 0xFC, 0, 0xFC, 0, 0])
    let words = frames(talk.wait(.seconds(1))).flatMap { $0 }
    #expect(!words.isEmpty)
    // NaN is no error, so that the ball that rests reads 0, and 1 g along z.
    if value.isNaN {
      #expect(frames(talk.wait(.seconds(1))).last == [0, 0, 250, 0, 0, 0, 0, 0, 4_096, 0, 0, 0])
    }
  }
}
