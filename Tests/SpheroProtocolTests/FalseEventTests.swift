// Headers of undocumented events inside damaged sensor packets.

import SpheroProtocol
import Testing

@Suite struct FalseEventTests {
  /// A sensor packet by hand.
  private func packet(_ words: [UInt8], isDamaged: Bool = false) -> [UInt8] {
    let body = [0x03, 0x00, UInt8(words.count + 1)] + words
    let sum = ~body.reduce(0 as UInt8, &+)
    return [0xFF, 0xFE] + body + [isDamaged ? sum ^ 0xFF : sum]
  }

  /// ID 27h with a LEN of 4096 does not delay the next packet of a stream.
  @Test func aLongUndocumentedEventDelaysNothing() {
    let words: [UInt8] = [0xFF, 0xFE, 0x27, 0x10, 0x00, 0x01]
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [Sensing.SensorData.id: [6]]
    decoder.append(packet(words, isDamaged: true) + packet([0, 1, 0, 2, 0, 3]))
    #expect(decoder.next()?.payload == [0, 1, 0, 2, 0, 3])
  }

  /// An undocumented event of up to 256 bytes is delivered, and a documented one of any length.
  @Test(arguments: [(0x27, 255), (0x02, 1_508)] as [(UInt8, Int)])
  func otherEventsAreDelivered(id: UInt8, count: Int) {
    let body = [id, UInt8((count + 1) >> 8), UInt8((count + 1) & 0xFF)] + [UInt8](repeating: 7, count: count)
    var decoder = PacketDecoder(from: .robot)
    decoder.expectedPayloadCounts = [Sensing.SensorData.id: [6]]
    decoder.append([0xFF, 0xFE] + body + [~body.reduce(0, &+)])
    #expect(decoder.next()?.payload.count == count)
  }
}
