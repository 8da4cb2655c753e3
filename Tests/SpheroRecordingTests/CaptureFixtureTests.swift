// Recordings of real robots have their expected dissections and contain the packets of the vectors.

import Foundation
import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

/// A recording in Fixtures/captures, with its expected dissection beside it.
struct Recording: Sendable, CustomTestStringConvertible {
  var url: URL
  var testDescription: String { url.deletingPathExtension().lastPathComponent }
  var expected: URL { url.deletingPathExtension().appendingPathExtension("txt") }
  var lines: [CaptureLine] { get throws { try CaptureReader.lines(in: Data(contentsOf: url)) } }
  /// The first line states the source of the recording.
  var source: String {
    get throws {
      let text = try String(contentsOf: url, encoding: .utf8)
      return String(text.prefix { $0 != "\n" }.dropFirst(2))
    }
  }

  /// The recordings of the folder, or the error that `recordingsExist` reports.
  static let folder = Result {
    let files = try FileManager.default.contentsOfDirectory(
      at: fixtures.appending(path: "captures"), includingPropertiesForKeys: nil)
    return files.filter { $0.pathExtension == "capture" }.sorted { $0.path < $1.path }.map(Recording.init)
  }
  static let all = (try? folder.get()) ?? []
}

/// A recorded packet or stream of Fixtures/vectors/protocol.json.
struct RecordedVector: Decodable, Sendable, CustomTestStringConvertible {
  struct Fields: Decodable, Sendable { var chunks: [String]? }
  var id: String
  var kind: String
  var fields: Fields
  var hex: String
  var note: String?
  var source: String
  var testDescription: String { id }

  static let file = Result {
    let data = try Data(contentsOf: fixtures.appending(path: "vectors/protocol.json"))
    return try JSONDecoder().decode([RecordedVector].self, from: data)
  }
  static let all = (try? file.get()) ?? []
}

func dissect(_ lines: some Sequence<CaptureLine>, with dissector: Dissector = Dissector()) -> [Dissection] {
  var dissector = dissector
  let items = lines.reduce(into: []) { $0 += dissector.append($1.bytes, from: $1.sender, at: $1.time) }
  return items + dissector.finish()
}

@Suite struct CaptureFixtureTests {
  @Test func recordingsExist() throws {
    #expect(try Recording.folder.get().count >= 18)
    #expect(try RecordedVector.file.get().count >= 353)
  }

  /// `SPHERO_RECORD=1` writes the dissection instead; review the difference before you commit it.
  @Test(arguments: Recording.all) func dissection(_ recording: Recording) throws {
    let text = dissect(try recording.lines).map { $0.details + "\n" }.joined()
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] == "1" {
      try text.write(to: recording.expected, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: recording.expected, encoding: .utf8) == text)
  }

  @Test(
    arguments: RecordedVector.all.filter {
      $0.note?.contains("real capture") == true && !$0.source.hasPrefix("computed")
    })
  func recordingHolds(_ vector: RecordedVector) throws {
    let recording = try #require(try Recording.all.first { try $0.source == vector.source })
    let wire = bytes(vector.hex)
    let sender: Sender = vector.kind == "command" ? .host : .robot
    let pieces = try recording.lines.filter { $0.sender == sender }.map(\.bytes)
    if vector.kind == "stream" {
      let reads = vector.fields.chunks?.map { bytes($0) } ?? [wire]
      #expect(pieces.indices.contains { pieces[$0...].starts(with: reads) })
    } else {
      var decoder = PacketDecoder(from: sender)
      decoder.append(pieces.joined())
      var packets: [[UInt8]] = []
      while let packet = decoder.next() { packets.append(try packet.encoded()) }
      #expect(packets.contains(wire))
    }
  }
}
