// Bounds, times and counts of captures, tables and recorded samples, calculated by hand.

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

  /// A record of ten bytes costs 74.
  @Test(arguments: [(74, 0), (73, 1)]) func aQueueAcceptsARecordThatFitsExactly(capacity: Int, dropped: Int) {
    var queue = CaptureQueue(capacity: capacity)
    queue.append(.line(CaptureLine(from: .host, bytes: [UInt8](repeating: 0, count: 10))))
    #expect(queue.droppedCount == dropped)
  }

  @Test func aDeleteCharacterIndicatesRawBytes() throws {
    let lines = try CaptureReader.lines(in: [0x41, 0x42, 0x7F])
    #expect(lines == [CaptureLine(from: .robot, bytes: [0x41, 0x42, 0x7F])])
  }

  /// The star abbreviates the gap before the next row, not the gap after it.
  @Test func aStarAppliesToTheNextRowOnly() throws {
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
    var row: [Double?] = []
    while try reader.next(into: &row) { rows.append(row) }
    return rows
  }

  @Test func aTableOfNumbersAndGaps() throws {
    #expect(try rows("time_s,yaw_deg\n0.0,1\r\n0.5,\n1,-2e1") == [[0, 1], [0.5, nil], [1, -20]])
  }

  /// Times are within 10^12 seconds, as those of captures.
  @Test(arguments: ["1000000000000", "-1e12", "1e300"]) func aTimeIsBounded(time: String) throws {
    #expect(try rows("yaw_deg,time_s\n1e12,999999999999\n") == [[1e12, 999_999_999_999]])
    let error = #expect(throws: TableError.self) { try rows("yaw_deg,time_s\n1,0\n2,\(time)\n") }
    #expect(error?.description == "line 3: the number in column 'time_s' is too large for a time")
  }

  /// A picture keeps thousands of values for each column.
  @Test func theNumberOfColumnsIsBounded() throws {
    func table(_ count: Int) -> String {
      let values = Array(repeating: "1", count: count)
      return (["time_s"] + values.dropFirst().map { "a\($0)" }).joined(separator: ",") + "\n"
        + values.joined(separator: ",")
    }
    #expect(try rows(table(1_000)).first?.count == 1_000)
    let error = #expect(throws: TableError.self) { try rows(table(1_001)) }
    #expect(error?.description == "line 1: the table has 1001 columns, but at most 1000 are read")
  }

  @Test func aTextIsNoNumber() throws {
    #expect(
      try rows("time_s,attitude_reference,attitude_accuracy,yaw_deg\n0,\"arbitrary\",unknown,1\n") == [
        [0, nil, nil, 1]
      ])
  }

  @Test func aRowNamesItsRobot() throws {
    var reader = TableReader()
    reader.append(
      Array("robot,time_s\nblue,0\n\"sim:a=1,b=2\",1\n\"sim:a=1,b=2\",2\nrobot,time_s\nblue,3\n".utf8))
    var row: [Double?] = []
    var found: [String?] = []
    while try reader.next(into: &row) {
      #expect(row == [nil, Double(found.count)])
      found.append(reader.robot)
    }
    #expect(found == ["blue", "sim:a=1,b=2", "sim:a=1,b=2", "blue"])
  }

  @Test func aQuotedCommaOfTheHeaderIsPartOfTheName() throws {
    #expect(try rows("time_s,\"a,b\"\n0,1\n\"time_s\",\"a,b\"\n2,3\n") == [[0, 1], [2, 3]])
  }

  @Test func numbersAreThoseOfTheStandardLibrary() throws {
    var random = SeededGenerator(seed: 29)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...17, using: &random)
      var text = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      let point = Int.random(in: 0...(digits + 4), using: &random)
      if point <= digits { text.insert(".", at: text.index(text.startIndex, offsetBy: point)) }
      if Bool.random(using: &random) { text = "-" + text }
      let number = try #require(Double(text))
      #expect(try rows("yaw_deg\n\(text)\n") == [[number]], "\(text)")
    }
    for text in [".", "-", "--1", "1.2.3", "1-", "0x1", "inf", "1 2"]
    where Double(text.filter { $0 != " " }) == nil {
      #expect(throws: TableError.self, "\(text)") { try rows("time_s\n\(text)\n") }
    }
  }

  @Test func aRepeatedHeaderIsSkipped() throws {
    #expect(try rows("time_s,yaw_deg\n0,1\ntime_s,yaw_deg\n2,3\n") == [[0, 1], [2, 3]])
  }

  @Test(arguments: ["1", "1,2,3"]) func eachRowHasAValueForEachColumn(row: String) {
    let error = #expect(throws: TableError.self) { try rows("time_s,yaw_deg\n0,1\n\(row)\n") }
    #expect(error?.line == 3)
  }

  @Test func anInvalidNumberIsReportedWithItsLine() {
    let error = #expect(throws: TableError.self) { try rows("time_s,yaw_deg\n0,1\n1,one\n2,3\n") }
    #expect(error?.line == 3)
  }

  /// The limit is 64 KiB.
  @Test(arguments: [(65_536, true), (65_537, false)])
  func aLineOfATableHasABound(count: Int, isAllowed: Bool) {
    let text = "time_s\n1" + String(repeating: " ", count: count - 1) + "\n"
    #expect((try? rows(text)) == (isAllowed ? [[1]] : nil))
  }

  // MARK: Samples

  @Test func packetsBeforeTheRequestOfANewLineAreEarly() {
    var recorded = RecordedSamples()
    recorded.feed(sensorPacket([1]).span, from: .robot, at: .seconds(1))
    recorded.end()
    #expect(recorded.next() == nil && (recorded.unknownFormatPackets, recorded.earlyPackets) == (1, 0))
    recorded.reconnect()
    recorded.feed(sensorPacket([2]).span, from: .robot, at: .seconds(2))
    #expect(recorded.next() == nil)
    recorded.feed(sensorPacket([3]).span, from: .robot, at: .seconds(3))
    recorded.end()
    #expect(recorded.next() == nil && (recorded.unknownFormatPackets, recorded.earlyPackets) == (1, 2))
  }

  /// Two frames arrive at 1.0 s and two at 1.1 s. The second pair is 50 ms apart, and its last frame is at its arrival;
  /// the first pair is 2.5 ms apart, because the rate is still unknown.
  @Test func framesOfUnknownRateFillTheTimeBetweenPackets() {
    var recorded = RecordedSamples(StreamFormat(mask: SensorMask(.yaw), divisor: nil, frames: nil))
    var times: [Duration] = []
    for (packet, time) in [(sensorPacket([1, 2]), 1_000), (sensorPacket([3, 4]), 1_100)] {
      recorded.feed(packet.span, from: .robot, at: .milliseconds(time))
      recorded.end()
      while let sample = recorded.next() { times.append(sample.time) }
    }
    #expect(times == [.zero, .microseconds(2_500), .microseconds(52_500), .microseconds(102_500)])
  }

  /// The recording begins 1000 s after the epoch; the packet arrives half a second later.
  @Test func theWallClockIsThatOfTheArrival() {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: 1)
    var recorded = RecordedSamples(layout, wallClockStart: .seconds(1_000))
    recorded.feed(sensorPacket([1]).span, from: .robot, at: .milliseconds(500))
    var sample = recorded.next()
    recorded.end()
    sample = sample ?? recorded.next()
    #expect(sample?.wallClock == .milliseconds(1_000_500))
  }

  /// Four packets of 20 samples a second arrive at once, and the event behind them; another one arrives in time.
  @Test func anEventIsNotBeforeTheSamplesAheadOfIt() throws {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: 1)
    var recorded = RecordedSamples(layout, keepsEvents: true)
    recorded.feed(event.span, from: .robot, at: .milliseconds(100))
    // An event is found with the next line.
    recorded.feed([UInt8]().span, from: .robot, at: .milliseconds(100))
    var found = recorded.nextEvent()
    #expect(found != nil && found?.time == nil)
    for yaw: Int16 in 1...4 { recorded.feed(sensorPacket([yaw]).span, from: .robot, at: .milliseconds(500)) }
    recorded.feed(event.span, from: .robot, at: .milliseconds(510))
    recorded.feed([UInt8]().span, from: .robot, at: .milliseconds(510))
    found = recorded.nextEvent()
    #expect(found == nil, "the samples ahead of it come first")
    // Samples at 0, 50, 100 and 150 ms, of which the last may not be placed in time yet.
    while recorded.next() != nil {}
    found = recorded.nextEvent()
    let time = try #require(found?.time)
    #expect(time == .milliseconds(100) || time == .milliseconds(150), "\(time)")
    recorded.feed(event.span, from: .robot, at: .milliseconds(900))
    recorded.end()
    while recorded.next() != nil {}
    found = recorded.nextEvent()
    #expect(found?.time == .milliseconds(400))
    found = recorded.nextEvent()
    #expect(found == nil)
    var other = RecordedSamples(layout)
    other.feed(event.span, from: .robot, at: .zero)
    other.end()
    found = other.nextEvent()
    #expect(found == nil)
  }

  // MARK: Replays

  /// A command or a response with SOP1, SOP2 and CHK around its other bytes.
  private func framed(_ body: [UInt8]) -> [UInt8] { [0xFF, 0xFF] + body + [~body.reduce(0, &+)] }

  /// The power notification "ok".
  private let event: [UInt8] = [0xFF, 0xFE, 0x01, 0x00, 0x02, 0x02, 0xFA]

  /// The second recording lasts half a second and begins at the end of the first one, at 1 s.
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

  /// Two pending commands have the same sequence number: the first response belongs to the first one.
  @Test func theOldestCommandWithASequenceNumberIsAnsweredFirst() throws {
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

  /// A false header announces 127 bytes and times out, so a command 1.5 s later is answered.
  @Test func anIncompletePacketOfTheHostTimesOut() throws {
    var replay = try Replay([.line(CaptureLine(time: .zero, from: .robot, bytes: event))], mode: .loose)
    try replay.receive([0xFF, 0xFF, 0x02, 0x30, 0x01, 0x80], at: .zero)
    _ = replay.output(at: .zero)
    try replay.receive(framed([0x00, 0x01, 6, 1]), at: .milliseconds(1_500))
    #expect(replay.output(at: .milliseconds(1_500)) == framed([0, 6, 1]))
  }
}
