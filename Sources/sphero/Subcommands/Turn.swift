// sphero turn: a turn in place that ends where it was meant to.

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
  var angle: Whole<Turns>?
  var heading: Whole<Degrees>?
  var tolerance: Whole<TurnTolerance> = 1
  var limit: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument("angle", &angle, "Degrees to turn by, clockwise; more than a turn is possible.")
    try line.option(
      "to", nil, &heading, "Turn to this heading instead, the shorter way: degrees from the aim.")
    try line.option("within", nil, &tolerance, "How many degrees from the goal the turn may end.")
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
    let tolerance = Angle.degrees(Double(tolerance.value))
    let motion = try await connection.withRobot { robot in
      if let heading {
        let goal = Heading(degrees: Double(heading.value)) ?? .ahead
        return try await robot.turn(to: goal, tolerance: tolerance, timeLimit: limit ?? .seconds(12))
      }
      return try await robot.turn(
        by: .degrees(Double(angle?.value ?? 0)), tolerance: tolerance, timeLimit: limit)
    }
    await terminal.note(
      "turned in \(motion.duration.tenths) s; heading \(motion.end.heading.wholeDegrees)", connection)
  }
}

/// Whole degrees to turn by: a hundred turns either way.
enum Turns: Limits { static let range = -36_000...36_000 }
/// How far from its goal a turn may end: robots report whole degrees.
enum TurnTolerance: Limits { static let range = 1...90 }

extension Duration {
  /// Seconds with one decimal, for people.
  var tenths: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
