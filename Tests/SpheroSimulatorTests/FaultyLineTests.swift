// Tests of faulty lines over time: bounded queues, consecutive lines, and robots that fall asleep.

import SpheroModel
import SpheroOrientation
import SpheroProtocol
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread) struct FaultyLineTests {
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]

  @Test func aBurstEndsAndTheNextOneBegins() async throws {
    let time = VirtualTime()
    let reads = try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(near, plan: FaultPlan([Fault(.burst(.milliseconds(25)))]), time: time)
      let robot = time.start {
        for _ in 0..<6 {
          far.write(Self.pong)
          try? await time.sleep(for: .milliseconds(10))
        }
        far.close()
      }
      var reads: [(time: Duration, count: Int)] = []
      while let bytes = try await line.read() { reads.append((time.now, bytes.count)) }
      await robot.value
      return reads
    }
    #expect(reads.map(\.time) == [.milliseconds(25), .milliseconds(55)])
    #expect(reads.map(\.count) == [18, 18])
  }

  @Test func theHeadOfAPacketComesInTheEnd() async throws {
    let time = VirtualTime()
    try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(near, plan: FaultPlan([Fault(.drop, of: .events)]), time: time)
      far.write([0xFF, 0xFF, 0x00])
      #expect(try await line.read() == [0xFF, 0xFF, 0x00])
      #expect(time.now == .seconds(1))
      try line.write([0xFF, 0xFF, 0x02])
      await line.close()
      #expect(time.now == .seconds(1), "closing waits for no rest")
      #expect(try await far.read() == [0xFF, 0xFF, 0x02])
    }
  }

  @Test func anHourWithoutALineIsBounded() async throws {
    let time = VirtualTime()
    try await time.run {
      let (near, far) = MemoryTransport.pair()
      let plan = FaultPlan([Fault(.stall(.seconds(3_600)), at: 0..<1)])
      let line = FaultyTransport(near, plan: plan, time: time)
      // 400 frames of three words a second, 200 to a packet: 8.7 MB in an hour.
      let words = [UInt8](repeating: 0, count: 1_200)
      let packet = try Packet.event(EventPacket(id: Sensing.SensorData.id, payload: words)).encoded()
      for _ in 0..<7_190 {
        far.write(packet)
        try await time.sleep(for: .milliseconds(500))
      }
      var count = 0
      while let bytes = try await line.read() {
        #expect(time.now == .seconds(3_600))
        count += bytes.count
        guard count > 1_000_000 else { continue }
        // The line continues to carry packets.
        far.write(Self.pong)
        while let bytes = try await line.read(), bytes != Self.pong { count += bytes.count }
        break
      }
      #expect(count > 1_000_000 && count <= 1 << 20, "\(count)")
      await line.close()
    }
  }

  @Test func aLineThatWasOpenedAgainGoesOnWithItsFaults() async throws {
    /// Which of 40 packets arrive, over lines that carry so many each.
    func arrived(perLine count: Int) async throws -> [Int] {
      let time = VirtualTime()
      return try await time.run {
        let port = FaultyPort(plan: FaultPlan([Fault(.drop, chance: 0.5)], seed: 11), time: time)
        var arrived: [Int] = []
        for start in stride(from: 0, to: 40, by: count) {
          let (near, far) = MemoryTransport.pair()
          let line = try await port.open { near }
          for number in start..<start + count {
            let packet = ResponsePacket(status: .ok, sequence: UInt8(number))
            far.write(try Packet.response(packet).encoded())
          }
          far.write([0xFF, 0xFF, 0x00])
          far.close()
          var decoder = PacketDecoder(from: .robot)
          while let bytes = try await line.read() { decoder.append(bytes) }
          while case .response(let response)? = decoder.next() { arrived.append(Int(response.sequence)) }
          await line.close()
        }
        return arrived
      }
    }
    let whole = try await arrived(perLine: 40)
    #expect((8...32).contains(whole.count))
    #expect(try await arrived(perLine: 20) == whole)
    #expect(try await arrived(perLine: 5) == whole)
  }

  @Test func aNapInTheMiddleOfAStream() async throws {
    let time = VirtualTime()
    try await time.run {
      var options = try SimulatorOptions(parsing: "nap=1s")
      options.robot.model.wakesByBytes = false
      let robot = SimulatedRobot(options.robot, time: time)
      let (host, device) = MemoryTransport.pair()
      let life = time.start { await robot.serve(device) }
      // A frame every 50 ms without end, and full speed ahead.
      host.write([0xFF, 0xFF, 0x02, 0x11, 0x01, 0x0A, 0, 20, 0, 1, 0, 7, 0, 0, 0, 0xC5])
      host.write([0xFF, 0xFF, 0x02, 0x30, 0x02, 0x05, 255, 0, 0, 1, 0xC6])
      try await time.sleep(for: .milliseconds(1_500))
      #expect(await robot.isAsleep)
      let frames = await robot.statistics.frames
      #expect((18...20).contains(frames))
      // Nothing drives the ball: 0.15 m/s less each second.
      try await time.sleep(for: .seconds(20))
      #expect(await robot.statistics.frames == frames)
      #expect(await robot.speed < 0.01)
      host.close()
      await life.value
      // The next client finds it asleep, and its nap does not begin anew.
      await robot.withModel { $0.shake(.init(0, 0, 5), at: $1) }
      let (again, there) = MemoryTransport.pair()
      let second = time.start { await robot.serve(there) }
      try await time.sleep(for: .seconds(5))
      #expect(await !robot.isAsleep)
      again.close()
      await second.value
    }
  }
}
