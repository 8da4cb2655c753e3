// The program against simulated robots: in its own process, and behind a pseudo-terminal.

import Foundation
import SpheroProtocol
import SpheroSerial
import Testing

@Suite struct RobotTests {
  /// A simulated robot in another process.
  private func withSimulator<Result>(
    _ options: [String] = [], _ body: (String) async throws -> Result
  ) async throws -> (Result, Outcome) {
    let link = freshPath()
    let robot = try Run(["simulate", "--link", link] + options)
    #expect(try await robot.line() == link)
    let result: Result
    do { result = try await body(link) } catch {
      robot.signal(SIGKILL)
      throw error
    }
    robot.signal(SIGINT)
    let outcome = try await robot.end()
    #expect(outcome.code == 130)
    #expect(!FileManager.default.fileExists(atPath: link))
    return (result, outcome)
  }

  @Test func theUsersOwnLinesWorkToTheLetter() async throws {
    let port = ["SPHERO_PORT": "sim:"]
    let run = try Run(["stream", "--mask", "accel,imu,quat", "--divisor", "20"], environment: port)
    #expect(try await run.line().contains("accel_x_g"))
    #expect(try await run.line().contains("0.000"))
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
    let led = try await sphero("led", "255", "0", "0", environment: port)
    #expect(led.code == 0 && led.output.isEmpty && led.error.isEmpty)
  }

  @Test func theBytesOfLED() async throws {
    let line = try PseudoTerminal()
    async let outcome = sphero("led", "255", "0", "0", "--port", line.path)
    var bytes: [UInt8] = []
    while bytes.count < 11, let more = try await line.read() { bytes += more }
    let sequence = try #require(bytes.dropFirst(4).first)
    let sum = [0x02, 0x20, sequence, 0x05, 0xFF].reduce(0 as UInt8, &+)
    #expect(bytes == [0xFF, 0xFF, 0x02, 0x20, sequence, 0x05, 0xFF, 0x00, 0x00, 0x00, ~sum])
    try line.write(Packet.response(ResponsePacket(status: .ok, sequence: sequence)).encoded())
    #expect(try await outcome.code == 0)
    line.close()
  }

  @Test func aRefusalIsReported() async throws {
    let line = try PseudoTerminal()
    async let outcome = sphero("led", "1", "2", "3", "--port", line.path)
    _ = try await line.read()
    try line.write(Packet.response(ResponsePacket(status: .unsupported, sequence: 1)).encoded())
    let refused = try await outcome
    #expect(refused.code == 76 && refused.output.isEmpty)
    #expect(refused.error.contains("the robot refused Lights.SetRGBLED: unsupported"))
    line.close()
  }

  @Test func aSilentDeviceIsNoRobot() async throws {
    let line = try PseudoTerminal()
    let outcome = try await sphero("ping", "--count", "1", "--port", line.path, "--timeout", "100ms")
    #expect(outcome.code == 69 && outcome.error.contains("no robot answers"))
    line.close()
  }

  @Test func aPulledCableEndsTheStream() async throws {
    let line = try PseudoTerminal()
    async let outcome = sphero("stream", "--port", line.path)
    for sequence in 1...2 as ClosedRange<UInt8> {
      _ = try await line.read()
      try line.write(Packet.response(ResponsePacket(status: .ok, sequence: sequence)).encoded())
    }
    line.close()
    let lost = try await outcome
    #expect(lost.code == 74 && lost.error.contains("was lost"))
  }

  @Test func streamingAcrossTwoProcessesLosesAndDoublesNothing() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let (outcome, robot) = try await withSimulator { port in
      try await sphero(
        "stream", "--port", port, "--mask", "accel,imu", "--divisor", "1", "--packets", "60", "--count",
        "900",
        "--format", "csv", "--raw", "--capture", capture)
    }
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.lines.count == 901)
    var decoder = PacketDecoder(from: .robot)
    for line in try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n")
    where line.contains(" < ") {
      decoder.append(
        line.drop { $0 != "<" }.dropFirst(2).split(separator: " ").compactMap { UInt8($0, radix: 16) })
    }
    var sent: [String] = []
    while let packet = decoder.next() {
      guard case .event(let event) = packet, event.id == Sensing.SensorData.id else { continue }
      let samples = try #require(Sample.samples(in: event.payload, mask: [.accel, .imu]))
      sent += samples.map { $0.rawWords.map(String.init).joined(separator: ",") }
    }
    let printed = outcome.lines.dropFirst().map {
      $0.split(separator: ",").dropFirst().joined(separator: ",")
    }
    #expect(printed == Array(sent.prefix(900)))
    // The robot's own count: all it sent arrived, and it sent little more than was asked for.
    let frames = try #require(robot.error.firstMatch(of: /sent (\d+) sensor frames/).flatMap { Int($0.1) })
    #expect(frames >= sent.count && frames <= sent.count + 60)
    let requests = try #require(robot.error.firstMatch(of: /received (\d+) commands/).flatMap { Int($0.1) })
    #expect(requests >= 13, "at least ten renewals")
  }

  @Test func aKilledClientLeavesTheRobotSilentAndTheLineFree() async throws {
    let (frames, robot) = try await withSimulator { port in
      let killed = try Run(["stream", "--port", port, "--divisor", "4", "--packets", "40"])
      _ = try await killed.line()
      _ = try await killed.line()
      killed.signal(SIGKILL)
      _ = try await killed.end()
      // Half of a command, and noise, are left in the line.
      let half = try await SerialDevice.open(port)
      try await half.write([0x0D, 0xFF, 0xFF, 0x02])
      await half.close()
      let next = try await sphero(
        "stream", "--port", port, "--mask", "imu", "--divisor", "4", "--count", "50", "--format", "csv")
      #expect(next.code == 0 && next.lines.count == 51, "\(next.error)")
      return next.lines.count - 1
    }
    let sent = try #require(robot.error.firstMatch(of: /sent (\d+) sensor frames/).flatMap { Int($0.1) })
    #expect(sent <= frames + 40 + 40, "at most the rest of the finite count")
  }

  @Test func aSecondClientIsRefused() async throws {
    _ = try await withSimulator { port in
      let first = try Run(["stream", "--port", port])
      _ = try await first.line()
      let second = try await sphero("led", "1", "2", "3", "--port", port)
      #if os(Linux)
        let busy = "\(port) is held by sphero (pid \(first.process.processIdentifier))"
      #else
        let busy = "\(port) is busy"
      #endif
      #expect(second.code == 69 && second.error.contains(busy), "\(second.error)")
      first.signal(SIGTERM)
      #expect(try await first.end().code == 143)
      #expect(try await sphero("led", "1", "2", "3", "--port", port).code == 0)
    }
  }

  @Test func controlCStopsTheBallFirst() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = try Run(["roll", "90", "--for", "30s", "--port", "sim:", "--capture", capture, "-v"])
    try await Task.sleep(for: .milliseconds(400))
    run.signal(SIGINT)
    let outcome = try await run.end()
    #expect(outcome.code == 130)
    #expect(outcome.error.contains("speed=0 heading=90° state=stop"))
    #expect(try String(contentsOfFile: capture, encoding: .utf8).contains(" > FF FF 02 30 "))
  }

  @Test func aClosedTerminalStopsTheBallToo() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = try Run(["roll", "90", "--for", "30s", "--port", "sim:", "--capture", capture])
    try await Task.sleep(for: .milliseconds(600))
    run.signal(SIGHUP)
    #expect(try await run.end().code == 129)
    #expect(try await sphero("decode", capture).output.contains("speed=0 heading=90° state=stop"))
  }

  @Test func theTimeEndsAStreamThatBringsNothing() async throws {
    let run = try await sphero("stream", "--port", "sim:", "--divisor", "400", "--for", "200ms")
    #expect(run.code == 0 && run.lines.count <= 2)
  }

  @Test func aFullDiskIsAnErrorAndAnOldCaptureIsKept() async throws {
    let capture = freshPath()
    try Data("keep me".utf8).write(to: URL(filePath: capture))
    defer { try? FileManager.default.removeItem(atPath: capture) }
    #expect(try await sphero("ping", "--capture", capture, "--port", "/dev/no-such-robot").code == 69)
    #expect(try String(contentsOfFile: capture, encoding: .utf8) == "keep me")
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      return print("skipped: there is no /dev/full")
    }
    let full = try await sphero("led", "1", "2", "3", "--port", "sim:", "--capture", "/dev/full")
    #expect(full.code == 74 && full.error.contains("the capture is incomplete"))
    let script = "exec \"$0\" info --port sim: > /dev/full"
    let output = try await Run([], by: ["/bin/sh", "-c", script]).end()
    #expect(output.code == 74 && output.error.contains("cannot write the results"))
  }

  /// Ctrl-C ends a stream within a second whoever takes the capture; here the machine may be busy besides.
  private static let patience = Duration.seconds(3)

  private func interruptedStream(capturingTo path: String, after duration: Duration) async throws -> Outcome {
    let run = try Run([
      "stream", "--port", "sim:", "--mask", "all", "--divisor", "1", "--format", "csv", "--capture", path,
    ])
    for _ in 0..<20 { _ = try await run.line() }
    async let ending = run.end()
    try await Task.sleep(for: duration)
    let start = ContinuousClock.now
    run.signal(SIGINT)
    let outcome = try await ending
    #expect(ContinuousClock.now - start < Self.patience)
    return outcome
  }

  @Test func aCaptureToAPipeWithoutAReaderHoldsNothingUp() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let outcome = try await interruptedStream(capturingTo: fifo, after: .milliseconds(300))
    #expect(outcome.code == 130 && outcome.error.contains("the capture is incomplete"), "\(outcome.error)")
  }

  @Test func aCaptureToAPipeThatNobodyDrainsHoldsNothingUp() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    let descriptor = unsafe open(fifo, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    // A pipe of 64 KiB holds less than a second of this stream.
    let outcome = try await interruptedStream(capturingTo: fifo, after: .milliseconds(1_500))
    #expect(outcome.code == 130 && outcome.error.contains("the capture is incomplete"), "\(outcome.error)")
  }

  @Test func aCaptureThatFailsIsToldAndTheCommandGoesOn() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      return print("skipped: there is no /dev/full")
    }
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--divisor", "4", "--count", "50", "--format", "csv", "--capture",
      "/dev/full")
    #expect(outcome.lines.count == 51)
    #expect(outcome.code == 74 && outcome.error.contains("the capture ends here: /dev/full: write: "))
  }

  @Test func aCaptureBeginsWithItsHeader() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    #expect(try await sphero("led", "1", "2", "3", "--port", "sim:", "--capture", capture).code == 0)
    let text = try String(contentsOfFile: capture, encoding: .utf8)
    let pattern =
      /#: capture start=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z program="sphero" version="\d+\.\d+\.\d+" port="sim:"/
    let first = try #require(text.split(separator: "\n").first)
    #expect(first.wholeMatch(of: pattern) != nil, "\(first)")
  }

  @Test func closedDescriptorsDoNotBecomeTheLine() async throws {
    let (outcome, _) = try await withSimulator { port in
      try await Run([], by: ["/bin/sh", "-c", "exec \"$0\" led 1 2 3 -v --port \(port) <&- >&- 2>&-"]).end()
    }
    #expect(outcome.code == 0)
  }

  @Test func decodeWaitingForInputCanBeInterrupted() async throws {
    let fifo = freshPath()
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    defer { unsafe unlink(fifo) }
    // Held open for writing, so that reading waits.
    let descriptor = unsafe open(fifo, O_RDWR)
    defer { close(descriptor) }
    let run = try Run(["decode", fifo])
    try await Task.sleep(for: .milliseconds(400))
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
  }

  @Test func aClosedPipeIsAGracefulEnd() async throws {
    let run = try Run(["stream", "--port", "sim:", "--divisor", "4"])
    _ = try await run.line()
    try run.stopReading()
    let outcome = try await run.end()
    #expect(outcome.code == 0 && outcome.error.isEmpty)
  }

  @Test func eventsComeBetweenTheSamples() async throws {
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--mask", "imu", "--divisor", "4", "--count", "20", "--events", "--format",
      "json")
    #expect(outcome.lines.contains("{\"event\":\"Core.PowerNotification\",\"state\":\"ok\"}"))
    #expect(outcome.lines.count == 21)
    #expect(try await sphero("stream", "--port", "sim:", "--events", "--format", "csv").code == 64)
  }

  @Test func clocksAreCompared() async throws {
    let outcome = try await sphero(
      "ping", "--port", "sim:", "-n", "2", "--every", "10ms", "--clock", "--format", "json")
    let offsets = outcome.lines.compactMap {
      $0.firstMatch(of: /"clock_offset":(-?[0-9.]+)/).flatMap { Double($0.1) }
    }
    // Both clocks began when the process did.
    #expect(offsets.count == 2 && offsets.allSatisfy { abs($0) < 1_000 }, "\(outcome.output)")
  }

  @Test func everyVerbWorksAgainstTheSimulator() async throws {
    for words in [
      ["info"], ["ping", "-n", "2", "--every", "10ms"], ["roll", "45", "--for", "100ms"],
      ["roll", "0", "--keep"],
      ["stop"], ["calibrate", "--heading", "90"], ["led", "#ff8800", "--save"], ["led", "--tail", "9"],
      ["sleep", "--for", "30s"], ["stream", "--for", "100ms", "--format", "json"],
    ] {
      let outcome = try await Run(words + ["--port", "sim:"]).end()
      #expect(outcome.code == 0, "\(words) \(outcome.error)")
    }
  }
}
