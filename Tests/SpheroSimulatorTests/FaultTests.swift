// Tests of fault plans: the packets, the times, and the same faults for the same seed.

import SpheroProtocol
import SpheroTransport
import Testing

@testable import SpheroSimulator

@Suite(.timeLimit(.minutes(5))) struct FaultTests {
  private static let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB]
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]
  private static let frame: [UInt8] = [
    0xFF, 0xFE, 0x03, 0x00, 0x07, 0xFF, 0xFB, 0x00, 0x01, 0x00, 0xB4, 0x46,
  ]

  private func pass(_ fault: Fault, _ bytes: [UInt8], from sender: Sender) -> [FaultInjector.Delivery] {
    var injector = FaultInjector(FaultPlan([fault]))
    return injector.pass(bytes, from: sender, at: .zero)
  }

  @Test func nothingGoesWrongWithoutAPlan() {
    var injector = FaultInjector(FaultPlan())
    let delivered = injector.pass([1, 2, 3], from: .robot, at: .seconds(2))
    #expect(delivered == [.init(recipient: .host, due: .seconds(2), bytes: [1, 2, 3])])
  }

  @Test func aFaultKeepsToItsTraffic() {
    let both = Self.pong + Self.frame
    #expect(pass(Fault(.drop, of: .responses), both, from: .robot).map(\.bytes) == [Self.frame])
    #expect(pass(Fault(.drop, of: .sensorData), both, from: .robot).map(\.bytes) == [Self.pong])
    #expect(pass(Fault(.drop, of: .fromRobot), Self.ping, from: .host).map(\.bytes) == [Self.ping])
    #expect(pass(Fault(.drop), Self.ping, from: .host).isEmpty)
  }

  @Test func aFaultKeepsToItsCommandAndItsPlaces() {
    var injector = FaultInjector(
      FaultPlan([Fault(.drop, of: .responses, to: CommandID(0x00, 0x01), at: 1..<2)]))
    let other: [UInt8] = [0xFF, 0xFF, 0x00, 0x02, 0x07, 0x01, 0xF5]
    let answer: [UInt8] = [0xFF, 0xFF, 0x00, 0x07, 0x01, 0xF7]
    _ = injector.pass(Self.ping + other, from: .host, at: .zero)
    let bytes = (0..<3).flatMap { _ in
      injector.pass(Self.pong + answer, from: .robot, at: .zero).flatMap(\.bytes)
    }
    #expect(bytes == Self.pong + answer + answer + Self.pong + answer)
  }

  @Test func stepsOverBytesThatAreNoPacketAndWaitsForTheRestOfOne() {
    var injector = FaultInjector(FaultPlan([Fault(.drop, of: .responses)]))
    #expect(
      injector.pass([0x75, 0x3E] + Self.frame + Self.pong.prefix(3), from: .robot, at: .zero).flatMap(\.bytes)
        == [0x75, 0x3E] + Self.frame)
    #expect(injector.pass(Array(Self.pong.dropFirst(3)), from: .robot, at: .zero).isEmpty)
  }

  /// The injector passes a header of no packet after one second; a packet that begins later still waits for its rest.
  @Test func eachHeadWaitsForASecond() {
    var injector = FaultInjector(FaultPlan([Fault(.drop, of: .responses)]))
    let header: [UInt8] = [0xFF, 0xFE, 0x07, 0x00, 0x60]
    #expect(injector.pass(header, from: .robot, at: .zero).isEmpty)
    #expect(injector.pass(Array(Self.pong.prefix(3)), from: .robot, at: .milliseconds(500)).isEmpty)
    #expect(injector.nextDeadline == .seconds(1))
    #expect(injector.advance(to: .milliseconds(999)).isEmpty)
    #expect(injector.advance(to: .seconds(1)).flatMap(\.bytes) == header)
    #expect(injector.nextDeadline == .milliseconds(1_500))
    #expect(injector.pass(Array(Self.pong.dropFirst(3)), from: .robot, at: .milliseconds(1_400)).isEmpty)
    #expect(injector.nextDeadline == nil)
  }

  @Test func aRefusedCommandIsAnsweredAndNeverArrives() {
    let delivered = pass(Fault(.refuse(.badChecksum)), Self.ping, from: .host)
    #expect(
      delivered == [
        .init(
          recipient: .host, due: .zero, bytes: [0xFF, 0xFF, 0x02, 0x52, 0x01, 0xAA], beginsRead: true)
      ])
    let silent: [UInt8] = [0xFF, 0xFE, 0x00, 0x01, 0x52, 0x01, 0xAB]
    #expect(pass(Fault(.refuse(.badChecksum)), silent, from: .host).isEmpty)
  }

  @Test func timesOfDelayLatenessAndStall() {
    let late = pass(Fault(.reorder(.seconds(1)), of: .responses), Self.pong + Self.frame, from: .robot)
    #expect(late.map(\.due) == [.seconds(1), .zero])
    let delayed = pass(Fault(.delay(.seconds(1)), of: .responses), Self.pong + Self.frame, from: .robot)
    #expect(delayed.map(\.due) == [.seconds(1)], "what follows waits behind it, and comes in one read")
    var injector = FaultInjector(FaultPlan([Fault(.stall(.seconds(1)), of: .commands, at: 0..<1)]))
    #expect(injector.pass(Self.ping, from: .host, at: .zero).map(\.due) == [.seconds(1)])
    #expect(injector.pass(Self.pong, from: .robot, at: .milliseconds(1)).map(\.due) == [.seconds(1)])
    #expect(injector.pass(Self.pong, from: .robot, at: .seconds(3)).map(\.due) == [.seconds(3)])
  }

  @Test func staleFramesFollowTheResponse() {
    var injector = FaultInjector(FaultPlan([Fault(.stale, of: .responses, to: Sensing.SetDataStreaming.id)]))
    let request: [UInt8] = [
      0xFF, 0xFF, 0x02, 0x11, 0x52, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x90,
    ]
    _ = injector.pass(Self.frame, from: .robot, at: .zero)
    _ = injector.pass(request, from: .host, at: .zero)
    #expect(
      injector.pass(Self.pong, from: .robot, at: .zero).flatMap(\.bytes) == Self.pong + Self.frame)
  }

  @Test(arguments: [
    Fault.Kind.corrupt, .cut, .duplicate, .split, .changeSequence, .stray,
  ])
  func whatIsDoneToABytesIsDone(_ kind: Fault.Kind) throws {
    let delivered = pass(Fault(kind, of: .responses), Self.pong, from: .robot)
    let bytes = delivered.flatMap(\.bytes)
    switch kind {
    case .corrupt: #expect(bytes.count == 6 && zip(bytes, Self.pong).filter { $0 != $1 }.count == 1)
    case .cut: #expect((1..<6).contains(bytes.count) && Self.pong.starts(with: bytes))
    case .duplicate: #expect(bytes == Self.pong + Self.pong)
    case .split: #expect(delivered.count == 2 && bytes == Self.pong)
    case .changeSequence: #expect(bytes.count == 6 && bytes[3] != 0x52 && bytes[2...].reduce(0, &+) == 0xFF)
    default: #expect((7...14).contains(bytes.count) && bytes.suffix(6) == Self.pong[...])
    }
  }

  @Test func chanceIsAsGivenAndGoesByTheSeed() {
    func lost(seed: UInt64) -> [Int] {
      var injector = FaultInjector(FaultPlan([Fault(.drop, chance: 0.3)], seed: seed))
      return (0..<2_000).filter { _ in injector.pass(Self.pong, from: .robot, at: .zero).isEmpty }
    }
    #expect(lost(seed: 7) == lost(seed: 7))
    #expect(lost(seed: 7) != lost(seed: 8))
    #expect((500..<700).contains(lost(seed: 7).count))
  }
}

@Suite(.timeLimit(.minutes(5))) struct FaultyTransportTests {
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]

  /// What the host reads, and when, of packets that the robot writes 10 ms apart.
  private func reads(_ plan: FaultPlan, packets: Int = 4) async throws -> [(Duration, [UInt8])] {
    let time = VirtualTime()
    return try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(near, plan: plan, time: time)
      let robot = time.start {
        for _ in 0..<packets {
          far.write(Self.pong)
          try? await time.sleep(for: .milliseconds(10))
        }
        far.close()
      }
      var reads: [(Duration, [UInt8])] = []
      while let bytes = try await line.read() { reads.append((time.now, bytes)) }
      await robot.value
      await line.close()
      return reads
    }
  }

  @Test func packetsComeAsTheyAreSent() async throws {
    let reads = try await reads(FaultPlan())
    #expect(reads.map(\.0) == [0, 10, 20, 30].map { Duration.milliseconds($0) })
    #expect(reads.allSatisfy { $0.1 == Self.pong })
  }

  @Test func aLateReplyIsOvertaken() async throws {
    let reads = try await reads(FaultPlan([Fault(.reorder(.milliseconds(15)), at: 0..<1)]))
    #expect(reads.map(\.0) == [10, 15, 20, 30].map { Duration.milliseconds($0) })
  }

  @Test func aBurstComesInOneRead() async throws {
    let reads = try await reads(FaultPlan([Fault(.burst(.milliseconds(25)), at: 0..<1)]))
    #expect(reads.map(\.0) == [25, 30].map { Duration.milliseconds($0) })
    #expect(reads.first?.1 == Self.pong + Self.pong + Self.pong)
  }

  @Test func whatIsOnItsWayArrivesBeforeTheLineCloses() async throws {
    let time = VirtualTime()
    try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(near, plan: FaultPlan([Fault(.delay(.seconds(1)))]), time: time)
      try line.write([0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB])
      await line.close()
      #expect(time.now == .seconds(1))
      #expect(try await far.read()?.count == 7)
      #expect(try await far.read() == nil)
    }
  }

  /// The closure may use what is isolated to the caller.
  @MainActor @Test func thePortIsOpenedOnTheMainActor() async throws {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    var openings = 0
    try await time.run { @MainActor in
      let line = try await FaultyPort(plan: FaultPlan(), time: time).open {
        openings += 1
        return simulated.connect()
      }
      await line.close()
    }
    #expect(openings == 1)
  }

  @Test func anOutageCountsFromTheFirstOpenLine() async throws {
    let time = VirtualTime()
    try await time.run {
      let plan = FaultPlan(outage: .init(after: .seconds(1), lasting: .seconds(1)))
      let port = FaultyPort(plan: plan, time: time)
      await #expect(throws: LinkError.busy("the line", nil)) {
        try await port.open { () async throws -> MemoryTransport in
          throw LinkError.busy("the line", nil)
        }
      }
      try await time.sleep(until: .milliseconds(1_500))
      let line = try await port.open { MemoryTransport.pair().0 }
      await #expect(throws: LinkError.lost("the line")) { _ = try await line.read() }
      #expect(time.now == .milliseconds(2_500))
    }
  }

  @Test func anOutageClosesTheLineAndPasses() async throws {
    let time = VirtualTime()
    try await time.run {
      let plan = FaultPlan(outage: .init(after: .seconds(10), lasting: .seconds(3)))
      let port = FaultyPort(plan: plan, time: time)
      let (near, far) = MemoryTransport.pair()
      let line = try await port.open { near }
      await #expect(throws: LinkError.lost("the line")) { _ = try await line.read() }
      #expect(time.now == .seconds(10))
      #expect(try await far.read() == nil, "the other end sees a close")
      #expect(throws: LinkError.lost("the line")) { try line.write([1]) }
      await #expect(throws: LinkError.unreachable("the line")) { try await port.open { near } }
      try await time.sleep(until: .seconds(13))
      let (again, there) = MemoryTransport.pair()
      let second = try await port.open { again }
      there.write([1, 2])
      #expect(try await second.read() == [1, 2])
      await second.close()
    }
  }
}
