// The example in Docs/Captures.md is a capture, and the page names every mark and key.

import Foundation
import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct CapturesPageTests {
  private static let page: String = {
    let url = fixtures.deletingLastPathComponent().appending(path: "Docs/Captures.md")
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  @Test func theExampleIsACapture() throws {
    let start = try #require(Self.page.firstRange(of: "```text\n")).upperBound
    let example = try #require(Self.page[start...].split(separator: "```\n").first)
    let records = try CaptureReader.records(in: Array(example.utf8))
    let lost = "the link on /dev/rfcomm0 was lost"
    let expected: [CaptureRecord] = [
      .header(
        CaptureHeader(
          start: WallTime("2026-11-21T13:36:46.25Z"), program: "sphero", version: "0.1.0",
          port: "/dev/rfcomm0")),
      .line(
        CaptureLine(
          time: .microseconds(412), from: .host, bytes: bytes("FF FF 02 30 07 05 80 00 5A 01 E6"))),
      .line(CaptureLine(time: .microseconds(31_870), from: .robot, bytes: bytes("FF FF 00 07 01 F7"))),
      .mark(CaptureMark(.gap, time: .milliseconds(1_100), reason: lost)),
      .mark(CaptureMark(.reconnection, time: .milliseconds(4_200))),
      .line(
        CaptureLine(
          time: .milliseconds(4_212), from: .host, bytes: bytes("FF FF 02 30 08 05 00 00 5A 00 66"))),
      .mark(
        CaptureMark(
          .incomplete, time: .seconds(5), lines: 37, reason: "they were written down too slowly")),
    ]
    #expect(records == expected)
    // Each line is written as it stands there.
    let written = records.map(\.description)
    let exampleLines: [Substring] = example.split(separator: "\n").filter { !$0.hasPrefix("# ") }
    #expect(written == exampleLines.map(String.init))
    var dissector = Dissector()
    let packets = records.compactMap(\.line).flatMap { dissector.append($0.bytes, from: $0.sender) }
    #expect(packets.map(\.name) == Array(repeating: "Motion.Roll", count: 3))
  }

  @Test func everyMarkAndKeyIsNamed() {
    for kind in CaptureMark.Kind.known { #expect(Self.page.contains("#: TIME \(kind.rawValue)")) }
    let header = CaptureHeader(
      start: WallTime(sinceEpoch: .zero), program: "", version: "", port: "",
      stream: StreamFormat(mask: .imu, divisor: 1, frames: 1))
    let mark = CaptureMark(.gap, duration: .zero, lines: 0, reason: "", name: "", outcome: "", offsets: "")
    for field in header.fields + mark.fields { #expect(Self.page.contains("`\(field.key)`")) }
  }
}
