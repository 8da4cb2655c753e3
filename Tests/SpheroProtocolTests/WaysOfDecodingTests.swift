// Decoding one by one, in place and with the running sum alone delivers the same packets for any bytes.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct WaysOfDecodingTests {
  /// The result of decoding a stream.
  private struct Result: Equatable {
    var packets: [Packet] = []
    var statistics: [PacketDecoder.Statistics] = []
    var pending: [Int] = []
    var rejected: [[CommandPacket]] = []
  }

  private enum Way: CaseIterable {
    /// By `next()`.
    case oneByOne
    /// By `forEachPacket(_:)`.
    case inPlace
    /// By `next()` of a decoder that always uses the running sum.
    case slow
    /// Alternately by `next()` and `forEachPacket(_:)`, with all overloads of `append(_:)`.
    case mixed
  }

  private static func decode(
    _ pieces: [[UInt8]], from sender: Sender, maximumEventLength: Int, expected: [EventID: Set<Int>],
    by way: Way,
    givingUp: Set<Int>
  ) -> Result {
    var decoder = PacketDecoder(
      from: sender, maximumEventLength: maximumEventLength, maximumBudget: way == .slow ? 0 : 1 << 16)
    decoder.expectedPayloadCounts = expected
    var result = Result()
    func drain(_ number: Int) {
      if way == .inPlace || way == .mixed && number.isMultiple(of: 2) {
        decoder.forEachPacket { header, payload in
          result.packets.append(Packet(header, payload: payload.indices.map { payload[$0] }))
        }
      } else {
        while let packet = decoder.next() { result.packets.append(packet) }
      }
      result.statistics.append(decoder.statistics)
      result.pending.append(decoder.pendingCount)
      result.rejected.append(decoder.takeRejectedCommands())
    }
    for (number, piece) in pieces.enumerated() {
      switch way == .mixed ? number % 4 : 0 {
      case 1: decoder.append(piece[...])
      case 2: decoder.append(piece.span)
      case 3: decoder.append(piece.lazy.map { $0 })
      default: decoder.append(piece)
      }
      drain(number)
      if givingUp.contains(number) {
        decoder.discardIncomplete()
        drain(number + 1)
      }
    }
    return result
  }

  /// Packets of one direction, some of them damaged, with noise and headers between them.
  static func stream(from sender: Sender, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let count = [0, 1, 20, Int.random(in: 0...90, using: &random), 254].randomElement(using: &random) ?? 0
      let high: ClosedRange<UInt8> = random.isTrue(0.2) ? 0xFC...0xFF : 0...0xFF
      let payload = (0..<count).map { _ in UInt8.random(in: high, using: &random) }
      let packet: Packet
      switch (sender, random.isTrue(0.3)) {
      case (.host, let isLong):
        packet = .command(
          CommandPacket(id: CommandID(0x02, isLong ? 0x41 : 0x30), sequence: 7, payload: payload))
      case (.robot, true):
        packet = .response(ResponsePacket(status: .ok, sequence: 9, payload: Array(payload.prefix(250))))
      case (.robot, false): packet = .event(EventPacket(id: EventID(0x03), payload: payload))
      }
      var wire = (try? packet.encoded()) ?? []
      if !wire.isEmpty, random.isTrue(0.3) {
        let place = Int.random(in: 0..<wire.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: wire[place] = UInt8.random(in: 0...0xFF, using: &random)
        case 1: wire.remove(at: place)
        case 2: wire.insert(0xFF, at: place)
        default: wire.removeSubrange(place...)
        }
      }
      if random.isTrue(0.2) {
        bytes += [[0xFF], [0xFF, 0xFE, 0x03], [0xFF, 0xFF]].randomElement(using: &random) ?? []
      }
      bytes += wire
    }
    return bytes
  }

  static func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
    let longest = [1, 7, 30, 300].randomElement(using: &random) ?? 1
    var (pieces, place) = ([[UInt8]](), 0)
    while place < bytes.count {
      let end = min(bytes.count, place + Int.random(in: 1...longest, using: &random))
      pieces.append(Array(bytes[place..<end]))
      place = end
    }
    return pieces
  }

  /// `SPHERO_STEPS` is the number of streams.
  @Test func allWaysAgree() {
    var run = RandomRun(steps: 2_000, seed: 0x5EED_0110)
    for _ in 0..<run.steps {
      var random = SeededGenerator(seed: run.seed)
      let sender = random.isTrue(0.5) ? Sender.robot : .host
      let pieces = Self.pieces(Self.stream(from: sender, &random), &random)
      let givingUp = Set(pieces.indices.filter { _ in random.isTrue(0.02) })
      let longest = [4096, 4096, 64].randomElement(using: &random) ?? 4096
      let expected: [EventID: Set<Int>] = random.isTrue(0.3) ? [EventID(0x03): [20, 254]] : [:]
      let results = Way.allCases.map {
        Self.decode(
          pieces, from: sender, maximumEventLength: longest, expected: expected, by: $0, givingUp: givingUp)
      }
      for (way, result) in zip(Way.allCases, results) where result != results[0] {
        Issue.record("\(way) differs: \(run.repetition) SPHERO_STEPS=1")
        return
      }
      run.next()
    }
  }

  @Test func allWaysAgreeOnDamagedStreams() {
    for damage in DamagedStream.Damage.allCases {
      let bytes = DamagedStream(damage, packets: 2_000, seed: 0x5EED_0111).bytes
      let pieces = stride(from: 0, to: bytes.count, by: 4096).map {
        Array(bytes[$0..<min($0 + 4096, bytes.count)])
      }
      let results = Way.allCases.map {
        Self.decode(pieces, from: .robot, maximumEventLength: 4096, expected: [:], by: $0, givingUp: [])
      }
      #expect(results.allSatisfy { $0 == results[0] }, "\(damage)")
      #expect(results[0].packets.count > 1_400, "\(damage)")
    }
  }

  @Test func anySequenceOfBytesCanBeAppended() throws {
    let wire = try Packet.response(ResponsePacket(status: .ok, sequence: 3, payload: [1, 2])).encoded()
    var decoder = PacketDecoder(from: .robot)
    decoder.append(wire)
    decoder.append([0x00, 0x00][...] + wire[...])
    decoder.append(wire.span)
    decoder.append(wire.lazy.map { $0 })
    decoder.append(Set<UInt8>())
    var count = 0
    while decoder.next() != nil { count += 1 }
    #expect(count == 4 && decoder.statistics.discarded == 2)
  }
}
