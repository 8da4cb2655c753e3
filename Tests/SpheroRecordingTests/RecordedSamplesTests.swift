// The samples of recordings, compared with those of a session and with times that were calculated by hand.

import SpheroProtocol
import SpheroRecording
import SpheroSession
import SpheroTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecordedSamplesTests {
  /// A request for yaw at 20 Hz, one frame per packet, 255 packets; and its response.
  private static let request = [
    "0.000 > FF FF 02 11 01 0E 00 14 00 01 00 01 00 00 FF 00 00 00 00 C8", "0.020 < FF FF 00 01 01 FD",
  ]

  private static func packet(_ words: Int16...) -> String { Hexadecimal.text(sensorPacket(words)) }

  private func samples(_ lines: [String], _ layout: StreamFormat? = nil) throws -> [TimedSample] {
    var recorded = RecordedSamples(layout)
    var samples: [TimedSample] = []
    for line in try CaptureReader.lines(in: Array(lines.joined(separator: "\n").utf8)) {
      recorded.feed(line.bytes.span, from: line.sender, at: line.time)
      while let sample = recorded.next() { samples.append(sample) }
    }
    recorded.end()
    while let sample = recorded.next() { samples.append(sample) }
    return samples
  }

  @Test func aLostPacketLeavesAGapInTheTimes() throws {
    // Ten packets every 50 ms from 0.1 s on; the eighth is lost.
    let lines = (0..<10).filter { $0 != 7 }.map { number in
      "\(Decimal.text(0.1 + 0.05 * Double(number), digits: 3)) < \(Self.packet(Int16(number)))"
    }
    let samples = try samples(Self.request + lines)
    #expect(samples.map { $0.sample.word(.yaw) } == [0, 1, 2, 3, 4, 5, 6, 8, 9])
    #expect(
      samples.map { $0.time.text(digits: 3) } == [
        "0.000", "0.050", "0.100", "0.150", "0.200", "0.250", "0.300", "0.400", "0.450",
      ])
  }

  /// A packet before the response belongs to an earlier stream, even if it has the length of the new one.
  @Test func aPacketOfAnEarlierStreamIsDropped() throws {
    let foreign = "0.010 < \(Self.packet(-1))"
    let lines = (0..<3).map { "0.\($0 + 1)00 < \(Self.packet(Int16($0)))" }
    let samples = try samples([Self.request[0], foreign, Self.request[1]] + lines)
    #expect(samples.map { $0.sample.word(.yaw) } == [0, 1, 2])
    // Without a response, packets count from 0.25 s on.
    let later = (3..<6).map { "0.\($0)00 < \(Self.packet(Int16($0)))" }
    let unanswered = try self.samples([Self.request[0], foreign] + lines[..<1] + later)
    #expect(unanswered.map { $0.sample.word(.yaw) } == [3, 4, 5])
  }

  @Test func withoutTimesSamplesHaveTheNominalPeriod() throws {
    let lines = (0..<3).map { "< \(Self.packet(Int16($0)))" }
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 3, frames: nil)
    #expect(
      try samples(lines, layout).map { $0.time } == [
        .zero, .microseconds(7_500), .microseconds(15_000),
      ])
    #expect(try samples(lines).isEmpty)
  }

  /// The times of many recordings in one file exceed those that a sample can have.
  @Test func theTimesOfManyRecordingsNeverDecrease() throws {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: 1)
    let lines = (0..<40).flatMap { _ in
      ["0", "0.05", "999999999999"].map { "\($0) < \(Self.packet(1))" }
    }
    let times = try samples(lines, layout).map { $0.time }
    #expect(times.count == lines.count)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// A late packet is held back until the next one, at any position, even if a response arrives between them.
  @Test func aLatePacketIsKept() throws {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 1, frames: 10)
    for late in 195...215 {
      var recorded = RecordedSamples(layout)
      var samples: [TimedSample] = []
      func take(_ line: String) throws -> Int {
        let line = try CaptureLine(parsing: line)
        recorded.feed(line.bytes.span, from: line.sender, at: line.time)
        let before = samples.count
        while let sample = recorded.next() { samples.append(sample) }
        return samples.count - before
      }
      for number in 0..<230 {
        let time = 1 + 0.025 * Double(number) + (number == late ? 0.0235 : 0)
        let n = Int16(10 * number)
        let packet = Self.packet(n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9)
        // The samples of a line are found with the next one.
        let taken = try take("\(Decimal.text(time, digits: 3)) < \(packet)")
        let isWaiting = number == 0 || number == late + 1
        try #require(taken == (isWaiting ? 0 : number == late + 2 ? 20 : 10), "\(late) \(number)")
        if number == late {
          try #require(take("\(Decimal.text(time + 0.001, digits: 3)) < FF FF 00 09 01 F5") == 0)
        }
      }
      recorded.end()
      while let sample = recorded.next() { samples.append(sample) }
      #expect(samples.map { $0.sample.word(.yaw) } == (0..<2_300).map { Int16($0) })
      for (number, sample) in samples.enumerated() {
        #expect(
          abs((sample.time - .microseconds(2_500) * number) / .milliseconds(1)) < 0.5, "\(late) \(number)")
      }
    }
  }

  /// Neither consumed frames nor payloads without samples are kept.
  @Test func memoryIsBounded() throws {
    var recorded = RecordedSamples(StreamFormat(mask: SensorMask(.yaw), divisor: 1, frames: nil))
    let packet = try CaptureLine(parsing: "< \(Self.packet(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))").bytes
    // A Level 1 diagnostic message (02h) of 99 characters.
    let text = [0xFF, 0xFE, 0x02, 0, 100] + [UInt8](repeating: 0x41, count: 99)
    let message = text + [~text.dropFirst(2).reduce(0, &+)]
    var count = 0
    for number in 0..<10_000 {
      recorded.feed((number.isMultiple(of: 2) ? packet : message).span, from: .robot, at: nil)
      while recorded.next() != nil { count += 1 }
    }
    #expect(count == 50_000)
    // Nor are lines without bytes kept while a packet of 3840 bytes is incomplete.
    let (header, nothing): ([UInt8], [UInt8]) = ([0xFF, 0xFE, 0x07, 0x0F, 0x00], [])
    recorded.feed(header.span, from: .robot, at: nil)
    for _ in 0..<10_000 { recorded.feed(nothing.span, from: .robot, at: nil) }
    #expect(recorded.next() == nil)
  }

  /// Packets inside a false packet are found in their order.
  @Test(arguments: [1, 7, 300]) func packetsAfterAFalseHeader(each: Int) throws {
    var recorded = RecordedSamples(StreamFormat(mask: SensorMask(.yaw), divisor: 1, frames: nil))
    let header: [UInt8] = [0xFF, 0xFE, 0x07, 0x0F, 0x00]
    var words: [Int16?] = []
    for number in 0..<300 {
      if number.isMultiple(of: each) {
        recorded.end()
        recorded.feed(header.span, from: .robot, at: nil)
      }
      let bytes = try CaptureLine(parsing: "< \(Self.packet(Int16(number), Int16(-number)))").bytes
      recorded.feed(bytes.span, from: .robot, at: nil)
      // Only one sample is removed at a time, so that others are pending while more packets arrive.
      if let sample = recorded.next() { words.append(sample.sample.word(.yaw)) }
    }
    recorded.end()
    while let sample = recorded.next() { words.append(sample.sample.word(.yaw)) }
    let expected: [Int16?] = (0..<300).flatMap { (number: Int16) -> [Int16?] in [number, -number] }
    #expect(words == expected)
  }

  /// An incomplete packet is discarded after a second.
  @Test func aFalseHeaderTimesOut() throws {
    let lines = ["1.0 < FF FE 07 00 40", "1.5 < \(Self.packet(1))", "2.1 < \(Self.packet(2))"]
    #expect(try samples(Self.request + lines).map { $0.sample.word(.yaw) } == [1, 2])
    #expect(try samples(Self.request + lines.prefix(2)).map { $0.sample.word(.yaw) } == [1])
  }

  // Requests at 20 Hz with one frame per packet; the last one requests no response.
  private static let threeAngles = "> FF FF 02 11 07 0E 00 14 00 01 00 07 00 00 00 00 00 00 00 BB"
  private static let rollAndYaw = "> FF FF 02 11 08 0E 00 14 00 01 00 03 00 00 00 00 00 00 00 BE"
  private static let roll = "> FF FF 02 11 08 0E 00 14 00 01 00 02 00 00 00 00 00 00 00 BF"
  private static let pitchUnanswered = "> FF FE 02 11 09 0E 00 14 00 01 00 04 00 00 00 00 00 00 00 BC"

  /// A request in the recording overrides the given layout, even if its response was lost.
  @Test(arguments: ["yaw", "pitch,roll", "imu", "accel", "all"]) func aRequestOverridesTheGivenLayout(
    mask: String
  ) throws {
    let layout = StreamFormat(mask: try SensorMask(parsing: mask), divisor: 3, frames: nil)
    let lines = [Self.threeAngles, "< \(Self.packet(1, 2, 3))", "< \(Self.packet(4, 5, 6))"]
    let samples = try samples(lines, layout)
    #expect(samples.map { $0.sample.word(.pitch) } == [1, 4])
    #expect(samples.map { $0.sample.word(.yaw) } == [3, 6])
    #expect(samples.map { $0.time } == [.zero, .milliseconds(50)])
  }

  /// A packet before the response to its request counts, with any given layout.
  @Test(arguments: [nil, "imu", "yaw", "accel"]) func aPacketBeforeTheResponseCounts(mask: String?) throws {
    let layout = try mask.map {
      StreamFormat(mask: try SensorMask(parsing: $0), divisor: 20, frames: nil)
    }
    let lines = [
      Self.threeAngles, "< FF FF 00 07 01 F7", "< \(Self.packet(1, 2, 3))", Self.rollAndYaw,
      "< \(Self.packet(5, 6))", "< FF FF 00 08 01 F6", "< \(Self.packet(7, 8))",
    ]
    let samples = try samples(lines, layout)
    #expect(samples.map { $0.sample.word(.roll) } == [2, 5, 7])
    #expect(samples.map { $0.sample.word(.yaw) } == [3, 6, 8])
  }

  @Test func theResponseToAnOlderRequestHasNoEffect() throws {
    let lines = [Self.roll, Self.pitchUnanswered, "< FF FF 00 08 01 F6", "< \(Self.packet(9))"]
    #expect(try samples(lines).map { $0.sample.word(.pitch) } == [9])
    // The response to the newer request, which SOP2 FFh asks for, is still pending.
    let asked = Self.pitchUnanswered.replacing("FF FE", with: "FF FF")
    let both = [Self.rollAndYaw, asked, "< FF FF 00 08 01 F6", "< \(Self.packet(9))"]
    #expect(try samples(both).map { $0.sample.word(.pitch) } == [9])
  }

  /// Lines without a time are placed by the nominal period.
  @Test(arguments: [
    ["1.00", "1.05", "", "", "1.20", "1.25"], ["1.00", "", "1.10", "1.15", "", "1.25"],
    ["", "", "", "1.15", "1.20", ""], ["", "3.00", "", "", "", "3.20"],
    ["", "", "", "", "", ""], ["1.00", "1.05", "1.10", "1.15", "1.20", "1.25"],
  ]) func someLinesHaveNoTime(times: [String]) throws {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: nil)
    let lines = times.enumerated().map { "\($1) < \(Self.packet(Int16($0)))" }
    let samples = try samples(lines, layout)
    #expect(samples.map { $0.sample.word(.yaw) } == [0, 1, 2, 3, 4, 5])
    #expect(samples.map { $0.time } == (0..<6).map { .milliseconds(50 * $0) })
    #expect(samples.map { $0.arrival } == (0..<6).map { .milliseconds(50 * $0) })
  }

  /// One line of twenty at 20 Hz has a wrong time, or two lines are exchanged; none is lost.
  @Test(arguments: [
    [8: 10.5], [8: 1.6], [8: 1.3], [8: 0.5], [8: 1.39], [8: 1.5, 9: 1.4], [0: 5.0], [3: 9.0, 12: 0.1],
  ]) func aWrongTimeMovesNoSample(wrong: [Int: Double]) throws {
    var recorded = RecordedSamples(StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: nil))
    for number in 0..<20 {
      let seconds = wrong[number] ?? 1 + 0.05 * Double(number)
      recorded.feed(
        sensorPacket([Int16(number)]).span, from: .robot,
        at: .microseconds(Int64((seconds * 1e6).rounded())))
    }
    recorded.end()
    var samples: [TimedSample] = []
    while let sample = recorded.next() { samples.append(sample) }
    #expect(samples.map { $0.sample.word(.yaw) } == (0..<20).map { Int16($0) })
    #expect(recorded.lostFrames == 0)
    for (number, sample) in samples.enumerated() {
      #expect(abs((sample.time - .milliseconds(50) * number) / .milliseconds(1)) < 1, "\(sample.time)")
    }
  }

  /// Two recordings of half a second at 20 Hz in one file, without a header between them.
  @Test func theTimesOfARecordingWithoutAHeaderContinue() throws {
    let lines = (0..<10).map {
      "\(Decimal.text(1 + 0.05 * Double($0), digits: 2)) < \(Self.packet(Int16($0)))"
    }
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: nil)
    for second in [lines, [Self.request[0], Self.request[1]] + lines] {
      let samples = try samples(Self.request + lines + second, layout)
      #expect(samples.map { $0.sample.word(.yaw) } == (0..<20).map { Int16($0 % 10) })
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
      // The second request precedes its samples by a second.
      let start: Duration = .milliseconds(second.count == lines.count ? 500 : 1_500)
      #expect(
        samples.map { $0.time } == (0..<10).map { .milliseconds(50 * $0) }
          + (0..<10).map { start + .milliseconds(50 * $0) })
    }
  }

  /// A late packet that was held back precedes a packet without a time.
  @Test func aLatePacketPrecedesOneWithoutATime() throws {
    let layout = StreamFormat(mask: SensorMask(.yaw), divisor: 20, frames: nil)
    let times = (0..<8).map { "\(Decimal.text(1 + 0.05 * Double($0), digits: 2))" } + ["1.49", ""]
    let samples = try samples(
      times.enumerated().map { "\($1) < \(Self.packet(Int16($0)))" }, layout)
    #expect(samples.map { $0.sample.word(.yaw) } == (0..<10).map { Int16($0) })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  /// A session and a recording place packets with jitter and losses at the same times.
  @Test(arguments: [(4, 1), (20, 1), (1, 3)]) func aSessionHasTheSameTimes(divisor: Int, frames: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(divisor))
    let request = Sensing.SetDataStreaming(
      divisor: UInt16(divisor), frames: UInt16(frames), mask: .imu, packetCount: 200)
    var records: [CaptureLine] = []
    func add(_ packet: Packet, _ seconds: Double) throws {
      let time = Duration.microseconds(Int64((seconds * 1e6).rounded()))
      records.append(CaptureLine(time: time, from: packet.sender, bytes: try packet.encoded()))
    }
    try add(.command(try request.packet(sequence: 1)), 0)
    try add(.response(ResponsePacket(status: .ok, sequence: 1)), 0.004)
    var latest = 0.0
    for number in 0..<150 where Int.random(in: 0..<25, using: &random) > 0 {
      // The jitter is up to a third of a period; the order of packets does not change.
      let period = 0.0025 * Double(divisor * frames) * 1.002
      latest = max(
        latest + 1e-5, 0.02 + period * (Double(number) + Double.random(in: 0..<0.33, using: &random)))
      let words = (0..<(3 * frames)).map { Int16(number * 3 * frames + $0) }
      let payload = words.flatMap {
        [UInt8(UInt16(bitPattern: $0) >> 8), UInt8(UInt16(bitPattern: $0) & 0xFF)]
      }
      try add(.event(EventPacket(id: Sensing.SensorData.id, payload: payload)), latest)
    }
    var recorded = RecordedSamples()
    var read: [TimedSample] = []
    for line in records {
      recorded.feed(line.bytes.span, from: line.sender, at: line.time)
      while let sample = recorded.next() { read.append(sample) }
    }
    recorded.end()
    while let sample = recorded.next() { read.append(sample) }

    let time = VirtualTime()
    let replay = try Replay(records.map { .line($0) }, mode: .loose)
    let count = read.count - 2 * frames
    let streamed = try await time.run {
      try await Robot.withRobot(on: ReplayTransport(replay, time: time), time: time) { robot in
        var streamed: [TimedSample] = []
        let wanted = StreamRequest(
          mask: .imu, divisor: UInt16(divisor), frames: UInt16(frames), packets: 200)
        for try await sample in try await robot.samples(wanted) {
          streamed.append(sample)
          if streamed.count == count { break }
        }
        return streamed
      }
    }
    #expect(streamed.count == count && recorded.lostFrames > 0)
    for (live, kept) in zip(streamed, read) {
      #expect(live.sample == kept.sample)
      #expect(abs((live.time - kept.time) / .microseconds(1)) <= 2, "\(live.time) \(kept.time)")
    }
  }
}
