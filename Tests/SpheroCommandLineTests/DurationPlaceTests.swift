// The same text is the same duration in every option, and has the same error.

import SpheroModel
import SpheroSimulator
import Testing

@testable import sphero

@Suite struct DurationPlaceTests {
  /// An option with a duration, and the value that is parsed.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (String) throws -> Duration?

    init(_ name: String, _ read: @escaping @Sendable (String) throws -> Duration?) {
      (testDescription, self.read) = (name, read)
    }
  }

  static let places = [
    Place("roll --for") { try Synopsis.bind(Roll.self, ["90", "--for", $0]).time },
    Place("stream --for") { try Synopsis.bind(Stream.self, ["--for", $0]).bounds.time },
    Place("turn --for") { try Synopsis.bind(Turn.self, ["90", "--for", $0]).limit },
    Place("survey --for") { try Synopsis.bind(Survey.self, ["--conventions", "--for", $0]).wait },
    Place("ping --timeout") { try Synopsis.bind(Ping.self, ["--timeout", $0]).connection.timeout },
    Place("wait") { try Synopsis.bind(Pause.self, [$0]).time },
    Place("simulate --latency") {
      try Synopsis.bind(Simulate.self, ["--latency", $0]).parsed().robot.latency
    },
    Place("simulate --nap") {
      try Synopsis.bind(Simulate.self, ["--nap", $0]).parsed().robot.napDelay
    },
    Place("simulate --options") {
      try Synopsis.bind(Simulate.self, ["--options", "latency=\($0)"]).parsed().robot.latency
    },
    Place("sim:nap") { try SimulatorOptions(parsing: "nap=\($0)").robot.napDelay },
    Place("late=") { try fault("late=1%:\($0)") },
    Place("delay=") { try fault("delay=1%:\($0)@responses") },
    Place("close=") { try SimulatorOptions(parsing: "close=1s:\($0)").faults.outage?.length },
    Place("script time") { try HandScript(parsing: "\($0) put down").steps.first?.time },
    Place("script wait") { try HandScript(parsing: "wait \($0)\nput down").steps.first?.time },
    Place("script shake") {
      guard case .shake(let length)? = try HandScript(parsing: "shake \($0)").steps.first?.action else {
        return nil
      }
      return length
    },
  ]

  private static func fault(_ text: String) throws -> Duration? {
    switch try SimulatorOptions(parsing: text).faults.faults.first?.kind {
    case .reorder(let time)?, .delay(let time)?: time
    default: nil
    }
  }

  static let durations: [(String, Duration)] = [
    ("2", .seconds(2)), ("2s", .seconds(2)), ("0.25", .milliseconds(250)), (".5s", .milliseconds(500)),
    ("500ms", .milliseconds(500)), ("2m", .seconds(120)), ("2min", .seconds(120)), ("1h", .seconds(3_600)),
    ("48h", .seconds(172_800)),
  ]

  @Test(arguments: places) func aDurationIsTheSameEverywhere(_ place: Place) throws {
    for (text, duration) in Self.durations { #expect(try place.read(text) == duration, "\(text)") }
  }

  @Test(arguments: places) func invalidDurationsHaveTheSameError(_ place: Place) {
    let sentence = "seconds, or like 500ms, 2min, 1h"
    for text in ["soon", "s", "-2s", "nan", "inf", "1e3", "0x10s", "5x", "1.2.3s", "30000h"] {
      let error = #expect(throws: (any Error).self, "\(text)") { try place.read(text) }
      let words = (error as? UsageError)?.message ?? "\(error, default: "")"
      #expect(words.contains(sentence), "\(text): \(words)")
    }
  }

  /// The wire has whole seconds.
  @Test(arguments: [("30", 30 as UInt16), ("30s", 30), ("2min", 120), ("1000ms", 1), ("65534", 65_534)])
  func sleepTakesWholeSeconds(_ text: String, _ seconds: UInt16) throws {
    #expect(try Synopsis.bind(Sleep.self, ["--for", text]).time == .seconds(Int(seconds)))
  }

  @Test(arguments: ["500ms", "1.5s", "0", "65535", "19h", "soon"])
  func sleepRefusesOtherTimes(_ text: String) {
    let error = #expect(throws: UsageError.self) { try Synopsis.bind(Sleep.self, ["--for", text]) }
    #expect(
      error?.message
        == "'\(text)' is not a value for --for; it can be 1s...65534s in whole seconds, like 30s or 2min")
  }
}
