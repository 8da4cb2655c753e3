// Wrong words: a sentence with the next step on stderr, nothing on stdout, the documented code.

import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  struct Wrong: CustomTestStringConvertible, Sendable {
    var words: [String]
    var code: Int32
    var says: String
    var testDescription: String { words.joined(separator: " ") }
    init(_ line: String, _ code: Int32, says: String) {
      (words, self.code, self.says) = (line.split(separator: " ").map(String.init), code, says)
    }
  }

  static let wrong = [
    Wrong("led 256 0 0", 64, says: "'256' is no value for <red>"),
    Wrong("led red blue", 64, says: "not 2 words"),
    Wrong("led ff00zz", 64, says: "ff00zz"), Wrong("led", 64, says: "no colour"),
    Wrong("led -1 0 0", 64, says: "'-1'"),
    Wrong("led --save --tail 3", 64, says: "--save"), Wrong("stream --mask nonsense", 64, says: "'nonsense'"),
    Wrong("stream --mask accel,,imu", 64, says: "--mask"),
    Wrong("stream --mask 0x00000001:1", 64, says: "--mask"),
    Wrong("stream --divisor 0", 64, says: "1...65535"), Wrong("stream --divisor x", 64, says: "'x'"),
    Wrong("stream --divisor 65536", 64, says: "1...65535"), Wrong("stream --packets 0", 64, says: "1...255"),
    Wrong("stream --packets 256", 64, says: "1...255"), Wrong("stream --frames 0", 64, says: "1...65535"),
    Wrong("stream --count 0", 64, says: "--count"), Wrong("stream --for -1s", 64, says: "--for"),
    Wrong("stream --for nan", 64, says: "--for"), Wrong("stream --format xml", 64, says: "text, json, csv"),
    Wrong("stream --divisor", 64, says: "needs a value"), Wrong("stream --raw=1", 64, says: "takes no value"),
    Wrong("stream extra", 64, says: "unexpected argument 'extra'"),
    Wrong("roll", 64, says: "<heading> is missing"),
    Wrong("roll 360", 64, says: "0...359"), Wrong("roll 90 --speed 256", 64, says: "0...255"),
    Wrong("roll 90 --sped 3", 64, says: "did you mean '--speed'?"), Wrong("calibrate", 64, says: "--heading"),
    Wrong("calibrate --heading 400", 64, says: "0...359"), Wrong("sleep --for 0s", 64, says: "1s...65534s"),
    Wrong("strem", 64, says: "did you mean 'stream'?"),
    Wrong("help strem", 64, says: "did you mean 'stream'?"),
    Wrong("ping --count 99999999999999999999", 64, says: "--count"),
    Wrong("led 1 2 3 --port /dev/no-such-robot", 69, says: "there is no /dev/no-such-robot"),
    Wrong("led 1 2 3 --port /dev/null", 69, says: "is not a serial device"),
    Wrong("led 1 2 3 --port sim: --capture /no/such/folder/file", 73, says: "/no/such/folder/file"),
    Wrong("stream --port sim: --frames 4000", 64, says: "too long"),
    Wrong("led 1 2 3 --timeout 0s", 64, says: "10ms or more"),
    Wrong("sleep --for 1900ms", 64, says: "whole seconds"),
    Wrong("--port sim: info", 64, says: "options come behind"),
    Wrong("ping --port tcp:robot:4000", 64, says: "column 5: 'robot' is no numeric address"),
    Wrong("ping --port 68:86:E7:01:02", 64, says: "column 15: the end"),
    Wrong("ping --port simm:", 64, says: "'simm:' is no kind of port"),
    Wrong("ping --port sim:nonsense", 64, says: "column 5: 'nonsense' is no option of the simulator"),
    Wrong("ping --port replay:", 64, says: "column 8: the end where a file is expected"),
    Wrong("ping --port tcp:127.0.0.1:1", 69, says: "tcp:127.0.0.1:1 refuses the connection"),
    Wrong("turn", 64, says: "<angle> is missing"), Wrong("turn 90 --to 90", 64, says: "choose one"),
    Wrong("turn x", 64, says: "'x' is no value for <angle>"), Wrong("turn 36001", 64, says: "-36000...36000"),
    Wrong("turn 90 --within 0", 64, says: "1...90"), Wrong("turn 90 --limit -1s", 64, says: "--limit"),
    Wrong("go", 64, says: "<x> is missing"), Wrong("go 10", 64, says: "<y> is missing"),
    Wrong("go 10 1m", 64, says: "'1m' is no value for <y>"), Wrong("go 0 32001", 64, says: "-32000...32000"),
    Wrong("go 1 2 3", 64, says: "unexpected argument '3'"), Wrong("go 1 2 --speed 0", 64, says: "1...255"),
    Wrong("go 1 2 --within 0", 64, says: "1...1000"), Wrong("follow", 64, says: "<file> is missing"),
    Wrong("follow /no/such/path --port sim:", 66, says: "/no/such/path"),
    Wrong("follow /dev/zero --port sim:", 65, says: "more than 4000000 bytes"),
    Wrong("collisions --preset rough", 64, says: "soft, normal, hard"),
    Wrong("collisions --tune --threshold 9", 64, says: "'--tune' finds thresholds"),
    Wrong("collisions --threshold 0", 64, says: "1...255"),
    Wrong("collisions --threshold 1,2,3", 64, says: "like 80,120"),
    Wrong("collisions --moving 256", 64, says: "0...255"), Wrong("collisions --count 0", 64, says: "--count"),
    Wrong("simulate --link /no/such/folder/link", 73, says: "/no/such/folder/link"),
  ]

  @Test(arguments: wrong) func isExplained(_ wrong: Wrong) async throws {
    let outcome = try await Run(wrong.words).end()
    #expect(outcome.code == wrong.code)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(wrong.says), "\(outcome.error)")
    #expect(outcome.error.hasPrefix("sphero: "))
    #expect(outcome.error.split(separator: "\n").count >= 2, "a sentence and the next step: \(outcome.error)")
  }

  @Test func aPlainFileIsNoPort() async throws {
    let path = freshPath()
    try Data("keep me".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("led", "1", "2", "3", "--port", path)
    #expect(outcome.code == 69 && outcome.output.isEmpty)
    #expect(outcome.error.contains("is not a serial device"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
  }

  @Test(
    .enabled(if: !FileManager.default.fileExists(atPath: "/dev/rfcomm0"), "a robot's device file is there"))
  func withoutAPortTheNextStepIsNamed() async throws {
    for verb in [["stream"], ["led", "255", "0", "0"], ["ping"], ["info"], ["stop"]] {
      let outcome = try await Run(verb).end()
      #expect(outcome.code == 69 && outcome.output.isEmpty)
      #expect(outcome.error.contains("--port sim:"))
    }
  }

  @Test func versionAndHelpAreResults() async throws {
    #expect(try await sphero("--version").output == "sphero 0.1.0\n")
    let overview = try await sphero("help")
    #expect(overview.code == 0 && overview.error.isEmpty)
    #expect(try await sphero().output == overview.output)
    #expect(try await sphero("--help").output == overview.output)
    for verb in [
      "stream", "led", "roll", "stop", "calibrate", "ping", "info", "sleep", "devices", "simulate",
    ] {
      #expect(overview.output.contains("  \(verb) "))
      let page = try await sphero("help", verb)
      #expect(page.code == 0 && page.output.contains("USAGE\n  sphero \(verb)"))
      #expect(try await sphero(verb, "--help").output == page.output)
      #expect(try await sphero(verb, "-h", "--nonsense").output == page.output)
    }
  }

  @Test func helpOfStopAsAWhole() async throws {
    let page = try await sphero("help", "stop").output
    #expect(
      page == """
        Stops the robot now; ends another sphero that holds its port.

        USAGE
          sphero stop [options]

        OPTIONS
          -p, --port <text>       Where the robot is: a device file, its Bluetooth
                                  address like 68:86:E7:01:02:03, tcp:HOST:PORT,
                                  replay:FILE, or 'sim:' for a simulated one.
              --timeout <time>    How long to wait for each answer. (10ms or more;
                                  default: 1s)
              --capture <text>    Keep every byte, with its time and direction, in this
                                  file.
          -q, --quiet             Leave out remarks on stderr.
          -v, --verbose           Print each packet on stderr, and in the end what the
                                  session has counted.
              --statistics        Print what the session has counted as a JSON object on
                                  stderr.

        EXAMPLES
          sphero stop

        """)
  }

  /// Foundation would be 60 MB more, and start more slowly.
  @Test func isNotLinkedWithFoundation() async throws {
    let tool = Process()
    let pipe = Pipe()
    #if os(Linux)
      tool.executableURL = URL(filePath: "/usr/bin/env")
      tool.arguments = ["ldd", Run.executable.path]
    #else
      tool.executableURL = URL(filePath: "/usr/bin/otool")
      tool.arguments = ["-L", Run.executable.path]
    #endif
    tool.standardOutput = pipe
    try tool.start()
    let libraries = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    tool.waitUntilExit()
    #expect(libraries.contains("swiftCore"), "\(libraries)")
    #expect(!libraries.contains("Foundation"), "\(libraries)")
  }
}
