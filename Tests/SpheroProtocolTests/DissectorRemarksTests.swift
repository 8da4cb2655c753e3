// The dissector reports invalid values with a remark, and does not refuse them.

import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct DissectorRemarksTests {
  private func line(_ packet: CommandPacket) throws -> RecordedBytes {
    RecordedBytes(from: .host, bytes: try Packet.command(packet).encoded())
  }

  @Test func invalidPayloadsAreReportedAsSent() throws {
    let short = CommandPacket(id: Motion.Roll.id, sequence: 1, payload: [1, 2])
    let long = CommandPacket(id: Motion.SetHeading.id, sequence: 2, payload: [0, 2, 0xAA])
    let unknown = CommandPacket(id: CommandID(0x02, 0x7F), sequence: 3, payload: [9])
    let nothing = CommandPacket(id: Motion.SetHeading.id, sequence: 4, payload: [9])
    let items = dissect(
      try [short, long, unknown, nothing].map { try line($0) })
    #expect(items[0].remarks == [.truncated(field: "heading", offset: 1)])
    #expect(
      items[0].fields == [
        FieldDescription(name: "speed", value: .integer(1, .count), range: 0..<1),
        FieldDescription(name: "rest", value: .bytes([2]), range: 1..<2),
      ])
    #expect(items[1].remarks == [.excess(offset: 2, count: 1)])
    #expect(items[1].fields.map(\.name) == ["heading", "excess"])
    #expect(items[2].name == nil)
    #expect(items[2].description == "       > command 02:7F      seq 3   payload=09")
    #expect(items[3].remarks == [.truncated(field: "heading", offset: 0)])
    #expect(items[3].fields == [FieldDescription(name: "payload", value: .bytes([9]), range: 0..<1)])
  }

  /// A command that a robot refuses with 07 is reported like others.
  @Test func refusedCommandsAreReported() throws {
    let roll = CommandPacket(id: Motion.Roll.id, sequence: 1, payload: [0x40, 0x01, 0x68, 0x03])
    let item = try #require(dissect([try line(roll)]).first)
    #expect(
      item.remarks == [
        .outOfRange(field: "heading", value: 360, allowed: 0...359),
        .unknownValue(field: "state", value: 3, offset: 3),
      ])
    #expect(
      item.description == "       > Motion.Roll        seq 1   speed=64 heading=360° state=unknown 3h"
        + " ('heading' is 360, but must be 0...359; 'state' at byte 3 is 3, which has no meaning)")
    #expect(
      item.json.contains(
        #""fields":{"speed":64,"heading":360,"state":null,"state_code":3},"payload":"40016803","#
          + #""remarks":["'heading' is 360,"#))
    #expect(throws: WireError.outOfRange(field: "heading", value: 360, allowed: 0...359)) {
      try Motion.Roll(request: roll.payload)
    }
  }
}
