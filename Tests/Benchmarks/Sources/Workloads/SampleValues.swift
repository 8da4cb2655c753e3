// How a client of the library reads scaled values from a stream: the code that the first rows time.

import SpheroProtocol

/// Decodes reads, and hands out the ten values of each frame.
///
/// This is the fastest way that the library offers; change it where a faster one comes.
@inline(__always) func readValues(_ pieces: [[UInt8]], frames: Int, _ body: ([Double]) -> Void) {
  let fields = SensorBytes.fields
  var values = [Double](repeating: 0, count: fields.count)
  var decoder = PacketDecoder(from: .robot)
  for piece in pieces {
    decoder.append(piece)
    while let packet = decoder.next() {
      guard let samples = Sample.samples(in: packet.payload, mask: SensorBytes.mask, frames: frames) else {
        continue
      }
      for sample in samples {
        for (place, field) in fields.enumerated() { values[place] = sample[field] ?? 0 }
        body(values)
      }
    }
  }
}
