// sphero calibrate: what is ahead.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSerial
import SpheroSession

struct Calibrate: Subcommand {
  static let name = "calibrate"
  static let abstract = "Turns on the spot and makes that direction heading 0."
  static let examples = ["sphero calibrate --heading 90", "sphero calibrate --heading 0"]

  var connection = Connection()
  var heading: Whole<Degrees>?

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "heading", nil, &heading, "Degrees clockwise from the old aim to the new one; 0 aims where it looks.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    if heading == nil { throw UsageError("'--heading' is missing: the degrees to turn to") }
  }

  /// Time for the slowest robots to turn half around.
  private static let turningTime = Duration.milliseconds(1_500)

  func run(_ terminal: Terminal) async throws {
    let degrees = Double(heading?.value ?? 0)
    try await connection.withRobot(terminal) { robot in
      var ring = CalibrationRing()
      try await perform(ring.begin(at: .ahead) + ring.turn(by: degrees), with: robot)
      do {
        if degrees != 0 { try await SystemTime().sleep(for: Self.turningTime) }
        try await perform(ring.end(), with: robot)
      } catch {
        // Interrupted: the old aim stays, and the light goes off.
        try? await perform(ring.cancel(), with: robot)
        throw error
      }
    }
  }

  private func perform(_ actions: [CalibrationRing.Action], with robot: Robot) async throws {
    for action in actions {
      switch action {
      case .setTailLight(let isOn): try await robot.send(Lights.SetBackLED(brightness: isOn ? 255 : 0))
      case .rotate(let heading): try await robot.send(Motion.Roll(speed: 0, heading: heading.wholeDegrees))
      case .setHeadingZero: try await robot.send(Motion.SetHeading(heading: 0))
      }
    }
  }
}
