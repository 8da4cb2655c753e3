// Tests of closing a faulty line: it takes a second at most, and does not affect the next line.

import SpheroProtocol
import SpheroTransport
import TestSupport
import Testing

@testable import SpheroSimulator

/// A slow line.
struct SlowLine: Transport {
  let line: MemoryTransport
  let time: VirtualTime
  /// The time of each half of a write.
  var writing = Duration.zero
  /// When the line becomes fast.
  var slowEnd = Duration.seconds(1_000_000)
  /// The delay of the end of the line.
  var ending = Duration.zero

  func read() async throws -> [UInt8]? {
    if let bytes = try await line.read() { return bytes }
    // A read that ignores cancellation.
    let (time, end) = (time, time.now + ending)
    await time.start { try? await time.sleep(until: end) }.value
    return nil
  }

  func write(_ bytes: [UInt8]) async throws {
    for half in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
      if writing > .zero, time.now < slowEnd { try await time.sleep(for: writing) }
      line.write(Array(half))
    }
  }

  func close() { line.close() }
}

@Suite(.ownThread) struct FaultyCloseTests {
  private static let ping: [UInt8] = [0xFF, 0xFF, 0x00, 0x01, 0x52, 0x01, 0xAB]
  private static let pong: [UInt8] = [0xFF, 0xFF, 0x00, 0x52, 0x01, 0xAC]

  /// Writes pings, closes, and returns the number of bytes that arrive and the time of the end.
  private func close(
    after pings: Int = 1, _ faults: [Fault], outage: FaultPlan.Outage? = nil, at start: Duration = .zero,
    pause: Duration = .zero, writing: Duration = .zero
  ) async throws -> (count: Int, time: Duration) {
    let time = VirtualTime()
    return try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(
        SlowLine(line: near, time: time, writing: writing), plan: FaultPlan(faults, outage: outage),
        time: time)
      try await time.sleep(until: start)
      for _ in 0..<pings { try line.write(Self.ping) }
      try await time.sleep(for: pause)
      await line.close()
      let closed = time.now
      await line.close()
      #expect(time.now == closed, "closing again takes no time")
      var count = 0
      while let bytes = try await far.read() { count += bytes.count }
      return (count, closed)
    }
  }

  @Test(arguments: [
    Fault.Kind.stall(.seconds(3_600)), .reorder(.seconds(86_400)), .delay(.milliseconds(1_001)),
  ])
  func whatIsDueMuchLaterIsDropped(_ kind: Fault.Kind) async throws {
    let (count, closed) = try await close([Fault(kind)])
    #expect(count == 0 && closed == .zero, "nothing is waited for")
    // A courier that sleeps already is woken.
    let (later, end) = try await close([Fault(kind)], pause: .milliseconds(1))
    if kind != .delay(.milliseconds(1_001)) {
      #expect(later == 0 && end == .milliseconds(1))
    } else {
      #expect(later == 7 && end == .milliseconds(1_001))
    }
  }

  @Test func whatIsDueSoonGoesOut() async throws {
    let soon = try await close([Fault(.delay(.milliseconds(700)))])
    #expect(soon == (7, .milliseconds(700)))
    // The first ping is late by 300 ms, the second by an hour, the third not at all.
    let mixed = try await close(
      after: 3, [Fault(.reorder(.milliseconds(300)), at: 0..<1), Fault(.reorder(.seconds(3_600)), at: 1..<2)])
    #expect(mixed == (14, .milliseconds(300)))
  }

  @Test func aBrokenLineIsNotWaitedFor() async throws {
    let outage = FaultPlan.Outage(after: .seconds(10), lasting: .seconds(3))
    let faults = [Fault(.delay(.milliseconds(900)))]
    let after = try await close(faults, outage: outage, at: .milliseconds(9_950), pause: .milliseconds(60))
    #expect(after == (0, .milliseconds(10_010)))
    let during = try await close(faults, outage: outage, at: .milliseconds(9_950))
    #expect(during == (0, .seconds(10)))
  }

  @Test func aLineThatTakesNoBytesIsNotWaitedFor() async throws {
    let (count, closed) = try await close([], writing: .seconds(3_600))
    #expect(count == 0 && closed == .seconds(1))
  }

  @Test func piecesDoNotGetIntoEachOther() async throws {
    let time = VirtualTime()
    try await time.run {
      let (near, far) = MemoryTransport.pair()
      // Each packet takes 8 ms; one that is late by 2 ms comes due in the middle of the one behind it.
      let line = FaultyTransport(
        SlowLine(line: near, time: time, writing: .milliseconds(4)),
        plan: FaultPlan([Fault(.reorder(.milliseconds(2)), at: 0..<1)]), time: time)
      try line.write(Self.ping)
      // 00:02 with number 7: the sum of 00, 02, 07 and 01 is 0Ah.
      let other: [UInt8] = [0xFF, 0xFF, 0x00, 0x02, 0x07, 0x01, 0xF5]
      try line.write(other)
      await line.close()
      var bytes: [UInt8] = []
      while let piece = try await far.read() { bytes += piece }
      #expect(bytes == other + Self.ping)
    }
  }

  @Test func theEndOfALineTakesNothingFromTheNext() async throws {
    let time = VirtualTime()
    try await time.run {
      let port = FaultyPort(plan: FaultPlan([Fault(.duplicate)]), time: time)
      let (near, _) = MemoryTransport.pair()
      let first = try await port.open {
        SlowLine(line: near, time: time, ending: .milliseconds(10))
      }
      await first.close()
      let (again, there) = MemoryTransport.pair()
      let second = try await port.open { again }
      there.write(Array(Self.pong.prefix(3)))
      try await time.sleep(for: .milliseconds(50))
      there.write(Array(Self.pong.dropFirst(3)))
      try await time.sleep(for: .milliseconds(50))
      there.close()
      var bytes: [UInt8] = []
      while let piece = try await second.read() { bytes += piece }
      #expect(bytes == Self.pong + Self.pong)
      await second.close()
    }
  }

  @Test func whatNobodyReadsIsBoundedInBytes() async throws {
    let time = VirtualTime()
    try await time.run {
      let (near, far) = MemoryTransport.pair()
      let line = FaultyTransport(near, plan: FaultPlan(), time: time)
      for _ in 0..<4 {
        far.write([UInt8](repeating: 0x55, count: 500_000))
        try await time.sleep(for: .milliseconds(1))
      }
      far.write([1, 2])
      far.close()
      var count = 0
      while let bytes = try await line.read() { count += bytes.count }
      // Two pieces fit into 1 048 576 bytes, and so do the last two bytes.
      #expect(count == 1_000_002)
      await line.close()
    }
  }
}
