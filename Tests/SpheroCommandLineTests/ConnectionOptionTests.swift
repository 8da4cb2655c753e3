// Several robots with one command, waiting for a port, sleeping at the end, what a terminal shows, byte order marks.

import Foundation
import SpheroProtocol
import SpheroTransport
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct ConnectionOptionTests {
  private static let stop: [UInt8] = [0, 0, 0, 0]

  @Test func oneCommandControlsSeveralRobots() async throws {
    let robots = [try BareRobot(), try BareRobot()]
    defer { for robot in robots { robot.close() } }
    let ports = robots.flatMap { ["--port", $0.path] }
    for words in [["led", "255", "136", "0"], ["roll", "90", "--for", "200ms"], ["stop"]] {
      let outcome = try await Run(words + ports).end()
      #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome.error)")
    }
    for robot in robots {
      #expect(robot.payloads(0x02, 0x20) == [[255, 136, 0, 0]])
      #expect(robot.payloads(0x02, 0x30) == [[80, 0, 90, 1], [0, 0, 90, 0], Self.stop])
    }
  }

  /// Each failure is reported with its port; 76, a refusal, is higher than 69, a missing port.
  @Test func theHighestCodeOfSeveralFailuresCounts() async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { command, _ in command.id == [0x02, 0x20] ? 0x04 : 0x00 }
    let (refusing, robot) = (try BareRobot(behaviour), try BareRobot())
    defer { for robot in [refusing, robot] { robot.close() } }
    let missing = freshPath()
    let outcome = try await sphero("led", "red", "-p", missing, "-p", refusing.path, "-p", robot.path)
    #expect(outcome.code == 76 && robot.payloads(0x02, 0x20) == [[255, 0, 0, 0]])
    #expect(outcome.error.contains("sphero: \(missing) does not exist. "))
    #expect(outcome.error.contains("sphero: \(refusing.path): the robot refused Lights.SetRGBLED"))
    #expect(
      outcome.error.hasSuffix(
        "sphero: 2 of 3 robots failed: \(missing), \(refusing.path)\nSee the errors above.\n"))
    let twice = try await sphero("led", "red", "-p", "sim:", "-p", "sim:")
    #expect(twice.code == 64 && twice.error.contains("'sim:' is given twice"))
    let pick = try await sphero("led", "--pick", "-p", "sim:", "-p", "sim:name=Zoe")
    #expect(pick.code == 64 && pick.error.contains("'--pick' shows the colour of one robot"))
  }

  @Test func aMissingPortIsWaitedFor() async throws {
    let path = freshPath()
    let run = try Run(["ping", "--count", "1", "--port", path, "--wait", "60s"])
    try await Task.sleep(for: .seconds(1))
    let robot = try BareRobot(link: path)
    defer { robot.close() }
    let outcome = try await run.end()
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.hasPrefix("sphero: \(path) does not exist; waiting for it, "))
    #expect(outcome.error.ranges(of: "waiting for it").count == 1)
    let start = ContinuousClock.now
    let vain = try await sphero("ping", "--port", path + "-", "--wait", "1s")
    #expect(vain.code == 69 && vain.error.contains("\(path)- does not exist\n"), "\(vain.error)")
    #expect(ContinuousClock.now - start >= .seconds(1))
  }

  @Test func theCountdownRoundsUp() {
    let busy = LinkError.busy("/dev/rfcomm0", PortHolder(processID: 7, program: "cat"))
    #expect(
      Connection.openingLine(busy, left: .milliseconds(26_100))
        == "/dev/rfcomm0 is held by cat (pid 7); waiting for it, 27 s left")
    #expect(Connection.openingLine(busy, left: .seconds(-1)).hasSuffix(" 0 s left"))
    #expect(Connection.openingLine(nil, left: .milliseconds(500)) == "connecting, less than 1 s left")
    #expect(Connection.openingLine(nil, left: .seconds(3)) == "connecting, 3 s left")
    #expect(Connection.openingLine(nil, left: nil) == "connecting")
  }

  /// 00 22 puts the robot to sleep, after its stop.
  @Test(arguments: [false, true]) func aRobotSleepsWhenTheCommandEnds(_ isInterrupted: Bool) async throws {
    let robot = try BareRobot()
    defer { robot.close() }
    let run = try Run(
      ["roll", "90", "--for", isInterrupted ? "60s" : "100ms", "--sleep", "--port", robot.path])
    if isInterrupted {
      while robot.commands(0x02, 0x30).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGINT)
    }
    #expect(try await run.end().code == (isInterrupted ? 130 : 0))
    let last = robot.commands.suffix(2)
    #expect(last.first?.payload == [0, 0, 90, 0])
    #expect(last.last?.id == [0x00, 0x22] && last.last?.payload == [0, 0, 0, 0, 0])
  }

  /// Steps of 0.784 degrees per second; 255 is 400.
  @Test(
    arguments: [("120", 153), ("0.784", nil), ("1", 1), ("199.1", 254), ("400", 255), ("300", nil)]
      as [(String, UInt8?)])
  func theRotationRateIsInDegreesPerSecond(_ text: String, _ count: UInt8?) async throws {
    let turn: Turn
    do throws(UsageError) { turn = try Synopsis.bind(Turn.self, ["--rate", text]) } catch {
      return #expect(count == nil, "\(error.message)")
    }
    #expect(turn.rateCommand?.rate == count)
  }

  @Test func helpHasAPageLikeOtherCommands() async throws {
    let page = try await sphero("help", "help")
    #expect(page.output.contains("USAGE\n  sphero help [<page>] [options]") && page.output.contains("--man"))
    #expect(try await sphero("help", "--help").output == page.output)
    #expect(try await sphero("--help", "help").output == page.output)
    #expect(
      try await sphero("help", "-h").output.hasSuffix("'sphero help --help' has details and examples.\n"))
  }

  /// The port may precede the command, as an environment variable would.
  @Test func aPortIsAcceptedBeforeTheCommand() async throws {
    for words in [
      ["--port", "sim:name=Zoe", "info"], ["-p", "sim:name=Zoe", "info"], ["--port=sim:name=Zoe", "info"],
    ] {
      let outcome = try await Run(words).end()
      #expect(outcome.code == 0 && outcome.output.contains("Zoe"), "\(words) \(outcome.error)")
    }
  }

  /// Editors of some systems store EF BB BF in front of a text.
  @Test func aByteOrderMarkIsSkipped() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    func write(_ text: String) throws {
      try Data([0xEF, 0xBB, 0xBF] + Array(text.utf8)).write(to: URL(filePath: path))
    }
    func expectSuccess(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let outcome = try await Run(words).end()
      #expect(outcome.code == 0, "\(words): \(outcome.error)", sourceLocation: sourceLocation)
    }
    try write("led red\n")
    try await expectSuccess("run", path, "--port", "sim:")
    let input = try FileHandle(forReadingFrom: URL(filePath: path))
    let live = try await Run(["run", "-", "--port", "sim:"], input: input).end()
    #expect(live.code == 0 && live.output.contains(#""words":"led red""#), "\(live.output)")
    try write("FF FF 00 52 01 AC\n")
    try await expectSuccess("decode", path, "--strict")
    try write("0 > FF FF 00 01 52 01 AB\n0.1 < FF FF 00 52 01 AC\n")
    try await expectSuccess("ping", "--count", "1", "--port", "replay:" + path)
    try write("macro\nrgb 1 2 3\n")
    try await expectSuccess("program", path, "--check")
    try write("10 print 1\n")
    try await expectSuccess("program", path, "--check")
    try write("room 2 2\n")
    try await expectSuccess("ping", "--count", "1", "--port", "sim:floor=" + path)
    try write("time_s,yaw_deg\n0,1\n0.1,2\n")
    try await expectSuccess("plot", path, "-o", "-")
  }

  /// A robot with firmware before 1.20 streams zeros.
  @Test(arguments: ["stream", "record"]) func aMissingQuaternionIsReported(by verb: String) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = (verb == "record" ? [verb, path] : [verb]) + ["--mask", "quat", "--count", "3", "--port"]
    let old = try await Run(words + ["sim:model=sphero1"]).end()
    #expect(
      old.code == 0
        && old.error.ranges(of: "the robot streams no quaternion (firmware before 1.20").count == 1)
    try? FileManager.default.removeItem(atPath: path)
    let new = try await Run(words + ["sim:"]).end()
    #expect(new.code == 0 && !new.error.contains("quaternion"))
  }

  #if os(Linux)
    /// A terminal shows what the robot does; a pipe and a quiet command do not.
    @Test(
      arguments: [
        (["led", "red"], "the colour is #ff0000"),
        (["led", "--tail", "9"], "the brightness of the tail light is 9"),
        (["roll", "90", "--for", "100ms"], "rolling at speed 80 on heading 90 for 100ms; Ctrl-C stops it"),
        (["roll", "90", "--keep"], "rolling at speed 80 on heading 90; 'sphero stop' stops it"),
        (["collisions", "--for", "100ms"], "waiting for impacts; Ctrl-C ends"),
        (["turn", "--rate", "400"], "the robot turns at 400.0 degrees/s while it rolls"),
      ])
    func aTerminalShowsWhatTheRobotDoes(_ words: [String], _ remark: String) async throws {
      for isQuiet in [false, true] {
        let words = [Run.executable.path] + words + ["--port", "sim:"] + (isQuiet ? ["--quiet"] : [])
        let run = try TerminalRun(words)
        #expect(await run.end() == 0)
        #expect(run.output.contains("sphero: \(remark)\r\n") == !isQuiet, "\(run.output)")
      }
      let piped = try await Run(words + ["--port", "sim:"]).end()
      #expect(piped.code == 0 && piped.error.isEmpty, "\(piped.error)")
    }

    /// The countdown is one line that is removed at the end.
    @Test func aTerminalShowsACountdown() async throws {
      let run = try TerminalRun(
        [Run.executable.path, "ping", "--port", "/dev/none", "--wait", "2s"], environment: ["TERM": "xterm"])
      #expect(await run.end() == 69)
      let output = run.output
      for left in ["2", "less than 1"] {
        #expect(output.contains("\r\u{1B}[K/dev/none does not exist; waiting for it, \(left) s left"))
      }
      #expect(
        output.contains("\r\u{1B}[Ksphero: /dev/none does not exist\r\n")
          || output.contains("\u{1B}[31msphero: "))
    }

    /// Keys lift and turn a simulated robot, and the picture follows.
    @Test func keysMoveASimulatedRobotInTheMonitor() async throws {
      let run = try TerminalRun([Run.executable.path, "monitor", "--port", "sim:"])
      #expect(await run.shows("space: put down"))
      #expect(await isRedrawn("yaw 0°", by: run))
      run.type("\u{1B}[B\u{1B}[B")
      #expect(await isRedrawn("pitch 30°", by: run))
      run.type("q")
      #expect(await run.end() == 0)
    }

    /// Whether a text is on the screen within a minute; a change of the size draws also what has not changed.
    private func isRedrawn(_ text: String, by run: TerminalRun) async -> Bool {
      for _ in 0..<60 {
        run.signal(SIGWINCH)
        if await run.shows(text, within: .seconds(1)) { return true }
      }
      return false
    }
  #endif
}
