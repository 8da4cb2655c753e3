// Recordings of real robots are dissected as they were before, and hold the packets of the vectors.

import Foundation
import SpheroProtocol
import Testing

/// A recording in Fixtures/captures, with its expected dissection beside it.
struct Recording: Sendable, CustomTestStringConvertible {
  var url: URL
  var testDescription: String { url.deletingPathExtension().lastPathComponent }
  var expected: URL { url.deletingPathExtension().appendingPathExtension("txt") }
  var lines: [CaptureLine] { get throws { try CaptureReader.lines(in: Data(contentsOf: url)) } }
  /// The first line names where the recording is from.
  var source: String {
    get throws {
      let text = try String(contentsOf: url, encoding: .utf8)
      return String(text.prefix { $0 != "\n" }.dropFirst(2))
    }
  }

  static let all: [Recording] = {
    let folder = fixtures.appending(path: "captures")
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "capture" }.sorted { $0.path < $1.path }.map(
      Recording.init)
  }()
}

func dissect(_ lines: some Sequence<CaptureLine>, with dissector: Dissector = Dissector()) -> [Dissection] {
  var dissector = dissector
  let items = lines.reduce(into: []) { $0 += dissector.append($1) }
  return items + dissector.finish()
}

@Suite struct CaptureFixtureTests {
  @Test func recordingsAreThere() { #expect(Recording.all.count >= 18) }

  /// `SPHERO_RECORD=1` writes what is found instead; read the difference before you commit it.
  @Test(arguments: Recording.all) func dissection(_ recording: Recording) throws {
    let text = dissect(try recording.lines).map { $0.details + "\n" }.joined()
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] == "1" {
      try text.write(to: recording.expected, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: recording.expected, encoding: .utf8) == text)
  }

  @Test(
    arguments: Vector.all.filter {
      $0.note?.contains("real capture") == true && !$0.source.hasPrefix("computed")
    })
  func recordingHolds(_ vector: Vector) throws {
    let recording = try #require(try Recording.all.first { try $0.source == vector.source })
    let wire = bytes(vector.hex)
    let sender: Sender = vector.kind == "command" ? .host : .robot
    let pieces = try recording.lines.filter { $0.sender == sender }.map(\.bytes)
    if vector.kind == "stream" {
      let reads = vector.fields.chunks?.map { bytes($0) } ?? [wire]
      #expect(pieces.indices.contains { pieces[$0...].starts(with: reads) })
    } else {
      let packets = try Decoding(pieces, from: sender).packets.map { try $0.encoded() }
      #expect(packets.contains(wire))
    }
  }
}
