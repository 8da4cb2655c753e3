// Every fault under every kind of work: the work ends in time, with a known error, and the ball is at rest.

import Foundation
import SpheroControls
import SpheroOrientation
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Synchronization
import TestSupport
import Testing

/// The number of seeds for each fault: SPHERO_SEEDS, or one.
private let seeds = 1...(ProcessInfo.processInfo.environment["SPHERO_SEEDS"].flatMap { UInt64($0) } ?? 1)

/// The work of a program.
private enum Work: String, CaseIterable, Sendable {
  case ping, led, stream, roll, info

  func run(_ robot: Robot, _ time: VirtualTime) async throws {
    switch self {
    case .ping: for _ in 0..<3 { _ = try await robot.ping() }
    case .led: try await robot.setColor(.green)
    case .stream:
      var count = 0
      for try await _ in try await robot.samples(StreamRequest(mask: .imu, divisor: 4, packets: 50)) {
        count += 1
        if count == 200 { break }
      }
    case .roll: try await robot.roll(.ahead, speed: 0.6, for: .seconds(2))
    case .info:
      _ = try await robot.send(Core.GetVersioning())
      _ = try await robot.send(Core.GetBluetoothInfo())
      _ = try await robot.send(Core.GetPowerState())
      _ = try await robot.send(Settings.GetPermanentOptions())
    }
  }
}

@Suite(.ownThread) struct FaultMatrixTests {
  /// Each fault, often; those of time in the middle of the work.
  private static let faults = [
    "", "drop=30%", "drop=100%", "corrupt=30%", "cut=30%", "duplicate=50%", "delay=50%:700ms",
    "late=30%:1500ms",
    "split=100%", "burst=50%:300ms", "stall=5%:2s", "misnumber=30%", "refuse=30%", "refuse=30%:08",
    "refuse=100%:05",
    "stray=50%", "stale=100%", "drop=30%@responses", "drop=100%@responses", "late=50%:1500ms@responses",
    "duplicate=100%@responses", "misnumber=100%@responses", "drop=100%@stream", "drop=1%@bytes",
    "corrupt=1%@bytes",
    "cut=1%@bytes", "duplicate=1%@bytes", "stray=1%@bytes", "split=30%@bytes", "close=1s:2s",
    "close=1s:1000s",
    "nap=1s", "nap=1s,sleep=hangup", "clock=1.05", "clock=0.95", "latency=600ms", "greeting=u>",
    "drop=10%,corrupt=5%,late=5%,stray=5%,stall=1%:1s,close=2s:1s",
  ]

  @Test(arguments: faults, Work.allCases)
  private func theEndSendsNoMotion(_ fault: String, _ work: Work) async throws {
    let options = try SimulatorOptions(parsing: fault)
    for seed in seeds { try await endure(options, seed, work) }
  }

  private func endure(_ options: SimulatorOptions, _ seed: UInt64, _ work: Work) async throws {
    var plan = options.faults
    plan.seed = seed
    let time = VirtualTime()
    let robot = SimulatedRobot(options.robot, time: time)
    let (outcome, took) = try await time.run { [plan] in
      let port = FaultyPort(plan: plan, time: time)
      @Sendable func open() async throws -> FaultyTransport {
        try await port.open {
          let (host, device) = MemoryTransport.pair()
          _ = Task(executorPreference: time) { await robot.serve(device) }
          return host
        }
      }
      let reopening = Reconnection { try await open() }
      let line = try await open()
      let program = Task(executorPreference: time) {
        try await Robot.withRobot(on: line, time: time, reopening: work == .stream ? reopening : nil) {
          try await work.run($0, time)
        }
      }
      let watchdog = Task(executorPreference: time) {
        try await time.sleep(until: .seconds(110))
        program.cancel()
      }
      let outcome = await program.result
      watchdog.cancel()
      let took = time.now
      // A ball without drive decelerates by 0.15 m/s each second.
      try await time.sleep(for: .seconds(20))
      return (outcome, took)
    }
    // 15 s to connect; 60 s until a lost line is given up.
    #expect(took < .seconds(work == .stream ? 100 : 25), "seed \(seed)")
    let speed = await robot.speed
    #expect(speed < 0.01, "the ball rolls, seed \(seed)")
    if case .failure(let error) = outcome {
      #expect(error is SessionError || error is LinkError, "\(error), seed \(seed)")
      #expect(options.faults != FaultPlan() || options.robot.napDelay != nil, "\(error), seed \(seed)")
    }
  }
}
