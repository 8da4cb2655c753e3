// sphero go and turn: motions that end when the robot reports the goal.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession

struct Go: Subcommand {
  static let name = "go"
  static let abstract = "Rolls to a place, or along a path."
  static let group = SubcommandGroup.move
  static let otherNames = ["follow", "goto"]
  static let examples = [
    "sphero go 100 50", "sphero go 0 0 --absolute", "sphero go -30 80 --speed 60 --within 5",
    "sphero go --path square.path", "seq 0 10 80 | sed 's/^/0 /' | sphero go --path -",
  ]

  var connection = Connection()
  var x: Int?
  var y: Int?
  var file: String?
  var isAbsolute = false
  /// In centimetres.
  var tolerance = 3
  var speed = SpeedArgument(120)
  var limit: Duration?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "x", &x, as: .range(-32_000...32_000, unit: .centimetres),
      "Centimetres to the right, on the axes of the locator.")
    try line.argument(
      "y", &y, as: .range(-32_000...32_000, unit: .centimetres),
      "Centimetres ahead, on the axes of the locator.")
    try line.option(
      "path", nil, &file, as: .file,
      "Roll along the places in this file instead: a line for each, x and y in centimetres; # begins a comment. "
        + "- is stdin.")
    try line.flag(
      "absolute", nil, &isAbsolute, "Measure from the locator's origin instead of from the ball.")
    try line.option(
      "within", nil, &tolerance, as: .range(1...1_000, unit: .centimetres),
      "How many centimetres from the goal the ball may stop.")
    try line.option(
      "speed", "s", &speed, "The highest speed, not 0; 1...9 count as 10, and 255 is full speed, about 2 m/s."
    )
    try line.option(
      "for", "t", &limit, "Give up after this time; by default, one that suits distance and speed.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    try speed.requireMotion()
    if file != nil, x != nil { throw UsageError("'--path' and <x> <y> both name places: choose one") }
    guard file == nil, x == nil || y == nil else { return }
    throw UsageError("<\(x == nil ? "x" : "y")> is missing: name a place by <x> <y>, or a file by '--path'")
  }

  func run(_ terminal: Terminal) async throws {
    let place = x.flatMap { x in y.map { Position(x: Double(x), y: Double($0)) } }
    let path: FloorPath? =
      if let file { try await self.path(in: file) } else { place.flatMap { FloorPath([$0]) } }
    guard let path else { return }
    let motion = try await connection.withRobot { robot in
      try await MovingRobots.complete(of: robot) {
        try await robot.follow(
          path, isRelative: !isAbsolute, tolerance: Double(tolerance), speed: speed.fraction,
          timeLimit: limit)
      }
    }
    let (end, error) = (motion.end.position, Int(motion.error.rounded()))
    await terminal.note(
      "arrived in \(motion.duration.text(digits: 1)) s at \(end.description), \(error) cm from the goal",
      connection)
  }

  private func path(in file: String) async throws -> FloorPath {
    // The maximum number of lines, with 40 bytes each.
    let text = try await TextFile(
      file, atMost: 4_000_000, advice: "Leave out places that lie close together.")
    do throws(TextLineError) { return try FloorPath(parsing: text.text) } catch {
      throw Failure(
        .badData, "\(text.name): \(error.description)", advice: "See 'sphero go --help' for the form.")
    }
  }
}

struct Turn: Subcommand {
  static let name = "turn"
  static let abstract = "Turns in place by an angle or to a heading."
  static let group = SubcommandGroup.move
  static let otherNames = ["rotate", "spin", "rotation-rate"]
  static let examples = [
    "sphero turn 90", "sphero turn -720 --for 30s", "sphero turn --to 0", "sphero turn --rate 120",
  ]

  /// The fastest rate below the maximum in degrees per second: 254 steps of 0.784.
  private static let fastestRate = 199.1
  private static let maximumRate = 400.0

  var connection = Connection()
  var angle: Int?
  var heading: Heading?
  /// In degrees.
  var tolerance = 1
  var limit: Duration?
  var rate: Double?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument(
      "angle", &angle, as: .range(-36_000...36_000, unit: .degrees),
      "Degrees to turn by, clockwise; more than a turn is possible. The command ends when the robot reports the goal."
    )
    try line.option(
      "to", nil, &heading, "Turn to this heading instead, the shorter way: degrees from the aim.")
    try line.option(
      "within", nil, &tolerance, as: .range(1...90, unit: .degrees),
      "How many degrees from the goal the turn may end.")
    try line.option("for", "t", &limit, "Give up after this time; by default, one that suits the angle.")
    try line.option(
      "rate", nil, &rate, as: .decimal(1...Self.maximumRate, placeholder: "rate", unit: .degreesPerSecond),
      "Set how fast a rolling robot turns to a new heading, until it sleeps: degrees per second up to 199.1, in steps "
        + "of 0.784, or 400, the maximum; 157 is the factory setting. Alone, it turns nothing.")
    try connection.options(&line)
  }

  private var turns: Bool { angle != nil || heading != nil }
  var mayMove: Bool { turns }

  func validate() throws(UsageError) {
    if angle != nil, heading != nil {
      throw UsageError("<angle> turns by degrees and '--to' turns to a heading: choose one")
    }
    guard turns || rate != nil else {
      throw UsageError("<angle> is missing: the degrees to turn by; or name a heading with '--to'")
    }
    if !turns, limit != nil || tolerance != 1 {
      throw UsageError("'--for' and '--within' are for a turn, but '--rate' alone turns nothing")
    }
    guard let rate, rate > Self.fastestRate, rate < Self.maximumRate else { return }
    throw UsageError(
      "no robot turns at \(rate.shortText) degrees/s", advice: "Choose 1...199.1, or 400, the maximum.")
  }

  var rateCommand: Motion.SetRotationRate? {
    rate.map { rate in
      var command = Motion.SetRotationRate()
      command.turnPerSecond = .degrees(rate)
      return command
    }
  }

  func run(_ terminal: Terminal) async throws {
    let tolerance = Angle.degrees(Double(tolerance))
    let motion: GuidedMotion? = try await connection.withRobot { robot in
      if let rateCommand {
        _ = try await robot.send(rateCommand)
        let actual = rateCommand.turnPerSecond.degrees
        await terminal.announce(
          "the robot turns at \(Decimal.text(actual, digits: 1)) degrees/s while it rolls", connection)
      }
      return try await MovingRobots.complete(of: robot) {
        if let heading {
          // 12 s is the default of `Robot.turn(to:)`.
          return try await robot.turn(to: heading, tolerance: tolerance, timeLimit: limit ?? .seconds(12))
        }
        guard let angle else { return nil }
        return try await robot.turn(by: .degrees(Double(angle)), tolerance: tolerance, timeLimit: limit)
      }
    }
    guard let motion else { return }
    await terminal.note(
      "turned in \(motion.duration.text(digits: 1)) s; heading \(motion.end.heading.wholeDegrees)", connection
    )
  }
}
