// The findings of an examination, which changes nothing.

import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct DiagnosisTests {
  private func battery(_ payload: [UInt8]) throws -> Diagnosis {
    .battery(try Core.GetPowerState.Response(payload: payload))
  }

  @Test func theBatteryByItsState() throws {
    // Record 1, state, 7.02 V, 79 charges, 300 s.
    let rest: [UInt8] = [0x02, 0xBE, 0x00, 0x4F, 0x01, 0x2C]
    #expect(try battery([1, 1] + rest) == Diagnosis("battery", .good, "7.02 V, charging"))
    #expect(try battery([1, 2] + rest) == Diagnosis("battery", .good, "7.02 V, ok"))
    // (7.02 - 6.5) / 1.3 of a BB-8 is 40 %; no source states the range of a Sphero 2.0.
    let power = try Core.GetPowerState.Response(payload: [1, 2] + rest)
    #expect(Diagnosis.battery(power, of: .bb8).statement == "7.02 V, 40 %, ok")
    #expect(Diagnosis.battery(power, of: .s3).statement == "7.02 V, ok")
    let low = try battery([1, 3] + rest)
    #expect(low.verdict == .doubtful && low.statement == "7.02 V, low")
    #expect(low.advice == "Charge it soon: it sleeps by itself when it is empty.")
    let critical = try battery([1, 4] + rest)
    #expect(critical.verdict == .bad && critical.advice == "Charge it now: it is about to sleep.")
    #expect(try battery([1, 9] + rest).verdict == .doubtful)
    #expect(try battery([1, 2, 0xFF, 0xFF, 0, 0, 0, 0]).statement == "655.35 V, ok")
  }

  @Test func answersByTheirNumberAndTime() {
    func answers(_ unanswered: Int, repeated: Int = 0, median: Int = 80) -> Diagnosis {
      .answers(
        asked: 20, repeated: repeated, unanswered: unanswered, median: .milliseconds(median),
        longest: .microseconds(95_600))
    }
    #expect(
      answers(0) == Diagnosis("answers", .good, "20 of 20 pings answered; median 80 ms, longest 96 ms"))
    #expect(answers(1).verdict == .doubtful)
    #expect(answers(1).statement == "19 of 20 pings answered; median 80 ms, longest 96 ms")
    #expect(
      answers(0, repeated: 3).statement
        == "20 of 20 pings answered, 3 sent again; median 80 ms, longest 96 ms")
    #expect(answers(0, repeated: 3).verdict == .doubtful)
    #expect(answers(0, median: 300).verdict == .good)
    #expect(answers(0, median: 301).verdict == .doubtful)
    #expect(answers(20).verdict == .bad && answers(20).statement == "0 of 20 pings answered")
  }

  @Test func stoppingByWhatTheFirmwareKnows() {
    func stopping(_ knows: Bool, _ options: Settings.PermanentOptions?) -> Diagnosis {
      .stopping(knowsTemporaryOptions: knows, permanent: options, isOld: true)
    }
    #expect(
      stopping(true, [.vectorDrive, .motionTimeouts])
        == Diagnosis("stopping", .good, "stops when the link drops, and when no commands arrive"))
    #expect(stopping(true, .vectorDrive).verdict == .good)
    #expect(stopping(true, nil).verdict == .good)
    #expect(stopping(false, .motionTimeouts).verdict == .doubtful)
    #expect(stopping(false, nil).statement == "nothing stops the ball when the link drops")
  }

  @Test func remarksThatConcernTheRobot() {
    #expect(Diagnosis.remark(.strayStream)?.subject == "stream")
    #expect(Diagnosis.remark(.bootloader)?.verdict == .bad)
    #expect(Diagnosis.remark(.connected) == nil)
    #expect(Diagnosis.mode(.normal).verdict == .good)
    #expect(Diagnosis.mode(.userHack).advice?.contains("SetDeviceMode mode=normal") == true)
  }

  /// Collects the reported diagnoses.
  private actor Report {
    var diagnoses: [Diagnosis] = []
    func add(_ diagnosis: Diagnosis) { diagnoses.append(diagnosis) }
  }

  @Test func theExaminationIsCompleteAndChangesNothing() async throws {
    let game = Game()
    let report = Report()
    try await game.play { robot in try await robot.diagnose(pings: 3) { await report.add($0) } }
    let diagnoses = await report.diagnoses
    #expect(
      diagnoses.map(\.subject) == ["firmware", "battery", "mode", "stopping", "answers", "bytes"])
    #expect(diagnoses.allSatisfy { $0.verdict == .good })
    #expect(diagnoses.first?.statement == "Sphero 2.0 (S3), firmware 3.73")
    // Version, power, device mode, temporary and permanent options, three pings, and the state of macros.
    let sent = await game.tap.commands.map { [$0.id.device, $0.id.command] }
    #expect(
      sent == [
        [0, 0x02], [0, 0x20], [2, 0x44], [2, 0x38], [2, 0x36], [0, 0x01], [0, 0x01], [0, 0x01],
        [2, 0x56], [2, 0x15],
      ])
  }

  @Test func aRefusedVersionSkipsTheFirmwareAlone() async throws {
    let game = Game()
    let report = Report()
    try await game.play(faults: [Fault(.refuse(.unknownCommand), to: Core.GetVersioning.id)]) { robot in
      try await robot.diagnose(pings: 3) { await report.add($0) }
    }
    let subjects = await report.diagnoses.map(\.subject)
    #expect(subjects == ["battery", "mode", "stopping", "answers", "bytes"])
  }

  @Test(arguments: ["macro", "basic"]) func aProgramInTheRobotIsReported(_ kind: String) async throws {
    let game = Game()
    let report = Report()
    try await game.play { robot in
      let requests =
        kind == "macro"
        ? try Macro(text: "loopStart 200\nwait 1000\nloopEnd").requests(as: .temporary)
        : try OrbBasicProgram("10 print 1\n20 goto 10").requests()
      for request in requests { _ = try await robot.send(request) }
      try await robot.diagnose { await report.add($0) }
    }
    let program = try #require(await report.diagnoses.first { $0.subject == "program" })
    #expect(program.verdict == .doubtful)
    let name = kind == "macro" ? "macro 255" : "a program in BASIC"
    #expect(program.statement == "\(name) runs inside the robot")
  }

  @Test func aBallThatAProgramMovesIsReported() async throws {
    let game = Game()
    let report = Report()
    try await game.play { robot in
      for request in try OrbBasicProgram("10 goroll 0, 100, 1\n20 delay 9000").requests() {
        _ = try await robot.send(request)
      }
      try await robot.time.sleep(for: .seconds(1))
      try await robot.diagnose { await report.add($0) }
    }
    let motion = try #require(await report.diagnoses.first { $0.subject == "motion" })
    #expect(motion.verdict == .doubtful && motion.statement.hasPrefix("the ball moves at "))
    #expect(Diagnosis.motion(speed: 4) == nil && Diagnosis.motion(speed: 5) != nil)
  }

  /// A ball rolls out after the end of a roll, which no program causes.
  @Test func aBallThatRollsOutIsNotReported() async throws {
    let game = Game()
    let report = Report()
    try await game.play { robot in
      try await robot.roll(0, speed: 0.2, for: .seconds(1))
      #expect(await game.robot.speed > 0.1)
      try await robot.diagnose(pings: 3) { await report.add($0) }
    }
    #expect(await !report.diagnoses.contains { $0.subject == "motion" })
  }

  @Test func aLineThatLosesAnswersIsDoubtful() async throws {
    let game = Game()
    let report = Report()
    try await game.play(faults: [Fault(.drop, chance: 0.3)], seed: 4) { robot in
      try await robot.diagnose(pings: 20) { await report.add($0) }
    }
    let answers = await report.diagnoses.first { $0.subject == "answers" }
    #expect(answers?.verdict == .doubtful, "seed 4")
  }
}
