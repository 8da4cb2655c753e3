// The robot of a run, and the watchdog that stops it after the last line.

import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

/// The robot that all lines of a run share.
final class RunSession: Sendable {
  private struct State {
    var robot: Robot?
    var watchdog: Task<Void, Never>?
    var hasRawMotors = false
  }

  /// The time after which the watchdog stops the ball.
  private static let rollingTime = Duration.seconds(1)

  private let state = Locked(State())

  /// Sets the connected robot.
  func begin(_ robot: Robot) { state.withLock { $0.robot = robot } }

  var robot: Robot {
    get throws {
      guard let robot = state.withLock({ $0.robot }) else { throw SessionError.leaving }
      return robot
    }
  }

  /// Rolls until the next line that moves the ball, or until the watchdog stops it.
  func drive(_ heading: Heading, _ speed: Double) async throws {
    try Task.checkCancellation()
    try await robot.drive(heading, speed: speed)
    startWatchdog()
  }

  /// Starts or restarts the watchdog.
  ///
  /// - Parameter rawMotors: Whether the motors run without the control system.
  func startWatchdog(rawMotors: Bool = false) {
    state.withLock { state in
      state.watchdog?.cancel()
      if rawMotors { state.hasRawMotors = true }
      state.watchdog = Program.time.start { [self] in
        do { try await Program.time.sleep(for: Self.rollingTime) } catch { return }
        await stop()
      }
    }
  }

  /// Stops the watchdog, since a new line moves or stops the ball.
  func stopWatchdog() {
    state.withLock { state in
      state.watchdog?.cancel()
      state.watchdog = nil
    }
  }

  /// Stops the ball now if the watchdog would stop it later.
  func finish() async {
    guard let watchdog = state.withLock({ $0.watchdog }) else { return }
    watchdog.cancel()
    // In a new task, since the present one may be cancelled.
    await Program.time.start { [self] in await stop() }.value
  }

  private func stop() async {
    guard let robot = try? robot else { return }
    let hasRawMotors = state.withLock { state in
      state.watchdog = nil
      defer { state.hasRawMotors = false }
      return state.hasRawMotors
    }
    // The stop has no effect on raw motors before the control system is on.
    if hasRawMotors { _ = try? await robot.send(Motion.SetStabilization(mode: .on)) }
    try? await robot.stop()
  }
}
