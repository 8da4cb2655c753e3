// Tests of a simulated world on an overloaded or suspended computer.

import SpheroModel
import SpheroSystem
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

/// A clock that advances by given steps, one per reading.
private final class ToldTime: TimeSource {
  private let steps: @Sendable (Int) -> Duration
  private let state = Locked((time: Duration.zero, count: 0))

  init(_ steps: @escaping @Sendable (Int) -> Duration) { self.steps = steps }

  var now: Duration {
    state.withLock { state in
      state.time += steps(state.count)
      state.count += 1
      return state.time
    }
  }

  func sleep(until deadline: Duration) async throws {}
}

@Suite(.aCoreEach) struct SlowMachineTests {
  @Test func aWorldThatCostsMoreTimeThanItLivesRunsSlower() async throws {
    // The first reading is the beginning. Then 20 ms pass until the world is asked, and moving it takes 100 ms.
    let world = SimulatedWorld(
      [.init()],
      time: ToldTime { $0 == 0 ? .zero : $0.isMultiple(of: 2) ? .milliseconds(100) : .milliseconds(20) })
    for _ in 0..<100 { _ = await world.robot(0) }
    // 12 s have passed, less than 3 s of them for the robot: it has not yet measured its battery, as it does each 10 s.
    let robot = try #require(await world.robot(0))
    #expect(robot.nextDeadline == .seconds(10))
  }

  @Test func aWorldThatKeepsUpLosesNothing() async throws {
    let world = SimulatedWorld(
      [.init()],
      time: ToldTime { $0 == 0 ? .zero : $0.isMultiple(of: 2) ? .milliseconds(20) : .milliseconds(100) })
    for _ in 0..<100 { _ = await world.robot(0) }
    let robot = try #require(await world.robot(0))
    #expect(robot.nextDeadline == .seconds(20))
  }

  /// The process gets no processor twice for 0.9 s.
  @Test func pausesOfTheProcessLoseNothing() async throws {
    let world = SimulatedWorld(
      [.init()],
      time: ToldTime {
        if $0 == 40 || $0 == 80 { return .milliseconds(900) }
        return $0 == 0 ? .zero : $0.isMultiple(of: 2) ? .milliseconds(20) : .milliseconds(100)
      })
    for _ in 0..<160 { _ = await world.robot(0) }
    // 20.96 s have passed, also for the robot.
    let robot = try #require(await world.robot(0))
    #expect(robot.nextDeadline == .seconds(30))
  }

  @Test func anHourInWhichTheMachineStoodStillIsNotCaughtUpWith() async throws {
    let world = SimulatedWorld([.init()], time: ToldTime { $0 == 1 ? .seconds(3_600) : .zero })
    // Due at 10 s, and a second late at most.
    let robot = try #require(await world.robot(0))
    #expect(robot.nextDeadline == .seconds(20))
    #expect(!robot.isAsleep)
  }
}
