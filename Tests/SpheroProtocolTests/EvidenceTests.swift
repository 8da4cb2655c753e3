// Compares the lists of recorded messages with the recordings.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct EvidenceTests {
  /// The packets of each recording, by its name.
  private static func recordings() throws -> [(name: String, items: [Dissection])] {
    let folder = fixtures.appending(path: "captures")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.filter { $0.pathExtension == "capture" }.sorted { $0.path < $1.path }.map { file in
      var dissector = Dissector()
      var items: [Dissection] = []
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let mark = line.first, "<>".contains(mark) else { continue }
        items += dissector.append(bytes(String(line.dropFirst())), from: mark == ">" ? .host : .robot)
      }
      return (file.deletingPathExtension().lastPathComponent, items + dissector.finish())
    }
  }

  @Test func listsMatchTheRecordings() throws {
    var (commands, responses, events): ([CommandID: [String]], [CommandID: [String]], [EventID: [String]])
    (commands, responses, events) = ([:], [:], [:])
    for (name, items) in try Self.recordings() {
      var requested: [UInt8: CommandID] = [:]
      for item in items {
        switch item.packet {
        case .command(let packet):
          requested[packet.sequence] = packet.id
          if commands[packet.id]?.last != name { commands[packet.id, default: []].append(name) }
        case .event(let packet):
          if events[packet.id]?.last != name { events[packet.id, default: []].append(name) }
        case .response(let packet):
          // This recording consists of a response only; its first line names the command.
          let id = name == "read-locator-ollie" ? Sensing.ReadLocator.id : requested[packet.sequence]
          guard let id, !packet.payload.isEmpty, responses[id]?.last != name else { continue }
          responses[id, default: []].append(name)
        case nil: break
        }
      }
    }
    #expect(commands.count >= 18)
    #expect(events.count >= 7)
    for type in Catalogue.commands {
      #expect(Evidence.recordings(of: type.id) == commands[type.id] ?? [], "\(type.name)")
      #expect(
        Evidence.recordings(ofResponseTo: type.id) == responses[type.id] ?? [], "\(type.name)")
    }
    for type in Catalogue.events {
      #expect(Evidence.recordings(of: type.id) == events[type.id] ?? [], "\(type.name)")
    }
    #expect(commands.keys.allSatisfy { Catalogue.command($0) != nil })
    #expect(events.keys.allSatisfy { Catalogue.event($0) != nil })
  }

  /// Looked up by hand in the recordings.
  @Test func samplesMatchManualLookup() {
    #expect(Evidence.recordings(of: OrbBasic.Abort.id) == ["basic-large-print", "basic-print"])
    #expect(Evidence.recordings(of: Sensing.Collision.id) == ["collision-bb8"])
    #expect(Evidence.recordings(of: Motion.Roll.id).isEmpty)
    #expect(Evidence.recordings(of: Soul.LevelUp.id).isEmpty)
  }
}
