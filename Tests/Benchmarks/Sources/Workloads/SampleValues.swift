// How a client of the library reads scaled values from a stream: the code that the first rows time.

import SpheroProtocol

/// Decodes reads; each value goes to `output`, that of packet n to place n & `ring`. Gives the number of packets.
///
/// This is the fastest way that the library offers; change it where a faster one comes.
func readValues(
  _ pieces: [[UInt8]], frames: Int, into output: UnsafeMutablePointer<Double>, ring: Int
) -> Int {
  let fields = SensorBytes.fields
  var decoder = PacketDecoder(from: .robot)
  var packets = 0
  for piece in pieces {
    decoder.append(piece)
    while let packet = decoder.next() {
      guard let samples = Sample.samples(in: packet.payload, mask: SensorBytes.mask, frames: frames) else {
        continue
      }
      var place = (packets & ring) * 10 * frames
      for sample in samples {
        for field in fields {
          output[place] = sample[field] ?? 0
          place += 1
        }
      }
      packets += 1
    }
  }
  return packets
}
