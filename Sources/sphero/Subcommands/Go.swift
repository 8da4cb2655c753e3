// sphero go, follow and turn: motions that end when the robot reports the goal.

import SpheroControls
import SpheroOrientation
import SpheroSession

struct RollOptions: Sendable {
  var isAbsolute = false
  /// In centimetres, the resolution of the locator.
  var tolerance = 3
  var speed = 120
  var limit: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.flag(
      "absolute", nil, &isAbsolute, "Measure from the locator's origin instead of from the ball.")
    try line.option(
      "within", nil, &tolerance, as: .range(1...1_000),
      "How many centimetres from the goal the ball may stop.")
    try line.option(
      "speed", "s", &speed, as: .range(1...255), "The highest speed; 255 is full speed, about 2 m/s.")
    try line.option(
      "limit", nil, &limit, "Give up after this time; by default, one that suits distance and speed.")
  }

  /// Rolls along a path and reports the end.
  func follow(_ path: FloorPath, _ connection: Connection, _ terminal: Terminal) async throws {
    let motion = try await connection.withRobot { robot in
      try await robot.follow(
        path, isRelative: !isAbsolute, tolerance: Double(tolerance), speed: Double(speed) / 255,
        timeLimit: limit)
    }
    let (place, error) = (motion.end.position, Int(motion.error.rounded()))
    await terminal.note(
      "arrived in \(motion.duration.tenths) s at \(place.description), \(error) cm from the goal", connection)
  }
}

struct Go: Subcommand {
  static let name = "go"
  static let abstract = "Rolls to a place and stops there, by the robot's locator."
  static let group = VerbGroup.move
  static let examples = [
    "sphero go 100 50", "sphero go 0 0 --absolute", "sphero go -30 200 --speed 60 --within 5",
  ]

  var connection = Connection()
  var x = 0
  var y = 0
  var rolling = RollOptions()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "x", &x, as: .range(-32_000...32_000), "Centimetres to the right, on the axes of the locator.")
    try line.argument(
      "y", &y, as: .range(-32_000...32_000), "Centimetres ahead, on the axes of the locator.")
    try rolling.options(&line)
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    guard let path = FloorPath([Position(x: Double(x), y: Double(y))]) else { return }
    try await rolling.follow(path, connection, terminal)
  }
}

struct Follow: Subcommand {
  static let name = "follow"
  static let abstract = "Rolls along the path in a file, by the robot's locator."
  static let group = VerbGroup.move
  static let examples = ["sphero follow square.path", "seq 0 10 200 | sed 's/^/0 /' | sphero follow -"]

  var connection = Connection()
  var file = ""
  var rolling = RollOptions()

  /// The maximum size of a file in bytes: the maximum number of lines, with 40 bytes each.
  private static let maximumBytes = 4_000_000

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument(
      "file", &file, as: .file,
      "A line for each place, x and y in centimetres; # begins a comment. - is stdin.")
    try rolling.options(&line)
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try await rolling.follow(try await path(), connection, terminal)
  }

  private func path() async throws -> FloorPath {
    let text = try await TextFile(
      file, atMost: Self.maximumBytes, advice: "Leave out places that lie close together.")
    do throws(TextLineError) { return try FloorPath(parsing: text.text) } catch {
      throw Failure(
        .badData, "\(text.name): \(error.description)", advice: "See 'sphero follow --help' for the form.")
    }
  }
}

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
