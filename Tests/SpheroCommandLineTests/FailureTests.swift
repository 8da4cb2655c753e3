// Exit code, message and advice of every error of the library.

import SpheroHost
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@testable import sphero

@Suite(.timeLimit(.minutes(5))) struct FailureTests {
  private static let wake =
    "Shake it awake, keep it near, and disconnect other programs and phones."
  private static let firmware = "Its firmware may be older or newer than the documents; see 'sphero info'."

  @Test func everySessionErrorHasAnExitCode() throws {
    let rows: [(SessionError, Int32, advice: String?)] = [
      (
        .refused(command: "c", status: .badParameter), 76,
        "Check the values: one is out of the range that its firmware takes."
      ),
      (
        .timedOut(command: "c", hasEverAnswered: true), 75,
        "Move closer to the robot, or wait longer with --timeout."
      ),
      (.timedOut(command: "c", hasEverAnswered: false), 69, Self.wake),
      (.unconfirmed(command: "c"), 75, "See what the robot did before you send it again."),
      (.malformed(command: "c", .excess(offset: 0, count: 1)), 76, Self.firmware),
      (.superseded(command: "c"), 75, "Send it again."), (.leaving, 70, nil),
      (.disconnected(command: "c"), 74, "Wake the robot and try again."),
      (.hazardous(command: "c", hazard: "h"), 64, nil), (.tooManyRequests, 70, nil),
      (.notConnected(.silence), 69, Self.wake), (.notConnected(.noAnswer(packets: 1)), 69, Self.wake),
      (
        .notConnected(.echo), 69,
        "Check that the port is the robot's: 'sphero devices' lists candidates."
      ),
      (
        .notConnected(.noise(count: 1, first: [0])), 69,
        "Check that the port is the robot's ('sphero devices' lists candidates), "
          + "and that no other program, such as ModemManager, uses it."
      ),
      (
        .silentStream, 75,
        "Move closer and wake it, or request fewer fields with '--mask'."
      ),
      (
        .mismatchedStream(payloadCount: 12, expected: 14), 76,
        "Request fields that its firmware knows, of a recording the recorded ones, and end other programs that stream."
      ),
      (.invalidStream("r"), 64, nil),
    ]
    for (error, code, advice) in rows {
      let failure = Failure(error)
      #expect(failure.code.rawValue == code && failure.message == error.message && failure.advice == advice)
    }
    let cases = try caseNames(of: "SessionError", in: "SpheroHost/SessionError.swift")
    #expect(Set(rows.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  /// The codes of Sphero API 1.50 with the advice for each.
  @Test(
    arguments: [
      (0x01, "Try again"), (0x02, "move closer"), (0x03, "move closer"), (0x04, "firmware or model"),
      (0x05, "cannot do that now"),
      (0x06, "Check the fields"), (0x07, "Check the values"), (0x08, "busy or full"),
      (0x09, "firmware or model"),
      (0x0A, "uses that memory"), (0x0B, "password"), (0x31, "Charge it"), (0x32, "another page"),
      (0x33, "worn out"),
      (0x34, "damaged"), (0x35, "move closer"), (0x77, "newer than the documents"),
    ] as [(UInt8, String)])
  func adviceFollowsTheStatus(_ code: UInt8, _ words: String) {
    let failure = Failure(SessionError.refused(command: "c", status: Status(rawValue: code)))
    #expect(failure.code.rawValue == 76)
    #expect(failure.advice?.contains(words) == true, "\(failure.advice ?? "none")")
    // Only where the command is unknown is the version of the firmware of interest.
    #expect(failure.advice?.contains("'sphero info'") == (code == 0x04 || code == 0x09))
  }

  @Test func everyLinkErrorHasAnExitCode() throws {
    let server = "Make sure that the server is running and that its port accepts a connection."
    let rows: [(LinkError, Int32, advice: String?)] = [
      (
        .notFound("/dev/x"), 69,
        "'sphero devices' lists robots; a simulated one has this file while 'sphero simulate --link' runs."
      ),
      (
        .notADevice("/dev/x"), 69, "Name a device file like /dev/rfcomm0; 'sphero devices' lists them."
      ),
      (.noPermission("/dev/x"), 77, Advice.permission),
      (
        .busy("/dev/x", nil), 69,
        "Another program uses it. Find that program with 'lsof' or 'fuser', and close it."
      ),
      (
        .busy("/dev/x", PortHolder(processID: 12, program: "a")), 69,
        "Close that program, or end it with 'kill 12'."
      ),
      (
        .busy("/dev/x", PortHolder(processID: 12, program: "sphero")), 69,
        "'sphero stop --port /dev/x' stops the robot and ends that program."
      ),
      (.notFound("sim"), 69, "Write the colon, too: '--port sim:'."), (.notFound("ball"), 69, Advice.address),
      (
        .notADevice("run.capture"), 69,
        "Name a device file like /dev/rfcomm0. If it is a recording, write 'replay:run.capture'."
      ),
      (.refused("tcp:[::1]:1"), 69, server), (.hostDown("tcp:[::1]:1"), 69, server),
      (.timedOut("tcp:[::1]:1"), 69, server),
      (
        .unknownHost("tcp:a:1", reason: "r"), 69,
        "Check the name, or write a numeric address like tcp:192.168.1.7:4000."
      ),
      (.unreachable("x"), 69, "Make sure that Bluetooth or the network is on, then try again."),
      (
        .unsupported("x", reason: "r"), 69,
        "Use another port: a device file, an address, tcp:HOST:PORT or sim:."
      ),
      (
        .failed("x", operation: "o", code: 5), 69, "Check that the device works, then try again."
      ),
      (.bluetooth("x", reason: "r", advice: "Do this."), 69, "Do this."),
      (
        .lost("x"), 74, "The robot is out of reach, asleep or unplugged; wake it and try again."
      ),
      (
        .closed, 74,
        "The robot is asleep, or the program that serves it has ended; wake it and try again."
      ),
    ]
    for (error, code, advice) in rows {
      let failure = Failure(error)
      #expect(failure.code.rawValue == code && failure.message == error.message && failure.advice == advice)
    }
    let cases = try caseNames(of: "LinkError", in: "SpheroTransport/LinkError.swift")
    #expect(Set(rows.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  @Test func filesAndWordsHaveExitCodes() {
    #expect(Failure(SimulatorFileError.unreadable(path: "f", reason: "r")).code == .noInput)
    let malformed = Failure(SimulatorFileError.malformed(path: "f", line: 1, reason: "r"))
    #expect(malformed.code == .badData && malformed.message == "f: r")
    #expect(malformed.advice == "Correct that line; 'sphero simulate --help' has the form of the file.")
    #expect(Failure(SimulatorFileError.tooLong(path: "f")).code == .badData)
    #expect(Failure(UsageError("wrong", advice: "Do so.")).advice == "Do so.")
    #expect(Failure(WireError.excess(offset: 0, count: 1)).code == .usage)
  }
}
