// Tests of the generated tables of Docs/Simulator.md, and of the summary in the README.

import Foundation
import SpheroModel
import SpheroProtocol
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread) struct SimulatorPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Collects the commands of the catalogue.
  private struct Commands: CatalogueVisitor {
    var all: [(id: CommandID, name: String)] = []
    mutating func command<R: Request>(_ type: R.Type, _ name: StaticString) { all.append((R.id, "\(name)")) }
    mutating func event<E: Event>(_ type: E.Type, _ name: StaticString) {}

    static let all: [(id: CommandID, name: String)] = {
      var commands = Commands()
      Catalogue.visit(&commands)
      return commands.all.sorted { ($0.id.device, $0.id.command) < ($1.id.device, $1.id.command) }
    }()
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { cells in
      "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }

  private static func hexadecimal(_ status: Status) -> String {
    let digits = String(status.rawValue, radix: 16, uppercase: true)
    return (digits.count < 2 ? "0" : "") + digits
  }

  /// The differences between the simulated robot and a real one: the command or the subject, and a sentence.
  private static let differences: [(command: CommandID?, subject: String, text: String)] = [
    (Core.SetDeviceName.id, "", "The name is stored, but not broadcast: there is no radio."),
    (Core.SetAutoReconnect.id, "", "The setting is stored; the robot never opens a connection."),
    (Factory.GetFactoryConfigurationCRC.id, "", "The CRC is constant: no document defines it."),
    (
      Bootloader.JumpToBootloader.id, "", "The bootloader answers only Ping, IsPageBlank and LeaveBootloader."
    ),
    (Bootloader.IsPageBlank.id, "", "The response is always the same: no page can be flashed."),
    (Diagnostics.RunLevel1Diagnostics.id, "", "The text of the report is not that of a robot."),
    (Motion.SelfLevel.id, "", "A ball on the floor is level at once; a ball in a hand waits to be turned."),
    (Motion.SetVectorDriveLimit.id, "", "The limit is stored, but has no effect: no document states one."),
    (Factory.SetCreationDate.id, "", "The date is stored until the simulator ends."),
    (Factory.ReenableDemoMode.id, "", "The command has no effect, as since firmware 0.99."),
    (Sensing.GetTemperature.id, "", "The motors warm the robot by an assumed amount."),
    (Factory.GetSKU.id, "", "The response is always 300S."),
    (
      Settings.SetPermanentOptions.id, "",
      "The bits for self-level, demo mode and double tap are stored, but have no effect."
    ),
    (Settings.SetDeviceMode.id, "", "The mode is stored; user hack mode has no shell."),
    (SpheroProtocol.Configuration.SetConfigurationBlock.id, "", "The block can be read, but has no effect."),
    (Soul.SetSSBModifier.id, "", "The block has no effect."),
    (Soul.SetSSB.id, "", "The block is stored until the simulator ends."),
    (nil, "system macros", "There are none."),
    (nil, "flash", "The contents of flash last until the simulator ends."),
    (nil, "Bluetooth", "There is no radio and no pairing; a connection is open at once."),
    (
      nil, "battery",
      "The voltage is linear in the charge, 6.4 V to 8.4 V (6.5 V to 7.8 V for BB-8 and SPRK+); "
        + "a robot that is awake drains the battery in six hours."
    ),
    (nil, "magnetometer", "There is none: heading 0 is the direction of the nose at the start."),
    (nil, "orbBasic", "All documented statements and variables run, 3125 lines a second."),
    (
      nil, "stream",
      "A stream ends with its client; with stream=continues it continues for the next one, as on a robot."
    ),
    (
      nil, "locator",
      "It measures every push; with locator=backward it misses forward pushes after a drive, as on an Ollie. "
        + "On an Ollie, x points ahead and y left."
    ),
    (nil, "body", "The ball rolls, slips, bounces and leans; it does not jump, tip over or swim."),
  ]

  /// The generated tables by their names.
  private static let tables: [(name: String, text: String)] = {
    func forms(_ head: String, _ rows: [(form: String, text: String)]) -> String {
      table([head, "what it does"], rows.map { ["`\($0.form)`", $0.text] })
    }
    let count = SimulatorOptions.settings.count
    let commands = Commands.all.map { id, name in
      let cells = Profile.all.map { profile in
        if id.device == 0x01 { return "in the bootloader" }
        return refusal(of: id, by: profile).map { "refused: \(hexadecimal($0))" } ?? "yes"
      }
      return ["\(id)", "`\(name)`"] + cells + [differences.first { $0.command == id }?.text ?? ""]
    }
    return [
      ("options", forms("option", Array(SimulatorOptions.help.prefix(count)))),
      ("faults", forms("fault", Array(SimulatorOptions.help.dropFirst(count)))),
      ("floor", forms("line", Floor.help.map { ($0.key, $0.value) })),
      ("script", forms("action", HandScript.help.map { ($0.key, $0.value) })),
      (
        "differences",
        table(
          ["what", "how it differs"], differences.filter { $0.command == nil }.map { [$0.subject, $0.text] })
      ),
      (
        "commands", table(["command", "name"] + Profile.all.map(\.name) + ["differs from a robot"], commands)
      ),
    ]
  }()

  /// The status with which a robot refuses a command whatever its parameters are; nil if it can execute it.
  private static func refusal(of command: CommandID, by profile: Profile) -> Status? {
    var configuration = RobotModel.Configuration()
    configuration.profile = profile
    var robot = RobotModel(configuration)
    robot.connect(at: .zero)
    let packet = Packet.command(CommandPacket(id: command, sequence: 1, payload: []))
    robot.receive((try? packet.encoded()) ?? [], at: .zero)
    var decoder = PacketDecoder(from: .robot)
    for piece in robot.takeOutput() { decoder.append(piece.bytes) }
    guard case .response(let response)? = decoder.next() else { return nil }
    return [.unknownDevice, .unknownCommand, .unsupported].contains(response.status) ? response.status : nil
  }

  @Test func differencesAreThoseOfCommandsThatThereAre() {
    let commands = Self.differences.compactMap(\.command)
    #expect(Set(commands).isSubset(of: Commands.all.map(\.id)) && Set(commands).count == commands.count)
    #expect(Self.differences.allSatisfy { ($0.command == nil) != $0.subject.isEmpty && !$0.text.isEmpty })
  }

  @Test func theTablesAreUpToDate() throws {
    try check(Self.tables, of: "Docs/Simulator.md")
    func row(_ form: String, _ meaning: String) -> [String] {
      ["`\(form)`", meaning.replacing(/'([^']+)'/) { "`\($0.1)`" }]
    }
    let statements = OrbBasicStatement.help.map { row($0.key, $0.value) }
    let values = OrbBasicStatement.values.map { row($0.key, $0.value) }
    let tables = [
      ("statements", Self.table(["statement", "effect"], statements)),
      ("values", Self.table(["value", "meaning"], values)),
    ]
    try check(tables, of: "Docs/Programs.md")
  }

  private func check(_ tables: [(String, String)], of page: String) throws {
    let url = Self.root.appending(path: page)
    let page = try String(contentsOf: url, encoding: .utf8)
    var renewed = page
    for (name, text) in tables {
      let (begin, end) = ("<!-- \(name): made by SimulatorPageTests -->\n", "<!-- end of \(name) -->")
      let first = try #require(renewed.range(of: begin), "\(name)")
      let last = try #require(renewed.range(of: end, range: first.upperBound..<renewed.endIndex), "\(name)")
      renewed.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n\(text)\n")
    }
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      try renewed.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == renewed)
  }

  @Test func theReadmeCountsTheCommands() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("all \(Commands.all.count) commands of API 1.50"))
    for kind in Profile.all { #expect(readme.contains("`\(kind.name)`"), "\(kind.name)") }
  }
}
