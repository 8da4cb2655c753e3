// Example 1 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroProtocol

/// The packets of a recording as lines, and the accelerations along z in g.
func decode(_ bytes: [UInt8]) -> (lines: [String], accelerations: [Double]) {
  var dissector = Dissector(mask: [.accel, .imu])
  let packets = dissector.append(bytes, from: .robot) + dissector.finish()
  let samples = packets.flatMap(\.samples)
  return (packets.map { "\($0)" }, samples.compactMap { $0[.accelZ] })
}
