// The Swift blocks of all pages are compiled: each has a copy in Examples, which this target contains.

import Foundation
import SpheroMotion
import SpheroProtocol
import SpheroSession
import SpheroSimulator
import SpheroTransport
import Testing

@Suite struct SwiftBlockTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Examples")

  /// The copies by the names of their files.
  private static var copies: [String: String] {
    var copies: [String: String] = [:]
    for page in Page.all {
      for (index, block) in page.blocks.filter({ $0.language == "swift" && $0.mark == nil }).enumerated() {
        copies["\(page.name)\(index + 1).swift"] =
          "// Example \(index + 1) of \(page.path); `SPHERO_RECORD=1 swift test` copies it from there.\n\n\(block.text)"
      }
    }
    return copies
  }

  @Test func everyBlockIsCompiled() throws {
    let copies = Self.copies
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasSuffix(".swift")
    }
    if ProcessInfo.processInfo.environment["SPHERO_RECORD"] != nil {
      for file in files where copies[file] == nil {
        try FileManager.default.removeItem(at: Self.folder.appending(path: file))
      }
      for (file, text) in copies {
        try text.write(to: Self.folder.appending(path: file), atomically: true, encoding: .utf8)
      }
      return
    }
    #expect(Set(files) == Set(copies.keys))
    for (file, text) in copies {
      let copy = try? String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      #expect(copy == text, "\(file) differs from its page; SPHERO_RECORD=1 renews it, then build again")
    }
  }

  // MARK: What the examples of the first program do

  /// Connects a robot over a line with faults.
  private func play<Result: Sendable>(
    faults: [Fault] = [], _ body: @escaping @Sendable (Robot) async throws -> Result
  ) async throws -> Result {
    let time = VirtualTime()
    let simulated = SimulatedRobot(time: time)
    return try await time.run {
      let line = FaultyTransport(simulated.connect(), plan: FaultPlan(faults, seed: 1), time: time)
      return try await Robot.withRobot(on: line, time: time, body)
    }
  }

  @Test func errorsAreCaughtByTheirCases() async throws {
    #expect(try await play { try await turnRed($0) } == "red")
    let lost = Fault(.drop, of: .commands, to: Lights.SetRGBLED.id)
    #expect(try await play(faults: [lost]) { try await turnRed($0) } == "no answer in time")
    let refused = Fault(.refuse(.memoryBusy), of: .commands, to: Lights.SetRGBLED.id)
    #expect(try await play(faults: [refused]) { try await turnRed($0) } == "no: memory busy")
  }

  @Test func theSimulatedMinuteIsTrue() async throws {
    #expect(abs(try await rollForAMinute() - 6_000) < 100)
  }

  @Test func bytesAreDecoded() {
    // One frame of accelerometer z = 1 g and yaw = 90 degrees among zeros, in wire order: angles first.
    let words: [UInt8] = [0, 0, 0, 0, 0, 90, 0, 0, 0, 0, 0x10, 0]
    let packet = [0x03, 0x00, 0x0D] + words
    let (lines, accelerations) = decode([0xFF, 0xFE] + packet + [~packet.reduce(0, &+)])
    #expect(lines.count == 1 && accelerations == [1])
  }

  /// A request of accelerometer z with divisor 40, and packets at rest, of which the 21st to 26th are missing.
  @Test func theSamplesOfACaptureHaveTimes() throws {
    var lines = [
      "0 > FF FF 02 11 01 0E 00 28 00 01 00 00 20 00 C8 00 00 00 00 CC", "0.03 < FF FF 00 01 01 FD",
    ]
    let numbers = Array(0..<20) + Array(26..<60)
    lines += numbers.map { "\(0.1 + Double($0) * 0.1) < FF FE 03 00 03 10 00 E9" }
    let samples = try accelerations(ofCapture: Array(lines.joined(separator: "\n").utf8))
    #expect(samples.map(\.z) == numbers.map { _ in 1 })
    #expect(zip(samples, numbers).allSatisfy { abs($0.time - Double($1) * 0.1) < 0.02 }, "\(samples)")
  }

  @Test func aReplayHasTheRecordedSamples() async throws {
    let path = NSTemporaryDirectory() + "swift-block-\(UUID()).capture"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let time = VirtualTime()
    let accelerations = try await time.run { try await recordAndReplay(path, time: time) }
    #expect(accelerations.count == 10 && accelerations.allSatisfy { abs($0 - 1) < 0.1 }, "\(accelerations)")
  }

  /// In real time, since a pace would multiply the delays of a busy computer. These can still end a guided motion, or
  /// delay an answer beyond its time, so that it is tried three times.
  @Test func everyPortedCallSucceeds() async throws {
    for _ in 1...2 {
      do {
        return try await everyPortedCall(on: "sim:")
      } catch is MotionError {
      } catch SessionError.timedOut {}
    }
    try await everyPortedCall(on: "sim:")
  }

  @Test func theSpeedIsThatOfThePage() async throws {
    #expect(abs(try await play { try await highestSpeed($0) } - 600) < 30)
  }
}
