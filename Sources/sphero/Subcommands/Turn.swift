// sphero turn: turns in place until the robot reports the target heading.

import SpheroControls
import SpheroOrientation
import SpheroSession

struct Turn: Subcommand {
  static let name = "turn"
  static let abstract =
    "Turns in place by an angle or to a heading, until the robot reports that it is there."
  static let group = VerbGroup.move
  static let examples = ["sphero turn 90", "sphero turn -720 --limit 30s", "sphero turn --to 0"]

  var connection = Connection()
  var angle: Int?
  var heading: Heading?
  /// In degrees, which robots report as whole numbers.
  var tolerance = 1
  var limit: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "angle", &angle, as: .range(-36_000...36_000),
      "Degrees to turn by, clockwise; more than a turn is possible.")
    try line.option(
      "to", nil, &heading, "Turn to this heading instead, the shorter way: degrees from the aim.")
    try line.option(
      "within", nil, &tolerance, as: .range(1...90), "How many degrees from the goal the turn may end.")
    try line.option("limit", nil, &limit, "Give up after this time; by default, one that suits the angle.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    if angle == nil, heading == nil {
      throw UsageError("<angle> is missing: the degrees to turn by; or name a heading with '--to'")
    }
    if angle != nil, heading != nil {
      throw UsageError("<angle> turns by degrees and '--to' turns to a heading: choose one")
    }
  }

  func run(_ terminal: Terminal) async throws {
    let tolerance = Angle.degrees(Double(tolerance))
    let motion = try await connection.withRobot { robot in
      if let heading {
        return try await robot.turn(to: heading, tolerance: tolerance, timeLimit: limit ?? .seconds(12))
      }
      return try await robot.turn(
        by: .degrees(Double(angle ?? 0)), tolerance: tolerance, timeLimit: limit)
    }
    await terminal.note(
      "turned in \(motion.duration.tenths) s; heading \(motion.end.heading.wholeDegrees)", connection)
  }
}

extension Duration {
  /// The seconds with one decimal.
  var tenths: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
