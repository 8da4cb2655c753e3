// sphero doctor as a process.

import Foundation
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

  /// The answer to the power state has 7 bytes instead of 8; the other queries are those of other firmware.
  @Test(arguments: [true, false]) func aMalformedAnswerIsOneDoubtfulDiagnosis(hasVersion: Bool) async throws {
    let version = "0.1 > FF FF 00 02 01 01 FB\n0.11 < FF FF 00 01 09 02 03 01 03 49 48 03 03 55\n"
    let power = "0.3 > FF FF 00 20 02 01 DC\n0.31 < FF FF 00 02 08 01 02 02 EE 00 01 00 01\n"
    let ping = "0.5 > FF FF 00 01 03 01 FA\n0.51 < FF FF 00 03 01 FB\n"
    let path = freshPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ((hasVersion ? version : "") + power + ping).write(toFile: path, atomically: true, encoding: .utf8)
    let doctor = try await Run(["doctor", "--port", "replay:\(path)", "--pings", "2", "--timeout", "100ms"])
      .end()
    #expect(doctor.code == 0 && doctor.output.contains("firmware 3.73") == hasVersion, "\(doctor.output)")
    #expect(doctor.output.contains("the robot's answer to Core.GetPowerState is malformed"))
    // A recording that lacks a query says nothing about its firmware.
    #expect(doctor.output.contains("the robot does not report whether it stops when the link drops"))
    let info = try await Run(["info", "--port", "replay:\(path)", "--timeout", "100ms"]).end()
    #expect(info.error.contains("the robot's answer to Core.GetPowerState is malformed"))
    #expect(info.code == (hasVersion ? 0 : 76) && info.output.contains("3.73") == hasVersion, "\(info.error)")
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
