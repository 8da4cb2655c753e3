// Lines to recorded robots: times, ends, files, and the session that was recorded.

import Foundation
import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReplayTransportTests {
  private func replay(_ text: String, _ mode: Replay.Mode) throws -> Replay {
    try Replay(CaptureReader.records(in: Array(text.utf8)), mode: mode)
  }

  @Test func packetsArriveAtTheirRecordedTimes() async throws {
    let text = "0 > \(ReplayTests.roll)\n0.5 < \(ReplayTests.rollAnswer)\n7200 < \(ReplayTests.event)"
    let replay = try replay(text, .strict)
    let time = VirtualTime()
    try await time.run {
      let line = ReplayTransport(replay, time: time)
      async let first = line.read()
      try await time.sleep(for: .seconds(1))
      try line.write(bytes(ReplayTests.roll))
      #expect(try await first == bytes(ReplayTests.rollAnswer))
      #expect(time.now == .milliseconds(1_500))
      #expect(try await line.read() == bytes(ReplayTests.event))
      #expect(time.now == .seconds(7_201))
      // The end, a second later, and for good.
      #expect(try await line.read() == nil)
      #expect(time.now == .seconds(7_202))
      #expect(try await line.read() == nil)
      #expect(throws: LinkError.closed) { try line.write([1]) }
    }
  }

  @Test func anUnexpectedCommandEndsTheLine() async throws {
    let line = ReplayTransport(try replay("> \(ReplayTests.roll)", .strict))
    let error = ReplayError.unexpected(
      seen: bytes(ReplayTests.version), expected: bytes(ReplayTests.roll))
    let reading = Task { try await line.read() }
    #expect(throws: error) { try line.write(bytes(ReplayTests.version)) }
    await #expect(throws: error) { try await reading.value }
    #expect(throws: error) { try line.write(bytes(ReplayTests.roll)) }
  }

  @Test func closingAndCancellingEndAWaitingRead() async throws {
    let line = ReplayTransport(try replay("0 > \(ReplayTests.roll)", .strict))
    let task = Task { try await line.read() }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    async let reading = line.read()
    try await Task.sleep(for: .milliseconds(20))
    line.close()
    #expect(try await reading == nil)
    #expect(throws: LinkError.closed) { try line.write([1]) }
  }

  // MARK: - Files

  private func withFile<Result>(_ text: String, _ body: (String) async throws -> Result) async throws
    -> Result
  {
    let path = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  @Test func filesCanBeReplayed() async throws {
    let path = fixtures.appending(path: "captures/get-version.capture").path
    for mode in Replay.Mode.allCases {
      let line = try await ReplayTransport.open(path: path, mode: mode)
      try line.write(bytes("FF FF 00 02 77 01 85"))
      #expect(try await line.read() == bytes("FF FF 00 77 09 01 03 01 00 00 33 00 00 47"))
      line.close()
    }
  }

  @Test func aNamedPipeIsReadWhenItsWriterComes() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
    try #require(unsafe mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    async let replay = Replay.reading(path: path)
    try await Task.sleep(for: .milliseconds(100))
    let writer = try #require(FileHandle(forWritingAtPath: path))
    try writer.write(contentsOf: Data("> FF FF 00 01 01 01 FC\n".utf8))
    try writer.close()
    #expect(try await replay.streams == [])
  }

  @Test func filesThatCannotBeReplayed() async throws {
    await #expect(throws: LinkError.notFound("/no/such/file")) {
      _ = try await ReplayTransport.open(path: "/no/such/file")
    }
    await #expect(throws: LinkError.failed("/", operation: "read", code: EISDIR)) {
      _ = try await ReplayTransport.open(path: "/")
    }
    _ = try await withFile("") { path in
      await #expect(throws: ReplayError.empty) { _ = try await ReplayTransport.open(path: path) }
    }
    _ = try await withFile("> FF\nhello\n") { path in
      await #expect(throws: CaptureError.self) { _ = try await ReplayTransport.open(path: path) }
    }
    try await withFile(String(repeating: "< 00\n", count: 100)) { path in
      await #expect(throws: ReplayError.tooLong(limit: 499)) {
        _ = try await ReplayTransport.open(path: path, longest: 499)
      }
      _ = try await ReplayTransport.open(path: path, longest: 500)
    }
    // The memory for an endless file is bounded.
    await #expect(throws: ReplayError.tooLong(limit: 1 << 20)) {
      _ = try await ReplayTransport.open(path: "/dev/zero", longest: 1 << 20)
    }
  }

  private func packets(_ pieces: [[UInt8]]) -> [Packet] {
    var decoder = PacketDecoder(from: .robot)
    decoder.append(pieces.joined())
    var packets: [Packet] = []
    while let packet = decoder.next() { packets.append(packet) }
    return packets
  }

  @Test(arguments: Recording.all) func recordingsOfRealRobotsReplay(_ recording: Recording) throws {
    let lines = try recording.lines
    guard recording.testDescription != "read-locator-ollie" else {
      // It has only a response.
      #expect(throws: ReplayError.empty) { try Replay(lines.map { .line($0) }) }
      return
    }
    var replay = try Replay(lines.map { .line($0) }, mode: .strict)
    var now = Duration.seconds(5)
    var outputs = [replay.output(at: now)]
    for line in lines where line.sender == .host {
      try replay.receive(line.bytes, at: now)
      now += .milliseconds(500)
      outputs.append(replay.output(at: now))
    }
    while let deadline = replay.nextDeadline { outputs.append(replay.output(at: deadline)) }
    let isAtEnd = replay.isAtEnd
    #expect(isAtEnd)
    let hasHost = lines.contains { $0.sender == .host }
    let expected = packets(lines.filter { $0.sender == .robot }.map(\.bytes)).filter { packet in
      // Responses without commands are not replayed.
      if case .response = packet { hasHost } else { true }
    }
    #expect(!expected.isEmpty && packets(outputs) == expected)
  }

  // MARK: - The recorded session

  /// The results of a program: a response, and samples with their arrival times.
  private struct Seen: Equatable, Sendable {
    var version: Core.GetVersioning.Response?
    var samples: [[Int16]] = []
    var times: [Duration] = []
  }

  private func program(_ line: some Transport, _ time: VirtualTime) async throws -> Seen {
    try await Robot.withRobot(on: line, time: time) { robot in
      var seen = Seen()
      seen.version = try await robot.send(Core.GetVersioning())
      try await robot.send(Motion.Roll(speed: 80, heading: 90))
      let start = time.now
      for try await sample in try await robot.samples(StreamRequest(mask: [.imu, .odometer], divisor: 4)) {
        seen.samples.append(sample.sample.rawWords)
        seen.times.append(time.now - start)
        if seen.samples.count == 500 { break }
      }
      try await robot.send(Motion.Roll(speed: 0, heading: 90))
      return seen
    }
  }

  private func recorded() async throws -> (Seen, [CaptureRecord]) {
    let time = VirtualTime()
    let memory = MemorySink()
    let seen = try await time.run {
      let (host, device) = MemoryTransport.pair()
      let robot = SimulatedRobot(SimulatedRobot.Configuration(), time: time)
      let life = Task(executorPreference: time) { await robot.serve(device) }
      let writer = CaptureWriter(to: memory, header: CaptureHeader(program: "test"), time: time)
      let result = try await self.program(RecordingTransport(host, to: [writer]), time)
      await life.value
      #expect(await writer.finish() == nil)
      return result
    }
    return (seen, await memory.records)
  }

  @Test(arguments: Replay.Mode.allCases) func aSessionGetsTheRecordedResults(_ mode: Replay.Mode) async throws
  {
    let (seen, records) = try await recorded()
    #expect(seen.samples.count == 500 && Set(seen.samples).count > 100)
    let time = VirtualTime()
    let again = try await time.run {
      try await self.program(ReplayTransport(Replay(records, mode: mode), time: time), time)
    }
    #expect(again.version == seen.version)
    #expect(again.samples == seen.samples)
    #expect(again.times == seen.times)
  }

  @Test func anotherProgramGetsAnError() async throws {
    let (_, records) = try await recorded()
    let time = VirtualTime()
    await #expect(throws: ReplayError.self) {
      try await time.run {
        let line = ReplayTransport(try Replay(records, mode: .strict), time: time)
        _ = try await Robot.withRobot(on: line, time: time) { robot in
          try await robot.send(Lights.SetRGBLED(red: 1, green: 2, blue: 3))
        }
      }
    }
  }
}
