// Example 3 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroCapture
import SpheroHost
import SpheroProtocol

/// The accelerations along z in a capture: seconds since the first sample, and g.
func accelerations(ofCapture bytes: [UInt8]) throws -> [(time: Double, z: Double)] {
  var recording = RecordedSamples()
  var samples: [TimedSample] = []
  for line in try CaptureReader.lines(in: bytes) {
    samples += recording.append(line.bytes, from: line.sender, at: line.time)
  }
  samples += recording.finish()
  return samples.map { ($0.time / .seconds(1), $0.sample[.accelZ] ?? .nan) }
}
