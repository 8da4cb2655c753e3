// Headers and marks are written and read back; malformed ones are comments.

import SpheroProtocol
import SpheroRecording
import TestSupport
import Testing

@Suite struct CaptureRecordTests {
  private func records(_ text: String) throws -> [CaptureRecord] {
    try CaptureReader.records(in: Array(text.utf8))
  }

  @Test func aHeaderAsText() throws {
    let header = CaptureHeader(
      start: WallTime(sinceEpoch: .seconds(1_795_268_206) + .milliseconds(250)), program: "sphero",
      version: "0.1.0", port: "/dev/rfcomm0", link: "device",
      stream: StreamFormat(mask: SensorMask(mask: 0x0007_0000, mask2: 0xF000_0000), divisor: 20, frames: 1))
    let text =
      "#: capture start=2026-11-21T13:36:46.250000Z program=\"sphero\" version=\"0.1.0\""
      + " port=\"/dev/rfcomm0\" link=\"device\" mask=0x00070000:0xF0000000 divisor=20 frames=1"
    #expect(header.description == text)
    #expect(try records(text + "\n") == [.header(header)])
    #expect(CaptureHeader().description == "#: capture")
    #expect(try records("#: capture") == [.header(CaptureHeader())])
  }

  @Test func marksAsText() throws {
    let marks: [(CaptureMark, String)] = [
      (
        CaptureMark(.gap, time: .seconds(12), duration: .milliseconds(412)), "#: 12.000000 gap duration=0.412"
      ),
      (CaptureMark(.reconnection, time: .seconds(15)), "#: 15.000000 reconnection"),
      (
        CaptureMark(.incomplete, time: .milliseconds(31), lines: 37, reason: "too slow"),
        "#: 0.031000 incomplete lines=37 reason=\"too slow\""
      ),
      (
        CaptureMark(.step, time: .seconds(2), name: "nose-up", outcome: "done"),
        "#: 2.000000 step name=\"nose-up\" outcome=\"done\""
      ),
      (
        CaptureMark(.calibration, time: .seconds(3), offsets: #"{"sampleCount": 9}"#),
        #"#: 3.000000 calibration offsets="{\"sampleCount\": 9}""#
      ),
      (CaptureMark(.unsent, reason: "a \"b\" \\ c\n\u{7F}é"), #"#: unsent reason="a \"b\" \\ c\x0A\x7Fé""#),
    ]
    for (mark, text) in marks {
      #expect(mark.description == text)
      #expect(try records(text) == [.mark(mark)])
    }
  }

  @Test func recordsKeepTheirOrder() throws {
    let found = try records(
      "# a comment\n#: capture\n0.1 > FF\n  #: 0.2 gap\r\n\n0.3 < FE # after\n#: capture port=\"x\"\n< 01\n")
    #expect(
      found == [
        .header(CaptureHeader()), .line(CaptureLine(time: .milliseconds(100), from: .host, bytes: [0xFF])),
        .mark(CaptureMark(.gap, time: .milliseconds(200))),
        .line(CaptureLine(time: .milliseconds(300), from: .robot, bytes: [0xFE])),
        .header(CaptureHeader(port: "x")), .line(CaptureLine(from: .robot, bytes: [0x01])),
      ])
  }

  @Test(arguments: [
    "#:", "#: ", "#: 1.5", "#: 99999999999999 gap", "#: 0.1 eclipse lines=3", "#: Capture", "#: -1 gap",
    "#:: gap", "# gap", "#;gap", "#: =3", "#: \"gap\"", "#: \u{FF}",
  ]) func annotationsOfOtherVersionsAreSkipped(_ text: String) throws {
    #expect(try records("\(text)\n> FF\n") == [.line(CaptureLine(from: .host, bytes: [0xFF]))])
  }

  @Test func invalidValuesAreMissing() throws {
    let found = try records(
      "#: gap lines=-1 duration=1.2.3 reason=\"open\n#: gap lines=4294967296 reason=plain reason=again x=\"y\"\n"
        + "#: capture start=2026-02-29T00:00:00Z mask=0x1 divisor=65536 frames=1 program=\"a\\x4z\"\n")
    #expect(
      found == [
        .mark(CaptureMark(.gap)), .mark(CaptureMark(.gap, reason: "plain")),
        .header(CaptureHeader(program: "ax4z")),
      ])
    #expect(try records("#: capture mask=0x+00070000:0x-0\n") == [.header(CaptureHeader())])
    #expect(
      try records("#: capture mask=0x00000000:0x00000000 divisor=20 frames=1\n") == [.header(CaptureHeader())]
    )
    var header = CaptureHeader()
    header.stream = StreamFormat(mask: .imu, divisor: 20, frames: nil)
    #expect(
      try records("#: capture mask=0x00070000:0x00000000 divisor=20 frames=0\n") == [.header(header)])
    header.stream?.divisor = nil
    #expect(
      try records("#: capture mask=0x00070000:0x00000000 divisor=0 frames=0\n") == [.header(header)])
    let long = String(repeating: "a", count: 5_000)
    #expect(try records("#: gap reason=\"\(long)\" lines=3") == [.mark(CaptureMark(.gap, lines: 3))])
    let many = (0..<100).map { "k\($0)=1 " }.joined()
    #expect(try records("#: gap \(many) lines=3") == [.mark(CaptureMark(.gap))])
  }

  @Test func otherFormatsHaveNoAnnotations() throws {
    #expect(try records("FF FE\n#: gap\nFD\n").count == 2)
    #expect(try records("#: gap\n0.1 < FF FE\n").count == 2)
  }

  // MARK: - Wall clock

  /// Reference: `date -u +%s`.
  @Test(arguments: [
    ("2026-11-21T13:36:46.000000Z", 1_795_268_206), ("1970-01-01T00:00:00.000000Z", 0),
    ("1969-12-31T23:59:59.000000Z", -1), ("2000-02-29T23:59:59.000000Z", 951_868_799),
    ("2100-03-01T00:00:00.000000Z", 4_107_542_400), ("0001-01-01T00:00:00.000000Z", -62_135_596_800),
    ("9999-12-31T23:59:59.000000Z", 253_402_300_799),
  ]) func momentsMatchTheCalendar(_ text: String, seconds: Int) {
    #expect(WallTime(sinceEpoch: .seconds(seconds)).description == text)
    #expect(WallTime(text)?.sinceEpoch == .seconds(seconds))
  }

  @Test func fractionsOfASecond() {
    #expect(WallTime(sinceEpoch: .milliseconds(-250)).description == "1969-12-31T23:59:59.750000Z")
    #expect(WallTime("1969-12-31T23:59:59.75Z")?.sinceEpoch == .milliseconds(-250))
    #expect(WallTime("1970-01-01T00:00:00Z")?.sinceEpoch == .zero)
    #expect(WallTime("1970-01-01T00:00:00.0000000000000000019Z")?.sinceEpoch.components.attoseconds == 1)
    #expect(WallTime(sinceEpoch: .seconds(1e19)).description == "9999-12-31T23:59:59.999999Z")
    #expect(WallTime(sinceEpoch: .seconds(-1e19)).description == "0001-01-01T00:00:00.000000Z")
  }

  @Test(arguments: [
    "", "2026", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+01:00", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00.5",
    "0000-01-01T00:00:00Z", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:0ÄZ", "2026-01-01T00:00:46.Z",
    "+026-01-01T00:00:00Z",
  ]) func invalidMomentsAreRejected(_ text: String) { #expect(WallTime(text) == nil) }

  @Test func everyDayIsReadBack() {
    let seed: UInt64 = 0x5EED_0040
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -62_135_596_800..<253_402_300_800, using: &random)
      let moment = WallTime(
        sinceEpoch: .seconds(seconds) + .microseconds(Int64.random(in: 0..<1_000_000, using: &random)))
      #expect(WallTime(moment.description) == moment, "seed \(seed)")
    }
  }
}
