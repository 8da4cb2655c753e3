// Recordings with pauses inside packets: the dissection and the samples of a recording see the same packets.

import SpheroProtocol
import SpheroRecording
import SpheroSession
import TestSupport
import Testing

@Suite(.aCoreEach) struct PausedStreamTests {
  /// What `sphero decode` and `sphero decode --samples` make of the same lines.
  private struct Both {
    var dissector = Dissector()
    var samples = RecordedSamples()
    var sensorPackets = 0

    mutating func feed(_ bytes: [UInt8], from sender: Sender, at time: Duration) {
      for item in dissector.append(bytes, from: sender, at: time) { note(item) }
      samples.feed(bytes.span, from: sender, at: time)
      while samples.next() != nil {}
    }

    mutating func end() {
      for item in dissector.finish() { note(item) }
      samples.end()
      while samples.next() != nil {}
    }

    private mutating func note(_ item: Dissection) {
      if case .event(let event) = item.packet, event.id == Sensing.SensorData.id { sensorPackets += 1 }
    }

    /// Whether both have seen the same; without a request, the layout of no sensor packet is known.
    var agree: Bool {
      Sender.allCases.allSatisfy { dissector.statistics(of: $0) == samples.statistics(of: $0) }
        && sensorPackets == samples.unreadPackets
    }
  }

  /// Pauses in µs, several of them a second or almost.
  private static let pauses = [
    0, 0, 0, 1, 1_000, 50_000, 400_000, 600_000, 999_999, 1_000_000, 1_000_001, 1_300_000, 2_500_000,
  ]

  private static func piece(from sender: Sender, _ random: inout SeededGenerator) throws -> [UInt8] {
    let number = UInt8.random(in: 0...0xFF, using: &random)
    switch (Int.random(in: 0..<8, using: &random), sender) {
    // Headers whose packet never comes, one of them twice; and bytes of no packet.
    case (0, .robot): return [0xFF, 0xFE, 0x07, 0x00, 0x60]
    case (0, .host): return [0xFF, 0xFF, 0x02, 0x30, number, 0x40]
    case (1, .robot): return [0xFF, 0xFE, 0x07, 0x0F, 0x00, 0xFF, 0xFF, 0x00, number, 0x30]
    case (1, .host): return [0xFF, 0xFF, 0x02, 0x30, number, 0xF0, 0xFF, 0xFF, 0x00, 0x01, number, 0x20]
    case (2, _): return (0..<3).map { _ in UInt8.random(in: 0...0xFF, using: &random) }
    case (_, .host): return try Packet.command(Core.Ping().packet(sequence: number)).encoded()
    case (3, .robot): return try Packet.response(ResponsePacket(status: .ok, sequence: number)).encoded()
    case (_, .robot):
      let words = Int.random(in: 1...12, using: &random)
      let payload = (0..<(2 * words)).map { _ in UInt8.random(in: 0...0xFF, using: &random) }
      return try Packet.event(EventPacket(id: Sensing.SensorData.id, payload: payload)).encoded()
    }
  }

  @Test(arguments: 1...60) func bothSeeTheSamePackets(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines: [(time: Int, sender: Sender, bytes: [UInt8])] = []
    for sender in Sender.allCases {
      let bytes = try (0..<40).flatMap { _ in try Self.piece(from: sender, &random) }
      var (place, time) = (0, 0)
      while place < bytes.count {
        let end = min(place + Int.random(in: 1...24, using: &random), bytes.count)
        lines.append((time, sender, Array(bytes[place..<end])))
        (place, time) = (end, time + (Self.pauses.randomElement(using: &random) ?? 0))
      }
    }
    var both = Both()
    for line in lines.sorted(by: { $0.time < $1.time }) {
      both.feed(line.bytes, from: line.sender, at: .microseconds(line.time))
      try #require(both.agree, "\(line)")
    }
    both.end()
    #expect(both.agree && both.sensorPackets > 0)
  }

  /// FF FE 07 claims 96 bytes, and FF FF 00 behind it 48: both are none a second after they came,
  /// and so the two packets of half a second later are seen then, not a second after the first header was dropped.
  @Test(arguments: [(999_999, 0), (1_000_000, 2), (1_400_000, 2)])
  func aHeaderInsideAFalsePacketHasItsOwnSecond(time: Int, packets: Int) {
    var both = Both()
    both.feed([0xFF, 0xFE, 0x07, 0x00, 0x60, 0xFF, 0xFF, 0x00, 0x01, 0x30], from: .robot, at: .zero)
    // Two of one word: FF FE 03 00 03, the word, CHK.
    both.feed([0xFF, 0xFE, 0x03, 0x00, 0x03, 0x00, 0x01, 0xF8], from: .robot, at: .milliseconds(500))
    both.feed([0xFF, 0xFE, 0x03, 0x00, 0x03, 0x00, 0x02, 0xF7], from: .robot, at: .milliseconds(500))
    both.feed([0xFF], from: .host, at: .microseconds(time))
    #expect(both.dissector.statistics(of: .robot).packets == packets)
    #expect(both.samples.statistics(of: .robot).packets == packets)
    #expect(both.agree && both.sensorPackets == packets)
  }

  /// Half a packet of 0.4 s and its rest of 1.3 s are one; of 0.4 s and 1.5 s they are none.
  @Test(arguments: [(1_300, 1), (1_399, 1), (1_400, 0), (1_500, 0)])
  func aPacketMayTakeASecond(milliseconds: Int, packets: Int) {
    var both = Both()
    both.feed([0x00, 0x00], from: .robot, at: .zero)
    both.feed([0xFF, 0xFE, 0x03], from: .robot, at: .milliseconds(400))
    both.feed([0x00, 0x03], from: .robot, at: .milliseconds(900))
    both.feed([0x00, 0x01, 0xF8], from: .robot, at: .milliseconds(milliseconds))
    both.end()
    #expect(both.agree && both.sensorPackets == packets)
  }
}
