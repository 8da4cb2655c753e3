// sphero sleep: good night.

import SpheroProtocol
import SpheroSession

struct Sleep: Subcommand {
  static let name = "sleep"
  static let abstract = "Puts the robot to sleep."
  static let group = VerbGroup.show
  static let otherNames = ["off", "shutdown"]
  static let examples = ["sphero sleep", "sphero sleep --for 30s"]

  var connection = Connection()
  var time: Duration?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option("for", "t", &time, "Wake up after this time; without it, when shaken.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    guard let time else { return }
    let seconds = time.components.seconds
    // 0 would be for ever, and FFFFh is deep sleep, which not every robot survives.
    guard (1..<65_535).contains(seconds), time.components.attoseconds == 0 else {
      throw UsageError("'--for' must be 1s...65534s, in whole seconds")
    }
  }

  func run(_ terminal: Terminal) async throws {
    try await connection.withRobot { robot in
      _ = try await robot.send(Core.Sleep(wakeup: UInt16(time?.components.seconds ?? 0)))
    }
  }
}
