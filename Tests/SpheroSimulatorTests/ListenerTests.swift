// Tests of a simulated robot that serves a listener, also between clients.

import SpheroModel
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

/// A listener in memory.
private final class MemoryListener: Listener {
  private let guests = Mailbox<MemoryTransport>(capacity: 10)

  /// Connects as a client.
  func connect() -> MemoryTransport {
    let (host, device) = MemoryTransport.pair()
    guests.push(device)
    return host
  }

  func accept() async throws -> MemoryTransport? { try await guests.receive()?.first }
  func close() { guests.finish() }
}

@Suite(.ownThread) struct ListenerTests {
  private static func ping(_ number: UInt8) -> [UInt8] {
    [0xFF, 0xFF, 0x00, 0x01, number, 0x01, ~(0x02 &+ number)]
  }

  @Test func theWorldGoesOnBetweenClients() async throws {
    let time = VirtualTime()
    try await time.run {
      let (robot, listener) = (SimulatedRobot(time: time), MemoryListener())
      let life = time.start { try? await robot.serve(listener) }
      let host = listener.connect()
      // 02:35 without motion time-outs: the ball rolls on.
      host.write([0xFF, 0xFF, 0x02, 0x35, 0x00, 0x05, 0x00, 0x00, 0x00, 0x02, ~0x3E])
      #expect(try await host.read() == [0xFF, 0xFF, 0x00, 0x00, 0x01, 0xFE])
      // 02:30 with speed 40h ahead; the sum is 30 + 02 + 01 + 05 + 40 + 01.
      host.write([0xFF, 0xFF, 0x02, 0x30, 0x01, 0x05, 0x40, 0x00, 0x00, 0x01, ~0x79])
      #expect(try await host.read() == [0xFF, 0xFF, 0x00, 0x01, 0x01, 0xFD])
      host.close()
      try await time.sleep(for: .seconds(60))
      // A quarter of full speed for a minute: tens of metres.
      #expect(await robot.locatorPosition.y > 1_000)
      let next = listener.connect()
      next.write(Self.ping(2))
      #expect(try await next.read() == [0xFF, 0xFF, 0x00, 0x02, 0x01, 0xFC])
      next.close()
      listener.close()
      await life.value
    }
  }

  @Test func whoComesToASleeperThatBytesDoNotWakeSeesAHangUp() async throws {
    for wakes in [true, false] {
      let time = VirtualTime()
      try await time.run {
        var configuration = SimulatedRobot.Configuration()
        configuration.model.wakesByBytes = wakes
        let (robot, listener) = (SimulatedRobot(configuration, time: time), MemoryListener())
        let life = time.start { try? await robot.serve(listener) }
        let host = listener.connect()
        host.write([0xFF, 0xFF, 0x00, 0x22, 0x52, 0x06, 0, 0, 0, 0, 0, 0x85])
        #expect(try await host.read() == [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC])
        #expect(try await host.read() == nil)
        try await time.sleep(for: .seconds(3))
        let next = listener.connect()
        next.write(Self.ping(2))
        #expect(try await next.read() == (wakes ? [0xFF, 0xFF, 0x00, 0x02, 0x01, 0xFC] : nil))
        next.close()
        listener.close()
        await life.value
      }
    }
  }

  @Test func faultsGoOnFromOneClientToTheNext() async throws {
    let time = VirtualTime()
    try await time.run {
      let (robot, listener) = (SimulatedRobot(time: time), MemoryListener())
      let plan = FaultPlan([Fault(.drop, chance: 0.5, of: .commands)], seed: 3)
      let life = time.start { try? await robot.serve(listener, faults: plan) }
      var answered: [Bool] = []
      for number in 1...40 as ClosedRange<UInt8> {
        let host = listener.connect()
        host.write(Self.ping(number))
        try await time.sleep(for: .milliseconds(100))
        host.close()
        answered.append((try await host.read()) != nil)
      }
      // With a plan of its own each client would have the same luck.
      #expect(answered.contains(true) && answered.contains(false), "seed 3")
      listener.close()
      await life.value
    }
  }

  @Test func theAnswersToAFormerClientDelayNoOther() async throws {
    let time = VirtualTime()
    try await time.run {
      let (robot, listener) = (SimulatedRobot(time: time), MemoryListener())
      let life = time.start { try? await robot.serve(listener) }
      let host = listener.connect()
      // The answers to a thousand pings take two seconds.
      for _ in 0..<1_000 { host.write(Self.ping(1)) }
      try await time.sleep(for: .milliseconds(10))
      host.close()
      let next = listener.connect()
      next.write(Self.ping(2))
      #expect(try await next.read() == [0xFF, 0xFF, 0x00, 0x02, 0x01, 0xFC])
      #expect(time.now < .milliseconds(100))
      next.close()
      listener.close()
      await life.value
    }
  }

  @Test func aPlannedOutageBeginsWithTheFirstClient() async throws {
    let time = VirtualTime()
    try await time.run {
      let (robot, listener) = (SimulatedRobot(time: time), MemoryListener())
      let plan = FaultPlan(outage: .init(after: .seconds(10), lasting: .seconds(3)))
      let life = time.start { try? await robot.serve(listener, faults: plan) }
      try await time.sleep(for: .seconds(60))
      let host = listener.connect()
      #expect(try await host.read() == nil)
      #expect(time.now == .seconds(70))
      let next = listener.connect()
      next.write(Self.ping(1))
      #expect(try await next.read() == [0xFF, 0xFF, 0x00, 0x01, 0x01, 0xFD])
      #expect(time.now >= .seconds(73))
      next.close()
      listener.close()
      await life.value
    }
  }
}
