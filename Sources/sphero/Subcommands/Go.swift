// sphero go and sphero follow: to a place and along a path, by the robot's locator.

import SpheroControls
import SpheroOrientation
import SpheroSession
import SpheroTransport

/// How a ball is to roll to its goal.
struct Rolling: Sendable {
  var isAbsolute = false
  var tolerance: Whole<RollTolerance> = 3
  var speed: Whole<PositiveByte> = 120
  var limit: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.flag(
      "absolute", nil, &isAbsolute, "Measure from the locator's origin instead of from the ball.")
    try line.option("within", nil, &tolerance, "How many centimetres from the goal the ball may stop.")
    try line.option("speed", "s", &speed, "The highest speed; 255 is full speed, about 2 m/s.")
    try line.option(
      "limit", nil, &limit, "Give up after this time; by default, one that suits distance and speed.")
  }

  /// Rolls along a path, and reports where that ended.
  func follow(_ path: FloorPath, _ connection: Connection, _ terminal: Terminal) async throws {
    let motion = try await connection.withRobot { robot in
      try await robot.follow(
        path, isRelative: !isAbsolute, tolerance: Double(tolerance.value), speed: Double(speed.value) / 255,
        timeLimit: limit)
    }
    let (place, error) = (motion.end.position, Int(motion.error.rounded()))
    await terminal.note(
      "arrived in \(motion.duration.tenths) s at \(place.description), \(error) cm from the goal", connection)
  }
}

/// How far from its goal a ball may stop: locators count whole centimetres.
enum RollTolerance: Limits { static let range = 1...1_000 }
/// A coordinate in centimetres that the locator can count.
enum Centimetres: Limits { static let range = -32_000...32_000 }

struct Go: Subcommand {
  static let name = "go"
  static let abstract = "Rolls to a place and stops there, by the robot's locator."
  static let group = VerbGroup.move
  static let examples = [
    "sphero go 100 50", "sphero go 0 0 --absolute", "sphero go -30 200 --speed 60 --within 5",
  ]

  var connection = Connection()
  var x: Whole<Centimetres> = 0
  var y: Whole<Centimetres> = 0
  var rolling = Rolling()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument("x", &x, "Centimetres to the right, on the axes of the locator.")
    try line.argument("y", &y, "Centimetres ahead, on the axes of the locator.")
    try rolling.options(&line)
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    guard let path = FloorPath([Position(x: Double(x.value), y: Double(y.value))]) else { return }
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
  var rolling = Rolling()

  /// What a file may hold, in bytes: a text with the most lines, each of some length.
  private static let mostBytes = 4_000_000

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
      file, atMost: Self.mostBytes, advice: "Leave out places that lie close together.")
    do throws(TextLineError) { return try FloorPath(parsing: text.text) } catch {
      throw Failure(
        .badData, "\(text.name): \(error.description)", advice: "See 'sphero follow --help' for the form.")
    }
  }
}
