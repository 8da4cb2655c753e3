// The robots that Ctrl-Z stops before it suspends the process.

import Dispatch
import SpheroSession
import SpheroSystem
import SpheroTransport

/// The connected robots of a command that may move, which Ctrl-Z stops before it suspends the process.
final class MovingRobots: Sendable {
  static let all = MovingRobots()

  private let robots = Locked<[ObjectIdentifier: Robot]>([:])

  func add(_ robot: Robot) { robots.withLock { $0[ObjectIdentifier(robot)] = robot } }
  func remove(_ robot: Robot) { robots.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(robot)) } }

  /// Performs a motion, and checks that it was not stopped by a suspension of the process.
  ///
  /// - Throws: The error of `motion`; `Failure` with the code 75 if a suspension has stopped it.
  static func complete<Result>(of robot: Robot, _ motion: () async throws -> Result) async throws -> Result {
    let count = await robot.suspendedMotions
    let outcome = await result(of: motion)
    let mayBeStopped =
      switch outcome {
      case .success, .failure(SessionError.superseded): true
      case .failure: false
      }
    guard mayBeStopped, await robot.suspendedMotions != count else { return try outcome.get() }
    throw Failure(
      .timedOut, "the ball was stopped, because this process was suspended",
      advice: "Give the command again.")
  }

  /// Stops all robots; blocks the thread until they answer, for at most 0.8 s.
  func stop() {
    let done = DispatchSemaphore(value: 0)
    let robots = robots.withLock { Array($0.values) }
    let task = Program.time.start {
      await withTaskGroup(of: Bool?.self) { group in
        for robot in robots { group.addTask { await robot.stopMotion() } }
        // nil while no robot had to be stopped.
        var isConfirmed: Bool?
        for await stop in group {
          if let stop { isConfirmed = stop && isConfirmed != false }
        }
        guard let isConfirmed else { return }
        let outcome = isConfirmed ? "the ball was stopped" : "a robot did not confirm its stop"
        await Terminal().note("suspended: \(outcome)", isQuiet: false)
      }
      done.signal()
    }
    guard done.wait(timeout: .now() + .milliseconds(700)) == .timedOut else { return }
    task.cancel()
    // The cancelled tasks send the stop once more, and report that it is not confirmed.
    _ = done.wait(timeout: .now() + .milliseconds(100))
  }
}
