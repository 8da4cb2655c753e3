// Writers of captures: order, overflow, slow and failing sinks, files and pipes.

import Foundation
import SpheroProtocol
import SpheroRecording
import SpheroTransport
import TestSupport
import Testing

/// A sink that accepts records only while it is open.
private actor Gate: CaptureSink {
  private(set) var records: [CaptureRecord] = []
  private var isOpen: Bool
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var failure: LinkError?

  init(isOpen: Bool, failure: LinkError? = nil) { (self.isOpen, self.failure) = (isOpen, failure) }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  func write(_ record: CaptureRecord) async throws {
    if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    if let failure { throw failure }
    records.append(record)
  }
}

/// A sink that never accepts a record.
private struct Wall: CaptureSink {
  func write(_ record: CaptureRecord) async throws { try await Task.sleep(for: .seconds(600)) }
}

/// A sink that ignores cancellation, like a disk that hangs.
private struct UncancellableWall: CaptureSink {
  func write(_ record: CaptureRecord) async throws {
    await Task { try? await Task.sleep(for: .seconds(60)) }.value
  }
}

/// A line whose reads and writes fail.
private struct FailingLine: Transport {
  func read() async throws -> [UInt8]? { throw LinkError.lost("/dev/x") }
  func write(_ bytes: [UInt8]) async throws { throw LinkError.lost("/dev/x") }
  func close() async {}
}

@Suite(.timeLimit(.minutes(5))) struct CaptureWriterTests {
  private static let header = CaptureHeader(start: WallTime("2026-11-21T13:36:46Z"), program: "test")

  /// Shorter than the sleep of a sink that hangs, and longer than the delays of a busy computer.
  private static let forEver = Duration.seconds(50)

  private func line(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

  private func path() -> String {
    FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
  }

  /// Two commands that begin at the same moment must not write to one file.
  @Test func anEmptyCaptureOfAnotherWriterIsNotReplaced() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try CaptureFile(path, isReplacing: false)
    #expect(throws: LinkError.self) { try CaptureFile(path, isReplacing: false) }
    withExtendedLifetime(first) {}
  }

  /// A named pipe without a reader is opened with the first record; a file may have taken its place by then.
  @Test func aFileInThePlaceOfAPipeIsNotReplaced() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let capture = try CaptureFile(path, isReplacing: false)
    try FileManager.default.removeItem(atPath: path)
    try "kept".write(toFile: path, atomically: true, encoding: .utf8)
    await #expect(throws: LinkError.failed(path, operation: "create", code: EEXIST)) {
      try await capture.write(.mark(CaptureMark(.reconnection)))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
  }

  @Test func everythingIsWrittenInOrder() async throws {
    let gate = Gate(isOpen: true)
    let writer = CaptureWriter(to: gate, header: Self.header)
    for number in 0..<1_000 { writer.record(line(number), from: number.isMultiple(of: 2) ? .host : .robot) }
    writer.record(CaptureMark(.reconnection))
    #expect(await writer.finish() == nil)
    writer.record([0], from: .host)
    let records = await gate.records
    #expect(records.count == 1_002)
    #expect(records.first == .header(Self.header))
    #expect(records.compactMap(\.line?.bytes) == (0..<1_000).map(line))
    let times = records.compactMap(\.line?.time)
    #expect(times == times.sorted())
    guard case .mark(let mark) = records.last else {
      Issue.record("the last is no mark")
      return
    }
    #expect(mark.kind == .reconnection && mark.time ?? .zero >= times.last ?? .zero)
  }

  @Test func droppedLinesAreCountedInAMark() async throws {
    let gate = Gate(isOpen: false)
    // Space for the header and a few lines: 64 bytes for each, and the 2 bytes of a line.
    let writer = CaptureWriter(to: gate, header: Self.header, capacity: 400)
    try await Task.sleep(for: .milliseconds(500))
    for number in 0..<100 { writer.record(line(number), from: .host) }
    await gate.open()
    while await gate.records.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(500))
    writer.record([0xEE], from: .robot)
    let loss = try #require(await writer.finish())
    let records = await gate.records
    let kept = records.compactMap(\.line?.bytes)
    let count = kept.count - 1
    #expect(kept == (0..<count).map(line) + [[0xEE]])
    #expect(count >= 5 && count <= 6)
    guard case .mark(let mark) = try #require(records.dropLast().last) else {
      Issue.record("no mark before the last line")
      return
    }
    #expect(mark.kind == .incomplete && mark.lines == 100 - count && mark.time != nil)
    #expect(loss.count == 100 - count)
    #expect(loss.description.contains("the capture is incomplete: \(100 - count) lines are missing"))
  }

  @Test func aMarkSeparatesTheClientsOfAListener() async throws {
    struct Clients: Listener {
      func accept() async throws -> MemoryTransport? { MemoryTransport.pair().0 }
      func close() async {}
    }
    let gate = Gate(isOpen: true)
    let writer = CaptureWriter(to: gate, header: Self.header)
    let listener = RecordingListener(Clients(), to: [writer])
    for byte in 1...3 {
      let client = try #require(try await listener.accept())
      try await client.write([UInt8(byte)])
    }
    #expect(await writer.finish() == nil)
    let order = await gate.records.dropFirst().map { record in
      switch record {
      case .line(let line): line.bytes.map { "\($0)" }.joined()
      case .mark(let mark): mark.kind == .reconnection ? "reconnection" : "another mark"
      case .header: "header"
      }
    }
    #expect(order == ["1", "reconnection", "2", "reconnection", "3"])
  }

  @Test func aSinkThatWaitsIsCancelled() async throws {
    let writer = CaptureWriter(to: Wall(), header: Self.header)
    writer.record([1], from: .host)
    let start = ContinuousClock.now
    let loss = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await writer.finish(within: .milliseconds(200))
    }.value
    let duration = ContinuousClock.now - start
    #expect(duration >= .milliseconds(190), "a cancelled task also waits")
    #expect(duration < Self.forEver)
    #expect(loss == CaptureLoss(count: 2, reason: "they were not read in time"))
  }

  @Test func aSinkThatHangsIsAbandoned() async throws {
    let writer = CaptureWriter(to: UncancellableWall(), header: Self.header)
    let start = ContinuousClock.now
    let loss = await writer.finish(within: .milliseconds(100))
    #expect(loss == CaptureLoss(count: 1, reason: "they were not read in time"))
    #expect(ContinuousClock.now - start < Self.forEver)
  }

  @Test func aFailureIsReportedOnceAndTheLineContinues() async throws {
    let reports = Gate(isOpen: true)
    let failure = LinkError.failed("run", operation: "write", code: ENOSPC)
    let writer = CaptureWriter(to: Gate(isOpen: true, failure: failure), header: Self.header) { reason in
      try? await reports.write(.mark(CaptureMark(.gap, reason: reason)))
    }
    while await reports.records.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    for number in 0..<5 { writer.record(line(number), from: .host) }
    #expect(
      await writer.finish() == CaptureLoss(count: 6, reason: "run: No space left on device"))
    #expect(
      await reports.records == [.mark(CaptureMark(.gap, reason: "run: No space left on device"))])
  }

  // MARK: - Files

  @Test func aFileIsReadBack() async throws {
    let path = path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = CaptureWriter(to: try CaptureFile(path), header: Self.header)
    writer.record([0xFF, 0xFE], from: .host)
    #expect(await writer.finish() == nil)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("#: capture start=2026-11-21T13:36:46.000000Z program=\"test\"\n"))
    let records = try CaptureReader.records(in: Array(text.utf8))
    #expect(records.count == 2 && records.last?.line?.bytes == [0xFF, 0xFE])
    #expect(throws: LinkError.failed("/no/such/folder/x", operation: "create", code: ENOENT)) {
      _ = try CaptureFile("/no/such/folder/x")
    }
    let error = #expect(throws: LinkError.failed(path, operation: "create", code: EEXIST)) {
      _ = try CaptureFile(path, isReplacing: false)
    }
    #expect(error?.advice == "Choose another name, or remove the file first.")
  }

  @Test func aFullDiskIsAFailure() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return print("skipped: no /dev/full") }
    let writer = CaptureWriter(to: try CaptureFile("/dev/full"), header: Self.header)
    let loss = await writer.finish()
    #expect(loss == CaptureLoss(count: 1, reason: "/dev/full: No space left on device"))
  }

  private func withPipe<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let path = path()
    try #require(unsafe mkfifo(path, 0o600) == 0)
    defer { unsafe unlink(path) }
    return try await body(path)
  }

  @Test func aPipeWithoutAReaderDelaysNothing() async throws {
    try await withPipe { path in
      let start = ContinuousClock.now
      let writer = CaptureWriter(to: try CaptureFile(path), header: Self.header)
      writer.record([1], from: .host)
      let loss = await writer.finish(within: .milliseconds(200))
      #expect(loss?.count == 2)
      #expect(ContinuousClock.now - start < Self.forEver)
    }
  }

  @Test func aLateReaderGetsEverything() async throws {
    try await withPipe { path in
      let writer = CaptureWriter(to: try CaptureFile(path), header: Self.header)
      writer.record([1], from: .host)
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(await writer.finish(within: .seconds(60)) == nil)
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      let records = try CaptureReader.records(in: buffer.prefix(max(0, count)))
      #expect(records.count == 2 && records.last?.line?.bytes == [1])
    }
  }

  @Test func aReaderThatClosesThePipeIsAFailureWithoutASignal() async throws {
    try await withPipe { path in
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      // Foundation may ignore SIGPIPE in the whole process; the test restores its default effect.
      let former = signal(SIGPIPE, SIG_DFL)
      defer { _ = signal(SIGPIPE, former) }
      let writer = CaptureWriter(to: try CaptureFile(path), header: Self.header)
      // The header has been written.
      #expect(
        await eventually {
          var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          return unsafe poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLIN) != 0
        })
      close(descriptor)
      // A process that another test starts has a copy of the descriptor for a moment.
      #expect(
        await eventually {
          let other = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
          if other >= 0 { close(other) }
          return other < 0
        })
      writer.record([1], from: .host)
      let loss = await writer.finish()
      #expect(loss == CaptureLoss(count: 1, reason: "\(path): Broken pipe"))
    }
  }

  // MARK: - Lines

  @Test func timesAreThoseOfTheGivenClock() async throws {
    let time = VirtualTime()
    let gate = Gate(isOpen: true)
    try await time.run {
      try await time.sleep(for: .seconds(100))
      let (host, robot) = MemoryTransport.pair()
      let writer = CaptureWriter(to: gate, header: Self.header, time: time)
      let line = RecordingTransport(host, to: [writer])
      try await time.sleep(for: .milliseconds(1_500))
      try await line.write([1, 2])
      try await time.sleep(for: .milliseconds(31))
      robot.write([3])
      #expect(try await line.read() == [3])
      await line.close()
      #expect(try await line.read() == nil)
      #expect(await writer.finish() == nil)
    }
    #expect(
      await gate.records == [
        .header(Self.header), .line(CaptureLine(time: .milliseconds(1_500), from: .host, bytes: [1, 2])),
        .line(CaptureLine(time: .milliseconds(1_531), from: .robot, bytes: [3])),
      ])
  }

  @Test func aLineThatFailsIsMarked() async throws {
    let gate = Gate(isOpen: true)
    let writer = CaptureWriter(to: gate, header: Self.header)
    let line = RecordingTransport(FailingLine(), to: [writer])
    await #expect(throws: LinkError.lost("/dev/x")) { try await line.write([1]) }
    await #expect(throws: LinkError.lost("/dev/x")) { try await line.read() }
    await writer.finish()
    let marks = await gate.records.compactMap { record in
      if case .mark(let mark) = record { "\(mark.kind) \(mark.reason ?? "")" } else { nil }
    }
    #expect(await gate.records.dropFirst().first?.line?.bytes == [1])
    #expect(marks == ["unsent the link on /dev/x was lost", "gap the link on /dev/x was lost"])
  }
}
