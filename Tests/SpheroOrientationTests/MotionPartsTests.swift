// The parts of device motion: integration, rest, calibration.
import Foundation
import TestSupport
import Testing

@testable import SpheroOrientation

@Suite(.ownThread) struct RateIntegratorTests {
  private static let seed: UInt64 = 0x5EED_1A7E

  /// The largest error in radians over ten seconds of a swing with given steps.
  private func error(steps: () -> Double) -> Double {
    let swing = Swing()
    let start = swing.attitude(at: 0)
    var integrator = RateIntegrator(attitude: start)
    var (time, worst) = (0.0, 0.0)
    _ = integrator(swing.rate(at: 0), after: 0)
    while time < 10 {
      let step = steps()
      time += step
      worst = max(
        worst, integrator(swing.rate(at: time), after: step).angle(to: swing.attitude(at: time)).radians)
    }
    return worst
  }

  @Test func errorDecreasesWithTheThirdPowerOfTheStep() {
    let (coarse, fine) = (error { 0.08 }, error { 0.04 })
    #expect(coarse / fine > 7, "\(coarse) and \(fine)")
    #expect(fine < 2e-3)
  }

  /// Infinite mean squares of the differences would disable the higher orders for good.
  @Test func anExtremeReadingIsForgotten() {
    let swing = Swing()
    var (integrator, other) = (RateIntegrator(), RateIntegrator())
    func integrate(_ integrator: inout RateIntegrator, _ times: ClosedRange<Int>) -> Rotation {
      times.reduce(.identity) { _, count in integrator(swing.rate(at: Double(count) / 50), after: 0.02) }
    }
    _ = integrate(&integrator, 0...10)
    _ = integrator([1e160, 0, 0], after: 0.02)
    for count in 11...60 { _ = integrator(swing.rate(at: Double(count) / 50), after: 0.02) }
    _ = integrate(&other, 0...60)
    let (start, otherStart) = (integrator.attitude, other.attitude)
    let turn = start.inverse * integrate(&integrator, 61...110)
    #expect(turn.angle(to: otherStart.inverse * integrate(&other, 61...110)).radians < 1e-9)
  }

  @Test func unequalStepsAddLittleError() {
    var random = SeededGenerator(seed: Self.seed)
    let uneven = error { random.number(0.02...0.06) }
    #expect(uneven < 4e-3, "\(uneven), seed \(Self.seed)")
  }

  @Test(arguments: [0.0, 0.01])
  func parabolicRateIsExactAtAnySpacing(averaged: Double) {
    // Each reading is the mean over a time before its timestamp; the integral of (t / 5 - 1)^2 is 5/3 (t / 5 - 1)^3.
    var random = SeededGenerator(seed: Self.seed)
    var integrator = RateIntegrator(readings: .means(over: averaged))
    let axis = Vector3(0.6, 0, 0.8)
    func angle(_ time: Double) -> Double { 5.0 / 3 * pow(time / 5 - 1, 3) }
    func reading(_ time: Double) -> Vector3 {
      axis * (averaged > 0 ? (angle(time) - angle(time - averaged)) / averaged : pow(time / 5 - 1, 2))
    }
    var time = 0.0
    var begin: (time: Double, attitude: Rotation)?
    _ = integrator(reading(0), after: 0)
    while time < 10 {
      let step = random.number(0.02...0.06)
      time += step
      let attitude = integrator(reading(time), after: step)
      // The parabola requires three readings.
      if time > 0.15, begin == nil { begin = (time, attitude) }
    }
    guard let begin, let truth = Rotation(angle: .radians(angle(time) - angle(begin.time)), axis: axis) else {
      Issue.record("no motion")
      return
    }
    let error = (begin.attitude * truth).angle(to: integrator.attitude).radians
    #expect(error < 1e-9, "\(error), seed \(Self.seed)")
  }

  @Test(arguments: [9e-4, 1e-4, 2e-5, 1e-6, 1e-300])
  func readingsThatArriveTogetherDoNotAmplifyTheirNoise(interval: Double) {
    // Two readings every 20 ms, stamped by their arrival, with the resolution of a robot: 0.1 degrees per second.
    var random = SeededGenerator(seed: Self.seed)
    let resolution = 0.1 * Double.pi / 180
    var integrator = RateIntegrator()
    func read(after step: Double) {
      let rate = 0.5 + random.number(-0.5...0.5) * resolution
      _ = integrator([0, 0, rate], after: step)
    }
    read(after: 0)
    for _ in 0..<500 {
      read(after: interval)
      read(after: 0.02 - interval)
    }
    // Ten seconds at 0.5 rad/s; the mean of 1000 errors, each of at most half the resolution, is below a twentieth of it.
    let truth = Rotation(angle: .radians(5), axis: [0, 0, 1]) ?? .identity
    let error = integrator.attitude.angle(to: truth).radians
    #expect(error < 10 * resolution / 20, "\(error), seed \(Self.seed)")
  }

  @Test func meansAreIntegratedExactlyAboutAFixedAxis() {
    var random = SeededGenerator(seed: Self.seed)
    var integrator = RateIntegrator(readings: .means)
    let axis = Vector3(0, 0.6, -0.8)
    var (angle, sum) = (0.0, 0.0)
    _ = integrator(.zero, after: 0)
    for _ in 0..<200 {
      let (step, turn) = (random.number(0.01...0.1), random.number(-0.3...0.3))
      _ = integrator(axis * (turn / step), after: step)
      angle += turn
      sum += abs(turn)
    }
    let truth = Rotation(angle: .radians(angle), axis: axis) ?? .identity
    #expect(sum > 20)
    #expect(
      integrator.attitude.isApproximatelyEqual(to: truth, tolerance: .radians(1e-12)), "seed \(Self.seed)")
  }

  @Test func constantRateIsExact() {
    for step in [0.001, 0.02, 0.3] {
      var integrator = RateIntegrator()
      let rate = Vector3(0.3, -1.2, 0.8)
      for _ in 0...100 { _ = integrator(rate, after: step) }
      let truth = Rotation(rotationVector: rate * (step * 100)) ?? .identity
      #expect(integrator.attitude.isApproximatelyEqual(to: truth, tolerance: .radians(1e-12)))
    }
  }
}

@Suite(.ownThread) struct RestTests {
  private static let seed: UInt64 = 0x5EED_4E57

  private func samples(_ count: Int, from start: Int, rate: Vector3, force: Vector3) -> [InertialSample] {
    var random = SeededGenerator(seed: Self.seed)
    return (start..<start + count).map { index in
      InertialSample(
        timestamp: Double(index) * 0.02, rotationRate: rate + random.vector() * 0.002,
        acceleration: force + random.vector() * 0.004)
    }
  }

  @Test func restBeginsAfterTheDurationAndEndsWithMotion() {
    var detector = RestDetector()
    let still = samples(200, from: 0, rate: .zero, force: Vector3(0, 0, 1))
    let results = still.map { detector($0) }
    #expect(results.firstIndex(of: true) == 75)
    #expect(results[75...].allSatisfy { $0 })
    let turning = samples(50, from: 200, rate: Vector3(0, 0, 0.5), force: Vector3(0, 0, 1))
    #expect(turning.allSatisfy { !detector($0) })
  }

  @Test func steadyRotationIsNotRest() {
    var detector = RestDetector()
    // A turntable: both sensors are steady, but no bias is as large as 3 degrees per second.
    for sample in samples(500, from: 0, rate: Vector3(0, 0, 0.0524), force: Vector3(0, 0, 1)) {
      #expect(!detector(sample))
    }
  }

  @Test func calibrationFindsTheOffsetsAndKeepsTheTilt() throws {
    let (bias, up) = (Vector3(0.01, -0.02, 0.005), Vector3(0.28, 0, 0.96))
    var calibrator = RestCalibrator(sampleCount: 400)
    var calibration: RestCalibration?
    for sample in samples(600, from: 0, rate: bias, force: up * 1.03) { calibration = calibrator(sample) }
    let found = try #require(calibration)
    #expect(found.sampleCount > 400)
    // Uniform errors of up to 0.002 and 0.004, averaged over at least 400 readings.
    let rateError = found.rotationRateOffset - bias
    let accelerationError = found.accelerationOffset - up * 0.03
    #expect(rateError.length < 0.0004, "seed \(Self.seed)")
    #expect(accelerationError.length < 0.0008, "seed \(Self.seed)")
    let corrected = found(
      InertialSample(timestamp: 2, rotationRate: bias, acceleration: up * 1.03, magneticField: [3, 4, 5]))
    #expect((corrected.acceleration - up).length < 1e-3)
    #expect(corrected.timestamp == 2 && corrected.magneticField == [3, 4, 5])
    #expect(calibrator.progress == 1)
  }

  @Test func aRepeatedReadingDoesNotCountForTheCalibration() throws {
    var calibrator = RestCalibrator(sampleCount: 50)
    let still = samples(300, from: 0, rate: .zero, force: Vector3(0, 0, 1))
    for sample in still { _ = calibrator(sample) }
    let calibration = try #require(calibrator.calibration)
    // The last reading again and again, and an earlier one.
    for sample in Array(repeating: still[299], count: 1000) + [still[280]] {
      _ = calibrator(sample)
    }
    #expect(calibrator.calibration == calibration)
  }

  @Test func motionRestartsTheCalibration() {
    var calibrator = RestCalibrator(sampleCount: 50)
    for sample in samples(300, from: 0, rate: .zero, force: Vector3(0, 0, 1)) { _ = calibrator(sample) }
    #expect(calibrator.calibration != nil)
    for sample in samples(3, from: 300, rate: Vector3(1, 0, 0), force: Vector3(0, 0, 1)) {
      _ = calibrator(sample)
    }
    #expect(calibrator.calibration == nil)
  }

  @Test func aCalibrationRequiresGravity() {
    let still = Vector3.zero
    #expect(RestCalibration(meanRotationRate: still, meanAcceleration: .zero, sampleCount: 9) == nil)
    #expect(
      RestCalibration(
        meanRotationRate: Vector3(.nan, 0, 0), meanAcceleration: Vector3(0, 0, 1), sampleCount: 9)
        == nil)
  }

  @Test func storedCalibrationOfTheGyroscope() throws {
    var calibration = MotionEstimator().calibration
    for axis in [\GyroscopeCalibration.x, \.y, \.z] {
      calibration[keyPath: axis] = GyroscopeCalibration.Axis(
        bias: 0.25, biasError: 0.5, sensitivity: Vector3(1, 2, 3), sensitivityError: .zero)
    }
    let zero = #"{"x":0,"y":0,"z":0}"#
    let axis =
      #"{"bias":0.25,"biasError":0.5,"sensitivity":{"x":1,"y":2,"z":3},"sensitivityError":"# + zero + "}"
    #expect(try isStored(calibration, as: #"{"x":"# + axis + #","y":"# + axis + #","z":"# + axis + "}"))
  }
}
