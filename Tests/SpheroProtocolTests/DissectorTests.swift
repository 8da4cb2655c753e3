// The dissector names packets, matches responses with commands, follows streams and loses no byte.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

/// Bytes of one direction and their time.
struct RecordedBytes {
  var time: Duration?
  var sender: Sender
  var bytes: [UInt8]

  init(time: Duration? = nil, from sender: Sender, bytes: [UInt8]) {
    (self.time, self.sender, self.bytes) = (time, sender, bytes)
  }
}

extension Dissector {
  mutating func append(_ piece: RecordedBytes) -> [Dissection] {
    append(piece.bytes, from: piece.sender, at: piece.time)
  }
}

func dissect(_ pieces: some Sequence<RecordedBytes>, with dissector: Dissector = Dissector()) -> [Dissection]
{
  var dissector = dissector
  let items = pieces.reduce(into: []) { $0 += dissector.append($1) }
  return items + dissector.finish()
}

@Suite(.ownThread) struct DissectorTests {
  private func line(_ time: Double?, _ packet: Packet) throws -> RecordedBytes {
    RecordedBytes(
      time: time.map { .milliseconds(Int64($0 * 1000)) }, from: packet.sender, bytes: try packet.encoded())
  }
  private func ok(_ sequence: UInt8, _ payload: [UInt8] = []) -> Packet {
    .response(ResponsePacket(status: .ok, sequence: sequence, payload: payload))
  }

  @Test func textForm() throws {
    let roll = Packet.command(try Motion.Roll(speed: 128, heading: 90).packet(sequence: 7))
    let version = Packet.command(try Core.GetVersioning().packet(sequence: 8))
    let items = dissect([
      try line(0, roll), try line(0.031, ok(7)), try line(1, version),
      try line(1.0449, ok(8, [1, 3, 1, 0, 0, 0x33, 0, 0])),
      RecordedBytes(time: .seconds(12), from: .robot, bytes: [0x75, 0x3E]),
    ])
    #expect(
      items.map(\.description) == [
        " 0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive",
        " 0.031 < Motion.Roll        seq 7   ok",
        " 1.000 > Core.GetVersioning seq 8",
        " 1.044 < Core.GetVersioning seq 8   ok recordVersion=1 model=Sphero 2.0 (S3) hardware=1 mainAppVersion=0"
          + " mainAppRevision=0 bootloader=51 orbBasic=0 macroExecutive=0",
        "12.000 < discarded                  2 bytes: 75 3E",
      ])
    #expect(
      items[0].details == """
         0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive
                 11 bytes from 0: FF FF 02 30 07 05 80 00 5A 01 E6
                 [0]        speed              128
                 [1...2]    heading            90°
                 [3]        state              drive
        """)
  }

  // MARK: - Streams

  private static let imu = SensorMask.imu
  private func request(_ sequence: UInt8, _ mask: SensorMask, frames: UInt16 = 1) throws -> Packet {
    .command(
      try Sensing.SetDataStreaming(divisor: 20, frames: frames, mask: mask, packetCount: 200)
        .packet(sequence: sequence))
  }
  private func data(_ words: [Int16], mask: SensorMask) throws -> Packet {
    let stride = mask.wordCount
    let samples = Swift.stride(from: 0, to: words.count, by: stride).map {
      Sample(mask: mask, words: words[$0..<($0 + stride)])
    }
    return .event(EventPacket(id: Sensing.SensorData.id, payload: Sensing.SensorData(samples).frames))
  }

  @Test func streamIsFollowed() throws {
    let accel = SensorMask.accel
    let old = try data([1, 2, 3], mask: Self.imu)
    let new = try data([4096, 0, -2048], mask: accel)
    let refused = Packet.response(ResponsePacket(status: .badParameter, sequence: 3))
    let packets = [
      old, try request(1, Self.imu), ok(1), old,  // unknown, then known
      try request(2, accel), old, ok(2), new,  // the old layout up to the response
      try request(3, []), refused, new,  // a refusal changes nothing
      try request(4, [.imu, .accel], frames: 2), ok(4), old,  // a packet of an earlier layout
    ]
    let items = dissect(try packets.map { try line(nil, $0) })
    let samples = items.filter { $0.kind == .event }.map(\.samples)
    #expect(samples.map(\.count) == [0, 1, 1, 1, 1, 0])
    #expect(samples[2].first?[.yaw] == 3)
    #expect(samples[3].first?[.accelZ] == -0.5)
    #expect(items.last?.fields.map(\.name) == ["frames"])
    #expect(items[3].description == "       < Sensing.SensorData         pitch=1° roll=2° yaw=3°")
  }

  @Test func requestWithoutAnswerOptionTakesEffectImmediately() throws {
    guard case .command(var command) = try request(1, Self.imu) else { return }
    command.options = []
    let items = dissect(try [.command(command), data([1, 2, 3], mask: Self.imu)].map { try line(nil, $0) })
    #expect(items.last?.samples.count == 1)
  }

  @Test func presetMaskAppliesIfTheRequestIsMissing() throws {
    let packet = try data([1, 2, 3, 4, 5, 6], mask: Self.imu)
    let lines = [try line(nil, packet)]
    #expect(dissect(lines, with: Dissector(mask: Self.imu)).first?.samples.count == 2)
    #expect(dissect(lines, with: Dissector(mask: Self.imu, frames: 2)).first?.samples.count == 2)
    #expect(dissect(lines, with: Dissector(mask: Self.imu, frames: 1)).first?.samples.isEmpty == true)
  }

  // MARK: - Matching of responses

  @Test func responsesToAReusedNumberAreMatchedInOrder() throws {
    let items = dissect(
      try [
        .command(Core.Ping().packet(sequence: 0)), .command(Core.GetVersioning().packet(sequence: 0)),
        ok(0), ok(0, [1, 3, 1, 0, 0, 0x33, 0, 0]), ok(0),
      ].map { try line(nil, $0) })
    #expect(items.map(\.name) == ["Core.Ping", "Core.GetVersioning", "Core.Ping", "Core.GetVersioning", nil])
  }

  // MARK: - Discarded bytes

  @Test func aFalseHeaderIsDiscardedAfterASecond() throws {
    // The header claims 4096 bytes, so that twenty packets would wait.
    let header = RecordedBytes(time: .zero, from: .robot, bytes: [0xFF, 0xFE, 0x08, 0x10, 0x00])
    var dissector = Dissector()
    #expect(dissector.append(header).isEmpty)
    #expect(dissector.append(try line(0.5, ok(1))).isEmpty)
    #expect(dissector.append(try line(0.9, ok(2))).isEmpty)
    let items = dissector.append(try line(1.0, ok(3)))
    #expect(items.map(\.kind) == [.discarded, .response, .response, .response])
    #expect(items.map(\.sequence) == [nil, 1, 2, 3])
    #expect(items.map(\.offset) == [0, 5, 11, 17])
    #expect(items.map(\.time) == [.zero, .milliseconds(500), .milliseconds(900), .seconds(1)])
    #expect(dissector.finish().isEmpty)
  }

  @Test func packetsInsideAnIncompletePacketAreFoundAtTheEnd() throws {
    let items = dissect([
      RecordedBytes(from: .robot, bytes: [0xFF, 0xFE, 0x08, 0x0F, 0xFF]), try line(nil, ok(1)),
      RecordedBytes(from: .host, bytes: [0xFF]), try line(nil, ok(2)),
    ])
    #expect(items.map(\.kind) == [.discarded, .response, .response, .discarded])
    #expect(items.map(\.offset) == [0, 5, 12, 11])
  }

  private static let lines: [RecordedBytes] = Vector.all.flatMap { vector in
    let isCommand = vector.kind == "command" || vector.fields.side == "robot"
    return [
      RecordedBytes(from: isCommand ? .host : .robot, bytes: bytes(vector.hex)),
      RecordedBytes(from: .robot, bytes: [0x0D]),
    ]
  }

  @Test func noByteIsLost() {
    for sender in Sender.allCases {
      let all = Self.lines.filter { $0.sender == sender }.flatMap(\.bytes)
      let items = dissect(Self.lines).filter { $0.sender == sender }
      #expect(items.reduce(0) { $0 + $1.bytes.count } == all.count)
      let kinds = Set(items.map(\.kind))
      #expect(kinds == (sender == .host ? [.command, .discarded] : [.response, .event, .discarded]))
    }
  }

  @Test(arguments: [1, 7, 64]) func cutsDoNotMatter(size: Int) {
    let robot = Self.lines.filter { $0.sender == .robot }
    let whole = dissect([RecordedBytes(from: .robot, bytes: robot.flatMap(\.bytes))])
    #expect(
      dissect(cut(robot.flatMap(\.bytes), into: size).map { RecordedBytes(from: .robot, bytes: $0) }) == whole
    )
  }

  @Test func everyItemHasItsOffsetAndTime() {
    let stream = DamagedStream(.slip, packets: 1_000, seed: 0x5EED_0013)
    var dissector = Dissector()
    // The host's bytes count, too.
    var items = dissector.append(RecordedBytes(time: .zero, from: .host, bytes: [0, 0, 0]))
    for (place, byte) in stream.bytes.enumerated() {
      items += dissector.append(RecordedBytes(time: .milliseconds(place), from: .robot, bytes: [byte]))
    }
    items += dissector.finish()
    #expect(items.contains { $0.kind == .discarded })
    #expect(dissector.statistics(of: .robot).falsePackets > 0)
    for item in items where item.sender == .robot {
      let end = item.offset - 3 + item.bytes.count
      #expect(Array(stream.bytes[(item.offset - 3)..<end]) == item.bytes)
      #expect(item.time == .milliseconds(end - 1))
    }
  }

  @Test func rangesOfFieldsAreThoseOfTheirBytes() {
    for item in dissect(Self.lines) where item.kind != .discarded {
      #expect(item.fields.map(\.range.count).reduce(0, +) == item.packet?.payload.count, "\(item)")
    }
  }

  @Test func endlessNoiseIsReportedInParts() {
    var dissector = Dissector()
    var reported = 0
    for _ in 0..<100 {
      let items = dissector.append(RecordedBytes(from: .robot, bytes: Array(repeating: 0x55, count: 1000)))
      reported += items.reduce(0) { $0 + $1.bytes.count }
    }
    #expect(reported > 80_000)
    #expect(dissector.finish().reduce(reported) { $0 + $1.bytes.count } == 100_000)
    #expect(dissector.statistics(of: .robot).discarded == 100_000)
  }

  // MARK: - JSON

  @Test func jsonForm() throws {
    let items = dissect(
      [
        try line(0.25, .command(try Motion.Roll(speed: 128, heading: 90).packet(sequence: 7))),
        try line(0.5, ok(7)),
        try line(1, try data([4096, 1, -2], mask: .accel)),
        RecordedBytes(time: .seconds(2), from: .robot, bytes: [0x0D]),
      ], with: Dissector(mask: .accel))
    #expect(
      items.map(\.json) == [
        #"{"kind":"command","time":0.250000,"from":"host","name":"Motion.Roll","device":2,"command":48,"#
          + #""options":["answer","resetTimeout"],"options_code":255,"sequence":7,"#
          + #""fields":{"speed":128,"heading":90,"state":"drive","state_code":1},"payload":"80005a01","#
          + #""offset":0,"bytes":"ffff0230070580005a01e6"}"#,
        #"{"kind":"response","time":0.500000,"from":"robot","name":"Motion.Roll","device":2,"command":48,"#
          + #""sequence":7,"status":"ok","status_code":0,"fields":{},"payload":"","#
          + #""offset":11,"bytes":"ffff000701f7"}"#,
        #"{"kind":"event","time":1.000000,"from":"robot","name":"Sensing.SensorData","event":3,"#
          + #""fields":{"frames":"10000001fffe"},"payload":"10000001fffe","#
          + #""samples":[{"accel_x":1.0000,"accel_y":0.0002,"accel_z":-0.0005}],"#
          + #""offset":17,"bytes":"fffe03000710000001fffee7"}"#,
        #"{"kind":"discarded","time":2.000000,"from":"robot","offset":29,"bytes":"0d"}"#,
      ])
  }

  @Test func everyObjectParses() throws {
    for item in dissect(Self.lines) {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(item.json.utf8)) as? [String: Any], "\(item)")
      #expect(object["kind"] as? String == item.kind.rawValue)
      #expect((object["bytes"] as? String).map { bytes($0) } == item.bytes)
      #expect(object["offset"] as? Int == item.offset)
      #expect(object["sequence"] as? Int == item.sequence.map { Int($0) })
    }
  }

  @Test func textIsEscaped() throws {
    let text = (0...0xFF).map { UInt8($0) } + Array("\u{2028}é\"\\".utf8)
    let name = Packet.response(
      ResponsePacket(
        status: .ok, sequence: 1,
        payload: Array((text + text).prefix(16))
          + Array(text.suffix(16))))
    let items = dissect([
      try line(nil, .command(Core.GetBluetoothInfo().packet(sequence: 1))), try line(nil, name),
    ])
    let object =
      try JSONSerialization.jsonObject(with: Data(try #require(items.last).json.utf8)) as? [String: Any]
    let fields = try #require(object?["fields"] as? [String: Any])
    #expect(fields["name"] as? String == WireText(bytes: Array(text.prefix(16))).description)
  }

  @Test func noiseNeverTraps() {
    let seed: UInt64 = 0x5EED_0012
    var random = SeededGenerator(seed: seed)
    var dissector = Dissector(mask: .imu)
    let vectors = Vector.all.map { bytes($0.hex) }
    for round in 0..<3_000 {
      var bytes = vectors.randomElement(using: &random) ?? []
      if let index = bytes.indices.randomElement(using: &random), Bool.random(using: &random) {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let line = RecordedBytes(
        time: .milliseconds(round * 40), from: Bool.random(using: &random) ? .host : .robot, bytes: bytes)
      for item in dissector.append(line) {
        #expect(!item.details.isEmpty && !item.json.isEmpty, "seed \(seed), round \(round)")
      }
    }
  }

  @Test func anIncompletePacketTimesOutAfterASecond() {
    var decoder = TimedDecoder(from: .robot)
    decoder.append([0xFF, 0xFF, 0x00].span, at: .milliseconds(250))
    #expect(decoder.deadline == .milliseconds(1_250))
    #expect(decoder.discardExpired(at: .microseconds(1_249_999)) == nil)
    #expect(decoder.discardExpired(at: .milliseconds(1_250)) == .milliseconds(1_250))
  }

  /// A false header delays the packets inside its packet, which keep the times at which their last bytes arrived.
  @Test func recoveredPacketsHaveTheirOwnTimes() throws {
    var decoder = TimedDecoder(from: .robot)
    // FF FF 00 01 0D begins a response of 12 bytes, which contains two others and has a wrong checksum.
    let reads: [(Int, [UInt8])] = [
      (0, [0xFF, 0xFF, 0, 1, 0x0D, 0xFF, 0xFF, 0, 2, 1, 0xFC]), (300, [0xFF, 0xFF, 0, 3, 1, 0xFB, 0xF7]),
      (600, [0]),
    ]
    var found: [(UInt8, Duration?)] = []
    for (time, bytes) in reads {
      decoder.append(bytes.span, at: .milliseconds(time))
      while let (packet, time) = decoder.next() {
        if case .response(let response) = packet { found.append((response.sequence, time)) }
      }
    }
    let answers = found.filter { $0.0 > 1 }
    #expect(answers.map { $0.0 } == [2, 3])
    #expect(answers.map { $0.1 } == [.zero, .milliseconds(300)])
  }

  @Test func theTimesOfBytesWithoutPacketsAreForgotten() {
    var decoder = DirectionDecoder(.robot)
    var most = 0
    for count in 0..<100_000 {
      decoder.append([0x00].span, at: .milliseconds(count), offset: count)
      while decoder.next() != nil {}
      most = max(most, decoder.pieceCount)
    }
    // The newest bytes, at most those of two packets of 4101 bytes, may still be part of a packet.
    // Their number may double before the pieces are removed.
    #expect(most <= 2 * 2 * 4_101)
  }

  /// Set Configuration Block with 254 bytes instead of 1024, whose DLEN is FFh as well.
  @Test(arguments: [true, false]) func aShortConfigurationBlockIsAPacket(hasTimes: Bool) {
    let body = [0x02, 0x43, 0x07, 0xFF] + [UInt8](repeating: 0x11, count: 254)
    let block = [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
    let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x08, 0x01, 0xF5]
    var dissector = Dissector()
    var items = dissector.append(block, from: .host, at: hasTimes ? .zero : nil)
    items += dissector.append(ping, from: .host, at: hasTimes ? .seconds(2) : nil)
    items += dissector.finish()
    #expect(items.map { $0.packet == nil ? [] : $0.bytes } == [block, ping])
    #expect(items.first?.name == "Configuration.SetConfigurationBlock")
  }

  /// A client that gives all commands the number 0, and whose first answer is lost.
  @Test(arguments: [
    // Later than a second after the first command, the answer belongs to the second one.
    ("FF FF 02 30 00 05 00 00 00 00 C8", "FF FF 00 01 00 01 FD", "FF FF 00 00 01 FE", 3_000, "Core.Ping"),
    // Three bytes do not answer a ping.
    ("FF FF 00 01 00 01 FD", "FF FF 02 22 00 01 DA", "FF FF 00 00 04 01 02 03 F5", 100, "Lights.GetRGBLED"),
    ("FF FF 00 01 00 01 FD", "FF FF 02 22 00 01 DA", "FF FF 00 00 04 01 02 03 F5", nil, "Lights.GetRGBLED"),
    // A program that does not wait receives its answers in order.
    ("FF FF 00 01 00 01 FD", "FF FF 02 21 00 02 07 D3", "FF FF 00 00 01 FE", 100, "Core.Ping"),
  ])
  func anAnswerBelongsToACommandThatItFits(
    _ first: String, _ second: String, _ answer: String, _ milliseconds: Int?, _ name: String
  ) {
    var dissector = Dissector()
    _ = dissector.append(bytes(first), from: .host, at: milliseconds.map { _ in .zero })
    let later = milliseconds.map { Duration.milliseconds($0) }
    _ = dissector.append(bytes(second), from: .host, at: later)
    let items = dissector.append(bytes(answer), from: .robot, at: later.map { $0 + .milliseconds(50) })
    #expect(items.map(\.name) == [name])
  }
}
