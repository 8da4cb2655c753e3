// Delivery and lane of each command, compared with lists made by hand from Sphero API 1.50.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.aCoreEach) struct DeliveryTests {
  /// DID and CID of the commands for which a second execution has a second effect.
  private static let once: Set<[UInt8]> = [
    [0x00, 0x22], [0x00, 0x30], [0x00, 0x50], [0x00, 0x51], [0x01, 0x04], [0x02, 0x01], [0x02, 0x09],
    [0x02, 0x48], [0x02, 0x49], [0x02, 0x4A], [0x02, 0x4B], [0x02, 0x4C], [0x02, 0x4D], [0x02, 0x50],
    [0x02, 0x51], [0x02, 0x52], [0x02, 0x58], [0x02, 0x61], [0x02, 0x62], [0x02, 0x64],
  ]
  private static let lanes: [[UInt8]: Lane] = [
    [0x02, 0x09]: .motion, [0x02, 0x30]: .motion, [0x02, 0x31]: .motion, [0x02, 0x33]: .motion,
    [0x02, 0x20]: .color, [0x02, 0x21]: .tailLight, [0x02, 0x11]: .stream,
  ]

  @Test func commandsHaveDeliveryAndLane() {
    for command in Catalogue.commands {
      let bytes = [command.id.device, command.id.command]
      #expect((command.delivery == .once) == Self.once.contains(bytes), "\(command.id)")
      #expect(command.lane == Self.lanes[bytes], "\(command.id)")
    }
    #expect(Self.once.allSatisfy { Catalogue.command(CommandID($0[0], $0[1])) != nil })
  }
}
