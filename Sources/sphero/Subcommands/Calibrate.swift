// sphero calibrate: what is ahead, and what the robot means by its attitude.

import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct Calibrate: Subcommand {
  static let name = "calibrate"
  static let abstract = "Makes a direction heading 0, or finds out how the robot reports its attitude."
  static let group = VerbGroup.move
  static let otherNames = ["aim", "heading"]
  static let examples = [
    "sphero calibrate --heading 90", "sphero calibrate --heading 0",
    "sphero calibrate --conventions --poses 6 --format json",
  ]

  var connection = Connection()
  var heading: Whole<Degrees>?
  var isProbing = false
  var poses: Whole<PositiveByte> = 5
  var wait = Duration.seconds(30)
  var format = Format.text

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "heading", nil, &heading, "Degrees clockwise from the old aim to the new one; 0 aims where it looks.")
    try line.flag(
      "conventions", nil, &isProbing,
      "Find out from some poses what quaternion, angles and sensors mean; asks for each pose.")
    try line.option(
      "poses", nil, &poses, "The poses for '--conventions': four that decide, then any that are different.")
    try line.option("wait", nil, &wait, "How long a new pose may take; then the ball is taken as it lies.")
    try line.option("format", "f", &format, "How to print what '--conventions' finds.")
    try line.conflict("heading", "conventions", "one turns and the other does not; choose one")
    try line.conflict("heading", "poses", "poses are for '--conventions'")
    try line.conflict("heading", "wait", "a wait is for '--conventions'")
    try connection.options(&line)
  }

  var needsPerson: Bool { isProbing }

  func validate() throws(UsageError) {
    if !isProbing, heading == nil {
      throw UsageError("'--heading' is missing: the degrees to turn to; or ask for '--conventions'")
    }
  }

  func run(_ terminal: Terminal) async throws {
    guard let heading else { return try await findConventions(terminal) }
    let angle = Heading(degrees: Double(heading.value)) ?? .ahead
    try await connection.withRobot { try await $0.aim(at: angle) }
  }

  private func findConventions(_ terminal: Terminal) async throws {
    let guide = ConventionGuide(poses: poses.value, wait: wait) { await terminal.note($0, connection) }
    let probe = try await connection.withRobot { try await guide.probe($0) }
    try await terminal.print(Sheet.text(probe.fields, kind: "conventions", format))
  }
}
