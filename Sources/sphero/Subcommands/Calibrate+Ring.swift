// The ring of sphero calibrate: the robot turns with it, and is put back unless Enter keeps the new aim.

import SpheroControls
import SpheroDrawing
import SpheroOrientation
import SpheroProcess
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

/// A robot that is aimed by a ring on the terminal.
struct AimingScreen: Sendable {
  let robot: Robot

  /// How long a robot may take to say where it looks; one that does not is taken to look ahead.
  private static let patience = Duration.seconds(2)
  /// How long the last turn may take: the slowest robots need 1.5 s for half a turn.
  private static let turningTime = Duration.milliseconds(1_500)
  /// Within how many degrees a robot has reached where it was to turn.
  private static let tolerance = 3.0

  /// Lets a hand aim the robot.
  ///
  /// - Parameter panel: The ring as it begins.
  /// - Returns: Whether the robot has a new aim.
  /// - Throws: As `PanelScreen.run`; the robot turns back all the same.
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
      // After the new aim, the old heading is none any more.
      let undoing =
        hasNewAim ? [.setTailLight(isOn: false)] : latest.withLock { $0.end(isConfirmed: false) }
      // In a task of its own, since this one may be cancelled, and no longer than leaving may take.
      await Task(executorPreference: Program.time) { [robot] in
        await within(.milliseconds(300)) { try await robot.perform(undoing) }
      }.value
      throw error
    }
  }

  /// Waits until the robot has turned, where it was still on its way: heading 0 is where it looks at the end.
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
          // Of several turns only the newest counts.
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
    let tell = screen.tell
    screen.sources = [
      { [robot] in
        try await watch(robot) { reading in
          tell { $0.seen = reading.heading }
        } missing: {
          tell { $0.remark = ("the robot does not report its heading", .warning) }
        }
      },
      {
        try await Program.time.sleep(for: Self.patience)
        tell { if !$0.isActive { $0.begin(at: .ahead) } }
      },
      { [robot] in
        for try await notice in await robot.notices() {
          tell { panel in
            switch notice {
            case .disconnected: panel.isLinkLost = true
            case .reconnected: (panel.isLinkLost, panel.remark) = (false, (notice.description, .note))
            default: break
            }
          }
          // A robot that was switched off meanwhile has forgotten its light.
          if case .reconnected = notice { try? await robot.tail(1) }
        }
        throw SessionError.leaving
      },
    ]
    return screen
  }
}
