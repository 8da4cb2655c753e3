// sphero turn, go, follow and collisions against simulated robots.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct IntentTests {
  /// The last remark of a command that succeeds; stdout is empty.
  private func remark(_ words: String...) async throws -> Substring {
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.error)")
    return try #require(outcome.error.split(separator: "\n").last)
  }

  private static let lossy = "sim:latency=80ms,drop=5%"

  @Test func turnsByAndTo() async throws {
    let by = try await remark("turn", "90", "--port", Self.lossy)
    let heading = try #require(by.firstMatch(of: /^sphero: turned in [0-9.]+ s; heading (\d+)$/)?.1)
    #expect(abs(try #require(Int(heading)) - 90) <= 1)
    let to = try await remark("turn", "--to", "270", "--port", Self.lossy)
    let second = try #require(to.firstMatch(of: /heading (\d+)$/)?.1)
    #expect(abs(try #require(Int(second)) - 270) <= 1)
  }

  @Test func goesAndReportsThePosition() async throws {
    let remark = try await remark("go", "60", "-40", "--port", Self.lossy)
    let match = try #require(
      remark.firstMatch(of: /arrived in [0-9.]+ s at \((-?\d+), (-?\d+)\) cm, (\d) cm from the goal$/))
    let (x, y) = (try #require(Int(match.1)), try #require(Int(match.2)))
    #expect(abs(x - 60) <= 3 && abs(y + 40) <= 3)
  }

  @Test func followsAFileAndStandardInput() async throws {
    let path = freshPath()
    try Data("# there and back\n0 40\r\n\n20 40 # a corner\n".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try await remark("go", "--path", path, "--port", "sim:").contains("cm from the goal"))
    let input = try FileHandle(forReadingFrom: URL(filePath: path))
    let outcome = try await Run(["go", "--path", "-", "--absolute", "--port", "sim:", "-q"], input: input)
      .end()
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome.error)")
  }

  @Test func anInvalidLineOfAPathIsReportedBeforeOpening() async throws {
    let path = freshPath()
    try Data("0 40\n0 \u{1B}[31m\n".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("go", "--path", path, "--port", "/dev/no-such-robot")
    #expect(outcome.code == 65 && outcome.output.isEmpty)
    #expect(outcome.error.contains("line 2 of the path says '0 ?[31m'"), "\(outcome.error)")
    let nothing = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
    let empty = try await Run(["go", "--path", "-", "--port", "/dev/no-such-robot"], input: nothing).end()
    #expect(empty.code == 65 && empty.error.contains("stdin: the path is empty"), "\(empty.error)")
  }

  @Test func aGoalThatIsNotReachedIsExitCode75() async throws {
    let outcome = try await sphero("go", "0", "500", "--for", "1s", "--port", "sim:")
    #expect(outcome.code == 75 && outcome.output.isEmpty)
    #expect(outcome.error.contains("did not reach its goal in time"), "\(outcome.error)")
  }

  @Test func controlCStops() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    // Far enough that only the signal ends it, even if a busy machine sends it late.
    let run = try Run(["go", "0", "30000", "--for", "10m", "--port", "sim:", "--capture", capture])
    try await untilSent("02 30", in: capture)
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
    let sent = try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n").filter {
      $0.contains(" > ") && $0.contains("FF FF 02 30 ")
    }
    // Speed 0 in state 0 is a controlled stop.
    let last = try #require(sent.last?.split(separator: " ").drop { $0 != "30" }.dropFirst(3))
    #expect(last.first == "00" && last.dropFirst(3).first == "00", "\(sent.suffix(3))")
  }

  /// Two knocks: one from the front, one from the left.
  private func withKnocks<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let script = freshPath()
    try Data("2s knock 0 -1\n3s knock 1 0\n".utf8).write(to: URL(filePath: script))
    defer { try? FileManager.default.removeItem(atPath: script) }
    return try await body("sim:script=\(script)")
  }

  @Test func impactsArePrintedOnArrival() async throws {
    try await withKnocks { port in
      let json = try await sphero("collisions", "--count", "2", "--format", "json", "--port", port)
      #expect(json.code == 0 && json.lines.count == 2, "\(json.error)")
      let objects = try json.lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.allSatisfy { $0["kind"] as? String == "collision" })
      #expect(objects.map { $0["axis"] as? String } == ["y", "x"])
      #expect(objects.map { $0["from"] as? Double } == [0, 270])
      let csv = try await sphero(
        "collisions", "--preset", "hard", "--for", "4s", "--format", "csv", "--port", port)
      #expect(csv.code == 0 && csv.lines.count == 3)
      #expect(csv.lines.first == "time_s,clock_s,axis,from_deg,x,y,x_magnitude,y_magnitude,speed")
    }
  }

  @Test func thresholdsAreProposedAndExplained() async throws {
    try await withKnocks { port in
      let tuned = try await sphero("collisions", "--tune", "--for", "5s", "--format", "json", "--port", port)
      #expect(tuned.code == 0 && tuned.lines.count == 1, "\(tuned.error)")
      #expect(tuned.output.hasPrefix("{\"kind\":\"collision_thresholds\",\"x_threshold\":"))
      #expect(tuned.error.contains("left and right: ") && tuned.error.contains("front and back: "))
      #expect(tuned.error.contains("try 'sphero collisions --threshold "))
    }
    let nothing = try await sphero("collisions", "--tune", "--for", "500ms", "--port", "sim:")
    #expect(nothing.code == 75 && nothing.output.isEmpty && nothing.error.contains("felt no impact"))
  }

  @Test func anInterruptedTuningProposesThresholdsToo() async throws {
    try await withKnocks { port in
      let run = try Run(["collisions", "--tune", "--for", "10m", "--port", port])
      for _ in 1...2 { _ = try await run.line() }
      run.signal(SIGINT)
      let outcome = try await run.end()
      #expect(outcome.code == 130 && outcome.error.contains("try 'sphero collisions --threshold "))
    }
  }

  @Test func detectionIsSwitchedOffInTheEnd() async throws {
    let robot = try BareRobot()
    let outcome = try await sphero(
      "collisions", "--threshold", "80,120", "--moving", "7", "--for", "200ms", "--port", robot.path)
    robot.close()
    #expect(outcome.code == 0, "\(outcome.error)")
    let settings = robot.commands.filter { $0.id == [0x02, 0x12] }.map(\.payload)
    // Method, across at rest and at speed, along at rest and at speed, dead time.
    #expect(settings.first == [0x01, 80, 7, 120, 7, 25])
    #expect(settings.count == 2 && settings.last?.first == 0x00)
  }
}
