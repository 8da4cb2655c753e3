// sphero record and sphero replay: captures, and their playback.

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecordReplayTests {
  /// FF FF, the body and its checksum: 255 minus the sum (API 1.50, "Packet Structures").
  private func packet(_ body: [UInt8]) -> [UInt8] { [0xFF, 0xFF] + body + [~body.reduce(0, &+)] }

  private func file(_ text: String) throws -> String {
    let path = freshPath()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Starts a replay, and stops it after the test.
  private func withReplay(
    _ words: [String], _ body: (_ place: String) async throws -> Void
  ) async throws -> Outcome {
    let robot = try Run(["simulate", "--replay"] + words)
    do { try await body(try await robot.line()) } catch {
      robot.signal(SIGKILL)
      throw error
    }
    robot.signal(SIGINT)
    return try await robot.end()
  }

  /// Opens a device that may be missing for a while.
  private func open(_ path: String) async throws -> RawClient {
    var client: RawClient?
    _ = await eventually {
      client = try? RawClient(path)
      return client != nil
    }
    return try client ?? RawClient(path)
  }

  @Test func aRecordingIsMadeOnce() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = ["record", path, "--port", "sim:", "--mask", "accel,imu", "--hz", "100", "--count", "60"]
    let made = try await Run(words).end()
    #expect(made.code == 0 && made.output == "\(path)\n", "\(made.error)")
    #expect(made.error.contains("sphero: 60 samples in ") && made.error.contains("'sphero decode --samples "))
    let bytes = try Data(contentsOf: URL(filePath: path))
    let rows = try await sphero("decode", "--samples", path, "--format", "csv")
    #expect(rows.lines.first?.hasPrefix("time_s,pitch_deg,roll_deg,yaw_deg,accel_x_g") == true)
    #expect(rows.lines.count > 60)
    let again = try await Run(words).end()
    #expect(again.code == 73 && again.output.isEmpty && again.error.contains("already exists"))
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    // A port that cannot be opened leaves no file.
    let other = freshPath()
    #expect(try await sphero("record", other, "--port", "/dev/no-such-robot").code == 69)
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  /// Stdout has the capture and nothing else.
  @Test(arguments: ["-", "/dev/stdout"]) func aRecordingGoesToStdout(file: String) async throws {
    let outcome = try await sphero("record", file, "--port", "sim:", "--mask", "yaw", "--count", "5")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("#: capture start="), "\(outcome.output)")
    #expect(outcome.lines.dropFirst().allSatisfy { $0.contains(/^\d+\.\d+ [<>] (?:[0-9A-F]{2} ?)+$/) })
    #expect(outcome.error.contains("sphero: 5 samples in ") && !outcome.error.contains("'sphero decode"))
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let words = [file, "--port", "sim:", "--mask", "yaw", "--count", "5"]
    let script = "\"$0\" record \"$@\" > \(path)"
    let redirected = try await Run(words, by: ["/bin/sh", "-c", script]).end()
    #expect(redirected.code == 0 && redirected.output.isEmpty, "\(redirected.error)")
    let samples = try await sphero("decode", "--samples", "--strict", path, "--format", "csv")
    #expect(samples.code == 0 && samples.lines.count >= 6, "\(samples.error)")
  }

  @Test func aReaderThatHasEnoughEndsTheRecording() async throws {
    let run = try Run(["record", "-", "--port", "sim:", "--hz", "400"])
    #expect(try await run.line().hasPrefix("#: capture "))
    try run.stopReading()
    let outcome = try await run.end()
    #expect(outcome.code == 0 && outcome.error.contains(" lost on the way"), "\(outcome.error)")
    #expect(!outcome.error.contains("capture"), "\(outcome.error)")
  }

  @Test func aRecordingOnAFullDeviceIsAnError() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else {
      return print("skipped: there is no /dev/full")
    }
    for end in [["--count", "1"], []] {
      let script = "\"$0\" record - --port sim: \"$@\" > /dev/full"
      let outcome = try await Run(end, by: ["/bin/sh", "-c", script]).end()
      #expect(outcome.code == 74 && outcome.error.contains("cannot write the results"), "\(outcome.error)")
    }
  }

  @Test func recordingsThatBeginTogetherHaveDifferentNames() async throws {
    let folder = freshPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let runs = try (0..<4).map { _ in
      try Run(
        ["record", "--port", "sim:", "--count", "5"],
        by: ["/bin/sh", "-c", "cd \(folder) && exec \"$0\" \"$@\""])
    }
    for run in runs {
      let outcome = try await run.end()
      #expect(outcome.code == 0, "\(outcome.error)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
  }

  @Test func controlCKeepsWhatWasRecorded() async throws {
    let folder = freshPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Without a name, the file is named after the time.
    let run = try Run(
      ["record", "--port", "sim:", "--hz", "400", "--events"],
      by: ["/bin/sh", "-c", "cd \(folder) && exec \"$0\" \"$@\""])
    let name = try await run.line()
    #expect(name.wholeMatch(of: /record-\d{8}T\d{6}Z-\d+\.capture/) != nil, "\(name)")
    let path = "\(folder)/\(name)"
    func count() -> Int {
      ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").components(separatedBy: " FF FE 03 ").count
        - 1
    }
    #expect(await eventually { count() >= 200 })
    run.signal(SIGINT)
    let outcome = try await run.end()
    #expect(
      outcome.code == 130 && outcome.error.contains("\(name) contains what was recorded until then"),
      "\(outcome.error)")
    let samples = try #require(outcome.error.firstMatch(of: /(\d+) samples in/).flatMap { Int($0.1) })
    #expect(samples >= 30 && samples <= count())
    // Power notification on; collision detection on.
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(" > FF FF 00 21 ") && text.contains(" > FF FF 02 12 "))
  }

  /// Removes the header and the stream requests of a recording.
  private func removeRequests(from path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("FF FF 02 11") }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Thirty packets at 80 Hz without a request: 0.36 s show that a rate is wrong by a half.
  /// At 40 Hz the last of 21 packets is the first that contradicts the rate.
  @Test(arguments: [
    (count: 30, hertz: "40", isWrong: true), (21, "40", true), (22, "40", true), (21, "80", false),
    (30, "80", false), (30, "66", false), (30, "160", true), (30, "400", true),
  ])
  func aShortRecordingContradictsAWrongRate(count: Int, hertz: String, isWrong: Bool) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines = (0..<count).map { "\(Double($0) * 0.0125) < FF FE 03 00 03 10 00 E9" }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let words = ["decode", "--samples", path, "--mask", "accel_z", "--format", "csv", "--hz", hertz]
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.lines.count == count + 1)
    #expect(outcome.error.contains("unless '--divisor 5' corrects them") == isWrong, "\(outcome.error)")
  }

  /// A mark between the first packets does not prevent the computation of the rate.
  @Test func aMarkLeavesTheRateOfARecordingWithoutARequest() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var lines = (0..<100).map { "\(Double($0) * 0.025) < FF FE 03 00 03 10 00 E9" }
    lines.insert("#: 0.030000 incomplete lines=1 reason=\"full\"", at: 2)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let words = ["decode", "--samples", path, "--mask", "accel_z", "--format", "csv"]
    let outcome = try await Run(words).end()
    #expect(
      outcome.code == 0 && outcome.lines.last?.hasPrefix("2.475,") == true, "\(outcome.lines.last ?? "")")
    #expect(outcome.error.contains("'--divisor 10' follows from their times"), "\(outcome.error)")
  }

  @Test func aRecordingWithoutTimesAfterOneWithTimesIsRemarkedOn() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let packets = Array(repeating: "< FF FE 03 00 03 10 00 E9", count: 30)
    let lines = packets.enumerated().map { "\(Double($0) * 0.05) \($1)" } + ["#: capture"] + packets
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let words = ["decode", "--samples", path, "--mask", "accel_z", "--format", "csv"]
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.lines.count == 61)
    #expect(outcome.error.contains("20 samples a second are assumed"), "\(outcome.error)")
  }

  /// 1000 packets at 100 Hz, of which the first arrive together after a stall: only a wrong rate is remarked on.
  @Test(arguments: [
    (requested: 4, stall: 0.0, isWrong: false), (4, 0.4, false), (4, 0.9, false), (4, 3, false),
    (8, 0, true), (8, 0.9, true), (nil, 0, false), (nil, 0.4, false),
  ])
  func aStallContradictsNoRate(requested: Int?, stall: Double, isWrong: Bool) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    // The request states the divisor 4 or 8, and the vertical acceleration.
    let body: [UInt8] = [0x02, 0x11, 1, 0x0A, 0, UInt8(requested ?? 0), 0, 1, 0, 0, 0x20, 0, 0]
    let request = "0 > " + packet(body).map { String(format: "%02X", $0) }.joined(separator: " ")
    let lines = (0..<1_000).map { number in
      let time = 0.013 + 0.01 * Double(number)
      return "\(max(time, 0.013 + stall)) < FF FE 03 00 03 10 00 E9"
    }
    let start = requested == nil ? [] : [request, "0.002 < FF FF 00 01 01 FD"]
    try (start + lines).joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let options = requested == nil ? ["--mask", "accel_z", "--hz", "100"] : []
    let words = ["decode", "--samples", path, "--format", "csv"] + options
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.lines.count == 1_001)
    let remark = "the samples arrived 2 times as fast as divisor 8 states: times are wrong; '--times arrival'"
    #expect(outcome.error.contains(remark) == isWrong, "\(outcome.error)")
    #expect(outcome.error.contains("times as") == isWrong, "\(outcome.error)")
  }

  /// Without a request, the recorded times determine the rate, and contradict a wrong one.
  @Test func theRateFollowsFromTheTimes() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stream = ["--port", "sim:", "--hz", "100", "--mask", "accel", "--count", "150"]
    let made = try await Run(["record", path] + stream).end()
    #expect(made.code == 0, "\(made.error)")
    for (options, isRemarked) in [(["--hz", "50"], true), (["--hz", "100"], false), ([], false)] {
      let outcome = try await Run(["decode", "--samples", path] + options).end()
      let remark = "the recording states divisor 4, so '--hz' has no effect on it"
      #expect(outcome.code == 0 && outcome.error.contains(remark) == isRemarked, "\(outcome.error)")
    }
    // Packets at even times, since those of a busy machine are not.
    let packets = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains(" < FF FE 03 ") }.compactMap { $0.split(separator: " ", maxSplits: 1).last }
    let lines = packets.enumerated().map { "\(Double($0.offset) / 100) \($0.element)" }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    for (options, remark) in [
      ([], "'--divisor 4' follows from their times"), (["--divisor", "4"], nil),
      (["--hz", "100"], nil), (["--divisor", "20"], " times as fast as divisor 20 states"),
      (["--divisor", "2"], " times as slow as divisor 2 states"),
    ] {
      let words = ["decode", "--samples", path, "--mask", "accel", "--format", "csv"]
      let outcome = try await Run(words + options).end()
      #expect(outcome.code == 0 && outcome.lines.count > 150)
      if let remark {
        #expect(outcome.error.contains(remark), "\(outcome.error)")
        #expect(outcome.error.contains("'--divisor 4' corrects them") == !options.isEmpty, "\(outcome.error)")
      } else {
        #expect(!outcome.error.contains("divisor"), "\(outcome.error)")
      }
      // Periods of 10 ms, as in the stream.
      let last = try #require(outcome.lines.last?.split(separator: ",").first.flatMap { Double($0) })
      if options != ["--divisor", "20"], options != ["--divisor", "2"] {
        #expect(abs(last - 0.01 * Double(outcome.lines.count - 2)) < 0.01, "\(last)")
      }
    }
  }

  /// The attitude is computed from the fields that were streamed, with and without times, also without the quaternion.
  @Test(arguments: [true, false]) func motionIsComputedWithoutARequest(hasTimes: Bool) async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stream = ["--port", "sim:", "--hz", "100", "--mask", "accel,gyro,imu", "--count", "150"]
    #expect(try await Run(["record", path] + stream).end().code == 0)
    try removeRequests(from: path)
    if !hasTimes {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let lines = text.split(separator: "\n").compactMap { $0.split(separator: "< ").dropFirst().first }
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
    for options in [[], ["--fusion"], ["--hz", "100"]] {
      let words = ["decode", "--samples", path, "--mask", "accel,gyro,imu,motion", "--format", "csv"]
      let outcome = try await Run(words + options).end()
      #expect(outcome.code == 0 && outcome.lines.count >= 151, "\(outcome.error)")
      #expect(outcome.lines.last?.contains(",,") == false, "\(outcome.lines.last ?? "")")
      let isAssumed = !hasTimes && options.first != "--hz"
      #expect(outcome.error.contains("20 samples a second are assumed, which '--hz' corrects") == isAssumed)
    }
  }

  /// The page saves recordings under names with blanks.
  @Test func anAdviceQuotesANameWithABlank() async throws {
    let path = freshPath() + " of today.capture"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stream = ["--port", "sim:", "--mask", "gyro", "--count", "5"]
    let made = try await Run(["record", path] + stream).end()
    #expect(made.error.contains("'sphero decode --samples '\(path)''"), "\(made.error)")
    let refused = try await Run(["stream", "--port", "replay:\(path)", "--mask", "accel"]).end()
    #expect(refused.error.contains("'sphero decode --samples '\(path)'' prints"), "\(refused.error)")
  }

  /// The samples of a packet arrive together, which does not contradict the rate.
  @Test func sharedPacketsAgreeWithTheRate() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stream = ["--port", "sim:", "--hz", "20", "--frames", "8", "--mask", "accel", "--count", "48"]
    #expect(try await Run(["record", path] + stream).end().code == 0)
    try removeRequests(from: path)
    for options in [[], ["--divisor", "20"]] {
      let words = ["decode", "--samples", path, "--mask", "accel", "--frames", "8"] + options
      let outcome = try await Run(words).end()
      #expect(outcome.error.contains("'--divisor 20' follows") == options.isEmpty, "\(outcome.error)")
      #expect(!outcome.error.contains("corrects"), "\(outcome.error)")
    }
  }

  /// Values of other fields with as many bytes would look like those requested, and another rate gives false times.
  @Test func aStreamThatWasNotRecordedIsRefused() async throws {
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let made = try await Run(["record", path, "--port", "sim:", "--for", "500ms", "--mask", "gyro"]).end()
    #expect(made.code == 0, "\(made.error)")
    for other in [["--mask", "accel,imu"], ["--mask", "accel"], ["--mask", "gyro", "--hz", "10"]] {
      let outcome = try await Run(["stream", "--port", "replay:\(path)"] + other).end()
      #expect(outcome.code == 76 && outcome.output.isEmpty, "\(outcome.error)")
      #expect(outcome.error.contains("\(path) has no stream with the fields"))
      let streams = "its streams: '--mask gyro --divisor 20 --frames 1'."
      #expect(outcome.error.contains(streams), "\(outcome.error)")
    }
    let light = try await Run(["led", "red", "--port", "replay:\(path)"]).end()
    #expect(light.code == 0 && light.error.isEmpty, "\(light.error)")
  }

  @Test func aReplayGivesTheSamplesOfTheFile() async throws {
    let (path, link) = (freshPath(), freshPath())
    defer { try? FileManager.default.removeItem(atPath: path) }
    let mask = ["--mask", "accel,imu,quat"]
    let made = try await Run(["record", path, "--port", "sim:", "--hz", "200", "--count", "80"] + mask).end()
    #expect(made.code == 0, "\(made.error)")
    /// Without the column of arrival times.
    func samples(_ outcome: Outcome) -> [String] {
      outcome.lines.prefix(71).map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    }
    let words = ["--raw", "--format", "csv"]
    let table = try await Run(["decode", "--samples", path] + words).end()
    let outcome = try await withReplay([path, "--link", link]) { place in
      #expect(place == link)
      let stream = ["stream", "--hz", "200", "--count", "70"] + mask + words
      #if os(Linux)
        let ports = [link, link, "replay:\(path)"]
      #else
        // Without inotify, all clients of a link have one session, which begins before they connect.
        let ports = ["replay:\(path)"]
      #endif
      for port in ports {
        let again = try await Run(stream + ["--port", port]).end()
        #expect(again.code == 0 && again.lines.count == 71, "\(again.error)")
        #expect(samples(again) == samples(table), "\(port)")
      }
    }
    #expect(outcome.code == 130, "\(outcome.error)")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
  }

  /// Playback to a program that reads and writes bytes.
  @Test func aRawClientIsAnsweredAsTheRobotAnswered() async throws {
    let version: [UInt8] = [0x02, 0x03, 0x01, 0x03, 0x49, 0x33, 0x17, 0x04]
    let path = try file(
      """
      0.000 > FF FF 00 02 01 01 FB
      0.010 < FF FF 00 01 09 02 03 01 03 49 33 17 04 55
      0.020 > FF FF 02 20 02 05 0A 0B 0C 00 B5
      0.030 < FF FF 04 02 01 F8

      """)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await withReplay([path, "--verbose"]) { place in
      for sequence: UInt8 in [0x31, 0x32] {
        let client = try await open(place)
        defer { client.close() }
        client.write(packet([0x00, 0x02, sequence, 0x01]))
        #expect(client.read(14) == packet([0x00, sequence, 0x09] + version))
        // The recording has no roll, which is acknowledged; the light was refused in any colour.
        client.write(packet([0x02, 0x30, 0x40, 0x05, 0x50, 0x00, 0x5A, 0x01]))
        #expect(client.read(6) == packet([0x00, 0x40, 0x01]))
        client.write(packet([0x02, 0x20, 0x41, 0x05, 0xFF, 0x00, 0x00, 0x00]))
        #expect(client.read(6) == packet([0x04, 0x41, 0x01]))
        client.write(packet([0x00, 0x01, 0x42, 0x01]))
        #expect(client.read(6) == packet([0x00, 0x42, 0x01]), "a ping is answered")
      }
    }
    #expect(outcome.code == 130 && outcome.error.contains("Motion.Roll"), "\(outcome.error)")
  }

  #if os(Linux)
    /// A power notification, "low"; the line ends a second after the last event.
    @Test func eachClientReceivesTheWholeRecording() async throws {
      let event: [UInt8] = [0xFF, 0xFE, 0x01, 0x00, 0x02, 0x03, 0xF9]
      let path = try file("0.000 < FF FE 01 00 02 03 F9\n40.000 < FF FE 01 00 02 03 F9\n")
      let link = freshPath()
      defer { try? FileManager.default.removeItem(atPath: path) }
      let outcome = try await withReplay([path, "--link", link, "--pace", "100"]) { _ in
        for _ in 0..<2 {
          let client = try await open(link)
          defer { client.close() }
          // At 100 times the pace, 40 s last 0.4 s.
          #expect(client.read(14) == event + event)
          #expect(client.seesHangUp())
        }
      }
      #expect(outcome.error.contains("the recording is over: the client was hung up"), "\(outcome.error)")
    }
  #endif

  struct Bad: CustomStringConvertible, Sendable {
    var text: String?
    var code: Int32
    var message: String
    var testDescription: String { description }
    var description: String { message }
  }

  @Test(arguments: [
    Bad(text: nil, code: 66, message: "does not exist"),
    Bad(text: "", code: 65, message: "nothing to replay"),
    Bad(text: "0.000 > FF FF 00 01 01 01 FC\n0.010 < FF FF 00 0", code: 65, message: "line 2"),
    Bad(text: "#: capture start=2026-01-01T00:00:00Z\n", code: 65, message: "nothing to replay"),
  ])
  func invalidRecordingsAreRefused(_ bad: Bad) async throws {
    let path = try bad.text.map(file) ?? freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let link = freshPath()
    let replay = try await sphero("simulate", "--replay", path, "--link", link)
    #expect(
      replay.code == bad.code && replay.output.isEmpty && replay.error.contains(bad.message), "\(replay)")
    #expect(replay.error.contains(path), "the file is named")
    #expect(replay.error.split(separator: "\n").count == 2, "a sentence and the next step")
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    let ping = try await sphero("ping", "--port", "replay:\(path)")
    #expect(ping.code == bad.code && ping.error == replay.error, "\(ping.error)")
  }
}
