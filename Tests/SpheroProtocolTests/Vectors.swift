// The vectors of Fixtures/vectors/protocol.json, and random values by seed.

import Foundation
import SpheroProtocol
import Testing

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "Fixtures")

/// A packet or byte stream with its decoded values.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
  struct Fields: Decodable, Sendable {
    struct ExpectedPacket: Decodable, Sendable {
      var type: String
      var answer: Bool?
      var reset: Bool?
      var did: UInt8?
      var cid: UInt8?
      var mrsp: UInt8?
      var seq: UInt8?
      var id: UInt8?
      var data: String
    }
    struct Sensor: Decodable, Sendable {
      var mask: UInt32
      var mask2: UInt32
      var valid: Bool?
    }
    var did: UInt8?
    var cid: UInt8?
    var seq: UInt8?
    var sop2: UInt8?
    var mrsp: UInt8?
    var id: UInt8?
    var dlen: Int?
    var length: Int?
    var data: String?
    var args: [String: Value]?
    var values: [String: Value]?
    var mask: UInt32?
    var mask2: UInt32?
    var m: Int?
    var frames: [[String: Int16]]?
    var scaled: [[String: Double]]?
    var side: String?
    var packets: [ExpectedPacket]?
    var discarded: Int?
    var badChecksum: Int?
    var pending: Int?
    var maxAsync: Int?
    var chunks: [String]?
    var sensor: Sensor?
  }
  enum Value: Decodable, Sendable, Hashable {
    case integer(Int)
    case text(String)
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .integer(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
  var id: String
  var kind: String
  var name: String
  var fields: Fields
  var hex: String
  var note: String?
  var source: String
  var testDescription: String { id }

  /// The contents of the file, or the error of reading it, which `everyVectorIsTested` reports.
  static let file = Result {
    let data = try Data(contentsOf: fixtures.appending(path: "vectors/protocol.json"))
    return try JSONDecoder().decode([Vector].self, from: data)
  }
  static let all = (try? file.get()) ?? []
  static func of(_ kind: String) -> [Vector] { all.filter { $0.kind == kind } }
}
