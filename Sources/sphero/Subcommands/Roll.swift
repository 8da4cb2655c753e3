// sphero roll and sphero stop.

import SpheroProtocol
import SpheroSerial
import SpheroSession
import SpheroTransport

struct Roll: Subcommand {
  static let name = "roll"
  static let abstract = "Rolls on a heading for a while, then stops."
  static let examples = ["sphero roll 90 --speed 120 --for 2s", "sphero roll 270 --keep"]

  var connection = Connection()
  var heading: Whole<Degrees> = 0
  var speed: Whole<Byte> = 80
  var time = Duration.seconds(1)
  var isKept = false

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.argument("heading", &heading, "Degrees clockwise from the aim: 90 is to the right.")
    try line.option("speed", "s", &speed, "255 is full speed, about 2 m/s.")
    try line.option("for", "t", &time, "How long to roll.")
    try line.flag("keep", "k", &isKept, "Keep rolling; do not stop in the end.")
    try connection.options(&line)
  }

  /// Many robots stop by themselves 2 s after the last command ("motion timeout"), so it is repeated.
  private static let repetition = Duration.seconds(1)

  func run(_ terminal: Terminal) async throws {
    let roll = Motion.Roll(speed: UInt8(speed.value), heading: UInt16(heading.value))
    try await connection.withRobot { robot in
      if !isKept { try await robot.stopWhenLinkDrops() }
      let end = SystemTime().now + time
      try await robot.send(roll)
      while !isKept, SystemTime().now < end {
        try await SystemTime().sleep(until: min(end, SystemTime().now + Self.repetition))
        if SystemTime().now < end { try await robot.send(roll) }
      }
      if isKept { await robot.keepRolling() }
    }
  }
}

struct Stop: Subcommand {
  static let name = "stop"
  static let abstract = "Stops the robot now; ends another sphero that holds its port."
  static let examples = ["sphero stop"]

  var connection = Connection()

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) { try connection.options(&line) }

  func run(_ terminal: Terminal) async throws {
    // A ball that rolls is most often rolled by a command that holds the port.
    try await connection.withRobot(takeover: Takeover(from: "sphero")) { robot in
      try await robot.send(Motion.Roll(speed: 0, heading: 0, state: .stop))
      await robot.keepRolling()
    }
  }
}
