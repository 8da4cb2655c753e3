// The decoder finds the same packets however the bytes are cut, including packets inside damaged ones.

import SpheroProtocol
import TestSupport
import Testing

/// The result of decoding a stream.
struct Decoding: Equatable {
  var packets: [Packet] = []
  var discarded = 0
  var badChecksums = 0
  var pending = 0
  var falsePackets = 0

  init(_ pieces: some Sequence<[UInt8]>, from sender: Sender, maximumEventLength: Int = 4096) {
    var decoder = PacketDecoder(from: sender, maximumEventLength: maximumEventLength)
    for piece in pieces {
      decoder.append(piece)
      while let packet = decoder.next() { packets.append(packet) }
    }
    discarded = decoder.statistics.discarded
    badChecksums = decoder.statistics.badChecksums
    pending = decoder.pendingCount
    falsePackets = decoder.statistics.falsePackets
  }
}

func cut(_ bytes: [UInt8], into size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

@Suite(.ownThread) struct PacketDecoderTests {
  @Test(arguments: Vector.of("stream")) func stream(_ vector: Vector) throws {
    let wire = bytes(vector.hex)
    let fields = vector.fields
    let sender = fields.side == "robot" ? Sender.host : .robot
    let longest = fields.maxAsync ?? 4096
    let expected = try #require(fields.packets).map { try packet($0) }
    var ways: [[[UInt8]]] = [[wire], cut(wire, into: 1), cut(wire, into: 7)]
    if let chunks = fields.chunks { ways.append(chunks.map { bytes($0) }) }
    for pieces in ways {
      let decoding = Decoding(pieces, from: sender, maximumEventLength: longest)
      #expect(decoding.packets == expected, "in \(pieces.count) pieces")
      #expect(decoding.discarded == fields.discarded, "in \(pieces.count) pieces")
      #expect(decoding.badChecksums == fields.badChecksum, "in \(pieces.count) pieces")
      #expect(decoding.pending == fields.pending, "in \(pieces.count) pieces")
      if let sensor = fields.sensor, let valid = sensor.valid, case .event(let event) = decoding.packets.first
      {
        let mask = SensorMask(mask: sensor.mask, mask2: sensor.mask2)
        #expect((Sample.samples(in: event.payload, mask: mask) != nil) == valid)
      }
    }
  }

  private func packet(_ expected: Vector.Fields.ExpectedPacket) throws -> Packet {
    let payload = bytes(expected.data)
    switch expected.type {
    case "response":
      return .response(
        ResponsePacket(
          status: Status(rawValue: try #require(expected.mrsp)), sequence: try #require(expected.seq),
          payload: payload))
    case "async":
      return .event(EventPacket(id: EventID(try #require(expected.id)), payload: payload))
    default:
      var options: CommandPacket.Options = []
      if expected.answer == true { options.insert(.answer) }
      if expected.reset == true { options.insert(.resetTimeout) }
      return .command(
        CommandPacket(
          id: CommandID(try #require(expected.did), try #require(expected.cid)), options: options,
          sequence: try #require(expected.seq), payload: payload))
    }
  }

  /// All recorded and synthetic robot streams in a row, with noise between them.
  private static let longStream: [UInt8] = Vector.of("stream").filter { $0.fields.side == "host" }.flatMap {
    bytes($0.hex) + [0x0D, 0xFF]
  }

  @Test(arguments: [1, 2, 3, 5, 20, 64, 1024]) func cutsDoNotMatter(size: Int) {
    let whole = Decoding([Self.longStream], from: .robot)
    #expect(whole.packets.count > 70)
    #expect(Decoding(cut(Self.longStream, into: size), from: .robot) == whole)
  }

  /// The removal of decoded bytes changes all places in the decoder, and must not change the packets.
  @Test(arguments: [1, 2, 3, 7, 20]) func removalOfDecodedBytesDoesNotMatter(size: Int) {
    // FFh was lost inside an event, so that it ends with the head of the response after it.
    let event: [UInt8] = [0xFF, 0xFE, 0x06, 0x00, 0x05, 0xFF, 0x01, 0x00, 0x01, 0xF3]
    let broken = Array(event[..<5] + event[6...])
    let response: [UInt8] = [0xFF, 0xFF, 0x00, 0x2A, 0x01, 0xD4]
    // A false event contains two complete responses.
    let swallowed: [UInt8] = [0xFF, 0xFE, 0x06, 0x00, 0x0D] + response + response + [0xF2, 0x0D]
    var random = SeededGenerator(seed: 0x5EED_0030)
    let damaged: [UInt8] = (0..<400).flatMap { _ -> [UInt8] in
      [event, broken + response, response, swallowed, [0x0D]].randomElement(using: &random) ?? []
    }
    for stream in [Self.longStream, damaged] {
      // A single append removes nothing.
      #expect(Decoding(cut(stream, into: size), from: .robot) == Decoding([stream], from: .robot))
    }
    let whole = Decoding([damaged], from: .robot)
    #expect(whole.falsePackets > 50)

    // Packets that have been found but not delivered have places, too.
    var decoder = PacketDecoder(from: .robot)
    var packets: [Packet] = []
    for piece in cut(damaged, into: size) {
      decoder.append(piece)
      if let packet = decoder.next() { packets.append(packet) }
    }
    #expect(packets.count > 50)
    while let packet = decoder.next() { packets.append(packet) }
    #expect(packets == whole.packets)
  }

  /// The offsets of packets are those in the stream, also after the removal of decoded bytes.
  @Test func offsetsAreThoseOfTheStream() throws {
    let packet = Packet.event(EventPacket(id: EventID(0x08), payload: [1, 2, 3]))
    let bytes = try packet.encoded() + [0x0D]
    var decoder = PacketDecoder(from: .robot)
    for index in 0..<500 {
      decoder.append(bytes)
      let found = decoder.nextWithOffset()
      #expect(found?.packet == packet)
      #expect(found?.offset == index * bytes.count)
    }
  }

  @Test func everyByteIsAccountedFor() throws {
    let decoding = Decoding([Self.longStream], from: .robot)
    let delivered = try decoding.packets.reduce(0) { try $0 + $1.encoded().count }
    #expect(delivered + decoding.discarded + decoding.pending == Self.longStream.count)
  }

  @Test func discardingAFalseHeaderDeliversThePacketInside() throws {
    var decoder = PacketDecoder(from: .robot)
    let hidden = Packet.response(ResponsePacket(status: .ok, sequence: 1))
    decoder.append([0xFF, 0xFE, 0x03, 0x0F, 0xFF] + (try hidden.encoded()))
    let early = decoder.next()
    #expect(early == nil)
    #expect(decoder.pendingCount == 11)
    decoder.discardIncomplete()
    let found = decoder.next()
    #expect(found == hidden)
    #expect(decoder.statistics.discarded == 5)
  }

  @Test(arguments: [0, 1, 2, 3]) func everySOP2(_ bits: UInt8) throws {
    let packet = CommandPacket(id: Core.Ping.id, options: .init(rawValue: bits), sequence: 7)
    let wire = try Packet.command(packet).encoded()
    #expect(wire[1] == 0xFC | bits)
    #expect(Decoding([wire], from: .host).packets == [.command(packet)])
  }

  /// DLEN FFh means 254 bytes of payload, except for three commands, for which it means a longer block.
  @Test func encodedPacketsAreDecoded() throws {
    for id in [CommandID(0x02, 0x41), CommandID(0x02, 0x43), CommandID(0x02, 0x47), CommandID(0x02, 0x51)] {
      for count in [0, 1, 252, 253, 254, 255, 275, 276, 277, 1023, 1024, 1025, 1028, 1029] {
        let packet = Packet.command(
          CommandPacket(id: id, sequence: 1, payload: Array(repeating: 0x5A, count: count)))
        let isMarker = id.longPayloadCount != nil
        guard count < (isMarker ? 254 : 255) || count == id.longPayloadCount else {
          let limit = isMarker ? 253 : 254
          #expect(throws: WireError.wrongCount(field: "payload", count: count, allowed: 0...limit)) {
            try packet.encoded()
          }
          continue
        }
        let decoding = Decoding([try packet.encoded()], from: .host)
        #expect(decoding.packets == [packet], "\(id), \(count) bytes")
        #expect(decoding.pending == 0)
      }
    }
  }

  @Test func noiseNeitherTrapsNorAccumulates() {
    let seed: UInt64 = 0x5EED_0001
    var random = SeededGenerator(seed: seed)
    for sender in Sender.allCases {
      var decoder = PacketDecoder(from: sender)
      for _ in 0..<2_000 {
        decoder.append(
          (0..<64).map { _ in Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random) }
        )
        while decoder.next() != nil {}
        #expect(decoder.pendingCount <= 4096 + 5, "seed \(seed)")
      }
    }
  }
}
