// sphero simulate: options, output, captures, and actions by standard input.

import Foundation
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct SimulateTests {
  /// Serves robots for the duration of `body`.
  private func withSimulator(
    _ options: [String], input: String = "", _ body: (String) async throws -> Void
  ) async throws -> Outcome {
    let link = freshPath()
    // `exec` replaces the shell, which lets signals reach the program.
    let shell = ["/bin/sh", "-c", "exec \"$0\" \"$@\" <<'END'\n\(input)END"]
    let robot = try Run(["simulate", "--link", link] + options, by: shell)
    #expect(try await robot.line() == link)
    do { try await body(link) } catch {
      robot.signal(SIGKILL)
      throw error
    }
    robot.signal(SIGINT)
    return try await robot.end()
  }

  @Test func theNamedOptionsAreObeyed() async throws {
    let outcome = try await withSimulator(
      ["--name", "Zoe, the ball", "--model", "ollie", "--battery", "30%", "--options", "version=10"]
    ) { port in
      let info = try await sphero("info", "--port", port, "--format", "json")
      // 30 % of the way from 6.4 V to 8.4 V.
      #expect(info.output.contains(#""robot":"Zoe, the ball""#) && info.output.contains(#""voltage":7"#))
      #expect(info.output.contains(#""model":"Ollie""#) && info.output.contains(#""api":"1.50""#))
      #expect(info.code == 0, "\(info.output)\(info.error)")
    }
    #expect(outcome.code == 130)
    let remarks = outcome.error.split(separator: "\n")
    #expect(remarks.first?.contains("sphero ping --port /") == true && remarks.count == 2, "\(outcome.error)")
    #expect(remarks.last?.contains("received ") == true)
  }

  @Test func packetsAreShownAndKeptAsTheClientSeesThem() async throws {
    let capture = freshPath()
    defer { for path in [capture, capture + "-2"] { try? FileManager.default.removeItem(atPath: path) } }
    let outcome = try await withSimulator(["--robots", "2", "-q", "-v", "--capture", capture]) { port in
      let stream = try await sphero("stream", "-q", "--port", port, "--mask", "imu", "--count", "3")
      #expect(stream.code == 0)
      #expect(try await sphero("led", "9", "8", "7", "-q", "--port", port + "-2").code == 0)
    }
    let lines = outcome.error.split(separator: "\n").map { String($0) }
    #expect(
      lines.contains { $0.hasPrefix("1: < FF FE 03 ") && $0.contains("SensorData pitch=0° roll=0° yaw=0°") })
    #expect(lines.contains { $0.hasPrefix("2: > FF ") && $0.hasSuffix("red=9 green=8 blue=7 persist=false") })
    #expect(lines.contains { $0.hasPrefix("2: < FF FF 00 ") && $0.contains("Lights.SetRGBLED") })
    #expect(lines.allSatisfy { $0.hasPrefix("1: ") || $0.hasPrefix("2: ") }, "quiet but for packets")
    let decoded = try await sphero("decode", "--strict", capture)
    #expect(decoded.code == 0 && decoded.output.contains("pitch=0° roll=0° yaw=0°"))
    let replayed = try await sphero(
      "stream", "-q", "--port", "replay:\(capture)", "--mask", "imu", "--count", "3")
    #expect(replayed.code == 0 && replayed.lines.count == 4, "\(replayed.output)\(replayed.error)")
    #expect(try await sphero("decode", capture + "-2").output.contains("red=9 green=8 blue=7"))
  }

  @Test func fallingAsleepIsAlwaysReportedAndTheRestWithVerbose() async throws {
    for options in [[], ["-v"]] {
      let outcome = try await withSimulator(options, input: "charger in\n") { port in
        // Bytes wake a simulated robot.
        _ = try await sphero("ping", "--count", "1", "-q", "--port", port)
        // A busy machine reports the disconnection late.
        try await Task.sleep(for: options.isEmpty ? .milliseconds(300) : .seconds(2))
      }
      let remarks = outcome.error.split(separator: "\n").filter { $0.hasPrefix("sphero: at ") }
      #expect(remarks.contains { $0.hasSuffix(" s: falls asleep: it is in its charger") }, "\(outcome.error)")
      let others = ["is put into its charger", "a client connects", "the client disconnects"]
      for other in others {
        #expect(remarks.contains { $0.hasSuffix(" s: \(other)") } == !options.isEmpty, "\(outcome.error)")
      }
      #expect(!outcome.error.contains("gap"), "\(outcome.error)")
    }
  }

  @Test func theHelpShowsTheFormatsOfTheFilesAndTheDefaults() {
    let page = Help.page(Simulate.self)
    for part in ["room W D", "start X Y", "knock RIGHT AHEAD", "(default: sphero2)", "(default: 70%)"] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test func faultsAreShownAsTheyAreOnTheWire() async throws {
    // The fault doubles every answer for the client; the robot answers once.
    let outcome = try await withSimulator(["-v", "-q", "--fault", "duplicate=100%"]) { port in
      _ = try await sphero("raw", "Core.Ping", "-q", "--port", port)
    }
    let lines = outcome.error.split(separator: "\n").map(String.init)
    let commands = lines.filter { $0.hasPrefix("> ") }
    let answers = lines.filter { $0.hasPrefix("< ") }
    // A command that arrives twice is answered twice, and each answer arrives twice.
    #expect(!commands.isEmpty && answers.count == 4 * commands.count, "\(outcome.error)")
  }

  @Test func aCaptureThatCannotBeCreatedEndsTheOthers() async throws {
    let (link, capture) = (freshPath(), freshPath())
    defer { for path in [capture, capture + "-2"] { try? FileManager.default.removeItem(atPath: path) } }
    // Nothing reads the first capture.
    #expect(unsafe mkfifo(capture, 0o600) == 0)
    try "a".write(toFile: capture + "-2", atomically: true, encoding: .utf8)
    let outcome = try await sphero("simulate", "--robots", "2", "--link", link, "--capture", capture)
    #expect(outcome.code == 73 && outcome.error.contains("\(capture)-2 already exists"), "\(outcome.error)")
    #expect(outcome.error.contains("the capture is incomplete: 1 line is missing"), "\(outcome.error)")
  }

  @Test(arguments: ["pipe", "/dev/full"])
  func anUnreadCaptureDelaysNoClient(_ kind: String) async throws {
    let path = kind == "pipe" ? freshPath() : kind
    if kind == "pipe" { #expect(unsafe mkfifo(path, 0o600) == 0) }
    defer { if kind == "pipe" { try? FileManager.default.removeItem(atPath: path) } }
    let start = ContinuousClock.now
    let outcome = try await withSimulator(["--capture", path]) { port in
      let stream = try await sphero("stream", "-q", "--port", port, "--count", "40", "--divisor", "4")
      #expect(stream.code == 0)
    }
    #expect(outcome.code == 130 && outcome.error.contains("the capture is incomplete"), "\(outcome.error)")
    #expect(ContinuousClock.now - start < .seconds(120))
  }

  @Test func linesOnTheInputMoveTheRobotAndItsEndChangesNothing() async throws {
    // The words of a line that is too long are not performed.
    let long = "put down" + String(repeating: " ", count: 1_000) + "1"
    let input = "hold nose-up\njump\n2: put down\n\(long)\n"
    let outcome = try await withSimulator(["-q"], input: input) { port in
      let stream = try await sphero(
        "stream", "-q", "--port", port, "--mask", "accel", "--count", "40", "--format", "csv", "--divisor",
        "10")
      // A g up, which is ahead as the nose points there; y points back.
      let last = try #require(stream.lines.last).split(separator: ",").compactMap { Double($0) }
      #expect(last.count == 4 && abs(last[1]) < 0.01 && abs(last[2] + 1) < 0.01 && abs(last[3]) < 0.01)
    }
    #expect(outcome.error.contains("'jump': write hold POSE"), "\(outcome.error)")
    #expect(outcome.error.contains("robot 2"))
    #expect(outcome.error.contains("a line has at most 1000 bytes"))
  }

  @Test func aScriptMovesTheRobotOfSim() async throws {
    let path = freshPath()
    try "hold right-side-down".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stream = try await sphero(
      "stream", "-q", "--port", "sim:script=\(path)", "--mask", "accel", "--count", "40", "--format", "csv",
      "--divisor", "10")
    let last = try #require(stream.lines.last).split(separator: ",").compactMap { Double($0) }
    // One g up, which is to the left, where x points.
    #expect(last.count == 4 && abs(last[1] - 1) < 0.01)
  }

  @Test func filesAndOptionsThatCannotBeUsedAreNamed() async throws {
    let path = freshPath()
    try "room 4 3\n2: put down".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (words, code, message) in [
      (["simulate", "--floor", "/no/floor"], 66, "/no/floor: No such file"),
      (["ping", "--port", "sim:floor=/no/floor"], 66, "/no/floor: No such file"),
      (["simulate", "--floor", path], 65, "line 2 of the floor says '2: put down'"),
      (["ping", "--port", "sim:floor=\(path)"], 65, "line 2 of the floor says '2: put down'"),
      (["simulate", "--script", path], 65, "line 1 of the script says 'room 4 3'"),
      (
        ["simulate", "--battery", "300%"], 64,
        "'300%' is not a value for --battery; write a part like 30% or 0.3"
      ),
      (["simulate", "--model", "bolt"], 64, "it can be sphero1|sphero2|sprk|ollie|bb8|sprkplus"),
      (["simulate", "--fault", "model=ollie"], 64, "the faults are drop, corrupt"),
      (["simulate", "--fault", "drop"], 64, "write drop=CHANCE"),
      (["simulate", "--options", "nonsense=1"], 64, "the names are name, model"),
    ] as [([String], Int32, String)] {
      let outcome = try await Run(words).end()
      #expect(outcome.code == code && outcome.output.isEmpty, "\(words)")
      #expect(outcome.error.contains(message), "\(outcome.error)")
    }
    try "2: put down".write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try await sphero("simulate", "--script", path)
    #expect(outcome.code == 65 && outcome.error.contains("it moves robot 2, but there is 1"))
  }

  @Test func faultsAddUp() throws {
    let simulate = try Synopsis.bind(
      Simulate.self, ["--fault", "drop=1%,cut=2%", "--seed", "7", "--fault", "close=10s:3s"])
    let parsed = try simulate.parsed()
    #expect(parsed.faults.faults.count == 2 && parsed.faults.outage?.start == .seconds(10))
    #expect(parsed.robot.seed == 7 && parsed.faults.seed == 7)
  }
}
