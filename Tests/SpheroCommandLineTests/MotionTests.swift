// What a stream shows of motion, filters, and the search for conventions.

import Foundation
import SpheroOrientation
import SpheroProtocol
import Testing

@Suite(.timeLimit(.minutes(5))) struct MotionTests {
  /// The records of a run as columns by their title.
  private func columns(_ outcome: Outcome) throws -> [String: [Double]] {
    let rows = outcome.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    var columns: [String: [Double]] = [:]
    for (index, title) in (try #require(rows.first)).enumerated() {
      columns[String(title)] = try rows.dropFirst().map { try #require(Double($0[index])) }
    }
    return columns
  }

  private func pose(_ pitch: Double, _ roll: Double, _ yaw: Double) throws -> Rotation {
    try #require(
      Convention.sphero.attitude(
        of: PitchRollYaw(pitch: .degrees(pitch), roll: .degrees(roll), yaw: .degrees(yaw))))
  }

  private func stream(_ script: @escaping ScriptedRobot.Script, _ words: String...) async throws -> Outcome {
    let (outcome, _) = try await ScriptedRobot.play(script) { port, _ in
      try await Run(["stream", "--port", port, "--timeout", "5s", "--format", "csv"] + words).end()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    return outcome
  }

  // MARK: Stream

  @Test func eulerAnglesOfTheQuaternion() async throws {
    let robot = LaidDown(poses: [try pose(-12.34, 56.78, 170.12)], convention: .sphero)
    let outcome = try await stream(robot.words, "--mask", "yaw", "--euler", "--count", "3")
    #expect(outcome.lines.first == "time_s,yaw_deg,euler_pitch_deg,euler_roll_deg,euler_yaw_deg")
    let columns = try columns(outcome)
    for (name, angle) in [("pitch", -12.34), ("roll", 56.78), ("yaw", 170.12)] {
      let printed = try #require(columns["euler_\(name)_deg"])
      #expect(printed.count == 3 && printed.allSatisfy { abs($0 - angle) < 0.02 }, "words of 1/10000")
    }
    #expect(columns["yaw_deg"] == [170, 170, 170])
  }

  @Test func motionOfATiltedRobot() async throws {
    let attitude = try pose(30, 20, 45)
    let robot = LaidDown(poses: [attitude], convention: .sphero, offset: .zero)
    let columns = try columns(await stream(robot.words, "--mask", "motion", "--count", "5"))
    #expect(columns.count == 14)
    func vector(_ name: String, _ unit: String) throws -> Vector3 {
      let parts = try ["x", "y", "z"].map { try #require(columns["\(name)_\($0)_\(unit)"]?.last) }
      return Vector3(parts[0], parts[1], parts[2])
    }
    let gravity = try vector("gravity", "g")
    #expect(abs(gravity.length - 1) < 1e-4)
    #expect(gravity.isApproximatelyEqual(to: attitude.gravity, tolerance: 3e-4))
    #expect(try vector("user_acceleration", "g").length < 1e-3)
    #expect(try vector("rotation_rate", "deg_s") == .zero)
    let q = attitude.quaternion.canonical
    for (name, part) in [("w", q.w), ("x", q.x), ("y", q.y), ("z", q.z)] {
      #expect(abs(try #require(columns["attitude_\(name)"]?.last) - part) < 2e-4)
    }
  }

  @Test(arguments: ["text", "json", "csv"]) func motionInEveryFormat(format: String) async throws {
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--mask", "motion,accel-one", "--euler", "--count", "2", "--format", format,
      "--quiet")
    #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
    for name in [
      "accel_one", "euler_yaw", "attitude_w", "gravity_z", "user_acceleration_x", "rotation_rate_y",
    ] {
      #expect(outcome.output.contains(name))
    }
    #expect(!outcome.output.contains("q0") && !outcome.output.contains("gyro"), "streamed, but not asked for")
    if format == "json" {
      for line in outcome.lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Double]
        #expect(object?["attitude_w"] == 1 && object?["gravity_z"] == -1 && object?.count == 18)
      }
    }
  }

  @Test func withoutQuaternionMotionIsFusedAndEulerAnglesStayEmpty() async throws {
    let outcome = try await stream(
      { _ in [.accelZ: 4_096] }, "--mask", "motion", "--euler", "--count", "2")
    #expect(outcome.code == 0 && outcome.error.contains("firmware before 1.20"))
    #expect(try #require(outcome.lines.last).contains(",,,,1.0000,0.0000,0.0000,0.0000,0.0000,"))
  }

  /// A step in acceleration at the second sample; angles that stay out of it.
  private static let step: ScriptedRobot.Script = { number in
    [.accelX: number == 0 ? 0 : 4_096, .yaw: number == 0 ? 0 : 90]
  }

  @Test(arguments: [("--low-pass", true), ("--high-pass", false)])
  func aStepPassesAsTheFormulaSays(option: String, isLow: Bool) async throws {
    let outcome = try await stream(Self.step, "--mask", "accel-x,yaw", option, "1.5", "--count", "30")
    let columns = try columns(outcome)
    let values = try #require(columns["accel_x_g"])
    for (time, value) in zip(try #require(columns["time_s"]), values) {
      // A first-order filter in continuous time, its input held: 1 - exp(-2 pi fc t).
      let low = 1 - exp(-2 * Double.pi * 1.5 * time)
      let truth = isLow ? low : (time == 0 ? 0 : 1 - low)
      #expect(abs(value - truth) < 1e-6, "after \(time) s")
    }
    #expect(columns["yaw_deg"] == [0] + Array(repeating: 90, count: 29))
  }

  @Test func bothFiltersLeaveWhatLiesBetween() async throws {
    let outcome = try await stream(
      Self.step, "--mask", "accel-x", "--low-pass", "5", "--high-pass", "0.5", "--count", "100")
    let values = try #require(try columns(outcome)["accel_x_g"])
    #expect(try #require(values.max()) > 0.6)
    #expect(abs(try #require(values.last)) < 1e-3)
  }

  @Test func userAccelerationIsFilteredAndGravityIsNot() async throws {
    let robot = LaidDown(poses: [try pose(30, 20, 45)], convention: .sphero)
    let columns = try columns(
      await stream(robot.words, "--mask", "motion", "--high-pass", "2", "--count", "10"))
    #expect(try #require(columns["user_acceleration_x_g"]).allSatisfy { abs($0) < 1e-6 })
    #expect(try #require(columns["gravity_z_g"]).allSatisfy { $0 < -0.8 })
  }

  @Test(
    arguments: [
      ("--mask motion --raw", "'motion' is not"), ("--euler --raw", "Euler angles are not"),
      ("--low-pass 1 --raw", "--low-pass"), ("--high-pass 1 --raw", "--high-pass"),
      ("--low-pass 0", "'0'"), ("--low-pass -1", "'-1'"), ("--low-pass nan", "'nan'"),
      ("--low-pass inf", "'inf'"), ("--low-pass 1e9", "'1e9'"), ("--high-pass x", "'x'"),
      ("--low-pass 10.1", "half the sample rate, which is 10 Hz"),
      ("--high-pass 101 --divisor 2", "half the sample rate, which is 100 Hz"),
      ("--low-pass 1 --high-pass 1", "below '--low-pass'"),
      ("--low-pass 2 --mask imu,quat", "nothing to filter"), ("--mask motion,,accel", "'motion,,accel'"),
      ("--mask motions", "it can be motion, accel"),
    ])
  func wrongWords(line: String, says: String) async throws {
    let outcome = try await Run(["stream"] + line.split(separator: " ").map(String.init)).end()
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(outcome.error.contains("See 'sphero stream --help'."))
  }

  // MARK: Conventions

  private func poses() throws -> [Rotation] {
    [try pose(25, 30, 0), try pose(-35, 22, 100), try pose(28, -40, -130), try pose(-24, -26, 50)]
  }

  private func conventions(_ robot: LaidDown, _ words: String...) async throws -> (
    [String: Any], ScriptedRobot
  ) {
    let (outcome, robot) = try await ScriptedRobot.play(robot.words) { port, _ in
      try await Run(
        ["calibrate", "--conventions", "--port", port, "--timeout", "5s", "--format", "json"] + words
      ).end()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (try #require(object), robot)
  }

  @Test(arguments: [("sphero", Convention.sphero), ("sphero_later", .spheroLater)])
  func whatTheRobotMeansIsFound(name: String, convention: Convention) async throws {
    let (found, robot) = try await conventions(LaidDown(poses: try poses(), convention: convention))
    #expect(found["convention"] as? String == name && found["ambiguous"] as? Bool == false)
    #expect(try #require(found["quaternion_residual"] as? Double) < 3)
    #expect(try #require(found["quaternion_runner_up"] as? Double) > 20)
    #expect(try #require(found["angle_residual"] as? Double) < 1.1)
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func aRobotOfItsOwnKindHasNoName() async throws {
    var convention = Convention.sphero
    convention.layout = QuaternionLayout(.scalarLast, .bodyToReference)
    // The signs that the one recorded Ollie frame shows.
    convention.angles = try #require(
      AngleConvention(pitch: .minusX, roll: .minusY, yaw: .z, order: .intrinsic(.zxy)))
    let (found, _) = try await conventions(LaidDown(poses: try poses(), convention: convention))
    #expect(found["convention"] is NSNull && found["ambiguous"] as? Bool == false)
    #expect(found["quaternion_words"] as? String == "x y z w")
    #expect(found["quaternion_takes"] as? String == "body to reference")
    #expect(found["angle_order"] as? String == "zxy")
    #expect(["pitch", "roll", "yaw"].map { found["\($0)_axis"] as? String } == ["-x", "-y", "+z"])
  }

  @Test func aLevelRobotIsAmbiguous() async throws {
    let outcome = try await sphero(
      "calibrate", "--conventions", "--port", "sim:", "--poses", "2", "--wait", "500ms", "--format", "csv")
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("pose 2 of 2 taken; it is like one before"))
    #expect(outcome.error.contains("the poses leave it open: try again with more"))
    let row = try #require(outcome.lines.last)
    #expect(row.hasPrefix(",yes,,,"), "no convention, ambiguous, no words, no direction: \(row)")
  }

  @Test func aBallThatNeverLiesStillIsNotWaitedForForEver() async throws {
    let shaken: ScriptedRobot.Script = { number in
      [.q0: 10_000, .accelZ: 4_096, .gyroX: number % 2 == 0 ? 900 : -900]
    }
    let (outcome, robot) = try await ScriptedRobot.play(shaken) { port, _ in
      try await sphero("calibrate", "--conventions", "--wait", "2s", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.code == 75 && outcome.output.isEmpty)
    #expect(outcome.error.contains("did not lie still") && outcome.error.contains("--wait"))
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func withoutQuaternionThereIsNothingToFindOut() async throws {
    let old: ScriptedRobot.Script = { _ in [.accelZ: 4_096] }
    let (outcome, robot) = try await ScriptedRobot.play(old) { port, _ in
      try await sphero("calibrate", "--conventions", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.code == 76 && outcome.error.contains("firmware is older than 1.20"))
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func controlCTurnsTheControlSystemOnAgain() async throws {
    let level = LaidDown(poses: [.identity], convention: .sphero)
    let (outcome, robot) = try await ScriptedRobot.play(level.words) { port, robot in
      let run = try Run(["calibrate", "--conventions", "--wait", "1h", "--port", port, "--timeout", "5s"])
      while await robot.stabilization.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGINT)
      return try await run.end()
    }
    #expect(outcome.code == 130 && outcome.output.isEmpty)
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test(arguments: [
    ("--conventions --heading 3", "choose one"), ("--conventions --poses 0", "1...255"),
    ("--conventions --wait -1s", "--wait"), ("--poses 3", "--heading"),
  ])
  func wrongWordsOfCalibrate(line: String, says: String) async throws {
    let outcome = try await Run(["calibrate"] + line.split(separator: " ").map(String.init)).end()
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }
}
