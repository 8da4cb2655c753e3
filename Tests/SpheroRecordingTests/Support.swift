// Helpers of the tests of recordings: fixtures, packets, and a sink in memory.

import Foundation
import SpheroProtocol
import SpheroRecording
import Testing

let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().appending(path: "Fixtures")

func cut(_ bytes: [UInt8], into size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}

/// A packet of sensor words: FF FE 03, two bytes of length, the words, CHK.
func sensorPacket(_ words: [Int16]) -> [UInt8] {
  let bytes = words.map { UInt16(bitPattern: $0) }.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  let body: [UInt8] = [3, 0, UInt8(bytes.count + 1)] + bytes
  return [0xFF, 0xFE] + body + [~body.reduce(0, &+)]
}

extension CaptureLine {
  /// Reads one line of the capture format.
  init(parsing text: String) throws {
    self = try #require(try CaptureReader.lines(in: Array(text.utf8), format: .capture).first)
  }
}

/// A sink that keeps all records.
actor MemorySink: CaptureSink {
  private(set) var records: [CaptureRecord] = []
  func write(_ record: CaptureRecord) { records.append(record) }
}
