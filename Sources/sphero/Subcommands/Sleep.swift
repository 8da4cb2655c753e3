// sphero sleep: puts the robot to sleep.

import SpheroSession

struct Sleep: Subcommand {
  static let name = "sleep"
  static let abstract = "Puts the robot to sleep."
  static let group = SubcommandGroup.move
  static let otherNames = ["off", "shutdown"]
  static let examples = ["sphero sleep", "sphero sleep --for 30s"]

  var mayMove: Bool { false }
  var connection = Connection()
  var time: SleepTime?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option("for", "t", &time, "Wake up after this time; without it, when shaken.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.withRobot { robot in
      try await robot.sleep(wakeAfter: time.map { .seconds($0.seconds) })
    }
  }
}

struct SleepTime: Argument {
  /// 1...65534; on the wire, 0 sleeps until a shake, and FFFFh is deep sleep, from which some robots do not wake.
  let seconds: UInt16
  init?(argument: String) {
    guard let time = Duration(argument: argument), time.components.attoseconds == 0,
      (1..<65_535).contains(time.components.seconds)
    else { return nil }
    seconds = UInt16(time.components.seconds)
  }
  static var placeholder: String { Duration.placeholder }
  static var allowed: String? { "1s...65534s in whole seconds, like 30s or 2min" }
}
