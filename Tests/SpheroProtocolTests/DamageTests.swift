// No intact packet of a damaged stream is lost, however the bytes were cut.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct DamageTests {
  static let count = 5_000

  private func decode(_ pieces: some Sequence<[UInt8]>, isLengthKnown: Bool) -> [Packet] {
    var decoder = PacketDecoder(from: .robot)
    if isLengthKnown { decoder.expectedPayloadCounts[Sensing.SensorData.id] = [20] }
    var packets: [Packet] = []
    for piece in pieces {
      decoder.append(piece)
      while let packet = decoder.next() { packets.append(packet) }
    }
    while decoder.pendingCount > 0 {
      decoder.discardIncomplete()
      while let packet = decoder.next() { packets.append(packet) }
    }
    return packets
  }

  @Test(arguments: DamagedStream.Damage.allCases, [0x5EED_0020, 0x5EED_0021] as [UInt64])
  func noIntactPacketIsLost(_ damage: DamagedStream.Damage, seed: UInt64) {
    let stream = DamagedStream(damage, packets: Self.count, seed: seed)
    for isLengthKnown in [true, false] {
      let packets = decode(stream.reads(seed: seed), isLengthKnown: isLengthKnown)
      let score = stream.score(packets)
      #expect(score.lost == 0, "seed \(seed), length known: \(isLengthKnown)")
      #expect(score.outOfOrder == 0, "seed \(seed), length known: \(isLengthKnown)")
      if isLengthKnown { #expect(score.wrong <= maximumWrong(stream, damage), "seed \(seed)") }
      let byteByByte = decode(stream.bytes.lazy.map { [$0] }, isLengthKnown: isLengthKnown)
      #expect(byteByByte == packets, "seed \(seed), length known: \(isLengthKnown)")
    }
  }

  /// The maximum number of damaged packets that an eight-bit checksum may accept.
  private func maximumWrong(_ stream: DamagedStream, _ damage: DamagedStream.Damage) -> Int {
    let stride = 26
    switch damage {
    case .clean: return 0
    case .light, .corrupt:
      return stream.isIntact.indices.count { index in
        let wire = stream.bytes[(index * stride)..<((index + 1) * stride)]
        return !stream.isIntact[index] && wire.starts(with: [0xFF, 0xFE, 0x03, 0x00, 0x15])
          && wire.dropFirst(2).reduce(0, &+) == 0xFF
      }
    // One lost FFh in each of about 150 packets, and one in 256 of the others.
    case .slip, .trunc: return stream.isIntact.count { !$0 } / 20
    }
  }

  private static let event = Packet.event(EventPacket(id: EventID(0x06), payload: [0xFF, 0x01, 0x00, 0x01]))
  private static let response = Packet.response(ResponsePacket(status: .ok, sequence: 0x2A))

  /// If FFh was lost, the SOP1 of the next packet is in the place of a correct CHK.
  @Test func aLostFFhLosesNoOtherPacket() throws {
    var broken = try Self.event.encoded()
    broken.remove(at: 5)
    for follower in [Self.event, Self.response] {
      let wire = broken + (try follower.encoded()) + (try Self.response.encoded())
      for size in [1, 3, wire.count] {
        let decoding = Decoding(cut(wire, into: size), from: .robot)
        #expect(Array(decoding.packets.dropFirst()) == [follower, Self.response])
        #expect(decoding.discarded == 0)
        #expect(decoding.falsePackets == 1)
      }
    }
  }

  /// A false packet may contain many packets and still have a correct checksum.
  @Test func packetsInsideAFalsePacketAreRecovered() throws {
    let one = try Self.event.encoded()
    // Twenty complete packets, and a part of another one.
    let swallowed = Array(repeating: one, count: 21).flatMap { $0 }
    for half in 1..<one.count {
      let inside = Array(swallowed.prefix(20 * one.count + half))
      let length = inside.count + 1
      // The byte after LEN makes the checksum correct.
      let header: [UInt8] = [0x08, UInt8(length >> 8), UInt8(length & 0xFF)]
      let filler = 0xFF &- (header + inside).reduce(0, &+)
      let wire = [0xFF, 0xFE] + header + [filler] + swallowed + one
      for size in [1, 7, wire.count] {
        let decoding = Decoding(cut(wire, into: size), from: .robot)
        #expect(Array(decoding.packets.suffix(22)) == Array(repeating: Self.event, count: 22), "half \(half)")
        #expect(decoding.packets.count == 23)
        #expect(decoding.falsePackets == 1)
        #expect(decoding.pending == 0)
      }
    }
  }

  @Test func textAfterAPacketHidesNoPacket() throws {
    let wire = try Self.event.encoded() + Array("u>".utf8) + Self.response.encoded() + [0xFF]
    for size in [1, wire.count] {
      let decoding = Decoding(cut(wire, into: size), from: .robot)
      #expect(decoding.packets == [Self.event, Self.response])
      #expect(decoding.discarded == 2)
      #expect(decoding.falsePackets == 0)
      #expect(decoding.pending == 1)
    }
  }

  /// A payload may contain the bytes of a packet.
  @Test func aSinglePacketInsideAnotherIsPayload() throws {
    let outer = Packet.event(EventPacket(id: EventID(0x08), payload: try Self.response.encoded() + [0x00]))
    let wire = try outer.encoded() + [0x00] + Self.event.encoded()
    for size in [1, wire.count] {
      let decoding = Decoding(cut(wire, into: size), from: .robot)
      #expect(decoding.packets == [outer, Self.event])
      #expect(decoding.falsePackets == 0)
    }
  }

  /// Two packets cannot share bytes: the one that ends first is delivered, even if both have arrived.
  @Test func thePacketThatEndsFirstIsDelivered() throws {
    let inner = try Self.response.encoded()
    // The payload ends with a header whose packet extends over CHK, a stray byte, a complete response and another CHK.
    let outer = Packet.event(EventPacket(id: EventID(0x08), payload: [0xFF, 0xFE, 0x08, 0x00, 0x09]))
    let start = try outer.encoded() + [0x00] + inner
    let check = ~start.dropFirst(7).reduce(0, &+)
    for size in [1, 5, start.count + 1] {
      let decoding = Decoding(cut(start + [check], into: size), from: .robot)
      #expect(decoding.packets == [outer, Self.response])
    }
    // Without the response, the same header begins a packet.
    let other = start.dropLast(inner.count) + [1, 2, 3, 4, 5, 6]
    let wire = Array(other) + [~other.dropFirst(7).reduce(0, &+)]
    for size in [1, 5, wire.count] {
      #expect(Decoding(cut(wire, into: size), from: .robot).packets.count == 2)
    }
  }

  /// Resynchronisation must not depend on how many bytes have arrived after a packet; found by Tests/Tools/fuzz.
  @Test(arguments: [
    "ffff57a920430000a920ff02ffff57a920ffffff00ff02ffff00bbffffbbff024300ffff024300"
  ]) func laterBytesDoNotMatter(_ hex: String) {
    let whole = Decoding([bytes(hex)], from: .robot)
    #expect(Decoding(cut(bytes(hex), into: 1), from: .robot) == whole)
  }

  @Test func knownLengthsRejectFalseHeaders() throws {
    let hidden = try Self.event.encoded()
    let wire: [UInt8] = [0xFF, 0xFE, 0x06, 0x01, 0x00] + hidden + [0xFF, 0xFE, 0x07, 0x00, 0x02]
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [EventID(0x06): [4, 8]]
    decoder.append(wire)
    let packet = decoder.next()
    #expect(packet == Self.event)
    // An event of unknown length may have any length.
    let nothing = decoder.next()
    #expect(nothing == nil)
    #expect(decoder.pendingCount == 5)
  }

  /// The MRSP of a refusal may equal the ID of an event; since a refusal has no payload, it is not rejected as one.
  @Test func knownLengthsRejectNoRefusal() throws {
    for status in [Status.badChecksum, .fragment, .unknownCommand, .badMessageFormat] {
      for sequence: UInt8 in 0...20 {
        var decoder = PacketDecoder(from: .robot)
        // MRSP 03, SEQ 1, DLEN 01 have the places of ID 03 and LEN 0101h of a sensor packet.
        decoder.expectedPayloadCounts = [EventID(status.rawValue): Set(0..<4096)]
        let refusal = Packet.response(ResponsePacket(status: status, sequence: sequence))
        decoder.append(try refusal.encoded() + Self.event.encoded())
        let (first, second) = (decoder.next(), decoder.next())
        #expect(first == refusal, "\(status), \(sequence)")
        #expect(second == Self.event)
      }
    }
  }

  /// An event with a damaged SOP2 is no response: responses with a payload have MRSP 00.
  @Test func knownLengthsRejectDamagedEvents() throws {
    let event = Packet.event(EventPacket(id: Sensing.SensorData.id, payload: Array(repeating: 1, count: 20)))
    var damaged = try event.encoded()
    damaged[1] = 0xFF
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [Sensing.SensorData.id: [20]]
    decoder.append(try damaged + event.encoded())
    let packet = decoder.next()
    #expect(packet == event)
  }

  /// Lengths that no packet can have are ignored.
  @Test func impossibleLengthsAreIgnored() throws {
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [EventID(0x06): [.min, -1, 4, 0xFFFE, 0xFFFF, .max]]
    decoder.append(try Self.event.encoded())
    let packet = decoder.next()
    #expect(packet == Self.event)
    decoder.append([0xFF, 0xFE, 0x06, 0x00, 0x00, 0xFF, 0xFE, 0x06, 0x00, 0x01, 0xF8])
    let none = decoder.next()
    #expect(none == nil)
    #expect(decoder.pendingCount == 0)
    // With an empty set, the event may have any length.
    decoder.expectedPayloadCounts = [EventID(0x06): []]
    decoder.append(try Self.event.encoded())
    let another = decoder.next()
    #expect(another == Self.event)
  }

  @Test func aReadMayEndBetweenFFhAndFEh() throws {
    let one = try Self.event.encoded()
    var decoder = PacketDecoder(from: .robot)
    for _ in 0..<100 {
      decoder.append(one.prefix(1))
      let early = decoder.next()
      #expect(early == nil)
      decoder.append(one.dropFirst())
      let packet = decoder.next()
      #expect(packet == Self.event)
    }
    #expect(decoder.statistics.discarded == 0)
  }
}
