// Names that users of other libraries try first: each guess of Docs/Guesses.md, or its replacement, compiled and executed.

import Foundation
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import Testing

/// A guess is a comment like `// CM | m.attitude.roll`; the code that the page recommends for it follows, up to the next guess.
@Suite struct GuessTests {
  let q = Rotation(angle: .degrees(90), axis: [0, 0, 1]) ?? .identity
  let p = Rotation(angle: .degrees(20), axis: [1, 0, 0]) ?? .identity
  let v = Vector3(1, 2, 3)

  /// Level, yaw 90 degrees to the left, acceleration of 0.5 g to the right.
  var m: DeviceMotion {
    DeviceMotion(
      attitude: q, sample: InertialSample(timestamp: 7, rotationRate: [0, 0, 1], acceleration: [0.5, 0, 1]))
  }

  func isNear(_ a: Angle, _ degrees: Double) -> Bool { abs(a.degrees - degrees) < 1e-12 }
  func isNear(_ a: Vector3, _ b: Vector3) -> Bool { a.isApproximatelyEqual(to: b, tolerance: 1e-12) }

  @Test func coreMotion() throws {
    // CM | m.attitude.roll
    #expect(isNear(m.attitude.roll, 0))
    let tilted = try #require(
      Rotation(eulerAngles: EulerAngles(.degrees(30), .degrees(10), .degrees(-20), order: .intrinsic(.zxy))))
    #expect(isNear(tilted.roll, -20))
    // CM | m.attitude.pitch
    #expect(isNear(m.attitude.pitch, 0) && isNear(tilted.pitch, 10))
    // CM | m.attitude.yaw
    #expect(isNear(m.attitude.yaw, 90) && isNear(tilted.yaw, 30))
    // CM | m.attitude.quaternion
    #expect(abs(m.attitude.quaternion.w - 0.5.squareRoot()) < 1e-15)
    // CM | m.attitude.rotationMatrix
    #expect(abs(m.attitude.passiveMatrix.m12 - 1) < 1e-15)
    // CM | m.attitude.activeMatrix.m11
    #expect(abs(m.attitude.activeMatrix.m11) < 1e-15 && abs(m.attitude.activeMatrix.m21 - 1) < 1e-15)
    // CM | a.multiply(byInverseOf: q)
    var a = m.attitude
    a.multiply(byInverseOf: q)
    #expect(a.angle.radians < 1e-15)
    // CM | m.userAcceleration.x
    #expect(Convention.coreMotion.motion(m).userAcceleration.x == -0.5)
    #expect(m.userAcceleration.x == 0.5)
    // CM | m.gravity.z
    #expect(m.gravity.z == -1)
    // CM | m.rotationRate.z
    #expect(m.rotationRate.z == 1)
    // CM | m.heading
    #expect(m.heading.degrees == 270)
    // CM | m.timestamp
    #expect(m.timestamp == 7)
    // CM | est.motion
    var est = MotionEstimator()
    _ = est(InertialSample(timestamp: 0, rotationRate: .zero, acceleration: [0, 0, 1]))
    #expect(est.motion?.gravity == [0, 0, -1])
  }

  @Test func coreMotionManager() async throws {
    let simulated = SimulatedRobot()
    try await Robot.withRobot(on: simulated.connect()) { robot in
      // CM | CMMotionManager()
      let manager = try await MotionManager(robot)
      // CM | manager.isDeviceMotionAvailable
      #expect(manager.isDeviceMotionAvailable)
      // CM | manager.startDeviceMotionUpdates(to: queue) { motion, error in }
      for try await motion in try await manager.startDeviceMotionUpdates() {
        #expect(abs(motion.value.gravity.length - 1) < 1e-9)
        break
      }
      // CM | manager.deviceMotionUpdateInterval = 1.0 / 60.0
      try await manager.startDeviceMotionUpdates(every: .seconds(1.0 / 60.0))
      // CM | manager.deviceMotion
      #expect(abs(try #require(manager.deviceMotion?.value).gravity.length - 1) < 1e-9)
      // CM | manager.gyroData
      #expect(manager.gyroData?.value == nil)
      // CM | manager.stopDeviceMotionUpdates()
      manager.stopDeviceMotionUpdates()
      #expect(!manager.isDeviceMotionActive)
    }
  }

  @Test func simd() throws {
    // simd | q * p
    #expect(isNear((q * p).act(on: [0, 0, 1]), q.act(on: p.act(on: [0, 0, 1]))))
    // simd | q.conjugate
    #expect(q.conjugate == q.inverse && isNear(q.conjugate.yaw, -90))
    // simd | q.act(on: v)
    #expect(isNear(q.act(on: v), [-2, 1, 3]))
    // simd | q.axis
    #expect(q.axis == [0, 0, 1])
    // simd | q.angle
    #expect(isNear(q.angle, 90))
    // simd | Rotation(angle: 1.0, axis: v)
    #expect(abs(try #require(Rotation(angle: .radians(1.0), axis: v)).angle.radians - 1) < 1e-15)
    // simd | Rotation(ix: 0, iy: 0, iz: 0, r: 1)
    #expect(Rotation(ix: 0, iy: 0, iz: 0, r: 1) == .identity)
    // simd | Rotation(RotationMatrix(rows: x, y, z))
    let (x, y, z) = (Axis.x.vector, Axis.y.vector, Axis.z.vector)
    #expect(Rotation(activeMatrix: RotationMatrix(rows: x, y, z)) == .identity)
    // simd | SIMD3<Double>(v)
    #expect(SIMD3<Double>(v) == SIMD3(1, 2, 3) && Vector3(SIMD3(1, 2, 3)) == v)
    // simd | q.quaternion.vector
    let half = 0.5.squareRoot()
    #expect((q.quaternion.vector - SIMD4(0, 0, half, half)).max() < 1e-15)
  }

  @Test func spatial() throws {
    // Spatial | Rotation.slerp(from: q, to: p, t: 0.5)
    #expect(Rotation.slerp(from: q, to: p, t: 0.5).angle(to: q) < q.angle(to: p))
    #expect(isNear(Rotation.slerp(from: q, to: .identity, t: 0.5).yaw, 45))
    // Spatial | q.eulerAngles(order: .intrinsic(.zxy))
    #expect(isNear(q.eulerAngles(order: .intrinsic(.zxy)).first, 90))
    // Spatial | Rotation(eulerAngles: EulerAngles(.degrees(1), .degrees(2), .degrees(3), order: .intrinsic(.xyz)))
    let r = Rotation(
      eulerAngles: EulerAngles(.degrees(1), .degrees(2), .degrees(3), order: .intrinsic(.xyz)))
    #expect(isNear(try #require(r).eulerAngles(order: .intrinsic(.xyz)).second, 2))
    // Spatial | q.swingTwist(twistAxis: v)
    let parts = try #require(q.swingTwist(twistAxis: v))
    #expect((parts.swing * parts.twist).isApproximatelyEqual(to: q))
    // Spatial | Angle(degrees: 3) / 2
    #expect(isNear(Angle(degrees: 3) / 2, 1.5) && Angle(degrees: 3) / Angle(degrees: 1.5) == 2)
    // Spatial | a += Angle(degrees: 2)
    var a = Angle(degrees: 1)
    a += Angle(degrees: 2)
    #expect(isNear(a, 3))
  }

  @Test func scipy() throws {
    // SciPy | q.rotationVector
    #expect(isNear(q.rotationVector, [0, 0, .pi / 2]))
    // SciPy | Rotation.mean(of: [q, p], weights: [1, 2])
    #expect(Rotation.mean(of: [q, p], weights: [1, 2]) != nil)
    #expect(isNear(try #require(Rotation.mean(of: [q, .identity], weights: [1, 1])).yaw, 45))
    // SciPy | Rotation.aligning([v], to: [v])
    #expect(isNear(try #require(Rotation.aligning([v], to: [v])).act(on: v), v))
    let turned = try #require(Rotation.aligning([v, [1, 0, 0]], to: [[-2, 1, 3], [0, 1, 0]]))
    #expect(turned.isApproximatelyEqual(to: q))
    // SciPy | q.activeMatrix * p.activeMatrix
    #expect(isNear((q.activeMatrix * p.activeMatrix) * v, (q * p).act(on: v)))
    // SciPy | RotationSpline([0.0], [q])
    let still = try #require(RotationSpline([0.0], [q]))
    #expect(still(at: 5) == q)
    let spline = try #require(RotationSpline([0.0, 1, 3], [.identity, q, q * q]))
    #expect(spline(at: 1) == q && spline(at: -1) == .identity)
    // SciPy | Slerp([0, 1], [q, p])
    #expect(isNear(Rotation.slerp(from: .identity, to: q, t: 0.5).yaw, 45))
  }

  @Test func standardLibrary() throws {
    // stdlib | [v, v].reduce(.zero, +)
    #expect([v, v].reduce(.zero, +) == [2, 4, 6])
    // stdlib | func f<T: Codable>(_ t: T) {}; f(v)
    func f<T: Codable>(_ t: T) throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(t), as: UTF8.self)
    }
    #expect(try f(v) == #"{"x":1,"y":2,"z":3}"#)
    // stdlib | let w: Vector3 = [1, 2, 3]
    let w: Vector3 = [1, 2, 3]
    #expect(w == v)
  }

  @Test func filters() throws {
    // filter | LowPassFilter<Double>(cutoff: 5, sampleRate: 60)
    #expect(LowPassFilter<Double>(cutoff: 5, sampleRate: 60)?.factor.value ?? 0 > 0.3)
    // filter | LowPassFilter<Double>(factor: x)
    let x = 0.1
    #expect(LowPassFilter<Double>(factor: SmoothingFactor(clamping: x)).factor == 0.1)
    // filter | f.filter(1)
    var f = LowPassFilter<Double>(factor: 0.1)
    #expect(f(1) == 1)
    // filter | [1.0, 2.0].lowPass(factor: 0.1)
    #expect([1.0, 2.0].lowPass(factor: 0.1) == [1, 1.1])
    // filter | ButterworthFilter<Double>(.lowPass, order: 4, cutoff: 1, sampleRate: 50)
    #expect(ButterworthFilter<Double>(.lowPass, order: 4, cutoff: 1, sampleRate: 50) != nil)
  }

  @Test func headings() throws {
    // WMM | WorldMagneticModel.field(latitude: .degrees(50), longitude: .degrees(8), year: 2026.5)?.declinationRate
    let rate = try #require(
      WorldMagneticModel.field(latitude: .degrees(50), longitude: .degrees(8), year: 2026.5)?.declinationRate)
    #expect((0.1...0.3).contains(rate.degrees), "the declination of Europe increases")
    // heading | Heading(attitude: q)
    #expect(Heading(attitude: q).degrees == 270)
  }

  @Test func conventions() {
    // convention | Convention.coreMotion.pitchRollYaw(of: q).pitch.degrees
    #expect(Convention.coreMotion.pitchRollYaw(of: q).pitch.degrees == 0)
    #expect(abs(Convention.coreMotion.pitchRollYaw(of: p).pitch.degrees - 20) < 1e-12)
    // convention | Convention.coreMotion.motion(m)
    #expect(Convention.coreMotion.motion(m).accelerometer == [-0.5, 0, -1])
    // convention | Convention.boseWearable.convert(bodyVector: v, to: .sphero)
    #expect(Convention.boseWearable.convert(bodyVector: v, to: .sphero) == [-1, 2, -3])
  }

  @Test func fusion() {
    // fusion | est.rotationRateBias
    let est = MotionEstimator()
    #expect(est.rotationRateBias == .zero)
    // fusion | MotionEstimator(attitude: q)
    var known = MotionEstimator(attitude: q)
    let motion = known(InertialSample(timestamp: 0, rotationRate: .zero, acceleration: [0, 0, 1]))
    #expect(motion.map { isNear($0.attitude.yaw, 90) } == true)
  }
}

/// Docs/Guesses.md and the guesses of this folder are the same.
@Suite struct GuessPageTests {
  struct Row: Hashable {
    var from: String
    var guess: String
    /// The recommended code: the guess itself if it works as typed.
    var code: String
  }

  private let folder = URL(filePath: #filePath).deletingLastPathComponent()

  private func page() throws -> [Row] {
    let file = folder.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Docs/Guesses.md")
    let table = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.contains("`")
    }
    return try table.map { line in
      let cells = line.split(separator: " | ").map { $0.trimmingCharacters(in: .init(charactersIn: "| ")) }
      try #require(cells.count == 4, "\(line)")
      func code(_ cell: String) -> String { cell.trimmingCharacters(in: .init(charactersIn: "`")) }
      return Row(
        from: cells[0], guess: code(cells[1]), code: code(cells[2] == "as typed" ? cells[1] : cells[2]))
    }
  }

  /// The guesses of the files of this folder, each with the statements up to the next one, without white space.
  private func compiled() throws -> [(from: String, guess: String, code: String)] {
    let files = ["GuessTests", "SpellingTests", "SampleSpellingTests", "ValueSpellingTests"]
    let lines = try files.flatMap { name in
      let text = try String(contentsOf: folder.appending(path: name + ".swift"), encoding: .utf8)
      return text.components(separatedBy: "\n/// Docs/Guesses.md")[0].split(separator: "\n")
    }
    var guesses: [(from: String, guess: String, code: String)] = []
    for line in lines {
      let line = line.trimmingCharacters(in: .whitespaces)
      let words = line.dropFirst(3).components(separatedBy: " | ")
      if line.hasPrefix("// "), words.count == 2 {
        guesses.append((words[0], words[1], ""))
      } else if !guesses.isEmpty {
        guesses[guesses.count - 1].code += withoutSpaces(line)
      }
    }
    return guesses
  }

  private func withoutSpaces(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test func pageAndCodeHaveTheSameGuesses() throws {
    let (page, compiled) = (try page(), try compiled())
    #expect(page.count == 282)
    #expect(page.map { [$0.from, $0.guess] } == compiled.map { [$0.from, $0.guess] })
  }

  @Test func recommendedCodeIsCompiled() throws {
    for (row, part) in zip(try page(), try compiled()) {
      for statement in row.code.components(separatedBy: "; ") {
        #expect(part.code.contains(withoutSpaces(statement)), "\(row.guess): \(statement)")
      }
    }
  }
}
