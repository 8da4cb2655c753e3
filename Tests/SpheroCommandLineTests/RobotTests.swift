// The program with simulated robots: in its own process, and on a pseudo-terminal.

import Foundation
import SpheroProtocol
import SpheroSerial
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RobotTests {
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

  @Test func documentedLinesWork() async throws {
    let port = ["SPHERO_PORT": "sim:"]
    let run = try Run(["stream", "--mask", "accel,imu,quat", "--divisor", "20"], environment: port)
    #expect(try await run.line().contains("accel_x_g"))
    #expect(try await run.line().contains("0.000"))
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
    let led = try await sphero("led", "255", "0", "0", environment: port)
    #expect(led.code == 0 && led.output.isEmpty && led.error.isEmpty)
  }

  /// A timeout that no busy machine exceeds, which prevents retries.
  private static let patience = "60s"

  /// The commands after the handshake, which consists of pings: 00:01 without a payload.
  private func afterHandshake(_ robot: BareRobot) -> ArraySlice<BareRobot.Command> {
    let commands = robot.commands
    let handshake = commands.prefix { $0.id == [0x00, 0x01] && $0.payload.isEmpty && $0.bytes[1] == 0xFF }
    #expect(!handshake.isEmpty)
    return commands.dropFirst(handshake.count)
  }

  @Test func theBytesOfLED() async throws {
    let robot = try BareRobot()
    let outcome = try await sphero("led", "255", "0", "0", "--port", robot.path, "--timeout", Self.patience)
    robot.close()
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.error.isEmpty, "\(outcome.error)")
    let commands = afterHandshake(robot)
    let sequence = try #require(commands.first).sequence
    // 02 + 20 + 05 + FF, without the carry.
    let sum = 0x26 &+ sequence
    #expect(
      commands.map(\.bytes) == [[0xFF, 0xFF, 0x02, 0x20, sequence, 0x05, 0xFF, 0x00, 0x00, 0x00, ~sum]])
    #expect(sequence != 0)
  }

  @Test func sequenceNumbersBeginAtRandom() async throws {
    var first: Set<UInt8> = []
    for _ in 0..<4 {
      let robot = try BareRobot()
      _ = try await sphero("ping", "--count", "1", "--port", robot.path)
      robot.close()
      first.insert(try #require(robot.commands.first).sequence)
    }
    // All four are the same once in 16 million.
    #expect(first.count > 1 && !first.contains(0))
  }

  @Test func theBytesOfRoll() async throws {
    let robot = try BareRobot()
    let outcome = try await sphero(
      "roll", "90", "--for", "100ms", "--port", robot.path, "--timeout", Self.patience)
    robot.close()
    #expect(outcome.code == 0, "\(outcome.error)")
    let commands = afterHandshake(robot)
    let first = try #require(commands.firstIndex { $0.id == [0x02, 0x30] })
    // Before the ball moves: stop on disconnect is temporary option bit 0, and the permanent options are asked for.
    #expect(commands[..<first].map(\.id) == [[0x02, 0x37], [0x02, 0x36]])
    #expect(commands[..<first].map(\.payload) == [[0x00, 0x00, 0x00, 0x01], []])
    // Bit 4 of them is set, so that a motion time-out of 2,000 ms follows.
    #expect(commands.filter { $0.id == [0x02, 0x34] }.map(\.payload) == [[0x07, 0xD0]])
    #expect(!commands.contains { $0.id == [0x02, 0x35] }, "never written by itself")
    let motions = commands.filter { $0.id == [0x02, 0x30] }.map(\.payload)
    #expect(motions.first == [0x50, 0x00, 0x5A, 0x01] && motions.last == [0x00, 0x00, 0x5A, 0x00])
  }

  /// The ball rolls on after a lost link, and for the longest motion timeout, FFFFh, if the robot has one.
  @Test func rollAndKeepSetsTheLongestTimeout() async throws {
    let robot = try BareRobot()
    let outcome = try await sphero("roll", "90", "--keep", "--port", robot.path)
    robot.close()
    #expect(outcome.code == 0, "\(outcome.error)")
    // A set-point without an answer is sent again after a quarter of a second.
    let sent = afterHandshake(robot).map { $0.id + $0.payload }
    #expect(Set(sent) == [[0x02, 0x36], [0x02, 0x34, 0xFF, 0xFF], [0x02, 0x30, 0x50, 0x00, 0x5A, 0x01]])
  }

  @Test func aRefusalIsReported() async throws {
    var behaviour = BareRobot.Behaviour()
    // 04: unknown command ID.
    behaviour.status = { command, _ in command.id == [0x02, 0x20] ? 0x04 : 0x00 }
    let robot = try BareRobot(behaviour)
    let refused = try await sphero("led", "1", "2", "3", "--port", robot.path, "--timeout", Self.patience)
    robot.close()
    #expect(refused.code == 76 && refused.output.isEmpty)
    #expect(
      refused.error.contains("the robot refused Lights.SetRGBLED: unsupported")
        || refused.error.contains("the robot refused Lights.SetRGBLED: unknown"), "\(refused.error)")
    #expect(afterHandshake(robot).count == 1, "a refusal is not asked again")
  }

  /// A robot that refuses "get versioning" still shows its other answers; one that refuses all queries is an error.
  @Test(arguments: [([[0x00, 0x01], [0x02, 0x36]], 0), ([[0x00, 0x01]], 76)] as [([[UInt8]], Int32)])
  func aRefusedVersionHidesNothingElse(_ accepted: [[UInt8]], _ code: Int32) async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { command, _ in accepted.contains(command.id) ? 0x00 : 0x04 }
    let robot = try BareRobot(behaviour)
    let outcome = try await sphero("info", "--port", robot.path, "--timeout", Self.patience)
    robot.close()
    #expect(outcome.code == code, "\(outcome.error)")
    #expect(outcome.output.contains("permanent_options") == (code == 0), "\(outcome.output)")
  }

  @Test func aSilentDeviceIsNoRobot() async throws {
    var behaviour = BareRobot.Behaviour()
    behaviour.status = { _, _ in nil }
    let robot = try BareRobot(behaviour)
    let outcome = try await sphero("led", "1", "2", "3", "--port", robot.path, "--timeout", "100ms")
    let waited = ContinuousClock.now - robot.start
    robot.close()
    #expect(outcome.code == 69 && outcome.error.contains("no robot answers"), "\(outcome.error)")
    #expect(outcome.error.contains("still waiting"), "a remark while it waits")
    // Fifteen waits of 0.1 s, in which pings are sent at 0, 0.25 and 0.75 s.
    #expect(waited >= .milliseconds(1_500))
    #expect(
      robot.commands(0x00, 0x01).count <= 3 && afterHandshake(robot).isEmpty, "nothing but pings is sent")
  }

  @Test func aPulledCableEndsWhatMovesTheBall() async throws {
    let robot = try BareRobot()
    async let outcome = sphero("roll", "90", "--for", "5m", "--port", robot.path)
    try await robot.waitForCommand(0x02, 0x30)
    try await Task.sleep(for: .milliseconds(200))
    robot.close()
    let lost = try await outcome
    #expect(lost.code == 74 && lost.error.contains("was lost"), "\(lost.error)")
    #expect(lost.error.contains("the ball may roll on: 'sphero stop' stops it"), "\(lost.error)")
  }

  @Test func statisticsArePrinted() async throws {
    var robot = try BareRobot()
    func pings() async throws -> Outcome {
      try await sphero(
        "ping", "--count", "2", "--interval", "10ms", "--port", robot.path, "--statistics", "-q", "--format",
        "json", "--timeout", Self.patience)
    }
    var outcome = try await pings()
    // A first ping that a busy machine answers after a quarter of a second is sent twice.
    for _ in 0..<20 where robot.commands.count == 4 {
      robot.close()
      robot = try BareRobot()
      outcome = try await pings()
    }
    robot.close()
    let other = try BareRobot()
    let verbose = try await sphero("ping", "--count", "1", "--port", other.path, "-v")
    other.close()
    #expect(outcome.code == 0 && outcome.lines.count == 2 && outcome.output.contains("round_trip"))
    let any = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.error.utf8)) as? [String: Any], "\(outcome.error)")
    #expect(any["kind"] as? String == "statistics")
    let object = any.compactMapValues { $0 as? Double }
    // Three pings of 7 bytes: the handshake and two; answers of 6 bytes.
    #expect(object["packets"] == 3 && object["bytes_received"] == 18 && object["bytes_sent"] == 21)
    #expect(object["commands"] == 3 && object["checksum_failures"] == 0 && object["discarded_bytes"] == 0)
    for name in ["stalls", "renewals", "reconnections", "dropped_samples", "stray_answers"] {
      #expect(object[name] == 0, "\(name)")
    }
    let times = ["round_trip_min", "round_trip_median", "round_trip_p99"].compactMap { object[$0] }
    #expect(times.count == 3 && times == times.sorted() && times[0] > 0)
    let line = try #require(verbose.error.split(separator: "\n").first { $0.contains("statistics") })
    let count = other.commands.count
    #expect(
      line.hasPrefix(
        "sphero: statistics: packets \(count), bytes received \(6 * count), bytes sent \(7 * count), "
          + "commands \(count), "))
    #expect(count >= 2)
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
    // By the count of the robot, all samples arrived, and it sent little more than requested.
    let frames = try #require(
      robot.error.firstMatch(of: /sent (\d+) sensor frames/).flatMap { Int($0.1) }, "\(robot.error)")
    #expect(frames >= sent.count && frames <= sent.count + 60)
    let received = try #require(robot.error.firstMatch(of: /received (\d+) commands/).flatMap { Int($0.1) })
    let commands = try String(contentsOfFile: capture, encoding: .utf8).split(separator: "\n").filter {
      $0.contains(" > ")
    }.map { line in
      line.drop { $0 != ">" }.dropFirst(2).split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
    #expect(received == commands.count, "the robot received all that was sent")
    // Frames in a packet at bytes 8 and 9, the finite count at byte 14; a slow machine makes both larger.
    let asked = commands.filter { $0.count == 20 && $0[2...3] == [0x02, 0x11] && $0[14] > 0 }
      .map { (Int($0[8]) << 8 + Int($0[9])) * Int($0[14]) }
    let most = try #require(asked.max())
    #expect(asked.count > 900 / most && asked.allSatisfy { $0 >= 60 }, "renewed before the count ran out")
  }

  @Test func aKilledClientLeavesTheRobotSilentAndTheLineFree() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let (frames, robot) = try await withSimulator { port in
      let killed = try Run(["stream", "--port", port, "--divisor", "4", "--packets", "40"])
      _ = try await killed.line()
      _ = try await killed.line()
      killed.signal(SIGKILL)
      let printed = try await killed.end().lines.count
      // Half of a command, and noise, are left in the line.
      let half = try await SerialDevice.open(port)
      try await half.write([0x0D, 0xFF, 0xFF, 0x02])
      await half.close()
      let next = try await sphero(
        "stream", "--port", port, "--mask", "imu", "--divisor", "4", "--count", "50", "--format", "csv",
        "--capture", capture)
      #expect(next.code == 0 && next.lines.count == 51, "\(next.error)")
      return printed
    }
    let received = try String(contentsOfFile: capture, encoding: .utf8).ranges(of: " FF FE 03 00 ").count
    let sent = try #require(
      robot.error.firstMatch(of: /sent (\d+) sensor frames/).flatMap { Int($0.1) }, "\(robot.error)")
    // Samples that the first one received but did not print, and samples in transit when the second one ended.
    let slack = 20
    #expect(sent <= frames + 40 + received + slack, "at most the rest of the finite count")
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
    let run = try Run(["roll", "90", "--for", "5m", "--port", "sim:", "--capture", capture, "-v"])
    try await untilSent("02 30", in: capture)
    run.signal(SIGINT)
    let outcome = try await run.end()
    #expect(outcome.code == 130)
    #expect(outcome.error.contains("speed=0 heading=90° state=stop"))
  }

  @Test func aClosedTerminalStopsTheBallToo() async throws {
    let capture = freshPath()
    defer { try? FileManager.default.removeItem(atPath: capture) }
    let run = try Run(["roll", "90", "--for", "5m", "--port", "sim:", "--capture", capture])
    try await untilSent("02 30", in: capture)
    run.signal(SIGHUP)
    #expect(try await run.end().code == 129)
    #expect(try await sphero("decode", capture).output.contains("speed=0 heading=90° state=stop"))
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
    // The output of a line in the background fails during another line.
    let lines = "printf 'stream --hz 50\\nwait 5s\\n' | exec \"$0\" run - --port sim: > /dev/full"
    let run = try await Run([], by: ["/bin/sh", "-c", lines]).end()
    #expect(run.code == 74 && run.error.contains("cannot write the results"), "\(run.code) \(run.error)")
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
    try await run.handlesSignals()
    try await Task.sleep(for: .milliseconds(400))
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
  }

  #if os(Linux)
    /// On Darwin, the opening of a named pipe waits for its writer.
    @Test func decodeWaitingForAWriterCanBeInterrupted() async throws {
      let fifo = freshPath()
      #expect(unsafe mkfifo(fifo, 0o600) == 0)
      defer { unsafe unlink(fifo) }
      let run = try Run(["decode", fifo])
      try await run.handlesSignals()
      try await Task.sleep(for: .seconds(1))
      run.signal(SIGINT)
      #expect(try await run.end().code == 130)
    }
  #endif

  @Test func aClosedPipeIsAGracefulEnd() async throws {
    // Quiet: on a busy machine, a late confirmation of the simulated robot would be a remark.
    let run = try Run(["stream", "--port", "sim:", "--divisor", "4", "--quiet"])
    _ = try await run.line()
    try run.stopReading()
    let outcome = try await run.end()
    #expect(outcome.code == 0 && outcome.error.isEmpty)
  }

  @Test func eventsComeBetweenTheSamples() async throws {
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--mask", "imu", "--divisor", "4", "--count", "20", "--events", "--format",
      "json")
    // It may be before or after the first sample.
    let output = outcome.output.replacing(/"time":-?[0-9.]+,"name"/, with: #""time":null,"name""#)
    #expect(
      output.split(separator: "\n").contains(
        #"{"kind":"event","time":null,"name":"Core.PowerNotification","event":1,"fields":{"state":"ok","state_code":2},"#
          + #""payload":"02"}"#), "\(outcome.output)")
    #expect(outcome.lines.count == 21)
    #expect(try await sphero("stream", "--port", "sim:", "--events", "--format", "csv").code == 64)
  }

  @Test func clocksAreCompared() async throws {
    let outcome = try await sphero(
      "ping", "--port", "sim:", "-n", "2", "--interval", "10ms", "--clock", "--format", "json")
    let offsets = outcome.lines.compactMap {
      $0.firstMatch(of: /"clock_offset":(-?[0-9.]+)/).flatMap { Double($0.1) }
    }
    // Both clocks began when the process did.
    #expect(offsets.count == 2 && offsets.allSatisfy { abs($0) < 1_000 }, "\(outcome.output)")
  }

  @Test func everyVerbWorksAgainstTheSimulator() async throws {
    for words in [
      ["info"], ["ping", "-n", "2", "--interval", "10ms"], ["roll", "45", "--for", "100ms"],
      ["roll", "0", "--keep"],
      ["stop"], ["aim", "--heading", "90"], ["led", "#ff8800", "--save"], ["led", "--tail", "9"],
      ["sleep", "--for", "30s"], ["stream", "--for", "100ms", "--format", "json"],
    ] {
      let outcome = try await Run(words + ["--port", "sim:"]).end()
      #expect(outcome.code == 0, "\(words) \(outcome.error)")
    }
  }
}
