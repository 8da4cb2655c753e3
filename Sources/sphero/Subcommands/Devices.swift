// sphero devices: the ports where robots may be.

import SpheroBluetooth
import SpheroProcess
import SpheroProtocol
import SpheroSerial
import SpheroTransport

struct Devices: Subcommand {
  static let name = "devices"
  static let abstract = "Lists where robots may be; opens nothing."
  static let group = SubcommandGroup.start
  static let otherNames = ["list", "ls", "ports", "scan", "discover", "pair", "connect"]
  static let examples = ["sphero devices", "sphero devices --format json"]

  var format = Format.text

  static let columns = [Column("port"), Column("accessible"), Column("name"), Column("source")]

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("format", "f", &format, "How to print.")
  }

  private struct Candidate {
    var port: String
    /// nil if only opening the port can show it.
    var isAccessible: Bool?
    var name: String?
    var source: String
  }

  /// The ports where robots may be; none if the list cannot be read.
  static func ports() async -> [String] { ((try? await candidates { _ in }) ?? []).map(\.port) }

  /// `note` receives remarks about ports that are not listed.
  private static func candidates(note: (String) async -> Void) async throws -> [Candidate] {
    var candidates: [Candidate] = []
    if let text = ProcessContext.environment("SPHERO_PORT") {
      do throws(PortError) {
        let port = try Port(parsing: text)
        let isFile = port.kind == .device
        let isAccessible = isFile ? SerialDevice.mayOpen(text) : nil
        candidates.append(Candidate(port: text, isAccessible: isAccessible, source: "environment"))
      } catch { await note("$SPHERO_PORT: \(error.message). \(error.advice)") }
    }
    for file in SerialDevice.candidates() where !candidates.contains(where: { $0.port == file.path }) {
      candidates.append(Candidate(port: file.path, isAccessible: file.mayOpen, source: "file"))
    }
    let paired = try await robots(["devices", "Paired"])
    // A robot with Bluetooth LE is not paired; bluetoothctl knows it from a scan.
    let seen = try await robots(["devices"]).filter { $0.advertised != nil && !paired.contains($0) }
    for robot in paired + seen {
      if let port = robot.port {
        if let index = candidates.firstIndex(where: { (try? Port(parsing: $0.port)) == port }) {
          candidates[index].name = robot.name
          continue
        }
        let source = paired.contains(robot) ? "paired" : "scan"
        candidates.append(Candidate(port: "\(port)", name: robot.name, source: source))
      } else if case .laterProtocol(let model) = robot.advertised {
        await note("\(robot.name) (\(robot.address)) is a \(model), whose protocol sphero does not support")
      }
    }
    return candidates
  }

  func run(_ terminal: Terminal) async throws {
    let candidates = try await Self.candidates { await terminal.note($0, isQuiet: false) }
    var records = RecordPrinter(format, kind: "device", columns: Self.columns)
    if format == .csv { try await terminal.print(records.headerLine()) }
    for candidate in candidates {
      let access = candidate.isAccessible.map { FieldValue.flag($0) } ?? .missing
      try await terminal.print(
        records.text([.text(candidate.port), access, .text(candidate.name), .text(candidate.source)]))
    }
    guard candidates.isEmpty else { return }
    await terminal.note("no robot found; to pair one:", isQuiet: false)
    for step in PairingSteps.here { await terminal.note("  " + step, isQuiet: false) }
  }

  private static func robots(_ words: [String]) async throws -> [PairedRobot] {
    PairedRobot.robots(in: try await HelperProgram.bluetoothctl(words) ?? "")
  }
}

enum PairingSteps {
  static var here: [String] {
    #if os(Linux)
      let steps = linux
    #else
      let steps = mac
    #endif
    return steps + ["Without a robot: sphero ping --port sim:"]
  }

  static let linux = [
    "1. Shake the robot awake; disconnect it from phones that are near.",
    "2. bluetoothctl scan on, until it lists 'Sphero' with an address",
    "3. bluetoothctl pair ADDRESS, with the PIN 0000 where it asks for one",
    "4. bluetoothctl trust ADDRESS, so that it connects without a question",
    "5. sphero ping --port ADDRESS, or export SPHERO_PORT=ADDRESS for all commands",
    "An Ollie, BB-8 or SPRK+ needs no pairing: bluetoothctl --timeout 5 scan le, then sphero devices",
    "A device file for other programs, until the next restart of the computer:",
    "   sudo rfcomm bind 0 ADDRESS 1 makes /dev/rfcomm0",
  ]

  static let mac = [
    "1. Shake the robot awake; disconnect it from phones that are near.",
    "2. Pair it in System Settings, with the PIN 0000 where it asks for one.",
    "3. Its device file is like /dev/cu.Sphero-RGB-AMP-SPP; 'sphero devices' lists it.",
  ]
}
