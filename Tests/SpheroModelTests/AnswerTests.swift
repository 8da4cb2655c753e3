// Tests of responses in literal bytes, by the fact sheet: lengths, ranges, settings after sleep, counters and clock.

import SpheroOrientation
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

/// A command and the numbers of payload bytes that the fact sheet gives it.
struct Length: CustomTestStringConvertible, Sendable {
  var id: (UInt8, UInt8)
  var counts: ClosedRange<Int>

  init(_ device: UInt8, _ command: UInt8, _ counts: ClosedRange<Int>) {
    (id, self.counts) = ((device, command), counts)
  }
  init(_ device: UInt8, _ command: UInt8, _ count: Int) { self.init(device, command, count...count) }

  var testDescription: String { "\(CommandID(id.0, id.1))" }
}

extension Talk {
  /// The status and payload of the response to a command.
  mutating func reply(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = []) -> (
    status: UInt8, payload: [UInt8]
  )? {
    send(device, command, payload).first.flatMap { response($0.bytes) }
  }
}

@Suite(.ownThread) struct AnswerTests {
  // MARK: Lengths and ranges

  /// DLEN - 1 by the tables c.0 to c.4; older and newer programs send other lengths of those with a range.
  static let lengths: [Length] = [
    Length(0x00, 0x01, 0), Length(0x00, 0x02, 0), Length(0x00, 0x03, 1), Length(0x00, 0x11, 0),
    Length(0x00, 0x12, 2), Length(0x00, 0x13, 0), Length(0x00, 0x20, 0), Length(0x00, 0x21, 1),
    Length(0x00, 0x22, 3...5), Length(0x00, 0x23, 0), Length(0x00, 0x24, 4), Length(0x00, 0x25, 2),
    Length(0x00, 0x26, 0), Length(0x00, 0x27, 0), Length(0x00, 0x30, 0), Length(0x00, 0x40, 0),
    Length(0x00, 0x42, 0), Length(0x00, 0x50, 4), Length(0x00, 0x51, 4), Length(0x02, 0x01, 2),
    Length(0x02, 0x02, 1), Length(0x02, 0x03, 1), Length(0x02, 0x04, 32), Length(0x02, 0x06, 0),
    Length(0x02, 0x07, 0), Length(0x02, 0x08, 2), Length(0x02, 0x09, 4), Length(0x02, 0x0A, 1),
    Length(0x02, 0x11, 9...13), Length(0x02, 0x12, 6), Length(0x02, 0x13, 7), Length(0x02, 0x14, 1),
    Length(0x02, 0x15, 0), Length(0x02, 0x16, 0), Length(0x02, 0x20, 3...4), Length(0x02, 0x21, 1),
    Length(0x02, 0x22, 0), Length(0x02, 0x30, 4...5), Length(0x02, 0x31, 1...3), Length(0x02, 0x33, 4),
    Length(0x02, 0x34, 2), Length(0x02, 0x35, 4...8), Length(0x02, 0x36, 0), Length(0x02, 0x37, 4...8),
    Length(0x02, 0x38, 0), Length(0x02, 0x3A, 0), Length(0x02, 0x40, 1), Length(0x02, 0x42, 1),
    Length(0x02, 0x44, 0), Length(0x02, 0x46, 0), Length(0x02, 0x48, 1), Length(0x02, 0x49, 2),
    Length(0x02, 0x4A, 1), Length(0x02, 0x4B, 9), Length(0x02, 0x4C, 5), Length(0x02, 0x4D, 5),
    Length(0x02, 0x4E, 0), Length(0x02, 0x4F, 1), Length(0x02, 0x50, 1), Length(0x02, 0x54, 0),
    Length(0x02, 0x55, 0), Length(0x02, 0x56, 0), Length(0x02, 0x57, 3), Length(0x02, 0x60, 1),
    Length(0x02, 0x62, 3), Length(0x02, 0x63, 0), Length(0x02, 0x64, 4), Length(0x02, 0x65, 0),
    Length(0x02, 0x70, 0), Length(0x02, 0x75, 0),
  ]

  @Test(arguments: lengths) func anotherLengthIsABadFormat(_ length: Length) {
    // FFh is for three commands the mark of a longer payload, so up to 253 bytes here.
    for count in Array(0...40) + [100, 253] where !length.counts.contains(count) {
      var talk = Talk()
      // Values within and beyond their ranges.
      for byte in [0x00, 0xFF] as [UInt8] {
        let status = talk.reply(length.id.0, length.id.1, [UInt8](repeating: byte, count: count))?.status
        #expect(status == 0x06, "\(count) bytes of \(byte)")
      }
    }
  }

  @Test(
    arguments: [
      // Levelling: 1...90 degrees, 0 for the default.
      (0x02, 0x09, [0, 91, 0, 0], 0x07), (0x02, 0x09, [0, 90, 0, 0], 0x00),
      // Heading 0...359, stabilisation 0...2, roll states 0...2.
      (0x02, 0x01, [0x01, 0x68], 0x07), (0x02, 0x01, [0x01, 0x67], 0x00), (0x02, 0x02, [2], 0x00),
      (0x02, 0x30, [9, 0x01, 0x68, 1], 0x07), (0x02, 0x30, [9, 0x01, 0x67, 2], 0x00),
      (0x02, 0x30, [9, 0, 0, 3], 0x07),
      // Motor modes 0...4, collision methods 0...3, ranges 0...3, yaw tare 0...359.
      (0x02, 0x33, [4, 0, 4, 0], 0x00), (0x02, 0x33, [5, 0, 0, 0], 0x07), (0x02, 0x33, [0, 0, 5, 0], 0x07),
      (0x02, 0x12, [3, 0, 0, 0, 0, 0], 0x00), (0x02, 0x12, [4, 0, 0, 0, 0, 0], 0x07), (0x02, 0x14, [3], 0x00),
      (0x02, 0x13, [0, 0, 0, 0, 0, 0x01, 0x68], 0x07), (0x02, 0x13, [0, 0, 0, 0, 0, 0x01, 0x67], 0x00),
      // A stream of no frames, or every 0 ticks.
      (0x02, 0x11, [0, 1, 0, 0, 0, 7, 0, 0, 0], 0x07), (0x02, 0x11, [0, 0, 0, 0, 0, 0, 0, 0, 0], 0x00),
      // Trip points 675...725 and 625...675, 25 apart; a minute at least.
      (0x00, 0x24, [0x02, 0xD5, 0x02, 0xA3], 0x00), (0x00, 0x24, [0x02, 0xD6, 0x02, 0x8A], 0x07),
      (0x00, 0x24, [0x02, 0xA3, 0x02, 0x71], 0x00), (0x00, 0x24, [0x02, 0xA2, 0x02, 0x71], 0x07),
      (0x00, 0x24, [0x02, 0xBC, 0x02, 0x70], 0x07), (0x00, 0x24, [0x02, 0xBC, 0x02, 0xA3], 0x00),
      (0x00, 0x24, [0x02, 0xBB, 0x02, 0xA3], 0x07), (0x00, 0x25, [0, 60], 0x00), (0x00, 0x25, [0, 59], 0x07),
      // Blocks, modes, banks, areas.
      (0x02, 0x40, [2], 0x07), (0x02, 0x42, [2], 0x07), (0x02, 0x48, [2], 0x07), (0x02, 0x60, [2], 0x07),
      (0x02, 0x61, [2, 0x31, 0x30], 0x07), (0x02, 0x62, [2, 0, 10], 0x07), (0x02, 0x57, [5, 0, 0], 0x07),
      (0x02, 0x57, [4, 0, 0], 0x00), (0x02, 0x49, [8, 1], 0x07), (0x02, 0x31, [2], 0x07),
      // Switches are 0 or 1.
      (0x00, 0x12, [2, 0], 0x07), (0x00, 0x21, [2], 0x07), (0x02, 0x4F, [2], 0x07), (0x00, 0x03, [2], 0x07),
      // What is not there, busy, or too much.
      (0x02, 0x49, [0, 255], 0x08), (0x02, 0x52, [40, 0, 0], 0x00), (0x02, 0x52, [255, 0, 0], 0x07),
      (0x02, 0x32, [], 0x04), (0x02, 0x45, [0], 0x04), (0x02, 0x53, [0], 0x04), (0x02, 0x90, [], 0x04),
      (0x01, 0x02, [], 0x09), (0x01, 0x04, [], 0x09), (0x01, 0x06, [], 0x09), (0x00, 0x41, [], 0x04),
      (0x00, 0x42, [], 0x05),
    ] as [(UInt8, UInt8, [UInt8], UInt8)])
  func valuesAtTheirBorders(_ device: UInt8, _ command: UInt8, _ payload: [UInt8], _ status: UInt8) {
    var talk = Talk()
    #expect(talk.reply(device, command, payload)?.status == status)
  }

  @Test func whatRunsIsNotStartedAgain() {
    var talk = Talk()
    // Temporary macro: delay of 1000 ms, end.
    #expect(talk.reply(0x02, 0x51, [0xFF, 0x00, 0x0B, 0x03, 0xE8, 0x00])?.status == 0)
    #expect(talk.reply(0x02, 0x50, [0xFF])?.status == 0)
    #expect(talk.reply(0x02, 0x50, [0xFF])?.status == 0x08)
    #expect(talk.reply(0x02, 0x55)?.payload == [0xFF, 0x00, 0x01])
    #expect(talk.reply(0x02, 0x55)?.payload.first == 0, "nothing runs any more")
    #expect(talk.reply(0x02, 0x56)?.payload == [0, 0, 0])
    // A macro 40 with a comment of no length, twice.
    #expect(talk.reply(0x02, 0x52, [40, 0x00, 0x20, 0, 0, 0x00])?.status == 0)
    #expect(talk.reply(0x02, 0x52, [40, 0x00, 0x20, 0, 0, 0x00])?.status == 0x08)
    #expect(talk.reply(0x02, 0x54)?.status == 0)
    #expect(talk.reply(0x02, 0x52, [40, 0x00, 0x20, 0, 0, 0x00])?.status == 0, "forgotten by 54h")
    // 10 goto 10
    #expect(talk.reply(0x02, 0x61, [0] + Array("10 goto 10\n".utf8) + [0])?.status == 0)
    #expect(talk.reply(0x02, 0x62, [0, 0, 10])?.status == 0)
    #expect(talk.reply(0x02, 0x62, [0, 0, 10])?.status == 0x08)
    #expect(talk.reply(0x02, 0x63)?.status == 0)
    #expect(talk.reply(0x02, 0x63)?.status == 0, "also where nothing runs")
  }

  @Test(arguments: [0xFC, 0xFD, 0xFE, 0xFF] as [UInt8])
  func theLastTwoBitsAreOptions(_ sop2: UInt8) {
    var talk = Talk()
    let pieces = talk.send(0x02, 0x21, [9], sop2: sop2)
    #expect(pieces.map(\.bytes) == (sop2 & 1 == 1 ? [[0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]] : []))
    #expect(talk.robot.lights.tail == 9)
  }

  @Test(
    arguments: [
      // SOP2 F8h and FBh, a DID of F0h, DLEN 0: none begins a command. The checksums are right.
      [0xFF, 0xF8, 0x00, 0x01, 0x52, 0x01, 0xAB], [0xFF, 0xFB, 0x00, 0x01, 0x52, 0x01, 0xAB],
      [0xFF, 0xFF, 0xF0, 0x01, 0x52, 0x01, 0xBB], [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x00, 0xAC], [0x0D],
      [0x75, 0x3E],
    ] as [[UInt8]])
  func whatIsNoCommandIsSteppedOver(_ bytes: [UInt8]) {
    var talk = Talk()
    talk.robot.receive(bytes, at: .zero)
    #expect(talk.robot.takeOutput().isEmpty)
    _ = talk.wait(.seconds(2))
    #expect(talk.reply(0x00, 0x01)?.status == 0)
    #expect(talk.robot.statistics.commands == 1 && talk.robot.statistics.badChecksums == 0)
  }

  @Test func longCommandsHaveTheirMark() {
    // 02:43 with DLEN FFh: 400h bytes and a checksum over all of them, first right, then wrong.
    var body: [UInt8] = [0x02, 0x43, 0x52, 0xFF] + [UInt8](repeating: 7, count: 0x400)
    body.append(~body.reduce(0, &+))
    var talk = Talk()
    talk.robot.receive([0xFF, 0xFF] + body.prefix(600), at: .zero)
    #expect(talk.robot.takeOutput().isEmpty)
    talk.robot.receive(Array(body.dropFirst(600)), at: .zero)
    #expect(talk.robot.takeOutput().map(\.bytes) == [[0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]])
    body[900] = 8
    talk.robot.receive([0xFF, 0xFF] + body, at: .zero)
    #expect(talk.robot.takeOutput().map(\.bytes) == [[0xFF, 0xFF, 0x02, 0x52, 0x01, 0xAA]])
    #expect(talk.reply(0x00, 0x01)?.status == 0)
  }

  // MARK: Settings

  @Test func aLongNameIsClipped() {
    var talk = Talk()
    #expect(talk.reply(0x00, 0x10, Array("0123456789abcdefghij".utf8))?.status == 0)
    #expect(talk.reply(0x00, 0x11)?.payload.prefix(16) == Array("0123456789abcdef".utf8)[...])
    #expect(talk.reply(0x00, 0x10, [UInt8](repeating: 0x41, count: 60))?.status == 0, "48 bytes of it")
    #expect(talk.reply(0x00, 0x11)?.payload.prefix(16) == [UInt8](repeating: 0x41, count: 16)[...])
    #expect(talk.reply(0x00, 0x10, [0x42])?.status == 0)
    #expect(
      talk.reply(0x00, 0x11)?.payload == [0x42] + Array(repeating: 0, count: 15) + Array("6886E7001234".utf8)
        + [0] + Array("RGB".utf8))
  }

  @Test func whatIsKeptOverSleep() {
    var talk = Talk()
    for (device, command, payload) in [
      (0x00, 0x10, Array("Bob".utf8)), (0x00, 0x12, [1, 9]), (0x00, 0x24, [0x02, 0xD0, 0x02, 0x80]),
      (0x00, 0x25, [0x01, 0x2C]), (0x02, 0x08, [0xAB, 0xCD]), (0x02, 0x35, [0, 0, 0, 0x1A]),
      (0x02, 0x37, [0, 0, 0, 1]), (0x02, 0x20, [1, 2, 3, 1]), (0x02, 0x52, [40, 0, 0]), (0x02, 0x02, [0]),
      (0x02, 0x14, [0]), (0x00, 0x21, [1]),
    ] as [(UInt8, UInt8, [UInt8])] {
      #expect(talk.reply(device, command, payload)?.status == 0)
    }
    #expect(talk.reply(0x00, 0x22, [0, 0, 0, 0, 0])?.status == 0)
    _ = talk.wait(.seconds(1))
    #expect(talk.send(0x00, 0x01).isEmpty, "asleep")
    talk.robot.shake(.init(0, 0, 5), at: talk.now)
    _ = talk.robot.takeOutput()
    #expect(talk.reply(0x00, 0x11)?.payload.prefix(4) == [0x42, 0x6F, 0x62, 0x00])
    #expect(talk.reply(0x00, 0x13)?.payload == [1, 9])
    #expect(talk.reply(0x00, 0x23)?.payload == [0x02, 0xD0, 0x02, 0x80])
    #expect(talk.reply(0x02, 0x07)?.payload == [0xAB, 0xCD])
    #expect(talk.reply(0x02, 0x36)?.payload == [0, 0, 0, 0x1A])
    #expect(talk.reply(0x02, 0x22)?.payload == [1, 2, 3])
    // ClientTimeOut=300; stabilisation is on again.
    let text = talk.send(0x00, 0x40).last.flatMap { event($0.bytes) }
    #expect(text?.id == 0x02)
    let report = String(decoding: text?.payload ?? [], as: UTF8.self)
    #expect(report.contains("\nClientTimeOut=300\n") && report.contains("\nStabilization: on\n"))
    // Gone: temporary options, the index of macros, power notifications.
    #expect(talk.reply(0x02, 0x38)?.payload == [0, 0, 0, 0])
    #expect(talk.reply(0x02, 0x50, [40])?.status != 0, "the macro's place is lost at sleep")
    #expect(talk.wait(.seconds(30)).isEmpty, "no notifications")
  }

  @Test func thePowerStateIsOfEightBytes() {
    var talk = Talk { $0.charge = 0.7 }
    // Record 1, OK, 7.80 V, 37 charges, no second since the last.
    #expect(talk.reply(0x00, 0x20)?.payload == [0x01, 0x02, 0x03, 0x0C, 0x00, 0x25, 0x00, 0x00])
    _ = talk.wait(.seconds(90))
    #expect(talk.reply(0x00, 0x20)?.payload.suffix(2) == [0x00, 0x5A])
    var low = Talk { $0.charge = 0.2 }
    #expect(low.reply(0x00, 0x20)?.payload.prefix(4) == [0x01, 0x03, 0x02, 0xA8], "6.80 V is low")
  }

  @Test func blocksComeBehindTheirResponse() {
    for (command, id) in [(0x40, 0x04), (0x46, 0x0D)] as [(UInt8, UInt8)] {
      var talk = Talk()
      let pieces = talk.send(0x02, command, command == 0x40 ? [0] : [])
      #expect(
        pieces.map { Array($0.bytes.prefix(5)) } == [
          [0xFF, 0xFF, 0x00, 0x52, 0x01], [0xFF, 0xFE, id, 0x04, 0x01],
        ])
      #expect(pieces.last?.bytes.count == 5 + 0x401)
    }
  }

  // MARK: Counters and clock

  @Test func theCountersOfTheReport() {
    var talk = Talk()
    for _ in 0..<5 { _ = talk.reply(0x00, 0x01) }
    for _ in 0..<2 { _ = talk.reply(0x07, 0x01) }
    for _ in 0..<3 { _ = talk.reply(0x02, 0xEE) }
    for _ in 0..<4 { _ = talk.reply(0x02, 0x30, [1]) }
    for _ in 0..<6 { talk.robot.receive([0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAA], at: talk.now) }
    _ = talk.robot.takeOutput()
    let report = String(
      decoding: talk.send(0x00, 0x40).last.flatMap { event($0.bytes)?.payload } ?? [], as: UTF8.self)
    for line in [
      "Good Rx: 15", "Bad DID: 2", "Bad CID: 3", "Bad LEN: 4", "Bad CHK: 6", "Perm Option Flags=0x12",
    ] {
      #expect(report.contains("\n\(line)\n"), "\(line)")
    }
    #expect(report.contains("\nTx: 20\n"), "a response for each")
    #expect(report.hasPrefix("[System]\n") && report.hasSuffix("\n"))
  }

  @Test func theClockIsSetAndWraps() {
    var talk = Talk()
    // 1.001 * 1000 is less than 1001 in floating point.
    _ = talk.wait(.milliseconds(1_001))
    #expect(talk.reply(0x00, 0x51, [0, 0, 0, 0])?.payload.suffix(4) == [0, 0, 0x03, 0xE9])
    _ = talk.wait(.milliseconds(4_011))
    // T1 = 100000 ms; the robot's clock began 5012 ms ago.
    #expect(
      talk.reply(0x00, 0x51, [0, 1, 0x86, 0xA0])?.payload == [
        0, 1, 0x86, 0xA0, 0, 0, 0x13, 0x94, 0, 0, 0x13, 0x94,
      ])
    #expect(talk.reply(0x00, 0x50, [0xFF, 0xFF, 0xFF, 0xF0])?.status == 0)
    #expect(talk.reply(0x00, 0x51, [0, 0, 0, 0])?.payload.suffix(4) == [0xFF, 0xFF, 0xFF, 0xF0])
    _ = talk.wait(.milliseconds(32))
    #expect(talk.reply(0x00, 0x51, [0, 0, 0, 7])?.payload == [0, 0, 0, 7, 0, 0, 0, 0x10, 0, 0, 0, 0x10])
    #expect(talk.reply(0x00, 0x50, [0, 0, 0, 5])?.status == 0, "back again")
    #expect(talk.reply(0x00, 0x51, [0, 0, 0, 0])?.payload.suffix(4) == [0, 0, 0, 5])
    // It is zero at wake-up, which is on a tick: 5045 ms is one, and so is a second later.
    _ = talk.wait(.milliseconds(1))
    _ = talk.reply(0x00, 0x22, [0, 1, 0, 0, 0])
    _ = talk.wait(.milliseconds(1_250))
    #expect(talk.reply(0x00, 0x51, [0, 0, 0, 0])?.payload.suffix(4) == [0, 0, 0, 250])
  }

  // MARK: The bootloader

  @Test func theWayToTheBootloaderAndBack() {
    var talk = Talk()
    // As recorded: 00:30 with SEQ 01, 01:04 with SEQ 02.
    talk.robot.receive([0xFF, 0xFF, 0x00, 0x30, 0x01, 0x01, 0xCD], at: talk.now)
    #expect(talk.robot.takeOutput().map(\.bytes) == [[0xFF, 0xFF, 0x00, 0x01, 0x01, 0xFD]])
    #expect(talk.reply(0x01, 0x05, [0x10])?.payload == [0x00])
    #expect(talk.reply(0x01, 0x05)?.status == 0x06)
    #expect(talk.reply(0x02, 0x20, [1, 2, 3, 0])?.status == 0x09)
    #expect(talk.reply(0x00, 0x40)?.status == 0x04)
    talk.robot.receive([0xFF, 0xFF, 0x01, 0x04, 0x02, 0x01, 0xF7], at: talk.now)
    #expect(talk.robot.takeOutput().map(\.bytes) == [[0xFF, 0xFF, 0x00, 0x02, 0x01, 0xFC]])
    #expect(talk.reply(0x01, 0x04)?.status == 0x09)
    #expect(talk.reply(0x02, 0x20, [1, 2, 3, 0])?.status == 0x00)
  }
}
