// sphero survey as a process: a robot in software, a hand by script, no keyboard.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@testable import sphero

@Suite(.serialized, .timeLimit(.minutes(5))) struct SurveyCommandTests {
  private static func file(_ text: String) throws -> String {
    let path = freshPath()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Waits for the start of a step, which the next typed line answers.
  private static func until(_ capture: String, begins step: String) async throws {
    let hasBegun = await eventually {
      (try? String(contentsOfFile: capture, encoding: .utf8))?.contains(" step name=\"\(step)\"\n") ?? false
    }
    try #require(hasBegun, "step \(step) never began")
  }

  @Test func theClockOfTheRobotMeasuresItsRate() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let survey = try await sphero(
      "survey", "--port", "sim:pace=5", "--steps", "rate", "--capture", capture)
    let rate = try #require(survey.output.firstMatch(of: /([0-9.]+) Hz at divisor 80/), "\(survey.error)")
    // A busy computer delays packets; by the clock of the system, the rate is 2000 Hz.
    #expect((380...420).contains(Double(rate.1) ?? 0), "\(survey.output)")
  }

  @Test func aSurveyIsMadeAndJudgedAgainFromItsCapture() async throws {
    // Level lasts for less than 4 s.
    let (script, capture) = (try Self.file("6s hold yaw 90"), freshPath())
    defer { for path in [script, capture] { try? FileManager.default.removeItem(atPath: path) } }
    let survey = try await sphero(
      "survey", "--port", "sim:reading=b,script=\(script)", "--steps", "records,level,turned", "--wait",
      "30s",
      "--capture", capture)
    #expect(survey.code == 0, "\(survey.error)")
    #expect(survey.lines.contains("decided    version-record      8 bytes"))
    #expect(survey.lines.contains("decided    yaw-sign            counter-clockwise"))
    #expect(survey.lines.contains("decided    quaternion-turn     positive (assumed: negative)"))
    #expect(survey.lines.contains("not tried  sample-rate         step rate was left out"))
    #expect(survey.error.contains("turned: Turn it by a quarter to the left"))
    #expect(survey.error.contains(capture))

    let again = try await sphero("survey", "--from", capture)
    #expect(again.code == 0)
    #expect(again.output == survey.output)

    let json = try await sphero("survey", "--from", capture, "--format", "json")
    let objects = try json.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let turn = try #require(objects.first { $0["question"] as? String == "quaternion-turn" })
    #expect(turn["verdict"] as? String == "decided" && turn["finding"] as? String == "positive")
    #expect(turn["assumed"] as? String == "negative" && turn["as_assumed"] as? Bool == false)
    let rate = try #require(objects.first { $0["question"] as? String == "sample-rate" })
    #expect(rate["verdict"] as? String == "not tried" && rate["why"] as? String == "step rate was left out")
    #expect(rate["finding"] is NSNull && rate["as_assumed"] is NSNull)

    // The capture contains the steps, for people and other programs.
    let text = try String(contentsOfFile: capture, encoding: .utf8)
    #expect(
      text.contains(" step name=\"level\"\n") && text.contains(" step name=\"level\" outcome=\"done\"\n"))
  }

  @Test func aPersonAtATerminalAnswers() async throws {
    var (controller, device): (Int32, Int32) = (-1, -1)
    try #require(unsafe openpty(&controller, &device, nil, nil, nil) == 0)
    let (keys, capture) = (FileHandle(fileDescriptor: controller, closeOnDealloc: true), freshPath())
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = try Run(
      ["survey", "--port", "sim:", "--steps", "rate,level,turned,roll", "--capture", capture],
      input: FileHandle(fileDescriptor: device, closeOnDealloc: true))
    // Skips the rate, the turn and the roll; level is confirmed as the ball lies.
    for (step, keystrokes) in [("rate", "s\n"), ("level", "\n"), ("turned", "s\n"), ("roll", "skip\n")] {
      try await Self.until(capture, begins: step)
      if step == "level" { try await Task.sleep(for: .seconds(4)) }
      try keys.write(contentsOf: Data(keystrokes.utf8))
    }
    let outcome = try await run.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.lines.contains("not tried  sample-rate         step rate was skipped"))
    #expect(outcome.lines.contains("decided    accel-one-unit      10 mg"))
    #expect(outcome.lines.contains("not tried  yaw-sign            step turned was skipped"))
    #expect(outcome.lines.contains("not tried  locator-ahead       step roll was skipped"))
    #expect(outcome.error.contains("Enter when done, s to skip."))
  }

  @Test func controlCPrintsWhatWasFound() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = try Run(["survey", "--port", "sim:", "--steps", "records,rate", "--capture", capture])
    try await Self.until(capture, begins: "rate")
    run.signal(SIGINT)
    let outcome = try await run.end()
    #expect(outcome.code == 130)
    #expect(outcome.lines.contains("decided    version-record      8 bytes"))
    #expect(outcome.lines.contains("not tried  sample-rate         step rate was interrupted"))
    let again = try await sphero("survey", "--from", capture)
    #expect(again.code == 0 && again.output == outcome.output)
  }

  /// Packets of a step may be missing, so that its answer is unknown.
  @Test func missingLinesInterruptTheirStep() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let text = """
      #: capture
      #: 0.1 step name="count"
      #: 0.2 incomplete lines=3
      #: 0.3 step name="count" outcome="done"

      """
    try text.write(toFile: capture, atomically: true, encoding: .utf8)
    let outcome = try await sphero("survey", "--from", capture)
    #expect(outcome.error.contains("the capture is incomplete"))
    #expect(outcome.lines.contains("not tried  count-restart       step count was interrupted"))
  }

  @Test func aSilentRobotAndALostLineAreTheUsualErrors() async throws {
    let silent = try BareRobot(BareRobot.Behaviour(status: { _, _ in nil }))
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let outcome = try await sphero("survey", "--port", silent.path, "--capture", capture)
    #expect(outcome.code == 69 && outcome.output.isEmpty, "\(outcome.error)")
    #expect(FileManager.default.fileExists(atPath: capture))

    // The first capture is not overwritten.
    try FileManager.default.removeItem(atPath: capture)
    let lost = try await sphero(
      "survey", "--port", "sim:close=3s:60s", "--steps", "records,event-gap", "--capture", capture)
    #expect(lost.code == 74, "\(lost.error)")
    #expect(lost.lines.contains("decided    version-record      8 bytes"))
    #expect(lost.error.contains(capture))
  }

  /// A survey rolls the ball, so that Ctrl-Z stops it first; one that asks for a person is no line of a run.
  @Test(
    arguments: [
      ([], true, true), (["--steps", "roll"], true, true), (["--conventions"], false, true),
      (["--offsets", "a.json"], false, false), (["--from", "a.capture"], false, false),
    ] as [([String], Bool, Bool)])
  func aSurveyMayMoveTheBallAndAsksForAPerson(words: [String], mayMove: Bool, needsPerson: Bool) throws {
    let survey = try Synopsis.bind(Survey.self, words)
    #expect(survey.mayMove == mayMove && survey.needsPerson == needsPerson)
  }

  @Test func badWordsOpenNothing() async throws {
    let unknown = try await sphero("survey", "--steps", "records,dance", "--port", "sim:")
    #expect(unknown.code == 64 && unknown.output.isEmpty && unknown.error.contains("dance"))
    let both = try await sphero("survey", "--from", "x", "--port", "sim:")
    #expect(both.code == 64 && both.output.isEmpty)
    let missing = try await sphero("survey", "--from", "/nowhere/x.capture")
    #expect(missing.code == 66 && missing.output.isEmpty)
    let other = try Self.file("0.1 > FF FF 00 01 01 01 FC\n")
    let malformed = try Self.file("0.1 > FF GG\n")
    defer { for path in [other, malformed] { try? FileManager.default.removeItem(atPath: path) } }
    for path in [other, malformed] {
      let outcome = try await sphero("survey", "--from", path)
      #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome.error)")
    }
  }
}
