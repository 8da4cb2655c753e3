// How a client of the library reads scaled values from a stream: the code that the first rows time.

import SpheroProtocol

/// Decodes reads, and hands out the values of each packet.
///
/// This is the fastest way that the library offers; change it where a faster one comes.
@inline(__always) func readValues(_ pieces: [[UInt8]], frames: Int, _ body: (Span<Double>) -> Void) {
  let layout = SampleLayout(SensorBytes.mask)
  var values: [Double] = []
  let width = layout.columns.count * frames
  var decoder = PacketDecoder(from: .robot)
  for piece in pieces {
    decoder.append(piece)
    values.removeAll(keepingCapacity: true)
    let count = decoder.readValues(of: layout, into: &values)
    let span = values.span
    for frame in 0..<(count / frames) { body(span.extracting((frame * width)..<((frame + 1) * width))) }
  }
}
