// Recordings with pauses inside packets: the dissection and the samples of a recording have the same packets.

import SpheroProtocol
import SpheroRecording
import SpheroSession
import TestSupport
import Testing

@Suite(.ownThread) struct PausedStreamTests {
  /// The decoders of `sphero decode` and `sphero decode --samples`, with the same input.
  private struct Both {
    var dissector = Dissector()
    var samples = RecordedSamples()
    var sensorPackets = 0

    mutating func feed(_ bytes: [UInt8], from sender: Sender, at time: Duration) {
      for item in dissector.append(bytes, from: sender, at: time) { count(item) }
      samples.feed(bytes.span, from: sender, at: time)
      while samples.next() != nil {}
    }

    mutating func end() {
      for item in dissector.finish() { count(item) }
      samples.end()
      while samples.next() != nil {}
    }

    /// Passes an empty line, with which the samples of the line before it are decoded.
    mutating func feedNothing(at time: Duration) {
      samples.feed([UInt8]().span, from: .host, at: time)
      while samples.next() != nil {}
    }

    private mutating func count(_ item: Dissection) {
      if case .event(let event) = item.packet, event.id == Sensing.SensorData.id { sensorPackets += 1 }
    }

    /// Whether both found the same packets; without a request, no sensor packet can be read.
    var agree: Bool {
      Sender.allCases.allSatisfy { dissector.statistics(of: $0) == samples.statistics(of: $0) }
        && sensorPackets == samples.unknownFormatPackets
    }
  }

  /// Pauses in microseconds, several of them near the timeout of one second.
  private static let pauses = [
    0, 0, 0, 1, 1_000, 50_000, 400_000, 600_000, 999_999, 1_000_000, 1_000_001, 1_300_000, 2_500_000,
  ]

  private static func piece(from sender: Sender, _ random: inout SeededGenerator) throws -> [UInt8] {
    let number = UInt8.random(in: 0...0xFF, using: &random)
    switch (Int.random(in: 0..<8, using: &random), sender) {
    // Headers of incomplete packets, some with a second header inside, and bytes between packets.
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

  @Test(arguments: 1...60) func bothFindTheSamePackets(seed: UInt64) throws {
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
      both.feedNothing(at: .microseconds(line.time))
      try #require(both.agree, "\(line)")
    }
    both.end()
    #expect(both.agree && both.sensorPackets > 0)
  }

  /// FF FE 07 announces 96 bytes, and FF FF 00 after it 48. Both time out a second after they arrived,
  /// so the two packets that arrived half a second later are found then.
  @Test(arguments: [(999_999, 0), (1_000_000, 2), (1_400_000, 2)])
  func aHeaderInsideAFalsePacketHasItsOwnTimeout(time: Int, packets: Int) {
    var both = Both()
    both.feed([0xFF, 0xFE, 0x07, 0x00, 0x60, 0xFF, 0xFF, 0x00, 0x01, 0x30], from: .robot, at: .zero)
    // Two packets of one word: FF FE 03 00 03, the word, CHK.
    both.feed([0xFF, 0xFE, 0x03, 0x00, 0x03, 0x00, 0x01, 0xF8], from: .robot, at: .milliseconds(500))
    both.feed([0xFF, 0xFE, 0x03, 0x00, 0x03, 0x00, 0x02, 0xF7], from: .robot, at: .milliseconds(500))
    both.feed([0xFF], from: .host, at: .microseconds(time))
    both.feedNothing(at: .microseconds(time))
    #expect(both.dissector.statistics(of: .robot).packets == packets)
    #expect(both.samples.statistics(of: .robot).packets == packets)
    #expect(both.agree && both.sensorPackets == packets)
  }

  /// A packet that begins at 0.4 s is complete at 1.3 s, and has timed out at 1.4 s.
  @Test(arguments: [(1_300, 1), (1_399, 1), (1_400, 0), (1_500, 0)])
  func aPacketTimesOutAfterASecond(milliseconds: Int, packets: Int) {
    var both = Both()
    both.feed([0x00, 0x00], from: .robot, at: .zero)
    both.feed([0xFF, 0xFE, 0x03], from: .robot, at: .milliseconds(400))
    both.feed([0x00, 0x03], from: .robot, at: .milliseconds(900))
    both.feed([0x00, 0x01, 0xF8], from: .robot, at: .milliseconds(milliseconds))
    both.end()
    #expect(both.agree && both.sensorPackets == packets)
  }
}
