// Example 2 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroCapture
import SpheroProtocol

/// The packets of a capture as lines.
func packets(ofCapture bytes: [UInt8]) throws -> [String] {
  var dissector = Dissector()
  var packets: [String] = []
  for line in try CaptureReader.lines(in: bytes) {
    packets += dissector.append(line.bytes, from: line.sender, at: line.time).map { "\($0)" }
  }
  return packets + dissector.finish().map { "\($0)" }
}
