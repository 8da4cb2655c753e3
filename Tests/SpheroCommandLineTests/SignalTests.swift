// A signal stops the ball before the program ends; only the third one ends the program at once.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignalTests {
  /// Rolls a simulated robot.
  private func rolling(_ time: String = "5m", by starter: [String] = []) async throws -> Run {
    let kept = freshPath()
    defer { try? FileManager.default.removeItem(atPath: kept) }
    let words = ["roll", "90", "--for", time, "--port", "sim:", "-v", "--capture", kept]
    let run = try Run(words, by: starter)
    try await untilSent("02 30", in: kept)
    return run
  }

  private static let stop = "speed=0 heading=90° state=stop"

  @Test(arguments: [(SIGINT, 130), (SIGQUIT, 131), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func theFirstSignalStopsTheBall(_ number: Int32, _ code: Int32) async throws {
    let run = try await rolling()
    run.signal(number)
    let outcome = try await run.end()
    #expect(outcome.code == code && outcome.error.contains(Self.stop))
    // A script ends only where its program dies of the signal.
    #expect(outcome.signal == number)
  }

  @Test func thePairThatTimeoutSendsStopsTheBall() async throws {
    let run = try await rolling()
    run.signal(SIGTERM)
    try await Task.sleep(for: .milliseconds(5))
    run.signal(SIGTERM)
    run.signal(SIGCONT)
    let outcome = try await run.end()
    #expect(outcome.code == 143 && outcome.error.contains(Self.stop))
  }

  /// The command does not wait for bytes in transit to a distant robot.
  @Test func aDistantRobotDoesNotDelayTheEnd() async throws {
    let run = try Run(["ping", "--port", "sim:latency=1h"])
    try await Task.sleep(for: .milliseconds(500))
    run.signal(SIGINT)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await run.end().code == 130)
    #expect(clock.now - start < .seconds(10), "\(clock.now - start)")
  }

  @Test func aHangUpIsIgnoredUnderNohup() async throws {
    let run = try await rolling("3s", by: ["/usr/bin/env", "nohup"])
    run.signal(SIGHUP)
    #expect(try await run.end().code == 0)
  }

  @Test func aBackgroundJobOfAScriptCanBeInterrupted() async throws {
    // The shell starts it with SIGINT ignored.
    let script = """
      "$0" roll 90 --for 5m --port sim: -v --capture "$1" &
      until grep -q ' > FF FF 02 30 ' "$1" 2>/dev/null; do sleep 0.1; done
      kill -INT $!
      wait $!
      """
    let kept = freshPath()
    defer { try? FileManager.default.removeItem(atPath: kept) }
    let outcome = try await Run([kept], by: ["/bin/sh", "-c", script]).end()
    #expect(outcome.code == 130 && outcome.error.contains(Self.stop))
  }

  @Test func onlyTheThirdSignalEndsAtOnce() async throws {
    // Its remarks go to a blocked pipe, which makes it wait forever.
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let descriptor = unsafe open(fifo, O_RDWR | O_NONBLOCK)
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0x20, count: 4_096)
    while unsafe write(descriptor, page, page.count) > 0 {}
    let run = try Run([], by: ["/bin/sh", "-c", "exec \"$0\" nonsense 2> \(fifo)"])
    try await run.handlesSignals()
    // Half a second apart they are one signal; a busy machine may deliver the first of two late.
    run.signal(SIGINT)
    try await Task.sleep(for: .milliseconds(1_500))
    run.signal(SIGINT)
    try await Task.sleep(for: .milliseconds(1_500))
    #expect(run.process.isRunning)
    run.signal(SIGTERM)
    #expect(try await run.end().signal == SIGTERM)
  }

  #if os(Linux)
    /// A script with another command after the roll, and the signal that ends it.
    struct Script: CustomTestStringConvertible, Sendable {
      var words: [String]
      var testDescription: String { words.joined(separator: " ") }
      init(_ words: String...) { self.words = words }
    }

    private static let roll = #""$SPHERO" roll 90 --for 5m --port sim: --capture "$CAPTURE""#
    private static let scripts =
      ["bash", "dash", "zsh"].flatMap { shell in
        [
          Script(shell, "-c", "\(roll); echo went on"),
          Script(shell, "-c", "for n in 1 2; do echo round $n; \(roll); done; echo went on"),
          Script(shell, "-c", "timeout --foreground 5m \(roll); echo went on"),
        ]
      } + [
        Script("make", "--eval", "all: first; @echo went on\nfirst: ; @\(roll.replacing("$", with: "$$"))")
      ]

    /// Ctrl-C in a terminal stops the ball, and the script with it.
    @Test(arguments: scripts) func controlCEndsAScript(_ script: Script) async throws {
      let found = try await program(["sh", "-c", "command -v \(script.words[0])"])
      guard found.code == 0 else { return print("skipped: there is no \(script.words[0]) in PATH") }
      let capture = freshPath()
      defer { try? FileManager.default.removeItem(atPath: capture) }
      let run = try TerminalRun(
        [String(found.lines[0])] + script.words.dropFirst(),
        environment: ["SPHERO": Run.executable.path, "CAPTURE": capture])
      try await untilSent("02 30", in: capture)
      run.type("\u{03}")
      let code = await run.end()
      #expect(code != nil && code != 0)
      #expect(!run.output.contains("went on") && !run.output.contains("round 2"), "\(run.output)")
      #expect(run.attributes == run.firstAttributes)
      let sent = try String(contentsOfFile: capture, encoding: .utf8)
      // Speed 0 at the heading of the roll, with the state that stops.
      #expect(sent.contains(#/FF FF 02 30 .. 05 00 00 5A 00 /#), "\(sent)")
    }

    /// `timeout` ends the roll with SIGTERM, and has its usual exit status.
    @Test(
      arguments: [([], 124), (["--preserve-status"], 143), (["--preserve-status", "-s", "INT"], 130)]
        as [([String], Int32)])
    func timeoutStopsTheBall(_ options: [String], _ code: Int32) async throws {
      let outcome = try await Run(
        ["roll", "90", "--for", "5m", "--port", "sim:", "-v"],
        by: ["/usr/bin/env", "timeout"] + options + ["3"]
      ).end()
      #expect(outcome.code == code && outcome.error.contains(Self.stop), "\(outcome)")
    }

    /// Whether the system reports a process as stopped.
    private func isSuspended(_ run: Run) throws -> Bool {
      let text = try String(contentsOfFile: "/proc/\(run.process.processIdentifier)/stat", encoding: .utf8)
      return text.split(separator: ")").last?.split(separator: " ").first == "T"
    }

    /// Ctrl-Z aborts a program inside the robot, which would move the ball meanwhile: 02 55 for a macro.
    @Test func aSuspendedProgramLeavesNoMacroRunning() async throws {
      let (capture, macro) = (freshPath(), freshPath())
      defer { for path in [capture, macro] { try? FileManager.default.removeItem(atPath: path) } }
      try "macro flags=stopAtEnd\nrollLong 80 0 60000\nwait 60000\n".write(
        toFile: macro, atomically: true, encoding: .utf8)
      let run = try Run(["program", macro, "--port", "sim:", "--capture", capture])
      // The question for the state of the macro, after its start.
      try await untilSent("02 56", in: capture)
      run.signal(SIGTSTP)
      while try !isSuspended(run) { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGCONT)
      let outcome = try await run.end()
      #expect(
        outcome.code == 75 && outcome.error.contains("suspended: the ball was stopped")
          && outcome.error.contains("the program of the robot was aborted"), "\(outcome.error)")
      // One before the upload, one of the suspension, and one after the program continues.
      #expect(try String(contentsOfFile: capture, encoding: .utf8).ranges(of: "FF FF 02 55 ").count == 3)
    }

    /// Ctrl-Z during an upload: the start of the program, 02 62, is not sent, also not after the process continues.
    @Test func aSuspendedUploadStartsNoProgram() async throws {
      let (capture, program) = (freshPath(), freshPath())
      defer { for path in [capture, program] { try? FileManager.default.removeItem(atPath: path) } }
      let lines = (1...120).map { "\($0) print \"12345678901234567890\"\n" }
      try (lines.joined() + "130 goroll 90,150,1\n").write(
        toFile: program, atomically: true, encoding: .utf8)
      let run = try Run(["program", program, "--port", "sim:latency=50ms", "--capture", capture])
      try await untilSent("02 61", in: capture)
      run.signal(SIGTSTP)
      while try !isSuspended(run) { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGCONT)
      let outcome = try await run.end()
      #expect(outcome.code == 75, "\(outcome.error)")
      let sent = try String(contentsOfFile: capture, encoding: .utf8)
      #expect(!sent.contains("FF FF 02 62 ") && sent.contains("FF FF 02 63 "))
    }

    /// The samples of a stream with a time end after a suspension beyond that time, without an error.
    @Test func aSuspendedStreamEndsAtItsTime() async throws {
      let run = try Run(["stream", "--mask", "yaw", "--hz", "20", "--for", "3s", "--port", "sim:"])
      for _ in 0..<3 { _ = try await run.line() }
      run.signal(SIGSTOP)
      while try !isSuspended(run) { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.sleep(for: .seconds(4))
      run.signal(SIGCONT)
      let outcome = try await run.end()
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(
        outcome.error.contains(#/sphero: the program was suspended for [34]\.\d\d s/#), "\(outcome.error)")
    }

    @Test func aSuspendedTurnIsNotReportedAsReplaced() async throws {
      let capture = freshPath()
      defer { try? FileManager.default.removeItem(atPath: capture) }
      let run = try Run(["turn", "3000", "--port", "sim:", "--capture", capture])
      try await untilSent("02 30", in: capture)
      run.signal(SIGTSTP)
      while try !isSuspended(run) { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(SIGCONT)
      let outcome = try await run.end()
      #expect(outcome.code == 75)
      #expect(outcome.error.contains("because this process was suspended"), "\(outcome.error)")
    }

    /// The kernel does not suspend the process group of the session's leader.
    @Test func aProcessThatCannotBeSuspendedRollsOn() async throws {
      let run = try Run(
        ["roll", "90", "--for", "2s", "--port", "sim:"],
        by: [
          "/usr/bin/env", "setsid", "--wait", "sh", "-c", "\"$@\" & sleep 1; kill -TSTP $!; wait $!", "sh",
        ])
      let outcome = try await run.end()
      #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
    }

    /// Ctrl-Z stops the ball first; after the program continues, the ball does not roll.
    @Test(arguments: [SIGTSTP, SIGSTOP]) func aSuspendedProgramLeavesNoBallRolling(_ number: Int32)
      async throws
    {
      let robot = try BareRobot()
      defer { robot.close() }
      let run = try Run(["roll", "90", "--for", "4s", "--port", robot.path])
      while robot.commands(0x02, 0x30).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      run.signal(number)
      while try !isSuspended(run) { try await Task.sleep(for: .milliseconds(10)) }
      let (drive, stop): ([UInt8], [UInt8]) = ([80, 0, 90, 1], [0, 0, 90, 0])
      let before = robot.commands(0x02, 0x30).map(\.payload)
      // A busy machine may be so late that the drive or the stop is repeated.
      #expect(before.first == drive)
      #expect(Set(before.drop { $0 == drive }) == (number == SIGTSTP ? [stop] : []))
      // Beyond the time of the roll, and beyond that at which it would have been repeated.
      try await Task.sleep(for: .seconds(4.5))
      run.signal(SIGCONT)
      let outcome = try await run.end()
      #expect(outcome.code == (number == SIGTSTP ? 75 : 0), "\(outcome.error)")
      #expect(outcome.error.contains("suspended: the ball was stopped") == (number == SIGTSTP))
      #expect(outcome.error.contains("because this process was suspended") == (number == SIGTSTP))
      let after = robot.commands(0x02, 0x30).map(\.payload).dropFirst(before.count)
      // The stop at the end may precede the suspension.
      #expect(Set(after) == [stop] || number == SIGTSTP && after.isEmpty)
    }
  #endif
}
