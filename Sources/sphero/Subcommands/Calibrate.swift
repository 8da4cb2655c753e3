// sphero calibrate: aims the robot, or identifies the convention of its attitude.

import SpheroDrawing
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct Calibrate: Subcommand {
  static let name = "calibrate"
  static let abstract = "Aims the robot by a ring on the terminal, or finds out how it reports its attitude."
  static let group = VerbGroup.move
  static let otherNames = ["aim", "heading"]
  static let examples = [
    "sphero calibrate", "sphero calibrate --heading 90", "sphero calibrate --heading 0",
    "sphero calibrate --conventions --poses 6 --format json",
  ]

  var connection = Connection()
  var heading: Heading?
  var isProbing = false
  var poses = 5
  var wait = Duration.seconds(30)
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "heading", nil, &heading,
      "Degrees clockwise from the old aim to the new one; 0 aims where it faces. By default, a ring asks.")
    try line.flag(
      "conventions", nil, &isProbing,
      "Find out from some poses what quaternion, angles and sensors mean; asks for each pose.")
    try line.option(
      "poses", nil, &poses, as: .range(1...255),
      "The poses for '--conventions': four that decide, then any that are different.")
    try line.option("wait", nil, &wait, "How long a new pose may take; then the ball is measured as it lies.")
    try line.option("format", "f", &format, "How to print what '--conventions' finds.")
    try line.conflict("heading", "conventions", "one turns and the other does not; choose one")
    try line.conflict("heading", "poses", "poses are for '--conventions'")
    try line.conflict("heading", "wait", "a wait is for '--conventions'")
    try connection.options(&line)
  }

  var needsPerson: Bool { isProbing || heading == nil }

  func validate() throws(UsageError) {
    let others = poses != 5 || wait != .seconds(30) || format != .text
    if !isProbing, heading == nil, others {
      throw UsageError("'--poses', '--wait' and '--format' are for '--conventions', which is missing")
    }
  }

  func run(_ terminal: Terminal) async throws {
    if isProbing { return try await findConventions(terminal) }
    guard let heading else { return try await aimByHand(terminal) }
    try await connection.withRobot { try await $0.aim(at: heading) }
  }

  private func aimByHand(_ terminal: Terminal) async throws {
    try connection.checkScreen(instead: "Run it in a terminal, or name a direction with '--heading'.")
    var panel = AimPanel()
    panel.title = try connection.resolvedPort().description
    let start = panel
    let isConfirmed = try await connection.withRobot(reopens: true) { robot in
      try await AimingScreen(robot: robot).run(start)
    }
    await terminal.note(isConfirmed ? "heading 0 is where it faces" : "the old aim is kept", connection)
  }

  private func findConventions(_ terminal: Terminal) async throws {
    let guide = ConventionGuide(poses: poses, wait: wait) { await terminal.note($0, connection) }
    let probe = try await connection.withRobot { try await guide.probe($0) }
    try await terminal.print(Sheet.text(probe.fields, kind: "conventions", format))
  }
}
