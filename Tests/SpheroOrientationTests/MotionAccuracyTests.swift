// The reported accuracy of a motion estimator, and its input of heading, attitude and magnetic field.
import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct MotionAccuracyTests {
  private static let seeds: ClosedRange<UInt64> = 1000...1015

  /// The share of errors within twice the reported accuracy, and the median accuracy over the root mean square error.
  private struct Coverage: CustomStringConvertible {
    var figures: [Double] = []
    var errors: [Double] = []

    mutating func add(_ error: Double, _ figure: Angle) {
      errors.append(abs(error))
      figures.append(figure.radians)
    }

    var within: Double {
      Double(zip(errors, figures).count { $0 <= 2 * $1 }) / Double(errors.count)
    }
    var ratio: Double {
      let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      return figures.sorted()[figures.count / 2] / square.squareRoot()
    }
    var description: String { "\(within) within twice the figure, median \(ratio) of the error" }
  }

  /// The errors of heading and inclination in rad.
  private func error(_ attitude: Rotation, _ truth: Rotation) -> (heading: Double, tilt: Double) {
    let q = (attitude * truth.inverse).quaternion
    return (2 * atan2(q.z, q.w), 2 * atan2(hypot(q.x, q.y), hypot(q.w, q.z)))
  }

  /// A body that was turned by half a turn during a gap: the errors of its heading alternate between +179° and -179°.
  @Test func headingErrorsNearHalfATurnDoNotCancel() throws {
    var estimator = MotionEstimator()
    func turn(to yaw: Double, at time: Double) throws -> Double {
      let truth = try #require(Rotation(angle: .degrees(yaw), axis: Axis.z.vector))
      let motion = estimator(
        InertialSample(
          timestamp: time, rotationRate: .zero, acceleration: [0, 0, 1],
          magneticField: truth.inverse.act(on: [0, 20, -40])))
      return try #require(motion).attitude.yaw.degrees
    }
    for count in 0..<100 { _ = try turn(to: 0, at: Double(count) / 40) }
    var yaw = 0.0
    for count in 0..<600 { yaw = try turn(to: count % 2 == 0 ? 179 : -179, at: 4.5 + Double(count) / 40) }
    #expect(abs(yaw) > 170, "\(yaw)")
  }

  @Test(arguments: [(0.0, 20.0), (10.0, 25.0)])
  func errorsAreWithinTwiceTheAccuracy(rest: Double, rate: Double) throws {
    var (heading, tilt) = (Coverage(), Coverage())
    for seed in Self.seeds {
      var motion = SimulatedMotion(seed: seed)
      motion.rest = rest
      var estimator = MotionEstimator()
      _ = try #require(estimator(motion.sample(at: 0)))
      estimator.setAttitude(motion.attitude(at: 0))
      for count in 1..<Int(45 * rate) {
        let time = Double(count) / rate
        let attitude = try #require(estimator(motion.sample(at: time))).attitude
        let (headingError, tiltError) = error(attitude, motion.attitude(at: time))
        heading.add(headingError.remainder(dividingBy: 2 * .pi), estimator.accuracy.heading)
        tilt.add(tiltError, estimator.accuracy.tilt)
      }
    }
    // The accuracy of the tilt includes the whole difference between gyroscope and accelerometer, since real
    // accelerometers have errors that these have not, so it may cover more than 98 %.
    for (name, coverage, most) in [("heading", heading, 0.98), ("tilt", tilt, 1)] {
      #expect((0.9...most).contains(coverage.within), "\(name): \(coverage), seeds \(Self.seeds)")
      #expect((0.3...1.5).contains(coverage.ratio), "\(name): \(coverage), seeds \(Self.seeds)")
    }
  }

  /// The first readings of a body in motion include its acceleration, which the accuracy covers from the first one on.
  @Test(arguments: [0.0...0.6, 0.6...3])
  func aStartInMotionIsInTheAccuracy(times: ClosedRange<Double>) throws {
    var (tilt, worst) = (Coverage(), 0.0)
    for seed in Self.seeds {
      var motion = SimulatedMotion(seed: seed)
      motion.rest = 0
      // Between the seeds, the start is at another phase of the motion.
      let start = 0.37 * Double(seed % 16)
      var estimator = MotionEstimator()
      for count in 0..<150 {
        let time = Double(count) / 50
        let attitude = try #require(estimator(motion.sample(at: start + time))).attitude
        guard times.contains(time) else { continue }
        let tiltError = error(attitude, motion.attitude(at: start + time)).tilt
        tilt.add(tiltError, estimator.accuracy.tilt)
        worst = max(worst, tiltError)
      }
    }
    #expect(tilt.within >= 0.95, "\(tilt), at most \(worst) rad")
    #expect(worst > 0.2)
  }

  @Test func aBodyAtRestHasAnAccurateTiltAfterABlock() {
    var estimator = MotionEstimator()
    let up = Vector3(0.6, 0, 0.8)
    for count in 0..<40 {
      _ = estimator(InertialSample(timestamp: Double(count) * 0.02, rotationRate: .zero, acceleration: up))
      let accuracy = estimator.accuracy.tilt.degrees
      let isExpected = count < 25 ? abs(accuracy - 22.5) < 0.1 : accuracy < 1
      #expect(isExpected, "\(accuracy) degrees after reading \(count)")
    }
  }

  /// Returns an estimator after readings at 50 Hz of a body with its vertical along (0.6, 0, 0.8),
  /// at rates about the vertical in deg/s that each last 10 s.
  private func estimator(afterTurns turns: [Double]) -> MotionEstimator {
    var random = SeededGenerator(seed: Self.seeds.lowerBound)
    var estimator = MotionEstimator()
    let up = Vector3(0.6, 0, 0.8)
    for (turn, rate) in turns.enumerated() {
      for count in 0..<500 {
        _ = estimator(
          InertialSample(
            timestamp: Double(turn * 500 + count) * 0.02,
            rotationRate: up * (rate * .pi / 180) + random.vector() * 0.002, acceleration: up))
      }
    }
    return estimator
  }

  @Test(arguments: [3.1, -8, 10])
  func aBiasThatLooksLikeASteadyTurnIsInTheAccuracy(bias: Double) {
    let estimator = estimator(afterTurns: [bias])
    // All of the turn may be the effect of a bias.
    let error = min(10 * abs(bias), 103.9)
    let accuracy = estimator.accuracy.heading.degrees
    #expect((0.9 * error...1.1 * error + 5).contains(accuracy), "\(accuracy) degrees")
  }

  @Test func aPossibleBiasCausesDriftInLaterMotion() {
    // A bias of 3 deg/s for 10 s at rest and for 10 s of a fast turn, whose scale has an error of 1 %.
    let estimator = estimator(afterTurns: [3, 103])
    #expect((60...80).contains(estimator.accuracy.heading.degrees), "\(estimator.accuracy)")
  }

  @Test(arguments: [[3.1, 0], [0, 3.1], [0, 40], [40, 0]])
  func restShowsThatASteadyTurnIsNoBias(turns: [Double]) {
    let estimator = estimator(afterTurns: turns)
    // The scale factor of 1 % contributes at most 4 degrees.
    #expect(estimator.accuracy.heading.degrees < 5, "\(estimator.accuracy)")
    #expect(estimator.rotationRateBias.length < 0.1 * .pi / 180, "\(estimator.rotationRateBias)")
  }

  @Test func settingTheHeadingRotatesTheAttitude() throws {
    var estimator = MotionEstimator()
    estimator.setHeading(Heading(degrees: 75), accuracy: .degrees(3))
    let up = InertialSample(timestamp: 0, rotationRate: .zero, acceleration: Vector3(0, 0, 1))
    let attitude = try #require(estimator(up)).attitude
    let ahead = attitude.act(on: Vector3(0, 1, 0))
    #expect(abs(try #require(Heading(towardX: ahead.x, y: ahead.y)).degrees - 75) < 1e-9)
    #expect(abs(estimator.accuracy.heading.degrees - 3) < 1e-9)
    estimator.setHeading(.ahead)
    #expect((try #require(estimator.motion)).attitude.angle.degrees < 1e-9)
    #expect(estimator.accuracy.heading == .zero)
  }

  @Test(arguments: [false, true]) func settingTheHeadingOfATiltedBodyDirectsItsForwardAxis(
    isBeforeFirstReading: Bool
  ) throws {
    // With pitch and roll of 40 degrees, the shortest rotation from level turns the forward axis by 15 degrees.
    let pitch = try #require(Rotation(angle: .degrees(40), axis: Vector3(1, 0, 0)))
    let roll = try #require(Rotation(angle: .degrees(40), axis: Vector3(0, 1, 0)))
    let force = (pitch * roll).inverse.act(on: Vector3(0, 0, 1))
    var estimator = MotionEstimator()
    if isBeforeFirstReading { estimator.setHeading(Heading(degrees: 75), accuracy: .degrees(3)) }
    _ = estimator(InertialSample(timestamp: 0, rotationRate: .zero, acceleration: force))
    if !isBeforeFirstReading { estimator.setHeading(Heading(degrees: 75), accuracy: .degrees(3)) }
    let attitude = try #require(estimator.motion).attitude
    let ahead = attitude.act(on: Vector3(0, 1, 0))
    #expect(abs(atan2(ahead.x, ahead.y) * 180 / .pi - 75) < 1e-9, "\(ahead)")
    #expect((attitude.inverse.act(on: Vector3(0, 0, 1)) - force).length < 1e-9, "the tilt remains")
    #expect(abs(estimator.accuracy.heading.degrees - 3) < 1e-9)
  }

  @Test(arguments: [-1, -Double.infinity, .nan]) func anInvalidAccuracyOfTheHeadingCountsAsZero(
    accuracy: Double
  ) {
    var estimator = MotionEstimator()
    estimator.setHeading(.ahead, accuracy: .radians(accuracy))
    #expect(estimator.accuracy.heading == .zero)
    estimator.setAttitude(.identity, headingAccuracy: .radians(accuracy))
    #expect(estimator.accuracy.heading == .zero)
  }

  @Test func theAccelerometerCorrectsAnAttitudeThatWasSet() throws {
    let start = try #require(Rotation(angle: .degrees(30), axis: Vector3(1, 0, 0)))
    var estimator = MotionEstimator()
    estimator.setAttitude(start)
    var angles: [Double] = []
    for count in 0..<2000 {
      let sample = InertialSample(
        timestamp: Double(count) * 0.01, rotationRate: .zero, acceleration: Vector3(0, 0, 1))
      angles.append(try #require(estimator(sample)).attitude.angle.degrees)
    }
    #expect(abs(angles[0] - 30) < 1e-6)
    #expect(angles[100] > 20 && angles[1999] < 0.1, "\(angles[100]), \(angles[1999])")
  }

  @Test func theHeadingIsUnknownAfterAGap() throws {
    var estimator = MotionEstimator()
    for time in [0.0, 0.02, 0.04, 5] {
      _ = estimator(InertialSample(timestamp: time, rotationRate: .zero, acceleration: Vector3(0, 0, 1)))
    }
    // The standard deviation of an unknown heading: 180 degrees over the square root of 3.
    #expect(abs(estimator.accuracy.heading.degrees - 103.92) < 0.01)
  }

  /// The field at about 50 degrees north, half as strong to the north (y) as downwards.
  private let field = Vector3(0, 20, -40)

  @Test func aMagnetometerHoldsTheHeadingToNorth() throws {
    var motion = SimulatedMotion(seed: 7)
    motion.rest = 2
    var (estimator, withoutMagnetometer) = (MotionEstimator(), MotionEstimator())
    var errors: [Double] = []
    for count in 0..<3000 {
      let time = Double(count) * 0.02
      var sample = motion.sample(at: time)
      let truth = motion.attitude(at: time)
      _ = withoutMagnetometer(sample)
      sample.magneticField = truth.inverse.act(on: field)
      let attitude = try #require(estimator(sample)).attitude
      errors.append(abs(error(attitude, truth).heading.remainder(dividingBy: 2 * .pi)) * 180 / .pi)
    }
    let moving = errors[500...]
    let error = (moving.reduce(0) { $0 + $1 * $1 } / Double(moving.count)).squareRoot()
    // With a dip of 63 degrees, one degree of tilt causes two of heading.
    #expect(error < 3, "\(error) degrees")
    #expect(estimator.accuracy.heading.degrees < 3)
    #expect(withoutMagnetometer.accuracy.heading > estimator.accuracy.heading * 2)
  }

  @Test func aNearbyMagnetDoesNotRotateTheHeading() throws {
    var estimator = MotionEstimator()
    var worst = 0.0
    for count in 0..<3000 {
      let time = Double(count) * 0.02
      // A magnet from 20 s to 30 s: another direction, twice the strength.
      let seen = (1000..<1500).contains(count) ? field + Vector3(60, -10, 0) : field
      let sample = InertialSample(
        timestamp: time, rotationRate: .zero, acceleration: Vector3(0, 0, 1), magneticField: seen)
      let attitude = try #require(estimator(sample)).attitude
      worst = max(worst, attitude.angle.degrees)
    }
    #expect(worst < 0.01, "\(worst) degrees")
  }

  @Test(arguments: [1, 10]) func aSteadyFieldBecomesTheReferenceAfterTwentySeconds(every count: Int) throws {
    // 100 readings per second, of which each or each tenth has a magnetic field; a room with more iron after 10 s.
    var estimator = MotionEstimator()
    let turned = try #require(Rotation(angle: .degrees(-15), axis: Vector3(0, 0, 1))).act(on: field) * 1.3
    var headings: [Double] = []
    for index in 0..<6000 {
      let seen = index < 1000 ? field : turned
      let sample = InertialSample(
        timestamp: Double(index) * 0.01, rotationRate: .zero, acceleration: Vector3(0, 0, 1),
        magneticField: index % count == 0 ? seen : nil)
      let ahead = try #require(estimator(sample)).attitude.act(on: Vector3(0, 1, 0))
      headings.append(atan2(ahead.x, ahead.y) * 180 / .pi)
    }
    #expect(abs(headings[2900]) < 0.01, "\(headings[2900]) degrees after 19 s")
    #expect(abs(headings[5900] + 15) < 1, "\(headings[5900]) degrees after 49 s")
  }

  @Test func aSteadyFieldBecomesTheReference() throws {
    var estimator = MotionEstimator()
    var attitude = Rotation.identity
    for count in 0..<15_000 {
      // A room with more iron: 15 degrees further east, and stronger.
      let turned = try #require(Rotation(angle: .degrees(-15), axis: Vector3(0, 0, 1))).act(on: field) * 1.3
      let sample = InertialSample(
        timestamp: Double(count) * 0.02, rotationRate: .zero, acceleration: Vector3(0, 0, 1),
        magneticField: count < 1000 ? field : turned)
      attitude = try #require(estimator(sample)).attitude
    }
    #expect(abs((attitude.twistAngle(about: Vector3(0, 0, 1)) ?? .zero).degrees - 15) < 1, "\(attitude)")
  }
}
