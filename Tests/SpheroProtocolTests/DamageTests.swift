// No whole packet of a damaged stream is lost, however the bytes were cut.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.aCoreEach) struct DamageTests {
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
      decoder.giveUpOnIncomplete()
      while let packet = decoder.next() { packets.append(packet) }
    }
    return packets
  }

  @Test(arguments: DamagedStream.Damage.allCases, [0x5EED_0020, 0x5EED_0021] as [UInt64])
  func nothingWholeIsLost(_ damage: DamagedStream.Damage, seed: UInt64) {
    let stream = DamagedStream(damage, packets: Self.count, seed: seed)
    for isLengthKnown in [true, false] {
      let packets = decode(stream.reads(seed: seed), isLengthKnown: isLengthKnown)
      let score = stream.score(packets)
      #expect(score.lost == 0, "seed \(seed), length known: \(isLengthKnown)")
      #expect(score.outOfOrder == 0, "seed \(seed), length known: \(isLengthKnown)")
      if isLengthKnown { #expect(score.wrong <= wrongAtLeast(stream, damage), "seed \(seed)") }
      let byteByByte = decode(stream.bytes.lazy.map { [$0] }, isLengthKnown: isLengthKnown)
      #expect(byteByByte == packets, "seed \(seed), length known: \(isLengthKnown)")
    }
  }

  /// How many broken packets an eight-bit checksum must let pass.
  private func wrongAtLeast(_ stream: DamagedStream, _ damage: DamagedStream.Damage) -> Int {
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

  /// The next SOP1 passes as CHK wherever FFh was lost.
  @Test func aLostFFhTakesNoOtherPacket() throws {
    var broken = try Self.event.encoded()
    broken.remove(at: 5)
    for follower in [Self.event, Self.response] {
      let wire = broken + (try follower.encoded()) + (try Self.response.encoded())
      for size in [1, 3, wire.count] {
        let decoding = Decoding(cut(wire, into: size), from: .robot)
        #expect(Array(decoding.packets.dropFirst()) == [follower, Self.response])
        #expect(decoding.discarded == 0)
        #expect(decoding.refuted == 1)
      }
    }
  }

  /// A false header with a long length may swallow many packets and still have the right checksum.
  @Test func aFalsePacketGivesBackWhatItSwallowed() throws {
    let one = try Self.event.encoded()
    // Twenty whole packets and the half of another.
    let swallowed = Array(repeating: one, count: 21).flatMap { $0 }
    for half in 1..<one.count {
      let inside = Array(swallowed.prefix(20 * one.count + half))
      let length = inside.count + 1
      // The byte after LEN makes the checksum come out right.
      let header: [UInt8] = [0x08, UInt8(length >> 8), UInt8(length & 0xFF)]
      let filler = 0xFF &- (header + inside).reduce(0, &+)
      let wire = [0xFF, 0xFE] + header + [filler] + swallowed + one
      for size in [1, 7, wire.count] {
        let decoding = Decoding(cut(wire, into: size), from: .robot)
        #expect(Array(decoding.packets.suffix(22)) == Array(repeating: Self.event, count: 22), "half \(half)")
        #expect(decoding.packets.count == 23)
        #expect(decoding.refuted == 1)
        #expect(decoding.pending == 0)
      }
    }
  }

  @Test func textBehindAPacketHidesNothing() throws {
    let wire = try Self.event.encoded() + Array("u>".utf8) + Self.response.encoded() + [0xFF]
    for size in [1, wire.count] {
      let decoding = Decoding(cut(wire, into: size), from: .robot)
      #expect(decoding.packets == [Self.event, Self.response])
      #expect(decoding.discarded == 2)
      #expect(decoding.refuted == 0)
      #expect(decoding.pending == 1)
    }
  }

  /// A payload may hold what looks like a packet.
  @Test func oneWholePacketInsideAnotherIsPayload() throws {
    let outer = Packet.event(EventPacket(id: EventID(0x08), payload: try Self.response.encoded() + [0x00]))
    let wire = try outer.encoded() + [0x00] + Self.event.encoded()
    for size in [1, wire.count] {
      let decoding = Decoding(cut(wire, into: size), from: .robot)
      #expect(decoding.packets == [outer, Self.event])
      #expect(decoding.refuted == 0)
    }
  }

  /// Two packets cannot share bytes: the one that ends first is right, also where both have arrived.
  @Test func whatEndsFirstIsJudgedFirst() throws {
    let inner = try Self.response.encoded()
    // The payload ends in a header that claims CHK, a stray byte, a whole response and a CHK of its own.
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

  /// Whether a packet is doubted must not hang on how much has arrived after it; Tests/Tools/fuzz found these.
  @Test(arguments: [
    "ffff57a920430000a920ff02ffff57a920ffffff00ff02ffff00bbffffbbff024300ffff024300"
  ]) func whatComesLaterDoesNotMatter(_ hex: String) {
    let whole = Decoding([bytes(hex)], from: .robot)
    #expect(Decoding(cut(bytes(hex), into: 1), from: .robot) == whole)
  }

  @Test func knownLengthsRefuseFalseHeaders() throws {
    let hidden = try Self.event.encoded()
    let wire: [UInt8] = [0xFF, 0xFE, 0x06, 0x01, 0x00] + hidden + [0xFF, 0xFE, 0x07, 0x00, 0x02]
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [EventID(0x06): [4, 8]]
    decoder.append(wire)
    let packet = decoder.next()
    #expect(packet == Self.event)
    // Events that nothing is known of may have any length.
    let nothing = decoder.next()
    #expect(nothing == nil)
    #expect(decoder.pendingCount == 5)
  }

  /// A refusal has no payload, and an event's ID where its MRSP stands; a length it may seem to claim is no reason.
  @Test func knownLengthsSwallowNoAnswer() throws {
    for status in [Status.badChecksum, .fragment, .unknownCommand, .badMessageFormat] {
      for sequence: UInt8 in 0...20 {
        var decoder = PacketDecoder(from: .robot)
        // MRSP 03, SEQ 1, DLEN 01 is where a sensor packet has ID 03 and LEN 0101h.
        decoder.expectedPayloadCounts = [EventID(status.rawValue): Set(0..<4096)]
        let refusal = Packet.response(ResponsePacket(status: status, sequence: sequence))
        decoder.append(try refusal.encoded() + Self.event.encoded())
        let (first, second) = (decoder.next(), decoder.next())
        #expect(first == refusal, "\(status), \(sequence)")
        #expect(second == Self.event)
      }
    }
  }

  /// An event whose SOP2 was damaged is not an answer: answers with a payload have MRSP 00.
  @Test func knownLengthsRefuseDamagedEvents() throws {
    let event = Packet.event(EventPacket(id: Sensing.SensorData.id, payload: Array(repeating: 1, count: 20)))
    var damaged = try event.encoded()
    damaged[1] = 0xFF
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [Sensing.SensorData.id: [20]]
    decoder.append(try damaged + event.encoded())
    let packet = decoder.next()
    #expect(packet == event)
  }

  /// A longer list is no reason to look at more places; lengths that no packet can have do no harm.
  @Test func lengthsThatCannotBeAreLeftOut() throws {
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [EventID(0x06): [.min, -1, 4, 0xFFFE, 0xFFFF, .max]]
    decoder.append(try Self.event.encoded())
    let packet = decoder.next()
    #expect(packet == Self.event)
    decoder.append([0xFF, 0xFE, 0x06, 0x00, 0x00, 0xFF, 0xFE, 0x06, 0x00, 0x01, 0xF8])
    let none = decoder.next()
    #expect(none == nil)
    #expect(decoder.pendingCount == 0)
    // Without any length, nothing is known.
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
