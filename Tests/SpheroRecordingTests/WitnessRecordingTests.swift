// Bounds, times and counts of captures, tables and recorded samples, worked out by hand.

import SpheroProtocol
import SpheroRecording
import SpheroSession
import TestSupport
import Testing

@Suite struct WitnessRecordingTests {
  private func records(_ text: String) throws -> [CaptureRecord] {
    try CaptureReader.records(in: Array(text.utf8))
  }

  // MARK: Captures

  @Test(arguments: [(4_096, true), (4_097, false)])
  func aValueHas4096BytesAtMost(count: Int, isKept: Bool) throws {
    let word = String(repeating: "x", count: count)
    let header = try records("#: capture program=\"\(word)\" version=\"1\"\n")
    #expect(header == [.header(CaptureHeader(program: isKept ? word : nil, version: "1"))])
  }

  /// A record costs 64 bytes and its own: ten of them fit into 74.
  @Test(arguments: [(74, 0), (73, 1)]) func aQueueTakesWhatFitsExactly(capacity: Int, dropped: Int) {
    var queue = CaptureQueue(capacity: capacity)
    queue.append(.line(CaptureLine(from: .host, bytes: [UInt8](repeating: 0, count: 10))))
    #expect(queue.droppedCount == dropped)
  }

  @Test func deleteIsNoText() throws {
    let lines = try CaptureReader.lines(in: [0x41, 0x42, 0x7F])
    #expect(lines == [CaptureLine(from: .robot, bytes: [0x41, 0x42, 0x7F])])
  }

  /// The star stands for one row; the hole after the next row has none.
  @Test func aStarCountsForTheNextRowAlone() throws {
    let rows = "00000000: 4142\n*\n00000004: 4142\n"
    let lines = try CaptureReader.lines(in: Array(rows.utf8))
    #expect(lines.map(\.bytes) == [[0x41, 0x42], [0x41, 0x42, 0x41, 0x42]])
    #expect(throws: CaptureError.self) {
      try CaptureReader.lines(in: Array((rows + "00000008: 4142\n").utf8))
    }
  }

  // MARK: Tables

  private func rows(_ text: String) throws(TableError) -> [[Double?]] {
    var reader = TableReader()
    reader.append(Array(text.utf8))
    reader.finish()
    var rows: [[Double?]] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  @Test func aTableOfNumbersAndGaps() throws {
    #expect(try rows("time_s,yaw_deg\n0.0,1\r\n0.5,\n1,-2e1") == [[0, 1], [0.5, nil], [1, -20]])
  }

  @Test func theHeaderOfAJoinedTableIsLeftOut() throws {
    #expect(try rows("time_s,yaw_deg\n0,1\ntime_s,yaw_deg\n2,3\n") == [[0, 1], [2, 3]])
  }

  @Test(arguments: ["1", "1,2,3"]) func eachRowHasAValueForEachColumn(row: String) {
    let error = #expect(throws: TableError.self) { try rows("time_s,yaw_deg\n0,1\n\(row)\n") }
    #expect(error?.line == 3)
  }

  @Test func whatIsNoNumberIsNamedByItsLine() {
    let error = #expect(throws: TableError.self) { try rows("time_s,yaw_deg\n0,1\n1,one\n2,3\n") }
    #expect(error?.line == 3)
  }

  /// 64 KiB are allowed, and a byte more is not.
  @Test(arguments: [(65_536, true), (65_537, false)])
  func aLineOfATableHasABound(count: Int, isAllowed: Bool) {
    let text = "time_s\n1" + String(repeating: " ", count: count - 1) + "\n"
    #expect((try? rows(text)) == (isAllowed ? [[1]] : nil))
  }

  // MARK: Samples

  /// A packet of sensor words: FF FE 03, two bytes of length, the words, CHK.
  private func packet(_ words: Int16...) -> [UInt8] {
    let bytes = words.map { UInt16(bitPattern: $0) }.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let body: [UInt8] = [3, 0, UInt8(bytes.count + 1)] + bytes
    return [0xFF, 0xFE] + body + [~body.reduce(0, &+)]
  }

  @Test func packetsBeforeTheRequestOfANewLineAreEarly() {
    var recorded = RecordedSamples()
    recorded.feed(packet(1).span, from: .robot, at: .seconds(1))
    #expect(recorded.next() == nil && (recorded.unreadPackets, recorded.earlyPackets) == (1, 0))
    recorded.reconnect()
    recorded.feed(packet(2).span, from: .robot, at: .seconds(2))
    #expect(recorded.next() == nil)
    recorded.feed(packet(3).span, from: .robot, at: .seconds(3))
    #expect(recorded.next() == nil && (recorded.unreadPackets, recorded.earlyPackets) == (1, 2))
  }

  /// Two frames at 1.0 s and two at 1.1 s: the second two lie 50 ms apart, the last one at its arrival;
  /// the first two 2.5 ms apart, since nothing tells their rate.
  @Test func framesOfUnknownRateFillTheTimeBetweenPackets() {
    var recorded = RecordedSamples(StreamFormat(mask: SensorMask(.yaw), divisor: nil, frames: nil))
    var times: [Duration] = []
    for (packet, time) in [(packet(1, 2), 1_000), (packet(3, 4), 1_100)] {
      recorded.feed(packet.span, from: .robot, at: .milliseconds(time))
      while let sample = recorded.next() { times.append(sample.time) }
    }
    #expect(times == [.zero, .microseconds(2_500), .microseconds(52_500), .microseconds(102_500)])
  }

  /// A recording that began 1000 s after the epoch, and a packet half a second later.
  @Test func theWallClockGoesForward() {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: 1)
    var recorded = RecordedSamples(layout, wallClockStart: .seconds(1_000))
    recorded.feed(packet(1).span, from: .robot, at: .milliseconds(500))
    var sample = recorded.next()
    recorded.end()
    sample = sample ?? recorded.next()
    #expect(sample?.wallClock == .milliseconds(1_000_500))
  }

  // MARK: Replays

  /// A packet of a command or an answer: FF FF, two bytes, SEQ, DLEN, payload, CHK; or MRSP, SEQ, DLEN of an answer.
  private func framed(_ body: [UInt8]) -> [UInt8] { [0xFF, 0xFF] + body + [~body.reduce(0, &+)] }

  /// Power is ok: FF FE 01 00 02 02 FA.
  private let event: [UInt8] = [0xFF, 0xFE, 0x01, 0x00, 0x02, 0x02, 0xFA]

  /// The second recording takes half a second and begins where the first one ended, after a second.
  @Test func recordingsInOneFileFollowEachOther() throws {
    var records: [CaptureRecord] = []
    for (start, end) in [(0, 1_000), (500, 1_000)] {
      records.append(.header(CaptureHeader(program: "test")))
      for time in [start, end] {
        records.append(.line(CaptureLine(time: .milliseconds(time), from: .robot, bytes: event)))
      }
    }
    var replay = try Replay(records, mode: .loose)
    #expect(replay.output(at: .zero) == event)
    #expect(replay.output(at: .seconds(1)) == event + event)
    #expect(replay.output(at: .milliseconds(1_400)) == [])
    #expect(replay.output(at: .milliseconds(1_500)) == event)
  }

  /// Two commands wait under one number: the robot answers in order.
  @Test func ofTwoCommandsWithOneNumberTheFirstIsAnsweredFirst() throws {
    let (color, mode) = (framed([0x02, 0x22, 1, 1]), framed([0x02, 0x44, 1, 1]))
    let lines: [(Sender, [UInt8])] = [
      (.host, color), (.host, mode), (.robot, framed([0, 1, 4, 7, 8, 9])), (.robot, framed([0, 1, 2, 0])),
    ]
    let records = lines.enumerated().map { number, line in
      CaptureRecord.line(CaptureLine(time: .milliseconds(number), from: line.0, bytes: line.1))
    }
    var replay = try Replay(records, mode: .loose)
    try replay.receive(framed([0x02, 0x22, 5, 1]), at: .zero)
    #expect(replay.output(at: .seconds(1)) == framed([0, 5, 4, 7, 8, 9]))
  }

  /// A false header claims 127 bytes that never come; what follows a second and a half later is heard.
  @Test func aReplayedRobotGivesUpOnHalfAPacketAfterASecond() throws {
    var replay = try Replay([.line(CaptureLine(time: .zero, from: .robot, bytes: event))], mode: .loose)
    try replay.receive([0xFF, 0xFF, 0x02, 0x30, 0x01, 0x80], at: .zero)
    _ = replay.output(at: .zero)
    try replay.receive(framed([0x00, 0x01, 6, 1]), at: .milliseconds(1_500))
    #expect(replay.output(at: .milliseconds(1_500)) == framed([0, 6, 1]))
  }
}
