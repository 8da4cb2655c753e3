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

@Suite(.ownThread) struct SlowMachineTests {
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

  /// A program does not wait for a line that was slow once.
  @Test func aProgramDoesNotWaitForALineThatIsFastAgain() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      let line = SlowLine(line: device, time: time, writing: .seconds(1), slowEnd: .milliseconds(500))
      let life = time.start { await robot.serve(line) }
      // The write of the answer takes a second.
      host.write(commandBytes(0x00, 0x01, []))
      try await time.sleep(for: .seconds(2))
      let program = Array("10 print 1\n20 delay 10\n30 goto 10\n\0".utf8)
      host.write(commandBytes(0x02, 0x61, [0] + program, isAnswered: false))
      host.write(commandBytes(0x02, 0x62, [0, 0, 10], isAnswered: false))
      _ = try await host.read()
      try await time.sleep(for: .seconds(3))
      // A print has 8 bytes.
      let count = try #require(try await host.read()).count / 8
      #expect(count > 100, "\(count) prints in 3 s")
      host.close()
      await life.value
    }
  }

  /// A program that prints without a pause waits for a slow line, and does not delay the answers more and more.
  @Test func aProgramWaitsForASlowLine() async throws {
    let time = VirtualTime()
    try await time.run {
      let robot = SimulatedRobot(time: time)
      let (host, device) = MemoryTransport.pair()
      // A write takes 10 ms; the gap of the packets alone is 2 ms.
      let life = time.start {
        await robot.serve(SlowLine(line: device, time: time, writing: .milliseconds(5)))
      }
      host.write(commandBytes(0x02, 0x60, [0]))
      host.write(commandBytes(0x02, 0x61, [0] + Array("10 print 1\n20 goto 10\n\0".utf8)))
      host.write(commandBytes(0x02, 0x62, [0, 0, 10]))
      try await time.sleep(for: .seconds(5))
      host.write([0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB])
      let answer: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]
      var received: [UInt8] = []
      while time.now < .seconds(6), received.firstRange(of: answer) == nil {
        received = received.suffix(5) + (try #require(try await host.read()))
      }
      #expect(received.firstRange(of: answer) != nil)
      host.close()
      await life.value
    }
  }
}
