// Reads scaled values from a stream through the public API; the first rows measure this code.

import SpheroProtocol

/// Decodes reads, and passes the values of each packet to `body`.
///
/// Uses the fastest API of the library.
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
