// sphero drive: drives with a joystick in the terminal, which keys, the mouse, or the tilt of a second robot move.

import SpheroControls
import SpheroDrawing
import SpheroProtocol
import SpheroSession
import SpheroTransport

struct DriveCommand: Subcommand {
  static let name = "drive"
  static let abstract = "Drives by keys, mouse or a tilted robot."
  static let group = SubcommandGroup.start
  static let otherNames = ["joystick", "steer", "remote", "gamepad"]
  static let examples = [
    "sphero drive", "sphero drive --port sim: --speed 80",
    "sphero drive --port /dev/rfcomm0 --tilt /dev/rfcomm1",
  ]

  var connection = Connection()
  var speed = SpeedArgument(DrivePanel.defaultSpeed)
  var tilt: String?

  var needsPerson: Bool { true }

  mutating func options(_ line: inout Synopsis) throws(UsageError) {
    try line.option(
      "speed", "s", &speed,
      "The speed at the rim to begin with, not 0, which + and - change; 255 is about 2 m/s.")
    try line.option(
      "tilt", nil, &tilt, as: .port,
      "Also drive by tilting the robot at this port, held with its tail light towards you: level stops; "
        + "a recording or a simulated robot works too.")
    try connection.options(&line)
  }

  func validate() throws(UsageError) {
    try speed.requireMotion()
    guard let tilt, let port = connection.port, let hand = try? Port(parsing: tilt) else { return }
    if let port = try? Port(parsing: port) { try check(port, differsFrom: hand) }
  }

  private func check(_ port: Port, differsFrom hand: Port) throws(UsageError) {
    guard port == hand else { return }
    throw UsageError(
      "'--tilt' and '--port' are the same robot, '\(hand)'",
      advice: "Name two robots; a simulated one differs by an option, as sim:name=Zoe.")
  }

  func run(_ terminal: Terminal) async throws {
    let alternative = "Run it in a terminal; 'sphero roll' needs none."
    guard let tilt else {
      try connection.checkScreen(instead: alternative)
      return try await drive(at: try connection.resolvedPort())
    }
    let hand = connection.at(tilt, number: 2)
    let (port, handPort) = (try connection.resolvedPort(), try hand.resolvedPort())
    try check(port, differsFrom: handPort)
    try connection.checkScreen(instead: alternative)
    // The connection of the ball is the inner one, so that the ball stops before the controller is restored.
    try await hand.withController { controller in try await drive(at: port, by: controller) }
  }

  private func drive(at port: Port, by controller: Controller? = nil) async throws {
    var panel = DrivePanel(speed: speed.count, tilt: controller.map { _ in TiltControl() })
    panel.title = port.description
    try await connection.withRobot(reopens: true) { [panel] robot in
      var screen = PanelScreen<DrivePanel> { panel, now in try await update(&panel, robot, at: now) }
      let change = screen.change
      screen.sources = [
        {
          try await watch(robot) { reading in
            change { $0.update(with: reading) }
          } missing: {
            change { $0.handleSilence() }
          }
        },
        {
          for try await notice in await robot.notices() { change { $0.receive(notice) } }
          throw SessionError.leaving
        },
        {
          while true {
            if let color = try? await robot.send(Lights.GetRGBLED()) { change { $0.color = RGB(color) } }
            if let power = try? await robot.send(Core.GetPowerState()) {
              change { $0.battery = power.summary }
            }
            try await Program.time.sleep(for: .seconds(30))
          }
        },
      ]
      if let controller {
        screen.sources.append { await controller.follow(change, rest: "keys and mouse still drive") }
      }
      screen.beforeSuspending = { try? await within(.milliseconds(500)) { try await robot.stop() } }
      _ = try await screen.run(panel)
    }
  }

  private func update(_ panel: inout DrivePanel, _ robot: Robot, at now: Duration) async throws {
    guard let command = panel.command(at: now) else { return }
    do {
      if let heading = command.heading {
        try await robot.drive(heading, speed: command.speed)
      } else {
        try await robot.stopDriving()
      }
    } catch {
      // A lost link may be restored; the notices report the end of the session.
      let isDisconnected = if case SessionError.disconnected = error { true } else { false }
      let isLinkLost = isDisconnected || error is LinkError
      guard isLinkLost, await !robot.isClosed else { throw error }
      panel.loseLink()
    }
  }
}

extension DrivePanel {
  fileprivate mutating func receive(_ notice: Notice) {
    var severity = Monitor.Severity.warning
    switch notice {
    case .disconnected: return loseLink()
    case .connected, .gap, .connecting: return
    case .reconnected:
      regainLink()
      severity = .note
    case .silence: handleSilence()
    default: break
    }
    remark = (notice.description, severity)
  }
}

/// Streams position and motion of the robot.
///
/// If the robot refuses the stream or stops streaming, calls `missing` instead of throwing: it can still be driven.
func watch(
  _ robot: Robot, _ receive: @Sendable (Odometry) -> Void, missing: @Sendable () -> Void
) async throws {
  do {
    for try await sample in try await robot.samples(StreamRequest(mask: Odometry.mask, divisor: 20)) {
      if let reading = Odometry(sample) { receive(reading) }
    }
  } catch SessionError.silentStream, SessionError.refused { missing() }
}
