// sphero doctor as a process.

import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct DoctorTests {
  @Test func aHealthyRobot() async throws {
    let outcome = try await Run(["doctor", "--port", "sim:seed=3", "--pings", "3"]).end()
    #expect(outcome.code == 0 && outcome.error == "")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 8 && lines.allSatisfy { $0.hasPrefix("good      ") })
    #expect(lines.first == "good      port       sim:seed=3")
    #expect(lines[1] == "good      link       the port opens, and a robot answers")
  }

  @Test func aProblemIsTheLastVerdictAndTheError() async throws {
    let outcome = try await Run(["doctor", "--port", "/dev/rfcomm250"]).end()
    #expect(outcome.code == 69)
    #if os(Linux)
      let hint = "Name the robot by its address"
    #else
      let hint = "Pair the robot in System Settings"
    #endif
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && lines[0] == "good      port       /dev/rfcomm250")
    #expect(lines[1] == "bad       device     /dev/rfcomm250 does not exist")
    #expect(lines.last?.hasPrefix(String(repeating: " ", count: 21) + hint) == true)
    #expect(outcome.error == "sphero: /dev/rfcomm250 does not exist\n")
  }

  @Test func aSilentRobotIsWaitedForVisibly() async throws {
    let line = try PseudoTerminal()
    let outcome = try await Run(["doctor", "--port", line.path, "--timeout", "80ms"]).end()
    #expect(outcome.code == 69)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[1].hasPrefix("good      device     "))
    #expect(lines[2] == "bad       link       no robot answers")
    // A busy computer reports the second a little later.
    let waits =
      #/sphero: the port is open, but the robot has not answered for [1-9][0-9]*\.[0-9]{2} s; still waiting/#
    let remarks = outcome.error.split(separator: "\n").map(String.init)
    #expect(remarks.count == 2 && remarks[0].wholeMatch(of: waits) != nil, "\(remarks)")
    #expect(remarks.last == "sphero: no robot answers")
    line.close()
  }

  @Test func aWrongOptionOfTheSimulatorIsAProblemOfThePort() async throws {
    let outcome = try await Run(["doctor", "--port", "sim:batery=5%"]).end()
    #expect(outcome.code == 64 && outcome.output.hasPrefix("bad       port       port 'sim:batery=5%'"))
  }

  @Test func forPrograms() async throws {
    let outcome = try await Run(["doctor", "--port", "/dev/null", "--format", "json"]).end()
    #expect(outcome.code == 69)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.last
        == #"{"kind":"diagnosis","subject":"device","verdict":"bad","statement":"/dev/null is not a serial "#
        + #"device","advice":"Name a device file like /dev/rfcomm0; 'sphero devices' lists them."}"#)
  }

  /// The port is an option, as for all other commands.
  @Test func aPortWithoutItsOptionIsSurplus() throws {
    let advice = "The form is 'sphero doctor [options]'. See 'sphero doctor --help'."
    #expect(throws: UsageError("unexpected argument 'sim:'", advice: advice)) {
      try Synopsis.bind(Doctor.self, ["sim:"])
    }
  }
}
