// sphero info: what the robot says about itself.

import SpheroProtocol
import SpheroSession

struct Info: Subcommand {
  static let name = "info"
  static let abstract = "Shows name, address, versions, battery and options of the robot."
  static let examples = ["sphero info", "sphero info --format json"]

  var connection = Connection()
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    var cells: [Cell] = []
    try await connection.withRobot { robot in
      let version = try await robot.send(Core.GetVersioning())
      let bluetooth = try await known(Core.GetBluetoothInfo(), by: robot)
      let power = try await known(Core.GetPowerState(), by: robot)
      let permanent = try await known(Settings.GetPermanentOptions(), by: robot)
      let temporary = try await known(Settings.GetTemporaryOptions(), by: robot)
      cells = [
        text("name", bluetooth?.name.description), text("address", bluetooth?.address.description),
        text("colors", bluetooth?.colors.description), text("model", version.model.name),
        Cell(name: "hardware", value: .integer(Int(version.hardware))),
        text("firmware", "\(version.mainAppVersion).\(version.mainAppRevision)"),
        text("bootloader", "\(version.bootloader >> 4).\(version.bootloader & 0x0F)"),
        text("api", version.apiMajor.flatMap { major in version.apiMinor.map { "\(major).\($0)" } }),
        text("power", power?.state.name),
        Cell(
          name: "voltage", unit: "V",
          value: power.map { .number(Double($0.voltage) * Quantity.centivolts.unit.perCount, digits: 2) }
            ?? .missing),
        Cell(name: "charges", value: power.map { .integer(Int($0.charges)) } ?? .missing),
        text("permanent_options", permanent?.flags.name), text("temporary_options", temporary?.flags.name),
      ]
    }
    for line in Sheet.lines(cells, format) { try await terminal.print(line) }
  }

  private func text(_ name: String, _ value: String?) -> Cell {
    Cell(name: name, value: value.map { .text($0) } ?? .missing)
  }

  /// The answer, or nil where the robot's firmware does not know the question.
  private func known<C: Command>(_ command: C, by robot: Robot) async throws -> C.Response? {
    do { return try await robot.send(command) } catch let error as SessionError where error.code == .refused {
      return nil
    }
  }
}
