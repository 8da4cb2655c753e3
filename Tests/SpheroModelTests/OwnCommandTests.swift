// Tests of handlers for custom commands.

import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct OwnCommandTests {
  /// Of a device that no robot has.
  private struct Measure: Command {
    static let id = CommandID(0x03, 0x01)
    var channel: UInt8 = 0
    mutating func layout(_ wire: inout some Wire) throws(WireError) {
      try wire.field("channel", &channel, in: 0...3)
    }
    struct Response: Message {
      var value: UInt16 = 0
      mutating func layout(_ wire: inout some Wire) throws(WireError) { try wire.field("value", &value) }
    }
  }

  private func talk() -> Talk {
    Talk {
      $0.handlers = [
        .reply(to: Measure.self) { (_, command) throws(Status) in
          guard command.channel < 3 else { throw .failedToExecute }
          var response = Measure.Response()
          response.value = 0x1200 + UInt16(command.channel)
          return response
        },
        // Goes before the robot's own.
        .acknowledge(Motion.SetHeading.self) { (_, _) throws(Status) in throw .unsupported },
      ]
    }
  }

  @Test func itIsAnswered() throws {
    var talk = talk()
    func answer(_ device: UInt8, _ command: UInt8, _ payload: [UInt8]) throws -> [UInt8] {
      let answer = try #require(talk.send(device, command, payload).first.flatMap { response($0.bytes) })
      return [answer.status] + answer.payload
    }
    #expect(try answer(0x03, 0x01, [2]) == [0x00, 0x12, 0x02])
    #expect(try answer(0x03, 0x01, [3]) == [0x08])
    #expect(try answer(0x03, 0x01, [4]) == [0x07])
    #expect(try answer(0x03, 0x01, []) == [0x06])
    #expect(try answer(0x03, 0x02, []) == [0x09])
    #expect(try answer(0x02, 0x01, [0, 90]) == [0x05])
    #expect(try answer(0x00, 0x01, []) == [0x00])
  }

  @Test func withoutAHandlerThereIsNoDevice() throws {
    var talk = Talk()
    #expect(talk.send(0x03, 0x01, [2]).first.flatMap { response($0.bytes)?.status } == 0x09)
  }
}
