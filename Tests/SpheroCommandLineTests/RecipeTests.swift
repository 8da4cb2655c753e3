// Bluetooth logs through tshark and `sphero decode`, as in Docs/Data.md.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecipeTests {
  private static let tool = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Tests/Tools/hci2capture")

  /// A command, its response and a sensor packet: time, direction (0 from the host), bytes.
  private static let conversation: [(time: Double, direction: UInt8, bytes: [UInt8])] = [
    (0, 0, [0xFF, 0xFF, 0x02, 0x30, 0x07, 0x05, 0x80, 0x00, 0x5A, 0x01, 0xE6]),
    (0.031, 1, [0xFF, 0xFF, 0x00, 0x07, 0x01, 0xF7]),
    (0.044, 1, [0xFF, 0xFE, 0x03, 0x00, 0x07, 0xFF, 0xFB, 0x00, 0x01, 0x00, 0xB4, 0x46]),
  ]

  /// The bytes in an RFCOMM frame on channel 1, in L2CAP on channel 40h, in an ACL packet of H4.
  private func h4(_ payload: [UInt8], direction: UInt8) -> [UInt8] {
    let header: [UInt8] = [direction == 0 ? 0x0B : 0x09, 0xEF]
    var check: UInt8 = 0xFF
    for byte in header {
      check ^= byte
      for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xE0 : check >> 1 }
    }
    let frame = header + [UInt8(payload.count) << 1 | 1] + payload + [~check]
    let l2cap = [UInt8(frame.count), 0, 0x40, 0] + frame
    return [0x02, 0x01, 0x20, UInt8(l2cap.count), 0] + l2cap
  }

  private func isInstalled(_ tool: String) async throws -> Bool {
    let isThere = try await program(["which", tool]).code == 0
    if !isThere { print("skipped: \(tool) is not installed") }
    return isThere
  }

  private func decoded(_ log: String) async throws -> [Substring] {
    let capture = try await program([Self.tool.path, log, "0x0040"])
    #expect(capture.code == 0, "\(capture.error)")
    let file = freshPath()
    try Data(capture.output.utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try await sphero("decode", file, "--mask", "imu", "--strict").lines
  }

  @Test func aLogOfAndroid() async throws {
    guard try await isInstalled("tshark") else { return }
    // btsnoop, version 1, datalink 1002 (H4); times count microseconds.
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    var log = Array("btsnoop\0".utf8) + word(1) + word(1_002)
    for packet in Self.conversation {
      let bytes = h4(packet.bytes, direction: packet.direction)
      let time = 0x00DC_DDB3_0F2F_8000 + Int(packet.time * 1e6)
      log += word(bytes.count) + word(bytes.count) + word(Int(packet.direction)) + word(0)
      log += word(time >> 32) + word(time & 0xFFFF_FFFF) + bytes
    }
    let path = freshPath()
    try Data(log).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines = try await decoded(path)
    #expect(
      lines == [
        " 0.000 > Motion.Roll        seq 7   speed=128 heading=90° state=drive",
        " 0.031 < Motion.Roll        seq 7   ok",
        " 0.044 < Sensing.SensorData         pitch=-5° roll=1° yaw=180°",
      ])
  }

  @Test func aFileOfText2pcap() async throws {
    guard try await isInstalled("tshark"), try await isInstalled("text2pcap") else { return }
    var text = ""
    for packet in Self.conversation.dropFirst() {
      let bytes = h4(packet.bytes, direction: packet.direction)
      text += "12:00:00.\(String(Int(packet.time * 1e6) + 1_000_000).dropFirst())\n000000"
      text += bytes.map { " " + String(Int($0) + 0x100, radix: 16).dropFirst() }.joined() + "\n"
    }
    let (source, path) = (freshPath(), freshPath())
    try Data(text.utf8).write(to: URL(filePath: source))
    defer { for path in [source, path] { try? FileManager.default.removeItem(atPath: path) } }
    let made = try await program(["text2pcap", "-l", "201", "-t", "%H:%M:%S.%f", source, path])
    #expect(made.code == 0, "\(made.error)")
    let lines = try await decoded(path)
    #expect(
      lines == [
        " 0.000 < response           seq 7   ok",
        " 0.013 < Sensing.SensorData         pitch=-5° roll=1° yaw=180°",
      ])
  }
}
