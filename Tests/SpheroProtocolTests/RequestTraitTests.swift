// Hazard, delivery and coalescing key of each command, compared with lists typed from the documents.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct RequestTraitTests {
  @Test func hazardsAreSentences() {
    let hazards = Catalogue.commands.compactMap { ($0 as? any HazardousCommand.Type)?.hazard }
    #expect(hazards.count >= 10)
    for hazard in hazards { #expect(hazard.hasSuffix(".") && hazard.first?.isUppercase == true) }
    #expect(Catalogue.commands.allSatisfy { $0 is any Command.Type || $0 is any HazardousCommand.Type })
  }

  /// The commands that spend, overwrite or lock out.
  @Test func hazardousCommandsMatchTheList() {
    let hazards: Set<[UInt8]> = [
      [0x00, 0x03], [0x00, 0x24], [0x00, 0x30], [0x02, 0x04], [0x02, 0x08], [0x02, 0x35], [0x02, 0x41],
      [0x02, 0x43], [0x02, 0x47], [0x02, 0x48], [0x02, 0x49], [0x02, 0x4A], [0x02, 0x4B], [0x02, 0x4C],
      [0x02, 0x4D],
    ]
    for type in Catalogue.commands {
      let isHazardous = type is any HazardousCommand.Type
      #expect(isHazardous == hazards.contains([type.id.device, type.id.command]), "\(type.name)")
    }
  }

  @Test(
    arguments: [
      ([0x01, 0, 0, 0], RequestEffect.stabilization(.off)), ([0x09, 0, 0, 0], nil), ([0x00, 0, 0, 0], nil),
    ] as [([UInt8], RequestEffect?)])
  func levellingSwitchesTheControlSystemOff(_ payload: [UInt8], _ effect: RequestEffect?) throws {
    #expect(try Motion.SelfLevel(payload: payload).effect == effect)
    #expect(RequestEffect(of: Motion.SelfLevel.id, payload: payload) == effect)
  }

  /// A piece of a streamed macro starts by itself; a stored macro does not.
  @Test func streamedMacrosStartPrograms() {
    for (id, effect) in [(Macro.streamID, RequestEffect.runProgram()), (32, nil)] as [(UInt8, RequestEffect?)]
    {
      #expect(Macros.SaveMacro(macro: [id, 0, 0x1B, 0]).effect == effect)
      #expect(RequestEffect(of: Macros.SaveMacro.id, payload: [id, 0, 0x1B, 0]) == effect)
    }
    #expect(RequestEffect(of: Macros.SaveMacro.id, payload: []) == nil)
  }

  /// A default block cannot be encoded.
  @Test func defaultBlocksAreRefused() {
    let none = { (count: Int) in WireError.wrongCount(field: "block", count: 0, allowed: count...count) }
    #expect(throws: none(1024)) { try Configuration.SetConfigurationBlock().payload() }
    #expect(throws: none(1024)) { try Configuration.SetConfigurationBlock(assigning: [:]).payload() }
    #expect(throws: none(1024)) { try Soul.SetSSB().payload() }
    #expect(throws: none(272)) { try Soul.SetSSBModifier().payload() }
    #expect(throws: none(32)) { try Factory.SetCreationDate().payload() }
    #expect(throws: none(1024)) {
      try Configuration.SetConfigurationBlock(block: Configuration.ConfigurationBlock().block).payload()
    }
    #expect(throws: none(1024)) { try Soul.SetSSB(password: 1, block: Soul.SoulBlock().block).payload() }
  }

  /// DID and CID of the commands for which a second execution has a second effect.
  private static let atMostOnce: Set<[UInt8]> = [
    [0x00, 0x22], [0x00, 0x30], [0x00, 0x50], [0x00, 0x51], [0x01, 0x04], [0x02, 0x01], [0x02, 0x09],
    [0x02, 0x48], [0x02, 0x49], [0x02, 0x4A], [0x02, 0x4B], [0x02, 0x4C], [0x02, 0x4D], [0x02, 0x50],
    [0x02, 0x51], [0x02, 0x52], [0x02, 0x58], [0x02, 0x61], [0x02, 0x62], [0x02, 0x64],
  ]
  private static let coalescingKeys: [[UInt8]: CoalescingKey] = [
    [0x02, 0x09]: .motion, [0x02, 0x30]: .motion, [0x02, 0x31]: .motion, [0x02, 0x33]: .motion,
    [0x02, 0x20]: .color, [0x02, 0x21]: .tailLight, [0x02, 0x11]: .stream,
  ]

  @Test func commandsHaveDeliveryAndLane() {
    for command in Catalogue.commands {
      let bytes = [command.id.device, command.id.command]
      #expect((command.delivery == .atMostOnce) == Self.atMostOnce.contains(bytes), "\(command.id)")
      #expect(command.coalescingKey == Self.coalescingKeys[bytes], "\(command.id)")
    }
    #expect(Self.atMostOnce.allSatisfy { Catalogue.command(CommandID($0[0], $0[1])) != nil })
  }
}
