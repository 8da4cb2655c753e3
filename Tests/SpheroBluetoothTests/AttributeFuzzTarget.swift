// Properties of the attribute client for any packets of a device; Tests/Tools/fuzz searches for counterexamples.

import SpheroBluetooth

/// A reader of untrusted packets.
enum AttributeFuzzTarget: String, CaseIterable, Sendable {
  /// The packets of a Bluetooth LE device.
  case attributes

  /// The property that does not hold for these bytes, or nil.
  ///
  /// Each piece is an operation, a size, and a packet of so many bytes.
  func complaint(about bytes: [UInt8]) -> String? {
    var client = AttributeClient(at: .zero)
    var (now, hasFailed) = (Duration.zero, false)
    var input = bytes[...]
    while let operation = input.popFirst() {
      let packet = Array(input.prefix(Int(input.popFirst() ?? 0)))
      input = input.dropFirst(packet.count)
      switch operation {
      case 0xFF: client.disconnect()
      case 0xE0...0xFE:
        now += .milliseconds(100 * Int(operation - 0xDF))
        client.advance(to: now)
      case 0xC0...0xDF where client.link.canSend: client.send(packet, at: now)
      // Most packets get a valid opcode, because random ones are rarely valid.
      case 0x80...0xDF: client.receive(packet, at: now)
      default: client.receive([operation] + packet, at: now)
      }
      let output = client.takeOutput()
      guard output.count <= 64 else { return "a packet causes \(output.count) packets" }
      for packet in output where !(1...AttributeClient.maximumMTU).contains(packet.count) {
        return "a packet has \(packet.count) bytes"
      }
      for event in client.takeEvents() {
        if hasFailed { return "\(event) follows the end of the link" }
        if case .failed = event { hasFailed = true }
      }
      if hasFailed, client.nextDeadline != nil { return "a link that has ended awaits something" }
      if let deadline = client.nextDeadline, deadline > now + .seconds(10) {
        return "a deadline is \(deadline)"
      }
    }
    return nil
  }
}
