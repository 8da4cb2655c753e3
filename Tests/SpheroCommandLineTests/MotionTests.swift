// Streams with motion and filters, and the identification of conventions.

import Foundation
import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MotionTests {
  /// The records of a run as columns by their title.
  private func columns(_ outcome: Outcome) throws -> [String: [Double]] {
    let rows = outcome.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    var columns: [String: [Double]] = [:]
    for (index, title) in (try #require(rows.first)).enumerated() {
      // The reference is a text, and an unknown accuracy is empty.
      guard !["attitude_reference", "attitude_accuracy"].contains(title), !title.hasSuffix("_accuracy_deg")
      else { continue }
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
    #expect(columns.count == 20)
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

  /// Nose up by 30 degrees and counter-clockwise by 90, in every reading of a Sphero: the output is the same.
  @Test(arguments: Convention.spheroReadings.map(\.name))
  func everyReadingReadsItsRobot(name: String) async throws {
    let convention = try #require(Convention.named.first { $0.name == name }?.convention)
    let attitude = try #require(Rotation(w: 0.683012702, x: 0.183012702, y: 0.183012702, z: 0.683012702))
    let robot = LaidDown(poses: [attitude], convention: convention, offset: .zero)
    let columns = try columns(
      await stream(robot.words, "--convention", name, "--mask", "motion", "--euler", "--count", "5"))
    for (column, value) in [
      ("attitude_w", 0.683), ("attitude_x", 0.183), ("attitude_y", 0.183), ("attitude_z", 0.683),
      ("gravity_x_g", 0), ("gravity_y_g", -0.5), ("gravity_z_g", -0.866), ("user_acceleration_y_g", 0),
    ] {
      #expect(abs(try #require(columns[column]?.last) - value) < 1e-3, "\(column)")
    }
    #expect(abs(try #require(columns["euler_pitch_deg"]?.last) - 30) < 0.02)
    #expect(abs(try #require(columns["euler_yaw_deg"]?.last) - 90) < 0.02)
  }

  /// A Sphero at rest, level and aimed at heading 0, as another device reports it.
  @Test(arguments: [
    // Name, gravity on z, yaw, the reference that the Sphero lacks.
    ("bose-wearable", 1.0, 0.0, "magnetic north"), ("bose-wearable-game", 1, 0, nil),
    ("core-motion", -1, 0, nil), ("core-motion-north", -1, -90, "magnetic north"),
    ("ros-east-north-up", -1, 90, "true north"), ("ros-odometry", -1, 0, nil),
  ])
  func aSpheroIsReportedByTheConventionOfAnotherDevice(
    name: String, gravity: Double, yaw: Double, missing: String?
  ) async throws {
    let robot = LaidDown(poses: [.identity], convention: .sphero, offset: .zero)
    let outcome = try await stream(
      robot.words, "--convention", name, "--mask", "motion", "--euler", "--count", "5")
    let columns = try columns(outcome)
    for (column, value) in [
      ("gravity_z_g", gravity), ("gravity_x_g", 0), ("user_acceleration_x_g", 0),
      ("user_acceleration_y_g", 0), ("user_acceleration_z_g", 0), ("rotation_rate_z_deg_s", 0),
      ("euler_pitch_deg", 0), ("euler_roll_deg", 0),
    ] {
      #expect(abs(try #require(columns[column]?.last) - value) < 2e-3, "\(column)")
    }
    let angle = (try #require(columns["euler_yaw_deg"]?.last) - yaw).remainder(dividingBy: 360)
    #expect(abs(angle) < 0.02, "\(columns["euler_yaw_deg"] ?? [])")
    if let missing {
      #expect(outcome.error.contains("'\(name)' counts yaw from \(missing)"), "\(outcome.error)")
      #expect(outcome.error.components(separatedBy: "no magnetometer").count == 2, "once")
    } else {
      #expect(!outcome.error.contains("magnetometer"), "\(outcome.error)")
    }
  }

  /// Acceleration forward by 0.25 g has the signs and axes of the convention.
  @Test(arguments: [
    ("sphero", [0, 0.25, 0.0]), ("bose-wearable-game", [0, -0.25, 0]), ("core-motion", [0, -0.25, 0]),
    ("ros-odometry", [0.25, 0, 0]),
  ])
  func userAccelerationHasTheAxesOfTheConvention(name: String, expected: [Double]) async throws {
    // y of the sensors is back.
    let forward: ScriptedRobot.Script = { _ in [.q0: 10_000, .accelZ: 4_096, .accelY: -1_024] }
    let columns = try columns(
      await stream(forward, "--convention", name, "--mask", "motion", "--count", "2"))
    let read = ["x", "y", "z"].map { columns["user_acceleration_\($0)_g"]?.last ?? .nan }
    #expect(zip(read, expected).allSatisfy { abs($0 - $1) < 1e-3 }, "\(read)")
  }

  /// An attitude without north and without a known accuracy has both as values.
  @Test func referenceAndAccuracyAreValues() async throws {
    let known = try await sphero(
      "stream", "--port", "sim:", "--mask", "motion", "--count", "1", "--format", "json", "--quiet")
    let line = try #require(known.lines.first)
    for text in [
      #""attitude_reference":"arbitrary""#, #""attitude_accuracy":"unknown""#, #""heading_accuracy":null"#,
      #""tilt_accuracy":null"#, #""rotation_rate_bias_x":0.00"#, #""rotation_rate_bias_error_z":2.00"#,
    ] {
      #expect(line.contains(text), "\(line)")
    }
    let fused = try await stream({ _ in [.accelZ: 4_096] }, "--mask", "motion", "--count", "2")
    let row = try #require(fused.lines.last).split(separator: ",")
    #expect(row.contains("arbitrary") && row.contains("estimated") && Double(row[row.count - 1]) != nil)
  }

  /// A turn of 60 degrees a second about right, 30 about ahead, -90 about up.
  @Test(arguments: [
    ("sphero", -60.0, -30.0), ("sphero-a", 60, 30), ("sphero-b", -60, -30), ("sphero-d2", 60, 30),
  ])
  func ratesAreTurnedToTheBody(name: String, x: Double, y: Double) async throws {
    let turning: ScriptedRobot.Script = { _ in
      [.q0: 10_000, .accelZ: 4_096, .gyroX: Int16(x * 10), .gyroY: Int16(y * 10), .gyroZ: -900]
    }
    let columns = try columns(
      await stream(turning, "--convention", name, "--mask", "motion", "--count", "2"))
    let rates = ["x", "y", "z"].map { columns["rotation_rate_\($0)_deg_s"]?.last }
    #expect(rates == [60, 30, -90])
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
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["attitude_w"] as? Double == 1 && object?["gravity_z"] as? Double == -1)
        #expect(object?["kind"] as? String == "sample" && object?.count == 29)
      }
    }
  }

  @Test func aReadingThatContradictsTheAccelerometerIsReported() async throws {
    let script = freshPath()
    defer { try? FileManager.default.removeItem(atPath: script) }
    try Data("hold pitch 40\nwait 1min\n".utf8).write(to: URL(filePath: script))
    for (convention, isReported) in [("sphero-later", true), ("sphero", false)] {
      let outcome = try await sphero(
        "stream", "--port", "sim:script=\(script),pace=10", "--mask", "motion", "--for", "5s", "--convention",
        convention)
      let remarks = outcome.error.ranges(of: "its quaternion and its accelerometer differ by 1.2").count
      #expect(outcome.code == 0 && remarks == (isReported ? 1 : 0), "\(convention): \(outcome.error)")
    }
  }

  @Test func withoutQuaternionMotionIsFusedAndEulerAnglesStayEmpty() async throws {
    let outcome = try await stream(
      { _ in [.accelZ: 4_096] }, "--mask", "motion", "--euler", "--count", "2")
    #expect(outcome.code == 0 && outcome.error.contains("firmware before 1.20"))
    #expect(try #require(outcome.lines.last).contains(",,,,1.0000,0.0000,0.0000,0.0000,0.0000,"))
  }

  /// A step in acceleration at the second sample; angles are not filtered.
  private static let step: ScriptedRobot.Script = { number in
    [.accelX: number == 0 ? 0 : 4_096, .yaw: number == 0 ? 0 : 90]
  }

  @Test(arguments: [("--low-pass", true), ("--high-pass", false)])
  func aStepMatchesTheFormula(option: String, isLow: Bool) async throws {
    let outcome = try await stream(Self.step, "--mask", "accel-x,yaw", option, "1.5", "--count", "30")
    let columns = try columns(outcome)
    let values = try #require(columns["accel_x_g"])
    var (truth, last) = (0.0, 0.0)
    for (time, value) in zip(try #require(columns["time_s"]), values) {
      // With s = sin(pi fc interval) and e = 2 s (sqrt(1 + s^2) - s), both filters have a gain of -3 dB at fc.
      let s = sin(Double.pi * 1.5 * (time - last))
      let e = 2 * s * ((1 + s * s).squareRoot() - s)
      if isLow { truth += e * (1 - truth) } else if time > 0 { truth = (last == 0 ? 1 : truth) / (1 + e) }
      last = time
      #expect(abs(value - truth) < 1e-6, "after \(time) s")
    }
    #expect(columns["yaw_deg"] == [0] + Array(repeating: 90, count: 29))
  }

  @Test func bothFiltersPassTheBandBetween() async throws {
    let outcome = try await stream(
      Self.step, "--mask", "accel-x", "--low-pass", "5", "--high-pass", "0.5hz", "--count", "100")
    let values = try #require(try columns(outcome)["accel_x_g"])
    #expect(try #require(values.max()) > 0.6)
    #expect(abs(try #require(values.last)) < 1e-3)
  }

  /// A step of 1 g at the second sample, by the printed formulas with F = 0.1.
  @Test(arguments: [
    ("--low-pass-factor", [0, 0.1, 0.19, 0.271]), ("--high-pass-factor", [0, 0.9, 0.81, 0.729]),
    ("--printed-high-pass-factor", [0, 0.9, 1.71, 2.439]),
  ])
  func aStepMatchesTheFormulaByFactor(option: String, expected: [Double]) async throws {
    // Each rate has the same result.
    for divisor in ["20", "4"] {
      let outcome = try await stream(
        Self.step, "--mask", "accel-x,yaw", option, "0.1", "--divisor", divisor, "--count", "4")
      let columns = try columns(outcome)
      let values = try #require(columns["accel_x_g"])
      #expect(values.count == 4 && zip(values, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(values)")
      #expect(columns["yaw_deg"] == [0, 90, 90, 90])
    }
  }

  @Test func unfilteredValuesAreBesideFilteredOnes() async throws {
    let outcome = try await stream(
      Self.step, "--mask", "accel-x,yaw", "--low-pass-factor", "0.5", "--unfiltered", "--count", "3")
    #expect(outcome.lines.first == "time_s,yaw_deg,accel_x_g,accel_x_filtered_g")
    let fields = try columns(outcome)
    #expect(fields["accel_x_g"] == [0, 1, 1] && fields["accel_x_filtered_g"] == [0, 0.5, 0.75])
    let robot = LaidDown(poses: [try pose(30, 20, 45)], convention: .sphero)
    let motion = try await stream(
      robot.words, "--mask", "motion", "--high-pass", "2", "--unfiltered", "--count", "2")
    let columns = try columns(motion)
    for name in ["user_acceleration_y_filtered_g", "rotation_rate_z_filtered_deg_s"] {
      #expect(columns[name] == [0, 0], "\(motion.lines.first ?? "")")
    }
    #expect(columns["gravity_x_filtered_g"] == nil)
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
      ("--low-pass 2 --mask imu,quat", "nothing to filter"),
      (
        "--euler --convention spero",
        "'spero' is not a value for --convention; did you mean 'sphero'? It can be a reading: sphero, "
      ),
      ("--euler --convention sphero-e", "did you mean 'sphero'?"),
      (
        "--euler --convention x",
        "'x' is not a value for --convention; it can be a reading: sphero, sphero-a, sphero-b"
      ),
      ("--convention sphero-b", "'--convention' has nothing to read: add '--euler' or '--mask motion'"),
    ])
  func wrongWords(line: String, message: String) async throws {
    let outcome = try await Run(["stream"] + line.split(separator: " ").map(String.init)).end()
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    #expect(outcome.error.contains("See 'sphero stream --help'."))
  }

  // MARK: Conventions

  /// The requested poses, and one that is pitched and rolled at once.
  private func poses() throws -> [Rotation] {
    ProbePose.allCases.map(\.attitude) + [try pose(-24, -26, -100)]
  }

  private func conventions(_ robot: LaidDown, _ words: String...) async throws -> (
    [String: Any], ScriptedRobot
  ) {
    let (outcome, robot) = try await ScriptedRobot.play(robot.words) { port, _ in
      try await Run(
        ["survey", "--conventions", "--port", port, "--timeout", "5s", "--format", "json"] + words
      ).end()
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (try #require(object), robot)
  }

  @Test(arguments: [("sphero", Convention.sphero), ("sphero-later", .spheroLater)])
  func theConventionIsFound(name: String, convention: Convention) async throws {
    let (found, robot) = try await conventions(LaidDown(poses: try poses(), convention: convention))
    #expect(found["convention"] as? String == name && found["verdict"] as? String == "decided")
    #expect(try #require(found["accelerometer_residual"] as? Double) < 3)
    #expect(try #require(found["pose_residual"] as? Double) < 3)
    #expect(try #require(found["heading_residual"] as? Double) < 2)
    let worse = ["accelerometer", "pose"].map { found["runner_up_\($0)_residual"] as? Double ?? 0 }
    #expect(try #require(worse.max()) > 10, "\(worse)")
    #expect(found["runner_up"] is String && found["open"] is NSNull && found["next_pose"] is NSNull)
    #expect(try #require(found["angle_residual"] as? Double) < 1.1)
    #expect(try #require(found["gyroscope_residual"] as? Double) < 8)
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func anUnnamedConventionIsDescribed() async throws {
    var convention = Convention.sphero
    convention.layout = QuaternionLayout(.scalarLast, .bodyToReference)
    // In a frame left, back, up: nose down and left side down count.
    convention.angles = try #require(
      AngleConvention(pitch: .x, roll: .y, yaw: .z, order: .intrinsic(.zxy)))
    let (found, _) = try await conventions(LaidDown(poses: try poses(), convention: convention))
    #expect(found["convention"] is NSNull && found["verdict"] as? String == "decided")
    #expect(found["quaternion_words"] as? String == "x y z w")
    #expect(found["quaternion_takes"] as? String == "body to reference")
    #expect(found["quaternion_axes"] as? String == "left back up")
    #expect(found["accelerometer_axes"] as? String == "left back up")
    #expect(found["gyroscope_axes"] as? String == "left back up")
    #expect(found["angle_order"] as? String == "zxy")
    #expect(
      ["pitch", "roll", "yaw"].map { found["\($0)_counts"] as? String }
        == ["nose down", "left side down", "counter-clockwise"])
  }

  /// Lays a simulated robot in every requested pose, in real time.
  private static let hand = """
    hold level
    wait 5s
    hold yaw 90
    wait 5s
    hold pitch 40
    wait 5s
    hold roll 40
    wait 5s
    hold pitch 30 roll 30 yaw -120
    wait 30s
    """

  @Test(
    arguments: [
      ("a", "sphero-a", "reference to body", "right ahead up", "right ahead up"),
      ("b", "sphero-b", "body to reference", "right ahead up", "left back up"),
      ("c", "sphero-c", "reference to body", "left back up", "left back up"),
      ("d1", "sphero-d1", "body to reference", "right back down", "left back up"),
      ("d2", "sphero-d2", "body to reference", "left ahead down", "right ahead up"),
    ])
  func everyConventionOfASimulatedRobotIsFound(
    option: String, name: String, direction: String, axes: String, sensors: String
  ) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "hand-\(UUID().uuidString).txt")
    try Self.hand.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try await sphero(
      "survey", "--conventions", "--port", "sim:reading=\(option),script=\(file.path)", "--format", "json")
    #expect(outcome.code == 0, "\(outcome.error)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let found = try #require(object)
    #expect(found["verdict"] as? String == "decided" && found["reading"] as? String == name)
    #expect(found["quaternion_takes"] as? String == direction && found["quaternion_axes"] as? String == axes)
    #expect(
      found["accelerometer_axes"] as? String == sensors && found["gyroscope_axes"] as? String == sensors)
    #expect(found["pitch_counts"] as? String == "nose up" && found["angle_order"] as? String == "zxy")
    let passed = name == "sphero-c" ? "sphero" : name
    #expect(found["convention"] as? String == passed)
    #expect(outcome.error.contains("pass it on as '--convention \(passed)'"), "\(outcome.error)")
    for words in ["pose 1 of 5, level: ", "pose 2 of 5, turned left: ", "pose 3 of 5, nose up: "] {
      #expect(outcome.error.contains(words))
    }
    #expect(
      outcome.error.contains("pose 4 of 5, right side down: ") && outcome.error.contains("the tail light"))
    #expect(outcome.error.contains("pose 5 of 5, any other: "))
  }

  @Test func aLevelPoseAloneIsUndecided() async throws {
    let outcome = try await sphero(
      "survey", "--conventions", "--port", "sim:", "--poses", "2", "--for", "500ms", "--format", "csv")
    #expect(outcome.code == 0)
    #expect(outcome.error.contains("pose 2 of 2 taken; it is like one before"))
    #expect(
      outcome.error.contains("leave it open between sphero-a, sphero-b, sphero-c, sphero-d1, sphero-d2"))
    #expect(outcome.error.contains("the pose 'right side down' decides"))
    let row = try #require(outcome.lines.last)
    #expect(row.hasPrefix("undecided,,,\"sphero-a, "), "no reading, no convention: \(row)")
  }

  @Test func anUnexplainedLogIsReported() async throws {
    var left = Convention.sphero
    left.accelerometerAxes = .identity
    // The nose down instead of up, and the left side down: 80 degrees each.
    let wrong = [
      Rotation.identity, ProbePose.turnedLeft.attitude, ProbePose.noseUp.attitude.inverse,
      ProbePose.rightSideDown.attitude,
    ]
    let (outcome, _) = try await ScriptedRobot.play(LaidDown(poses: wrong, convention: left).words) {
      port, _ in
      try await sphero("survey", "--conventions", "--poses", "4", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.code == 0 && outcome.error.contains("nothing explains these poses"), "\(outcome.error)")
    #expect(outcome.lines.first == "verdict                           unexplained")
  }

  @Test func aDisagreeingGyroscopeIsReported() async throws {
    let robot = LaidDown(poses: try poses(), convention: .sphero)
    let deaf: ScriptedRobot.Script = { number in
      var words = robot.words(number)
      words[.gyroX] = words[.gyroX].map { -$0 }
      return words
    }
    let (outcome, _) = try await ScriptedRobot.play(deaf) { port, _ in
      try await sphero("survey", "--conventions", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.error.contains("the gyroscope disagrees"), "\(outcome.error)")
    #expect(outcome.output.contains("undecided") && !outcome.error.contains("--convention"))
    #expect(outcome.error.contains("repeat the pose 'turned left'"), "\(outcome.error)")
  }

  @Test func aMovingBallTimesOut() async throws {
    let shaken: ScriptedRobot.Script = { number in
      [.q0: 10_000, .accelZ: 4_096, .gyroX: number % 2 == 0 ? 900 : -900]
    }
    let (outcome, robot) = try await ScriptedRobot.play(shaken) { port, _ in
      try await sphero("survey", "--conventions", "--for", "2s", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.code == 75 && outcome.output.isEmpty)
    #expect(outcome.error.contains("did not lie still") && outcome.error.contains("--for"))
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func withoutQuaternionThereIsNothingToFindOut() async throws {
    let old: ScriptedRobot.Script = { _ in [.accelZ: 4_096] }
    let (outcome, robot) = try await ScriptedRobot.play(old) { port, _ in
      try await sphero("survey", "--conventions", "--port", port, "--timeout", "5s")
    }
    #expect(outcome.code == 76 && outcome.error.contains("firmware is older than 1.20"))
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test func controlCTurnsTheControlSystemOnAgain() async throws {
    let level = LaidDown(poses: [.identity], convention: .sphero)
    let (outcome, robot) = try await ScriptedRobot.play(level.words) { port, robot in
      let run = try Run(["survey", "--conventions", "--for", "1h", "--port", port, "--timeout", "5s"])
      while await robot.stabilization.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGINT)
      return try await run.end()
    }
    #expect(outcome.code == 130 && outcome.output.isEmpty)
    #expect(await robot.stabilization == [.off, .onWithoutReset])
  }

  @Test(arguments: [
    ("--conventions --offsets a", "choose one"), ("--conventions --poses 0", "1...255"),
    ("--conventions --for -1s", "--for"), ("--poses 3", "'--conventions', which is missing"),
  ])
  func wrongWordsOfConventions(line: String, message: String) async throws {
    let outcome = try await Run(["survey"] + line.split(separator: " ").map(String.init)).end()
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }
}
