// --capture with slow and blocked readers, and --port replay: of captures.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
  /// Ctrl-C ends a stream within a second, even if the reader of the capture blocks;
  /// the test allows more time for a busy machine.
  private static let patience = Duration.seconds(20)

  private func interruptedStream(
    capturingTo path: String, once isReady: () async throws -> Void
  ) async throws -> Outcome {
    let run = try Run([
      "stream", "--port", "sim:", "--mask", "all", "--divisor", "1", "--format", "csv", "--capture", path,
    ])
    for _ in 0..<20 { _ = try await run.line() }
    async let ending = run.end()
    try await isReady()
    let start = ContinuousClock.now
    run.signal(SIGINT)
    let outcome = try await ending
    #expect(ContinuousClock.now - start < Self.patience)
    return outcome
  }

  @Test func aCapturePipeWithoutAReaderDelaysNothing() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let outcome = try await interruptedStream(capturingTo: fifo) {}
    #expect(outcome.code == 130 && outcome.error.contains("the capture is incomplete"), "\(outcome.error)")
  }

  @Test func aBlockedCapturePipeDelaysNothing() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let descriptor = unsafe open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    let outcome = try await interruptedStream(capturingTo: fifo) { try await untilFull(descriptor) }
    #expect(outcome.code == 130 && outcome.error.contains("the capture is incomplete"), "\(outcome.error)")
  }

  @Test func aFailedCaptureIsReportedAndTheCommandContinues() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      return print("skipped: there is no /dev/full")
    }
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--divisor", "4", "--count", "50", "--format", "csv", "--capture",
      "/dev/full")
    #expect(outcome.lines.count == 51)
    #expect(outcome.code == 74 && outcome.error.contains("the capture ends here: /dev/full: "))
  }

  @Test func aCaptureBeginsWithItsHeader() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    #expect(try await sphero("led", "1", "2", "3", "--port", "sim:", "--capture", capture).code == 0)
    let text = try String(contentsOfFile: capture, encoding: .utf8)
    let pattern =
      /#: capture start=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z program="sphero" version="\d+\.\d+\.\d+" port="sim:" link="simulated"/
    let first = try #require(text.split(separator: "\n").first)
    #expect(first.wholeMatch(of: pattern) != nil, "\(first)")
  }

  @Test func aRecordedStreamIsStreamedAgain() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let words = ["stream", "--mask", "imu,odometer", "--divisor", "4", "--raw", "--format", "csv"]
    let count = ["--count", "60"]
    let robot = try await Run(words + count + ["--port", "sim:", "--capture", capture]).end()
    let again = try await Run(words + count + ["--port", "replay:\(capture)"]).end()
    func samples(_ outcome: Outcome) -> [String] {
      // Without the column of times, which are those of arrivals.
      outcome.lines.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    }
    #expect(robot.code == 0 && again.code == 0, "\(again.error)")
    #expect(robot.lines.count == 61 && samples(again) == samples(robot))
    // A request for more than was recorded ends with the line; the recording does not restart.
    for (count, code) in [([], 0), (["--count", "100"], 74)] as [([String], Int32)] {
      let more = try await Run(words + count + ["--port", "replay:\(capture)"]).end()
      #expect(more.code == code && more.lines.count >= 61 && more.lines.count < 100, "\(more.error)")
      #expect(more.error.contains("the recording is over"), "\(more.error)")
      #expect(more.error.contains("'--port sim:'") == (code != 0), "\(more.error)")
    }
    let copy = freshPath()
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let port = "replay:\(capture)"
    let record = try await sphero("record", copy, "--mask", "imu,odometer", "--divisor", "4", "--port", port)
    #expect(record.code == 0 && record.output == "\(copy)\n", "\(record.error)")
    #expect(record.error.contains("sphero: the recording is over\n"), "\(record.error)")
    let rows = try await sphero("decode", "--samples", copy, "--format", "csv")
    #expect(rows.code == 0 && rows.lines.count >= 61, "\(rows.error)")
    let missing = try await sphero("ping", "--port", "replay:/no/such/file")
    #expect(missing.code == 66 && missing.error.contains("/no/such/file does not exist"))
    let malformed = try await sphero("ping", "--port", "replay:/dev/null")
    #expect(malformed.code == 65 && malformed.error.contains("the recording holds nothing to replay"))
  }
}
