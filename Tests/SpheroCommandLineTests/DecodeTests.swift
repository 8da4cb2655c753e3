// Decoded recordings, and raw commands.

import Foundation
import SpheroProtocol
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DecodeTests {
  private static let captures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/captures")

  private func file(_ text: String) throws -> String {
    let path = freshPath()
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// The objects that `--format json` prints.
  private func objects(_ outcome: Outcome) throws -> [[String: Any]] {
    try outcome.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test(arguments: [["decode"], ["decode", "-"], ["plot", "-", "-o", "-"], ["survey", "--from", "-"]])
  func anErrorInTheInputNamesStdin(_ words: [String]) async throws {
    let path = try file("0.1 < FF GG\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let input = try #require(FileHandle(forReadingAtPath: path))
    let outcome = try await Run(words, input: input).end()
    #expect(outcome.code == 65 && outcome.error.contains("sphero: stdin: line 1"), "\(outcome.error)")
  }

  @Test func aRecordingIsNamedPacketByPacket() async throws {
    let outcome = try await sphero("decode", Self.captures.appending(path: "get-version.capture").path, "-v")
    #expect(outcome.code == 0)
    let expected = try String(contentsOf: Self.captures.appending(path: "get-version.txt"), encoding: .utf8)
    #expect(outcome.output == expected)
  }

  /// A stream of yaw alone that began before the recording, a hole, and another recording.
  private static let recordings = """
    #: capture start=2026-11-21T13:36:46.250000Z program="sphero" port="/dev/x" mask=0x00010000:0x00000000 frames=1
    0.5 < FF FE 03 00 03 00 5A 9F
    #: 0.75 incomplete lines=37 reason="too \\"slow\\""
    #: 0.8 eclipse
    #: capture
    0.0 < FF FE 03 00 03 00 5A 9F

    """

  @Test func headersAndMarksAreShown() async throws {
    let path = try file(Self.recordings)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try await sphero("decode", path)
    #expect(
      text.lines == [
        "#: capture start=2026-11-21T13:36:46.250000Z program=\"sphero\" port=\"/dev/x\""
          + " mask=0x00010000:0x00000000 frames=1",
        " 0.500 < Sensing.SensorData         yaw=90°",
        "#: 0.750000 incomplete lines=37 reason=\"too \\\"slow\\\"\"", "#: capture",
        " 0.000 < Sensing.SensorData         frames=00 5A",
      ])
    #expect(text.code == 0 && text.error.contains("the capture is incomplete"))
    #expect(try await sphero("decode", path, "--strict").code == 65)
    let json = try objects(try await sphero("decode", path, "--format", "json"))
    #expect(json.map { $0["kind"] as? String } == ["header", "event", "incomplete", "header", "event"])
    #expect(json[0]["start"] as? String == "2026-11-21T13:36:46.250000Z" && json[0]["frames"] as? Int == 1)
    #expect(json[0]["port"] as? String == "/dev/x" && json[0]["time"] is NSNull)
    #expect(json[2]["lines"] as? Int == 37 && json[2]["reason"] as? String == "too \"slow\"")
    #expect(json[2]["time"] as? Double == 0.75)
    let lines = try await sphero("decode", path, "--format", "json").lines
    #expect(
      lines[0] == #"{"kind":"header","time":null,"start":"2026-11-21T13:36:46.250000Z","program":"sphero","#
        + #""port":"/dev/x","mask":"0x00010000:0x00000000","frames":1}"#)
    #expect(lines[2] == #"{"kind":"incomplete","time":0.750000,"lines":37,"reason":"too \"slow\""}"#)
    let csv = try await sphero("decode", path, "--format", "csv").lines
    #expect(Set(csv.map { $0.prefix { $0 != "," } }) == ["time_s", "", "0.500000", "0.750000", "0.000000"])
    // Options have priority over the header.
    let other = try await sphero("decode", path, "--mask", "pitch").lines
    #expect(other[1].hasSuffix("pitch=90°") && other[4].hasSuffix("pitch=90°"))
  }

  @Test(arguments: [
    "FF FF 00 52 01 AC", "ffff005201ac", "0xFF,0xFF,0x00,0x52,0x01,0xAC", "< FF FF 00 52 01 AC",
  ])
  func usualShapesOfHexadecimal(_ text: String) async throws {
    let path = try file(text + "\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let object = try #require(try objects(try await sphero("decode", path, "--format", "json")).first)
    #expect(object["kind"] as? String == "response" && object["from"] as? String == "robot")
    #expect(object["status"] as? String == "ok" && object["sequence"] as? Int == 82)
    #expect(object["bytes"] as? String == "ffff005201ac" && object["payload"] as? String == "")
    #expect(object["time"] is NSNull && object["name"] is NSNull && object["offset"] as? Int == 0)
  }

  @Test func sensorPacketsAreNamedByTheirRequestOrByHand() async throws {
    let path = try file("FF FE 03 00 07 FF FB 00 01 00 B4 46\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let named = try #require(
      try objects(try await sphero("decode", path, "--format", "json", "--mask", "imu")).first)
    let samples = try #require(named["samples"] as? [[String: Double]])
    #expect(samples == [["pitch": -5, "roll": 1, "yaw": 180]])
    let unnamed = try #require(try objects(try await sphero("decode", path, "--format", "json")).first)
    #expect(unnamed["samples"] == nil)
  }

  // MARK: - Samples

  /// Yaw alone at divisor 20, answered; then pitch and yaw; then another recording with a stream in its header.
  private static let streams = """
    #: capture start=2026-11-21T13:36:46.250000Z program="sphero"
    0.000 > FF FF 02 11 01 0E 00 14 00 01 00 01 00 00 FF 00 00 00 00 C8
    0.020 < FF FF 00 01 01 FD
    0.100 < FF FE 03 00 03 00 5A 9F
    0.150 < FF FE 03 00 03 00 5B 9E
    0.200 > FF FF 02 11 02 0E 00 14 00 01 00 05 00 00 FF 00 00 00 00 C3
    0.220 < FF FF 00 02 01 FC
    0.300 < FF FE 03 00 05 00 07 00 5C 94
    #: capture mask=0x00010000:0x00000000 divisor=20 frames=1
    7.000 < FF FE 03 00 03 00 5A 9F
    7.050 < FF FE 03 00 03 00 59 A0

    """

  @Test func samplesArePrintedAsAStreamPrintsThem() async throws {
    let path = try file(Self.streams)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let csv = try await sphero("decode", "--samples", path, "--format", "csv")
    #expect(
      csv.lines == ["time_s,yaw_deg", "0.000,90", "0.050,91", "0.200,92", "0.000,90", "0.050,89"],
      "\(csv.output)")
    #expect(csv.code == 0 && csv.error.contains("from 0.200 s on the stream has the fields pitch,yaw"))
    #expect(csv.error.contains("another recording begins"))
    let json = try await sphero("decode", "--samples", path, "--mask", "imu", "--format", "json", "-q")
    #expect(
      json.lines == [
        #"{"kind":"sample","time":0.000,"pitch":null,"roll":null,"yaw":90}"#,
        #"{"kind":"sample","time":0.050,"pitch":null,"roll":null,"yaw":91}"#,
        #"{"kind":"sample","time":0.200,"pitch":7,"roll":null,"yaw":92}"#,
        #"{"kind":"sample","time":0.000,"pitch":null,"roll":null,"yaw":90}"#,
        #"{"kind":"sample","time":0.050,"pitch":null,"roll":null,"yaw":89}"#,
      ])
    #expect(json.code == 0 && json.error.isEmpty)
  }

  @Test func laterTimesMayHaveMoreDecimals() async throws {
    // Yaw alone at divisor 20, then at divisor 1.
    let path = try file(
      """
      > FF FF 02 11 01 0E 00 14 00 01 00 01 00 00 FF 00 00 00 00 C8
      < FF FF 00 01 01 FD
      < FF FE 03 00 03 00 5A 9F
      > FF FF 02 11 02 0E 00 01 00 01 00 01 00 00 FF 00 00 00 00 DA
      < FF FF 00 02 01 FC
      < FF FE 03 00 03 00 5B 9E
      < FF FE 03 00 03 00 5A 9F

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", "--samples", path, "--format", "csv")
    #expect(outcome.lines == ["time_s,yaw_deg", "0.000,90", "0.0025,91", "0.0050,90"], "\(outcome.output)")
  }

  @Test func bytesOfTwoLinesAreNoPacket() async throws {
    let path = try file(
      "1.0 < FF FE 03 00\n#: 1.2 reconnection\n1.3 < 03 00 05 F4\n1.4 < FF FE 03 00 03 00 06 F3\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", "--samples", path, "--mask", "yaw", "--format", "csv")
    #expect(outcome.lines == ["time_s,yaw_deg", "0.000,6"])
    #expect(outcome.error.contains("8 bytes belong to no packet"))
    let packets = try await sphero("decode", path, "--format", "csv")
    #expect(packets.lines.filter { $0.contains("SensorData") }.count == 1, "\(packets.output)")
  }

  @Test func mismatchedFieldsAreReported() async throws {
    let path = try file("FF FE 03 00 07 00 01 00 02 00 03 EF\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", "--samples", path, "--mask", "accel,imu")
    #expect(outcome.code == 65)
    #expect(
      outcome.error.contains(
        "1 sensor packet has other lengths than the 6 values of 'accel,imu'; the first has 3"))
    #expect(!outcome.error.contains("--frames"))
    // Packets of three values are not three samples of one value unless '--frames' says so.
    let guess = try await sphero("decode", "--samples", path, "--mask", "yaw", "--strict")
    #expect(guess.code == 65 && guess.error.contains("'--frames 3'"), "\(guess.error)")
    let shared = try await sphero(
      "decode", "--samples", path, "--mask", "yaw", "--frames", "3", "--format", "csv")
    #expect(
      shared.lines.dropFirst().map { $0.split(separator: ",").last } == ["1", "2", "3"], "\(shared.output)")
    // The packet is whole.
    let packets = try await sphero("decode", path, "--mask", "quat", "--strict")
    #expect(packets.code == 0 && packets.output.contains("SensorData"), "\(packets.output)")
    // A packet of one frame after a request for two.
    let other = try file(
      """
      > FF FF 02 11 07 0E 00 14 00 02 00 07 00 00 00 00 00 00 00 BA
      < FF FF 00 07 01 F7
      < FF FE 03 00 07 00 01 00 02 00 03 EF

      """)
    defer { try? FileManager.default.removeItem(atPath: other) }
    let mismatch = try await sphero("decode", "--samples", other)
    #expect(mismatch.code == 65)
    #expect(mismatch.error.contains("no samples: 1 sensor packet has no known layout; the first has 6 bytes"))
  }

  /// A Sphero answers masks of all ones with 32 + 10 words.
  @Test func aRecordedMaskMayHaveReservedBits() async throws {
    var payload = [UInt8](repeating: 0, count: 84)
    (payload[27], payload[65]) = (5, 7)  // pitch is word 13, q0 word 32
    let packet = [0xFF, 0xFE, 0x03, 0x00, 0x55] + payload
    let bytes = packet + [~packet.dropFirst(2).reduce(0, &+)]
    let path = try file(bytes.map { Hexadecimal.text([$0]) }.joined(separator: " "))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["decode", "--samples", path, "--raw", "--format", "json", "--mask"]
    let sample = try #require(try objects(try await Run(words + ["0xFFFFFFFF:0xFFFFFFFF"]).end()).first)
    #expect(sample["pitch"] as? Int == 5 && sample["q0"] as? Int == 7 && sample["yaw"] as? Int == 0)
    let stream = try await sphero("record", "--port", "sim:", "--mask", "0xFFFFFFFF:0xFFFFFFFF")
    #expect(stream.code == 64 && stream.error.contains("are reserved"), "\(stream.error)")
  }

  /// A request in the recording has priority over the given fields, also without '--samples'.
  @Test func packetsBeforeTheAnswerAreDecoded() async throws {
    let path = try file(
      """
      > FF FF 02 11 08 0E 00 14 00 01 00 03 00 00 00 00 00 00 00 BE
      < FF FE 03 00 05 00 05 00 06 EC
      < FF FF 00 08 01 F6
      < FF FE 03 00 05 00 07 00 08 E8

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", path, "--mask", "imu", "--format", "csv")
    #expect(outcome.lines.filter { $0.contains("SensorData") }.count == 2, "\(outcome.output)")
  }

  private static let requestOfYaw = "> FF FF 02 11 01 0E 00 14 00 01 00 01 00 00 FF 00 00 00 00 C8"
  private static let requestOfPitchAndYaw = "> FF FF 02 11 01 0E 00 14 00 01 00 05 00 00 FF 00 00 00 00 C4"

  /// A program discards the packets before its request, which are those of a former program if the formats differ.
  @Test(arguments: [
    // Another mask, as a session requests it after packets of the same length.
    (count: 3, period: 0.05, request: requestOfPitchAndYaw, packet: "FF FE 03 00 05 00 07 00 5C 94", rows: 1),
    // Another divisor; the same format; and too few packets to measure the rate.
    (30, 0.01, requestOfYaw, "FF FE 03 00 03 00 5C 9D", 1),
    (30, 0.05, requestOfYaw, "FF FE 03 00 03 00 5C 9D", 31),
    (3, 0.01, requestOfYaw, "FF FE 03 00 03 00 5C 9D", 4),
  ])
  func theStreamOfAFormerProgramIsLeftOut(
    count: Int, period: Double, request: String, packet: String, rows: Int
  ) async throws {
    let former = (0..<count).map { "\(0.1 + period * Double($0)) < FF FE 03 00 03 00 5A 9F" }
    let path = try file(
      (["0 > FF FF 00 01 52 01 AB"] + former
        + ["1.700 \(request)", "1.720 < FF FF 00 01 01 FD", "1.800 < \(packet)"]).joined(separator: "\n"))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["decode", "--samples", path, "--mask", "yaw", "--format", "csv", "--strict"]
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.lines.count == rows + 1, "\(outcome.output) \(outcome.error)")
    #expect(outcome.lines.last?.hasSuffix(",92") == true)
    #expect(
      outcome.error.contains("\(count) sensor packets are left out: on a new line") == (rows == 1),
      "\(outcome.error)")
  }

  /// The samples and the event are in one line of the recording.
  @Test func anEventFollowsTheSamplesBeforeIt() async throws {
    let path = try file(
      """
      0.000 \(Self.requestOfYaw)
      0.020 < FF FF 00 01 01 FD
      0.100 < FF FE 03 00 03 00 5A 9F
      0.150 < FF FE 03 00 03 00 5B 9E FF FE 01 00 02 02 FA
      0.200 < FF FE 03 00 03 00 5C 9D

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", "--samples", path, "--events", "--format", "json")
    let objects = try objects(outcome)
    #expect(objects.map { $0["kind"] as? String } == ["sample", "sample", "event", "sample"])
    #expect(objects.map { $0["time"] as? Double } == [0, 0.05, 0.05, 0.1], "\(outcome.output)")
  }

  /// Without a request, the first packets are held back until their times show the rate.
  @Test func anEventPrecedesTheSamplesAfterItInTheFirstPackets() async throws {
    let path = try file(
      """
      0.050 < FF FE 01 00 02 02 FA
      0.100 < FF FE 03 00 03 00 5A 9F
      0.150 < FF FE 03 00 03 00 5B 9E
      0.160 < FF FE 01 00 02 02 FA
      0.200 < FF FE 03 00 03 00 5C 9D

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero(
      "decode", "--samples", "--mask", "yaw", path, "--events", "--format", "json")
    let objects = try objects(outcome)
    #expect(
      objects.map { $0["kind"] as? String } == ["event", "sample", "sample", "event", "sample"],
      "\(outcome.output)")
  }

  /// The divisor of a header has priority over the options, so no option corrects it.
  @Test func aWrongDivisorOfTheHeaderIsRemarkedOn() async throws {
    let lines = (0..<200).map { "\(0.01 * Double($0)) < FF FE 03 00 03 00 5A 9F" }
    let path = try file(
      (["#: capture mask=0x00010000:0x00000000 divisor=20 frames=1"] + lines).joined(separator: "\n"))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", "--samples", path, "--format", "csv")
    #expect(outcome.code == 0 && outcome.lines.count == 201)
    #expect(
      outcome.error.contains("5 times as fast as divisor 20 states: times are wrong; '--times arrival'"),
      "\(outcome.error)")
  }

  @Test func samplesWithoutARequest() async throws {
    // Two packets of one frame of pitch, roll and yaw: -5, 1, 180 each.
    let packet = "FF FE 03 00 07 FF FB 00 01 00 B4 46"
    let path = try file("\(packet)\n\(packet)\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["decode", "--samples", path, "--mask", "imu", "--divisor", "3"]
    let text = try await Run(words + ["--format", "csv"]).end()
    #expect(text.lines == ["time_s,pitch_deg,roll_deg,yaw_deg", "0.0000,-5,1,180", "0.0075,-5,1,180"])
    let raw = try await Run(words + ["--format", "csv", "--raw"]).end()
    #expect(raw.lines.first == "time_s,pitch,roll,yaw")
    let people = try await Run(words).end()
    #expect(
      people.lines == [
        "  time_s  pitch_deg  roll_deg   yaw_deg", "  0.0000         -5         1       180",
        "  0.0075         -5         1       180",
      ], "\(people.output)")
    let unknown = try await sphero("decode", "--samples", path)
    #expect(unknown.code == 65 && unknown.output.isEmpty)
    #expect(unknown.error.contains("2 sensor packets have no known layout"))
    #expect(try await sphero("decode", "--samples", path, "--strict").code == 65)
  }

  @Test(arguments: [
    ["--samples", "-v"], ["--mask", "motion"], ["--raw"], ["--euler"], ["--divisor", "4"],
    ["--low-pass", "2"], ["--count", "2"], ["--for", "1s"], ["--times", "wall"],
    ["--samples", "--raw", "--euler"], ["--samples", "--divisor", "20", "--low-pass", "11"],
    ["--samples", "--mask", "quat", "--low-pass", "1"],
  ])
  func optionsThatMakeNoSense(_ words: [String]) async throws {
    #expect(try await Run(["decode", "/dev/null"] + words).end().code == 64)
  }

  /// `decode --samples` prints the samples of the live stream to the last digit; a capture may contain more.
  @Test(arguments: ["csv", "json", "text"], ["8", "7", "1"])
  func theSamplesOfARecordedStream(format: String, divisor: String) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let columns = ["--mask", "imu,accel,motion", "--euler", "--format", format]
    let recording = ["--divisor", divisor, "--count", "300", "--capture", path]
    let live = try await Run(["stream", "--port", "sim:"] + recording + columns).end()
    let kept = try await Run(["decode", "--samples", path] + columns).end()
    #expect(live.lines.count >= 300 && kept.lines.count >= live.lines.count, "\(live.error) \(kept.error)")
    let different = zip(live.lines, kept.lines).first { $0 != $1 }
    #expect(different == nil)
  }

  /// The options that end a stream end the table of its recording, which contains more samples.
  @Test(arguments: [["--for", "700ms"], ["--count", "31"], ["--for", "1s", "--frames", "4"]])
  func streamBoundsEndTheTable(_ end: [String]) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let columns = ["--mask", "yaw,quat", "--format", "csv", "--times", "wall,arrival"] + end
    let recording = ["stream", "--port", "sim:", "--divisor", "10", "--capture", path]
    let live = try await Run(recording + columns).end()
    let kept = try await Run(["decode", "--samples", path] + columns).end()
    #expect(live.lines.first == "time_s,wall_s,arrival_s,yaw_deg,q0,q1,q2,q3" && live.lines.count > 20)
    #expect(kept.output == live.output, "\(live.error) \(kept.error)")
    let whole = try await Run(["decode", "--samples", path, "--format", "csv"]).end()
    #expect(whole.lines.count >= live.lines.count)
  }

  @Test func aRecordingWithoutAStartHasNoWallClock() async throws {
    let path = try file("0.5 < FF FE 03 00 03 00 5A 9F\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["decode", "--samples", path, "--mask", "yaw", "--times", "wall,arrival", "--format"]
    #expect(try await Run(words + ["csv"]).end().lines.last == "0.000,,0.000000,90")
  }

  /// 30 packets at 100 Hz whose words FFFEh, 2710h, 0000h look like the header of an event with 4096 bytes.
  ///
  /// The checksum of the eleventh is wrong.
  private static let restingStream: String = {
    var lines: [String] = []
    for number in 0..<30 {
      let payload: [UInt8] = [0, UInt8(number), 0xFF, 0xFE, 0x27, 0x10, 0, 0]
      let body: [UInt8] = [0x03, 0x00, 0x09] + payload
      let sum = ~body.reduce(0, &+)
      let bytes = [0xFF, 0xFE] + body + [number == 10 ? sum ^ 0xFF : sum]
      let time = String(format: "%.3f", 1 + Double(number) / 100)
      lines.append("\(time) < " + bytes.map { String(format: "%02X", $0) }.joined(separator: " "))
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  @Test func aFalseHeaderDelaysNoSampleAndHidesNoLoss() async throws {
    let path = try file(Self.restingStream)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero(
      "decode", "--samples", path, "--mask", "accel-raw,pitch", "--divisor", "4", "--times", "arrival",
      "--format", "csv")
    let rows = outcome.lines.dropFirst().map { $0.split(separator: ",").compactMap { Double(String($0)) } }
    #expect(rows.count == 29 && outcome.error.contains("1 sample is missing"), "\(outcome.error)")
    for row in rows { #expect(abs(row[0] - row[1]) < 0.002, "\(row)") }
    #expect(zip(rows, rows.dropFirst()).map { ($1[0] - $0[0]) > 0.019 }.filter { $0 }.count == 1)
  }

  /// The file begins like gzip, or is text in UTF-16; the names of both contain a comma, as the header of a table does.
  @Test(
    arguments: [
      ([0x1F, 0x8B, 0x08, 0x00], "'zcat FILE'"),
      ([0xFF, 0xFE] + "0.031 < FF\n".utf8.flatMap { [$0, 0] }, "'iconv -f UTF-16 -t UTF-8 FILE'"),
    ] as [([UInt8], String)])
  func anEncodedFileIsConvertedFirst(bytes: [UInt8], tool: String) async throws {
    let path = try file("")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    let outcome = try await sphero("decode", path)
    #expect(outcome.code == 65 && outcome.error.contains(tool), "\(outcome.error)")
    #expect(
      outcome.error.contains("Pipe the output of that command to 'sphero decode -'."), "\(outcome.error)")
  }

  @Test func malformedLinesDoNotHideLosses() async throws {
    var lines = Self.restingStream.split(separator: "\n").map(String.init)
    lines[20] += "F"
    lines[22] = "x"
    let path = try file(lines.joined(separator: "\n"))
    let picture = freshPath() + ".svg"
    defer { for path in [path, picture] { try? FileManager.default.removeItem(atPath: path) } }
    let words = ["--mask", "accel-raw,pitch", "--divisor", "4"]
    let outcome = try await Run(["decode", "--samples", path, "--format", "csv"] + words).end()
    #expect(outcome.code == 65 && outcome.lines.count == 28)
    for text in [
      "3 samples are missing", "bytes belong to no packet", "line 21, column", "and 1 more line, ",
    ] {
      #expect(outcome.error.contains(text), "\(outcome.error)")
    }
    let plot = try await Run(["plot", path, "-o", picture] + words).end()
    #expect(plot.code == 0 && plot.error.contains("line 21, column"), "\(plot.error)")
    #expect(FileManager.default.fileExists(atPath: picture))
  }

  @Test func lossesWarnAndAreStrictlyAnError() async throws {
    let path = try file("75 3E FF FF 00 01 01 FD\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lenient = try await sphero("decode", path)
    #expect(lenient.code == 0 && lenient.lines.count == 2)
    #expect(lenient.error.contains("2 bytes belong to no packet"))
    let strict = try await sphero("decode", path, "--strict")
    #expect(strict.code == 65 && strict.output == lenient.output)
    #expect(try await sphero("decode", path, "-q").error.isEmpty)
  }

  @Test(arguments: ["", "#: capture program=\"sphero\"\n", "< FF FF 00 01 01 FD\n"])
  func aRecordingWithoutSamplesIsReported(_ text: String) async throws {
    let path = try file(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let decoded = try await sphero("decode", "--samples", path, "--format", "csv")
    #expect(
      decoded.code == 0 && decoded.output.isEmpty && decoded.error.contains("the recording has no samples"))
  }

  /// The samples at 1.00 and 1.05 s precede the loss of the link, and the next one comes 2 s after it is due.
  @Test func aLossOfTheLinkIsReported() async throws {
    let packet = "< FF FE 03 00 07 FF FB 00 01 00 B4 46"
    let path = try file(
      "1.00 \(packet)\n1.05 \(packet)\n#: 1.5 gap\n#: 3 reconnection\n3.1 \(packet)\n3.15 \(packet)\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let decoded = try await sphero("decode", "--samples", path, "--mask", "imu", "--format", "csv")
    #expect(decoded.code == 0 && decoded.lines.last?.hasPrefix("2.150,") == true)
    #expect(
      decoded.error.ranges(of: "after 0.050 s: a gap of 2.00 s in the samples: the link was lost").count == 1,
      "\(decoded.error)")
  }

  /// The stream has pitch, roll and yaw, and neither the quaternion nor what motion is computed from.
  @Test(arguments: [
    (
      ["--mask", "motion"], "the samples have no accel,gyro, without which the columns of 'motion' stay empty"
    ),
    (["--mask", "imu", "--euler"], "the samples have no quaternion: the columns of '--euler' stay empty"),
  ])
  func missingFieldsAreNamed(_ words: [String], _ remark: String) async throws {
    let path = try file(
      "#: capture mask=0x00070000:0x00000000 divisor=20 frames=1\n0.1 < FF FE 03 00 07 FF FB 00 01 00 B4 46\n"
    )
    defer { try? FileManager.default.removeItem(atPath: path) }
    let decoded = try await Run(["decode", "--samples", path, "--format", "csv"] + words).end()
    #expect(decoded.code == 0 && decoded.lines.count == 2)
    #expect(decoded.error.contains(remark) && !decoded.error.contains("computed from"), "\(decoded.error)")
  }

  /// `--fusion` computes the attitude without the quaternion, so its absence needs no remark.
  @Test func fusionDoesNotMissTheQuaternion() async throws {
    let path = try file(
      "#: capture mask=0x0000FC00:0x00000000 divisor=20 frames=1\n"
        + "0.1 < FF FE 03 00 0D 00 00 00 00 10 00 00 00 00 00 00 00 DF\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (words, isRemarked) in [(["--fusion"], false), ([], true)] {
      let decoded = try await Run(
        ["decode", "--samples", path, "--format", "csv", "--mask", "motion"] + words
      ).end()
      #expect(
        decoded.lines.count == 2 && decoded.error.contains("no quaternion") == isRemarked, "\(decoded.error)")
    }
  }

  /// A header begins other times; without one, a decrease is an error of the file.
  @Test(arguments: [["decode"], ["decode", "--samples", "--mask", "imu"]])
  func decreasingTimesAreReported(_ words: [String]) async throws {
    let packet = "< FF FE 03 00 07 FF FB 00 01 00 B4 46"
    let path = try file("1 \(packet)\n1.05 \(packet)\n#: capture\n0.5 \(packet)\n1.5 \(packet)\n")
    let wrong = try file("1 \(packet)\n1.5 \(packet)\n1.1 \(packet)\n9 \(packet)\n1.2 \(packet)\n")
    defer { for path in [path, wrong] { try? FileManager.default.removeItem(atPath: path) } }
    let right = try await Run(words + [path, "--strict"]).end()
    #expect(right.code == 0 && !right.error.contains("decrease"), "\(right.error)")
    let lenient = try await Run(words + [wrong, "--format", "csv"]).end()
    #expect(lenient.code == 0 && lenient.lines.count == 6)
    #expect(
      lenient.error.contains("decrease at 2 places, first from 1.500000 s to 1.100000 s"), "\(lenient.error)")
    #expect(try await Run(words + [wrong, "--strict"]).end().code == 65)
  }

  @Test func malformedTextIsReportedWithItsPlaceAndTheRestIsRead() async throws {
    let path = try file("FF FF 00 01 01 FD\nFF ZZ\nFF FF 00 02 01 FC\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("decode", path)
    #expect(outcome.code == 65 && outcome.lines.count == 2)
    #expect(outcome.error.contains("line 2, column 4"))
    #expect(try await sphero("decode", "/no/such/file").code == 66)
  }

  @Test func theCaptureOfAStreamIsDecoded() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let streamed = try await sphero(
      "stream", "--port", "sim:", "--mask", "imu,accel", "--divisor", "4", "--count", "30", "--format",
      "json",
      "--capture", path)
    #expect(streamed.lines.count == 30)
    let decoded = try objects(try await sphero("decode", path, "--format", "json", "--strict"))
    let samples = decoded.compactMap { $0["samples"] as? [[String: Double]] }.flatMap { $0 }
    let printed = try objects(streamed).map { object in object.compactMapValues { $0 as? Double } }
    for (sample, line) in zip(samples, printed) {
      for (name, value) in sample { #expect(abs(value - (line[name] ?? .nan)) < 1e-3, "\(name)") }
    }
    #expect(samples.count >= 30)
  }

  @Test func rawByNameAndByNumberAreTheSameBytes() async throws {
    for words in [
      ["Motion.Roll", "speed=80", "heading=90deg", "state=drive"],
      ["motion.roll", "heading=0x5A", "speed=80", "state=drive"],
      ["02", "30", "50", "00", "5A", "01"], ["023050005A01"], ["0x02", "0x30", "50005A01"],
    ] {
      let robot = try BareRobot()
      let outcome = try await Run(["raw", "--port", robot.path] + words).end()
      robot.close()
      #expect(outcome.code == 0, "\(outcome.error)")
      #expect(robot.commands(0x02, 0x30).first?.payload == [0x50, 0x00, 0x5A, 0x01])
    }
    let answer = try await sphero("raw", "Core.GetPowerState", "--port", "sim:", "--format", "json")
    #expect(
      answer.output.contains(#""fields":{"record_version":1,"state":"ok","state_code":2,"voltage":7.80,"#))
  }

  @Test func withoutAReplyACommandIsSentAllTheSame() async throws {
    let robot = try BareRobot()
    let oneWay = try await sphero("raw", "00", "01", "--no-reply", "--port", robot.path)
    robot.close()
    #expect(oneWay.code == 0 && oneWay.error.isEmpty, "\(oneWay.error)")
    #expect(robot.commands.last?.bytes == [0xFF, 0xFE, 0x00, 0x01, 0x00, 0x01, 0xFD])
  }

  @Test func hazardsAreSentOnlyOnDemand() async throws {
    let robot = try BareRobot()
    let words = [
      "raw", "Settings.SetPermanentOptions", "flags=vectorDrive+tailLightOn", "--port", robot.path,
    ]
    #expect(try await Run(words).end().code == 64)
    #expect(try await sphero("raw", "02", "35", "00000002", "--port", robot.path).code == 64)
    #expect(robot.commands.isEmpty, "nothing is sent, not even a ping")
    #expect(try await Run(words + ["--accept-hazard"]).end().code == 0)
    robot.close()
    #expect(robot.commands(0x02, 0x35).map(\.payload) == [[0x00, 0x00, 0x00, 0x0A]])
  }

  #if os(Linux)
    /// In a terminal without a file, a remark says that the recording is typed.
    @Test func aTypedRecordingIsDecoded() async throws {
      let run = try TerminalRun([Run.executable.path, "decode"])
      #expect(await run.shows("Ctrl-D"))
      run.type("FF FF 00 52 01 AC\n\u{04}")
      #expect(await run.end() == 0)
      #expect(run.output.contains("name a file") && run.output.contains("response"), "\(run.output)")
    }
  #endif
}
