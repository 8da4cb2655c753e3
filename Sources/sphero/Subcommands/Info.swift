// sphero info: identity, versions, battery and options of the robot.

import SpheroProtocol
import SpheroSession

struct Info: Subcommand {
  static let name = "info"
  static let abstract = "Shows name, versions, battery and options."
  static let group = SubcommandGroup.look
  static let otherNames = ["status", "battery", "wake"]
  static let examples = ["sphero info", "sphero info --format json"]

  var connection = Connection()
  var format = Format.text

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("format", "f", &format, "How to print.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    var answers = Answers()
    try await connection.withRobot { robot in
      answers.bluetooth = try await answer(to: Core.GetBluetoothInfo(), of: robot, terminal)
      answers.power = try await answer(to: Core.GetPowerState(), of: robot, terminal)
      answers.permanent = try await answer(to: Settings.GetPermanentOptions(), of: robot, terminal)
      answers.temporary = try await answer(to: Settings.GetTemporaryOptions(), of: robot, terminal)
      answers.version = try await answer(to: Core.GetVersioning(), of: robot, terminal)
      // Without any answer there is nothing to show: the refusal is an error.
      if answers.isEmpty { answers.version = try await robot.send(Core.GetVersioning()) }
    }
    try await terminal.print(Sheet.text(answers.fields, kind: Self.name, format))
  }

  /// Returns nil if the robot refuses the command, and after a remark for a malformed answer.
  private func answer<C: Command>(to command: C, of robot: Robot, _ terminal: Terminal) async throws -> C
    .Response?
  {
    do { return try await robot.known(command) } catch let error as SessionError where error.isMalformed {
      await terminal.note(error.message, connection)
      return nil
    }
  }

  struct Answers {
    var version: Core.GetVersioning.Response?
    var bluetooth: Core.GetBluetoothInfo.Response?
    var power: Core.GetPowerState.Response?
    var permanent: Settings.GetPermanentOptions.Response?
    var temporary: Settings.GetTemporaryOptions.Response?

    var isEmpty: Bool {
      version == nil && bluetooth == nil && power == nil && permanent == nil && temporary == nil
    }

    var fields: [Field] {
      [
        Field("robot", .text(bluetooth?.name.description)),
        Field("address", .text(bluetooth?.address.description)),
        Field("colors", .text(bluetooth?.colors.description)),
        Field("model", .code(version?.model)),
        Field("hardware", .count, counts: version.map { Int64($0.hardware) }),
        Field("firmware", .text(version.map { "\($0.mainAppVersion).\($0.mainAppRevision)" })),
        Field("bootloader", .text(version.map { "\($0.bootloader >> 4).\($0.bootloader & 0x0F)" })),
        Field(
          "api", .text(version?.apiMajor.flatMap { major in version?.apiMinor.map { "\(major).\($0)" } })),
        Field("power", .code(power?.state)),
        Field("voltage", .centivolts, counts: power.map { Int64($0.centivolts) }),
        Field("charges", .count, counts: power.map { Int64($0.charges) }),
        Field("permanent_options", .code(permanent?.flags)),
        Field("temporary_options", .code(temporary?.flags)),
      ]
    }
  }
}
