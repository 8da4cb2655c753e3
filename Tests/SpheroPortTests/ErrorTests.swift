// Errors of ports: message, advice and properties.

import Foundation
import SpheroPort
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite struct ErrorTests {
  private static let sleepy =
    "Shake the robot awake, keep it near, and disconnect other programs and phones."
  private static let server = "Make sure that the server is running and that its port accepts a connection."

  private static let link: [(LinkError, port: String?, String)] = [
    (
      .notFound("/dev/rfcomm0"), "/dev/rfcomm0",
      "/dev/rfcomm0 does not exist. Check the path, and that the robot is paired and connected."
    ),
    (
      .notADevice("/dev/null"), "/dev/null",
      "/dev/null is not a serial device. Name a device file like /dev/rfcomm0."
    ),
    (
      .noPermission("/dev/x"), "/dev/x",
      "no permission to open /dev/x. Check its owner with 'ls -l', and give yourself access."
    ),
    (
      .busy("/dev/x", nil), "/dev/x",
      "/dev/x is busy. Another program uses it. Find that program with 'lsof' or 'fuser', and close it."
    ),
    (
      .busy("/dev/x", PortHolder(processID: 12, program: "minicom")), "/dev/x",
      "/dev/x is held by minicom (pid 12). Close that program, or end it with 'kill 12'."
    ),
    (
      .busy("/dev/x", PortHolder(processID: ProcessInfo.processInfo.processIdentifier, program: "app")),
      "/dev/x", "/dev/x is open in this program already. Use that connection, or close it first."
    ),
    (
      .refused("tcp:[::1]:4000"), "tcp:[::1]:4000",
      "tcp:[::1]:4000 refuses the connection. \(server)"
    ),
    (
      .refused("68:86:E7:01:02:03"), "68:86:E7:01:02:03",
      "68:86:E7:01:02:03 refuses the connection. Shake the robot awake, and disconnect other programs and phones; if that does not help, pair it again."
    ),
    (
      .hostDown("68:86:E7:01:02:03"), "68:86:E7:01:02:03",
      "68:86:E7:01:02:03 does not answer. \(sleepy)"
    ),
    (
      .unreachable("tcp:[::1]:4000"), "tcp:[::1]:4000",
      "tcp:[::1]:4000 cannot be reached. Make sure that Bluetooth or the network is on, then try again."
    ),
    (
      .unknownHost("tcp:a.b:4000", reason: "it has no Internet address"), "tcp:a.b:4000",
      "no address was found for tcp:a.b:4000: it has no Internet address. "
        + "Check the name, or write a numeric address like tcp:192.168.1.7:4000."
    ),
    (
      .timedOut("tcp:[::1]:4000"), "tcp:[::1]:4000",
      "the connection to tcp:[::1]:4000 timed out. \(server)"
    ),
    (
      .unsupported("68:86:E7:01:02:03", reason: "the kernel has no Bluetooth"),
      "68:86:E7:01:02:03",
      "68:86:E7:01:02:03 cannot be opened: the kernel has no Bluetooth. "
        + "Run the program on a system with Bluetooth, not in a container, or use tcp:HOST:PORT or sim:."
    ),
    (
      .unsupported("68:86:E7:01:02:03", reason: "the Bluetooth adapter has no classic Bluetooth"),
      "68:86:E7:01:02:03",
      "68:86:E7:01:02:03 cannot be opened: the Bluetooth adapter has no classic Bluetooth. "
        + "Use another port: a device file, an address, tcp:HOST:PORT or sim:."
    ),
    (
      .unsupported("tcp:[::1]:4000", reason: "the kernel has no IPv6"), "tcp:[::1]:4000",
      "tcp:[::1]:4000 cannot be opened: the kernel has no IPv6. "
        + "Use another port: a device file, an address, tcp:HOST:PORT or sim:."
    ),
    (
      .failed("tcp:[::1]:4000", operation: "thread", code: 12), "tcp:[::1]:4000",
      "tcp:[::1]:4000: Cannot allocate memory. "
        + "End other programs, or raise the limit of threads, then try again."
    ),
    (
      .failed("/dev/x", operation: "tcgetattr", code: 5), "/dev/x",
      "/dev/x: Input/output error. Check that it works, then try again."
    ),
    (
      .bluetooth("ble:x", reason: "the robot disconnected", advice: "Keep it near."), "ble:x",
      "ble:x: the robot disconnected. Keep it near."
    ),
    (
      .lost("/dev/x"), "/dev/x",
      "the link on /dev/x was lost. The robot is out of reach, asleep or unplugged; wake it and try again."
    ),
    (
      .lost("tcp:[::1]:4000"), "tcp:[::1]:4000",
      "the link on tcp:[::1]:4000 was lost. "
        + "The server may accept one client at a time: end the other one, which stops its ball, or wake the robot."
    ),
    (.closed, nil, "the link is closed. Open it again; a recording that is over has no more samples."),
  ]

  @Test func aMissingFileOfAnotherKindHasItsOwnAdvice() {
    #expect(LinkError.notFound("a/run.capture").advice == "Name an existing file.")
    #expect(LinkError.notFound("sim").advice.contains("'sim:' with the colon"))
  }

  @Test func everyLinkErrorHasItsSentence() throws {
    for (error, port, text) in Self.link {
      #expect(error.port == port && error.description == text && text == "\(error.message). \(error.advice)")
    }
    let cases = try caseNames(of: "LinkError", in: "SpheroTransport/LinkError.swift")
    #expect(Set(Self.link.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  /// One text for each code; `PortTests` has more of them.
  private static let port: [(String, PortError.Code, String)] = [
    ("", .empty, "the port is empty. \(kinds)"),
    ("/dev/a\0", .nul, "the port has a NUL character in column 7. Leave the NUL character out."),
    ("simm:", .unknownKind, "port 'simm:', column 1: 'simm:' is not a kind of port. \(kinds)"),
    (
      "68:86:G7:01:02:03", .addressDigit,
      "port '68:86:G7:01:02:03', column 7: 'G' where a hexadecimal digit of a Bluetooth address is expected. \(address)"
    ),
    (
      "68:86", .addressSeparator,
      "port '68:86', column 6: the end where the separator of a Bluetooth address is expected. \(address)"
    ),
    (
      "68:86:E7:01:02:03:04", .addressEnd,
      "port '68:86:E7:01:02:03:04', column 18: ':04' after a Bluetooth address, where only @CHANNEL can be. \(address)"
    ),
    (
      "68:86:E7:01:02:03@31", .channel,
      "port '68:86:E7:01:02:03@31', column 19: '31' is not a channel from 1 to 30. \(address)"
    ),
    ("tcp:", .noHost, "port 'tcp:', column 5: the end where an address is expected. \(numeric)"),
    (
      "tcp:ro bot:1", .name,
      "port 'tcp:ro bot:1', column 5: 'ro bot' is neither an Internet address nor the name of a host. \(numeric)"
    ),
    ("tcp:1.2.3:1", .host, "port 'tcp:1.2.3:1', column 5: '1.2.3' is not an Internet address. \(numeric)"),
    (
      "tcp:::1:1", .bracket,
      "port 'tcp:::1:1', column 5: '::1', but IPv6 addresses stand in brackets and others do not. "
        + "Write tcp:[::1]:4000 for IPv6 and tcp:127.0.0.1:4000 for IPv4."
    ),
    (
      "tcp:1.2.3.4:0", .portNumber,
      "port 'tcp:1.2.3.4:0', column 13: '0' is not a port from 1 to 65535. "
        + "Write a port from 1 to 65535 after the address, like tcp:127.0.0.1:4000."
    ),
    (
      "replay:", .noFile,
      "port 'replay:', column 8: the end where a file is expected. Write the file after it, like replay:drive.capture."
    ),
    (
      "ble:", .noRobot,
      "port 'ble:', column 5: the end where the name or the address of a robot is expected. "
        + "Write ble:BB-D911 or ble:C1:6E:04:5E:D9:11, with the name or the address of the robot."
    ),
    (
      "BB-D911", .robotName,
      "port 'BB-D911', column 1: 'BB-D911' is the name of a robot with Bluetooth LE. Write ble: before the name."
    ),
  ]

  private static let kinds =
    "Name a device file like /dev/rfcomm0, an address like 68:86:E7:01:02:03, ble:NAME, "
    + "tcp:HOST:PORT, sim: or replay:FILE."
  private static let address =
    "Write an address of six pairs like 68:86:E7:01:02:03, or 68:86:E7:01:02:03@2 for channel 2; a file of that name is ./FILE."
  private static let numeric =
    "Write an address or a name, like tcp:192.168.1.7:4000 or tcp:robot.local:4000."

  @Test func everyPortErrorHasItsSentence() async throws {
    for (text, code, sentence) in Self.port {
      let error = #expect(throws: PortError.self) { try Port(parsing: text) }
      #expect(error?.code == code && error?.description == sentence)
    }
    let option = await #expect(throws: PortError.self) { try await Port(parsing: "sim:size=3").open() }
    #expect(option?.code == .simulatorOption && option?.column == 5 && option?.seen == "size=3")
    #expect(option?.message == "port 'sim:size=3', column 5: 'size=3' is not an option of the simulator")
    #expect(
      option?.advice
        == "Choose among name, model, seed, latency, battery, clock, reading, stream, renewal, reserved, version, "
        + "greeting, sleep, nap, floor, script, locator, gyro-bias, gyro-scale, gyro-misalignment, gyro-drift, pace, "
        + "drop, corrupt, cut, duplicate, delay, late, split, burst, stall, misnumber, refuse, stray, stale, close; "
        + "'sphero simulate --help' describes them.")
    let value = await #expect(throws: PortError.self) { try await Port(parsing: "sim:battery=8").open() }
    #expect(value?.code == .simulatorValue && value?.column == 5 && value?.seen == "battery=8")
    #expect(
      value?.description
        == "port 'sim:battery=8', column 5: 'battery=8' has no valid value for this option of the simulator. "
        + "Write battery=PERCENT; PERCENT is a number like 8%, or a fraction like 0.08.")
    let codes = try caseNames(of: "Code", in: "SpheroTransport/LinkError.swift")
    #expect(Self.port.map { "\($0.1)" } + ["simulatorOption", "simulatorValue"] == codes)
  }

  @Test func everySimulatorFileErrorHasItsSentence() throws {
    let rows: [(SimulatorFileError, String)] = [
      (
        .unreadable(path: "room.txt", reason: "Permission denied"),
        "room.txt: Permission denied. Name a file that can be read."
      ),
      (
        .malformed(path: "room.txt", line: 2, reason: "line 2 of the floor says 'door'"),
        "room.txt: line 2 of the floor says 'door'. "
          + "Correct that line; 'sphero simulate --help' has the form of the file."
      ),
      (.tooLong(path: "room.txt"), "room.txt: it is longer than a megabyte. Shorten it."),
      (
        .tooFewRobots(path: "hand.txt", needed: 3, count: 2),
        "hand.txt: it moves robot 3, but there are 2. Simulate 3 robots, or correct the file."
      ),
      (
        .tooFewRobots(path: "hand.txt", needed: 2, count: 1),
        "hand.txt: it moves robot 2, but there is 1. Simulate 2 robots, or correct the file."
      ),
    ]
    for (error, text) in rows { #expect(error.description == text) }
    let cases = try caseNames(of: "SimulatorFileError", in: "SpheroSimulator/SimulatorFiles.swift")
    #expect(Set(rows.compactMap { caseName(of: $0.0) }) == Set(cases))
  }

  @Test func kindsOfPorts() throws {
    let texts = ["./x", "68:86:E7:01:02:03@2", "ble:BB-D911", "tcp:[::1]:1", "sim:", "replay:x"]
    let kinds = ["device", "bluetooth", "lowEnergy", "tcp", "simulated", "recording"]
    #expect(try texts.map { "\(try Port(parsing: $0).kind)" } == kinds)
  }

  @Test(
    arguments: ["", "::1", "a b", "a..b", "-a", "a-", "1", String(repeating: "a", count: 64)])
  func textsThatNameNoHost(_ name: String) {
    #expect(throws: PortError.self) { try Port(parsing: "tcp:\(name):1") }
  }
}
