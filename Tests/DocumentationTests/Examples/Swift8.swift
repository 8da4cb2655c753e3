// Example 8 of Docs/Swift.md; `SPHERO_RECORD=1 swift test` copies it from there.

import SpheroProtocol

/// A command with DID 02h, CID 7Bh and two bytes.
struct OwnBlink: Command {
  static let name = "OwnBlink"
  static let id = CommandID(0x02, 0x7B)
  var color: UInt8 = 0
  var count: UInt8 = 1
  mutating func layout(_ wire: inout some Wire) throws(WireError) {
    try wire.field("color", &color)
    try wire.field("count", &count, in: 1...20)
  }
}
