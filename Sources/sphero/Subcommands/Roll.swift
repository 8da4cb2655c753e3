// sphero roll and sphero stop.

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
    // In a run without '--for', the ball rolls until the next line or the watchdog stops it.
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

  /// The note before the motion; `time` is nil if the ball keeps rolling.
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
  static let sections = [
    (
      title: "programs",
      rows: [
        (
          name: "in the robot",
          meaning: "A macro and an orbBasic program are aborted, whichever sphero started them."
        )
      ]
    ),
    (
      title: "another sphero",
      rows: [
        (name: "same computer", meaning: "It is ended first, if it runs as the same user."),
        (name: "other computer", meaning: "It keeps the robot: end it with Ctrl-C, which stops the ball."),
      ]
    ),
  ]

  var connection = Connection()

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try connection.options(&line, takesSeveral: true)
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.forEachRobot(terminal) { connection in
      // Usually, another `sphero` that makes the ball roll has the port open.
      try await connection.withRobot(takeover: Takeover(from: "sphero")) { robot in
        try await robot.abortPrograms()
      }
    }
  }
}
