// Tests of virtual time with programs on the main actor.

import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Suite struct VirtualTimeTests {
  /// Streams, and rolls in child tasks of the main actor.
  @MainActor private static func program(_ time: VirtualTime) async throws -> [Duration] {
    let simulated = SimulatedRobot(time: time)
    var times: [Duration] = []
    try await Robot.withRobot(on: simulated.connect(), time: time) { robot in
      for try await _ in try await robot.samples([.accel], hertz: 20) {
        times.append(time.now)
        if times.count == 5 { break }
      }
      async let first: Void = roll(robot, 0)
      async let second: Void = roll(robot, 90)
      _ = try await (first, second)
      times.append(time.now)
    }
    return times + [time.now]
  }

  @MainActor private static func roll(_ robot: Robot, _ heading: Heading) async throws {
    try await robot.time.sleep(for: .seconds(heading.degrees / 90 + 1))
    try await robot.roll(heading, speed: 0.3, for: .milliseconds(500))
  }

  @MainActor @Test func timeWaitsForTheMainActor() async throws {
    var results: Set<[Duration]> = []
    for _ in 0..<20 {
      let time = VirtualTime()
      let result = try await time.run { try await Self.program(time) }
      results.insert(result)
      #expect(result.last.map { $0 < .seconds(5) } == true, "\(result)")
    }
    #expect(results.count == 1, "\(results)")
  }

  /// A session uses the clock of its line, and a robot has one line at a time.
  @Test func aSecondSessionOfARobotIsRefused() async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    await #expect(throws: LinkError.refused("the simulated robot")) {
      try await time.run {
        try await Robot.withRobot(on: simulated.connect()) { _ in
          try await Robot.withRobot(on: simulated.connect()) { _ in }
        }
      }
    }
  }

  /// A test that waits for something that never happens can be cancelled.
  @Test(.timeLimit(.minutes(1))) func aCancellationReachesTheProgram() async throws {
    let time = VirtualTime()
    let program = Task {
      try await time.run {
        let simulated = SimulatedRobot(time: time)
        try await Robot.withRobot(on: simulated.connect()) { robot in
          for try await _ in try await robot.samples([.accel], hertz: 20) {}
        }
      }
    }
    try await Task.sleep(for: .milliseconds(50))
    program.cancel()
    await #expect(throws: CancellationError.self) { try await program.value }
  }

  /// The longest duration that a program can write as seconds means that it never ends.
  @Test func theSystemsClockAcceptsTheLongestDuration() async throws {
    let sleep = Task { try await SystemTime().sleep(for: .seconds(Int64.max)) }
    try await Task.sleep(for: .milliseconds(20))
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }
}
