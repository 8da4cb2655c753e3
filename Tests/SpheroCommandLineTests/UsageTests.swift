// Invalid command lines: a message with the next step on stderr, empty stdout, the documented exit code.

import Foundation
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct UsageTests {
  /// An error is found before anything is opened or printed.
  @Test(arguments: WrongInvocation.all) func isExplained(_ wrong: WrongInvocation) throws {
    let error = try #require(throws: UsageError.self) { _ = try Program.request(wrong.words[...]) }
    let failure = Failure(error)
    #expect(failure.code.rawValue == 64)
    let lines = Program.complaint(failure, verb: wrong.words.first)
    try #require(lines.count == 2, "a sentence and the next step: \(lines)")
    #expect(lines[0].contains(wrong.message), "\(lines[0])")
    #expect(lines[1].contains(wrong.next), "\(lines[1])")
    // No control characters, and no line breaks.
    #expect(
      lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
  }

  @Test func thereAreTwoHundred() {
    #expect(WrongInvocation.all.count >= 200)
    #expect(Set(WrongInvocation.all.map(\.words)).count == WrongInvocation.all.count, "each is another one")
  }

  /// The same in a process, with a robot that must not receive anything.
  @Test func nothingIsPrintedOrSent() async throws {
    let robot = try Run(["simulate", "--quiet", "--verbose"])
    let port = try await robot.line()
    do {
      for index in stride(from: 0, to: WrongInvocation.all.count, by: 12) {
        let wrong = WrongInvocation.all[index]
        let outcome = try await Run(wrong.words, environment: ["SPHERO_PORT": port]).end()
        #expect(outcome.code == 64 && outcome.output.isEmpty, "\(wrong)")
        #expect(
          outcome.error.hasPrefix("sphero: ") && outcome.error.contains(wrong.message), "\(outcome.error)")
        #expect(outcome.error.contains(wrong.next) && outcome.error.split(separator: "\n").count == 2)
      }
    } catch {
      robot.signal(SIGKILL)
      throw error
    }
    robot.signal(SIGINT)
    let received = try await robot.end()
    #expect(!received.error.contains("FF FF"), "\(received.error)")
  }

  /// Errors that are found after opening.
  struct Wrong: CustomStringConvertible, Sendable {
    var words: [String]
    var code: Int32
    var message: String
    var testDescription: String { words.joined(separator: " ") }
    var description: String { testDescription }
    init(_ line: String, _ code: Int32, message: String) {
      (words, self.code, self.message) = (line.split(separator: " ").map(String.init), code, message)
    }
  }

  static let wrong = [
    Wrong("led 1 2 3 --port /dev/no-such-robot", 69, message: "/dev/no-such-robot does not exist"),
    Wrong("led 1 2 3 --port /dev/null", 69, message: "is not a serial device"),
    Wrong("led 1 2 3 --port sim: --capture /no/such/folder/file", 73, message: "/no/such/folder/file"),
    Wrong("stream --port sim: --frames 4000", 64, message: "too long"),
    Wrong("ping --port tcp:-robot:4000", 64, message: "column 5: '-robot' is neither an Internet address"),
    Wrong("ping --port 68:86:E7:01:02", 64, message: "column 15: the end"),
    Wrong("ping --port simm:", 64, message: "'simm:' is not a kind of port"),
    Wrong("ping --port sim:nonsense", 64, message: "column 5: 'nonsense' is not an option of the simulator"),
    Wrong(
      "ping --port sim:ollie", 64, message: "is not an option of the simulator; did you mean 'model=ollie'?"),
    Wrong(
      "ping --port sim:batery=8%", 64, message: "is not an option of the simulator; did you mean 'battery'?"),
    Wrong("ping --port sim:battery=8", 64, message: "'battery=8' has no valid value for this option"),
    Wrong("ping --port sim:drop=5", 64, message: "'drop=5' has no valid value for this option"),
    Wrong("ping --port replay:", 64, message: "column 8: the end where a file is expected"),
    Wrong("ping --port replay:/no/such.capture", 66, message: "/no/such.capture does not exist"),
    Wrong("ping --port tcp:127.0.0.1:1", 69, message: "tcp:127.0.0.1:1 refuses the connection"),
    Wrong("stream --port sim: --port simm:", 64, message: "'simm:' is not a kind of port"),
    Wrong("simulate --replay /no/such.capture", 66, message: "/no/such.capture does not exist"),
    Wrong(
      "simulate --replay /dev/null --link /no/such/folder/link", 65,
      message: "the recording holds nothing to replay"),
    Wrong("record /no/such/folder/file --port sim:", 73, message: "/no/such/folder/file"),
    Wrong("record --port /dev/no-such-robot", 69, message: "/dev/no-such-robot does not exist"),
    Wrong("decode /no/such.capture", 66, message: "/no/such.capture"),
    Wrong("turn", 64, message: "<angle> is missing"), Wrong("turn 90 --to 90", 64, message: "choose one"),
    Wrong("turn x", 64, message: "'x' is not a value for <angle>"),
    Wrong("turn 36001", 64, message: "-36000...36000"),
    Wrong("turn 90 --within 0", 64, message: "1...90"), Wrong("turn 90 --for -1s", 64, message: "--for"),
    Wrong("go", 64, message: "<x> is missing"), Wrong("go 10", 64, message: "<y> is missing"),
    Wrong("go 10 1m", 64, message: "'1m' is not a value for <y>"),
    Wrong("go 0 32001", 64, message: "-32000...32000"),
    Wrong("go 1 2 3", 64, message: "unexpected argument '3'"),
    Wrong("go 1 2 --speed 0", 64, message: "1...255"),
    Wrong("go 1 2 --within 0", 64, message: "1...1000"), Wrong("go", 64, message: "<x> is missing"),
    Wrong("go --path /no/such/path --port sim:", 66, message: "/no/such/path"),
    Wrong("go --path /dev/zero --port sim:", 65, message: "more than 4000000 bytes"),
    Wrong("collisions --preset rough", 64, message: "soft, normal, hard"),
    Wrong("collisions --tune --threshold 9", 64, message: "'--tune' finds thresholds"),
    Wrong("collisions --tune --preset soft", 64, message: "'--tune' finds thresholds"),
    Wrong("collisions --threshold 0", 64, message: "1...255"),
    Wrong("collisions --threshold 1,2,3", 64, message: "like 80,120"),
    Wrong("collisions --moving 256", 64, message: "0...255"),
    Wrong("collisions --count 0", 64, message: "--count"),
    Wrong("drive --port sim:", 64, message: "needs a terminal"),
    Wrong("aim --port sim:", 64, message: "name a direction with '--heading'"),
    Wrong("simulate --link /no/such/folder/link", 73, message: "/no/such/folder/link"),
  ]

  @Test(arguments: wrong) func isExplained(_ wrong: Wrong) async throws {
    let outcome = try await Run(wrong.words).end()
    #expect(outcome.code == wrong.code)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(wrong.message), "\(outcome.error)")
    #expect(outcome.error.hasPrefix("sphero: "))
    #expect(outcome.error.split(separator: "\n").count >= 2, "a sentence and the next step: \(outcome.error)")
  }

  /// A recording cannot be measured again.
  @Test func aCaptureOverwritesNothing() async throws {
    let path = freshPath()
    try Data("keep me".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let outcome = try await sphero("led", "1", "2", "3", "--port", "sim:", "--capture", path)
    #expect(outcome.code == 73 && outcome.output.isEmpty)
    #expect(
      outcome.error == """
        sphero: \(path) already exists, and captures do not overwrite files
        Choose another name, or remove the file first.

        """)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
    // An empty file is replaced.
    try Data().write(to: URL(filePath: path))
    #expect(try await sphero("led", "1", "2", "3", "--port", "sim:", "--capture", path).code == 0)
    #expect(try await sphero("decode", path).output.contains("Lights.SetRGBLED"))
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

  /// Foundation would add 60 MB and lengthen the start.
  @Test func isNotLinkedWithFoundation() async throws {
    let tool = Process()
    let pipe = Pipe()
    #if canImport(Darwin)
      tool.executableURL = URL(filePath: "/usr/bin/otool")
      tool.arguments = ["-L", Run.executable.path]
    #else
      tool.executableURL = URL(filePath: "/usr/bin/env")
      tool.arguments = ["ldd", Run.executable.path]
    #endif
    tool.standardOutput = pipe
    try tool.start()
    let libraries = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    tool.waitUntilExit()
    #expect(libraries.contains("swiftCore"), "\(libraries)")
    #expect(!libraries.contains("Foundation"), "\(libraries)")
  }
}
