// The findings of surveys of simulated robots, and the commands that a survey never sends.

import SpheroModel
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroSurvey
import TestSupport
import Testing

@Suite(.ownThread) struct SurveyTests {
  // MARK: A whole survey

  @Test func aWholeSurveyDecidesEverything() async throws {
    let result = try await SurveyGame { $0.model.sensorAxes = .c }.survey()
    #expect(result.error == nil)
    let expected = [
      "version-record": "8 bytes", "bluetooth-record": "name 16, address 12, colours",
      "power-record": "8 bytes", "permanent-options": "none", "temporary-options": "answered",
      "read-locator": "answered", "event-order": "the response", "count-restart": "the count restarts",
      "renewal-rhythm": "it continues", "old-frames": "none were seen", "early-frames": "none were seen",
      "mask-zero": "no, both must be 0", "reserved-bits": "42: 32 and 10", "speed-field": "it takes a word",
      "sample-rate": "400 Hz", "quaternion-order": "the first", "reading": "C",
      "angle-order": "yaw, pitch, roll", "gyroscope-axes": "left, back, up",
      "quaternion-turn": "negative", "yaw-sign": "counter-clockwise", "pitch-sign": "nose up",
      "roll-sign": "right side down", "accelerometer-x": "left", "accelerometer-y": "back",
      "accelerometer-unit": "4 mg and 1/4096 g", "accel-one-unit": "10 mg",
      "gyroscope-sign": "counter-clockwise", "gyroscope-unit": "0.1 deg/s",
      "raw-gyroscope-unit": "0.068 deg/s", "locator-ahead": "Y grows", "locator-right": "X grows",
      "velocity-unit": "1 mm/s", "locator-unit": "1 cm", "emf-unit": "22.5 cm/s",
    ]
    #expect(Set(expected.keys) == Set(SurveyQuestion.all.map(\.name)))
    for (question, side) in expected { #expect(result[question] == side, "\(question)") }
    // This robot agrees with all assumptions.
    #expect(result.log.findings.allSatisfy { $0.agrees != false })
    #expect(result.finding("sample-rate")?.evidence.hasPrefix("400.0") == true)

    // The survey restores the robot: upright, at rest, without stream and light.
    #expect(result.robot.lights.tail == 0)
    #expect(result.robot.configuration.permanentOptions.rawValue == 0x12)
    try expectNoFlash(result.sent)
  }

  /// DID and CID of every command that writes to flash or to a stored block, or that is hazardous.
  private static let forbidden: Set<[UInt8]> = [
    [0x00, 0x03], [0x00, 0x10], [0x00, 0x12], [0x00, 0x22], [0x00, 0x24], [0x00, 0x25], [0x00, 0x30],
    [0x00, 0x42],
    [0x01, 0x02], [0x01, 0x03], [0x01, 0x04], [0x01, 0x06],
    [0x02, 0x04], [0x02, 0x06], [0x02, 0x08], [0x02, 0x35], [0x02, 0x41], [0x02, 0x42], [0x02, 0x43],
    [0x02, 0x45], [0x02, 0x47], [0x02, 0x48], [0x02, 0x49], [0x02, 0x4A], [0x02, 0x4B], [0x02, 0x4C],
    [0x02, 0x4D],
    [0x02, 0x50], [0x02, 0x51], [0x02, 0x52], [0x02, 0x53], [0x02, 0x54], [0x02, 0x58],
    [0x02, 0x60], [0x02, 0x61], [0x02, 0x62], [0x02, 0x65], [0x02, 0x70], [0x02, 0x71], [0x02, 0x90],
  ]

  /// Checks the bytes: FF, SOP2, DID, CID, SEQ, DLEN.
  private func expectNoFlash(_ sent: [[UInt8]]) throws {
    #expect(sent.count > 60)
    for bytes in sent {
      try #require(bytes.count >= 7 && bytes[0] == 0xFF && Int(bytes[5]) + 6 == bytes.count)
      #expect(!Self.forbidden.contains([bytes[2], bytes[3]]), "\(bytes)")
      // The fourth byte of a colour stores it; a survey shows no colour.
      #expect(!(bytes[2] == 0x02 && bytes[3] == 0x20), "\(bytes)")
      // An unlimited stream would continue after the program has crashed.
      if bytes[2] == 0x02, bytes[3] == 0x11,
        bytes[10...13] != [0, 0, 0, 0] || bytes[15...18] != [0, 0, 0, 0]
      {
        #expect(bytes[14] > 0, "\(bytes)")
      }
    }
  }

  // MARK: Readings

  @Test(arguments: [
    (SensorAxes.a, "A", "right", "ahead", "negative"), (.b, "B", "left", "back", "positive"),
    (.c, "C", "left", "back", "negative"), (.d1, "D1", "left", "back", "negative"),
    (.d2, "D2", "right", "ahead", "negative"),
  ])
  func everyReadingIsIdentified(
    _ reading: SensorAxes, _ name: String, _ x: String, _ y: String, _ turn: String
  ) async throws {
    let result = try await SurveyGame { $0.model.sensorAxes = reading }
      .survey("level", "turned", "nose-up", "right-side-down", "mixed", "turn")
    #expect(result["reading"] == name, "\(result.finding("reading")?.evidence ?? "")")
    #expect(result["accelerometer-x"] == x)
    #expect(result["accelerometer-y"] == y)
    #expect(result["gyroscope-axes"] == "\(x), \(y), up")
    #expect(result["angle-order"] == "yaw, pitch, roll")
    #expect(result["quaternion-turn"] == turn)
    #expect(result["yaw-sign"] == "counter-clockwise")
    #expect(result["gyroscope-sign"] == "counter-clockwise")
  }

  @Test func oldFirmwareStreamsNoQuaternion() async throws {
    var game = SurveyGame { $0.model.profile = .sphero1 }
    (game.hands, game.typed) = ([:], { _ in .done })
    let result = try await game.survey("level", "turned", "nose-up", "right-side-down", "mixed")
    #expect(result["quaternion-order"] == "undecided: the robot streams no quaternion")
    #expect(result["reading"].hasSuffix("the robot streams no quaternion"))
  }

  // MARK: Odd robots

  @Test func recordsOfOtherLengths() async throws {
    let long = try await SurveyGame { $0.hasLongVersionRecord = true }.survey("records")
    #expect(long["version-record"] == "10 bytes")
    let odd = try await SurveyGame {
      $0.model.handlers = [
        .reply(to: NineBytes.self) { (_, _) throws(Status) in .init() },
        .reply(to: OldName.self) { (_, _) throws(Status) in .init() },
      ]
      $0.model.permanentOptions = Settings.PermanentOptions(rawValue: 0x0000_0412)
      $0.model.profile = .sphero1
    }.survey("records")
    #expect(odd["power-record"] == "undecided: nothing explains it: 9 bytes")
    #expect(odd["bluetooth-record"] == "name 48, address 16")
    #expect(odd["permanent-options"] == "some")
    #expect(odd.finding("permanent-options")?.evidence == "00 00 04 12: bits 10")
    #expect(odd["read-locator"] == "refused")
    #expect(odd.error == nil)
  }

  @Test(arguments: [(1.0, "400 Hz"), (1.0025, "400 Hz"), (1.05, "420 Hz"), (0.957, "nothing")])
  func theRateIsMeasured(_ rate: Double, _ side: String) async throws {
    let result = try await SurveyGame { $0.clockRate = rate }.survey("rate")
    if side == "nothing" {
      #expect(result["sample-rate"] == "undecided: nothing explains it: 382.8 Hz")
    } else {
      #expect(result["sample-rate"] == side)
    }
  }

  @Test func aLossyLineDoesNotDistortTheRate() async throws {
    var game = SurveyGame()
    game.faults = [
      Fault(.drop, chance: 0.02, of: .sensorData),
      Fault(.delay(.milliseconds(30)), chance: 0.1, of: .sensorData),
    ]
    let result = try await game.survey("rate")
    #expect(result["sample-rate"] == "400 Hz", "\(result.finding("sample-rate")?.evidence ?? "")")
  }

  @Test(arguments: [
    (StreamRenewal.count, "the count restarts", "it continues"),
    (.restart, "the count restarts", "it restarts"), (.nothing, "the old count continues", "it continues"),
    (.sum, "the counts add up", "it continues"),
  ])
  func aRepeatedRequestIsJudged(_ renewal: StreamRenewal, _ count: String, _ rhythm: String) async throws {
    let result = try await SurveyGame { $0.model.renewal = renewal }.survey("count")
    #expect(result["count-restart"] == count)
    #expect(result["renewal-rhythm"] == rhythm)
  }

  /// 2 packets before the second request and 5 after it fit both a restarted count of 6 and the rest of the old one.
  @Test func lostPacketsLeaveTheCountOpen() async throws {
    var game = SurveyGame()
    game.faults = [
      Fault(.drop, of: .sensorData, at: 0..<4), Fault(.drop, of: .sensorData, at: 7..<8),
    ]
    let result = try await game.survey("count")
    #expect(
      result["count-restart"]
        == "undecided: the count restarts or the old count continues, several answers fit")
  }

  @Test func reservedBitsMayStreamNothing() async throws {
    let result = try await SurveyGame { $0.model.streamsReservedBits = false }.survey("reserved")
    #expect(result["reserved-bits"] == "30: reserved bits take no word")
    #expect(result["speed-field"] == "it takes none")
    #expect(result.finding("speed-field")?.agrees == false)
  }

  @Test func aRobotMayRefuseReservedBits() async throws {
    let result = try await SurveyGame {
      $0.model.handlers = [
        .acknowledge(Sensing.SetDataStreaming.self) { (_, _) throws(Status) in throw .badParameter }
      ]
    }.survey("reserved", "mask-zero", "count")
    #expect(result["reserved-bits"] == "none, they are refused")
    #expect(result["count-restart"] == "undecided: a request was not answered with ok")
    #expect(result["mask-zero"].hasPrefix("undecided: nothing explains it"))
  }

  @Test func framesOfTheOldLayoutAreDetected() async throws {
    var game = SurveyGame()
    game.faults = [Fault(.stale, chance: 1, to: Sensing.SetDataStreaming.id)]
    let result = try await game.survey("change")
    #expect(result["old-frames"] == "some come", "\(result.finding("old-frames")?.evidence ?? "")")
  }

  @Test func theGapIsMeasured() async throws {
    let result = try await SurveyGame { $0.model.eventGap = .milliseconds(30) }.survey("event-gap")
    #expect(result["event-order"] == "the response")
    #expect(result.finding("event-order")?.evidence == "4 events, 30.0 to 30.0 ms after the response")
  }

  // MARK: People

  @Test func skippedStepsAreNotTried() async throws {
    var game = SurveyGame()
    game.typed = { $0 == "rate" || $0 == "turned" || $0 == "roll" ? .skip : .done }
    let result = try await game.survey()
    #expect(result.error == nil)
    #expect(result["sample-rate"] == "not tried: step rate was skipped")
    #expect(result["yaw-sign"] == "not tried: step turned was skipped")
    #expect(result["locator-ahead"] == "not tried: step roll was skipped")
    #expect(result["event-order"] == "the response")
    #expect(result["quaternion-order"] == "the first")
    // The ball never rolled.
    #expect(!result.sent.contains { $0[2] == 0x02 && $0[3] == 0x30 && $0[6] > 0 })
  }

  @Test func aBallThatIsNotTurnedAbandonsTheStepAndNothingRollsWithoutConsent() async throws {
    var game = SurveyGame()
    (game.hands, game.letsRoll) = ([:], false)
    let result = try await game.survey("level", "turned", "turn", "roll")
    #expect(result["yaw-sign"] == "not tried: step turned was given up")
    #expect(result["gyroscope-sign"] == "not tried: step turn was given up")
    #expect(result["locator-unit"] == "not tried: step roll was skipped")
    #expect(result["accel-one-unit"] == "10 mg")
    #expect(!result.sent.contains { $0[2] == 0x02 && $0[3] == 0x30 && $0[6] > 0 })
  }

  @Test func aPersonWhoDoesNotAnswerGivesNoConsent() async throws {
    var game = SurveyGame()
    game.typed = { _ in nil }
    let result = try await game.survey("roll")
    #expect(result["locator-unit"] == "not tried: step roll was given up")
    #expect(!result.sent.contains { $0[2] == 0x02 && $0[3] == 0x30 && $0[6] > 0 })
  }

  @Test func posesWithoutATurnDecideNothing() async throws {
    var game = SurveyGame()
    (game.hands, game.typed) = ([:], { $0 == "roll" ? .skip : .done })
    let result = try await game.survey(
      "level", "turned", "nose-up", "right-side-down", "mixed", "turn", "roll")
    for question in ["quaternion-turn", "yaw-sign", "pitch-sign", "roll-sign", "gyroscope-sign", "reading"] {
      #expect(result[question].hasPrefix("undecided: "), "\(question): \(result[question])")
    }
  }

  // MARK: Ends

  @Test func anInterruptionKeepsTheFindingsAndRestoresTheRobot() async throws {
    var game = SurveyGame()
    game.hands["turned"] = nil
    let result = try await game.survey("records", "level", "turned", "roll", within: .seconds(8))
    #expect(result.error is CancellationError)
    #expect(result["version-record"] == "8 bytes")
    #expect(result["accel-one-unit"] == "10 mg")
    #expect(result["yaw-sign"] == "not tried: step turned was interrupted")
    #expect(result["locator-ahead"] == "not tried: step roll was left out")
    // The control system is on, the stream and the tail light are off.
    let last = result.sent.suffix(4)
    #expect(last.contains { Array($0[2...3]) == [0x02, 0x02] && $0[6] == 2 })
    #expect(last.contains { Array($0[2...3]) == [0x02, 0x11] && $0[6...].dropLast().allSatisfy { $0 == 0 } })
    #expect(result.robot.lights.tail == 0)
  }

  @Test func anInterruptedRollStops() async throws {
    let result = try await SurveyGame().survey("roll", within: .milliseconds(13_500))
    #expect(result.error is CancellationError)
    let rolls = result.sent.filter { Array($0[2...3]) == [0x02, 0x30] }
    #expect(rolls.contains { $0[6] == 60 })
    // Speed 0, state 0.
    #expect(rolls.last?[6] == 0 && rolls.last?[9] == 0)
  }

  @Test func aLostStopIsRepeated() async throws {
    var game = SurveyGame()
    // The third roll command is the first stop.
    game.faults = [Fault(.drop, of: .commands, to: Motion.Roll.id, at: 2..<3)]
    let result = try await game.survey("roll")
    #expect(result.error == nil)
    // Speed and state of each: turn, roll, stop and stop again, and the same to the right.
    let rolls = result.sent.filter { Array($0[2...3]) == [0x02, 0x30] }.map { [$0[6], $0[9]] }
    #expect(rolls == [[0, 1], [60, 1], [0, 0], [0, 0], [0, 1], [60, 1], [0, 0]])
    #expect(result["locator-right"] == "X grows")
  }

  @Test func aLostCommandOfTheControlSystemIsRepeated() async throws {
    func isOn(_ faults: [Fault]) async throws -> [UInt8] {
      var game = SurveyGame()
      game.faults = faults
      let result = try await game.survey("roll")
      #expect(result.error == nil)
      return result.sent.filter { Array($0[2...3]) == [0x02, 0x02] }.map { $0[6] }
    }
    let usual = try await isOn([])
    // The first one, before the roll, and the last one, at the end.
    for index in [0, usual.count - 1] {
      let fault = Fault(.drop, of: .commands, to: Motion.SetStabilization.id, at: index..<(index + 1))
      #expect(try await isOn([fault]).count == usual.count + 1)
    }
  }

  @Test func earlierInputIsNoConsent() async throws {
    var game = SurveyGame()
    (game.stale, game.typed) = (3, { _ in nil })
    let silent = try await game.survey("roll", within: .seconds(20))
    #expect(silent.error is CancellationError)
    #expect(silent.sent.allSatisfy { Array($0[2...3]) != [0x02, 0x30] || $0[6] == 0 }, "it never rolls")
    game.typed = { _ in .done }
    #expect(try await game.survey("roll")["locator-right"] == "X grows", "Enter after the question counts")
  }

  @Test func aLostLineEndsTheSurveyWithItsError() async throws {
    var game = SurveyGame()
    game.outage = FaultPlan.Outage(after: .seconds(4), lasting: .seconds(60))
    let result = try await game.survey("records", "event-gap", "count")
    #expect(result.error != nil && !(result.error is CancellationError))
    #expect(result["version-record"] == "8 bytes")
    #expect(result["count-restart"].hasPrefix("not tried: "))
  }

  // MARK: Captures

  @Test func aCaptureHasTheSameFindingsAsItsSurvey() async throws {
    let result = try await SurveyGame { $0.clockRate = 1.05 }.survey()
    // The same bytes one by one: reads may end at any byte.
    var log = SurveyLog()
    for item in result.tape {
      switch item {
      case .began(let step): log.begin(step)
      case .ended(let outcome): log.end(outcome)
      case .bytes(let bytes, let sender, let time):
        for byte in bytes { log.append([byte], from: sender, at: time) }
      }
    }
    #expect(log.findings == result.log.findings)
    #expect(result["sample-rate"] == "420 Hz")
  }

  /// Appends a step with one accepted stream of the poses' 20 fields at 20 Hz.
  private func append(_ log: inout SurveyLog, _ step: String, _ words: [Int16]) {
    log.begin(step)
    append(&log, divisor: 20, Array(repeating: words, count: 20))
    log.end(.done)
  }

  /// Appends an accepted stream of the poses' 20 fields.
  private func append(_ log: inout SurveyLog, divisor: UInt8, _ samples: [[Int16]]) {
    func bytes(_ values: [Int16]) -> [UInt8] {
      values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }
    func packet(_ head: [UInt8], _ body: [UInt8]) -> [UInt8] { head + body + [~body.reduce(0, &+)] }
    // M 1, MASK FC07FC00, 255 packets, MASK2 F2000000.
    let request: [UInt8] = [0, divisor, 0, 1, 0xFC, 0x07, 0xFC, 0, 255, 0xF2, 0, 0, 0]
    log.append(packet([0xFF, 0xFF], [2, 0x11, 9, 14] + request), from: .host, at: nil)
    log.append(packet([0xFF, 0xFF], [0, 9, 1]), from: .robot, at: nil)
    for words in samples {
      log.append(packet([0xFF, 0xFE], [3, 0, 41] + bytes(words)), from: .robot, at: nil)
    }
  }

  /// A turn at 100 degrees/s: 5 degrees between samples at 20 Hz, then 10 degrees at 10 Hz.
  @Test func theStreamsOfAStepHaveTheirOwnPeriods() {
    func words(yaw: Int16) -> [Int16] {
      let wrapped = yaw > 180 ? yaw - 360 : yaw
      return [0, 0, 250, 0, 0, 1_471, 0, 0, wrapped, 0, 0, 4096, 0, 0, 1_000, 10_000, 0, 0, 0, 100]
    }
    var log = SurveyLog()
    log.begin("turn")
    append(&log, divisor: 20, (1...20).map { words(yaw: 5 * $0) })
    append(&log, divisor: 40, (1...20).map { words(yaw: 100 + 10 * $0) })
    log.end(.done)
    let unit = log.findings.first { $0.question == "gyroscope-unit" }
    #expect(unit?.verdict == .decided("0.1 deg/s"), "\(String(describing: unit))")
  }

  /// The last packets of a step that waits for twenty minutes count.
  @Test func aLongStepEndsWithItsLastPose() {
    func words(_ yaw: Int16, _ q0: Int16, _ q3: Int16) -> [Int16] {
      [0, 0, 250, 0, 0, 0, 0, 0, yaw, 0, 0, 4096, 0, 0, 0, q0, 0, 0, q3, 100]
    }
    var log = SurveyLog()
    append(&log, "level", words(0, 10_000, 0))
    log.begin("turned")
    // A request every 8 s.
    for _ in 0..<130 { append(&log, divisor: 20, Array(repeating: words(0, 10_000, 0), count: 160)) }
    append(&log, divisor: 20, Array(repeating: words(90, 7_071, -7_071), count: 20))
    log.end(.done)
    let sign = log.findings.first { $0.question == "yaw-sign" }
    #expect(sign?.verdict == .decided("counter-clockwise"), "\(String(describing: sign))")
  }

  @Test func aRawGyroscopeOfZerosDoesNotMeasureTheTurn() {
    var log = SurveyLog()
    log.begin("turn")
    let samples = (1...20).map { (number: Int16) -> [Int16] in
      let yaw = number > 18 ? 10 * number - 360 : 10 * number
      return [0, 0, 250, 0, 0, 0, 0, 0, yaw, 0, 0, 4096, 0, 0, 2_000, 10_000, 0, 0, 0, 100]
    }
    append(&log, divisor: 20, samples)
    log.end(.done)
    let unit = log.findings.first { $0.question == "raw-gyroscope-unit" }
    let verdict = SurveyFinding.Verdict.undecided(
      between: [], why: "nothing explains it: it does not measure the turn")
    #expect(unit?.verdict == verdict, "\(String(describing: unit))")
  }

  /// A roll at 600 mm/s, with samples of 20 Hz after a stream of 10 Hz.
  @Test func theSamplesOfARollHaveThePeriodOfTheirStream() throws {
    func packet(_ head: [UInt8], _ body: [UInt8]) -> [UInt8] { head + body + [~body.reduce(0, &+)] }
    let mask: SensorMask = [.locator, .emf, .accel]
    var log = SurveyLog()
    log.begin("roll")
    for divisor in [40, 20] as [UInt16] {
      let request = Sensing.SetDataStreaming(divisor: divisor, mask: mask, packetCount: 255)
      log.append(try Packet.command(request.packet(sequence: 9)).encoded(), from: .host, at: nil)
      log.append(packet([0xFF, 0xFF], [0, 9, 1]), from: .robot, at: nil)
    }
    log.append(packet([0xFF, 0xFF], [0x02, 0x30, 7, 5, 60, 0, 0, 1]), from: .host, at: nil)
    for number in 1...30 {
      let words = mask.fields.map { field in
        field == .odometerY ? UInt8(3 * number) : 0
      }
      let velocity = mask.fields.map { $0 == .velocityY ? [0x02, 0x58] : nil as [UInt8]? }
      let payload = zip(words, velocity).flatMap { $1 ?? [0, $0] }
      log.append(packet([0xFF, 0xFE], [3, 0, UInt8(payload.count + 1)] + payload), from: .robot, at: nil)
    }
    log.end(.done)
    let unit = log.findings.first { $0.question == "velocity-unit" }
    #expect(unit?.verdict == .decided("1 mm/s"), "\(String(describing: unit))")
  }

  @Test func anUnexplainedReadingIsReported() {
    // The quaternion turns by 45 degrees about the diagonal of its axes, which moves each axis by 36 degrees,
    // but the accelerometer measures a level pose.
    var log = SurveyLog()
    append(&log, "level", [0, 0, 250, 0, 0, 0, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 10_000, 0, 0, 0, 100])
    append(&log, "nose-up", [0, 0, 250, 0, 0, 0, 45, 0, 0, 0, 0, 4096, 0, 0, 0, 9239, 2209, 2209, 2209, 100])
    let reading = log.findings.first { $0.question == "reading" }
    guard case .undecided(between: [], let why)? = reading?.verdict else {
      Issue.record("\(String(describing: reading))")
      return
    }
    #expect(why == "nothing explains it: no reading fits")
    // Questions about single sensors are decided.
    let pitch = log.findings.first { $0.question == "pitch-sign" }
    #expect(pitch?.verdict == .decided("nose up"))
    let unit = log.findings.first { $0.question == "accel-one-unit" }
    #expect(unit?.verdict == .decided("10 mg"))
  }

  @Test func invalidInputIsNoFinding() {
    var log = SurveyLog()
    log.begin("no such step")
    #expect(log.isEmpty)
    log.begin("rate")
    log.append([0xFF, 0xFE, 0x03, 0x00], from: .robot, at: nil)
    log.end(.done)
    #expect(!log.isEmpty)
    for finding in log.findings {
      if case .decided = finding.verdict { Issue.record("\(finding)") }
    }
  }
}

/// A power record of another firmware.
private struct NineBytes: Command {
  static let id = CommandID(0x00, 0x20)
  struct Response: Message {
    var bytes = [UInt8](repeating: 1, count: 9)
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      for index in bytes.indices { try wire.field("byte", &bytes[index]) }
    }
  }
  mutating func layout(_ wire: inout some Wire) throws(WireError) {}
}

/// A Bluetooth record of 64 bytes.
private struct OldName: Command {
  static let id = CommandID(0x00, 0x11)
  struct Response: Message {
    var bytes = [UInt8](repeating: 0x41, count: 64)
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      for index in bytes.indices { try wire.field("byte", &bytes[index]) }
    }
  }
  mutating func layout(_ wire: inout some Wire) throws(WireError) {}
}
