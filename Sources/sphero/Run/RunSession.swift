// The one robot of a run, and the clock that stops it where no line says more.

import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSystem
import SpheroTransport

/// What a line takes from the run that it is part of.
struct LineContext: Sendable {
  /// The run's connection, with its session.
  var connection: Connection
  var acceptsHazard: Bool

  /// The flag that only a whole run can set.
  static let hazardFlag = "accept-hazard"
}

/// The robot of a run, which all lines share.
final class RunSession: Sendable {
  private struct State {
    var robot: Robot?
    var watchdog: Task<Void, Never>?
    var hasRawMotors = false
  }

  /// How long a ball rolls that no line stops.
  static let rollingTime = Duration.seconds(1)

  private let state = Locked(State())

  /// Takes the robot, which has answered.
  func begin(_ robot: Robot) { state.withLock { $0.robot = robot } }

  /// The robot.
  var robot: Robot {
    get throws {
      guard let robot = state.withLock({ $0.robot }) else { throw SessionError.leaving }
      return robot
    }
  }

  /// Rolls until the next line that moves the ball, but no longer than ``rollingTime``.
  func drive(_ heading: Heading, _ speed: Double) async throws {
    try Task.checkCancellation()
    try await robot.drive(heading, speed: speed)
    watch()
  }

  /// Begins the time after which the ball is stopped; a time that runs begins anew.
  func watch(rawMotors: Bool = false) {
    state.withLock { state in
      state.watchdog?.cancel()
      if rawMotors { state.hasRawMotors = true }
      state.watchdog = Program.time.start { [self] in
        do { try await Program.time.sleep(for: Self.rollingTime) } catch { return }
        await stop()
      }
    }
  }

  /// Ends the time, since another line decides about the ball now.
  func release() {
    state.withLock { state in
      state.watchdog?.cancel()
      state.watchdog = nil
    }
  }

  /// Stops a ball that rolls because of the last line.
  func finish() async {
    guard let watchdog = state.withLock({ $0.watchdog }) else { return }
    watchdog.cancel()
    // In a task of its own, since this one may be cancelled.
    await Program.time.start { [self] in await stop() }.value
  }

  private func stop() async {
    guard let robot = try? robot else { return }
    let hasRawMotors = state.withLock { state in
      state.watchdog = nil
      defer { state.hasRawMotors = false }
      return state.hasRawMotors
    }
    // Free motors brake only once the control system is back.
    if hasRawMotors { _ = try? await robot.send(Motion.SetStabilization(mode: .on)) }
    try? await robot.stop()
  }
}
