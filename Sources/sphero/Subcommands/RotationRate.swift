// sphero rotation-rate: how fast a rolling robot turns to a new heading.

import SpheroOrientation
import SpheroProtocol
import SpheroSession

struct RotationRate: Subcommand {
  static let name = "rotation-rate"
  static let abstract = "Sets how fast a rolling robot turns to a new heading, until it sleeps."
  static let group = VerbGroup.move
  static let otherNames = ["rate", "turn-rate", "rotation"]
  static let examples = ["sphero rotation-rate 120", "sphero rotation-rate 157 --port /dev/rfcomm0"]

  /// Count 254, in degrees per second: the fastest rate below the maximum.
  private static let fastest = 199.1
  /// Count 255, in degrees per second.
  private static let maximum = 400.0

  var mayMove: Bool { false }
  var connection = Connection(takesSeveral: true)
  var rate = 157.0

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "rate", &rate, as: .decimal(1...Self.maximum, placeholder: "rate"),
      "Degrees per second up to 199.1, rounded to steps of 0.784, or 400, the maximum; 157 is the factory setting. "
        + "Turning in place has a rate of its own.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    try connection.validate()
    guard rate > Self.fastest, rate < Self.maximum else { return }
    throw UsageError(
      "no robot turns at \(rate.shortText) degrees/s", advice: "Choose 1...199.1, or 400, the maximum.")
  }

  var command: Motion.SetRotationRate {
    var command = Motion.SetRotationRate()
    command.turnPerSecond = .degrees(rate)
    return command
  }

  func run(_ terminal: Terminal) async throws {
    let command = command
    try await connection.forEachRobot(terminal) { connection in
      _ = try await connection.withRobot { robot in try await robot.send(command) }
      let actual = command.rate == .max ? Self.maximum : command.turnPerSecond.degrees
      await terminal.announce("the robot turns at \(Decimal.text(actual, digits: 1)) degrees/s", connection)
    }
  }
}
