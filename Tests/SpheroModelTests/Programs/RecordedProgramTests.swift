// Tests of recorded programs against the recorded output of robots.

import Foundation
import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@Suite(.ownThread) struct RecordedProgramTests {
  /// The bytes of each side of a recording in Fixtures/captures.
  private func recording(_ name: String) throws -> (host: [UInt8], robot: [UInt8]) {
    let file = URL(filePath: #filePath).appending(path: "../../../../Fixtures/captures/\(name).capture")
    let lines = try String(contentsOf: file.standardizedFileURL, encoding: .utf8).split(separator: "\n")
    func bytes(_ mark: String) -> [UInt8] {
      lines.filter { $0.hasPrefix(mark) }.flatMap { programBytes(String($0.dropFirst(2))) }
    }
    return (bytes("> "), bytes("< "))
  }

  private func packets(_ bytes: [UInt8], from sender: Sender) -> [Packet] {
    var decoder = PacketDecoder(from: sender)
    decoder.append(bytes)
    var packets: [Packet] = []
    while let packet = decoder.next() { packets.append(packet) }
    return packets
  }

  @Test(arguments: [
    ("macro-load-short-temp", 3), ("macro-load-short-user", 3), ("macro-load-long-temp", 3),
    ("basic-print", 1), ("basic-large-print", 1),
  ])
  func answersAsRecorded(_ name: String, eventCount: Int) throws {
    let recording = try recording(name)
    let expected = packets(recording.robot, from: .robot)
    var macros = MacroExecutive()
    var basic = OrbBasicInterpreter()
    var recorder = ActionRecorder()
    var events: [String] = []
    for case .command(let command) in packets(recording.host, from: .host) {
      let status = answer(command, &macros, &basic)
      for case .response(let response) in expected where response.sequence == command.sequence {
        #expect(response.status == status && response.payload.isEmpty)
      }
      let end = recorder.now + .seconds(1)
      macros.run(until: end, &recorder)
      basic.run(until: end, &recorder)
    }
    for case .event(let event) in expected {
      if event.id.rawValue == 0x08 {
        events.append("print " + String(decoding: event.payload, as: UTF8.self).replacing("\n", with: "|"))
      } else {
        events.append("event " + Hexadecimal.text([event.id.rawValue] + event.payload))
      }
    }
    #expect(events.count == eventCount)
    #expect(recorder.actions == events)
  }

  private func answer(
    _ command: CommandPacket, _ macros: inout MacroExecutive, _ basic: inout OrbBasicInterpreter
  ) -> Status {
    let payload = command.payload
    let area = payload.first.flatMap(OrbBasic.Area.init) ?? .ram
    switch command.id.command {
    case 0x50: return macros.run(payload[0], at: .zero, isConnected: true)
    case 0x51: return macros.saveTemporary(payload)
    case 0x52: return macros.save(payload, at: .zero, isConnected: true)
    case 0x54:
      macros.reinitialize()
      return .ok
    case 0x58: return macros.append(payload)
    case 0x60: return basic.erase(area)
    case 0x61: return basic.append(Array(payload.dropFirst()), to: area)
    case 0x62: return basic.execute(area, line: UInt16(payload[1]) << 8 | UInt16(payload[2]), at: .zero)
    case 0x63:
      basic.abort(at: .zero)
      return .ok
    default: return .unknownCommand
    }
  }
}
