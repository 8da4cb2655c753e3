// A signal stops the ball before the program ends; only the third one ends it at once.

import Foundation
import TestSupport
import Testing

@Suite(.aFewAtATime) struct SignalTests {
  /// Starts to roll a simulated robot.
  private func rolling(by starter: [String] = []) async throws -> Run {
    let run = try Run(["roll", "90", "--for", "30s", "--port", "sim:", "-v"], by: starter)
    try await Task.sleep(for: .milliseconds(400))
    return run
  }

  private static let stop = "speed=0 heading=90° state=stop"

  @Test(arguments: [(SIGINT, 130), (SIGQUIT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func theFirstOneStopsTheBall(_ number: Int32, _ code: Int32) async throws {
    let run = try await rolling()
    run.signal(number)
    let outcome = try await run.end()
    #expect(outcome.code == code && outcome.error.contains(Self.stop))
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

  @Test func aHangUpIsIgnoredUnderNohup() async throws {
    let run = try Run(["roll", "90", "--for", "1s", "--port", "sim:"], by: ["/usr/bin/env", "nohup"])
    try await Task.sleep(for: .milliseconds(400))
    run.signal(SIGHUP)
    #expect(try await run.end().code == 0)
  }

  @Test func aBackgroundJobOfAScriptCanBeInterrupted() async throws {
    // The shell starts it with SIGINT ignored.
    let script = "\"$0\" roll 90 --for 30s --port sim: -v & sleep 2; kill -INT $!; wait $!"
    let outcome = try await Run([], by: ["/bin/sh", "-c", script]).end()
    #expect(outcome.code == 130 && outcome.error.contains(Self.stop))
  }

  @Test func onlyTheThirdOneEndsAtOnce() async throws {
    // Its remarks go where nobody reads them, so that it waits for ever.
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let descriptor = unsafe open(fifo, O_RDWR | O_NONBLOCK)
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0x20, count: 4_096)
    while unsafe write(descriptor, page, page.count) > 0 {}
    let run = try Run([], by: ["/bin/sh", "-c", "exec \"$0\" nonsense 2> \(fifo)"])
    try await Task.sleep(for: .milliseconds(500))
    run.signal(SIGINT)
    try await Task.sleep(for: .milliseconds(600))
    run.signal(SIGINT)
    try await Task.sleep(for: .milliseconds(600))
    #expect(run.process.isRunning)
    run.signal(SIGTERM)
    #expect(try await run.end().code == 143)
  }
}
