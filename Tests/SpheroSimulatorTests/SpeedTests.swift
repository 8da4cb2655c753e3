// The CPU time of simulated robots, which SPHERO_FIGURES prints.

import Foundation
import SpheroModel
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread, .enabled(if: ProcessInfo.processInfo.environment["SPHERO_FIGURES"] != nil))
struct SpeedTests {
  private func packet(_ device: UInt8, _ command: UInt8, _ payload: [UInt8]) -> [UInt8] {
    commandBytes(device, command, payload, isAnswered: false)
  }

  /// Every field of the document: 30 words, in packets of one frame.
  private func stream(divisor: UInt8) -> [UInt8] {
    packet(0x02, 0x11, [0, divisor, 0, 1, 0xFC, 0x7F, 0xFC, 0x60, 0, 0xFF, 0x80, 0, 0])
  }

  private func roll(_ heading: Int) -> [UInt8] {
    packet(0x02, 0x30, [120, UInt8(heading % 360 >> 8), UInt8(heading % 360 & 0xFF), 1])
  }

  /// Prints the CPU time of a task beside its simulated time.
  private func measure(_ what: String, lives seconds: Double, _ body: () async throws -> Int) async rethrows {
    let start = clock()
    let packets = try await body()
    let used = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    let (shown, ratio) = ((used * 100).rounded() / 100, (seconds / used).rounded())
    print("speed: \(what): \(shown) s of a core for \(packets) packets, \(ratio) times real time")
  }

  private func connected(_ count: Int, divisor: UInt8) -> World {
    var world = World(Array(repeating: .init(), count: count), on: Floor(width: 6, depth: 6))
    for index in 0..<count {
      world.withRobot(index, at: .zero) { $0.connect(at: .zero) }
      world.receive(stream(divisor: divisor), by: index, at: .zero)
    }
    return world
  }

  /// Drives robots, and counts their output.
  private func play(_ world: inout World, seconds: Int) -> Int {
    var packets = 0
    for second in 0..<seconds {
      let now = Duration.seconds(second)
      for index in world.robots.indices { world.receive(roll(second * 90 + index * 37), by: index, at: now) }
      world.tick(at: now + .milliseconds(999))
      for index in world.robots.indices { packets += world.takeOutput(of: index).count }
    }
    return packets
  }

  @Test func anHourAt400Hz() async {
    await measure("one robot, 30 fields at 400 Hz, an hour", lives: 3_600) {
      var world = connected(1, divisor: 1)
      return play(&world, seconds: 3_600)
    }
  }

  @Test func fiftyOnOneFloor() async {
    await measure("fifty robots on one floor, 30 fields at 40 Hz each, a minute", lives: 60) {
      var world = connected(50, divisor: 10)
      return play(&world, seconds: 60)
    }
  }

  @Test func fiftyBehindLines() async throws {
    let time = VirtualTime()
    try await measure("the same behind fifty lines in virtual time", lives: 60) {
      let configurations = Array(repeating: SimulatedRobot.Configuration(), count: 50)
      let world = SimulatedWorld(configurations, on: Floor(width: 6, depth: 6), time: time)
      let (request, rolls) = (stream(divisor: 10), (0..<50).map { roll($0 * 37) })
      return try await time.run {
        let robots = world.robots
        return await withTaskGroup(of: Int.self) { group in
          for (robot, roll) in zip(robots, rolls) {
            group.addTask {
              let (host, device) = MemoryTransport.pair()
              let life = time.start { await robot.serve(device) }
              host.write(request + roll)
              let end = time.start {
                try? await time.sleep(until: .seconds(60))
                host.close()
              }
              var bytes = 0
              while let piece = try? await host.read() { bytes += piece.count }
              await end.value
              await life.value
              return bytes / 66
            }
          }
          return await group.reduce(0, +)
        }
      }
    }
  }
}
