// sphero monitor on a real terminal: keys, signals, suspension, a robot that vanishes; the terminal is restored.

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(5))) struct MonitorTests {
    private static let left = "\u{1B}[?25h\u{1B}[?1049l"

    private func monitor(
      _ words: [String] = [], port: String = "sim:", environment: [String: String] = [:]
    ) throws -> TerminalRun {
      try TerminalRun(
        [Run.executable.path, "monitor", "--port", port] + words, environment: environment)
    }

    /// Compares the terminal before and after a body that ends the program.
    private func expectRestored(
      _ run: TerminalRun, code: Int32, _ before: TerminalRun.Attributes,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let end = await run.end()
      #expect(end == code, "\(run.output.suffix(400))", sourceLocation: sourceLocation)
      #expect(run.attributes == before, sourceLocation: sourceLocation)
      let output = run.output
      let entered = output.ranges(of: "\u{1B}[?1049h").count
      #expect(entered > 0 && entered == output.ranges(of: Self.left).count, sourceLocation: sourceLocation)
      if let last = output.ranges(of: Self.left).last {
        #expect(!output[last.upperBound...].contains("\u{1B}["), sourceLocation: sourceLocation)
      }
    }

    @Test func itShowsValuesAndQuitsByAKey() async throws {
      let run = try monitor()
      let before = run.firstAttributes
      #expect(before.isCooked)
      // The first frame has the fields, and possibly the attitude above them.
      #expect(await run.shows("yaw 0°"))
      #expect(run.output.contains("accel z"))
      #expect(!run.attributes.isCooked)
      // Otherwise a second Ctrl-C may flush the sequence that restores the terminal.
      #expect(run.attributes.flags[3] & UInt32(NOFLSH) != 0)
      // An unassigned key, an arrow, a mouse event; then the key that ends the monitor.
      run.type("x\u{1B}[A\u{1B}[<0;3;4M")
      try await Task.sleep(for: .milliseconds(200))
      run.type("q")
      await expectRestored(run, code: 0, before)
      #expect(run.output.contains("38;5;"))
    }

    @Test func pictureIsASCIIWithoutUTF8() async throws {
      let run = try monitor(environment: ["LC_ALL": "C"])
      #expect(await run.shows("accel z"))
      run.type("q")
      #expect(await run.end() == 0)
      #expect(run.output.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signalsEndItProperly(_ number: Int32) async throws {
      let run = try monitor()
      let before = run.firstAttributes
      #expect(await run.shows("accel z"))
      run.signal(number)
      await expectRestored(run, code: 1_000 + number, before)
    }

    @Test func controlCAndRepeatedSignals() async throws {
      let run = try monitor()
      let before = run.firstAttributes
      #expect(await run.shows("accel z"))
      run.type("\u{03}\u{03}")
      // The terminal converts keys to signals with a delay, and the first signal determines the code:
      // late keys follow another SIGINT.
      try await Task.sleep(for: .milliseconds(100))
      for number in [SIGINT, SIGTERM, SIGQUIT] { run.signal(number) }
      await expectRestored(run, code: 1_000 + SIGINT, before)
    }

    @Test func theThirdSignalOfAHangingProcessRestoresToo() async throws {
      // After the suspension it shuts down, which a stopped robot prolongs.
      let robot = try Run(["simulate"])
      let path = try await robot.line()
      let run = try monitor(["--timeout", "30s"], port: path)
      let before = run.firstAttributes
      #expect(await run.shows("accel z"))
      robot.signal(SIGSTOP)
      run.signal(SIGINT)
      for number in [SIGINT, SIGTERM] {
        try await Task.sleep(for: .milliseconds(700))
        run.signal(number)
      }
      let code = await run.end()
      #expect(code == 1_000 + SIGINT || code == 1_000 + SIGTERM)
      #expect(run.attributes == before)
      #expect(run.output.contains(Self.left))
      robot.signal(SIGCONT)
      robot.signal(SIGTERM)
      _ = try await robot.end()
    }

    @Test func theMonitorIsSuspendedAndContinues() async throws {
      let script = "set -m; \"$0\" monitor --port sim:; echo stopped; read line; fg; echo ended $?"
      let run = try TerminalRun(["/bin/bash", "-c", script, Run.executable.path])
      let before = run.firstAttributes
      #expect(await run.shows("accel z"))
      run.type("\u{1A}")
      #expect(await run.shows(Self.left))
      #expect(await run.shows("stopped"))
      #expect(run.attributes == before)
      run.type("\n")
      #expect(await run.shows("\u{1B}[?1049h"))
      #expect(await run.shows("accel z"))
      #expect(!run.attributes.isCooked)
      run.type("q")
      #expect(await run.shows("ended 0"))
      await expectRestored(run, code: 0, before)
    }

    @Test func aResizeRedrawsThePanel() async throws {
      let run = try monitor()
      #expect(await run.shows("accel z"))
      // The last row names the keys that end it.
      #expect(await eventually { run.output.contains("\u{1B}[30;1H") })
      run.resize(columns: 70, rows: 18)
      #expect(await run.shows("\u{1B}[2J"))
      #expect(await run.shows("\u{1B}[18;1H"))
      run.resize(columns: 10, rows: 3)
      #expect(await run.shows("too small"))
      run.type("q")
      #expect(await run.end() == 0)
    }

    @Test func aLostRobotIsReportedAndReconnected() async throws {
      let link = freshPath()
      var robot = try Run(["simulate", "--link", link])
      _ = try await robot.line()
      let run = try monitor(port: link)
      let before = run.firstAttributes
      #expect(await run.shows("accel z"))
      let first = KeptTerminal(link, of: robot)
      robot.signal(SIGKILL)
      _ = try await robot.end()
      // Unchanged letters are not written again, which may split the text.
      #expect(await run.shows("reconnecting"))
      robot = try Run(["simulate", "--link", link])
      _ = try await robot.line()
      #expect(await run.shows("link is back", within: .seconds(60)))
      let second = KeptTerminal(link, of: robot)
      robot.signal(SIGKILL)
      _ = try await robot.end()
      // Unchanged letters are not written again, which may split the text.
      #expect(await run.shows("reconnecting"))
      run.type("q")
      await expectRestored(run, code: 0, before)
      // The remarks of the screen are printed after it closes.
      let end = run.output.ranges(of: Self.left).last.map { run.output[$0.upperBound...] }
      #expect(end?.contains("sphero: the link was lost") == true)
      withExtendedLifetime((first, second)) {}
      try? FileManager.default.removeItem(atPath: link)
    }

    @Test func noColorAndPoorTerminals() async throws {
      let run = try monitor(environment: ["NO_COLOR": "1"])
      #expect(await run.shows("accel z"))
      run.type("q")
      #expect(await run.end() == 0)
      #expect(!run.output.contains(";38;") && !run.output.contains(";48;"))
      for term in ["dumb", ""] {
        let dumb = try monitor(environment: ["TERM": term])
        #expect(await dumb.end() == 64)
        #expect(dumb.output.contains("TERM") && !dumb.output.contains("\u{1B}"))
      }
    }

    @Test func withoutATerminalItIsRefused() async throws {
      let outcome = try await sphero("monitor", "--port", "sim:", environment: ["TERM": "xterm"])
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.error.contains("terminal") && outcome.error.contains("sphero stream"))
    }

    @Test func packetsAreNotPrintedOverTheScreen() async throws {
      let run = try monitor(["-v"])
      #expect(await run.end() == 64)
      #expect(run.output.contains("--verbose"))
    }
  }

  /// The screen in tmux.
  @Suite(.serialized, .timeLimit(.minutes(5))) struct MonitorScreenTests {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")

    static func tmux(_ socket: String, _ words: String...) async throws -> String {
      let tool = Process()
      let pipe = Pipe()
      tool.executableURL = URL(filePath: "/usr/bin/tmux")
      tool.arguments = ["-S", socket, "-f", "/dev/null"] + words
      tool.standardOutput = pipe
      try tool.start()
      return try await blocking {
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        tool.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
      }
    }

    /// The rows of the screen, 30 at least; missing rows are empty.
    static func rows(_ socket: String) async throws -> [Substring] {
      let rows = try await tmux(socket, "capture-pane", "-p").split(
        separator: "\n", omittingEmptySubsequences: false)
      return rows + Array(repeating: "", count: max(0, 30 - rows.count))
    }

    /// Waits for a condition of the screen.
    static func screen(
      _ socket: String, where isWanted: ([Substring]) -> Bool
    ) async throws -> [Substring] {
      var rows: [Substring] = []
      _ = try await eventually(every: .milliseconds(100)) {
        rows = try await Self.rows(socket)
        return isWanted(rows)
      }
      return rows
    }

    /// Waits until the screen has a text.
    static func screen(_ socket: String, with text: String) async throws -> [Substring] {
      try await screen(socket) { $0.contains { $0.contains(text) } }
    }

    @Test(.enabled(if: isThere, "SKIPPED: there is no tmux to look at the screen with"))
    func theScreenIsAsDrawn() async throws {
      let socket = freshPath()
      let command = "'\(Run.executable.path)' monitor --port sim: --mask imu,accel; echo code $?; exec cat"
      let starter = try TerminalRun([
        "/usr/bin/tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24",
        command,
      ])
      #expect(await starter.end() == 0)
      var rows = try await Self.screen(socket) { rows in
        rows[0].contains("20.0/s") && rows[23].hasPrefix("q quits")
          && rows.contains { $0.hasPrefix("pitch") && $0.contains("0° ···") }
      }
      // A machine that is busy may count a sample as lost.
      #expect(
        rows[0].hasPrefix("sphero monitor  live  sim:  20.0/s  ") && rows[0].contains(" lost  7.80 V ok"))
      let pitch = try #require(rows.first { $0.hasPrefix("pitch") })
      #expect(pitch.contains("0° ···") && pitch.contains("pitch 0° roll 0° yaw 0°"))
      // One g upward is half of the bar, which is 2 g.
      #expect(rows.contains { $0.hasPrefix("accel z") && $0.contains("█") }, "\(rows)")
      #expect(rows.contains { $0.contains("floor 0, 0 cm") } && rows.contains { $0.contains("@") })
      #expect(rows[23].hasPrefix("q quits"))
      _ = try await Self.tmux(socket, "resize-window", "-x", "50", "-y", "12")
      rows = try await Self.screen(socket) { $0[11].hasPrefix("q quits") && $0.allSatisfy { $0.count <= 50 } }
      #expect(rows.contains { $0.contains("accel z") })
      #expect(rows[11].hasPrefix("q quits") && rows.allSatisfy { $0.count <= 50 }, "\(rows)")
      #expect(!rows.contains { $0.contains("floor") })
      _ = try await Self.tmux(socket, "send-keys", "q")
      rows = try await Self.screen(socket, with: "code 0")
      #expect(rows.contains("code 0") && !rows.contains { $0.contains("accel") }, "\(rows)")
      _ = try await Self.tmux(socket, "kill-server")
    }
  }
#endif
