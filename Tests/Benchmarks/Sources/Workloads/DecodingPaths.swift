// Defines the decoding paths whose allocations are counted.

import SpheroProtocol

/// A way to decode bytes to packets or values.
public struct DecodingPath {
  /// A description.
  public let name: String
  /// Whether the path creates an array per packet, which verifies the counter.
  public let allocates: Bool
  /// Generates the bytes of a number of packets, and returns the work on them.
  public let prepared: (Int) -> () -> Void

  /// All paths.
  public static var all: [DecodingPath] {
    [
      DecodingPath(name: "framing in place", allocates: false) { packets in
        let pieces = SensorBytes(packets: packets).pieces
        return {
          var decoder = PacketDecoder(from: .robot)
          var sum = 0 as UInt64
          for piece in pieces {
            decoder.append(piece)
            decoder.forEachPacket { _, payload in sum &+= UInt64(payload[0]) }
          }
          keep(sum)
        }
      },
      DecodingPath(name: "ten values, read packet by packet", allocates: false) { packets in
        let pieces = SensorBytes(packets: packets).pieces
        return {
          let layout = SampleLayout(SensorBytes.mask)
          var decoder = PacketDecoder(from: .robot)
          var (values, sum) = ([] as [Double], 0.0)
          for piece in pieces {
            decoder.append(piece)
            decoder.forEachPacket { _, payload in
              if layout.read(payload, into: &values) == 1 { sum += values[0] }
            }
          }
          keep(sum)
        }
      },
      values("ten values of 26-byte packets", frames: 1),
      values("forty values of 86-byte packets", frames: 4),
      DecodingPath(name: "packets with their payloads", allocates: true) { packets in
        let pieces = SensorBytes(packets: packets).pieces
        return {
          var decoder = PacketDecoder(from: .robot)
          for piece in pieces {
            decoder.append(piece)
            while let packet = decoder.next() { keep(packet.payload.count) }
          }
        }
      },
    ]
  }

  private static func values(_ name: String, frames: Int) -> DecodingPath {
    DecodingPath(name: name, allocates: false) { packets in
      let stream = SensorBytes(packets: packets, frames: frames)
      return {
        var sum = 0.0
        readValues(stream.pieces, frames: frames) { sum += $0[0] }
        keep(sum)
      }
    }
  }
}
