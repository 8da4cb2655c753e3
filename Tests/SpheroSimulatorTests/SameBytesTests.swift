// Tests that equal commands give equal bytes: in virtual time, in real time, and without a clock.

import SpheroModel
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

@Suite(.ownThread) struct SameBytesTests {
  /// Bytes to the robot, with their times.
  private typealias Script = [(time: Duration, bytes: [UInt8])]

  /// 30 fields at 400 Hz, so many packets of ten frames.
  private static func stream(packets: UInt8) -> [UInt8] {
    commandBytes(0x02, 0x11, [0, 1, 0, 10, 0xFC, 0x7F, 0xFC, 0x60, packets, 0xFF, 0x80, 0, 0])
  }

  private static let script: Script = [
    (.zero, stream(packets: 0) + commandBytes(0x02, 0x12, [1, 90, 90, 90, 90, 10])),
    (.microseconds(100_700), commandBytes(0x02, 0x30, [200, 0, 30, 1])),
    (.microseconds(500_001), commandBytes(0x02, 0x15, []) + commandBytes(0x00, 0x51, [0, 0, 0, 1])),
    // A macro: rotate by 90 degrees over 300 ms, wait, roll; end.
    (
      .milliseconds(701),
      commandBytes(0x02, 0x51, [255, 0, 0x1A, 0, 90, 1, 44, 0x0B, 1, 44, 5, 90, 0, 10, 0, 0])
    ),
    (.microseconds(702_345), commandBytes(0x02, 0x50, [255])),
    (.milliseconds(1_900), commandBytes(0x00, 0x20, [])),
  ]

  private static let end = Duration.seconds(2)

  private static var configuration: SimulatedRobot.Configuration {
    var configuration = SimulatedRobot.Configuration()
    configuration.seed = 99
    configuration.model.errors.rateBias = 1
    return configuration
  }

  private static let floor = Floor(width: 1, depth: 1)

  /// The bytes that a client of the actor reads until the end, or a number of them.
  private static func play(
    _ script: Script, until end: Duration, count: Int = .max, by time: some TimeSource
  ) async -> [UInt8] {
    let robot = SimulatedRobot(configuration, on: floor, time: time)
    let (host, device) = MemoryTransport.pair()
    let start = time.now
    var script = script[...]
    // What is sent at once waits on the line before the robot comes to it.
    while let first = script.first, first.time == .zero { host.write(script.removeFirst().bytes) }
    let life = time.start { await robot.serve(device) }
    let later = script
    let writer = time.start {
      for (moment, bytes) in later {
        try? await time.sleep(until: start + moment)
        host.write(bytes)
      }
      try? await time.sleep(until: start + end)
      host.close()
    }
    var read: [UInt8] = []
    while let bytes = try? await host.read() {
      read += bytes
      if read.count >= count { break }
    }
    writer.cancel()
    await writer.value
    await life.value
    return read
  }

  private static func playVirtually(_ script: Script, until end: Duration) async throws -> [UInt8] {
    let time = VirtualTime()
    return try await time.run { await play(script, until: end, by: time) }
  }

  /// The output of the model, without clock and line.
  private static func playBare(_ script: Script, until end: Duration) -> [UInt8] {
    var robot = RobotModel(configuration.model, on: floor)
    var pieces: [OutputPiece] = []
    robot.connect(at: .zero)
    for (time, bytes) in script {
      robot.receive(bytes, at: time)
      pieces += robot.takeOutput()
    }
    // A client that disconnects does not receive the last output.
    robot.tick(at: end - .nanoseconds(1))
    return (pieces + robot.takeOutput()).flatMap(\.bytes)
  }

  @Test func virtualTimeGivesTheSameBytesAsNoTime() async throws {
    let bare = Self.playBare(Self.script, until: Self.end)
    #expect(bare.count > 70 * 606)
    let first = try await Self.playVirtually(Self.script, until: Self.end)
    let second = try await Self.playVirtually(Self.script, until: Self.end)
    #expect(first == second)
    #expect(first == bare)
  }

  /// In real time the arrival of a command varies; its effects are the same.
  @Test func realTimeGivesTheSameBytesLater() async throws {
    let commands = Self.stream(packets: 40) + commandBytes(0x02, 0x30, [200, 0, 30, 1])
    let script: Script = [(.zero, commands)]
    let bare = Self.playBare(script, until: .seconds(5))
    let expectedCount = 12 + 40 * 606
    #expect(bare.count == expectedCount)
    // A loaded computer may take long; the output is the same.
    let real = await Self.play(script, until: .seconds(60), count: bare.count, by: SystemTime())
    #expect(real == bare)
  }
}
