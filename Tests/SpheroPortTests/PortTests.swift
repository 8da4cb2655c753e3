// The parser of ports: valid and invalid texts.

import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PortTests {
  /// The address 68:86:E7:01:02:03, by its bytes.
  private static let robot = [0x68, 0x86, 0xE7, 0x01, 0x02, 0x03] as [UInt8]

  @Test(arguments: [
    ("/dev/rfcomm0", "/dev/rfcomm0"), ("/dev/cu.Sphero-RGB-AMP-SPP", "/dev/cu.Sphero-RGB-AMP-SPP"),
    ("/", "/"), ("/tmp/a:b", "/tmp/a:b"), ("./sim:", "./sim:"), ("../robot", "../robot"),
    ("folder/robot", "folder/robot"), ("robot", "robot"), ("tcp", "tcp"),
    ("/dev/68:86:E7:01:02:03", "/dev/68:86:E7:01:02:03"),
    (".", "."), ("6886E7010203", "6886E7010203"), ("/tmp/Gerät 1", "/tmp/Gerät 1"),
  ])
  func paths(_ text: String, _ path: String) throws {
    let port = try Port(parsing: text)
    #expect(port == .device(path: path) && port.description == text)
  }

  @Test(
    arguments: [
      ("68:86:E7:01:02:03", 1, "68:86:E7:01:02:03"), ("68-86-e7-01-02-03", 1, "68:86:E7:01:02:03"),
      ("68:86:e7:01:02:03@2", 2, "68:86:E7:01:02:03@2"), ("68:86:E7:01:02:03@1", 1, "68:86:E7:01:02:03"),
      ("68-86-E7-01-02-03@30", 30, "68:86:E7:01:02:03@30"),
    ] as [(String, UInt8, String)])
  func addresses(_ text: String, _ channel: UInt8, _ description: String) throws {
    let port = try Port(parsing: text)
    let address = try #require(BluetoothAddress(bytes: Self.robot))
    #expect(port == .bluetooth(address, channel: channel))
    #expect(port.description == description)
    #expect(try Port(parsing: description) == port)
  }

  @Test(
    arguments: [
      ("tcp:127.0.0.1:4000", "127.0.0.1", 4_000, "tcp:127.0.0.1:4000"),
      ("tcp:[::1]:65535", "::1", 65_535, "tcp:[::1]:65535"),
      ("tcp:[FE80:0:0:0:0:0:0:1]:1", "fe80::1", 1, "tcp:[fe80::1]:1"),
      ("tcp:192.168.1.7:0080", "192.168.1.7", 80, "tcp:192.168.1.7:80"),
      ("tcp:[::ffff:127.0.0.1]:4000", "127.0.0.1", 4_000, "tcp:127.0.0.1:4000"),
    ] as [(String, String, UInt16, String)])
  func servers(_ text: String, _ host: String, _ number: UInt16, _ description: String) throws {
    let port = try Port(parsing: text)
    let address = try #require(InternetAddress(host))
    #expect(port == .tcp(address, port: number) && port.description == description)
    #expect(try Port(parsing: description) == port)
  }

  /// The interface of a link-local address may be a number, and is printed by its name.
  @Test func aLinkLocalAddressHasItsInterface() throws {
    let loopback = System.interfaceName(1)
    let port = try Port(parsing: "tcp:[fe80::1%1]:4000")
    #expect(port.description == "tcp:[fe80::1%\(loopback)]:4000")
    #expect(try Port(parsing: port.description) == port)
    #expect(try port != Port(parsing: "tcp:[fe80::1]:4000"))
    #expect(try Port(parsing: "tcp:[fe80::1%4000000000]:1").description == "tcp:[fe80::1%4000000000]:1")
  }

  @Test(
    arguments: [
      ("tcp:localhost:4000", "localhost", 4_000), ("tcp:robot.local:1", "robot.local", 1),
      ("tcp:lab-7.example.org:65535", "lab-7.example.org", 65_535), ("tcp:1a:80", "1a", 80),
    ] as [(String, String, UInt16)])
  func serversWithNames(_ text: String, _ name: String, _ number: UInt16) throws {
    let port = try Port(parsing: text)
    #expect(port == .namedTCP(name, port: number) && port.description == text)
  }

  @Test(arguments: ["BB-8", "BB-D911", "Ollie", "2B-D911"])
  func namesOfRobots(_ name: String) throws {
    let port = try Port(parsing: "ble:" + name)
    #expect(port == .namedLowEnergy(name) && port.description == "ble:" + name)
  }

  @Test func simulatorsAndRecordings() throws {
    #expect(try Port(parsing: "sim:") == .simulated(options: ""))
    #expect(try Port(parsing: "sim:model=ollie,seed=7") == .simulated(options: "model=ollie,seed=7"))
    #expect(try Port(parsing: "sim:file=/tmp/a:b") == .simulated(options: "file=/tmp/a:b"))
    #expect(try Port(parsing: "replay:drive.capture") == .recording(path: "drive.capture"))
    #expect(try Port(parsing: "replay:/tmp/68:86:E7") == .recording(path: "/tmp/68:86:E7"))
    for text in ["sim:", "sim:model=ollie,seed=7", "replay:/tmp/68:86:E7"] {
      #expect(try Port(parsing: text).description == text)
    }
  }

  /// A path that would be parsed as another kind is written with `./`.
  @Test(arguments: ["sim:", "replay:x", "tcp:1.2.3.4:5", "68:86:E7:01:02:03", "x:", "68-86"])
  func awkwardPaths(_ path: String) throws {
    #expect(Port.device(path: path).description == "./" + path)
    #expect(try Port(parsing: Port.device(path: path).description) == .device(path: "./" + path))
  }

  struct Wrong: CustomTestStringConvertible, Sendable {
    var text: String
    var column: Int
    var seen: String
    var code: PortError.Code
    var testDescription: String { text }
    init(_ text: String, _ column: Int, _ seen: String, _ code: PortError.Code) {
      (self.text, self.column, self.seen, self.code) = (text, column, seen, code)
    }
  }

  static let wrong = [
    Wrong("", 1, "", .empty), Wrong("/dev/a\0b", 7, "\0", .nul), Wrong("sim:\0", 5, "\0", .nul),
    Wrong("simm:", 1, "simm:", .unknownKind), Wrong(":", 1, ":", .unknownKind),
    Wrong("SIM:", 1, "SIM:", .unknownKind), Wrong("é:x", 1, "é:", .unknownKind),
    Wrong("68:86:E7:01:02", 15, "", .addressSeparator), Wrong("68:86:E7:01:02:", 16, "", .addressDigit),
    Wrong("68:86:E7:01:02:0", 17, "", .addressDigit), Wrong("68:86:G7:01:02:03", 7, "G", .addressDigit),
    Wrong("68:86:E7:01:02:0é", 17, "é", .addressDigit), Wrong("68:86-E7:01:02:03", 6, "-", .addressSeparator),
    Wrong("68:8:E7:01:02:03", 5, ":", .addressDigit), Wrong("68:86:E7:01:02:03:04", 18, ":04", .addressEnd),
    Wrong("68:86:E7:01:02:03@", 19, "", .channel), Wrong("68:86:E7:01:02:03@0", 19, "0", .channel),
    Wrong("68:86:E7:01:02:03@31", 19, "31", .channel), Wrong("68:86:E7:01:02:03@+1", 19, "+1", .channel),
    Wrong("68:86:E7:01:02:03@99999999999999999999", 19, "99999999999999999999", .channel),
    Wrong("68:86", 6, "", .addressSeparator), Wrong("68-86", 6, "", .addressSeparator),
    Wrong("ble:68-86", 10, "", .addressSeparator), Wrong("ble:", 5, "", .noRobot),
    Wrong("BB-D911", 1, "BB-D911", .robotName),
    Wrong("tcp:", 5, "", .noHost), Wrong("tcp::4000", 5, "", .noHost),
    Wrong("tcp:ro bot:4000", 5, "ro bot", .name), Wrong("tcp:robot..local:4000", 5, "robot..local", .name),
    Wrong("tcp:[robot]:4000", 6, "robot", .name), Wrong("tcp:localhost", 14, "", .portNumber),
    Wrong("tcp:1.2.3:4000", 5, "1.2.3", .host),
    Wrong("tcp:1.2.3.256:4000", 5, "1.2.3.256", .host), Wrong("tcp:1.2.3.4", 12, "", .portNumber),
    Wrong("tcp:1.2.3.4:", 13, "", .portNumber), Wrong("tcp:1.2.3.4:0", 13, "0", .portNumber),
    Wrong("tcp:1.2.3.4:65536", 13, "65536", .portNumber), Wrong("tcp:1.2.3.4:-1", 13, "-1", .portNumber),
    Wrong("tcp:1.2.3.4:4e3", 13, "4e3", .portNumber),
    Wrong("tcp:1.2.3.4:99999999999999999999", 13, "99999999999999999999", .portNumber),
    Wrong("tcp:[::1", 5, "[::1", .bracket), Wrong("tcp:::1:4000", 5, "::1", .bracket),
    Wrong("tcp:[1.2.3.4]:4000", 6, "1.2.3.4", .bracket), Wrong("tcp:[]:4000", 6, "", .noHost),
    Wrong("tcp:[::1]", 10, "", .portNumber), Wrong("tcp:[::1]4000", 10, "4000", .portNumber),
    Wrong("tcp:[fe80::1%nowhere0]:1", 6, "fe80::1%nowhere0", .name),
    Wrong("tcp:127.0.0.1%1:1", 5, "127.0.0.1%1", .name), Wrong("tcp:[::1%0]:1", 6, "::1%0", .name),
    Wrong("tcp:[::1%]:1", 6, "::1%", .name), Wrong("replay:", 8, "", .noFile),
  ]

  @Test(arguments: wrong) func refuses(_ wrong: Wrong) {
    let error = #expect(throws: PortError.self) { try Port(parsing: wrong.text) }
    #expect(error?.column == wrong.column && error?.seen == wrong.seen && error?.code == wrong.code)
    #expect(error?.text == wrong.text && error?.advice.hasSuffix(".") == true)
  }

  @Test func sentences() {
    let error = #expect(throws: PortError.self) { try Port(parsing: "tcp:ro bot:4000") }
    #expect(
      error?.message
        == "port 'tcp:ro bot:4000', column 5: 'ro bot' is neither an Internet address nor the name of a host")
    let end = #expect(throws: PortError.self) { try Port(parsing: "68:86") }
    #expect(
      end?.message
        == "port '68:86', column 6: the end where the separator of a Bluetooth address is expected")
  }

  /// Every text is parsed, or refused with a position inside it.
  @Test func anyTextIsSafe() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("0123456789abcdefABCDEF::::--[]@.%/tcpsimreplay\0é👍🏽\u{301}")
    for _ in 0..<20_000 {
      let front =
        ["", "tcp:", "sim:", "replay:", "68:86:E7:", "tcp:[", "68-"].randomElement(using: &generator) ?? ""
      let text =
        front
        + String(
          (0..<Int.random(in: 0...14, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? "x"
          })
      do throws(PortError) {
        let port = try Port(parsing: text)
        let again = try Port(parsing: port.description)
        #expect(again == port, "seed 7: \(text.debugDescription)")
      } catch {
        #expect((1...text.count + 1).contains(error.column), "seed 7: \(text.debugDescription)")
      }
    }
  }
}
