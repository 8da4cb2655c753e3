// sphero drive: a joystick on the screen of a terminal, with keys and mouse.

import SpheroControls
import SpheroDrawing
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct DriveCommand: Subcommand {
  static let name = "drive"
  static let abstract = "Drives the robot by keys and mouse, with a joystick on the terminal."
  static let group = VerbGroup.move
  static let otherNames = ["joystick", "steer", "remote"]
  static let examples = ["sphero drive", "sphero drive --port sim: --speed 120"]

  var connection = Connection()
  var speed: Whole<PositiveByte> = 80

  var needsPerson: Bool { true }

  mutating func options(_ line: inout some OptionVisitor) throws(UsageError) {
    try line.option(
      "speed", "s", &speed, "The speed at the rim to begin with, which + and - change; 255 is about 2 m/s.")
    try connection.options(&line)
  }

  func run(_ terminal: Terminal) async throws {
    try connection.checkScreen(instead: "Run it in a terminal; 'sphero roll' needs none.")
    var panel = DrivePanel(speed: speed.value)
    panel.title = try connection.resolvedPort().description
    let start = panel
    try await connection.withRobot(reopens: true) { robot in
      var screen = PanelScreen<DrivePanel> { panel, now in try await obey(&panel, robot, at: now) }
      let tell = screen.tell
      screen.sources = [
        {
          try await watch(robot) { reading in
            tell { $0.take(reading) }
          } missing: {
            tell { $0.missSamples() }
          }
        },
        { try await listen(to: robot, tell) }, { try await ask(robot, tell) },
      ]
      screen.beforeSuspending = { await within(.milliseconds(500)) { try await robot.stop() } }
      _ = try await screen.run(start)
    }
  }

  /// Tells the robot what the joystick wants, where that is new.
  private func obey(_ panel: inout DrivePanel, _ robot: Robot, at now: Duration) async throws {
    guard let order = panel.order(at: now) else { return }
    do {
      switch order {
      case .roll(let heading, let speed): try await robot.drive(heading, speed: speed)
      case .stop: try await robot.stopDriving()
      }
    } catch {
      // A line that is lost may come back; its remarks say what ends the session.
      let isDisconnected = if case SessionError.disconnected = error { true } else { false }
      let isLinkLost = isDisconnected || error is LinkError
      guard isLinkLost, await !robot.isClosed else { throw error }
      panel.loseLink()
    }
  }

  private func listen(to robot: Robot, _ tell: PanelScreen<DrivePanel>.Tell) async throws {
    for try await notice in await robot.notices() {
      tell { panel in
        switch notice {
        case .disconnected: panel.loseLink()
        case .reconnected:
          panel.regainLink()
          panel.remark = (notice.description, .note)
        case .silence:
          panel.missSamples()
          panel.remark = (notice.description, .warning)
        case .connected, .gap, .connecting: break
        default: panel.remark = (notice.description, .warning)
        }
      }
    }
    throw SessionError.leaving
  }

  /// Asks now and then for what no event reports.
  private func ask(_ robot: Robot, _ tell: PanelScreen<DrivePanel>.Tell) async throws {
    while true {
      if let color = try? await robot.send(Lights.GetRGBLED()) { tell { $0.color = RGB(color) } }
      if let power = try? await robot.send(Core.GetPowerState()) { tell { $0.battery = power.summary } }
      try await Program.time.sleep(for: .seconds(30))
    }
  }
}

/// Hands on where the robot is and how it moves, for as long as it reports that.
///
/// - Parameters:
///   - robot: The robot.
///   - take: Gets each reading.
///   - missing: Called where the robot streams nothing, or nothing any more.
/// - Throws: `SessionError` for any other reason; `LinkError`; `CancellationError`.
func watch(
  _ robot: Robot, _ take: @Sendable (Odometry) -> Void, missing: @Sendable () -> Void
) async throws {
  do {
    for try await sample in try await robot.samples(StreamRequest(mask: Odometry.mask, divisor: 20)) {
      if let reading = Odometry(sample) { take(reading) }
    }
  } catch SessionError.silentStream, SessionError.refused {
    // It can be driven all the same.
    missing()
  }
}

/// Does something that may fail, but no longer than a time.
func within(_ limit: Duration, _ body: @escaping @Sendable () async throws -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    group.addTask { try? await body() }
    group.addTask { try? await Program.time.sleep(for: limit) }
    await group.next()
    group.cancelAll()
  }
}
