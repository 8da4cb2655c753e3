// Every option after `sim:` changes the bytes that a client receives.

import Foundation
import SpheroOrientation
import SpheroPort
import SpheroSession
import SpheroSimulator
import SpheroTransport
import TestSupport
import Testing

@Suite(.ownThread) struct SimulatorOptionTests {
  /// The bytes that a client receives, with their times.
  private struct Heard: Equatable {
    var time: Duration
    var bytes: [UInt8]
  }

  private static func packet(_ device: UInt8, _ command: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    let body = [device, command, 0x52, UInt8(payload.count + 1)] + payload
    return [0xFF, 0xFF] + body + [~body.reduce(0, &+)]
  }

  @Test(arguments: [0.25, 1, 10])
  func aSessionRunsAtThePaceOfTheRobot(_ pace: Double) async throws {
    let time = VirtualTime()
    let (distance, spent) = try await time.run {
      let opener = PortOpener(.simulated(options: "floor=none,pace=\(pace)"), time: time)
      let begin = time.now
      try await Robot.withRobot(on: opener.open(), time: opener.time) { robot in
        try await robot.roll(.ahead, speed: 0.3, for: .seconds(2))
        try await robot.time.sleep(for: .seconds(2))
      }
      return (try #require(await opener.simulatedRobot?.locatorPosition.y), time.now - begin)
    }
    #expect(abs(distance - 118) < 3, "\(distance) cm")
    #expect(abs(spent / .seconds(1) * pace - 4.1) < 0.3, "\(spent)")
  }

  /// Performs a fixed conversation with a robot of these options: identity, battery, two streams, a roll, a sleep.
  private static func play(_ options: String) async throws -> [Heard] {
    let time = VirtualTime()
    return try await time.run {
      let opener = PortOpener(.simulated(options: options), time: time)
      var heard: [Heard] = []
      let line = try await opener.open()
      let (noted, reader) = listen(to: line, time)
      let script: [[UInt8]] = [
        packet(0x00, 0x02), packet(0x00, 0x11), packet(0x00, 0x20),
        // Accelerometer and gyroscope, then with the quaternion, 40 frames of each at 40 Hz.
        packet(0x02, 0x11, [0, 10, 0, 1, 0, 0, 0xFC, 0, 40]),
        packet(0x02, 0x12, [1, 100, 0, 100, 0, 100]), packet(0x02, 0x30, [200, 0, 30, 1]),
        packet(0x02, 0x11, [0, 10, 0, 1, 0, 0, 0xFC, 0, 40, 0xF0, 0, 0, 0]),
        // Accelerometer z and three reserved bits, and the same again before the count is over.
        packet(0x02, 0x11, [0, 10, 0, 1, 0x03, 0x80, 0x20, 0, 40]),
        packet(0x02, 0x11, [0, 10, 0, 1, 0x03, 0x80, 0x20, 0, 40]),
        packet(0x02, 0x30, [0, 0, 30, 0]), packet(0x00, 0x22, [0, 0, 0, 0, 0]),
      ]
      for command in script {
        try? await line.write(command)
        try await time.sleep(for: .milliseconds(700))
      }
      await line.close()
      await reader.value
      heard = noted.all
      // The planned loss of the line ends as planned; the sleeping robot then receives bytes again.
      try await time.sleep(until: .seconds(20))
      let again = try await opener.open()
      let (more, other) = listen(to: again, time)
      for _ in 0..<3 {
        try? await again.write(packet(0x00, 0x01))
        try await time.sleep(for: .milliseconds(700))
      }
      await again.close()
      await other.value
      heard += more.all
      // An endless stream of gyroscope and locator, a drive that ends with the motors off, and a client that leaves.
      heard += try await visit(opener, time, for: .seconds(12)) { line in
        try? await line.write(packet(0x02, 0x11, [0, 40, 0, 1, 0, 0, 0x1C, 0, 0, 0x0C, 0, 0, 0]))
        try? await line.write(packet(0x02, 0x30, [150, 0, 180, 1]))
        // The ball turns away from the wall that it has reached, and rolls.
        try await time.sleep(for: .milliseconds(800))
        try? await line.write(packet(0x02, 0x02, [0]))
      }
      heard += try await visit(opener, time, for: .seconds(1)) { _ in }
      return heard
    }
  }

  /// Opens a line, talks, stays for a time, and returns what arrived.
  private static func visit(
    _ opener: PortOpener, _ time: VirtualTime, for length: Duration,
    _ talk: @escaping @Sendable (any Transport) async throws -> Void
  ) async throws -> [Heard] {
    let line = try await opener.open()
    let (notes, reader) = listen(to: line, time)
    try await talk(line)
    try await time.sleep(for: length)
    await line.close()
    await reader.value
    return notes.all
  }

  private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    private var heard: [Heard] = []
    func add(_ piece: Heard) { lock.withLock { heard.append(piece) } }
    var all: [Heard] { lock.withLock { heard } }
  }

  private static func listen(to line: any Transport, _ time: VirtualTime) -> (Notes, Task<Void, Never>) {
    let notes = Notes()
    let task = Task(executorPreference: time) {
      while let bytes = try? await line.read() { notes.add(Heard(time: time.now, bytes: bytes)) }
      notes.add(Heard(time: time.now, bytes: []))
    }
    return (notes, task)
  }

  private static func file(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "sphero-\(UUID().uuidString)").path
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func everyOptionIsObeyed() async throws {
    let floor = try Self.file("room 0.5 0.5")
    let script = try Self.file("1s hold nose-up")
    defer { for path in [floor, script] { try? FileManager.default.removeItem(atPath: path) } }
    let values = [
      "name": "Zoe", "model": "sprk", "seed": "7", "latency": "20ms", "battery": "30%", "clock": "1.05",
      "reading": "b", "version": "10", "greeting": "u>", "renewal": "sum",
      "reserved": "nothing", "sleep": "silent", "nap": "2s", "floor": floor,
      "script": script,
      "pace": "2", "gyro-bias": "0:0:5", "gyro-scale": "20%", "gyro-misalignment": "10:0:0",
      "gyro-drift": "10",
      "stream": "continues", "locator": "backward", "drop": "30%", "corrupt": "30%", "cut": "30%",
      "duplicate": "30%", "delay": "30%:50ms",
      "late": "30%:50ms", "split": "30%", "burst": "30%:90ms", "stall": "30%:200ms", "misnumber": "60%",
      "refuse": "60%:02", "stray": "30%", "stale": "100%", "close": "2s:3s",
    ]
    #expect(Set(values.keys) == Set(SimulatorOptions.names))
    let plain = try await Self.play("")
    #expect(try await Self.play("") == plain, "the same game each time")
    #expect(plain.count > 50)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      #expect(try await Self.play("\(name)=\(value)") != plain, "\(name) is ignored")
    }
  }

  @Test func theFloorStopsTheBall() async throws {
    let floor = try Self.file("room 0.5 0.5")
    defer { try? FileManager.default.removeItem(atPath: floor) }
    func collisions(_ options: String) async throws -> Int {
      try await Self.play(options).filter { $0.bytes.starts(with: [0xFF, 0xFE, 0x07]) }.count
    }
    #expect(try await collisions("floor=\(floor)") > 0)
    #expect(try await collisions("floor=none") == 0)
    // The ball rolls for two metres, and the walls are one metre away.
    #expect(try await collisions("") > 0)
  }

  @Test func aLineThatBreaksByPlanComesBackToTheSameRobot() async throws {
    let time = VirtualTime()
    try await time.run {
      let opener = PortOpener(try Port(parsing: "sim:close=2s:3s"), time: time)
      let line = try await opener.open()
      // A colour, 02:20, and its answer.
      try await line.write(Self.packet(0x02, 0x20, [10, 20, 30, 1]))
      #expect(try await line.read() == [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC])
      await #expect(throws: LinkError.lost("sim:close=2s:3s")) { try await line.read() }
      #expect(time.now == .seconds(2))
      await line.close()
      await #expect(throws: LinkError.unreachable("sim:close=2s:3s")) { try await opener.open() }
      try await time.sleep(until: .seconds(5))
      let again = try await opener.open()
      try await again.write(Self.packet(0x02, 0x22))
      #expect(try await again.read() == [0xFF, 0xFF, 0x00, 0x52, 0x04, 10, 20, 30, 0x6D])
      await again.close()
    }
  }

  @Test func filesThatCannotBeUsedAreNamed() async throws {
    await #expect(
      throws: SimulatorFileError.unreadable(path: "/no/floor", reason: "No such file or directory")
    ) {
      try await Port(parsing: "sim:floor=/no/floor").open()
    }
    let script = try Self.file("hold level\njump")
    defer { try? FileManager.default.removeItem(atPath: script) }
    let error = await #expect(throws: SimulatorFileError.self) {
      try await Port(parsing: "sim:script=\(script)").open()
    }
    #expect(error?.description.hasPrefix("\(script): line 2 of the script says 'jump': ") == true)
  }
}
