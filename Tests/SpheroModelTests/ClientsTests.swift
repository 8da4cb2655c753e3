// Tests with the literal bytes of thirteen third-party clients.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

/// A request of a client, and the beginning of the expected response.
struct ClientCall: CustomTestStringConvertible, Sendable {
  var client: String
  var name: String
  var sent: [UInt8]
  var answer: [UInt8]
  /// Whether further bytes follow, as many as DLEN says.
  var isOpen: Bool

  var testDescription: String { "\(client): \(name)" }

  static let all: [ClientCall] = ClientBytes.clients.flatMap { client in
    client.calls.split(separator: "\n").map { line in
      let parts = line.split(separator: "|")
      let answer = parts[2]
      let isOpen = answer.hasSuffix("..")
      return ClientCall(
        client: client.name, name: String(parts[0].dropLast()), sent: bytes(parts[1]),
        answer: answer == " -" ? [] : bytes(isOpen ? answer.dropLast(2) : answer), isOpen: isOpen)
    }
  }
}

@Suite(.ownThread) struct ClientsTests {
  @Test func theTableIsWhole() {
    #expect(ClientBytes.clients.count >= 13)
    #expect(ClientCall.all.count >= 210)
    #expect(ClientCall.all.allSatisfy { $0.sent.count >= 7 && $0.sent[2...].reduce(0, &+) == 0xFF })
  }

  @Test(arguments: ClientCall.all) func isAnswered(_ call: ClientCall) throws {
    var talk = Talk()
    talk.robot.receive(call.sent, at: .zero)
    let pieces = talk.robot.takeOutput()
    guard !call.answer.isEmpty else {
      return #expect(pieces.allSatisfy { $0.bytes.starts(with: [0xFF, 0xFE]) })
    }
    let answer = try #require(pieces.first?.bytes)
    if call.isOpen {
      #expect(answer.starts(with: call.answer))
      #expect(answer.count == 5 + Int(call.answer[4]))
      #expect(answer[2...].reduce(0, &+) == 0xFF)
    } else {
      #expect(answer == call.answer)
    }
    #expect(pieces.dropFirst().allSatisfy { $0.bytes.starts(with: [0xFF, 0xFE]) }, "one answer")
    #expect(pieces.dropFirst().allSatisfy { $0.notBefore >= .milliseconds(4) }, "one packet in each read")
  }

  @Test func gobotSendsSeveralCommandsAtOnceWithTheSameNumbers() {
    var talk = Talk()
    let sent =
      bytes("FF FF 02 12 00 07 01 80 80 80 80 60 83") + bytes("FF FF 02 37 00 05 00 00 00 01 C0")
      + bytes("FF FF 02 20 00 05 01 02 03 01 D1") + bytes("FF FF 02 22 03 01 D7")
    talk.robot.receive(sent, at: .zero)
    let answers = talk.robot.takeOutput().map(\.bytes)
    let done = bytes("FF FF 00 00 01 FE")
    #expect(answers == [done, done, done, bytes("FF FF 00 03 04 01 02 03 F2")])
  }

  @Test func whatAsksForNoAnswerIsDone() {
    // sphero_ros, spheron and SpheroPy: SOP2 FE and FC. The fourth byte saves the colour.
    for sop2: UInt8 in [0xFE, 0xFC] {
      var talk = Talk()
      talk.robot.receive([0xFF, sop2] + bytes("02 20 00 05 0A 0B 0C 01 B6"), at: .zero)
      #expect(talk.robot.takeOutput().isEmpty)
      talk.robot.receive(bytes("FF FF 02 22 00 01 DA"), at: .zero)
      #expect(talk.robot.takeOutput().map(\.bytes) == [bytes("FF FF 00 00 04 0A 0B 0C DA")])
    }
  }

  @Test(
    arguments: [
      // gobot takes a packet of 90 bytes and no other: 32 and 10 words.
      ("gobot", "FF FF 02 11 00 0E 00 0A 00 01 FF FF FF FF 00 FF FF FF FF DB", 90, 25),
      // linux-api streams on connecting: no first mask, five words, 400 Hz.
      ("linux-api", "FF FE 02 11 00 0E 00 01 00 01 00 00 00 00 00 0F 80 00 00 4D", 16, 6),
      // sphero_ros counts the bits of its own names: 28 and 9.
      ("sphero_ros", "FF FF 02 11 04 0E 00 28 00 01 FF E7 FF E7 00 FF 80 00 00 66", 80, 100),
      // desktop-api knows one mask.
      ("desktop-api", "FF FF 02 11 0E 0A 00 28 00 01 00 00 E0 00 00 CB", 12, 100),
      // spherov2 asks for the speed beside the velocity.
      ("spherov2", "FF FF 02 11 0A 0E 00 14 00 01 00 07 FC 00 00 FD C0 00 00 FF", 42, 50),
    ])
  func streamsHaveAWordForEachBit(_ client: String, _ sent: String, _ count: Int, _ milliseconds: Int) {
    var talk = Talk()
    talk.robot.receive(bytes(sent), at: .zero)
    _ = talk.robot.takeOutput()
    let packets = talk.wait(.milliseconds(milliseconds)).map(\.bytes)
    #expect(packets.map(\.count) == [count])
    #expect(packets.allSatisfy { event($0)?.id == 0x03 })
  }

  @Test func anUnlimitedStreamStopsWhereMasksAreEmpty() {
    // spherov2: a count of 0 has no end; it stops with empty masks and a divisor all the same.
    var talk = Talk()
    talk.robot.receive(bytes("FF FF 02 11 00 0E 00 14 00 01 00 07 00 00 00 00 00 00 00 C2"), at: .zero)
    #expect(talk.wait(.seconds(30)).count == 601)
    talk.robot.receive(bytes("FF FF 02 11 01 0E 00 64 00 01 00 00 00 00 00 00 00 00 00 78"), at: talk.now)
    #expect(talk.wait(.seconds(1)).map(\.bytes) == [bytes("FF FF 00 01 01 FD")])
  }

  @Test func blocksComeAsLongEvents() throws {
    var talk = Talk()
    func after(_ sent: String) throws -> [UInt8] {
      talk.robot.receive(bytes(sent), at: talk.now)
      let pieces = talk.robot.takeOutput()
      #expect(pieces.count == 2)
      return try #require(pieces.last?.bytes)
    }
    // sphero_pwn: configuration blocks and the soul are 1030 bytes.
    for (sent, id) in [
      ("FF FF 02 40 01 02 00 BA", 0x04), ("FF FF 02 40 01 02 01 B9", 0x04), ("FF FF 02 46 01 01 B5", 0x0D),
    ] as [(String, UInt8)] {
      let block = try after(sent)
      #expect(block.starts(with: [0xFF, 0xFE, id, 0x04, 0x01]))
      #expect(block.count == 1_030)
      #expect(block[2...].reduce(0, &+) == 0xFF)
    }
    // It reads the report as UTF-8; a recorded one was a packet of 1514 bytes, more than a byte can count.
    let report = try after("FF FF 00 40 01 01 BD")
    #expect(event(report)?.id == 0x02)
    #expect((1_000...1_514).contains(report.count))
    #expect(report.dropFirst(5).dropLast().allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test(
    arguments: [
      // The order of the document, as sphero.js sends it: thresholds of X and Y are 40 and 40.
      "FF FF 02 12 00 07 01 28 14 28 14 0A 61",
      // The order of gobot, sphero.rb, spheron and spherov2.
      "FF FF 02 12 00 07 01 28 28 14 14 0A 61",
    ])
  func collisionsAreToldInBothOrdersOfTheParameters(_ sent: String) throws {
    var talk = Talk(on: Floor(width: 1.6, depth: 1.6))
    talk.robot.receive(bytes(sent), at: .zero)
    talk.robot.receive(bytes("FF FF 02 30 01 05 C8 00 00 01 FE"), at: .zero)
    #expect(talk.robot.takeOutput().map(\.bytes) == [bytes("FF FF 00 00 01 FE"), bytes("FF FF 00 01 01 FD")])
    let event = try #require(talk.wait(.seconds(5)).first?.bytes)
    // gobot and linux-api want 22 bytes; linux-api drops it where Z or the upper bits of AXIS are set.
    #expect(event.starts(with: bytes("FF FE 07 00 11")))
    try #require(event.count == 22)
    #expect(event[9...10].elementsEqual([0, 0]))
    #expect((1...3).contains(event[11]))
  }

  @Test func desktopMacrosTellTheirMarker() throws {
    var talk = Talk()
    // On connecting: abort. Then: save as FFh with marker 1, and run.
    talk.robot.receive(bytes("FF FF 02 55 01 01 A6"), at: .zero)
    talk.robot.receive(bytes("FF FF 02 51 02 06 FF 01 15 01 00 8E"), at: .zero)
    talk.robot.receive(bytes("FF FF 02 50 03 02 FF A9"), at: .zero)
    let answers = (talk.robot.takeOutput() + talk.wait(.seconds(1))).map(\.bytes)
    #expect(answers.prefix(3).map { Array($0.prefix(4)) } == (1...3).map { [0xFF, 0xFF, 0x00, $0] })
    // The marker, the macro, and the number of its command.
    let marker = try #require(answers.dropFirst(3).first.flatMap(event))
    #expect(marker.id == 0x06)
    #expect(marker.payload.starts(with: [0x01, 0xFF]))
  }

  @Test func pwnComesBackFromTheBootloader() {
    var talk = Talk()
    func status(_ sent: String) -> [UInt8]? {
      talk.robot.receive(bytes(sent), at: .zero)
      return talk.robot.takeOutput().first?.bytes
    }
    #expect(status("FF FF 00 30 01 01 CD") == bytes("FF FF 00 01 01 FD"))
    #expect(status("FF FF 00 01 02 01 FB") == bytes("FF FF 00 02 01 FC"))
    #expect(status("FF FF 01 05 03 02 10 E4") == bytes("FF FF 00 03 02 00 FA"))
    #expect(status("FF FF 02 44 04 01 B4") == bytes("FF FF 09 04 01 F1"))
    #expect(status("FF FF 01 04 05 01 F4") == bytes("FF FF 00 05 01 F9"))
    #expect(status("FF FF 02 44 06 01 B2") == bytes("FF FF 00 06 02 00 F7"))
  }

  @Test func spheronWritesABlockOfOrdinaryLength() {
    var talk = Talk()
    // 254 bytes of 01 and DLEN FF: 02 + 43 + 00 + FF + FE = 242h.
    talk.robot.receive(
      [0xFF, 0xFD, 0x02, 0x43, 0x00, 0xFF] + [UInt8](repeating: 1, count: 254) + [0xBD], at: .zero)
    #expect(talk.robot.takeOutput().isEmpty, "it may be the beginning of 1024 bytes")
    #expect(talk.wait(.milliseconds(60)).map(\.bytes) == [bytes("FF FF 00 00 01 FE")])
    talk.robot.receive(bytes("FF FF 02 40 01 02 01 B9"), at: talk.now)
    let block = talk.robot.takeOutput().last.flatMap { event($0.bytes)?.payload } ?? []
    #expect(block.prefix(254).allSatisfy { $0 == 1 } && block.count == 1_024)
    #expect(Array(block.dropFirst(254).prefix(6)) != [1, 1, 1, 1, 1, 1], "the rest is as it was")
  }

  @Test func aBlockOfFullLengthMayComeInPieces() {
    var talk = Talk()
    // The first 261 bytes alone are a packet, too; the line does not fall silent after them.
    let first = [0xFF, 0xFF, 0x02, 0x43, 0x00, 0xFF] + [UInt8](repeating: 1, count: 254) + [0xBD]
    talk.robot.receive(first, at: .zero)
    #expect(talk.wait(.milliseconds(40)).isEmpty)
    // 769 zeros make 1024 bytes: 02 + 43 + 00 + FF + FE + BD = 2FFh.
    talk.robot.receive([UInt8](repeating: 0, count: 769) + [0x00], at: talk.now)
    #expect(talk.robot.takeOutput().map(\.bytes) == [bytes("FF FF 00 00 01 FE")])
  }

  @Test func theVersionHasEightBytesOrTen() {
    // spherov2 wants eight; SpheroPy and sphero.js read ten where they come.
    var long = Talk { $0.hasLongVersionRecord = true }
    #expect(long.send(0x00, 0x02).first.flatMap { response($0.bytes)?.payload.count } == 10)
    var short = Talk()
    #expect(short.send(0x00, 0x02).first.flatMap { response($0.bytes)?.payload.count } == 8)
  }
}
