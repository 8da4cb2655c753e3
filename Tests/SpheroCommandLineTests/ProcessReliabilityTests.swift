// Guarantees between processes and pseudo-terminals as a table: experiment, limit, measurement.
//
// `swift test` performs each experiment a few times, with wide limits for a busy machine;
// `Tests/Tools/reliability` performs all of them sequentially, and prints the table.

import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProcessReliabilityTests {
  /// Whether the experiments have the counts and limits of the table.
  private static let isFull = ProcessInfo.processInfo.environment["SPHERO_RELIABILITY"] == "full"
  /// The seed of the random times; `SPHERO_SEED` repeats it.
  private static let seed =
    ProcessInfo.processInfo.environment["SPHERO_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)

  /// The number of repetitions of random experiments.
  private func times(_ full: Int, short: Int) -> Int { Self.isFull ? full : short }

  /// A limit, widened while other tests share the machine, but below the time of a failure.
  private func limit(_ duration: Duration) -> Duration { Self.isFull ? duration : duration + .seconds(20) }

  /// Prints a row of the table and checks its limit.
  private func row(_ experiment: String, wanted: String, measured: String, _ holds: Bool) {
    let line = "reliability: \(holds ? "holds" : "FAILS") | \(experiment) | \(wanted) | \(measured)\n"
    // Flushed at once, since the next row may be minutes later.
    FileHandle.standardOutput.write(Data(line.utf8))
    #expect(holds, "\(experiment): wanted \(wanted), measured \(measured)")
  }

  /// A number below a limit by Knuth's generator, whose high bits are good.
  private func random(_ limit: Int, _ state: inout UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  private func text(_ duration: Duration) -> String {
    String(format: "%.2f s", duration / .seconds(1))
  }

  /// A signal, and the time until the program ends.
  private func interrupt(_ run: Run, _ number: Int32 = SIGINT) async throws -> (Outcome, Duration) {
    let start = ContinuousClock.now
    run.signal(number)
    let outcome = try await run.end()
    return (outcome, ContinuousClock.now - start)
  }

  /// 02:30 with speed 0, heading 90 and state 0: the stop.
  private static let stop: [UInt8] = [0x00, 0x00, 0x5A, 0x00]

  // MARK: The ball

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/timeout")), arguments: [false, true])
  func timeoutStopsTheBall(atRandom: Bool) async throws {
    let count = times(100, short: 3)
    var (rolled, unstopped, state) = (0, 0, Self.seed)
    var (moment, number) = (0.4, 0)
    let time = Self.isFull ? "5s" : "5m"
    // A busy machine may not have begun to roll by then; a later moment is tried too.
    while number < count || (rolled == 0 && !atRandom && moment < 60) {
      if number >= count { moment *= 2 }
      number += 1
      let robot = try BareRobot()
      let text = atRandom ? "0.\(String(1_001 + random(300, &state)).dropFirst())" : "\(moment)"
      let words = ["roll", "90", "--for", time, "--port", robot.path]
      _ = try await Run(words, by: ["/usr/bin/timeout", text]).end()
      robot.close()
      let motions = robot.commands(0x02, 0x30)
      if !motions.isEmpty { rolled += 1 }
      if let last = motions.last, last.payload != Self.stop { unstopped += 1 }
    }
    row(
      "timeout \(atRandom ? "at a random moment" : "0.4") sphero roll 90 --for \(time), on a pseudo-terminal",
      wanted: "0 of \(count) without a stop",
      measured: "\(unstopped) of \(rolled) that rolled" + (atRandom ? " (seed \(Self.seed))" : ""),
      unstopped == 0 && (rolled > 0 || atRandom))
  }

  #if os(Linux)
    @Test func stopInASecondTerminal() async throws {
      let count = times(10, short: 1)
      var (longest, failed) = (Duration.zero, 0)
      for _ in 0..<count {
        let robot = try BareRobot()
        let roll = try Run(["roll", "90", "--for", "5m", "--port", robot.path])
        try await robot.waitForCommand(0x02, 0x30)
        let start = ContinuousClock.now
        let stop = try await sphero("stop", "--port", robot.path)
        let rolled = try await roll.end()
        let motions = robot.commands(0x02, 0x30)
        let first = motions.first { $0.payload == Self.stop }
        if stop.code != 0 || rolled.code != 130 || motions.last?.payload.last != 0 { failed += 1 }
        if let first { longest = max(longest, first.time - start) } else { failed += 1 }
        robot.close()
      }
      row(
        "sphero stop in a second terminal", wanted: "the robot receives the stop within 1 s, \(count) times",
        measured: "\(failed) failures, \(text(longest)) at most", failed == 0 && longest < limit(.seconds(1)))
    }
  #endif

  // MARK: Connecting

  @Test func infoAfterAProgramThatWasKilled() async throws {
    let link = freshPath()
    let simulator = try Run(["simulate", "--link", link, "--latency", "60ms", "-q"])
    #expect(try await simulator.line() == link)
    let count = times(100, short: 3)
    var state = Self.seed
    var failures: [String] = []
    for number in 0..<count {
      let words = number % 2 == 0 ? ["info"] : ["stream", "--divisor", "2"]
      let killed = try Run(words + ["--port", link])
      try await Task.sleep(for: .milliseconds(random(600, &state)))
      killed.signal(SIGKILL)
      _ = try await killed.end()
      let info = try await sphero("info", "--port", link)
      if info.code != 0 { failures.append(info.error) }
    }
    simulator.signal(SIGINT)
    _ = try await simulator.end()
    row(
      "info after a program killed at a random moment, latency 60 ms", wanted: "0 of \(count) fail",
      measured: "\(failures.count) fail (seed \(Self.seed))", failures.isEmpty)
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test(arguments: [false, true]) func aRobotThatReceivesNothingAtFirst(losing: Bool) async throws {
    var behaviour = BareRobot.Behaviour()
    (behaviour.startDelay, behaviour.losesEarlyBytes) = (.seconds(4), losing)
    let robot = try BareRobot(behaviour)
    // A long timeout, which prevents retries on a busy machine.
    let outcome = try await sphero("led", "255", "0", "0", "--timeout", "30s", "--port", robot.path)
    let executed = robot.commands(0x02, 0x20).count
    robot.close()
    row(
      "led, and the robot receives nothing for 4 s (bytes \(losing ? "lost" : "kept"))",
      wanted: "executed once, exit 0", measured: "executed \(executed) times, exit \(outcome.code)",
      executed == 1 && outcome.code == 0 && outcome.error.contains("still waiting"))
  }

  // MARK: Ctrl-C

  /// A robot that becomes silent, and the program meanwhile.
  enum Silence: String, CaseIterable {
    case fromTheStart = "from the start"
    case afterTheHandshake = "after the handshake"
    case whileRolling = "while the ball rolls"
    case whileStreaming = "in a stream"
    case onADeadLine = "in a stream, and the line takes nothing"

    var words: [String] {
      switch self {
      case .fromTheStart: ["info"]
      case .afterTheHandshake: ["led", "255", "0", "0"]
      case .whileRolling: ["roll", "90", "--for", "5m"]
      case .whileStreaming, .onADeadLine: ["stream", "--divisor", "4", "--packets", "255"]
      }
    }

    /// The commands that the robot has received by then.
    var command: [UInt8] {
      switch self {
      case .fromTheStart: [0x00, 0x01]
      case .afterTheHandshake: [0x02, 0x20]
      case .whileRolling: [0x02, 0x30]
      case .whileStreaming, .onADeadLine: [0x02, 0x11]
      }
    }

    /// Whether the robot still answers a command.
    func answers(_ id: [UInt8], _ robot: BareRobot) -> Bool {
      switch self {
      case .fromTheStart: false
      case .afterTheHandshake: id == [0x00, 0x01]
      case .whileRolling: robot.commands(0x02, 0x30).count <= 1
      case .whileStreaming, .onADeadLine: robot.commands(0x02, 0x11).count <= 1
      }
    }
  }

  @Test(arguments: Silence.allCases) func controlCWhileTheRobotIsSilent(_ silence: Silence) async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { silence.answers($0.id, $1) ? 0x00 : nil }
    let robot = try BareRobot(behaviour)
    let timeout = Self.isFull ? "5s" : "60s"
    let run = try Run(silence.words + ["--timeout", timeout, "--port", robot.path])
    try await robot.waitForCommand(silence.command[0], silence.command[1])
    try await Task.sleep(for: .seconds(1))
    if silence == .onADeadLine { robot.stopReceiving() }
    let (outcome, duration) = try await interrupt(run)
    robot.close()
    row(
      "Ctrl-C with --timeout \(timeout), robot silent \(silence.rawValue)",
      wanted: "ends within 1 s, exit 130",
      measured: "\(text(duration)), exit \(outcome.code)",
      outcome.code == 130 && duration < limit(.seconds(1)))
  }

  @Test func controlCInARunWhileTheRobotIsSilent() async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { _, robot in robot.commands(0x02, 0x30).count <= 1 ? 0x00 : nil }
    let (robot, lines) = (try BareRobot(behaviour), freshPath())
    try "roll 90\nwait 60s\n".write(toFile: lines, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: lines) }
    let timeout = Self.isFull ? "5s" : "20s"
    let run = try Run(["run", lines, "--timeout", timeout, "--port", robot.path])
    try await robot.waitForCommand(0x02, 0x30)
    try await Task.sleep(for: .seconds(1))
    let (outcome, duration) = try await interrupt(run)
    robot.close()
    row(
      "Ctrl-C in a run with --timeout \(timeout), robot silent while rolling",
      wanted: "ends within 1 s, exit 130",
      measured: "\(text(duration)), exit \(outcome.code)",
      outcome.code == 130 && duration < limit(.seconds(1)))
  }

  @Test func controlCWhileTheCaptureIsBlocked() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let descriptor = unsafe open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    let run = try Run(
      [],
      by: [
        "/bin/sh", "-c",
        "exec \"$0\" stream --port sim: --mask all --divisor 1 --capture \(fifo) > /dev/null",
      ])
    try await untilFull(descriptor)
    let (outcome, duration) = try await interrupt(run)
    let isReported = outcome.error.contains("the capture is incomplete")
    row(
      "Ctrl-C while a capture goes to a FIFO without a reader",
      wanted: "ends within 1 s and reports \"incomplete\"",
      measured: "\(text(duration)), \(isReported ? "reported" : "not reported"), exit \(outcome.code)",
      isReported && outcome.code == 130 && duration < limit(.seconds(1)))
  }

  #if os(Linux)
    @Test func controlCWhileTheTerminalIsStuck() async throws {
      let lines = freshPath()
      try "stream --mask all --hz 400\nroll 90 --for 5m\n".write(
        toFile: lines, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: lines) }
      let robot = try BareRobot()
      let run = try TerminalRun([Run.executable.path, "run", lines, "--port", robot.path])
      try await robot.waitForCommand(0x02, 0x30)
      run.stopReading()
      // With room for half of a line break, it counts as writable for ever.
      _ = await eventually(within: .seconds(20)) { run.isFull }
      let start = ContinuousClock.now
      run.signal(SIGINT)
      let code = await run.end()
      let duration = ContinuousClock.now - start
      robot.close()
      let isStopped = robot.commands(0x02, 0x30).last?.payload == Self.stop
      row(
        "Ctrl-C while the terminal takes no output, ball rolling and stream at 400 Hz",
        wanted: "ends within 2 s by the signal, and the robot receives a stop",
        measured:
          "\(text(duration)), code \(code.map(String.init) ?? "none"), \(isStopped ? "stopped" : "not stopped")",
        isStopped && code == 1_000 + SIGINT && duration < limit(.seconds(2)))
    }
  #endif

  // MARK: Streams

  @Test func aClosedLineIsReopened() async throws {
    let link = freshPath()
    let first = try BareRobot(link: link)
    let count = times(200, short: 600)
    let run = try Run([
      "stream", "--port", link, "--mask", "accel", "--divisor", "4", "--count", "\(count)", "--format", "csv",
    ])
    async let ending = run.end()
    #expect(await eventually { first.lastPacket != nil })
    try await Task.sleep(for: .seconds(1))
    first.close()
    try await Task.sleep(for: .seconds(3))
    let second = try BareRobot(link: link)
    let outcome = try await ending
    let wasRestored = !second.commands(0x02, 0x11).isEmpty
    second.close()
    let remarks = ["the link was lost", "the link is back after", "a gap of"].filter(outcome.error.contains)
    row(
      "device gone in mid-stream, back after 3 s", wanted: "stream restored, gap reported, exit 0",
      measured:
        "\(wasRestored ? "restored" : "not restored"), \(remarks.count) of 3 remarks, "
        + "\(outcome.lines.count - 1) of \(count) samples, exit \(outcome.code)",
      wasRestored && remarks.count == 3 && outcome.lines.count == count + 1 && outcome.code == 0)
    #expect(remarks.count == 3, "\(outcome.error)")
  }

  @Test func aRobotThatBecomesSilent() async throws {
    var behaviour = BareRobot.Behaviour()
    let isAlive: @Sendable (BareRobot) -> Bool = { robot in
      guard let first = robot.commands(0x02, 0x11).first else { return true }
      return ContinuousClock.now - first.time < .seconds(2)
    }
    behaviour.status = { isAlive($1) ? 0x00 : nil }
    behaviour.streams = isAlive
    let robot = try BareRobot(behaviour)
    let time = "6s"
    let outcome = try await sphero("stream", "--port", robot.path, "--divisor", "4", "--for", time)
    let end = ContinuousClock.now
    let silence = try end - #require(robot.lastPacket)
    robot.close()
    row(
      "robot silent 2 s after it began to stream, --for \(time)",
      wanted: "asked until the end, then exit 75",
      measured: "exit \(outcome.code) after \(text(silence))",
      outcome.code == 75 && silence < limit(.seconds(6)) && silence > .seconds(3))
  }
}
