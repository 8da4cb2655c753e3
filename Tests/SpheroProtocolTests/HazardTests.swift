// Commands that can change a robot permanently are marked as hazardous.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.aCoreEach) struct HazardTests {
  @Test func hazardsAreSentences() {
    let hazards = Catalogue.commands.compactMap { ($0 as? any HazardousCommand.Type)?.hazard }
    #expect(hazards.count >= 10)
    for hazard in hazards { #expect(hazard.hasSuffix(".") && hazard.first?.isUppercase == true) }
    #expect(Catalogue.commands.allSatisfy { $0 is any Command.Type || $0 is any HazardousCommand.Type })
  }

  /// Commands that spend, overwrite or lock out, listed by hand from the fact sheet.
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
}
