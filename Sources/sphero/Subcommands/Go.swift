// sphero go and sphero follow: roll to a place or along a path by the robot's locator.

import SpheroControls
import SpheroOrientation
import SpheroSession

/// The options of both commands.
struct Rolling: Sendable {
  var isAbsolute = false
  /// In centimetres, which locators count as whole numbers.
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
  var rolling = Rolling()

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
  var rolling = Rolling()

  /// The maximum size of a file: the maximum number of lines, each of some length.
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
