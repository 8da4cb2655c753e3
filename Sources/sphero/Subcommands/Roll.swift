// sphero roll, sphero stop and sphero sleep.

import SpheroOrientation
import SpheroSerial
import SpheroSession

struct Roll: Subcommand {
  static let name = "roll"
  static let abstract = "Rolls on a heading for a while, then stops."
  static let defaultTime = Duration.seconds(1)
  static let group = SubcommandGroup.move
  static let examples = [
    "sphero roll 90 --speed 120 --for 2s", "sphero roll 270 --keep",
    "sphero roll 0 --port /dev/rfcomm0 --port /dev/rfcomm1",
  ]

  var connection = Connection()
  var heading = Heading.ahead
  var speed = SpeedArgument(80)
  var time: Duration?
  var keepsRolling = false

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.argument("heading", &heading, "Degrees clockwise from the aim: 90 is to the right.")
    try line.option("speed", "s", &speed, "255 is full speed, about 2 m/s.")
    try line.option("for", "t", &time, "How long to roll; without it, for 1 s.")
    try line.flag(
      "keep", "k", &keepsRolling,
      "Keep rolling until 'sphero stop'; a robot whose motion timeouts are on stops after at most 65 s.")
    try line.conflict("keep", "for", "a ball that keeps rolling has no time to stop")
    try connection.options(&line, takesSeveral: true)
    try line.conflict("keep", "sleep", "a robot that sleeps does not roll")
  }

  func validate() throws(UsageError) {
    if keepsRolling, connection.session != nil {
      throw UsageError("a run stops the ball at its end", advice: "Leave '--keep' out of the line.")
    }
  }

  func run(_ terminal: Terminal) async throws {
    let speed = speed.fraction
    // In a run without '--for', the ball rolls until another command moves or stops it, or the watchdog.
    if let session = connection.session, time == nil { return try await session.drive(heading, speed) }
    let time = keepsRolling ? nil : time ?? Self.defaultTime
    try await connection.forEachRobot(terminal) { connection in
      try await connection.withRobot { robot in
        await terminal.announce(announcement(time), connection)
        if let time {
          return try await MovingRobots.complete(of: robot) {
            try await robot.roll(heading, speed: speed, for: time)
          }
        }
        await robot.keepRolling()
        try await robot.roll(heading, speed: speed)
      }
    }
  }

  func announcement(_ time: Duration?) -> String {
    let motion = "rolling at speed \(speed.count) on heading \(heading.wholeDegrees)"
    guard let text = time?.argumentText else { return motion + "; 'sphero stop' stops it" }
    return "\(motion) for \(text); Ctrl-C stops it"
  }
}

struct Stop: Subcommand {
  static let name = "stop"
  static let abstract = "Stops the robot; ends a sphero that holds it."
  static let group = SubcommandGroup.move
  static let otherNames = ["halt", "brake", "abort"]
  static let examples = ["sphero stop", "sphero stop --port /dev/rfcomm0 --port /dev/rfcomm1"]
  static let sections: KeyValuePairs<String, HelpTable> = [
    "programs": [
      "in the robot": "A macro and an orbBasic program are aborted, whichever sphero started them."
    ],
    "another sphero": [
      "same computer": "It is ended first, if it runs as the same user.",
      "other computer": "It keeps the robot: end it with Ctrl-C, which stops the ball.",
    ],
  ]

  var connection = Connection()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try connection.options(&line, takesSeveral: true)
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.forEachRobot(terminal) { connection in
      // Usually, another `sphero` that makes the ball roll has the port open.
      try await connection.withRobot(
        takeover: Takeover(from: "sphero"), adjust: { $0.stopsWhileConnecting = true }
      ) { robot in
        try await robot.abortPrograms()
      }
    }
  }
}

struct Sleep: Subcommand {
  static let name = "sleep"
  static let abstract = "Puts the robot to sleep."
  static let group = SubcommandGroup.move
  static let otherNames = ["off", "shutdown"]
  static let examples = ["sphero sleep", "sphero sleep --for 30s"]

  var mayMove: Bool { false }
  var connection = Connection()
  var time: Duration?

  /// On the wire, 0 s sleeps until a shake, and FFFFh is deep sleep, from which some robots do not wake.
  private static let timeKind = ValueKind(
    placeholder: "time", allowed: "1s...65534s in whole seconds, like 30s or 2min"
  ) { word in
    guard let time = Duration(argument: word)?.components else { return false }
    return time.attoseconds == 0 && (1..<65_535).contains(time.seconds)
  }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "for", "t", &time, as: Self.timeKind, "Wake up after this time; without it, when shaken.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.withRobot { try await $0.sleep(wakeAfter: time) }
  }
}
