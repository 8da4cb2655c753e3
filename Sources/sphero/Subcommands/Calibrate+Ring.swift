// The ring of `sphero calibrate`: the robot turns with it, and turns back unless Enter confirms the new aim.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroSession
import SpheroSystem
import SpheroTransport

struct AimingScreen: Sendable {
  let robot: Robot

  /// The time for the first report of the heading; without a report, the robot is assumed to face ahead.
  private static let gracePeriod = Duration.seconds(2)
  /// The time for the last turn: the slowest robots need 1.5 s for half a turn.
  private static let turningTime = Duration.milliseconds(1_500)
  /// The maximum error of a completed turn, in degrees.
  private static let tolerance = 3.0

  /// Shows the ring until it is confirmed or cancelled; returns whether the robot has a new aim.
  ///
  /// After an error, the robot turns back.
  func run(_ panel: AimPanel) async throws -> Bool {
    let latest = Locked(panel)
    var hasNewAim = false
    do {
      let (panel, outcome) = try await screen(latest).run(panel)
      var ending = panel
      for action in ending.end(isConfirmed: outcome == .confirmed) {
        try await robot.perform([action])
        switch action {
        case .rotate(let heading) where outcome == .confirmed: try await waitForTurn(to: heading, panel.seen)
        case .setHeadingZero: hasNewAim = true
        default: break
        }
      }
      return hasNewAim
    } catch {
      // After a new aim, the old heading is not valid any more.
      let cleanup =
        hasNewAim ? [.setTailLight(isOn: false)] : latest.withLock { $0.end(isConfirmed: false) }
      await cleanUp { [robot] in try await robot.perform(cleanup) }
      throw error
    }
  }

  /// Waits until the robot has turned, since the new heading 0 is the direction at that time.
  private func waitForTurn(to heading: Heading, _ seen: Heading?) async throws {
    if let seen, abs(seen.turn(to: heading).degrees) <= Self.tolerance { return }
    try await Program.time.sleep(for: Self.turningTime)
  }

  private func screen(_ latest: Locked<AimPanel>) -> PanelScreen<AimPanel> {
    var screen = PanelScreen<AimPanel> { [robot] panel, _ in
      if !panel.isActive, let seen = panel.seen { panel.begin(at: seen) }
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
      { [robot] in
        try await watch(robot) { reading in
          change { $0.seen = reading.heading }
        } missing: {
          change { $0.remark = ("the robot does not report its heading", .warning) }
        }
      },
      {
        try await Program.time.sleep(for: Self.gracePeriod)
        change { if !$0.isActive { $0.begin(at: .ahead) } }
      },
      { [robot] in
        for try await notice in await robot.notices() {
          change { panel in
            switch notice {
            case .disconnected: panel.isLinkLost = true
            case .reconnected: (panel.isLinkLost, panel.remark) = (false, (notice.description, .note))
            default: break
            }
          }
          // A restarted robot has its tail light off.
          if case .reconnected = notice { try? await robot.tail(1) }
        }
        throw SessionError.leaving
      },
    ]
    return screen
  }
}
