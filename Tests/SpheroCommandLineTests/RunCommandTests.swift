// sphero run: lines over one connection with a robot of literal bytes, from the view of a program.

import Foundation
import SpheroCapture
import SpheroProcess
import TestSupport
import Testing

@testable import sphero

/// A run with lines from a test.
private final class Talk: @unchecked Sendable {
  let run: Run
  private let input: Int32

  init(_ words: [String], port: String) throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    // Programs that other tests start must not hold it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input = ends[1]
    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    run = try Run(["run"] + words + ["--port", port], input: reading)
  }

  deinit { if run.process.isRunning { run.signal(SIGKILL) } }

  func send(_ text: String) { send(Array(text.utf8)) }
  func send(_ bytes: [UInt8]) { _ = unsafe write(input, bytes, bytes.count) }

  /// The next object.
  func object() async throws -> [String: Any] {
    let line = try await run.line()
    return try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  /// Number and code of the next answer; skips other objects.
  func answer() async throws -> [Int] {
    while true {
      let object = try await object()
      guard object["kind"] as? String == "answer" else { continue }
      return [try #require(object["line"] as? Int), try #require(object["code"] as? Int)]
    }
  }

  func endInput() { close(input) }

  /// Closes the output, which must end the run with success long before its lines end.
  func closeOutput() async throws {
    try run.stopReading()
    let start = ContinuousClock.now
    let outcome = try await run.end()
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(outcome.code == 0, "\(outcome.error)")
  }

  /// Ends the input, and waits for the end of the run.
  func end() async throws -> Outcome {
    endInput()
    return try await run.end()
  }
}

@Suite(.timeLimit(.minutes(5))) struct RunCommandTests {
  /// 02:30 with speed 0 in state 0: the stop on a heading.
  private static func stop(_ heading: UInt8) -> [UInt8] { [0x00, 0x00, heading, 0x00] }

  @Test func eachLineIsAnsweredAsSoonAsItIsDone() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("led red\n")
    #expect(
      try await talk.run.line()
        == #"{"kind":"answer","line":1,"words":"led red","code":0,"error":null,"advice":null,"remarks":[]}"#)
    talk.send("\n  # a comment\nled '#010203' --tail 9 # so\r\n")
    #expect(
      try await talk.run.line()
        == #"{"kind":"answer","line":4,"words":"led '#010203' --tail 9 # so","code":0,"error":null,"#
        + #""advice":null,"remarks":[]}"#)
    talk.send("raw 00 01")
    let outcome = try await talk.end()
    #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
    #expect(outcome.lines.first?.hasPrefix(#"{"kind":"response","line":5,"name":"Core.Ping""#) == true)
    #expect(outcome.lines.last?.hasPrefix(#"{"kind":"answer","line":5,"words":"raw 00 01","code":0"#) == true)
    robot.close()
    #expect(robot.payloads(0x02, 0x20) == [[255, 0, 0, 0], [1, 2, 3, 0]])
    #expect(robot.payloads(0x02, 0x21) == [[9]])
  }

  @Test func aWrongLineIsAnsweredAndTheRunContinues() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    let lines: [(bytes: [UInt8], code: Int, message: String)] = [
      (Array("ledd red".utf8), 64, "unknown command 'ledd'; did you mean 'led'?"),
      (Array("rotate 90".utf8), 64, "unknown command 'rotate'; did you mean 'turn'?"),
      (Array("rawmotors 1".utf8), 64, "unknown command 'rawmotors'; did you mean 'raw Motion.SetRawMotors'?"),
      (Array("led octarine".utf8), 64, "is not a colour name"),
      (Array("roll".utf8), 64, "<heading> is missing"),
      (Array("monitor".utf8), 64, "'monitor' cannot be a line of a run"),
      (Array("led red --port sim:".utf8), 64, "'--port': it is for the whole run"),
      (Array("ping --format csv".utf8), 64, "'--format': a run answers in JSON"),
      (Array("ping -fjson".utf8), 64, "'-f': a run answers in JSON"),
      (Array("led red -f json".utf8), 64, "unknown option '-f'"),
      (Array("stop --help".utf8), 64, "unknown option '--help'"),
      (Array("raw 00 30".utf8), 64, "this can do harm"),
      (Array("raw 00 30 --accept-hazard".utf8), 64, "'--accept-hazard': it is for the whole run"),
      (Array("roll 90 --keep".utf8), 64, "a run stops the ball at its end"),
      (Array("survey --conventions".utf8), 64, "needs a person"),
      (Array("program -".utf8), 64, "stdin is the run's own"), (Array("wait".utf8), 64, "<time> is missing"),
      (Array("stream off x".utf8), 64, "unexpected argument 'x'"),
      (Array("led 'red".utf8), 64, "nothing ends the ' at column 5"),
      (Array("led \u{1B}[31m".utf8), 64, "is not a colour name"),
      ([0x6C, 0x00], 65, "byte 2 is NUL"), ([0x6C, 0x65, 0xFF], 65, "column 3 is not UTF-8"),
      // A valid U+FFFD, which also marks an error in a repaired text; a letter and an accent after an invalid byte.
      ([0xEF, 0xBF, 0xBD, 0x61, 0xFF], 65, "column 3 is not UTF-8"),
      ([0x61, 0xFF, 0xCC, 0x81], 65, "column 2 is not UTF-8"),
      ([UInt8](repeating: 0x78, count: 1_000_000), 65, "more than 4096 bytes"),
    ]
    for (index, line) in lines.enumerated() {
      try await blocking { talk.send(line.bytes + [0x0A]) }
      let text = try await talk.run.line()
      #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(text)")
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(answer["line"] as? Int == index + 1 && answer["code"] as? Int == line.code, "\(text)")
      #expect((answer["error"] as? String)?.contains(line.message) == true, "\(text)")
      #expect((answer["error"] as? String)?.contains("did you mean '--help'") == false, "\(text)")
      #expect(answer["advice"] is String)
    }
    talk.send("led red\n")
    #expect(try await talk.answer() == [lines.count + 1, 0])
    let outcome = try await talk.end()
    #expect(outcome.code == 64)
    #expect(
      outcome.error.hasPrefix(
        "sphero: \(lines.count) lines failed; the first was line 1, 'ledd red': unknown"))
    robot.close()
    // Besides the handshake; a command with a late answer is repeated.
    #expect(Set(robot.commands.map(\.id)) == [[0x00, 0x01], [0x02, 0x20]])
    #expect(robot.payloads(0x02, 0x20) == [[255, 0, 0, 0]])
  }

  @Test func theCallMayAllowHazards() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-", "--accept-hazard"], port: robot.path)
    talk.send("raw 00 30\n")
    #expect(try await talk.answer() == [1, 0])
    #expect(try await talk.end().code == 0)
    robot.close()
    #expect(robot.payloads(0x00, 0x30).count == 1)
  }

  // MARK: The ball

  @Test func aRollIsAnsweredAtOnceAndEndsAfterASecond() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("ping\n")
    #expect(try await talk.answer() == [1, 0])
    // A busy computer may delay the arrival of the roll, but not the time before it was requested.
    let start = ContinuousClock.now
    talk.send("roll 90\nled red\n")
    #expect(try await talk.answer() == [2, 0])
    #expect(try await talk.answer() == [3, 0])
    try await robot.waitForCommand(0x02, 0x30, Self.stop(90))
    let motions = robot.commands(0x02, 0x30)
    let (first, last) = (try #require(motions.first), try #require(motions.last))
    #expect(first.payload == [80, 0x00, 90, 0x01] && last.time - start >= .milliseconds(900))
    #expect(try #require(robot.commands(0x02, 0x20).first).time < last.time)
    #expect(try await talk.end().code == 0)
    robot.close()
  }

  /// A setting is not a motion: the roll before it ends after its second, while the input stays open.
  @Test func theRotationRateDoesNotContinueARoll() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90\nturn --rate 100\n")
    for number in 1...2 { #expect(try await talk.answer() == [number, 0]) }
    try await robot.waitForCommand(0x02, 0x30, Self.stop(90))
    #expect(robot.payloads(0x02, 0x03) == [[128]])
    #expect(try await talk.end().code == 0)
    robot.close()
  }

  @Test func theNewerOfTwoRollsCounts() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90\nroll 180 --speed 40\n")
    #expect(try await talk.answer() == [1, 0])
    #expect(try await talk.answer() == [2, 0])
    // An answered roll may not be sent yet, and the end of the input stops the ball at once.
    try await robot.waitForCommand(0x02, 0x30, [40, 0x00, 180, 0x01])
    #expect(try await talk.end().code == 0)
    robot.close()
    let motions = robot.commands(0x02, 0x30).map(\.payload)
    #expect(motions.last == Self.stop(180))
    #expect(motions.filter { $0.last == 1 }.last == [40, 0x00, 180, 0x01], "\(motions)")
  }

  /// A raw command is not a set-point of the session, whose roll ends first.
  @Test func rawMotionEndsAnEarlierRoll() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90\n")
    try await robot.waitForCommand(0x02, 0x30, [80, 0, 90, 1])
    talk.send("led red\nraw Motion.Roll speed=40 heading=45 state=drive\n")
    for number in 1...3 { #expect(try await talk.answer() == [number, 0]) }
    #expect(try await talk.end().code == 0)
    robot.close()
    let motions = robot.payloads(0x02, 0x30)
    #expect(motions == [[80, 0, 90, 1], Self.stop(90), [40, 0, 45, 1], Self.stop(45)], "\(motions)")
  }

  /// The first of these lines fails before it sends anything, and the second does not move the ball.
  @Test(arguments: ["go --path /none", "aim --heading 0"])
  func anotherMotionEndsAnEarlierRoll(_ line: String) async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90\n")
    try await robot.waitForCommand(0x02, 0x30, [80, 0, 90, 1])
    talk.send(line + "\n")
    for number in 1...2 { #expect(try await talk.answer().first == number) }
    // The input stays open.
    try await robot.waitForCommand(0x02, 0x30, Self.stop(90))
    _ = try await talk.end()
    robot.close()
  }

  /// A second after a raw motion, the heading is measured for the stop; a roll that begins meanwhile is not stopped.
  @Test func theWatchdogDoesNotStopANewerRoll() async throws {
    var behaviour = BareRobot.Behaviour()
    // Without a stream, the measurement takes 0.3 s.
    behaviour.status = { command, _ in command.id == [0x02, 0x11] ? nil : 0x00 }
    let robot = try BareRobot(behaviour)
    let talk = try Talk(["-"], port: robot.path)
    talk.send("raw 02 33 01 50 01 50\n")
    #expect(try await talk.answer() == [1, 0])
    try await robot.waitForCommand(0x02, 0x11)
    let start = ContinuousClock.now
    talk.send("roll 90 --for 1s\n")
    #expect(try await talk.answer() == [2, 0])
    let motions = robot.commands(0x02, 0x30)
    let roll = try #require(motions.firstIndex { $0.payload == [80, 0, 90, 1] })
    let end = try #require(motions[roll...].first { $0.payload == Self.stop(90) })
    #expect(end.time - start > .milliseconds(900))
    #expect(try await talk.end().code == 0)
    robot.close()
  }

  @Test func aStopOvertakesMotion() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90 --for 4m\nroll 180 --for 4m\nled red\n")
    try await robot.waitForCommand(0x02, 0x30)
    talk.send("stop\n")
    try await robot.waitForCommand(0x02, 0x30, Self.stop(90))
    var codes: [Int: Int] = [:]
    for _ in 0..<4 {
      let answer = try await talk.answer()
      codes[answer[0]] = answer[1]
    }
    #expect(codes == [1: 75, 2: 75, 3: 0, 4: 0])
    let motions = robot.commands(0x02, 0x30).map(\.payload)
    #expect(motions.last == Self.stop(90) && !motions.contains { $0[2] == 180 }, "\(motions)")
    // A line that a stop ended is not a failure of the run, but a remark counts those that never began.
    let outcome = try await talk.end()
    #expect(outcome.code == 0)
    #expect(
      outcome.error.contains("1 line was discarded: 'stop' in line 4 of stdin precedes"), "\(outcome.error)")
    robot.close()
  }

  /// The lines that a stop discards are answered, also if the robot refuses the stop.
  @Test func aRefusedStopAnswersTheDiscardedLines() async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { command, _ in
      command.id == [0x02, 0x30] && command.payload.last == 0 ? 0x08 : 0x00
    }
    let robot = try BareRobot(behaviour)
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90 --for 4m\nroll 180 --for 4m\n")
    try await robot.waitForCommand(0x02, 0x30)
    talk.send("stop\n")
    var codes: [Int: Int] = [:]
    for _ in 0..<3 {
      let answer = try await talk.answer()
      codes[answer[0]] = answer[1]
    }
    #expect(codes == [1: 75, 2: 75, 3: 76])
    #expect(try await talk.end().code == 76)
    robot.close()
  }

  @Test func controlCStops() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("roll 90 --for 4m\n")
    try await robot.waitForCommand(0x02, 0x30)
    talk.run.signal(SIGINT)
    #expect(try await talk.end().code == 130)
    robot.close()
    #expect(robot.commands(0x02, 0x30).last?.payload == Self.stop(90))
  }

  /// The reader of the lines must not keep the thread of the roll busy.
  @Test func inputThatNeverPausesDelaysNoStop() async throws {
    let robot = try BareRobot()
    let run = try Run(
      ["run", "-", "--port", robot.path], input: output(ofEndless: "echo 'roll 90'; exec yes ''"))
    defer { if run.process.isRunning { run.signal(SIGKILL) } }
    try await robot.waitForCommand(0x02, 0x30, Self.stop(90))
    #expect(try await run.line().hasPrefix(#"{"kind":"answer","line":1,"words":"roll 90","code":0,"#))
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
    robot.close()
  }

  @Test func unacknowledgedMotionIsStoppedToo() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    // 02:33 drives the motors without the control system.
    talk.send("raw 02 33 01 50 01 50 --no-reply\n")
    #expect(try await talk.answer() == [1, 0])
    try await robot.waitForCommand(0x02, 0x33)
    #expect(try await talk.end().code == 0)
    robot.close()
    let ids = robot.commands.map(\.id)
    let motors = try #require(ids.firstIndex(of: [0x02, 0x33]))
    let rest = robot.commands[motors...]
    #expect(rest.contains { $0.id == [0x02, 0x02] && $0.payload == [1] }, "the control system is back")
    #expect(rest.contains { $0.id == [0x02, 0x30] && $0.payload.first == 0 && $0.payload.last == 0 })
  }

  @Test func aStopEndsRawMotors() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("raw 02 33 01 50 01 50 --no-reply\n")
    #expect(try await talk.answer() == [1, 0])
    talk.send("stop\n")
    #expect(try await talk.answer() == [2, 0])
    robot.close()
    let commands = robot.commands.filter { [[0x02, 0x33], [0x02, 0x02], [0x02, 0x30]].contains($0.id) }
    #expect(commands.prefix(3).map { $0.id } == [[0x02, 0x33], [0x02, 0x02], [0x02, 0x30]])
    #expect(commands.dropFirst().first?.payload == [1])
  }

  @Test(arguments: [false, true]) func aClosedOutputStopsTheBall(streams: Bool) async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    if streams {
      talk.send("stream --mask yaw\n")
      #expect(try await talk.object()["kind"] as? String == "sample")
    }
    talk.send("roll 90 --for 4m\n")
    try await robot.waitForCommand(0x02, 0x30)
    // The input stays open: neither its end nor that of the roll ends the run.
    try await talk.closeOutput()
    robot.close()
    #expect(robot.commands(0x02, 0x30).last?.payload == Self.stop(90))
  }

  @Test func aClosedOutputEndsTheRunAfterTheInput() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("collisions --for 4m\nstream --mask yaw --for 4m\n")
    #expect(try await talk.object()["kind"] as? String == "sample")
    talk.endInput()
    try await talk.closeOutput()
    robot.close()
  }

  // MARK: In the background

  @Test func aStreamContinuesBetweenAnswers() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("stream --mask yaw\n")
    #expect(try await talk.run.line() == #"{"kind":"sample","line":1,"time":0.000,"yaw":0}"#)
    talk.send("led red\n")
    #expect(try await talk.answer() == [2, 0])
    #expect(try await talk.object()["kind"] as? String == "sample")
    talk.send("stream --mask pitch\n")
    // The earlier stream ends.
    #expect(try await talk.answer() == [1, 0])
    #expect(try await talk.run.line() == #"{"kind":"sample","line":3,"time":0.000,"pitch":0}"#)
    talk.send("stream off\n")
    #expect(try await talk.answer() == [3, 0])
    #expect(try await talk.answer() == [4, 0])
    talk.send("stream --count 2\n")
    let outcome = try await talk.end()
    let kinds = outcome.lines.map { $0.prefix(27) }
    #expect(
      kinds.map(String.init) == [
        #"{"kind":"sample","line":5,""#, #"{"kind":"sample","line":5,""#, #"{"kind":"answer","line":5,""#,
      ])
    #expect(outcome.code == 0)
    robot.close()
    // Streaming is off in the end: no mask, or no count.
    let last = try #require(robot.commands(0x02, 0x11).last?.payload)
    #expect(last[4...7].allSatisfy { $0 == 0 })
  }

  /// The answer to the stream waits for the reader, although its verb is cancelled.
  @Test func theEndOfAStreamWaitsForASlowReader() async throws {
    let robot = try BareRobot()
    let talk = try Talk(["-"], port: robot.path)
    talk.send("stream --mask all --hz 400\n")
    try await untilFull(talk.run.outputDescriptor)
    talk.send("stream off\nled red\n")
    let isOff = await eventually { robot.commands(0x02, 0x11).last?.payload[4...7] == [0, 0, 0, 0] }
    #expect(isOff, "\(robot.commands.suffix(3).map(\.bytes))")
    // The time for an attempt to print the answer.
    try await Task.sleep(for: .seconds(1))
    #expect(talk.run.process.isRunning)
    for line in 1...3 { #expect(try await talk.answer() == [line, 0]) }
    #expect(try await talk.end().code == 0)
    robot.close()
    #expect(robot.payloads(0x02, 0x20) == [[255, 0, 0, 0]])
  }

  @Test func aRunContinuesAfterAReconnection() async throws {
    let link = freshPath()
    let first = try BareRobot(link: link)
    let talk = try Talk(["-"], port: link)
    talk.send("roll 90 --for 4m\nwait 10ms\nled red\n")
    try await first.waitForCommand(0x02, 0x30)
    first.close()
    #expect(try await talk.answer() == [1, 74])
    #expect(try await talk.answer() == [2, 0])
    let second = try BareRobot(link: link)
    #expect(try await talk.answer() == [3, 0])
    #expect(try await talk.end().code == 74)
    second.close()
    #expect(second.payloads(0x02, 0x20) == [[255, 0, 0, 0]])
    // The roll is stopped, and not restarted.
    #expect(second.commands(0x02, 0x30).allSatisfy { $0.payload == Self.stop(90) })
  }

  // MARK: Files

  private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
    let path = freshPath()
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  @Test func aFileIsReadBeforeAnythingIsOpened() async throws {
    try await withFile("led red\n# so\nroll north\nled nowhere\n") { path in
      let outcome = try await sphero("run", path, "--port", "/dev/no-such-robot")
      #expect(outcome.code == 65 && outcome.output.isEmpty)
      #expect(
        outcome.error == """
          sphero: \(path): line 3, 'roll north': 'north' is not a value for <heading>; it can be whole degrees; \
          360 is 0, and -90 is 270
          See 'sphero roll --help'.

          """)
    }
    #expect(try await sphero("run", "/no/such.run", "--port", "sim:").code == 66)
    #expect(try await sphero("run", "/dev/zero", "--port", "sim:").code == 65)
  }

  @Test func theLinesOfAFileKeepTheirOrder() async throws {
    let robot = try BareRobot()
    try await withFile("roll 90 --for 100ms\nstop\nwait 10ms\nled red\nping --count 1") { path in
      let outcome = try await sphero("run", path, "--port", robot.path)
      #expect(outcome.code == 0, "\(outcome.error)")
      let answers = outcome.lines.filter { $0.hasPrefix(#"{"kind":"answer""#) }
      #expect(answers.count == 5 && answers.allSatisfy { $0.contains(#","code":0,"#) }, "\(answers)")
      #expect(outcome.lines.contains { $0.hasPrefix(#"{"kind":"ping","line":5,"ping":1,"#) })
    }
    robot.close()
    #expect(robot.commands(0x02, 0x30).first?.payload == [80, 0x00, 90, 0x01])
  }

  @Test func strictEndsAtTheFirstFailure() async throws {
    var behaviour = BareRobot.Behaviour()
    // 08h, as of a robot that cannot do it now.
    behaviour.status = { command, _ in command.id == [0x02, 0x21] ? 0x08 : 0x00 }
    let robot = try BareRobot(behaviour)
    try await withFile("led red\nled --tail 9\nled blue\n") { path in
      let outcome = try await sphero("run", path, "--strict", "--port", robot.path)
      #expect(outcome.code == 76 && outcome.lines.count == 2, "\(outcome.output)")
      #expect(outcome.error.hasPrefix("sphero: line 2, 'led --tail 9': the robot refused Lights.SetBackLED"))
      let patient = try await sphero("run", path, "--port", robot.path)
      #expect(patient.code == 76 && patient.lines.count == 3)
    }
    robot.close()
    // Once by the strict run, and twice by the other one.
    let colours = robot.commands.filter { $0.id == [0x02, 0x20] || $0.id == [0x02, 0x21] }.map(\.payload)
      .reduce(into: [[UInt8]]()) { all, one in if all.last != one { all.append(one) } }
    #expect(colours == [[255, 0, 0, 0], [9], [255, 0, 0, 0], [9], [0, 0, 255, 0]])
  }

  @Test func strictEndsWhenALineInTheBackgroundFails() async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { command, _ in command.id == [0x02, 0x11] ? 0x04 : 0x00 }
    let robot = try BareRobot(behaviour)
    try await withFile("collisions --for 4m\nstream --mask yaw --for 4m\n") { path in
      let start = ContinuousClock.now
      let outcome = try await sphero("run", path, "--strict", "--port", robot.path)
      #expect(ContinuousClock.now - start < .seconds(60))
      #expect(outcome.code == 76, "\(outcome.error)")
    }
    robot.close()
  }

  /// A line can begin with an id, which each of its objects repeats after the number of the line.
  @Test func idsAreRepeated() async throws {
    let talk = try Talk(["-"], port: "sim:")
    talk.send("@7 ping --count 1\n")
    #expect(try await talk.run.line().hasPrefix(#"{"kind":"ping","line":1,"id":"7","ping":1,"#))
    let pinged = #"{"kind":"answer","line":1,"id":"7","words":"@7 ping --count 1","code":0,"#
    #expect(try await talk.run.line().hasPrefix(pinged))
    talk.send(
      "  @a\"b roll 0 --speed 'x\n@c\n@ led red\n@\(String(repeating: "d", count: 65)) led red\n@é led red\n")
    let unclosed = try await talk.object()
    #expect(unclosed["id"] as? String == "a\"b" && unclosed["code"] as? Int == 64)
    // The column counts from the beginning of the line.
    #expect(unclosed["error"] as? String == "nothing ends the ' at column 23")
    let empty = try await talk.object()
    #expect(empty["id"] as? String == "c" && empty["error"] as? String == "no command follows '@c'")
    for _ in 0..<3 {
      let invalid = try await talk.object()
      #expect(invalid["id"] == nil && invalid["code"] as? Int == 64)
      #expect((invalid["error"] as? String)?.hasPrefix("'@' needs an id") == true)
    }
    talk.send("@8 stop\nled red\n")
    #expect(try await talk.object()["id"] as? String == "8")
    #expect(try await talk.object()["id"] == nil)
    #expect(try await talk.end().code == 64)
  }

  // MARK: Values

  private var context: LineContext { LineContext(connection: Connection(), acceptsHazard: false) }

  private func line(_ text: String, _ number: Int = 1) throws -> RunLine {
    try #require(RunLine(.text(Array(text.utf8)[...]), number: number, context))
  }

  /// The numbers of the lines until the end of the input.
  private func numbers(of queue: LineQueue) async throws -> [Int] {
    queue.finish()
    var numbers: [Int] = []
    while let line = try await queue.next() { numbers.append(line.number) }
    return numbers
  }

  @Test(arguments: [
    ("sleep 2", "'wait 2s' waits; 'sleep' puts the robot to sleep."),
    ("wait 500 ms", "Write it like 'wait 500ms' or 'wait 1.5'."), ("wait 1,5", "Write it like 'wait 500ms'"),
    ("led off; roll 90", "Write each command on a line of its own."),
    ("led red && roll 90", "Write each command on a line of its own."),
  ]) func wrongLinesHaveAdvice(_ text: String, _ advice: String) throws {
    guard case .failure(let failure) = try line(text).action else {
      Issue.record("\(text) is accepted")
      return
    }
    #expect(failure.advice?.hasPrefix(advice) == true, "\(failure.advice ?? "none")")
  }

  @Test func aStopRemovesPendingMotion() async throws {
    let queue = LineQueue()
    let texts = [
      "led red", "roll 90", "turn 3", "wait 1s", "raw Motion.Roll speed=3 heading=0 state=drive", "raw 00 01",
      "ping",
      "program x", "program x", "go 1 2", "led nowhere", "aim --heading 3", "stop", "program x --check",
    ]
    for (index, text) in texts.enumerated() { try await queue.append(try line(text, index + 1)) }
    #expect(queue.stop().map(\.number) == [2, 3, 5, 8, 9, 10, 12])
    #expect(try await numbers(of: queue) == [1, 4, 6, 7, 11, 13, 14])
  }

  /// A stop also ends a motion that was removed from the queue and has not begun, as during a reconnection.
  @Test func aStopEndsTheCurrentMotionBeforeItBegins() async throws {
    let queue = LineQueue()
    for (index, text) in ["roll 90", "ping", "roll 80"].enumerated() {
      try await queue.append(try line(text, index + 1))
    }
    let start: @Sendable () -> Task<Void, any Error> = { Task {} }
    #expect(try await queue.next()?.number == 1)
    #expect(queue.stop().map(\.number) == [3])
    #expect(queue.begin(start) == nil)
    #expect(queue.end())
    #expect(try await queue.next()?.number == 2)
    #expect(queue.stop().isEmpty)
    #expect(queue.begin(start) != nil, "a ping moves nothing")
    #expect(!queue.end())
  }

  @Test func aFullQueueDelaysTheReader() async throws {
    let queue = LineQueue()
    for number in 1...64 {
      #expect(!queue.isFull)
      try await queue.append(try line("ping", number))
    }
    #expect(queue.isFull)
    let last = try line("ping", 65)
    let late = Task { try await queue.append(last) }
    // The first line makes room for the last.
    #expect(try await queue.next()?.number == 1)
    try await late.value
    #expect(try await numbers(of: queue) == Array(2...65))
  }
}
