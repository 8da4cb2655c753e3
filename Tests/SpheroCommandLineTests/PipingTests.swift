// Streams for other programs: rates, times, several robots, ends, and remarks.

import Foundation
import SpheroHost
import SpheroProtocol
import SpheroSession
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct PipingTests {
  // MARK: Rates and times

  /// 400/30 is 13.33, and 400/13 is 30.769; 400/7 is 57.14, and 400/57 is 7.018.
  @Test(
    arguments: [
      ("50", 8, nil), ("400", 1, nil), ("0.01", 40_000, nil),
      ("62.5", 6, "66.667 samples a second (divisor 6)"),
      ("30", 13, "instead of 30 Hz, it takes 30.769 samples a second (divisor 13)"),
      ("7", 57, "7.018 samples a second (divisor 57)"),
    ] as [(String, UInt16, String?)])
  func aRateBecomesTheNearestDivisor(_ rate: String, _ divisor: UInt16, _ message: String?) throws {
    for words in [["--hz", rate], ["--hz=\(rate)", "--mask", "motion"]] {
      let stream = try Synopsis.bind(Stream.self, words)
      #expect(stream.request.divisor == divisor && (stream.rate.remark == nil) == (message == nil))
      if let message { #expect(stream.rate.remark?.contains(message) == true, "\(stream.rate.remark ?? "")") }
    }
    #expect(try Synopsis.bind(Record.self, ["--hz", rate]).request.divisor == divisor)
    #expect(try Synopsis.bind(MonitorCommand.self, ["--hz", rate]).request.divisor == divisor)
  }

  @Test(arguments: [
    (Format.csv, "robot,time_s,wall_s,arrival_s,yaw_deg\nsim:,0.050,1795332042.624529,0.051250,-90"),
    (
      .json,
      #"{"kind":"sample","robot":"sim:","time":0.050,"wall":1795332042.624529,"arrival":0.051250,"yaw":-90}"#
    ),
    (
      .text,
      "   robot    time_s    wall_s  arrival_s   yaw_deg\n"
        + "sim:         0.050  1795332042.624529   0.051250       -90"
    ),
  ])
  func timesAndTheRobotHaveColumns(_ format: Format, _ text: String) throws {
    // The columns have a fixed order, independent of the order of the request.
    let verb = try Synopsis.bind(Stream.self, ["--mask", "yaw", "--times", "arrival", "--times=wall"])
    var columns = verb.columns(of: "sim:")
    var records = RecordPrinter(format, kind: "sample", columns: columns.columns)
    let sample = TimedSample(
      time: .milliseconds(50), arrival: .microseconds(51_250), hostTime: .seconds(3),
      wallClock: .seconds(1_795_332_042) + .microseconds(624_529),
      sample: Sample(mask: SensorMask(.yaw), words: [-90]))
    #expect(records.text(columns.values(sample)) == text)
  }

  @Test func wallTimesAreThoseOfTheDay() async throws {
    let before = Date.now.timeIntervalSince1970
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--mask", "yaw", "--count", "3", "--times", "wall,arrival", "--format",
      "csv")
    let after = Date.now.timeIntervalSince1970
    let rows = outcome.lines.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    try #require(rows.count == 3 && rows.allSatisfy { $0.count == 4 }, "\(outcome.output)")
    #expect(rows.allSatisfy { (before - 1...after + 1).contains($0[1]) })
    #expect(abs(rows[2][1] - rows[0][1] - (rows[2][0] - rows[0][0])) < 0.02 && rows[0][2] == 0)
  }

  // MARK: Ends

  /// A sample every 164 s: none arrives before '--for' ends the stream.
  @Test func theTimeIsThatOfTheClock() async throws {
    let start = ContinuousClock.now
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--divisor", "65535", "--for", "300ms", "--mask", "yaw", "--format", "csv")
    #expect(ContinuousClock.now - start < .seconds(120))
    #expect(outcome.code == 75 && outcome.output == "time_s,yaw_deg\n", "\(outcome.output)")
    #expect(outcome.error.hasPrefix("sphero: no samples; 0 lost on the way, 0 dropped\n"), "\(outcome.error)")
    let advice = "The first packet takes 163.8 s: choose a longer '--for', or a higher rate.\n"
    #expect(outcome.error.hasSuffix(advice), "\(outcome.error)")
  }

  @Test func tablesHaveTheirHeaderWithoutRows() async throws {
    let collisions = try await sphero("collisions", "--port", "sim:", "--for", "50ms", "--format", "csv")
    #expect(
      collisions.output == "time_s,clock_s,axis,from_deg,x,y,x_magnitude,y_magnitude,speed\n"
        && collisions.code == 0)
    let packets = try await sphero("decode", "/dev/null", "--format", "csv")
    #expect(packets.output == "time_s,from,kind,name,sequence,meaning,offset,bytes\n")
    let samples = try await sphero("decode", "--samples", "/dev/null", "--mask", "yaw,q0", "--format", "csv")
    #expect(samples.output == "time_s,yaw_deg,q0\n")
    #expect(try await sphero("decode", "--samples", "/dev/null", "--format", "json").output.isEmpty)
  }

  @Test func rateAndSummaryAreComputed() {
    var tally = StreamStatistics()
    func add(_ time: Duration) {
      tally.add(TimedSample(time: time, arrival: time, sample: Sample(mask: [])), at: time)
    }
    #expect(tally.rate == nil && tally.sentence(lost: 0, dropped: 0).hasPrefix("no samples; "))
    add(.milliseconds(10_000))
    #expect(tally.rate == nil && tally.sentence(lost: 0, dropped: 0).hasPrefix("1 sample; "))
    add(.milliseconds(10_050))
    add(.milliseconds(10_125))
    // Two steps in an eighth of a second.
    #expect(tally.rate == 16 && tally.span == .milliseconds(125))
    #expect(
      tally.sentence(lost: 2, dropped: 1)
        == "3 samples in 0.125 s, 16.00 a second; 2 lost on the way, 1 dropped")
    #expect(JSON.line(tally.fields) == #"{"samples":3,"sample_rate":16.00}"#)
  }

  @Test func tenShortGapsAreReported() async throws {
    let outcome = try await sphero(
      "stream", "--port", "sim:seed=1,drop=30%@stream,pace=2", "--hz", "50", "--for", "10s", "--format", "csv"
    )
    // A busy machine may also stop the stream, or lose samples for more than a second.
    let gaps = outcome.error.ranges(of: /a gap of ([\d.]+ ms|0\.\d+ s) in the samples: \d+ (was|were) lost/)
    #expect(outcome.code == 0 && gaps.count == 10, "\(outcome.error)")
    #expect(outcome.error.ranges(of: "; further gaps of less than 1 s are not reported\n").count == 1)
    #expect(outcome.error.contains(" lost on the way"))
  }

  @Test func theEndIsReported() async throws {
    let outcome = try await sphero(
      "stream", "--port", "sim:", "--count", "21", "--mask", "yaw", "--format", "json", "--statistics")
    #expect(outcome.code == 0 && outcome.lines.count == 21)
    let summary = /sphero: 21 samples in \d\.\d{3} s, \d+\.\d\d a second; \d+ lost on the way, 0 dropped/
    #expect(outcome.error.contains(summary), "\(outcome.error)")
    let figures = /{"kind":"statistics","packets":.*,"samples":21,"sample_rate":\d+\.\d\d}\n/
    #expect(outcome.error.contains(figures), "\(outcome.error)")
    let quiet = try await sphero("stream", "--port", "sim:", "--count", "2", "-q")
    #expect(quiet.code == 0 && quiet.error.isEmpty, "\(quiet.error)")
  }

  @Test func pingsThatAreInterruptedAreSummedUp() async throws {
    let run = try Run(["ping", "--port", "sim:", "--count", "1000", "--interval", "20ms"])
    for _ in 0..<4 { _ = try await run.line() }
    run.signal(SIGINT)
    let outcome = try await run.end()
    let counts = try #require(
      outcome.error.firstMatch(of: /sphero: (\d+) of (\d+) answered, least\/mean\/most [0-9.\/]+ s\n/),
      "\(outcome.error)")
    #expect(outcome.code == 130 && counts.1 == counts.2 && (3...999).contains(Int(counts.1) ?? 0))
  }

  // MARK: Events

  @Test func eventsHaveTheTimeOfSamples() async throws {
    let script = freshPath()
    try "3s knock 0 -1\n".write(toFile: script, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: script) }
    let words = ["stream", "--port", "sim:script=\(script)", "--mask", "yaw", "--for", "5s", "--events"]
    let json = try await Run(words + ["--format", "json"]).end()
    let knock = try #require(
      json.output.firstMatch(
        of: /"time":([0-9.]+),"yaw":.*\n{"kind":"event","time":([0-9.]+),"name":"Sensing.Collision"/),
      "\(json.output) \(json.error)")
    let (sample, event) = (Double(knock.1) ?? .nan, Double(knock.2) ?? .nan)
    // The script of the robot starts with the first received bytes, the samples a little later.
    #expect((0.1...4).contains(event) && abs(event - sample) < 1, "\(knock.0)")
    let text = try await Run(words).end()
    #expect(text.output.contains(#/\n *\d\.\d{3} < Sensing.Collision  /#), "\(text.output)")
  }

  /// A hand shakes a held ball with 2 g at 5 Hz; before that it turns it over and knocks against it.
  private static let shakes = """
    0s hold level
    600ms hold pitch 90
    1200ms hold pitch -90
    1800ms put down
    2500ms knock 0 -1
    3s shake 600ms
    4500ms shake 600ms
    """

  @Test func aShakeIsAnEventLiveAndRecorded() async throws {
    let (script, capture) = (freshPath(), freshPath())
    try Self.shakes.write(toFile: script, atomically: true, encoding: .utf8)
    defer { for path in [script, capture] { try? FileManager.default.removeItem(atPath: path) } }
    let words = [
      "stream", "--port", "sim:script=\(script)", "--mask", "yaw", "--hz", "100",
      "--for", "5500ms", "--events", "--format", "json", "--capture", capture,
    ]
    let live = try await Run(words).end()
    let shakes = live.lines.filter { $0.contains(#""kind":"shake""#) }
    #expect(live.code == 0 && shakes.count == 2, "\(live.output.suffix(2_000)) \(live.error)")
    for (line, start) in zip(shakes, [3.0, 4.5]) {
      let match = try #require(
        line.firstMatch(of: /"time":([0-9.]+),"axis":"x","strength":([0-9.]+),"frequency":([0-9.]+)/),
        "\(line)")
      let values = [match.1, match.2, match.3].map { Double($0) ?? .nan }
      #expect((start...start + 0.6).contains(values[0]) && (1.5...2.5).contains(values[1]), "\(line)")
      #expect((4...6.5).contains(values[2]), "\(line)")
    }
    #expect(live.output.contains("Sensing.Collision"))
    let decode = ["decode", "--samples", "--mask", "yaw", "--events", capture]
    let recorded = try await Run(decode + ["--format", "json"]).end()
    #expect(recorded.lines.filter { $0.contains(#""kind":"shake""#) } == shakes)
    let collisions = [live, recorded].map { outcome in
      outcome.output.firstMatch(of: /"time":([0-9.]+),"name":"Sensing.Collision"/).flatMap { Double($0.1) }
    }
    let (first, second) = (try #require(collisions[0]), try #require(collisions[1]))
    // Both are the arrival that the capture stores, in whole microseconds.
    #expect(abs(first - second) < 1.5e-6, "\(first) live, \(second) recorded")
    let strict = try await Run(decode + ["--shake-threshold", "5"]).end()
    #expect(!strict.output.contains("< shake") && strict.output.contains("< Sensing.Collision"))
    let text = try await Run(decode).end()
    #expect(text.output.contains(#/\n +\d\.\d{3} < shake +axis=x strength=[12]\.\d\d g frequency=\d\.\d Hz/#))
  }

  // MARK: Several robots

  /// The rows of one robot.
  private func rows(_ outcome: Outcome, of port: String) -> [Substring] {
    outcome.lines.filter { $0.hasPrefix("\(port),") }
  }

  @Test func severalRobotsShareATable() async throws {
    let (first, second, capture) = ("sim:name=A,seed=1", "sim:name=B,seed=2", freshPath())
    defer { for path in [capture, capture + "-2"] { try? FileManager.default.removeItem(atPath: path) } }
    let words = ["stream", "--port", first, "-p", second, "--mask", "accel", "--hz", "100", "--count", "50"]
    let csv = try await Run(words + ["--format", "csv", "--statistics", "--capture", capture]).end()
    #expect(csv.code == 0 && csv.lines.count == 101, "\(csv.error)")
    #expect(csv.lines.first == "robot,time_s,accel_x_g,accel_y_g,accel_z_g")
    // A name with a comma stands in quotation marks.
    for port in [first, second] {
      #expect(rows(csv, of: "\"\(port)\"").count == 50)
      #expect(csv.error.contains("sphero: \(port): 50 samples in "), "\(csv.error)")
      #expect(csv.error.contains("{\"kind\":\"statistics\",\"robot\":\"\(port)\",\"packets\":"))
    }
    for (path, port) in [(capture, first), (capture + "-2", second)] {
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("port=\"\(port)\""))
    }
    let json = try await Run(words + ["--format", "json"]).end()
    #expect(json.lines.count { $0.hasPrefix("{\"kind\":\"sample\",\"robot\":\"\(second)\",\"time\":") } == 50)
  }

  @Test func oneThatFailsDoesNotEndTheOther() async throws {
    var behaviour = BareRobot.Behaviour()
    // 04: unknown command ID.
    behaviour.status = { command, _ in command.id == [0x02, 0x11] ? 0x04 : 0x00 }
    let robot = try BareRobot(behaviour)
    let outcome = try await sphero(
      "stream", "-p", robot.path, "-p", "sim:", "--mask", "yaw", "--count", "20", "--format", "csv")
    robot.close()
    #expect(outcome.code == 76 && rows(outcome, of: "sim:").count == 20, "\(outcome.output)")
    #expect(outcome.error.contains("sphero: \(robot.path): the robot refused Sensing.SetDataStreaming"))
    #expect(
      outcome.error.hasSuffix(
        "sphero: 1 of 2 robots failed: \(robot.path)\nSee the errors above.\n"))
    let wrong = try await sphero("stream", "-p", "sim:", "-p", "simm:")
    #expect(wrong.code == 64 && wrong.output.isEmpty && wrong.error.contains("'simm:' is not a kind of port"))
  }

  @Test func aLostRobotDoesNotEndTheOtherAndControlCEndsBoth() async throws {
    let robots = [try BareRobot(), try BareRobot()]
    let run = try Run(
      ["stream", "--mask", "yaw", "--format", "csv"] + robots.flatMap { ["--port", $0.path] })
    /// Waits for rows of a robot.
    func wait(for rows: Int, of robot: BareRobot) async throws {
      var left = rows
      for _ in 0..<2_000 where left > 0 {
        if try await run.line().hasPrefix("\(robot.path),") { left -= 1 }
      }
      #expect(left == 0)
    }
    try await wait(for: 2, of: robots[1])
    try await wait(for: 2, of: robots[0])
    robots[0].close()
    try await wait(for: 20, of: robots[1])
    run.signal(SIGINT)
    let outcome = try await run.end()
    #expect(outcome.code == 130 && outcome.error.contains("sphero: \(robots[0].path): the link "))
    robots[1].close()
    // Without fields in the mask, the stream is off: N, M, mask, count.
    #expect(robots[1].commands(0x02, 0x11).last?.payload[4...7] == [0, 0, 0, 0])
  }

  @Test func controlCStopsTheStreamsOfAll() async throws {
    let robots = [try BareRobot(), try BareRobot(), try BareRobot()]
    let run = try Run(["stream", "--format", "json"] + robots.flatMap { ["--port", $0.path] })
    for robot in robots { try await robot.waitForCommand(0x02, 0x11) }
    _ = try await run.line()
    run.signal(SIGINT)
    #expect(try await run.end().code == 130)
    for robot in robots {
      robot.close()
      #expect(robot.commands(0x02, 0x11).last?.payload[4...7] == [0, 0, 0, 0])
    }
  }

  /// The column of the names is as wide as the longest one in a pipe, too.
  @Test func rowsOfSeveralRobotsLieBelowTheirTitles() async throws {
    let words = [
      "stream", "-p", "sim:name=A", "-p", "sim:name=BCDEFGH", "--mask", "yaw", "--count", "2", "-q",
    ]
    let outcome = try await Run(words).end()
    #expect(outcome.code == 0 && outcome.lines.count == 5)
    #expect(Set(outcome.lines.map(\.count)).count == 1, "\(outcome.output)")
  }

  @Test func aReaderThatHasEnoughEndsThemAll() async throws {
    let run = try Run(["stream", "-p", "sim:name=A", "-p", "sim:name=B", "--format", "csv", "-q"])
    _ = try await run.line()
    try run.stopReading()
    let outcome = try await run.end()
    #expect(outcome.code == 0 && outcome.error.isEmpty, "\(outcome.error)")
  }

  // MARK: Progress

  @Test func progressIsAPartOfWhatEndsFirst() {
    var counted = Progress(count: 200, time: nil)
    #expect(counted.text(45, .seconds(9), at: .seconds(1)) == "22 %: 45 of 200 samples")
    #expect(counted.text(46, .seconds(9), at: .milliseconds(1_199)) == nil, "not so soon")
    #expect(counted.text(300, .seconds(9), at: .milliseconds(1_200)) == "100 %: 300 of 200 samples")
    var timed = Progress(count: nil, time: .seconds(10))
    #expect(timed.text(3, .milliseconds(2_500), at: .seconds(1)) == "25 %: 3 samples")
    var both = Progress(count: 1_000, time: .seconds(4))
    #expect(both.text(10, .seconds(3), at: .seconds(1)) == "75 %: 10 of 1000 samples")
  }

  #if os(Linux)
    @Test(arguments: [true, false]) func progressIsForTerminalsAlone(_ isCapable: Bool) async throws {
      let line = "\(Run.executable.path) stream --port sim: --count 40 > /dev/null; echo code $?"
      let run = try TerminalRun(
        ["/bin/sh", "-c", line], environment: isCapable ? [:] : ["TERM": "dumb"])
      #expect(await run.shows("code 0"))
      #expect(run.output.contains(" of 40 samples\r\u{1B}[K") == isCapable, "\(run.output)")
      #expect(run.output.contains("sphero: 40 samples in "))
      _ = await run.end()
    }
  #endif
}
