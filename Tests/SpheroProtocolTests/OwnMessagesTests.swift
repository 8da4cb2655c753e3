// Messages that a user of the library declares are supported like those of the library.

import SpheroProtocol
import TestSupport
import Testing

/// A user's catalogue: two commands and an event.
enum OwnMessages: MessageCatalogue {
  static func visit(_ visitor: inout some CatalogueVisitor) {
    visitor.command(SetAltitude.self, "Drone.SetAltitude")
    visitor.command(OtherPing.self, "Drone.OtherPing")
    visitor.event(Landed.self, "Drone.Landed")
  }

  struct SetAltitude: Command {
    static let id = CommandID(0x02, 0x7E)
    static let name = "Drone.SetAltitude"
    static let coalescingKey: CoalescingKey? = CoalescingKey("altitude")
    var altitude: UInt16 = 0
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("altitude", &altitude, Quantity(.init(" m"), perCount: 0.5), in: 0...1000)
    }
    struct Response: Message {
      var reached: UInt8 = 0
      mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("reached", &reached) }
    }
  }

  /// Overrides the message of the library with this ID.
  struct OtherPing: Command { static let id = CommandID(0x00, 0x01) }

  struct Landed: Event {
    static let id = EventID(0x7D)
    var hardness: UInt8 = 0
    mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("hardness", &hardness) }
  }
}

@Suite(.ownThread) struct OwnMessagesTests {
  private func dissect(_ packets: [Packet], with dissector: Dissector) throws -> [String] {
    var dissector = dissector
    return try packets.flatMap { dissector.append(try $0.encoded(), from: $0.sender) }.map(\.meaning)
  }

  @Test func dissectorPrintsThem() throws {
    var request = OwnMessages.SetAltitude()
    request.altitude = 3
    let packets: [Packet] = [
      .command(try request.packet(sequence: 1)),
      .response(ResponsePacket(status: .ok, sequence: 1, payload: [7])),
      .command(try request.packet(sequence: 2)),
      .response(ResponsePacket(status: .unsupported, sequence: 2)),
      .event(EventPacket(id: OwnMessages.Landed.id, payload: [9])),
      .command(try OwnMessages.OtherPing().packet(sequence: 3)),
      .command(try Motion.SetHeading(heading: 90).packet(sequence: 4)),
    ]
    #expect(
      try dissect(packets, with: Dissector(messages: OwnMessages.self)) == [
        "Drone.SetAltitude seq 1 altitude=1.5 m", "Drone.SetAltitude seq 1 ok reached=7",
        "Drone.SetAltitude seq 2 altitude=1.5 m", "Drone.SetAltitude seq 2 unsupported",
        "Drone.Landed hardness=9", "Drone.OtherPing seq 3", "Motion.SetHeading seq 4 heading=90°",
      ])
    #expect(
      try dissect(packets, with: Dissector()).prefix(2) == [
        "command 02:7E seq 1 payload=00 03", "response seq 1 ok payload=07",
      ])
  }

  @Test func lanesAndUnitsCanBeAdded() {
    #expect(OwnMessages.SetAltitude.coalescingKey == CoalescingKey("altitude"))
    #expect(OwnMessages.SetAltitude.coalescingKey != .motion)
    #expect(CoalescingKey("motion") == .motion)
  }
}
