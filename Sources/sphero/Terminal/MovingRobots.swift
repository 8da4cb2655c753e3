// The robots that Ctrl-Z stops before it suspends the process.

import Dispatch
import SpheroSession
import SpheroSystem
import SpheroTransport

/// The connected robots of a command that may move, which Ctrl-Z stops before it suspends the process.
final class MovingRobots: Sendable {
  static let all = MovingRobots()
  /// The time after which the process is suspended without an answer.
  private static let limit = DispatchTimeInterval.milliseconds(500)

  private let robots = Locked<[ObjectIdentifier: Robot]>([:])

  func add(_ robot: Robot) { robots.withLock { $0[ObjectIdentifier(robot)] = robot } }
  func remove(_ robot: Robot) { robots.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(robot)) } }

  /// Stops all robots; blocks the thread until they answer or the time is over.
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
