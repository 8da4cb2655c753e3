// How a client of the library reads scaled values from a stream: the code that the first rows time.

import SpheroProtocol

/// Decodes reads, and hands out the values of each frame.
///
/// This is the fastest way that the library offers; change it where a faster one comes.
@inline(__always) func readValues(_ pieces: [[UInt8]], frames: Int, _ body: ([Double]) -> Void) {
  let layout = SampleLayout(SensorBytes.mask)
  var values: [Double] = []
  var decoder = PacketDecoder(from: .robot)
  for piece in pieces {
    decoder.append(piece)
    decoder.forEachPacket { header, payload in
      guard header == .event(Sensing.SensorData.id), layout.frameCount(in: payload) == frames else { return }
      for frame in 0..<frames where layout.read(payload, frame: frame, into: &values) { body(values) }
    }
  }
}
