// Tests of the response to every command of the catalogue, against the fact sheet.

import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroModel

/// A command in literal bytes and the answer to it: status, bytes of the payload, IDs of events at once.
struct Row: CustomTestStringConvertible, Sendable {
  var id: (UInt8, UInt8)
  var payload: [UInt8]
  var status: UInt8
  var count: Int
  var events: [UInt8]

  init(
    _ device: UInt8, _ command: UInt8, _ payload: [UInt8] = [], status: UInt8 = 0, count: Int = 0,
    events: [UInt8] = []
  ) {
    (id, self.payload) = ((device, command), payload)
    (self.status, self.count, self.events) = (status, count, events)
  }

  var testDescription: String { "\(CommandID(id.0, id.1))" }
}

/// Collects the commands of the catalogue.
private struct CommandIDs: CatalogueVisitor {
  var ids: Set<CommandID> = []
  mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { ids.insert(R.id) }
  mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}
}

@Suite(.ownThread) struct CommandTableTests {
  /// The password is wrong: the seed of a new robot is not zero.
  private static let password: [UInt8] = [0, 0, 0, 0]

  /// One row for each command, in the order of the IDs.
  static let rows: [Row] = [
    Row(0x00, 0x01), Row(0x00, 0x02, count: 8), Row(0x00, 0x03, [1]),
    Row(0x00, 0x10, [0x41, 0x42]), Row(0x00, 0x11, count: 32), Row(0x00, 0x12, [1, 7]),
    Row(0x00, 0x13, count: 2), Row(0x00, 0x20, count: 8), Row(0x00, 0x21, [1], events: [0x01]),
    Row(0x00, 0x22, [0, 0, 0, 0, 0]), Row(0x00, 0x23, count: 4), Row(0x00, 0x24, [0x02, 0xBC, 0x02, 0x8A]),
    Row(0x00, 0x25, [0x02, 0x58]), Row(0x00, 0x26, count: 1), Row(0x00, 0x27, count: 4),
    Row(0x00, 0x30), Row(0x00, 0x40, events: [0x02]), Row(0x00, 0x41, status: 0x04),
    Row(0x00, 0x42, status: 0x05), Row(0x00, 0x50, [0, 0, 0, 1]),
    Row(0x00, 0x51, [0, 1, 0x86, 0xA0], count: 12),
    Row(0x01, 0x04, status: 0x09), Row(0x01, 0x05, [0x10], status: 0x09),
    Row(0x02, 0x01, [0, 90]), Row(0x02, 0x02, [1]), Row(0x02, 0x03, [0xC8]),
    Row(0x02, 0x04, Array(repeating: 1, count: 32)), Row(0x02, 0x05, status: 0x04), Row(0x02, 0x06),
    Row(0x02, 0x07, count: 2), Row(0x02, 0x08, [0, 9]), Row(0x02, 0x09, [1, 0, 0, 0]), Row(0x02, 0x0A, [50]),
    Row(0x02, 0x11, [0, 20, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0]), Row(0x02, 0x12, [1, 100, 100, 100, 100, 100]),
    Row(0x02, 0x13, [1, 0, 1, 0, 2, 0, 0]), Row(0x02, 0x14, [2]), Row(0x02, 0x15, count: 10),
    Row(0x02, 0x16, count: 2), Row(0x02, 0x20, [1, 2, 3, 0]), Row(0x02, 0x21, [9]), Row(0x02, 0x22, count: 3),
    Row(0x02, 0x30, [100, 1, 14, 1]), Row(0x02, 0x31, [1]), Row(0x02, 0x33, [1, 50, 1, 50]),
    Row(0x02, 0x34, [0x07, 0xD0]), Row(0x02, 0x35, [0, 0, 0, 0x12]), Row(0x02, 0x36, count: 4),
    Row(0x02, 0x37, [0, 0, 0, 1]), Row(0x02, 0x38, count: 4), Row(0x02, 0x3A, count: 4),
    Row(0x02, 0x40, [1], events: [0x04]),
    Row(0x02, 0x41, password + Array(repeating: 1, count: 272), status: 0x0B),
    Row(0x02, 0x42, [1]), Row(0x02, 0x43, Array(repeating: 7, count: 1_024)), Row(0x02, 0x44, count: 1),
    Row(0x02, 0x46, events: [0x0D]),
    Row(0x02, 0x47, password + Array(repeating: 1, count: 1_024), status: 0x0B),
    Row(0x02, 0x48, [0], count: 4), Row(0x02, 0x49, [3, 2], count: 5), Row(0x02, 0x4A, [3], status: 0x08),
    Row(0x02, 0x4B, password + [0, 0, 0, 5, 0], status: 0x0B), Row(0x02, 0x4C, password + [5], status: 0x0B),
    Row(0x02, 0x4D, password + [0], status: 0x0B), Row(0x02, 0x4E, count: 4), Row(0x02, 0x4F, [1]),
    Row(0x02, 0x50, [40], status: 0x07), Row(0x02, 0x51, [255, 0, 0]), Row(0x02, 0x52, [40, 0, 0]),
    Row(0x02, 0x54), Row(0x02, 0x55, count: 3), Row(0x02, 0x56, count: 3), Row(0x02, 0x57, [0, 1, 2]),
    Row(0x02, 0x58, [255, 0, 0]), Row(0x02, 0x60, [0]), Row(0x02, 0x61, [0, 0x31, 0x30]),
    Row(0x02, 0x62, [0, 0, 10], events: [0x0A, 0x09]), Row(0x02, 0x63), Row(0x02, 0x64, [0, 0, 0, 1]),
    Row(0x02, 0x65), Row(0x02, 0x70), Row(0x02, 0x75, count: 4),
  ]

  @Test func theTableIsTheCatalogue() {
    var catalogue = CommandIDs()
    Catalogue.visit(&catalogue)
    #expect(Set(Self.rows.map { CommandID($0.id.0, $0.id.1) }) == catalogue.ids)
    #expect(Self.rows.count == catalogue.ids.count)
    let handled = Set(RobotModel.table.keys).union(RobotModel.bootloaderTable.keys)
    #expect(handled.union([Diagnostics.RunLevel2Diagnostics.id]) == catalogue.ids)
  }

  @Test(arguments: rows) func isAnswered(_ row: Row) throws {
    var talk = Talk()
    let pieces = talk.send(row.id.0, row.id.1, row.payload)
    let answer = try #require(pieces.first.flatMap { response($0.bytes) })
    #expect(answer.status == row.status)
    #expect(answer.payload.count == row.count)
    #expect(pieces.dropFirst().map { event($0.bytes)?.id } == row.events)
    #expect(pieces.first?.notBefore == .zero)
    #expect(pieces.dropFirst().allSatisfy { $0.notBefore >= .milliseconds(4) }, "apart from the response")
  }

  @Test(arguments: Profile.all, rows) func kindsRefuseWhatTheTableSays(_ profile: Profile, _ row: Row) throws
  {
    var talk = Talk { $0.profile = profile }
    let id = CommandID(row.id.0, row.id.1)
    let status = talk.send(row.id.0, row.id.1, row.payload).first.flatMap { response($0.bytes)?.status }
    // What a Sphero 2.0 alone refuses, others execute.
    let expected = Profile.sphero2.unknownCommands.contains(id) ? 0 : row.status
    #expect(status == (profile.unknownCommands.contains(id) ? 0x04 : expected))
  }

  @Test(arguments: rows) func isSilentWhereNoAnswerIsWanted(_ row: Row) {
    var talk = Talk()
    #expect(talk.send(row.id.0, row.id.1, row.payload, sop2: 0xFE).allSatisfy { response($0.bytes) == nil })
  }

  /// Texts and chunks take any length; a stream of zeros is "off".
  private static let anyLength: Set<UInt16> = [0x0010, 0x0258, 0x0251, 0x0252, 0x0261]

  @Test(arguments: rows.filter { $0.id.0 != 0x01 && $0.status != 0x04 })
  func aByteTooManyIsABadFormat(_ row: Row) throws {
    guard row.payload.count < 250, !Self.anyLength.contains(UInt16(row.id.0) << 8 | UInt16(row.id.1)) else {
      return
    }
    // RGB, roll, sleep, boost and stream have short and long forms: two bytes more fit none of them.
    var talk = Talk()
    let payload = row.payload + [0, 0, 0, 0, 0]
    #expect(talk.send(row.id.0, row.id.1, payload).first.flatMap { response($0.bytes)?.status } == 0x06)
  }

  @Test(
    arguments: [
      (0x02, 0x20, [1, 2, 3]), (0x02, 0x30, [1, 0, 2, 1, 0]), (0x00, 0x22, [0, 0, 0]),
      (0x02, 0x11, [0, 20, 0, 1, 0, 7, 0, 0, 0]), (0x02, 0x31, [10, 0, 90]),
    ] as [(UInt8, UInt8, [UInt8])])
  func otherFormsOfOldAndNewClients(_ device: UInt8, _ command: UInt8, _ payload: [UInt8]) {
    var talk = Talk()
    #expect(talk.send(device, command, payload).first.flatMap { response($0.bytes)?.status } == 0)
  }

  @Test(
    arguments: [
      (0x02, 0x01, [1, 0x68]), (0x02, 0x02, [3]), (0x02, 0x30, [1, 0, 0, 9]), (0x02, 0x14, [4]),
      (0x00, 0x25, [0, 59]), (0x00, 0x24, [0x02, 0xA3, 0x02, 0xA3]), (0x02, 0x60, [2]),
      (0x02, 0x11, [0, 0, 0, 1, 0, 7, 0, 0, 0]),
    ] as [(UInt8, UInt8, [UInt8])])
  func valuesOutOfRangeAreRefused(_ device: UInt8, _ command: UInt8, _ payload: [UInt8]) {
    var talk = Talk()
    #expect(talk.send(device, command, payload).first.flatMap { response($0.bytes)?.status } == 0x07)
  }

  @Test func whatIsSetIsReadBack() throws {
    var talk = Talk()
    func read(_ device: UInt8, _ command: UInt8) throws -> [UInt8] {
      try #require(talk.send(device, command).first.flatMap { response($0.bytes)?.payload })
    }
    _ = talk.send(0x00, 0x10, Array("sphero-testing".utf8))
    #expect(try read(0x00, 0x11).prefix(16) == Array("sphero-testing".utf8)[...] + [0, 0])
    _ = talk.send(0x00, 0x12, [1, 7])
    #expect(try read(0x00, 0x13) == [1, 7])
    _ = talk.send(0x00, 0x24, [0x02, 0xD0, 0x02, 0x80])
    #expect(try read(0x00, 0x23) == [0x02, 0xD0, 0x02, 0x80])
    _ = talk.send(0x02, 0x08, [0x12, 0x34])
    #expect(try read(0x02, 0x07) == [0x12, 0x34])
    _ = talk.send(0x02, 0x35, [0, 0, 0, 3])
    #expect(try read(0x02, 0x36) == [0, 0, 0, 3])
    _ = talk.send(0x02, 0x37, [0, 0, 0, 1])
    #expect(try read(0x02, 0x38) == [0, 0, 0, 1])
    _ = talk.send(0x02, 0x42, [1])
    #expect(try read(0x02, 0x44) == [1])
    _ = talk.send(0x02, 0x20, [0xA6, 0xD2, 0xEC, 1])
    #expect(try read(0x02, 0x22) == [0xA6, 0xD2, 0xEC])
    // The configuration block is little-endian: trip points at 2 and 4, chassis at 10, colour at 12.
    let block = try #require(talk.send(0x02, 0x40, [1]).last.flatMap { event($0.bytes)?.payload })
    #expect(Array(block[2..<6]) == [0xD0, 0x02, 0x80, 0x02])
    #expect(Array(block[10..<15]) == [0x34, 0x12, 0xA6, 0xD2, 0xEC])
    _ = talk.send(0x02, 0x43, [UInt8](repeating: 7, count: 1_024))
    #expect(
      talk.send(0x02, 0x40, [1]).last.flatMap { event($0.bytes)?.payload }
        == Array(repeating: 7, count: 1_024))
  }

  @Test func theSeedOpensTheSoul() throws {
    var talk = Talk()
    let seed = try #require(talk.send(0x02, 0x4E).first.flatMap { response($0.bytes)?.payload })
    #expect(
      talk.send(0x02, 0x4B, seed + [0, 0, 0, 5, 0]).first.flatMap { response($0.bytes)?.payload } == [
        0, 0, 0, 105,
      ])
    #expect(
      talk.send(0x02, 0x4B, seed + [0, 0, 0, 5, 0]).first.flatMap { response($0.bytes)?.status } == 0x0B,
      "once")
  }

  @Test func theBootloaderAnswersForItself() {
    var talk = Talk()
    _ = talk.send(0x00, 0x30)
    #expect(talk.send(0x01, 0x05, [0x10]).first?.bytes == [0xFF, 0xFF, 0x00, 0x52, 0x02, 0x00, 0xAB])
    #expect(talk.send(0x02, 0x30, [1, 0, 0, 1]).first.flatMap { response($0.bytes)?.status } == 0x09)
    #expect(talk.send(0x01, 0x04).first.flatMap { response($0.bytes)?.status } == 0)
    #expect(talk.send(0x02, 0x30, [1, 0, 0, 1]).first.flatMap { response($0.bytes)?.status } == 0)
  }
}
