// Names that newcomers try first for rotations, filters and headings: the rows of Docs/Guesses.md, compiled and executed.

import Foundation
import SpheroControls
import SpheroHost
import SpheroOrientation
import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroSimulator
import Testing

/// The form of the comments is that of ``GuessTests``; functions with a robot are compiled only.
@Suite struct ValueSpellingTests {
  private let q = Rotation(angle: .degrees(90), axis: [0, 0, 1]) ?? .identity
  private let p = Rotation(angle: .degrees(20), axis: [1, 0, 0]) ?? .identity
  private let v = Vector3(1, 2, 3)
  private let sample = Sample(mask: .all, words: Array(repeating: 10_000, count: 42))
  private var timed: TimedSample { TimedSample(time: .zero, arrival: .zero, sample: sample) }
  private var m: DeviceMotion {
    DeviceMotion(
      attitude: q, sample: InertialSample(timestamp: 7, rotationRate: [0, 0, 1], acceleration: [0.5, 0, 1]))
  }
  /// A battery record.
  private let bytes: [UInt8] = [1, 2, 2, 0xEE, 0, 1, 0, 10]

  @Test func rotationNames() {
    // rotation | let e = q.eulerAngles
    _ = q.eulerAngles(order: .intrinsic(.zxy))
    // rotation | let (roll, pitch, yaw) = q.euler()
    _ = q.pitchRollYaw
    // rotation | let yaw = q.yaw
    do {
      let yaw = q.yaw
      _ = yaw
    }
    // rotation | let pitch = q.pitch.degrees
    do {
      let pitch = q.pitch.degrees
      _ = pitch
    }
    // rotation | let e = q.asEuler("zyx", degrees: true)
    _ = q.eulerAngles(order: .extrinsic(.zyx))
    // rotation | let r = Rotation(roll: 0, pitch: 0, yaw: .pi / 2)
    _ = Rotation(eulerAngles: EulerAngles(.degrees(90), .degrees(0), .degrees(0), order: .intrinsic(.zxy)))
    // rotation | let r = Rotation.fromEuler("xyz", [90, 0, 0], degrees: true)
    _ = Rotation(eulerAngles: EulerAngles(.degrees(90), .degrees(0), .degrees(0), order: .extrinsic(.xyz)))
    // rotation | let r = Rotation(angle: .pi / 2, axis: Vector3(0, 0, 1))
    _ = Rotation(angle: .radians(.pi / 2), axis: Vector3(0, 0, 1))
    // rotation | let r = Rotation(axis: .z, angle: .degrees(90))
    _ = Rotation(angle: .degrees(90), axis: Axis.z.vector)
    // rotation | let r = Rotation(w: 1, x: 0, y: 0, z: 0)
    do {
      let r = Rotation(w: 1, x: 0, y: 0, z: 0)
      _ = r
    }
    // rotation | let r = Rotation(ix: 0, iy: 0, iz: 0, r: 1)
    do {
      let r = Rotation(ix: 0, iy: 0, iz: 0, r: 1)
      _ = r
    }
    // rotation | let r = Rotation(from: v, to: Vector3(0, 0, 1))
    do {
      let r = Rotation(from: v, to: Vector3(0, 0, 1))
      _ = r
    }
    // rotation | let r = Rotation.identity
    do {
      let r = Rotation.identity
      _ = r
    }
    // rotation | let r = q.inverse
    do {
      let r = q.inverse
      _ = r
    }
    // rotation | let r = q.inverted()
    _ = q.inverse
    // rotation | let r = q * p
    do {
      let r = q * p
      _ = r
    }
    // rotation | let u = q.act(v)
    _ = q.act(on: v)
    // rotation | let u = q.rotate(v)
    _ = q.act(on: v)
    // rotation | let u = q.apply(v)
    _ = q.act(on: v)
    // rotation | let u = q * v
    _ = q.act(on: v)
    // rotation | let r = q.slerp(to: p, t: 0.5)
    _ = Rotation.slerp(from: q, to: p, t: 0.5)
    // rotation | let r = simd_slerp(q, p, 0.5)
    _ = Rotation.slerp(from: q, to: p, t: 0.5)
    // rotation | let r = Rotation.slerp(q, p, 0.5)
    _ = Rotation.slerp(from: q, to: p, t: 0.5)
    // rotation | let d = q.angle(to: p)
    do {
      let d = q.angle(to: p)
      _ = d
    }
    // rotation | let d = q.magnitude()
    _ = q.angle
    // rotation | let a = m.attitude.multiply(byInverseOf: m.attitude)
    _ = m.attitude.relative(to: m.attitude)
    // rotation | let mat = q.rotationMatrix
    _ = q.activeMatrix
    // rotation | let mat = q.asMatrix()
    _ = q.activeMatrix
    // rotation | let rv = q.rotationVector
    do {
      let rv = q.rotationVector
      _ = rv
    }
  }

  @Test func frameNames() {
    // frame | let r = q.converted(from: .sphero, to: .coreMotion)
    _ = Convention.coreMotion.rotation(of: q)
    // frame | let r = Convention.sphero.convert(q, to: .boseWearable)
    _ = Convention.boseWearable.rotation(of: q)
    // frame | let u = v.converted(from: .coreMotion, to: .sphero)
    _ = Convention.coreMotion.convert(bodyVector: v, to: .sphero)
  }

  @Test func vectorNames() {
    // vector | let n = v.length
    do {
      let n = v.length
      _ = n
    }
    // vector | let n = v.magnitude
    do {
      let n = v.magnitude
      _ = n
    }
    // vector | let u = v.normalized()
    _ = v.normalized
    // vector | let d = v.dot(v); let c = v.cross(v)
    do {
      let d = v.dot(v)
      _ = d
      let c = v.cross(v)
      _ = c
    }
  }

  func filterNames(_ robot: Robot) async throws {
    // filter | var f = LowPassFilter(cutoff: 5, sampleRate: 100); let y = f.update(1.0)
    do {
      var f = LowPassFilter<Double>(cutoff: 5, sampleRate: 100)
      _ = f?(1.0)
    }
    // filter | var f = LowPassFilter(alpha: 0.1); let y = f.filter(v)
    do {
      var f = LowPassFilter<Vector3>(factor: 0.1)
      _ = f(v)
    }
    // filter | var f = HighPassFilter(cutoffFrequency: 0.5, sampleRate: 100); let y = f.process(v.x)
    do {
      var f = HighPassFilter<Double>(cutoff: 0.5, sampleRate: 100)
      _ = f?(v.x)
    }
    // filter | var f = ButterworthFilter(order: 2, cutoff: 10, sampleRate: 100); let y = f.apply(v.x)
    do {
      var f = ButterworthFilter<Double>(.lowPass, order: 2, cutoff: 10, sampleRate: 100)
      _ = f?(v.x)
    }
    // filter | let f = butter(2, 10, btype: "low", fs: 100)
    _ = ButterworthFilter<Double>(.lowPass, order: 2, cutoff: 10, sampleRate: 100)
    // filter | var f = Butterworth.lowPass(order: 4, cutoff: 10, sampleRate: 100); let y = f.filter([1, 2, 3])
    _ = ButterworthFilter<Double>(.lowPass, order: 4, cutoff: 10, sampleRate: 100)
    // filter | var f = LowPassFilter(cutoff: 5, sampleRate: 100); f.reset()
    do {
      var f = LowPassFilter<Double>(cutoff: 5, sampleRate: 100)
      _ = f?.reset()
    }
    // filter | for try await a in robot.stream(.accelerometer).lowPass(cutoff: 5) { print(a) }
    for try await a in try await robot.samples(.accelerometer, hertz: 50).compactMap({
      $0.sample.accelerometer
    })
    .lowPass(factor: 0.1) { _ = a }
  }

  @Test func fusionNames() {
    // fusion | var est = MotionEstimator(); let d = est.update(sample)
    do {
      var tracker = MotionTracker()
      _ = tracker(timed)
    }
    // fusion | var est = MotionEstimator(convention: .coreMotion); let d = est.process(sample)
    do {
      var tracker = MotionTracker()
      _ = tracker(timed).map(Convention.coreMotion.motion)
    }
    // fusion | var est = MotionEstimator(); est.update(acceleration: v, rotationRate: v, dt: 0.01)
    do {
      var est = MotionEstimator()
      _ = est.update(rotationRate: v, acceleration: v, interval: 0.01)
    }
    // fusion | var f = ComplementaryFilter(alpha: 0.98); f.update(gyro: v, accel: v, dt: 0.01)
    do {
      var est = MotionEstimator()
      _ = est.update(rotationRate: v, acceleration: v, interval: 0.01)
    }
  }

  @Test func headingNames() {
    // heading | let h = Heading(degrees: 90)
    do {
      let h = Heading(degrees: 90)
      _ = h
    }
    // heading | let h = Heading(90)
    do {
      let h = Heading(90)
      _ = h
    }
    // heading | let h: Heading = .degrees(90)
    do {
      let h: Heading = .degrees(90)
      _ = h
    }
    // heading | let h: Heading = 270
    do {
      let h: Heading = 270
      _ = h
    }
    // heading | let h = Heading(radians: .pi / 2)
    _ = Heading(angle: .radians(.pi / 2))
    // heading | let d = Heading(degrees: 450).degrees
    do {
      let d = Heading(degrees: 450).degrees
      _ = d
    }
    // heading | let h = Heading(degrees: 350) + 20
    _ = Heading(degrees: 350).turned(by: .degrees(20))
    // heading | let d = Heading(degrees: 10).difference(from: Heading(degrees: 350))
    _ = Heading(degrees: 350).turn(to: 10)
    // heading | let d = Heading(degrees: 350).shortestTurn(to: Heading(degrees: 10))
    _ = Heading(degrees: 350).turn(to: 10)
    // heading | let h = Heading(degrees: 90).opposite
    do {
      let h = Heading(degrees: 90).opposite
      _ = h
    }
    // heading | let h = Heading(degrees: 90).reversed()
    _ = Heading(degrees: 90).opposite
    // heading | let h = q.heading
    _ = Heading(attitude: q)
    // heading | let h = Heading(q)
    _ = Heading(attitude: q)
    // heading | let a = Angle(degrees: 45).radians
    do {
      let a = Angle(degrees: 45).radians
      _ = a
    }
    // heading | let a = Angle.degrees(45)
    do {
      let a = Angle.degrees(45)
      _ = a
    }
    // heading | let a = Angle.degrees(540).normalized
    _ = Angle.degrees(540).wrapped
    // heading | let h = Heading(from: v, to: Vector3(1, 0, 0))
    _ = Heading(towardX: 1, y: 0)
    // heading | let h = Heading.east
    _ = Heading.right
  }

  /// Values worked out by hand.
  @Test func recommendationsHaveTheMeaningOfTheGuess() throws {
    #expect(Heading(degrees: 350).turned(by: .degrees(20)) == 10)
    #expect(Heading(degrees: 350).turn(to: 10) == .degrees(20))
    #expect(Heading(towardX: 1, y: 0) == .right && Heading(attitude: q) == .left)
    #expect(try Packet.command(Core.Ping().packet(sequence: 0)).encoded() == [0xFF, 0xFF, 0, 1, 0, 1, 0xFD])
    #expect(
      try Packet.command(Motion.Roll(90, speed: 0.4).packet(sequence: 1)).encoded()
        == [0xFF, 0xFF, 0x02, 0x30, 0x01, 0x05, 0x66, 0, 90, 1, 0x06])
    let battery = try Core.GetPowerState.Response(payload: bytes)
    #expect(battery.voltage == 7.5 && battery.centivolts == 750 && battery.charges == 1)
    #expect(abs(q.pitchRollYaw.yaw.degrees - 90) < 1e-12 && abs(Angle.degrees(540).wrapped.degrees) == 180)
  }
}
