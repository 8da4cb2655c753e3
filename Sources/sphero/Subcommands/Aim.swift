// sphero aim: sets heading 0, to a given direction or interactively on a ring in the terminal.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroSession
import SpheroSystem
import SpheroTransport

struct Aim: Subcommand {
  static let name = "aim"
  static let abstract = "Sets which way is ahead."
  static let group = SubcommandGroup.move
  static let otherNames = ["calibrate"]
  static let examples = ["sphero aim", "sphero aim --heading 90", "sphero aim --heading 0"]

  var connection = Connection()
  var heading: Heading?

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "heading", nil, &heading,
      "Degrees clockwise from the old aim to the new one; 0 aims where it faces. By default, a ring asks.")
    try connection.options(&line)
  }

  var needsPerson: Bool { heading == nil }

  func run(_ terminal: Terminal) async throws {
    if let heading { return try await connection.withRobot { try await $0.aim(at: heading) } }
    try connection.checkScreen(instead: "Run it in a terminal, or name a direction with '--heading'.")
    var panel = AimPanel()
    panel.title = try connection.resolvedPort().description
    let isConfirmed = try await connection.withRobot(reopens: true) { [panel] robot in
      try await Self.show(panel, for: robot)
    }
    await terminal.note(isConfirmed ? "heading 0 is where it faces" : "the old aim is kept", connection)
  }

  /// Shows the ring, which turns the robot, until the user ends it; returns whether the robot has a new heading 0.
  private static func show(_ panel: AimPanel, for robot: Robot) async throws -> Bool {
    let latest = Locked(panel)
    var hasNewAim = false
    do {
      let (panel, outcome) = try await screen(robot, latest).run(panel)
      var ending = panel
      for action in ending.end(isConfirmed: outcome == .confirmed) {
        try await robot.perform([action])
        switch action {
        case .rotate(let heading) where outcome == .confirmed:
          // The direction of the robot when heading 0 is set becomes heading 0, so the turn must be over.
          let error = panel.reportedHeading.map { abs($0.turn(to: heading).degrees) } ?? .infinity
          // The slowest robots need 1.5 s for half a turn.
          if error > 3 { try await robot.time.sleep(for: .milliseconds(1_500)) }
        case .setHeadingZero: hasNewAim = true
        default: break
        }
      }
      return hasNewAim
    } catch {
      // The heading before the aim refers to the old heading 0, so the robot cannot turn back to it.
      let cleanup =
        hasNewAim ? [.setTailLight(isOn: false)] : latest.withLock { $0.end(isConfirmed: false) }
      await cleanUp { try await robot.perform(cleanup) }
      throw error
    }
  }

  private static func screen(_ robot: Robot, _ latest: Locked<AimPanel>) -> PanelScreen<AimPanel> {
    var screen = PanelScreen<AimPanel> { panel, _ in
      if !panel.isActive, let heading = panel.reportedHeading { panel.begin(at: heading) }
      let actions = panel.takeActions()
      latest.withLock { [panel] in $0 = panel }
      for action in actions {
        do {
          // `drive` replaces pending turns by the newest one.
          if case .rotate(let heading) = action {
            try await robot.drive(heading, speed: 0)
          } else {
            try await robot.perform([action])
          }
        } catch {
          guard await !robot.isClosed, panel.isActive, case .rotate = action else { throw error }
          panel.isLinkLost = true
        }
      }
    }
    let change = screen.change
    screen.sources = [
      {
        try await watch(robot) { reading in
          change { $0.reportedHeading = reading.heading }
        } missing: {
          change { $0.remark = ("the robot does not report its heading", .warning) }
        }
      },
      {
        // Without a report, heading 0 is assumed.
        try await Program.time.sleep(for: .seconds(2))
        change { if !$0.isActive { $0.begin(at: .ahead) } }
      },
      {
        try await followLink(of: robot, change) { notice in
          // A robot that has restarted has switched its tail light off.
          if case .reconnected = notice { try? await robot.setBackLED(brightness: 1) }
        }
      },
    ]
    return screen
  }
}
