// sphero drive, calibrate and led --pick on a real terminal, and the commands that the robot receives.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A simulated robot in a separate process, which records its line.
  final class RecordedRobot {
    let link: String
    let capture = freshPath()
    private var run: Run
    /// Whether the link may lead to another robot by now.
    private var hasVanished = false
    private var keptTerminal: KeptTerminal?

    init(link: String = freshPath(), _ options: [String] = []) async throws {
      self.link = link
      run = try Run(["simulate", "--link", link, "--capture", capture, "--quiet"] + options)
      _ = try await run.line()
    }

    deinit {
      run.signal(SIGKILL)
      try? FileManager.default.removeItem(atPath: capture)
      if !hasVanished { try? FileManager.default.removeItem(atPath: link) }
    }

    /// Kills the process of the robot.
    func vanish() async throws {
      hasVanished = true
      keptTerminal = KeptTerminal(link, of: run)
      run.signal(SIGKILL)
      _ = try await run.end()
    }

    /// The received commands of some kinds as `sphero decode` prints them, without times and numbers.
    ///
    /// Equal commands in a row count once: retries, and the renewal of a roll.
    func received(_ kinds: String...) async throws -> [String] {
      let outcome = try await sphero("decode", capture)
      let commands = outcome.lines.compactMap { line -> String? in
        guard line.contains("> "), let kind = kinds.first(where: { line.contains($0) }) else { return nil }
        let words = line.split(separator: " ").drop { $0 != kind }.filter { !$0.allSatisfy(\.isNumber) }
        return words.filter { $0 != "seq" }.joined(separator: " ")
      }
      return commands.reduce(into: []) { all, one in if all.last != one { all.append(one) } }
    }

    /// Waits for a command.
    func waitForCommand(_ command: String, _ kind: String) async throws -> Bool {
      try await eventually(every: .milliseconds(100)) { try await received(kind).contains(command) }
    }

    /// Waits until a command is the last of its kind; the record may be written after the end of a client.
    func waitForCommand(last command: String, _ kind: String) async throws -> Bool {
      try await eventually(every: .milliseconds(100)) { try await received(kind).last == command }
    }
  }

  let left = "\u{1B}[?25h\u{1B}[?1049l"
  let stop = "Motion.Roll speed=0 heading=0° state=stop"
  private let ahead = "Motion.Roll speed=153 heading=0° state=drive"

  func start(
    _ words: [String], _ robot: RecordedRobot, environment: [String: String] = [:]
  ) throws -> TerminalRun {
    try TerminalRun([Run.executable.path] + words + ["--port", robot.link], environment: environment)
  }

  /// Waits for the end, and compares the terminal before and after.
  func expectRestored(
    _ run: TerminalRun, code: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let end = await run.end()
    #expect(end == code, "\(run.output.suffix(400))", sourceLocation: sourceLocation)
    #expect(run.attributes == run.firstAttributes, sourceLocation: sourceLocation)
    let output = run.output
    let entered = output.ranges(of: "\u{1B}[?1049h").count
    #expect(entered > 0 && entered == output.ranges(of: left).count, sourceLocation: sourceLocation)
    let mouse = (output.ranges(of: "\u{1B}[?1002h").count, output.ranges(of: "\u{1B}[?1002l").count)
    #expect(mouse.0 == entered && mouse.1 == entered, sourceLocation: sourceLocation)
  }

  /// The screen is 100 by 30, so the pad has 25 rows, and its middle is column 25 and row 15, counted from 1.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct DriveScreenTests {
    @Test func keysRollAndTheBallStopsByItself() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      #expect(await run.shows("live"))
      run.type("w")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      // No further key is pressed.
      #expect(try await robot.waitForCommand(stop, "Motion.Roll"))
      run.type("+\u{1B}[C")
      let (right, end) = (
        "Motion.Roll speed=169 heading=90° state=drive", "Motion.Roll speed=0 heading=90° state=stop"
      )
      #expect(try await robot.waitForCommand(right, "Motion.Roll"))
      run.type(" ")
      #expect(try await robot.waitForCommand(end, "Motion.Roll"))
      run.type("q")
      await expectRestored(run, code: 0)
      let rolls = try await robot.received("Motion.Roll")
      #expect(rolls.prefix(4) == [ahead, stop, right, end], "\(rolls)")
      #expect(rolls.dropFirst(4).allSatisfy { $0.hasSuffix("state=stop") })
    }

    @Test func theMouseDragsAndItsReleaseStops() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive", "--speed", "255"], robot)
      #expect(await run.shows("command: stop"))
      run.type("\u{1B}[<0;25;15M\u{1B}[<32;37;15M")
      // Half the way is (0.5 - 0.1) / 0.9 of 255: 113.33.
      let drags = [113, 255].map { "Motion.Roll speed=\($0) heading=90° state=drive" }
      #expect(try await robot.waitForCommand(drags[0], "Motion.Roll"))
      run.type("\u{1B}[<32;49;15M")
      #expect(try await robot.waitForCommand(drags[1], "Motion.Roll"))
      run.type("\u{1B}[<0;49;15m")
      #expect(try await robot.waitForCommand("Motion.Roll speed=0 heading=90° state=stop", "Motion.Roll"))
      run.type("\u{1B}")
      await expectRestored(run, code: 0)
      let rolls = try await robot.received("Motion.Roll").filter { $0.hasSuffix("drive") }
      #expect(rolls == drags, "\(rolls)")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func everySignalStopsTheBall(_ number: Int32) async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      // Up to the top of the pad: ahead, for three seconds.
      run.type("\u{1B}[<0;25;3M")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      run.signal(number)
      await expectRestored(run, code: 1_000 + number)
      #expect(try await robot.waitForCommand(last: stop, "Motion.Roll"))
      let off = "Sensing.SetDataStreaming divisor=0 frames=0 mask=0x00000000 packetCount=0 mask2=0x00000000"
      #expect(try await robot.waitForCommand(last: off, "Sensing.SetDataStreaming"))
    }

    @Test func aWindowThatIsClosedStopsTheBall() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      run.type("\u{1B}[<0;25;3M")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      run.hangUp()
      // The device is open here, which leaves the signal as the only notification.
      run.resize(columns: 90, rows: 28)
      #expect(await run.end() == 1_000 + SIGHUP)
      #expect(try await robot.waitForCommand(last: stop, "Motion.Roll"))
    }

    @Test func aBlockedTerminalDelaysNoStop() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      run.stopReading()
      // More than a terminal holds: 64 KB.
      for number in 0..<40 {
        run.resize(columns: 400 + number % 2, rows: 120)
        try await Task.sleep(for: .milliseconds(20))
      }
      run.resize(columns: 100, rows: 30)
      // A press before the last resize is released.
      #expect(
        try await eventually(every: .milliseconds(500)) {
          run.type("\u{1B}[<0;25;3M")
          return try await robot.received("Motion.Roll").contains(ahead)
        })
      run.type("\u{1B}[<0;25;3m")
      #expect(try await robot.waitForCommand(stop, "Motion.Roll"))
      run.type("q")
      #expect(await run.end() == 0)
    }

    @Test func suspendingStopsTheBallFirst() async throws {
      let robot = try await RecordedRobot()
      let script = "set -m; \"$0\" drive --port \"$1\"; echo suspended; read line; fg; echo ended $?"
      let run = try TerminalRun(["/bin/bash", "-c", script, Run.executable.path, robot.link])
      #expect(await run.shows("command: stop"))
      run.type("\u{1B}[<0;25;3M")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      run.type("\u{1A}")
      #expect(await run.shows("suspended"))
      #expect(run.attributes == run.firstAttributes)
      // The process is suspended; the command was sent before.
      #expect(try await robot.waitForCommand(stop, "Motion.Roll"))
      run.type("\n")
      #expect(await run.shows("command: stop"))
      run.type("q")
      #expect(await run.shows("ended 0"))
      await expectRestored(run, code: 0)
    }

    /// The key is read while the stop waits for its answer.
    @Test func aKeyBeforeTheSuspensionDrivesNoBall() async throws {
      let robot = try await RecordedRobot(["--fault", "delay=100%:250ms@responses"])
      let script = "set -m; \"$0\" drive --port \"$1\"; echo suspended; read line; fg; echo ended $?"
      let run = try TerminalRun(["/bin/bash", "-c", script, Run.executable.path, robot.link])
      #expect(await run.shows("command: stop"))
      run.type("\u{1B}[<0;25;3M")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      run.type("\u{1A}")
      try await Task.sleep(for: .milliseconds(60))
      run.type("d")
      #expect(await run.shows("suspended"))
      run.type("\n")
      #expect(await run.shows("command: stop"))
      try await Task.sleep(for: .milliseconds(500))
      run.type("q")
      #expect(await run.shows("ended 0"))
      // A busy machine may handle the key before the suspension.
      let sincePush = try await robot.received("Motion.Roll").drop { $0 != ahead }
      let sinceStop = sincePush.drop { !$0.hasSuffix("stop") }
      #expect(!sinceStop.isEmpty && sinceStop.allSatisfy { $0.hasSuffix("stop") }, "\(sincePush)")
    }

    @Test func drivingContinuesAfterAReconnection() async throws {
      var robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      run.type("\u{1B}[<0;25;3M")
      #expect(try await robot.waitForCommand(ahead, "Motion.Roll"))
      try await robot.vanish()
      #expect(await run.shows("reconnecting"))
      run.type("w\u{1B}[<32;25;4M")
      robot = try await RecordedRobot(link: robot.link)
      #expect(await run.shows("link is back", within: .seconds(60)))
      run.type("a")
      let leftward = "Motion.Roll speed=153 heading=270° state=drive"
      #expect(try await robot.waitForCommand(leftward, "Motion.Roll"))
      run.type("q")
      await expectRestored(run, code: 0)
      #expect(
        try await robot.waitForCommand(last: "Motion.Roll speed=0 heading=270° state=stop", "Motion.Roll"))
      let rolls = try await robot.received("Motion.Roll")
      #expect(rolls.first == stop && rolls.first { $0.hasSuffix("drive") } == leftward, "\(rolls)")
    }

    @Test func sizesAndPoorTerminals() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["drive"], robot)
      #expect(await run.shows("command: stop"))
      run.resize(columns: 30, rows: 8)
      #expect(await run.shows("too small"))
      run.resize(columns: 60, rows: 20)
      #expect(await run.shows("\u{1B}[20;1H"))
      run.type("q")
      await expectRestored(run, code: 0)
      let dumb = try start(["drive"], robot, environment: ["TERM": "dumb"])
      #expect(await dumb.end() == 64)
      #expect(dumb.output.contains("sphero roll") && !dumb.output.contains("\u{1B}"))
      let verbose = try start(["drive", "-v"], robot)
      #expect(await verbose.end() == 64)
      #expect(verbose.output.contains("--verbose"))
    }
  }

  /// The screen in tmux.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct DriveTmuxTests {
    @Test(.enabled(if: MonitorScreenTests.isThere, "SKIPPED: there is no tmux to look at the screen with"))
    func theScreenIsAsDrawn() async throws {
      let socket = freshPath()
      let command = "'\(Run.executable.path)' drive --port sim:; echo code $?; exec cat"
      let starter = try TerminalRun([
        "/usr/bin/tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24",
        command,
      ])
      try #require(await starter.end() == 0)
      var rows = try await MonitorScreenTests.screen(socket) { rows in
        rows[0].contains("cm/s  7.80 V") && rows[0].contains("#0000ff") && rows[23].hasPrefix("space: stop")
      }
      #expect(
        rows[0].hasPrefix("sphero drive  live  sim:  heading 0°  0 cm/s  7.80 V ok  ● #0000ff"), "\(rows)")
      #expect(rows[22] == "speed 153 of 255  command: stop" && rows[23].hasPrefix("space: stop  q: quit"))
      // The puck is in the middle, and the floor beside it.
      #expect(Array(rows[11])[19] == "●" && rows[2].contains("floor 0, 0 cm"), "\(rows)")
      // A busy machine may read the screen after the key is released.
      for _ in 0..<500 {
        _ = try await MonitorScreenTests.tmux(socket, "send-keys", "Up")
        rows = try await MonitorScreenTests.rows(socket)
        if rows[22].hasSuffix("command: heading 0° speed 153") { break }
      }
      #expect(Array(rows[2])[19] == "●", "\(rows)")
      rows = try await MonitorScreenTests.screen(socket, with: "command: stop")
      #expect(rows[22] == "speed 153 of 255  command: stop", "\(rows)")
      _ = try await MonitorScreenTests.tmux(socket, "resize-window", "-x", "30", "-y", "10")
      rows = try await MonitorScreenTests.screen(socket, with: "too small")
      #expect(
        rows.prefix(2) == ["too small: needs", "36 columns, 12 rows"]
          && rows.dropFirst(2).allSatisfy(\.isEmpty), "\(rows)")
      _ = try await MonitorScreenTests.tmux(socket, "send-keys", "q")
      rows = try await MonitorScreenTests.screen(socket, with: "code 0")
      #expect(rows.contains("code 0"), "\(rows)")
      _ = try await MonitorScreenTests.tmux(socket, "kill-server")
    }
  }

  @Suite(.serialized, .timeLimit(.minutes(5))) struct CalibrateScreenTests {
    private static let on = "Lights.SetBackLED brightness=255"
    private static let off = "Lights.SetBackLED brightness=0"
    private static let back = "Motion.Roll speed=0 heading=0° state=drive"
    private static let zero = "Motion.SetHeading heading=0°"

    private static func turn(_ degrees: Int) -> String {
      "Motion.Roll speed=0 heading=\(degrees)° state=drive"
    }

    private func received(_ robot: RecordedRobot) async throws -> [String] {
      // Intermediate turns may be left out, and a command without an answer may be repeated.
      try await robot.received(
        "Motion.Roll", "Motion.SetHeading", "Lights.SetBackLED", "Motion.SetStabilization"
      )
      .reduce(into: []) { all, one in if all.last != one { all.append(one) } }
    }

    private func turned(_ robot: RecordedRobot) async throws -> TerminalRun {
      let run = try start(["aim"], robot)
      #expect(await run.shows("Turn the ball"))
      #expect(try await robot.waitForCommand(Self.on, "Lights.SetBackLED"))
      run.type("\u{1B}[C")
      #expect(try await robot.waitForCommand(Self.turn(2), "Motion.Roll"))
      run.type("\u{1B}[6~")
      #expect(try await robot.waitForCommand(Self.turn(32), "Motion.Roll"))
      return run
    }

    @Test func enterSetsHeadingZero() async throws {
      let robot = try await RecordedRobot()
      let run = try await turned(robot)
      run.type("\r")
      await expectRestored(run, code: 0)
      #expect(run.output.contains("heading 0 is where it faces"))
      #expect(try await robot.waitForCommand(last: stop, "Motion.Roll"))
      #expect(
        try await received(robot) == [Self.on, Self.turn(2), Self.turn(32), Self.zero, Self.off, stop])
    }

    @Test func escapeRestoresTheHeading() async throws {
      let robot = try await RecordedRobot()
      let run = try await turned(robot)
      run.type("\u{1B}")
      await expectRestored(run, code: 0)
      #expect(run.output.contains("the old aim is kept"))
      #expect(try await robot.waitForCommand(last: stop, "Motion.Roll"))
      #expect(
        try await received(robot) == [Self.on, Self.turn(2), Self.turn(32), Self.back, Self.off, stop])
    }

    @Test func controlCRestoresTheHeading() async throws {
      let robot = try await RecordedRobot()
      let run = try await turned(robot)
      run.type("\u{03}")
      await expectRestored(run, code: 1_000 + SIGINT)
      #expect(try await robot.waitForCommand(last: stop, "Motion.Roll"))
      let all = try await received(robot)
      #expect(all.prefix(3) == [Self.on, Self.turn(2), Self.turn(32)] && !all.contains(Self.zero))
      #expect(all.contains(Self.back) && all.contains(Self.off) && all.last == stop, "\(all)")
    }

    @Test func withoutATurnNothingMoves() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["aim"], robot)
      #expect(await run.shows("Turn the ball"))
      #expect(try await robot.waitForCommand(Self.on, "Lights.SetBackLED"))
      run.type("q")
      await expectRestored(run, code: 0)
      #expect(try await robot.waitForCommand(last: Self.off, "Lights.SetBackLED"))
      #expect(try await received(robot) == [Self.on, Self.off])
    }
  }

  @Suite(.serialized, .timeLimit(.minutes(5))) struct ColorScreenTests {
    private static let blue = "Lights.SetRGBLED red=0 green=0 blue=255 persist=false"
    private static let dark = "Lights.SetRGBLED red=0 green=0 blue=242 persist=false"

    @Test func enterKeepsAndPrints() async throws {
      let robot = try await RecordedRobot()
      let run = try start(["led", "--pick", "--save"], robot, environment: ["COLORTERM": "truecolor"])
      #expect(await run.shows("#0000ff"))
      run.type("-")
      #expect(try await robot.waitForCommand(Self.dark, "Lights.SetRGBLED"))
      run.type("\r")
      await expectRestored(run, code: 0)
      let printed = run.output.ranges(of: left).last.map { run.output[$0.upperBound...] }
      #expect(printed == "0000f2\r\n")
      #expect(run.output.contains("48;2;255;255;255") || run.output.contains("38;2;255;255;255"))
      let kept = "Lights.SetRGBLED red=0 green=0 blue=242 persist=true"
      #expect(try await robot.waitForCommand(last: kept, "Lights.SetRGBLED"))
      #expect(try await robot.received("Lights.SetRGBLED") == [Self.dark, kept])
      // The printed text is a colour for sphero led.
      #expect(try await sphero("led", "0000f2", "--port", robot.link).code == 0)
    }

    @Test func theColourGoesThroughAPipe() async throws {
      let robot = try await RecordedRobot()
      let script = "picked=$(\"$0\" led --pick red --port \"$1\"); echo \"picked $picked code $?\""
      let run = try TerminalRun(["/bin/bash", "-c", script, Run.executable.path, robot.link])
      #expect(await run.shows("#ff0000"))
      run.type("\r")
      #expect(await run.shows("picked ff0000 code 0"))
      await expectRestored(run, code: 0)
    }

    @Test func withoutATerminalNothingIsSent() async throws {
      let robot = try await RecordedRobot()
      // A new session has no terminal.
      let run = try Run(
        ["led", "--pick", "red", "--port", robot.link], by: ["/usr/bin/env", "setsid", "--wait"],
        environment: ["TERM": "xterm"])
      let outcome = try await run.end()
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.error.contains("needs a terminal for its keys"), "\(outcome.error)")
      #expect(outcome.error.contains("'sphero led orange' needs none"))
      #expect(try await robot.received("Core.Ping", "Lights.SetRGBLED").isEmpty)
    }

    @Test(arguments: [("\u{1B}", 0), ("\u{03}", 1_000 + SIGINT)] as [(String, Int32)])
    func escapeAndControlCRestoreTheColor(_ key: String, _ code: Int32) async throws {
      let robot = try await RecordedRobot()
      let run = try start(["led", "--pick", "orange"], robot)
      #expect(
        try await robot.waitForCommand(
          "Lights.SetRGBLED red=255 green=165 blue=0 persist=false", "Lights.SetRGBLED"))
      // The left end of the wheel, counted from 1: its 25 rows begin at row 3, its 49 columns at column 23.
      run.type("\u{1B}[<0;23;15M\u{1B}[<0;23;15m")
      #expect(
        try await robot.waitForCommand(
          "Lights.SetRGBLED red=0 green=255 blue=255 persist=false", "Lights.SetRGBLED"))
      run.type(key)
      await expectRestored(run, code: code)
      let printed = run.output.ranges(of: left).last.map { run.output[$0.upperBound...] }
      #expect(printed == "")
      #expect(try await robot.waitForCommand(last: Self.blue, "Lights.SetRGBLED"))
      #expect(run.output.contains("38;5;") && !run.output.contains("38;2;"))
    }
  }
#endif
