// The robots of a command that may move, so that Ctrl-Z leaves none of them rolling.

import Dispatch
import SpheroSession
import SpheroSystem
import SpheroTransport

/// The robots that the command is connected to.
final class MovingRobots: Sendable {
  static let all = MovingRobots()
  /// How long a robot may take to answer; then the process is suspended all the same.
  private static let limit = DispatchTimeInterval.milliseconds(500)

  private let robots = Locked<[ObjectIdentifier: Robot]>([:])

  func add(_ robot: Robot) { robots.withLock { $0[ObjectIdentifier(robot)] = robot } }
  func remove(_ robot: Robot) { robots.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(robot)) } }

  /// Stops all of them; blocks the thread until they have answered, or have had time to.
  func stop() {
    let done = DispatchSemaphore(value: 0)
    let robots = robots.withLock { Array($0.values) }
    let task = Program.time.start {
      await withTaskGroup(of: Bool.self) { group in
        for robot in robots { group.addTask { await robot.stopMotion() } }
        let hasStopped = await group.reduce(false) { $0 || $1 }
        if hasStopped { await Terminal().note("suspended: the ball was stopped", isQuiet: false) }
      }
      done.signal()
    }
    if done.wait(timeout: .now() + Self.limit) == .timedOut { task.cancel() }
  }
}
