// The ATT client against a device of literal bytes: handshake, pieces, malformed packets, disconnections.

import TestSupport
import Testing

@testable import SpheroBluetooth

/// Packets of a device with the attributes of a BB-8, written by hand from the Core Specification.
enum Device {
  /// A characteristic declaration: handle, properties, value handle, UUID 22bb746f-XXXX-7554-2d6f-726568705327.
  static func declaration(_ handle: UInt8, _ properties: UInt8, _ number: UInt16) -> [UInt8] {
    [handle, 0, properties, handle + 1, 0, 0x27, 0x53, 0x70, 0x68, 0x65, 0x72, 0x6F, 0x2D, 0x54, 0x75]
      + [UInt8(number & 0xFF), UInt8(number >> 8), 0x6F, 0x74, 0xBB, 0x22]
  }

  static let list: [[UInt8]] = [
    [0x09, 21] + declaration(0x10, 0x0C, 0x2BBD) + declaration(0x13, 0x08, 0x2BB2),
    [0x09, 21] + declaration(0x16, 0x0E, 0x2BBF) + declaration(0x20, 0x0C, 0x2BA1),
    [0x09, 21] + declaration(0x22, 0x10, 0x2BA6),
  ]
  static let endOfList: [UInt8] = [0x01, 0x08, 0x24, 0x00, 0x0A]
  static let configuration: [UInt8] = [0x05, 0x01, 0x24, 0x00, 0x02, 0x29]

  /// The answer to a request of the handshake; nil for a command without one.
  static func answer(_ request: [UInt8], mtu: UInt8 = 23) -> [UInt8]? {
    switch request[0] {
    case 0x02: return [0x03, mtu, 0]
    case 0x04: return configuration
    case 0x08:
      return switch request[1] {
      case 0x01: list[0]
      case 0x14: list[1]
      case 0x21: list[2]
      default: endOfList
      }
    case 0x12: return [0x13]
    default: return nil
    }
  }
}

@Suite struct AttributeClientTests {
  /// An attribute has at most 512 bytes, also where the MTU of 517 would permit a write of 514.
  @Test(arguments: [(20, 20), (512, 512), (514, 512), (0, 1)]) func aPieceIsNotLongerThanAnAttribute(
    count: Int, piece: Int
  ) {
    var link = BluetoothLink(at: .zero)
    link.setPieceCount(count)
    #expect(link.pieceCount == piece)
  }

  /// A client with its sent packets, and a device that answers.
  private struct Play {
    var client = AttributeClient(at: .zero)
    var sent: [[UInt8]] = []
    var events: [BluetoothLink.Event] = []

    /// Exchanges packets until neither side has one; `answer` is the device.
    mutating func run(_ answer: ([UInt8]) -> [UInt8]?) {
      while case let packets = client.takeOutput(), !packets.isEmpty {
        for packet in packets {
          sent.append(packet)
          if let bytes = answer(packet) { client.receive(bytes, at: .zero) }
        }
      }
      events += client.takeEvents()
    }

    static func connected(mtu: UInt8 = 23) -> Play {
      var play = Play()
      play.run { Device.answer($0, mtu: mtu) }
      (play.sent, play.events) = ([], [])
      return play
    }
  }

  @Test func theHandshakeRunsInOrder() {
    var play = Play()
    play.run { Device.answer($0) }
    #expect(
      play.sent == [
        [0x02, 0x05, 0x02],
        [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28],
        [0x08, 0x14, 0x00, 0xFF, 0xFF, 0x03, 0x28],
        [0x08, 0x21, 0x00, 0xFF, 0xFF, 0x03, 0x28],
        [0x08, 0x23, 0x00, 0xFF, 0xFF, 0x03, 0x28],
        // The descriptors behind the value of the responses, up to the last handle.
        [0x04, 0x24, 0x00, 0xFF, 0xFF],
        [0x12, 0x11, 0x00, 0x30, 0x31, 0x31, 0x69, 0x33],
        [0x12, 0x17, 0x00, 0x01],
        [0x12, 0x24, 0x00, 0x01, 0x00],
      ])
    #expect(play.events == [.connected])
    #expect(play.client.nextDeadline == nil)
  }

  @Test(arguments: [1, 19, 20, 21, 40, 41, 260])
  func packetsAreCutIntoPiecesOfWhichTheLastIsConfirmed(count: Int) {
    var play = Play.connected()
    let packet = (0..<count).map { UInt8($0 & 0xFF) }
    play.client.send(packet, at: .zero)
    #expect(!play.client.link.canSend)
    play.run { Device.answer($0) }
    #expect(play.sent.flatMap { $0.dropFirst(3) } == packet)
    #expect(play.sent.dropLast().allSatisfy { $0[0] == 0x52 && $0.count == 23 })
    #expect(play.sent.last?[0] == 0x12)
    #expect(play.sent.allSatisfy { $0[1...2] == [0x21, 0x00] })
    #expect(play.events == [.sent] && play.client.link.canSend)
  }

  @Test func aLargerMTUMakesLongerPieces() {
    var play = Play.connected(mtu: 185)
    play.client.send([UInt8](repeating: 7, count: 200), at: .zero)
    play.run { Device.answer($0) }
    #expect(play.sent.map(\.count) == [185, 21])
  }

  @Test func aDeviceWithoutTheExchangeKeepsTheDefaultMTU() {
    var play = Play()
    play.run { $0[0] == 0x02 ? [0x01, 0x02, 0x00, 0x00, 0x06] : Device.answer($0) }
    #expect(play.events == [.connected])
    #expect(play.client.link.pieceCount == 20)
  }

  @Test func notificationsOfTheResponsesAreAStreamOfBytes() {
    var play = Play.connected()
    play.client.receive([0x1B, 0x23, 0x00, 0xFF], at: .zero)
    play.client.receive([0x1B, 0x23, 0x00, 0xFF, 0x00, 0x01], at: .zero)
    // Another attribute, no bytes, and an indication, which is confirmed.
    play.client.receive([0x1B, 0x11, 0x00, 0x05], at: .zero)
    play.client.receive([0x1B, 0x23, 0x00], at: .zero)
    play.client.receive([0x1D, 0x23, 0x00, 0x02], at: .zero)
    play.run { _ in nil }
    #expect(play.events == [.received([0xFF]), .received([0xFF, 0x00, 0x01]), .received([0x02])])
    #expect(play.sent == [[0x1E]])
  }

  @Test func requestsOfTheDeviceAreAnswered() {
    var play = Play.connected()
    play.client.receive([0x02, 0x17, 0x00], at: .zero)
    play.client.receive([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28], at: .zero)
    play.client.receive([0x0A, 0x03, 0x00], at: .zero)
    play.run { _ in nil }
    #expect(
      play.sent == [[0x03, 0x05, 0x02], [0x01, 0x08, 0x01, 0x00, 0x0A], [0x01, 0x0A, 0x03, 0x00, 0x0A]])
    #expect(play.events.isEmpty)
  }

  // MARK: Errors

  /// The step whose request is the `number`th of the handshake.
  private static let steps: [BluetoothLink.Step] =
    Array(repeating: .discover, count: 6) + [.unlock, .wake, .subscribe]

  @Test(arguments: 0..<9) func anErrorAtAnyRequestEndsTheLink(number: Int) {
    var play = Play()
    var count = 0
    play.run { request in
      defer { count += 1 }
      return count == number ? [0x01, request[0], request[1], request[2], 0x05] : Device.answer(request)
    }
    let expected: BluetoothLink.Event =
      number == 0 ? .connected : .failed(.refused(Self.steps[number], code: 0x05))
    #expect(play.events == [expected])
  }

  @Test func anErrorForAnotherRequestIsIgnored() {
    var client = AttributeClient(at: .zero)
    while case let packets = client.takeOutput(), !packets.isEmpty {
      for packet in packets {
        client.receive([0x01, packet[0] ^ 0x40, 0x01, 0x00, 0x05], at: .zero)
        if let answer = Device.answer(packet) { client.receive(answer, at: .zero) }
      }
    }
    #expect(client.takeEvents() == [.connected])
  }

  @Test(arguments: 0..<9) func aDisconnectionAtAnyRequestEndsTheLink(number: Int) {
    var play = Play()
    var count = 0
    play.run { request in
      defer { count += 1 }
      return count < number ? Device.answer(request) : nil
    }
    play.client.disconnect()
    play.run { _ in nil }
    #expect(play.events == [.failed(.disconnected(Self.steps[number]))])
    #expect(play.client.nextDeadline == nil)
  }

  @Test(arguments: 0..<9) func aSilentDeviceTimesOut(number: Int) throws {
    var play = Play()
    var count = 0
    play.run { request in
      defer { count += 1 }
      return count < number ? Device.answer(request) : nil
    }
    let deadline = try #require(play.client.nextDeadline)
    #expect(deadline == (Self.steps[number] == .discover ? .seconds(10) : .seconds(5)))
    play.client.advance(to: deadline - .milliseconds(1))
    play.run { _ in nil }
    #expect(play.events.isEmpty)
    play.client.advance(to: deadline)
    play.run { _ in nil }
    #expect(play.events == [.failed(.timedOut(Self.steps[number]))])
  }

  @Test func aRobotThatNeverNotifiesIsSilent() throws {
    var play = Play.connected()
    play.client.send([1], at: .seconds(1))
    for packet in play.client.takeOutput() {
      if let answer = Device.answer(packet) { play.client.receive(answer, at: .seconds(1)) }
    }
    #expect(play.client.nextDeadline == .seconds(6))
    play.client.advance(to: .seconds(6))
    play.run { _ in nil }
    #expect(play.events == [.sent, .failed(.silent)])
    // A byte of the robot ends the wait.
    play = .connected()
    play.client.send([1], at: .seconds(1))
    play.client.receive([0x1B, 0x23, 0x00, 0xFF], at: .seconds(1))
    play.run { Device.answer($0) }
    #expect(play.client.nextDeadline == nil)
  }

  @Test func aDeviceWithoutTheServicesIsNamed() {
    // Without the responses.
    var play = Play()
    play.run { $0[0] == 0x08 && $0[1] == 0x21 ? Device.endOfList : Device.answer($0) }
    #expect(play.events == [.failed(.missingCharacteristic(.responses))])
    // Without any characteristic.
    play = Play()
    play.run { $0[0] == 0x08 ? Device.endOfList : Device.answer($0) }
    #expect(play.events == [.failed(.missingCharacteristic(.commands))])
    // Without a client configuration: another descriptor, then none.
    play = Play()
    play.run { request in
      guard request[0] == 0x04 else { return Device.answer(request) }
      return request[1] == 0x24 ? [0x05, 0x01, 0x24, 0x00, 0x01, 0x29] : [0x01, 0x04, 0x25, 0x00, 0x0A]
    }
    #expect(play.events == [.failed(.missingConfiguration)])
  }

  @Test(arguments: [
    [0x03, 23] as [UInt8], [0x03, 5, 0], [0x09, 0], [0x09, 21, 1], [0x05, 3, 1, 0], [0x01, 8], [],
    [0x09, 7, 0x10, 0, 1, 0x11, 0, 1], [0x09, 4, 0x10, 0, 1, 1],
    // A list that goes back, which would never end.
    [0x09, 7, 0x10, 0, 1, 0x11, 0, 1, 2, 0x09, 0, 1, 0x0A, 0, 1, 2],
  ])
  func malformedPacketsEndTheLink(bytes: [UInt8]) {
    var play = Play()
    var count = 0
    play.run { request in
      defer { count += 1 }
      return count == 1 ? bytes : Device.answer(request)
    }
    #expect(play.events == [.failed(.malformed(.discover))])
  }

  /// Tests/Tools/fuzz searches with coverage.
  @Test func randomPacketsViolateNoProperty() {
    let seed: UInt64 = 31
    var random = SeededGenerator(seed: seed)
    let opcodes: [UInt8] = [0x01, 0x02, 0x03, 0x05, 0x09, 0x13, 0x1B, 0x1D, 0x52, 0xC0, 0xE1]
    for round in 0..<1_000 {
      var input: [UInt8] = []
      for number in 0..<20 {
        if let answer = Device.answer([0x08, 1, 0]), round % 5 == 0, number < 4 {
          input += [answer[0], UInt8(answer.count - 1)] + answer.dropFirst()
          continue
        }
        let packet = (0..<Int.random(in: 0...30, using: &random)).map { _ in
          UInt8.random(in: 0...(round % 2 == 0 ? 255 : 40), using: &random)
        }
        let operation = Bool.random(using: &random) ? opcodes.randomElement(using: &random) : nil
        input += [operation ?? UInt8.random(in: 0...255, using: &random), UInt8(packet.count)] + packet
      }
      let complaint = AttributeFuzzTarget.attributes.complaint(about: input)
      #expect(complaint == nil, "seed \(seed), round \(round)")
    }
  }

  @Test func everyErrorHasItsWordsAndANextStep() {
    let errors: [BluetoothError] = [
      .missingCharacteristic(.responses), .missingConfiguration, .refused(.wake, code: 0x0E),
      .timedOut(.unlock),
      .silent, .disconnected(.subscribe), .disconnected(.ready), .malformed(.discover),
    ]
    #expect(
      errors.map(\.message) == [
        "the device has no characteristic 22bb746f-2ba6-7554-2d6f-726568705327, so it is no Ollie, BB-8 or SPRK+",
        "the robot offers no notifications", "the robot refused to wake up (attribute error 0Eh)",
        "the robot did not unlock its radio service in time",
        "the robot accepts commands, but sends no responses",
        "the robot disconnected before it could send notifications", "the robot disconnected",
        "the device sent malformed data when asked to list its characteristics",
      ])
    for error in errors { #expect(error.advice.hasSuffix(".") && error.description.hasPrefix(error.message)) }
  }

  @Test func robotsAreRecognizedByTheirNames() {
    #expect(AdvertisedRobot(name: "BB-D911") == .supported(model: "BB-8"))
    #expect(AdvertisedRobot(name: "2B-1234") == .supported(model: "Ollie"))
    #expect(AdvertisedRobot(name: "SM-0001") == .laterProtocol(model: "Sphero Mini"))
    #expect(AdvertisedRobot(name: "Phone") == nil && AdvertisedRobot(name: "") == nil)
    #expect(AdvertisedRobot(name: "SK-0001") == .supported(model: "SPRK+"))
  }
}
